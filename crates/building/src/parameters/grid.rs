//! The positions of a grid's lines: `B`, or `axis B`, in mm from the grid's origin. Lines of the same name in the same place on other
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
            "Name a line of the grid {}, such as `axis {}`.",
            label(author.edit, id),
            tags.first().map_or("A", String::as_str)
        ),
    )
    .with("near_matches", near)
    .with("allowed", tags))
}
