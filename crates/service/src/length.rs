//! Answers kept to a length that an agent reads: long lists are cut, with how much was left out, and numbers have the digits that say something.

use contract::DiffSummary;
use serde::Serialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// Characters of the answer to a change.
pub(crate) const CHANGE: usize = 6_000;
/// Characters of the answer to a question.
pub(crate) const READ: usize = 12_000;
/// Characters of what a change names one by one, of the length of its whole answer.
const CHANGES: usize = CHANGE / 3;
/// Members that a list keeps.
const KEPT: usize = 3;
/// Significant digits of a number.
const DIGITS: i32 = 7;
/// Decimals that a number keeps in any case.
const DECIMALS: i32 = 3;

/// Cuts of one answer at most: each looks through all that is left.
const CUTS: usize = 1_000;

/// The characters of something as JSON.
pub(crate) fn characters_of(value: &impl Serialize) -> usize {
    let mut count = Characters(0);
    // counting cannot fail
    serde_json::to_writer(&mut count, value).ok();
    count.0
}

/// Counts the characters of UTF-8 that is written to it.
struct Characters(usize);

impl std::io::Write for Characters {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        // every byte but those that go on with a character
        self.0 += bytes.iter().filter(|byte| (**byte & 0xC0) != 0x80).count();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Cuts lists of a result of `size` characters until its JSON has at most `limit` or there is nothing more to cut. Returns one line for each list
/// that was cut: its place, and how many of its members were left out.
pub(crate) fn cut_lists(result: &mut Map<String, Value>, mut size: usize, limit: usize) -> Vec<String> {
    let mut left_out: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let mut whole = Value::Object(std::mem::take(result));
    for _ in 0..CUTS {
        if size <= limit {
            break;
        }
        let mut longest = (KEPT, String::new());
        look_for_longest(&whole, &mut String::new(), &mut longest);
        let (length, place) = longest;
        let Some(Value::Array(list)) = whole.pointer_mut(&place).filter(|_| length > KEPT) else { break };
        let keeps = (length / 2).max(KEPT);
        // with the comma before each
        size =
            size.saturating_sub(list.split_off(keeps).iter().map(|member| characters_of(member) + 1).sum());
        let entry = left_out.entry(place).or_insert((length, 0));
        entry.1 = entry.0 - keeps;
    }
    if let Value::Object(cut) = whole {
        *result = cut;
    }
    let line = |(place, (of, out)): (String, (usize, usize))| {
        format!("{}: {out} of {of}", place.trim_start_matches('/').replace('/', "."))
    };
    left_out.into_iter().map(line).collect()
}

/// Finds the list with the most members, and its JSON pointer.
fn look_for_longest(value: &Value, place: &mut String, longest: &mut (usize, String)) {
    let length = place.len();
    match value {
        Value::Array(items) => {
            if items.len() > longest.0 {
                *longest = (items.len(), place.clone());
            }
            for (at, item) in items.iter().enumerate().filter(|(_, item)| item.is_array() || item.is_object())
            {
                place.push('/');
                place.push_str(&at.to_string());
                look_for_longest(item, place, longest);
                place.truncate(length);
            }
        }
        Value::Object(members) => {
            for (name, member) in members.iter().filter(|(_, member)| member.is_array() || member.is_object())
            {
                place.push('/');
                place.push_str(&name.replace('~', "~0").replace('/', "~1"));
                look_for_longest(member, place, longest);
                place.truncate(length);
            }
        }
        _ => {}
    }
}

/// Shortens the lists of a change; its counts are whole.
pub(crate) fn cut_changes(changes: &mut DiffSummary) {
    while characters_of(changes) > CHANGES {
        let (elements, properties) = (changes.elements.len(), changes.properties.len());
        if elements.max(properties) <= KEPT {
            if changes.storeys.len() <= KEPT {
                break;
            }
            changes.storeys.truncate(changes.storeys.len() / 2);
        } else if elements >= properties {
            changes.elements.truncate((elements / 2).max(KEPT));
        } else {
            changes.properties.truncate((properties / 2).max(KEPT));
        }
    }
}

/// Rounds every number to the digits that say something.
pub(crate) fn round_numbers(value: &mut Value) {
    match value {
        Value::Number(number) => {
            if let Some(rounded) = number.as_f64().filter(|_| number.is_f64()).map(rounded) {
                *value = rounded;
            }
        }
        Value::Array(items) => items.iter_mut().for_each(round_numbers),
        Value::Object(members) => {
            for (name, member) in members {
                match member.as_f64().filter(|_| member.is_f64() && name.ends_with("_mm")) {
                    // a tenth of a millimetre is more than anybody builds to
                    Some(length) if length.abs() >= 10.0 => *member = number((length * 10.0).round() / 10.0),
                    _ => round_numbers(member),
                }
            }
        }
        _ => {}
    }
}

fn rounded(value: f64) -> Value {
    if value == 0.0 || !value.is_finite() {
        return number(value);
    }
    let decimals = (DIGITS - 1 - value.abs().log10().floor() as i32).max(DECIMALS);
    let decimals = usize::try_from(decimals).unwrap_or_default();
    number(format!("{value:.decimals$}").parse().unwrap_or(value))
}

fn number(value: f64) -> Value {
    if value.fract() == 0.0 && value.abs() < 1e15 { (value as i64).into() } else { value.into() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use contract::NamedElement;
    use serde_json::json;

    fn cut(value: Value, limit: usize) -> (Value, Vec<String>) {
        let Value::Object(mut map) = value else { panic!("an object") };
        let size = characters_of(&map);
        let left_out = cut_lists(&mut map, size, limit);
        (map.into(), left_out)
    }

    #[test]
    fn the_longest_lists_are_cut_and_what_was_left_out_is_counted() {
        let walls: Vec<Value> = (0..40).map(|n| json!({ "wall": n })).collect();
        let answer =
            json!({ "storeys": [{ "walls": walls }, { "walls": [1, 2] }], "a/b": [1, 2, 3, 4], "name": "x" });
        let (small, left_out) = cut(answer.clone(), 200);
        assert_eq!(left_out, ["storeys.0.walls: 30 of 40"]);
        assert_eq!(small["storeys"][0]["walls"].as_array().unwrap().len(), 10);
        assert_eq!(small["storeys"][1], answer["storeys"][1]);
        assert_eq!((&small["name"], &small["a/b"]), (&answer["name"], &answer["a/b"]));
        assert_eq!(cut(answer.clone(), 5_000), (answer, Vec::new()));
        let (least, left_out) = cut(json!({ "a/b": [1, 2, 3, 4], "text": "y".repeat(500) }), 100);
        assert_eq!((&least["a/b"], left_out), (&json!([1, 2, 3]), vec!["a~1b: 1 of 4".to_owned()]));
    }

    #[test]
    fn a_change_keeps_its_counts() {
        let named = |n: usize| NamedElement {
            id: format!("{n:022}"),
            class: "IfcWall".into(),
            name: Some("A wall with a name".into()),
            changes: BTreeMap::from([("reshaped".to_owned(), json!(true))]),
        };
        let mut changes = DiffSummary {
            modified: BTreeMap::from([("IfcWall".to_owned(), 500)]),
            elements: (0..500).map(named).collect(),
            ..DiffSummary::default()
        };
        cut_changes(&mut changes);
        assert_eq!(changes.modified["IfcWall"], 500);
        assert!((KEPT..30).contains(&changes.elements.len()), "{}", changes.elements.len());
    }

    #[test]
    fn numbers_have_the_digits_that_say_something() {
        let mut value = json!({
            "length": 4_625.592_854_929_921, "width_mm": 4_625.592_854_929_921, "thin_mm": 0.123_456_789, "area": 25.236_854_999_9,
            "whole": 2_999.999_999_99, "count": 12_345_678_901_i64, "east": 4_625_592.854_929_9, "tiny": 0.000_123_456_789, "zero": 0.0,
            "list": [1.000_000_000_1, [0.333_333_333_33]], "text": "1.23456789012"
        });
        round_numbers(&mut value);
        let expected = json!({
            "length": 4_625.593, "width_mm": 4_625.6, "thin_mm": 0.123_456_8, "area": 25.23685, "whole": 3000,
            "count": 12_345_678_901_i64, "east": 4_625_592.855, "tiny": 0.000_123_456_8, "zero": 0,
            "list": [1, [0.333_333_3]], "text": "1.23456789012"
        });
        assert_eq!(value, expected);
    }
}
