//! The positions of a grid's lines: `B`, or `axis B`, in mm from the grid's origin; their names, and new lines. Lines of the same name in the same place on other
//! storeys move along, and so does what stands on them.

use super::change::{Change, number};
use crate::author::Author;
use crate::lookup::{label, near};
use crate::measures::finite;
use crate::structure::grid::{self, GridLine};
use crate::structure::ties;
use contract::Fault;
use ifc::Id;
use serde_json::{Value as Json, json};

/// The line that a parameter names; `None` where it names none.
pub(super) fn line(author: &Author, grid: Id, parameter: &str) -> Result<Option<GridLine>, Fault> {
    let lower = parameter.trim().to_lowercase();
    let tag = lower.strip_prefix("axis").map_or(lower.as_str(), |rest| rest.trim_matches([' ', '_', ':']));
    Ok(grid::lines(author, grid)?.into_iter().find(|line| line.tag.to_lowercase() == tag))
}

pub(super) fn move_line(author: &mut Author, id: Id, line: &GridLine, value: &Json) -> Result<Change, Fault> {
    let to = finite("value", number(value)?)?;
    let before = grid::position(author, id, line)?;
    let mut regenerated = Vec::new();
    // the same line on other storeys, seen from its own grid
    for other in author.edit.of_class("IfcGrid") {
        let lines = grid::lines(author, other)?;
        let same = lines.iter().find(|l| l.tag == line.tag && (other == id || is_one(l, line))).cloned();
        let Some(same) = same else { continue };
        let was = grid::position(author, other, &same)?;
        let toward =
            if other == id { to } else { was + (to - before) * sense(author, id, other, line, &same)? };
        grid::move_line(author, other, &same, toward)?;
        grid::stretch(author, other, same.axis)?;
        if other != id {
            regenerated.push(other);
        }
        regenerated.extend(ties::follow_grid(author, other, &lines)?);
    }
    let fresh = grid::lines(author, id)?.into_iter().find(|l| l.axis == line.axis);
    let after = fresh.map(|line| grid::position(author, id, &line)).transpose()?;
    Ok(Change { before: json!(before), after: json!(after), regenerated })
}

/// The name of a line that is not there yet, in a parameter such as `axis D`.
pub(super) fn new_line(parameter: &str) -> Option<String> {
    let trimmed = parameter.trim();
    let is_axis = trimmed.get(..4).is_some_and(|word| word.eq_ignore_ascii_case("axis"));
    let rest = trimmed.get(4..).filter(|_| is_axis)?.trim_matches([' ', '_', ':']);
    (!rest.is_empty()).then(|| rest.to_owned())
}

/// The only member of an object.
fn only<'v>(value: &'v Json, names: &[&str]) -> Option<(&'v str, &'v Json)> {
    let map = value.as_object().filter(|map| map.len() == 1)?;
    let (name, value) = map.iter().next()?;
    names.contains(&name.as_str()).then_some((name.as_str(), value))
}

/// Gives a line another name, and the same line on other storeys with it; what stands on it remembers it by that.
pub(super) fn rename(author: &mut Author, id: Id, line: &GridLine, value: &Json) -> Result<Change, Fault> {
    let Some(text) = only(value, &["name"]).and_then(|(_, name)| name.as_str()) else {
        return Err(Fault::invalid(
            "value",
            format!(
                "`value` is the line's position in mm, or {{\"name\": …}} for another name; not {value}."
            ),
        ));
    };
    let mut regenerated = Vec::new();
    for other in author.edit.of_class("IfcGrid") {
        let lines = grid::lines(author, other)?;
        let same = lines.iter().find(|l| l.tag == line.tag && (other == id || is_one(l, line))).cloned();
        let Some(same) = same else { continue };
        grid::rename(author, other, &same, text)?;
        regenerated.extend(ties::rename_line(author, other, &same.tag, text.trim())?);
        if other != id {
            regenerated.push(other);
        }
    }
    Ok(Change { before: json!(line.tag), after: json!(text.trim()), regenerated })
}

/// Adds a line to a grid.
pub(super) fn add(author: &mut Author, id: Id, tag: &str, value: &Json) -> Result<Change, Fault> {
    let Some((way, at)) = only(value, &["x", "y"]) else {
        return Err(Fault::invalid(
            "value",
            format!(
                "The grid {} has no line {tag}. `value` of a new one is {{\"x\": mm}} for a line along y, or {{\"y\": mm}} for one along x; not {value}.",
                label(author.edit, id)
            ),
        ));
    };
    let to = finite("value", number(at)?)?;
    let line = grid::add_line(author, id, tag, way == "x", to)?;
    Ok(Change {
        before: Json::Null,
        after: json!({ way: grid::position(author, id, &line)? }),
        regenerated: Vec::new(),
    })
}

/// Returns true if two lines lie on each other.
fn is_one(a: &GridLine, b: &GridLine) -> bool {
    a.along().perp_dot(b.along()).abs() < 1e-6 && (a.start - b.start).perp_dot(b.along()).abs() < 1.0
}

/// The sense in which positions of two grids grow the same way across a line they share: 1 or -1.
fn sense(author: &Author, a: Id, b: Id, on_a: &GridLine, on_b: &GridLine) -> Result<f64, Fault> {
    let across = on_a.along().perp() * 1000.0;
    let moved =
        |line: &GridLine| GridLine { start: line.start + across, end: line.end + across, ..line.clone() };
    let grows = |grid: Id, line: &GridLine| -> Result<f64, Fault> {
        Ok(grid::position(author, grid, &moved(line))? - grid::position(author, grid, line)?)
    };
    Ok(if grows(a, on_a)? * grows(b, on_b)? < 0.0 { -1.0 } else { 1.0 })
}

pub(super) fn change(author: &mut Author, id: Id, parameter: &str, _: &Json) -> Result<Change, Fault> {
    let tags: Vec<String> = grid::lines(author, id)?.into_iter().map(|line| line.tag).collect();
    let near = near(parameter, tags.iter().map(String::as_str));
    Err(Fault::invalid(
        "parameter_name",
        format!(
            "Name a line of the grid {}, such as `axis {}`; a new one takes {{\"x\": mm}} or {{\"y\": mm}} as value.",
            label(author.edit, id),
            tags.first().map_or("A", String::as_str)
        ),
    )
    .with("near_matches", near)
    .with("allowed", tags))
}
