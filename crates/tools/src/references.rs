//! References to what earlier steps answered, in the arguments of later ones.
//!
//! A text that begins with `$` and a name is replaced by a part of an answer: `$shell` is the whole of it, `$shell.roof_id` a member,
//! `$shell.storeys.0.walls[side=1].wall_id` goes on by position (from 0) and by the first member of a list whose `side` is 1,
//! `$shell.storeys.0.walls.*.wall_id` is a list of that part of each. Instead of its name a step can be called by its number, from 1.
//! `$$` stands for a text that begins with `$`.

use crate::near_matches;
use contract::Fault;
use serde_json::{Map, Value};

/// The mark of a reference.
const MARK: char = '$';
/// Parameters that take ids, and are not named so.
const IDS: [&str; 4] = ["rehost", "host", "add", "elements"];
/// Characters of an answer that a Fault shows.
const SHOWN: usize = 200;

/// The answers of earlier steps, by name and number.
#[derive(Debug, Default)]
pub struct Answers(Vec<(String, Value)>);

impl Answers {
    /// Keeps the answer of step number `position` (from 1).
    pub fn keep(&mut self, position: usize, name: Option<&str>, answer: Value) {
        if let Some(name) = name {
            self.0.push((name.to_owned(), answer.clone()));
        }
        self.0.push((position.to_string(), answer));
    }

    /// Returns arguments with every reference replaced. The Fault names the place of one that leads nowhere, and what is there instead.
    pub fn resolve(&self, arguments: &Value) -> Result<Value, Fault> {
        self.resolve_at(arguments, "")
    }

    fn resolve_at(&self, value: &Value, at: &str) -> Result<Value, Fault> {
        Ok(match value {
            Value::String(text) => match reference(text) {
                Reference::To(path) => self.look_up(path).map_err(|(problem, near)| {
                    Fault::invalid(at, format!("`{text}` leads nowhere: {problem}"))
                        .with("near_matches", near)
                })?,
                Reference::Escaped(text) => text.into(),
                Reference::None => value.clone(),
            },
            Value::Array(items) => {
                let mut resolved = Vec::with_capacity(items.len());
                for (n, item) in items.iter().enumerate() {
                    let found = self.resolve_at(item, &format!("{at}[{n}]"))?;
                    // the parts of many are items like those beside them
                    match found {
                        Value::Array(parts) if is_of_many(item) => resolved.extend(parts),
                        found => resolved.push(found),
                    }
                }
                resolved.into()
            }
            Value::Object(members) => {
                let mut resolved = Map::new();
                for (key, item) in members {
                    let at = if at.is_empty() { key.clone() } else { format!("{at}.{key}") };
                    let found = self.resolve_at(item, &at)?;
                    let is_reference = matches!(item, Value::String(_) | Value::Array(_));
                    let is_id = is_reference
                        && (key.ends_with("_id") || key.ends_with("_ids") || IDS.contains(&key.as_str()));
                    resolved.insert(key.clone(), if is_id { id_in(found) } else { found });
                }
                resolved.into()
            }
            other => other.clone(),
        })
    }

    fn look_up(&self, path: &str) -> Result<Value, (String, Vec<String>)> {
        let parts = split(path);
        let Some((name, rest)) = parts.split_first() else { return Err((String::new(), Vec::new())) };
        let Some((_, answer)) = self.0.iter().rev().find(|(known, _)| known == name) else {
            let mut names: Vec<&str> = self.0.iter().map(|(name, _)| name.as_str()).collect();
            names.retain(|name| name.parse::<usize>().is_err());
            let near = near_matches(name, names.iter().copied());
            let said = if names.is_empty() {
                "name an earlier step with `as` first.".to_owned()
            } else {
                format!("the earlier steps with names are {}.", names.join(", "))
            };
            return Err((format!("no earlier step is named `{name}`; {said}"), near));
        };
        follow(answer, rest, name)
    }
}

