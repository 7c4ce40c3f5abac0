//! The judgement on a run: every criterion of its case, with what was wanted and what was found.

use super::case::{Case, Expected, Only, Reply};
use super::session::Session;
use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Rows that one question asks for.
const ROWS: usize = 500;

/// A criterion, what was wanted and what was found.
#[derive(Debug, Clone)]
pub struct Finding {
    /// The criterion's name.
    pub name: String,
    /// The question: a selector, or a tool with its arguments.
    pub asked: String,
    /// The answer that is wanted.
    pub wanted: String,
    /// The thing found, or the reason why it could not be evaluated.
    pub found: Result<String, String>,
    /// True if it is met.
    pub met: bool,
}

/// The things that a run left, to be judged.
#[derive(Debug, Clone, Copy)]
pub struct Outcome<'a> {
    /// The model that the criteria are about; none where there is none.
    pub model: Option<&'a str>,
    /// Its version before the agent began.
    pub before: Option<&'a str>,
    /// The agent's last words.
    pub words: Option<&'a str>,
}

/// Judges what a run left by the criteria of its case.
pub async fn judge(session: &Session, case: &Case, outcome: Outcome<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for criterion in &case.criteria {
        let found = count(session, outcome.model, &criterion.selector).await;
        findings.push(Finding {
            name: criterion.name.clone(),
            asked: criterion.selector.clone(),
            wanted: criterion.wanted.to_string(),
            met: found.as_ref().is_ok_and(|found| criterion.wanted.holds(*found)),
            found: found.map(|found| found.to_string()).map_err(|error| format!("{error:#}")),
        });
    }
    for (name, expected) in &case.answers {
        findings.push(answered(session, name, expected).await);
    }
    if let Some(only) = &case.only {
        let strays = strays(session, only, outcome).await;
        findings.push(Finding {
            name: "only".to_owned(),
            asked: format!("what changed beyond {}", json!([only.added, only.changed, only.deleted])),
            wanted: "nothing".to_owned(),
            met: strays.as_ref().is_ok_and(Vec::is_empty),
            found: strays
                .map(|strays| if strays.is_empty() { "nothing".to_owned() } else { strays.join("; ") })
                .map_err(|error| format!("{error:#}")),
        });
    }
    if let Some(reply) = &case.reply {
        findings.extend(said(reply, outcome.words));
    }
    findings
}

async fn count(session: &Session, model: Option<&str>, selector: &str) -> Result<u64> {
    let model = model.context("there is no model")?;
    let answer =
        session.ask("query_elements", json!({"model_id": model, "selector": selector, "limit": 1})).await?;
    answer.get("total").and_then(Value::as_u64).with_context(|| format!("no total in {answer}"))
}

async fn answered(session: &Session, name: &str, expected: &Expected) -> Finding {
    let answer = session.ask(&expected.tool, Value::Object(expected.arguments.clone())).await;
    let found = answer.and_then(|answer| {
        let place = answer.pointer(&expected.at);
        place.cloned().with_context(|| format!("the answer has no {}", expected.at))
    });
    Finding {
        name: name.to_owned(),
        asked: format!("{} {} {}", expected.tool, Value::Object(expected.arguments.clone()), expected.at),
        wanted: wanted(expected),
        met: found.as_ref().is_ok_and(|found| holds(expected, found)),
        found: found.map(|found| short(&found.to_string())).map_err(|error| format!("{error:#}")),
    }
}

/// Letters that a report shows of a value.
const SHOWN: usize = 300;

