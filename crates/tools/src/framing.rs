//! The common part of the tools for columns, beams and braces: how sections, places on grids, ends and names are given.

use crate::modelling::Point;
use building::Author;
use building::lookup;
use building::polygon::{boundary, plan_point};
use building::structure::anchor::Given;
use building::structure::crossing::MOST;
use building::structure::ends::{Cut, Finish};
use building::structure::sections::{Section, is_listed, named};
use contract::Fault;
use ifc::Id;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The forms in which places may be given; for the schema, the values themselves are read by [`places`].
#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "describes the forms; read by hand for better messages")]
pub(crate) enum Places {
    /// A point [x, y] or [x, y, z] in mm.
    Point(Vec<f64>),
    /// Grid crossings: B/3, A-D/1-4, all.
    Crossing(String),
    /// Several of these.
    Several(Vec<Place>),
}

/// The forms of one place in a list.
#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "describes the forms; read by hand for better messages")]
pub(crate) enum Place {
    /// A point [x, y] or [x, y, z] in mm.
    Point(Vec<f64>),
    /// Grid crossings: B/3, A-D/1-4, all.
    Crossing(String),
}

/// The forms in which one end may be given; read by [`given`].
#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "describes the forms; read by hand for better messages")]
pub(crate) enum End {
    /// A point [x, y] or [x, y, z] in mm.
    Point(Vec<f64>),
    /// A grid crossing such as B/3, or a column's id or name.
    Text(String),
}

/// A cut as it is given: a word, or degrees.
#[derive(Clone, Copy, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum CutInput {
    /// Degrees from square, about the section's upright axis.
    Degrees(f64),
    /// By a word.
    Word(CutWord),
}

/// The words for cuts.
#[derive(Clone, Copy, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum CutWord {
    /// Square to the axis.
    Square,
    /// By an upright plane.
    Vertical,
    /// By a level plane.
    Horizontal,
}

/// The storeys that are meant: one, and further ones that get the same.
pub(crate) fn storeys(author: &Author, one: &str, further: Option<&[String]>) -> Result<Vec<Id>, Fault> {
    let mut found = vec![lookup::storey(author.edit, "level_id", one)?];
    for (i, text) in further.unwrap_or_default().iter().enumerate() {
        let field = format!("level_ids[{i}]");
        let storey = lookup::storey(author.edit, &field, text)?;
        if found.contains(&storey) {
            let message =
                format!("`{field}`: {text} is named twice; `level_ids` are storeys beside `level_id`.");
            return Err(Fault::invalid(&field, message));
        }
        found.push(storey);
    }
    Ok(found)
}

/// Refuses more elements than one call makes.
pub(crate) fn bounded(field: &str, count: usize) -> Result<(), Fault> {
    if count == 0 || count > MOST {
        return Err(Fault::invalid(
            field,
            format!("`{field}` means {count} places in all; one call takes 1 to {MOST}."),
        ));
    }
    Ok(())
}

/// A section as the parameters of a tool give it.
pub(crate) struct GivenSection<'i> {
    pub(crate) section: Option<&'i str>,
    pub(crate) width: Option<f64>,
    pub(crate) depth: Option<f64>,
    pub(crate) diameter: Option<f64>,
    pub(crate) profile: Option<&'i [Point]>,
}

impl GivenSection<'_> {
    /// The section: exactly one way of giving it.
    pub(crate) fn read(&self, author: &mut Author) -> Result<Section, Fault> {
        let is_rectangle = self.width.is_some() || self.depth.is_some();
        let ways = [self.section.is_some(), is_rectangle, self.diameter.is_some(), self.profile.is_some()];
        if ways.iter().filter(|given| **given).count() != 1 {
            return Err(Fault::invalid(
                "section",
                "Give the section one way: `section` (a name such as HEB200), `width` and `depth`, `diameter`, or `profile` (points).",
            ));
        }
        if let Some(text) = self.section {
            let row = named("section", text)?;
            if !is_listed(&row) {
                author.assume(format!("{} by its standard's formula; no table lists this size", row.name));
            }
            return Ok(Section::Named(row));
        }
        if let Some(diameter) = self.diameter {
            return Section::round(diameter);
        }
        if let Some(points) = self.profile {
            return Ok(Section::outline(boundary("profile", points)?));
        }
        match (self.width, self.depth) {
            (Some(width), Some(depth)) => Section::rectangle(width, depth),
            (Some(side), None) | (None, Some(side)) => {
                let section = Section::rectangle(side, side)?;
                author.assume(format!("a square section of {side} mm"));
                Ok(section)
            }
            (None, None) => Err(Fault::invalid("section", "Give a section.")),
        }
    }
}

