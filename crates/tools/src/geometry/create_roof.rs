//! A roof over an outline.

use crate::modelling::{Point, author, level};
use crate::{IfcCall, Tool};
use building::polygon::{boundary, height_of};
use building::roof::{self, NewRoof, RoofAnswer};
use contract::{Effect, EventType, Fault, FaultCode};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

#[derive(Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Shape {
    #[default]
    Flat,
    // understood, to be refused by name; a schema offers what can be made
    #[schemars(skip)]
    Gable,
    #[schemars(skip)]
    Hip,
    #[schemars(skip)]
    Shed,
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Input {
    /// Corners [[x, y], …] in mm; z lifts its underside.
    boundary_points: Vec<Point>,
    /// Storey, id or name.
    level_id: String,
    /// Other shapes are not made yet.
    #[serde(default)]
    #[schemars(extend("x-seldom" = true))]
    shape: Shape,
    /// mm over the corners.
    #[serde(default)]
    #[schemars(extend("x-seldom" = true))]
    overhang: f64,
    /// mm, upward.
    #[serde(default = "thickness")]
    #[schemars(extend("x-seldom" = true))]
    thickness: f64,
    /// Name.
    #[schemars(extend("x-seldom" = true))]
    name: Option<String>,
}

fn thickness() -> f64 {
    200.0
}

/// The tool.
pub fn tool() -> Tool {
    Tool::ifc("create_roof", Effect::Create, run)
        .description(
            "Makes a flat roof with its slab over an outline, resting on the level of its storey: the top of the \
             walls.",
        )
        .event(EventType::RoofCreated)
        .example(
            "A roof over 12 by 10 m",
            json!({
                "boundary_points": [[0, 0], [12000, 0], [12000, 10000], [0, 10000]],
                "level_id": "Ground Floor", "overhang": 300
            }),
        )
}

fn run(call: &mut IfcCall, input: Input) -> Result<RoofAnswer, Fault> {
    if input.shape != Shape::Flat {
        return Err(Fault::new(
            FaultCode::NotSupported,
            "Only flat roofs can be made at present; give shape=flat, or none.",
        )
        .with("field", "shape")
        .with("allowed", ["flat"]));
    }
    let author = &mut author(call);
    let storey = level(author, &input.level_id)?;
    let new = NewRoof {
        storey,
        outline: boundary("boundary_points", &input.boundary_points)?,
        base: input.boundary_points.first().map_or(0.0, |p| height_of(p)),
        overhang: input.overhang,
        thickness: input.thickness,
        name: input.name,
    };
    let roof = roof::create(author, &new)?;
    roof::answer(author, roof)
}