fn short(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

fn wanted(expected: &Expected) -> String {
    let mut parts = Vec::new();
    if let Some(is) = &expected.is {
        parts.push(match expected.within {
            Some(within) => format!("{is} within {within}"),
            None => is.to_string(),
        });
    }
    parts.extend(expected.min.map(|min| format!("at least {min}")));
    parts.extend(expected.max.map(|max| format!("at most {max}")));
    parts.extend(expected.count.map(|count| format!("{count} members")));
    parts.extend(expected.contains.as_ref().map(|text| format!("a text with {text:?}")));
    if parts.is_empty() { "a value".to_owned() } else { parts.join(", ") }
}

/// True if a value is as expected.
pub fn holds(expected: &Expected, found: &Value) -> bool {
    let equals = |is: &Value| match (is.as_f64(), found.as_f64()) {
        (Some(is), Some(found)) => (is - found).abs() <= expected.within.unwrap_or(1e-9 * is.abs()),
        _ => is == found,
    };
    let members = match found {
        Value::Array(items) => Some(items.len()),
        Value::Object(members) => Some(members.len()),
        _ => None,
    };
    let text = || found.as_str().map_or_else(|| found.to_string(), str::to_owned);
    expected.is.as_ref().is_none_or(equals)
        && expected.min.is_none_or(|min| found.as_f64().is_some_and(|found| found >= min))
        && expected.max.is_none_or(|max| found.as_f64().is_some_and(|found| found <= max))
        && expected.count.is_none_or(|count| members == Some(count))
        && expected.contains.as_ref().is_none_or(|part| text().contains(part.as_str()))
}

/// Finds what differs between the model before and after, and may not.
async fn strays(session: &Session, only: &Only, outcome: Outcome<'_>) -> Result<Vec<String>> {
    let model = outcome.model.context("there is no model")?;
    let before = outcome.before.context("there was no model before")?;
    let mut touched = Vec::new();
    let mut cursor: Option<String> = None;
    loop {
        let mut question = json!({"model_id": model, "base": before, "limit": ROWS});
        if let (Some(cursor), Some(question)) = (&cursor, question.as_object_mut()) {
            question.insert("cursor".into(), cursor.clone().into());
        }
        let answer = session.ask("diff_versions", question).await?;
        touched.extend(
            answer.pointer("/summary/elements").and_then(Value::as_array).cloned().unwrap_or_default(),
        );
        cursor = answer.get("next_cursor").and_then(Value::as_str).map(str::to_owned);
        if cursor.is_none() {
            break;
        }
    }
    let mut strays = Vec::new();
    let mut allowed: [Option<BTreeSet<String>>; 3] = [None, None, None];
    for element in &touched {
        let id = element.get("id").and_then(Value::as_str).unwrap_or_default();
        let kind =
            if element.get("changes").and_then(Value::as_object).is_some_and(|changes| !changes.is_empty()) {
                1
            } else if exists(session, model, before, id).await? {
                2
            } else {
                0
            };
        let (word, selectors, version) = match kind {
            0 => ("added", &only.added, None),
            1 => ("changed", &only.changed, None),
            _ => ("deleted", &only.deleted, Some(before)),
        };
        let Some(known) = allowed.get_mut(kind) else { continue };
        if known.is_none() {
            *known = Some(selected(session, model, version, selectors).await?);
        }
        if !known.as_ref().is_some_and(|known| known.contains(id)) {
            let text = |name: &str| element.get(name).and_then(Value::as_str).unwrap_or_default();
            let changes = element.get("changes").map(Value::to_string).unwrap_or_default();
            strays.push(format!("{word} {} {} {id} {changes}", text("class"), text("name")));
        }
    }
    Ok(strays)
}

async fn exists(session: &Session, model: &str, version: &str, id: &str) -> Result<bool> {
    let question = json!({"model_id": model, "model_version": version, "element_id": id});
    session.ask_whether("get_element", question).await
}

/// The ids of all that any of the selectors selects.
async fn selected(
    session: &Session,
    model: &str,
    version: Option<&str>,
    selectors: &[String],
) -> Result<BTreeSet<String>> {
    let mut ids = BTreeSet::new();
    for selector in selectors {
        let mut cursor: Option<String> = None;
        loop {
            let mut question =
                json!({"model_id": model, "selector": selector, "fields": ["id"], "limit": ROWS});
            let Some(members) = question.as_object_mut() else { bail!("a question is no object") };
            members.extend(version.map(|version| ("model_version".to_owned(), version.into())));
            members.extend(cursor.map(|cursor| ("cursor".to_owned(), cursor.into())));
            let answer = session.ask("query_elements", question).await?;
            let rows = answer.get("rows").and_then(Value::as_array).into_iter().flatten();
            ids.extend(rows.filter_map(|row| row.get("id")?.as_str().map(str::to_owned)));
            cursor = answer.get("next_cursor").and_then(Value::as_str).map(str::to_owned);
            if cursor.is_none() {
                break;
            }
        }
    }
    Ok(ids)
}

/// Judges the agent's last words.
pub fn said(reply: &Reply, words: Option<&str>) -> Vec<Finding> {
    let words = words.unwrap_or_default();
    let mut findings = Vec::new();
    let mut finding = |name: &str, wanted: String, met: bool| {
        findings.push(Finding {
            name: name.to_owned(),
            asked: "the last words".to_owned(),
            wanted,
            met,
            found: if words.is_empty() { Err("nothing was said".to_owned()) } else { Ok(short(words)) },
        });
    };
    for any in &reply.says {
        finding("says", any.join(" or "), any.iter().any(|text| is_said(text, words)));
    }
    let numbers = numbers(words);
    for number in &reply.numbers {
        let tolerance = number.within.max(1e-9 * number.value.abs());
        let met = numbers.iter().any(|said| (said - number.value).abs() <= tolerance);
        finding("number", format!("{} within {}", number.value, number.within), met);
    }
    for text in &reply.lacks {
        finding("lacks", format!("not {text}"), !words.is_empty() && !is_said(text, words));
    }
    findings
}

/// True if a text stands in words, in any case, not as a part of a longer word.
fn is_said(text: &str, words: &str) -> bool {
    let (text, words) = (text.trim().to_lowercase(), words.to_lowercase());
    let is_part = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let begins = is_part(text.chars().next());
    let ends = is_part(text.chars().next_back());
    !text.is_empty()
        && words.match_indices(&text).any(|(at, found)| {
            let before = words.get(..at).and_then(|before| before.chars().next_back());
            let after = words.get(at + found.len()..).and_then(|after| after.chars().next());
            !(begins && is_part(before) || ends && is_part(after))
        })
}

/// The numbers in a text. A comma or a space between groups of three digits is none of the number.
fn numbers(text: &str) -> Vec<f64> {
    let letters: Vec<char> = text.chars().collect();
    let digit = |at: usize| letters.get(at).is_some_and(char::is_ascii_digit);
    let (mut found, mut at) = (Vec::new(), 0);
    while at < letters.len() {
        if !digit(at) {
            at += 1;
            continue;
        }
        let negative = at > 0
            && letters.get(at - 1) == Some(&'-')
            && !(at > 1 && letters.get(at - 2).is_some_and(|c| c.is_alphanumeric()));
        let mut number = String::from(if negative { "-" } else { "" });
        while let Some(&letter) = letters.get(at) {
            let is_group = letter == ',' && digit(at + 1) && digit(at + 2) && digit(at + 3) && !digit(at + 4);
            let is_point = letter == '.' && digit(at + 1) && !number.contains('.');
            if letter.is_ascii_digit() || is_point {
                number.push(letter);
            } else if !is_group {
                break;
            }
            at += 1;
        }
        found.extend(number.parse::<f64>());
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::case::Said;

    #[test]
    fn whole_words_in_any_case_are_said() {
        assert!(is_said("no", "No, there are none."));
        assert!(!is_said("no", "It is not known."));
        assert!(is_said("3$x_1", "The door is 3$x_1."));
        assert!(is_said("16", "16 steps") && !is_said("16", "160 steps"));
        assert!(!is_said("", "anything"));
    }

    #[test]
    fn numbers_are_read_out_of_sentences() {
        let read = numbers("1,250.5 m² in A101, about -3 or 2,5; 12.");
        assert_eq!(read, [1250.5, 101.0, -3.0, 2.0, 5.0, 12.0]);
    }

    #[test]
    fn a_reply_is_held_against_each_of_its_criteria() {
        let reply = Reply {
            says: vec![vec!["no".into(), "not".into()]],
            numbers: vec![Said { value: 18.85, within: 0.1 }],
            lacks: vec!["yes".into()],
        };
        let met =
            |words: Option<&str>| said(&reply, words).iter().map(|finding| finding.met).collect::<Vec<_>>();
        assert_eq!(met(Some("No: 18.9 m²")), [true, true, true]);
        assert_eq!(met(Some("Yes, 19 m²")), [false, false, false]);
        assert_eq!(met(None), [false, false, false]);
    }

    #[test]
    fn an_answer_is_held_against_value_bounds_count_and_text() {
        let expected = |members: Value| -> Expected {
            let mut whole = json!({"tool": "measure"});
            whole.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
            serde_json::from_value(whole).unwrap()
        };
        for (members, right, wrong) in [
            (json!({"is": 900, "within": 1}), json!(900.5), json!(902)),
            (json!({"is": "EI30"}), json!("EI30"), json!("EI60")),
            (json!({"min": 1, "max": 2}), json!(1.5), json!("1.5")),
            (json!({"count": 2}), json!(["a", "b"]), json!("ab")),
            (json!({"contains": "wall"}), json!({"a": "the wall"}), json!("door")),
        ] {
            let expected = expected(members);
            assert!(holds(&expected, &right) && !holds(&expected, &wrong), "{expected:?}");
        }
    }
}
