//! Cases, traces and tables by example; a language model that replays a conversation.

use super::agent::Conversation;
use super::case::{Case, Count, Data};
use super::endpoint;
use super::judge::Finding;
use super::report::{Report, Run};
use super::session::{Tally, Validity};
use super::table::Form;
use super::trace::{Trace, filled};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tools::Answers;

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
        "tc",
        &Data::default(),
    )
    .unwrap();
    let wanted: Vec<Count> = case.0[0].criteria.iter().map(|criterion| criterion.wanted).collect();
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
    assert!(
        Case::parse(r#"{"tc": {"prompt": "x", "success_criteria": {}}}"#, "tc", &Data::default()).is_err()
    );
}

#[test]
fn each_case_of_the_repository_has_a_trace() {
    let data = Data { folders: vec![evals()] };
    let mut known = 0;
    for file in std::fs::read_dir(evals().join("cases")).unwrap() {
        let file = file.unwrap().path();
        let text = std::fs::read_to_string(&file).unwrap();
        let set = file.file_stem().unwrap().to_string_lossy().into_owned();
        // the models of test data are not asked for here, but every entry is read as far as it goes
        Case::parse(&text, &set, &data).unwrap();
        for (id, case) in serde_json::from_str::<serde_json::Map<String, Value>>(&text).unwrap() {
            let trace = Trace::of_case(&evals().join("traces"), &set, &id).unwrap();
            assert!(!trace.calls.is_empty() || trace.reply.is_some(), "{id}");
            assert_eq!(trace.reply.is_some(), case["success_criteria"].get("reply").is_some(), "{id}");
            known += 1;
        }
    }
    assert!(known >= 21, "{known}");
}

#[test]
fn a_case_names_models_questions_and_bounds_of_change() {
    let text = json!({"move": {
        "prompt": {"file": "questions.json", "where": {"id": 3}, "at": "question"},
        "start": {"models": {"House": "house.ifc"}, "calls": [{"tool": "undo"}]},
        "success_criteria": {
            "answers": {"width": {"tool": "measure", "at": "/x", "is": 1}},
            "only": {"changed": ["IfcWall"]},
            "reply": {"says": [["yes"]]}
        }
    }})
    .to_string();
    let folder = tempfile::tempdir().unwrap();
    let data = Data { folders: vec![folder.path().to_owned()] };
    let read = |data: &Data| Case::parse(&text, "edits", data).unwrap();
    assert_eq!(read(&data).1, ["move"]);
    std::fs::write(folder.path().join("house.ifc"), "").unwrap();
    std::fs::write(folder.path().join("questions.json"), r#"[{"id": 3, "question": "How wide?"}]"#).unwrap();
    let (cases, left_out) = read(&data);
    assert!(left_out.is_empty());
    let case = &cases[0];
    assert_eq!((case.prompt.as_str(), case.set.as_str()), ("How wide?", "edits"));
    assert_eq!((case.start.calls.len(), case.answers.len()), (1, 1));
    assert!(case.only.as_ref().unwrap().added.is_empty() && case.reply.is_some());
    let absent = text.replace("\"id\":3", "\"id\":4");
    assert!(Case::parse(&absent, "edits", &data).is_err());
}

#[test]
fn parts_of_answers_are_filled_into_the_last_words() {
    let mut answers = Answers::default();
    answers.keep(1, Some("rooms"), json!({"total": 2, "rows": [{"name": "A"}, {"name": "B"}]}));
    let said = filled("{$rooms.total} rooms: {$rooms.rows.*.name}.", &answers).unwrap();
    assert_eq!(said, "2 rooms: A, B.");
    assert!(filled("{$rooms.none}", &answers).is_err() && filled("{$rooms", &answers).is_err());
}

fn sample(talk: Option<Conversation>) -> Run {
    let finding = |name: &str, found: u64| Finding {
        name: name.to_owned(),
        asked: name.to_owned(),
        wanted: "1".to_owned(),
        found: Ok(found.to_string()),
        met: found == 1,
    };
    Run {
        tally: Tally { calls: 4, failed: 1, characters: 900 },
        findings: vec![finding("IfcWall", 1), finding("IfcDoor", 0)],
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
    let validity = Validity { schema: true, practice: false, findings: 1, faults: None };
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
    let validity = Some(Validity { schema: true, practice: false, findings: 1, faults: None });
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
