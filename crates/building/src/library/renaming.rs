//! Names by pattern: `D{storey}.{n:02}`, numbered in the order given or anew for each storey, type or room.

use crate::author::Author;
use crate::lookup::label;
use crate::polygon;
use crate::solids;
use contract::Fault;
use glam::DVec3;
use ifc::relations::Links;
use ifc::{Id, relations};
use std::collections::{HashMap, HashSet};

/// The longest name that an IfcLabel holds.
const LONGEST: usize = 255;

/// The words that stand in braces.
const WORDS: [&str; 6] = ["n", "name", "storey", "type", "room", "class"];

/// A piece of a pattern.
#[derive(Debug, Clone, PartialEq)]
enum Piece {
    Text(String),
    /// The number, with so many digits at least.
    Number(usize),
    Word(&'static str),
}

/// The numbering of a renaming.
#[derive(Debug, Clone, PartialEq)]
pub struct Numbers {
    /// The first number.
    pub start: i64,
    /// From each to the next.
    pub step: i64,
    /// The word by which numbering begins anew: `storey`, `type` or `room`.
    pub per: Option<&'static str>,
}

/// Renames elements; answers each with its old name and its new one.
pub fn rename(
    author: &mut Author,
    ids: &[Id],
    pattern: &str,
    numbers: &Numbers,
) -> Result<Vec<(Id, String, String)>, Fault> {
    let pieces = parse(pattern)?;
    let numbered = pieces.iter().any(|piece| matches!(piece, Piece::Number(_)));
    if numbers.step == 0 && numbered && ids.len() > 1 {
        return Err(Fault::invalid("step", "`step` is 0, so all would have the same number."));
    }
    let mut reached: HashMap<String, i64> = HashMap::new();
    let mut renamed = Vec::with_capacity(ids.len());
    for id in ids {
        let key = match numbers.per {
            Some(word) => value(author, *id, word)?,
            None => String::new(),
        };
        let number = reached.entry(key).or_insert(numbers.start);
        let mut text = String::new();
        for piece in &pieces {
            match piece {
                Piece::Text(words) => text.push_str(words),
                Piece::Number(width) => text.push_str(&digits(*number, *width)),
                Piece::Word(word) => text.push_str(&value(author, *id, word)?),
            }
        }
        *number = number
            .checked_add(numbers.step)
            .ok_or_else(|| Fault::invalid("start", "The numbers grow too large."))?;
        let text = text.trim().to_owned();
        if text.is_empty() || text.chars().count() > LONGEST {
            return Err(Fault::invalid(
                "pattern",
                format!(
                    "{} would be named with {} characters; a name has from 1 to {LONGEST}.",
                    label(author.edit, *id),
                    text.chars().count()
                ),
            ));
        }
        renamed.push((*id, label(author.edit, *id), text));
    }
    check(author, &renamed)?;
    for (id, _, new) in &renamed {
        author.set(*id, "Name", new.as_str())?;
    }
    Ok(renamed)
}

fn digits(number: i64, width: usize) -> String {
    format!("{number:0width$}")
}

/// Refuses names that two elements of one class would bear.
fn check(author: &Author, renamed: &[(Id, String, String)]) -> Result<(), Fault> {
    let chosen: HashSet<Id> = renamed.iter().map(|(id, _, _)| *id).collect();
    let mut taken: HashMap<&str, HashMap<String, Id>> = HashMap::new();
    for (id, _, new) in renamed {
        let Some(class) = author.edit.get(*id).map(|e| e.class_name()) else { continue };
        let names = taken.entry(class).or_insert_with(|| {
            let others =
                author.edit.of_class_exact(class).into_iter().filter(|other| !chosen.contains(other));
            others.filter_map(|other| Some((author.edit.get(other)?.name()?, other))).collect()
        });
        if let Some(other) = names.insert(new.clone(), *id) {
            let why = if chosen.contains(&other) {
                "two of these elements; put {n} into the pattern"
            } else {
                "another element already; begin at another number, or rename that as well"
            };
            return Err(Fault::invalid("pattern", format!("The name {new} would be that of {why}."))
                .with("element_id", crate::lookup::guid(author.edit, other)));
        }
    }
    Ok(())
}

fn parse(pattern: &str) -> Result<Vec<Piece>, Fault> {
    let wrong = |what: String| {
        Fault::invalid(
            "pattern",
            format!("`pattern`: {what}. It takes {{n}}, {{n:03}}, {{name}}, {{storey}}, {{type}}, {{room}} and {{class}}."),
        )
        .with("allowed", WORDS)
    };
    if pattern.trim().is_empty() {
        return Err(wrong("it is empty".to_owned()));
    }
    if pattern.chars().any(char::is_control) {
        return Err(wrong("it holds control characters".to_owned()));
    }
    let mut pieces = Vec::new();
    let mut rest = pattern;
    while let Some((before, after)) = rest.split_once('{') {
        pieces.push(Piece::Text(before.to_owned()));
        let Some((inside, after)) = after.split_once('}') else {
            return Err(wrong("a brace is not closed".to_owned()));
        };
        let (word, form) = inside.split_once(':').map_or((inside, None), |(word, form)| (word, Some(form)));
        let Some(word) = WORDS.into_iter().find(|known| *known == word.trim().to_lowercase()) else {
            return Err(wrong(format!("there is no {{{inside}}}")));
        };
        pieces.push(match (word, form) {
            ("n", None) => Piece::Number(1),
            ("n", Some(form)) => match form.trim().parse::<usize>() {
                Ok(width) if (1..=12).contains(&width) => Piece::Number(width),
                _ => return Err(wrong(format!("{{{inside}}} asks for no number of digits from 1 to 12"))),
            },
            (word, None) => Piece::Word(word),
            _ => return Err(wrong(format!("{{{inside}}} takes nothing after a colon"))),
        });
        rest = after;
    }
    pieces.push(Piece::Text(rest.to_owned()));
    Ok(pieces)
}

/// The text that a word of a pattern says of an element.
fn value(author: &Author, id: Id, word: &str) -> Result<String, Fault> {
    let none = |what: &str| {
        Fault::constraint(format!("{} has no {what}, which the pattern asks for.", label(author.edit, id)))
            .with("field", "pattern")
            .with("element_id", crate::lookup::guid(author.edit, id))
    };
    let named = |other: Option<Id>| other.and_then(|other| author.edit.get(other)).and_then(|o| o.name());
    match word {
        "name" => author.edit.get(id).and_then(|e| e.name()).ok_or_else(|| none("name")),
        "class" => Ok(author
            .edit
            .get(id)
            .map(|e| e.class_name().trim_start_matches("Ifc").trim_end_matches("StandardCase").to_owned())
            .unwrap_or_default()),
        "storey" => named(relations::storey_of(author.edit, id)).ok_or_else(|| none("storey")),
        "type" => named(relations::type_of(author.edit, id).filter(|t| *t != id)).ok_or_else(|| none("type")),
        _ => named(room_of(author, id)).ok_or_else(|| none("room")),
    }
}

/// The room that an element is in: that holds it, that it bounds, or in whose outline the middle of it lies.
fn room_of(author: &Author, id: Id) -> Option<Id> {
    let is_space = |id: &Id| author.edit.get(*id).is_some_and(|e| e.is_a("IfcSpace"));
    if is_space(&id) {
        return Some(id);
    }
    let links = Links::of_one(author.edit);
    if let Some(space) = links.upwards(id).into_iter().find(is_space) {
        return Some(space);
    }
    if let Some(space) = links.spaces_of(id).into_iter().find(is_space) {
        return Some(space);
    }
    let bounds = geometry::bounds(author.edit, id)?;
    let middle = bounds.min.midpoint(bounds.max);
    let storey = links.storey_of(id)?;
    links.children(storey).into_iter().filter(is_space).find(|space| {
        let Ok(frame) = author.frame(*space) else { return false };
        let own: DVec3 = frame.into_own(middle);
        solids::prism_of(author.edit, *space, author.units().length_mm).is_some_and(|prism| {
            polygon::contains(&prism.outline, own.truncate())
                && own.z > prism.base - 1.0
                && own.z < prism.base + prism.height + 1.0
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_is_read_and_what_it_does_not_know_is_refused() {
        assert_eq!(
            parse("D{storey}.{n:03}").unwrap(),
            [
                Piece::Text("D".into()),
                Piece::Word("storey"),
                Piece::Text(".".into()),
                Piece::Number(3),
                Piece::Text(String::new())
            ]
        );
        for wrong in ["", " ", "{", "{n", "{x}", "{n:x}", "{n:99}", "{name:3}", "a\u{7}b", "{n:0}"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
