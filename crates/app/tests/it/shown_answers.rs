//! The answers that docs/tools.md shows below the examples: each has the members that the tool answers now.
//!
//! `PENSAER_WRITE_ANSWERS=1` writes them anew, as they are by then, to `src/answers.json`; run the tests of examples one after the other for it.

use serde_json::{Map, Value};
use std::path::PathBuf;

/// Members of a list that are shown.
const LISTED: usize = 2;
/// Letters of a text that are shown.
const LETTERS: usize = 120;
/// Characters of a whole answer.
const WHOLE: usize = 900;
/// The mark of what is left out.
const CUT: &str = "…";

fn file() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src/answers.json")
}

fn read() -> Map<String, Value> {
    let text = std::fs::read_to_string(file()).unwrap_or_else(|_| "{}".to_owned());
    serde_json::from_str(&text).unwrap()
}

/// Holds an answer against the one that is shown of a tool; what is wrong, if anything is.
pub fn check(tool: &str, answer: &Value) -> Result<(), String> {
    let now = shown(answer);
    let mut all = read();
    if std::env::var_os("PENSAER_WRITE_ANSWERS").is_some() {
        all.insert(tool.to_owned(), now);
        all.sort_keys();
        std::fs::write(file(), serde_json::to_string_pretty(&all).unwrap() + "\n").unwrap();
        return Ok(());
    }
    let Some(written) = all.get(tool) else {
        return Err(format!("{tool}: docs/tools.md shows no answer; {AGAIN}"));
    };
    // a job may be done before it is cancelled
    let came_too_late = tool == "cancel_job" && now["status"] == "done";
    if came_too_late || shape(written) == shape(&now) {
        Ok(())
    } else {
        Err(format!("{tool} answers {now}, and docs/tools.md shows {written}; {AGAIN}"))
    }
}

const AGAIN: &str = "write them anew: PENSAER_WRITE_ANSWERS=1 cargo nextest run -p app -j1 examples, then cargo xtask codegen";

/// An answer as a page shows it: lists and texts cut, and what differs from run to run left out.
fn shown(answer: &Value) -> Value {
    let mut depth = 5;
    loop {
        let shown = cut(answer, depth);
        if shown.to_string().len() <= WHOLE || depth == 1 {
            return shown;
        }
        depth -= 1;
    }
}

fn cut(value: &Value, depth: usize) -> Value {
    match value {
        Value::Array(items) if depth == 0 && !items.is_empty() => CUT.into(),
        Value::Object(members) if depth == 0 && !members.is_empty() => CUT.into(),
        Value::Array(items) => items.iter().take(LISTED).map(|item| cut(item, depth - 1)).collect(),
        Value::Object(members) => members
            .iter()
            .map(|(name, member)| (name.clone(), cut(member, depth.saturating_sub(1))))
            .collect(),
        Value::String(text) => steady(text).into(),
        other => other.clone(),
    }
}

/// A text without what differs from run to run.
fn steady(text: &str) -> String {
    let is_hex = |text: &str| text.chars().all(|c| c.is_ascii_hexdigit() || c == '-');
    let is_guid = text.len() == 22 && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '$');
    let is_id = (text.len() == 36 || text.len() == 64) && is_hex(text);
    if is_guid || is_id {
        return text.chars().take(8).chain(CUT.chars()).collect();
    }
    if text.starts_with('/') || text.contains("://") {
        let end = text.rsplit('/').next().unwrap_or_default();
        return if end.contains('.') && end.len() < 40 { format!("{CUT}/{end}") } else { CUT.to_owned() };
    }
    match text.char_indices().nth(LETTERS) {
        Some((end, _)) => format!("{}{CUT}", &text[..end]),
        None => text.to_owned(),
    }
}

/// The members of an answer, without their values.
fn shape(value: &Value) -> Value {
    match value {
        Value::Object(members) => {
            members.iter().map(|(name, member)| (name.clone(), shape(member))).collect()
        }
        Value::Array(items) => items.iter().take(1).map(shape).collect(),
        _ => Value::Null,
    }
}

#[test]
fn answers_are_cut_and_steady() {
    let answer = serde_json::json!({
        "id": "2O2Fr$t4X7Zf8NOew3FL9r", "list": [1, 2, 3], "file": "/tmp/x/house.ifc", "text": "y".repeat(200)
    });
    let shown = shown(&answer);
    assert_eq!((&shown["id"], &shown["file"]), (&"2O2Fr$t4…".into(), &"…/house.ifc".into()));
    assert_eq!(shown["list"], serde_json::json!([1, 2]));
    assert_eq!(shown["text"].as_str().unwrap().chars().count(), LETTERS + 1);
    assert_eq!(shape(&shown), shape(&answer));
}
