//! A grid of lines that columns and beams are placed by.

use crate::modelling::{Point, author};
use crate::{IfcCall, Tool};
use building::lookup;
use building::measures::{finite, positive};
use building::polygon::plan_point;
use building::structure::grid::{self, GridAnswer, MOST, NewGrid, NewLine};
use contract::{Effect, EventType, Fault, Toolset};
use ifc::Id;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Distances: one for all, or one each.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "expected mm between neighbours, or a list of these")]
enum Spacing {
    /// mm between neighbours.
    Even(f64),
    /// mm, one by one.
    Each(Vec<f64>),
}

/// The lines of one way.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Lines {
    /// mm from the origin, in order.
    positions: Option<Vec<f64>>,
    /// Instead of positions: mm between neighbours, one or a list.
    spacing: Option<Spacing>,
    /// Number of lines, with one spacing.
    count: Option<usize>,
    /// Their names; without them 1, 2, 3 … at x and A, B, C … at y.
    names: Option<Vec<String>>,
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Input {
    /// Lines that run along y, at their x.
    x: Lines,
    /// Lines that run along x, at their y.
    y: Lines,
    /// [x, y] in mm, from which positions count.
    #[schemars(extend("x-seldom" = true))]
    origin: Option<Point>,
    /// Degrees.
    #[serde(default)]
    #[schemars(extend("x-seldom" = true))]
    rotation: f64,
    /// Storeys that get the grid each, ids or names; without them one for the building.
    #[schemars(extend("x-seldom" = true))]
    level_ids: Option<Vec<String>>,
    /// mm that lines run beyond the outermost others.
    #[serde(default = "overhang")]
    #[schemars(extend("x-seldom" = true))]
    overhang: f64,
    /// Name.
    #[schemars(extend("x-seldom" = true))]
    name: Option<String>,
}

fn overhang() -> f64 {
    1500.0
}

/// The grids made.
#[derive(Serialize, JsonSchema)]
pub struct Output {
    /// One for the building, or one for each storey.
    grids: Vec<GridAnswer>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::ifc("create_grid", Effect::Create, run)
        .description(
            "Makes a grid of named lines. Columns and beams are placed on its crossings (A/1), and follow when \
             modify_parameter moves a line (parameter_name `axis B`, value its position).",
        )
        .toolset(Toolset::Structure)
        .event(EventType::GridCreated)
        .example(
            "Lines 1 to 4 and A to C",
            json!({
                "x": { "spacing": 6000, "count": 4 }, "y": { "positions": [0, 5000, 9000], "names": ["A", "B", "C"] },
                "origin": [50000, 50000]
            }),
        )
}

fn run(call: &mut IfcCall, input: Input) -> Result<Output, Fault> {
    let author = &mut author(call);
    let within: Vec<Id> = match &input.level_ids {
        Some(texts) if !texts.is_empty() => {
            let mut found = Vec::new();
            for (i, text) in texts.iter().enumerate() {
                let storey = lookup::storey(author.edit, &format!("level_ids[{i}]"), text)?;
                if !found.contains(&storey) {
                    found.push(storey);
                }
            }
            found
        }
        Some(_) => {
            return Err(Fault::invalid("level_ids", "`level_ids` is empty; give storeys, or leave it out."));
        }
        None => {
            let [building] = author.edit.of_class("IfcBuilding")[..] else {
                return Err(Fault::invalid(
                    "level_ids",
                    "This model does not have just one building; say which storeys get the grid by `level_ids`.",
                ));
            };
            author.assume("one grid for the whole building");
            vec![building]
        }
    };
    let origin =
        input.origin.as_deref().map(|point| plan_point("origin", point)).transpose()?.unwrap_or_default();
    let mut new = NewGrid {
        within: Id(0),
        origin,
        rotation: input.rotation,
        x: lines("x", &input.x, number)?,
        y: lines("y", &input.y, letter)?,
        overhang: input.overhang,
        name: input.name,
    };
    let mut grids = Vec::with_capacity(within.len());
    for place in within {
        new.within = place;
        let made = grid::create(author, &new)?;
        grids.push(grid::answer(author, made)?);
    }
    Ok(Output { grids })
}

fn number(i: usize) -> String {
    (i + 1).to_string()
}

/// A … Z, AA, AB …
fn letter(i: usize) -> String {
    let last = char::from(b'A' + (i % 26) as u8);
    if i < 26 { last.to_string() } else { format!("{}{last}", letter(i / 26 - 1)) }
}

fn lines(field: &str, given: &Lines, usual: fn(usize) -> String) -> Result<Vec<NewLine>, Fault> {
    let wrong = |what: &str| {
        Fault::invalid(
            field,
            format!(
                "{what} Give `{field}` as {{\"positions\": [0, 6000, …]}}, {{\"spacing\": 6000, \"count\": 4}} or {{\"spacing\": [6000, 5000, …]}}."
            ),
        )
    };
    let positions: Vec<f64> = match (&given.positions, &given.spacing, given.count) {
        (Some(positions), None, None) => positions.clone(),
        (None, Some(Spacing::Even(step)), Some(count)) => {
            positive(&format!("{field}.spacing"), *step)?;
            if count == 0 || count > MOST {
                return Err(Fault::invalid(
                    &format!("{field}.count"),
                    format!("`{field}.count` is {count}; give 1 to {MOST}."),
                ));
            }
            (0..count).map(|i| i as f64 * step).collect()
        }
        (None, Some(Spacing::Each(steps)), None) => {
            let mut at = 0.0;
            let mut all = vec![0.0];
            for (i, step) in steps.iter().enumerate() {
                at += positive(&format!("{field}.spacing[{i}]"), *step)?;
                all.push(finite(&format!("{field}.spacing[{i}]"), at)?);
            }
            all
        }
        (Some(_), ..) => return Err(wrong("Positions stand alone.")),
        (None, Some(Spacing::Even(_)), None) => return Err(wrong("One spacing needs a count.")),
        (None, Some(Spacing::Each(_)), Some(_)) => {
            return Err(wrong("A list of spacings tells the count itself."));
        }
        (None, None, _) => return Err(wrong("Neither positions nor spacing are given.")),
    };
    if let Some(names) = &given.names
        && names.len() != positions.len()
    {
        return Err(Fault::invalid(
            &format!("{field}.names"),
            format!("{} names for {} lines; give one each.", names.len(), positions.len()),
        ));
    }
    let tag = |i: usize| match &given.names {
        Some(names) => names.get(i).map(|n| n.trim().to_owned()).unwrap_or_default(),
        None => usual(i),
    };
    Ok(positions.into_iter().enumerate().map(|(i, position)| NewLine { tag: tag(i), position }).collect())
}
