//! Elements again elsewhere: in a row, a grid, a circle, on another storey.

use crate::arranged::{LISTED, Standing, all_standing, chosen, vector};
use crate::elements::OneOrMore;
use crate::modelling::{Point, author};
use crate::{IfcCall, Tool};
use building::arranging::copying;
use building::arranging::turns::{self, Vector};
use building::author::Author;
use building::frame::Frame;
use building::{lookup, polygon};
use contract::{Effect, EventType, Fault, Toolset};
use ifc::Id;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Input {
    /// Ids, names, a category (`doors`) or selectors.
    element_ids: Vec<String>,
    /// [dx, dy, dz] in mm from each to the next.
    by: Option<Point>,
    /// Copies in that direction, 1 to 1000.
    #[schemars(extend("default" = 1))]
    count: Option<i64>,
    /// Storey that gets the copies, at their height above it; or a list: each gets them.
    to_level: Option<OneOrMore>,
    /// A second direction, for a grid.
    #[schemars(extend("x-seldom" = true))]
    by_2: Option<Point>,
    /// Rows added in the second direction, 1 to 1000.
    #[schemars(extend("x-seldom" = true, "default" = 1))]
    count_2: Option<i64>,
    /// Degrees counter-clockwise from each to the next, about `origin`.
    #[schemars(extend("x-seldom" = true))]
    angle: Option<f64>,
    /// [x, y] in mm that `angle` turns about.
    #[schemars(extend("x-seldom" = true))]
    origin: Option<Point>,
}

/// The tool's answer.
#[derive(Serialize, JsonSchema)]
pub struct Output {
    /// Copies of the elements asked for.
    count: usize,
    /// The copies, place by place; the first 200.
    copies: Vec<Standing>,
    /// How many are not listed.
    #[serde(skip_serializing_if = "is_zero")]
    left_off: usize,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// The tool.
pub fn tool() -> Tool {
    Tool::ifc("copy_elements", Effect::Create, run)
        .description(
            "Copies elements in a row, a grid (by_2), a circle (angle) or to another storey, with openings, doors \
             and windows, parts and properties. A window alone is copied along its wall.",
        )
        .toolset(Toolset::Arranging)
        .event(EventType::ElementsCopied)
        .example("A wall five times", json!({ "element_ids": ["Wall 1"], "by": [0, 40000], "count": 5 }))
        .example(
            "A field of three by two",
            json!({ "element_ids": ["Wall 1"], "by": [0, -40000], "count": 2, "by_2": [-60000, 0] }),
        )
        .example(
            "A ring of six",
            json!({ "element_ids": ["Wall 1"], "angle": 60, "origin": [-90000, -90000], "count": 5 }),
        )
}

fn times(field: &str, given: Option<i64>) -> Result<usize, Fault> {
    let count = given.unwrap_or(1);
    usize::try_from(count).ok().filter(|count| (1..=copying::MOST).contains(count)).ok_or_else(|| {
        Fault::invalid(
            field,
            format!("`{field}` is {count}; it is a number of copies from 1 to {}.", copying::MOST),
        )
    })
}

fn run(call: &mut IfcCall, input: Input) -> Result<Output, Fault> {
    let author = &mut author(call);
    let ids = chosen(author, "element_ids", &input.element_ids)?;
    let levels = levels(author, input.to_level.clone().map(OneOrMore::list))?;
    let places = places(&input, levels.first().is_some_and(Option::is_some))?;
    let made = copying::copy_onto(author, &ids, &places, &levels)?;
    Ok(Output {
        count: made.len(),
        copies: all_standing(author, &made),
        left_off: made.len().saturating_sub(LISTED),
    })
}

/// The storeys that get copies, each once; `None` where none is named.
fn levels(author: &Author, given: Option<Vec<String>>) -> Result<Vec<Option<Id>>, Fault> {
    let Some(given) = given else { return Ok(vec![None]) };
    if given.is_empty() {
        return Err(Fault::invalid(
            "to_level",
            "`to_level` is an empty list; name the storeys that get copies.",
        ));
    }
    let mut levels = Vec::new();
    for text in &given {
        let level = Some(lookup::storey(author.edit, "to_level", text)?);
        if levels.contains(&level) {
            return Err(Fault::invalid(
                "to_level",
                format!("`to_level` names the storey {text} twice; its copies would lie in each other."),
            ));
        }
        levels.push(level);
    }
    Ok(levels)
}

/// The maps from the originals to their copies.
fn places(input: &Input, elsewhere: bool) -> Result<Vec<Frame>, Fault> {
    let by = input.by.as_ref().map(|by| vector("by", by)).transpose()?;
    let by_2 = input.by_2.as_ref().map(|by| vector("by_2", by)).transpose()?;
    let (count, count_2) = (times("count", input.count)?, times("count_2", input.count_2)?);
    if let Some(degrees) = input.angle {
        return around(degrees, count, by, by_2, input);
    }
    if input.origin.is_some() {
        return Err(Fault::invalid("origin", "`origin` goes with `angle`, which is missing."));
    }
    if by_2.is_none() && input.count_2.is_some() {
        return Err(Fault::invalid("count_2", "`count_2` goes with `by_2`, which is missing."));
    }
    let step = match by {
        Some(by) => by,
        None if elsewhere && count == 1 => Vector::ZERO,
        None => {
            return Err(Fault::invalid(
                "by",
                "`by` is missing: [dx, dy, dz] in mm from each to the next; or give `angle` with `origin`, or one copy to_level.",
            ));
        }
    };
    let nowhere = |step: Vector| step.length() < 0.1;
    if nowhere(step) && !(elsewhere && count == 1) {
        return Err(Fault::invalid("by", "`by` is zero: the copies would lie in the originals."));
    }
    if by_2.is_some_and(nowhere) {
        return Err(Fault::invalid("by_2", "`by_2` is zero: the rows would lie in each other."));
    }
    let rows = if by_2.is_some() { count_2 } else { 0 };
    if (count + 1) * (rows + 1) - 1 > copying::MOST {
        return Err(Fault::invalid(
            "count_2",
            format!("{count} by {rows} are more than {} copies; make fewer at once.", copying::MOST),
        ));
    }
    let second = by_2.unwrap_or_default();
    let mut places = Vec::new();
    for row in 0..=rows {
        for column in 0..=count {
            // the originals stand at the first place, unless they are on another storey
            if (row, column) != (0, 0) && !(elsewhere && input.by.is_none() && column == 0) {
                places.push(Frame::at(step * column as f64 + second * row as f64));
            }
        }
    }
    Ok(places)
}

fn around(
    degrees: f64,
    count: usize,
    by: Option<Vector>,
    by_2: Option<Vector>,
    input: &Input,
) -> Result<Vec<Frame>, Fault> {
    let degrees = turns::angle("angle", degrees)?;
    if by_2.is_some() || input.count_2.is_some() {
        return Err(Fault::invalid("by_2", "`by_2` goes with a grid; with `angle` copies lie in a circle."));
    }
    let Some(origin) = &input.origin else {
        return Err(Fault::invalid("origin", "`angle` turns about `origin`; give it as [x, y] in mm."));
    };
    let origin = polygon::plan_point("origin", origin)?;
    let rise = by.unwrap_or_default();
    if degrees.rem_euclid(360.0).abs() < 1e-9 && rise.length() < 0.1 {
        return Err(Fault::invalid("angle", "`angle` is no turn: the copies would lie in the originals."));
    }
    Ok((1..=count)
        .map(|i| {
            let turned = turns::about(origin, degrees * i as f64);
            turned.with_origin(turned.translation + rise * i as f64)
        })
        .collect())
}