/// The material said, or the one that such sections are of, which is told.
pub(crate) fn material(author: &mut Author, given: Option<&str>, section: &Section) -> Result<String, Fault> {
    if let Some(text) = given {
        return building::measures::name("material", text);
    }
    author.assume(format!("material {}", section.material()));
    Ok(section.material().to_owned())
}

/// The cardinal point said, or the usual one, which is told.
pub(crate) fn cardinal(author: &mut Author, given: Option<u8>, usual: u8, words: &str) -> Result<u8, Fault> {
    match given {
        None => {
            author.assume(format!("cardinal point {usual} ({words})"));
            Ok(usual)
        }
        Some(point @ 1..=10) => Ok(point),
        Some(other) => Err(Fault::invalid(
            "cardinal_point",
            format!(
                "`cardinal_point` is {other}; 1 to 9 are the points of the section's box from the bottom left to the top right, 10 its centroid."
            ),
        )),
    }
}

/// Reads places: a point, a text, or a list of them.
pub(crate) fn places(field: &str, value: &Value) -> Result<Vec<Given>, Fault> {
    match value {
        Value::Array(items) if items.iter().any(|item| !item.is_number()) => {
            items.iter().enumerate().map(|(i, item)| given(&format!("{field}[{i}]"), item)).collect()
        }
        other => Ok(vec![given(field, other)?]),
    }
}

/// Reads one place.
pub(crate) fn given(field: &str, value: &Value) -> Result<Given, Fault> {
    let wrong = || {
        Fault::invalid(
            field,
            format!("`{field}` is a point [x, y] in mm or a grid crossing such as B/3, not {value}."),
        )
    };
    match value {
        Value::String(text) if text.trim().starts_with('[') => {
            // agents quote JSON in JSON; what is meant is plain
            let inner: Value = serde_json::from_str(text).map_err(|_| wrong())?;
            if inner.is_string() { Err(wrong()) } else { given(field, &inner) }
        }
        Value::String(text) if !text.trim().is_empty() => Ok(Given::Text(text.trim().to_owned())),
        Value::Array(items) => {
            let numbers: Option<Vec<f64>> = items.iter().map(Value::as_f64).collect();
            let numbers = numbers.ok_or_else(wrong)?;
            let at = plan_point(field, &numbers)?;
            let z = numbers.get(2).map(|z| building::measures::finite(field, *z)).transpose()?;
            Ok(Given::Point(at, z))
        }
        _ => Err(wrong()),
    }
}

/// The ends of a member.
pub(crate) fn finishes(extend: Option<[f64; 2]>, cuts: Option<[CutInput; 2]>) -> Result<[Finish; 2], Fault> {
    let extend = extend.unwrap_or_default();
    for (i, mm) in extend.iter().enumerate() {
        building::measures::finite(&format!("extend[{i}]"), *mm)?;
    }
    let cuts = cuts.unwrap_or([CutInput::Word(CutWord::Square); 2]).map(|cut| match cut {
        CutInput::Degrees(degrees) => Cut::Mitre(degrees),
        CutInput::Word(CutWord::Square) => Cut::Square,
        CutInput::Word(CutWord::Vertical) => Cut::Vertical,
        CutInput::Word(CutWord::Horizontal) => Cut::Horizontal,
    });
    let [a, b] = extend;
    let [from, to] = cuts;
    Ok([Finish { cut: from, extension: a }, Finish { cut: to, extension: b }])
}

/// The name of one of several: `{n}` counts from 1, `{crossing}` is where it stands; without either, several are numbered.
pub(crate) fn name_of(
    pattern: Option<&str>,
    n: usize,
    count: usize,
    crossing: Option<&str>,
) -> Option<String> {
    let pattern = pattern?;
    let named = pattern.replace("{n}", &n.to_string()).replace("{crossing}", crossing.unwrap_or("-"));
    Some(if named == pattern && count > 1 { format!("{pattern} {n}") } else { named })
}