/// A text as a reference.
enum Reference<'t> {
    To(&'t str),
    Escaped(&'t str),
    None,
}

fn reference(text: &str) -> Reference<'_> {
    let Some(rest) = text.strip_prefix(MARK) else { return Reference::None };
    match rest.chars().next() {
        Some(MARK) => Reference::Escaped(rest),
        Some(first) if first.is_ascii_alphanumeric() || first == '_' => Reference::To(rest),
        _ => Reference::None,
    }
}

/// True for a text that refers to a part of each of many.
fn is_of_many(item: &Value) -> bool {
    item.as_str()
        .is_some_and(|text| matches!(reference(text), Reference::To(path) if split(path).contains(&"*")))
}

/// Returns the names of the steps that arguments refer to, in their order.
pub fn names_referred_to(arguments: &Value) -> Vec<&str> {
    match arguments {
        Value::String(text) => match reference(text) {
            Reference::To(path) => split(path).first().copied().into_iter().collect(),
            _ => Vec::new(),
        },
        Value::Array(items) => items.iter().flat_map(names_referred_to).collect(),
        Value::Object(members) => members.values().flat_map(names_referred_to).collect(),
        _ => Vec::new(),
    }
}

/// Returns the element that an answer given for an id is about: its `id`, or its first member if that is one. In lists, that of each.
pub fn id_in(value: Value) -> Value {
    match value {
        Value::Object(map) => {
            let first = || map.iter().next().filter(|(name, _)| name.ends_with("_id")).map(|(_, id)| id);
            match map.get("id").or_else(first) {
                Some(Value::String(id)) => id.clone().into(),
                _ => map.into(),
            }
        }
        Value::Array(items) => items.into_iter().map(id_in).collect(),
        other => other,
    }
}

/// Splits at the dots outside of brackets; a bracket begins a part of its own.
fn split(path: &str) -> Vec<&str> {
    let (mut parts, mut from, mut inside) = (Vec::new(), 0, false);
    for (at, character) in path.char_indices() {
        match character {
            '[' if !inside => {
                parts.push(path.get(from..at).unwrap_or_default());
                (from, inside) = (at, true);
            }
            ']' => inside = false,
            '.' if !inside => {
                parts.push(path.get(from..at).unwrap_or_default());
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.push(path.get(from..).unwrap_or_default());
    parts.retain(|part| !part.is_empty());
    parts
}

/// Returns the part of a value at a path; `so_far` is the path to the value.
fn follow(value: &Value, path: &[&str], so_far: &str) -> Result<Value, (String, Vec<String>)> {
    let Some((part, rest)) = path.split_first() else { return Ok(value.clone()) };
    if *part == "*" {
        let Value::Array(items) = value else {
            return Err((format!("`${so_far}` is no list, but {}", shown(value)), Vec::new()));
        };
        let mut found = Vec::with_capacity(items.len());
        for (n, item) in items.iter().enumerate() {
            match follow(item, rest, &format!("{so_far}.{n}"))? {
                Value::Array(parts) if rest.contains(&"*") => found.extend(parts),
                part => found.push(part),
            }
        }
        return Ok(found.into());
    }
    let next = step(value, part).ok_or_else(|| absent(value, part, so_far))?;
    let bracket = part.starts_with('[');
    follow(next, rest, &format!("{so_far}{}{part}", if bracket { "" } else { "." }))
}

fn step<'v>(value: &'v Value, part: &str) -> Option<&'v Value> {
    if let Some(test) = part.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        let items = value.as_array()?;
        let Some((key, wanted)) = test.split_once('=') else { return items.get(test.parse::<usize>().ok()?) };
        return items.iter().find(|item| match item.get(key) {
            Some(Value::String(text)) => text == wanted,
            Some(other) => format!("{other}") == wanted,
            None => false,
        });
    }
    match value {
        Value::Array(items) => items.get(part.parse::<usize>().ok()?),
        other => other.get(part),
    }
}

