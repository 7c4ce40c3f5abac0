//! Cases, traces and tables by example; a language model that replays a conversation.

use super::agent::Conversation;
use super::case::{Case, Count};
use super::endpoint;
use super::report::{Report, Run};
use super::session::{Finding, Tally, Validity};
use super::table::Form;
use super::trace::Trace;
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
        tally: Tally { calls: 4, failed: 1, characters: 900 },
        findings,
        time: Duration::from_millis(1500),
        talk,
        ..Run::begun("tc_new_1", "tc_new_1-run1")
    }
}

fn text(agent: Option<&str>, run: Run) -> String {
    Report { agent: agent.map(str::to_owned), runs: vec![run] }.page(Form::Text)
}

#[test]
fn a_scripted_run_is_labelled_so_and_says_what_it_lacks() {
    let table = text(None, sample(None));
    assert!(table.contains("scripted") && table.contains("75 %") && table.contains("1 of 2"), "{table}");
    assert!(table.contains("IfcDoor wants 1, found 0") && table.contains("not measured"), "{table}");
    let validity = Validity { schema: true, practice: false, faults: None };
    let table = text(None, Run { validity: Some(validity), ..sample(None) });
    assert!(table.contains("ok") && table.contains("broken"), "{table}");
}

#[test]
fn what_the_endpoint_does_not_count_is_not_measured() {
    let talk = |tokens| Some(Conversation { steps: 3, tokens, finished: true, ..Conversation::default() });
    let counted = text(Some("m"), sample(talk(Some(2500))));
    assert!(counted.contains("2.500") && counted.contains("50.0"), "{counted}");
    let not = text(Some("m"), sample(talk(None)));
    assert!(not.lines().any(|line| line.starts_with("tc_new_1") && line.contains("not measured")), "{not}");
}

#[test]
fn the_tables_of_a_model_have_shares_a_person_s_level_and_the_figures_of_the_study() {
    let talk = Some(Conversation { steps: 3, tokens: Some(2500), finished: true, ..Conversation::default() });
    let validity = Some(Validity { schema: true, practice: false, faults: None });
    let run = Run { validity, review: Some(4.0), ..sample(talk) };
    let report = Report { agent: Some("m".to_owned()), runs: vec![run] };
    let told = report.page(Form::Markdown);
    assert!(told.contains("| tc_new_1 | 4.0 | 50.0 | 100.0 | 0.0 | 0 of 1 |"), "{told}");
    assert!(told.contains("|   as published | 13.6 | 12.6 | 100.0 | 203.476 |  |  |"), "{told}");
    let page = report.page(Form::Html);
    assert!(page.starts_with("<!doctype html>") && page.contains("<td>203.476</td>"), "{page}");
    let json = report.json();
    assert_eq!(json["runs"][0]["figures"]["practice (%)"], 0.0);
    assert_eq!(json["runs"][0]["figures"]["manual review"], 4.0);
}

#[test]
fn calls_are_read_from_the_messages_of_both_forms() {
    let openai = json!({"role": "assistant", "tool_calls": [
        {"id": "a", "function": {"name": "create_wall", "arguments": "{\"height\": 3}"}},
        {"id": "b", "function": {"name": "create_wall", "arguments": "{\"height\": "}}
    ]});
    let anthropic = json!({"role": "assistant", "content": [
        {"type": "text", "text": "A wall."},
        {"type": "tool_use", "id": "a", "name": "create_wall", "input": {"height": 3}},
        {"type": "tool_use", "id": "b", "name": "create_wall", "input": "high"}
    ]});
    for (form, message) in [(endpoint::Form::Openai, openai), (endpoint::Form::Anthropic, anthropic)] {
        let calls = form.calls(&message);
        assert_eq!(calls.len(), 2, "{form:?}");
        assert_eq!((calls[0].id.as_str(), calls[0].tool.as_str()), ("a", "create_wall"));
        assert_eq!(calls[0].arguments.as_ref().unwrap()["height"], 3);
        assert!(calls[1].arguments.as_ref().unwrap_err().contains("create_wall"), "{form:?}");
        assert!(form.calls(&json!({"role": "assistant", "content": "Done."})).is_empty());
    }
    let answers = vec![("a".to_owned(), "ok".to_owned(), false), ("b".to_owned(), "no".to_owned(), true)];
    assert_eq!(endpoint::Form::Openai.answered(answers.clone()).len(), 2);
    let told = endpoint::Form::Anthropic.answered(answers);
    assert_eq!(
        told[0]["content"][1],
        json!({"type": "tool_result", "tool_use_id": "b", "content": "no", "is_error": true})
    );
}
