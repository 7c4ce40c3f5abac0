//! Paths of keys from an element to a value, as in IfcOpenShell's `get_element_value`: `storey.Name`,
//! `type.Pset_WallCommon.FireRating`, `material.item.0.LayerThickness`. What each key means is told in
//! [`super::keys`]; a key applied to several values gives several values.

use super::{Datum, SelectorError, expression, keys};
use crate::Id;
use crate::relations::Links;
use regex::Regex;
use std::fmt;

/// A path that has been understood.
#[derive(Debug, Clone)]
pub struct Path {
    /// Its keys in order; at least one.
    pub steps: Vec<Step>,
}

/// One key.
#[derive(Debug, Clone)]
pub enum Step {
    /// A word.
    Key(String),
    /// Every name that it matches from its start.
    Regex(Regex),
}

impl Path {
    /// Reads keys separated by dots; a key in quotes may hold dots, and quotes behind a backslash; `/…/` is a regular
    /// expression.
    pub fn parse(text: &str) -> Result<Self, SelectorError> {
        let error = |at: usize, message: &str| SelectorError { at, message: message.to_owned() };
        let chars: Vec<char> = text.chars().collect();
        let mut steps = Vec::new();
        let mut at = 0;
        let skip = |at: &mut usize| {
            while chars.get(*at).is_some_and(|c| c.is_whitespace()) {
                *at += 1;
            }
        };
        loop {
            skip(&mut at);
            let start = at;
            match chars.get(at) {
                Some('"') => {
                    let key = quoted(&chars, &mut at)
                        .ok_or_else(|| error(start, "the quotation mark that opens here is never closed"))?;
                    steps.push(Step::Key(key));
                }
                Some('/') => {
                    let inner: String = chars.iter().skip(at + 1).take_while(|c| **c != '/').collect();
                    at += inner.chars().count() + 2;
                    if at > chars.len() {
                        return Err(error(start, "the regular expression that opens here is never closed"));
                    }
                    let regex = expression::compile(&inner).map_err(|message| error(start, &message))?;
                    steps.push(Step::Regex(regex));
                }
                _ => {
                    let key: String = chars.iter().skip(at).take_while(|c| **c != '.').collect();
                    at += key.chars().count();
                    let key = key.trim();
                    if key.is_empty() {
                        return Err(error(start, "expected a key, as in storey.Name"));
                    }
                    steps.push(Step::Key(key.to_owned()));
                }
            }
            skip(&mut at);
            match chars.get(at) {
                None => return Ok(Self { steps }),
                Some('.') => at += 1,
                Some(_) => return Err(error(at, "expected a dot and the next key, as in storey.Name")),
            }
        }
    }

    /// Returns the values that it leads to from an element.
    pub fn follow(&self, links: &Links<'_>, element: Id) -> Datum {
        self.steps.iter().fold(Datum::Entity(element), |value, step| match value {
            Datum::Null => Datum::Null,
            value => next(links, value, step),
        })
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, step) in self.steps.iter().enumerate() {
            let dot = if at > 0 { "." } else { "" };
            match step {
                Step::Key(key) => write!(f, "{dot}{key}")?,
                Step::Regex(regex) => write!(f, "{dot}{}", expression::written(regex))?,
            }
        }
        Ok(())
    }
}

/// The key between quotes, backslashes left out; none, if the quotes do not close.
fn quoted(chars: &[char], at: &mut usize) -> Option<String> {
    *at += 1;
    let mut key = String::new();
    loop {
        let c = *chars.get(*at)?;
        *at += 1;
        match c {
            '"' => return Some(key),
            '\\' => {
                key.extend(chars.get(*at).filter(|next| **next != '\\'));
                *at += 1;
            }
            other => key.push(other),
        }
    }
}

fn next(links: &Links<'_>, value: Datum, step: &Step) -> Datum {
    match (value, step) {
        (Datum::Entity(id), Step::Key(key)) => keys::of_entity(links, id, key),
        (Datum::Entity(id), Step::Regex(regex)) => {
            let matching: Vec<Datum> = keys::sets(links, id)
                .into_iter()
                .filter(|(name, _)| regex.is_match(name))
                .map(|(_, properties)| Datum::Record(keys::without_id(properties)))
                .collect();
            one_or_more(matching)
        }
        (Datum::Record(members), Step::Regex(regex)) => {
            let mut found = Vec::new();
            for (name, value) in members {
                if regex.is_match(&name) {
                    match value {
                        Datum::List(inner) => found.extend(inner),
                        other => found.push(other),
                    }
                }
            }
            one_or_more(found)
        }
        (Datum::Record(members), Step::Key(key)) => member(&members, key),
        (Datum::List(members), Step::Key(key)) if key == "count" => Datum::Whole(members.len() as i64),
        (Datum::List(members), Step::Key(key)) if key.chars().all(|c| c.is_ascii_digit()) => {
            key.parse::<usize>().ok().and_then(|at| members.into_iter().nth(at)).unwrap_or(Datum::Null)
        }
        (Datum::List(members), step) => {
            let mut found = Vec::new();
            for member in members.into_iter().filter(|member| *member != Datum::Null) {
                match next(links, member, step) {
                    Datum::List(inner) => found.extend(inner),
                    other => found.push(other),
                }
            }
            Datum::List(found)
        }
        (_, Step::Key(key)) if key == "count" => Datum::Whole(1),
        // a plain value has no parts; the path stays at it
        (value, _) => value,
    }
}

/// A member of a record; in a complex property also one of its parts.
fn member(members: &[(String, Datum)], key: &str) -> Datum {
    let find = |members: &[(String, Datum)]| {
        members.iter().find(|(name, _)| name == key).map(|(_, value)| value.clone())
    };
    let parts = || match members.iter().find(|(name, _)| name == "properties") {
        Some((_, Datum::Record(parts))) => find(parts),
        _ => None,
    };
    let count = || (key == "count").then_some(Datum::Whole(1));
    find(members).or_else(parts).or_else(count).unwrap_or(Datum::Null)
}

fn one_or_more(mut found: Vec<Datum>) -> Datum {
    match found.len() {
        0 => Datum::Null,
        1 => found.remove(0),
        _ => Datum::List(found),
    }
}