fn absent(value: &Value, part: &str, so_far: &str) -> (String, Vec<String>) {
    match value {
        Value::Object(members) => {
            let names = || members.keys().map(String::as_str);
            let all = names().collect::<Vec<_>>().join(", ");
            (format!("`${so_far}` has no `{part}`; it has {all}."), near_matches(part, names()))
        }
        Value::Array(items) => {
            (format!("`${so_far}` is a list of {}, in which there is no `{part}`.", items.len()), Vec::new())
        }
        other => (format!("`${so_far}` is {}, which has no parts.", shown(other)), Vec::new()),
    }
}

fn shown(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn answers() -> Answers {
        let mut answers = Answers::default();
        let walls = json!([{"side": 1, "wall_id": "a"}, {"side": 2, "wall_id": "b"}]);
        let storeys = json!([{"walls": walls}, {"walls": [{"side": 1, "wall_id": "c"}]}]);
        answers.keep(1, Some("shell"), json!({"storeys": storeys, "roof_id": "r"}));
        answers.keep(2, None, json!({"slab_id": "s", "area": 12.5}));
        answers
    }

    fn resolved(text: &str) -> Value {
        answers().resolve(&json!(text)).unwrap()
    }

    #[test]
    fn a_reference_leads_by_member_position_test_and_to_each_of_a_list() {
        assert_eq!(resolved("$shell.roof_id"), "r");
        assert_eq!(resolved("$shell.storeys.0.walls[side=2].wall_id"), "b");
        assert_eq!(resolved("$shell.storeys[1].walls[0].wall_id"), "c");
        assert_eq!(resolved("$2.area"), 12.5);
        assert_eq!(resolved("$shell.storeys.0.walls.*.wall_id"), json!(["a", "b"]));
        assert_eq!(resolved("$shell.storeys.*.walls.*.wall_id"), json!(["a", "b", "c"]));
    }

    #[test]
    fn parts_of_many_are_items_beside_others_and_an_answer_stands_for_its_element() {
        let given = json!({"element_ids": ["$shell.storeys.0.walls.*.wall_id", "$2", "x"], "host_id": "$2"});
        let found = answers().resolve(&given).unwrap();
        assert_eq!(found, json!({"element_ids": ["a", "b", "s", "x"], "host_id": "s"}));
    }

    #[test]
    fn other_texts_are_left_as_they_are() {
        for text in ["", "$", "$ 5", "costs $5", "3$hy", "$-"] {
            assert_eq!(resolved(text), text);
        }
        assert_eq!(resolved("$$5"), "$5");
    }

    #[test]
    fn a_fault_says_where_the_reference_stands_and_what_there_is() {
        let fault = |given: Value| answers().resolve(&given).unwrap_err();
        let unnamed = fault(json!({"openings": [{"host_id": "$shel.roof_id"}]}));
        assert_eq!(unnamed.data["field"], "openings[0].host_id");
        assert_eq!(unnamed.data["near_matches"], json!(["shell"]));
        assert!(unnamed.message.contains("shell"), "{}", unnamed.message);
        let member = fault(json!({"host_id": "$shell.roof"}));
        assert_eq!(member.data["near_matches"], json!(["roof_id"]));
        assert!(member.message.contains("storeys, roof_id"), "{}", member.message);
        assert!(fault(json!(["$shell.storeys.7"])).message.contains("a list of 2"));
        assert!(fault(json!(["$2.area.x"])).message.contains("12.5"));
        assert!(fault(json!(["$2.area.*"])).message.contains("no list"));
        assert!(Answers::default().resolve(&json!("$a")).unwrap_err().message.contains("`as`"));
    }

    #[test]
    fn the_steps_that_arguments_refer_to_are_told() {
        let given = json!({"a": "$shell.x", "b": ["$2", "no"], "c": {"d": "$$shell"}});
        assert_eq!(names_referred_to(&given), ["shell", "2"]);
    }
}
