//! A railing along a path, a stair, a ramp, or the edge of a slab or opening.

use crate::modelling::{Point, author};
use crate::{IfcCall, Tool};
use building::stairs::railing::{self, Infill, Place, RailingAnswer, Sides, Style};
use building::{lookup, measures, stairs};
use contract::{Effect, EventType, Fault, Toolset};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

#[derive(Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Filled {
    #[default]
    Balusters,
    Panel,
    Rails,
    Open,
}

#[derive(Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Edges {
    #[default]
    Both,
    Left,
    Right,
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Input {
    /// Points [[x, y, z], …] in mm, z above the storey; or give `along`.
    path: Option<Vec<Point>>,
    /// Storey of a path, id or name.
    level_id: Option<String>,
    /// Stair, ramp, slab or opening in a slab, id or name, whose edges it follows; around a stair's opening it leaves the arrival free.
    along: Option<String>,
    /// Edges of a stair or ramp, going up; of a path the side that it stands on, both: on it.
    #[serde(default)]
    sides: Edges,
    /// mm; along stairs and ramps 900, else 1000.
    height: Option<f64>,
    /// Between the posts.
    #[serde(default)]
    infill: Filled,
    /// Come back to the first point.
    #[serde(default)]
    #[schemars(extend("x-seldom" = true))]
    closed: bool,
    /// Material; without it steel.
    #[schemars(extend("x-seldom" = true))]
    material: Option<String>,
    /// Name.
    #[schemars(extend("x-seldom" = true))]
    name: Option<String>,
}

/// The tool's answer.
#[derive(Serialize, JsonSchema)]
pub struct Output {
    /// The railings, one for each edge.
    railings: Vec<RailingAnswer>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::ifc("create_railing", Effect::Create, run)
        .description(
            "Makes a railing along a path, the edges of a stair or ramp, or the edge of a slab or of an opening in one: posts, \
             rail, and balusters, panes or bars between.",
        )
        .toolset(Toolset::Stairs)
        .event(EventType::RailingCreated)
        .example(
            "A railing around a corner",
            json!({
                "level_id": "Ground Floor", "path": [[30000, 20000], [34000, 20000], [34000, 23000]], "infill": "panel"
            }),
        )
}

fn run(call: &mut IfcCall, input: Input) -> Result<Output, Fault> {
    let author = &mut author(call);
    let mut style = Style {
        height: input.height.unwrap_or(1000.0),
        infill: match input.infill {
            Filled::Balusters => Infill::Balusters,
            Filled::Panel => Infill::Panel,
            Filled::Rails => Infill::Rails,
            Filled::Open => Infill::Open,
        },
        material: input.material.as_deref().map(|text| measures::name("material", text)).transpose()?,
    };
    let railings = match (&input.path, &input.along) {
        (Some(points), None) => {
            let text = input.level_id.as_deref().ok_or_else(|| {
                Fault::invalid("level_id", "Give `level_id`: the storey that the path lies on.")
            })?;
            let storey = lookup::storey(author.edit, "level_id", text)?;
            let path = railing::path_on(author, storey, points, input.closed)?;
            let path = match input.sides {
                Edges::Both => path,
                Edges::Left => railing::aside(&path, railing::ASIDE),
                Edges::Right => railing::aside(&path, -railing::ASIDE),
            };
            tell_height(author, &input, 1000.0);
            let place = Place { whole: storey, is_part: false };
            vec![railing::create(author, &place, &path, &style, input.name.as_deref(), &|p| p.z)?]
        }
        (None, Some(text)) => {
            if input.closed {
                return Err(Fault::invalid("closed", "`closed` goes with `path`; an edge closes by itself."));
            }
            if let Some(level) = input.level_id.as_deref() {
                return Err(Fault::invalid(
                    "level_id",
                    format!("`level_id` ({level}) goes with `path`; {text} has a storey of its own."),
                ));
            }
            let classes = ["IfcStair", "IfcRamp", "IfcSlab", "IfcOpeningElement"];
            let element = lookup::element(
                author.edit,
                "along",
                text,
                &classes,
                "a stair, a ramp, a slab or an opening in one",
            )?;
            if author.edit.get(element).is_some_and(|e| e.is_a("IfcStair") || e.is_a("IfcRamp")) {
                style.height = input.height.unwrap_or(900.0);
                tell_height(author, &input, 900.0);
                if input.name.is_some() {
                    return Err(Fault::invalid(
                        "name",
                        "Railings of a stair or ramp are named after it; leave `name` out.",
                    ));
                }
                let sides = match input.sides {
                    Edges::Both => Sides::Both,
                    Edges::Left => Sides::Left,
                    Edges::Right => Sides::Right,
                };
                stairs::railings_along(author, element, sides, &style)?
            } else {
                if !matches!(input.sides, Edges::Both) {
                    return Err(Fault::invalid(
                        "sides",
                        "`sides` are those of a stair or ramp; leave it out here.",
                    ));
                }
                let (storey, path) = railing::edge_of(author, element)?;
                tell_height(author, &input, 1000.0);
                let place = Place { whole: storey, is_part: false };
                vec![railing::create(author, &place, &path, &style, input.name.as_deref(), &|p| p.z)?]
            }
        }
        _ => {
            return Err(Fault::invalid(
                "path",
                "Give either `path` with `level_id`, or `along`: a stair, a ramp, a slab or an opening in one.",
            ));
        }
    };
    Ok(Output { railings })
}

fn tell_height(author: &mut building::Author, input: &Input, height: f64) {
    if input.height.is_none() {
        author.assume(format!("height {height} mm"));
    }
}
