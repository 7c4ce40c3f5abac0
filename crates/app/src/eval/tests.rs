//! Cases, traces and tables by example; a language model that replays a conversation.

use super::agent::Conversation;
use super::case::{Case, Count};
use super::report::{Run, agents, scripted};
use super::session::{Finding, Tally};
use super::trace::{Answers, Trace};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::time::Duration;

fn evals() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../evals")
}

#[test]
fn a_bare_integer_means_exactly_and_a_missing_min_at_least_one() {
    let case = Case::parse(
        r#"{"tc": {"prompt": "a wall", "success_criteria": {
            "element_existence": {"IfcWall": 1, "IfcWindow": {"min": 2, "max": 2}, "IfcDoor": {"min": 3, "max": null}},
            "element_features": {"named": "IfcSite, Name=\"A\"", "long": {"selector": "IfcWall"},
                                 "none": {"selector": "IfcSlab", "min": 0}}}}}"#,
    )
    .unwrap();
    let wanted: Vec<Count> = case[0].criteria.iter().map(|criterion| criterion.wanted).collect();
    let count = |min, max| Count { min, max };
    assert_eq!(
        wanted,
        [
            count(1, Some(1)),
            count(2, Some(2)),
            count(3, None),
            count(1, None),
            count(1, None),
            count(0, None)
        ]
    );
    assert!(wanted[0].holds(1) && !wanted[0].holds(2) && !wanted[0].holds(0));
}

#[test]
fn a_case_that_nothing_can_fail_is_refused() {
    assert!(Case::parse(r#"{"tc": {"prompt": "x", "success_criteria": {}}}"#).is_err());
}

#[test]
fn each_case_of_the_repository_has_a_trace() {
    let cases = super::cases(&evals().join("cases"), &[]).unwrap();
    assert_eq!(cases.len(), 21);
    for case in cases {
        let trace = Trace::read(&evals().join("traces").join(format!("{}.json", case.id))).unwrap();
        assert!(!trace.calls.is_empty(), "{}", case.id);
    }
}

#[test]
fn references_reach_into_earlier_answers() {
    let mut answers = Answers::default();
    answers.keep(
        1,
        Some("project"),
        json!({"storeys": [{"name": "Ground", "id": "a"}, {"name": "1.5 up", "id": "b"}]}),
    );
    let resolved = answers.resolve(&json!({
        "by_number": "$1.storeys.0.id",
        "by_name": ["$project.storeys[name=1.5 up].id"],
        "plain": "no $reference"
    }));
    assert_eq!(resolved.unwrap(), json!({"by_number": "a", "by_name": ["b"], "plain": "no $reference"}));
}

#[test]
fn a_reference_to_nothing_says_what_is_missing() {
    let mut answers = Answers::default();
    answers.keep(1, None, json!({"wall_id": "w"}));
    let error = format!("{:#}", answers.resolve(&json!("$1.door_id")).unwrap_err());
    assert!(error.contains("$1.door_id") && error.contains("door_id"), "{error}");
}

fn sample(talk: Option<Conversation>) -> Run {
    let criteria = Case::parse(
        r#"{"tc": {"prompt": "x", "success_criteria": {"element_existence": {"IfcWall": 1, "IfcDoor": 1}}}}"#,
    )
    .unwrap()
    .remove(0)
    .criteria;
    let findings =
        criteria.into_iter().zip([1, 0]).map(|(criterion, n)| Finding { criterion, found: Ok(n) }).collect();
    Run {
        case: "tc".into(),
        tally: Tally { calls: 4, failed: 1, characters: 900 },
        findings,
        time: Duration::from_millis(1500),
        failure: None,
        talk,
        problems: Vec::new(),
    }
}

#[test]
fn a_scripted_run_is_labelled_so_and_says_what_it_lacks() {
    let table = scripted(&[sample(None)]);
    assert!(table.contains("scripted") && table.contains("75 %") && table.contains("1 of 2"), "{table}");
    assert!(table.contains("IfcDoor wants 1, found 0"), "{table}");
}

#[test]
fn what_the_endpoint_does_not_count_is_not_measured() {
    let talk = |tokens| Conversation { steps: 3, tokens, finished: true, ..Conversation::default() };
    let counted = agents("m", &[sample(Some(talk(Some(2500))))]);
    assert!(counted.contains("2.500") && counted.contains("50.0"), "{counted}");
    let not = agents("m", &[sample(Some(talk(None)))]);
    assert!(not.lines().any(|line| line.starts_with("tc") && line.contains("not measured")), "{not}");
}
