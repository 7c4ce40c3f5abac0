//! A roof over an outline.

use crate::modelling::{Point, author, level};
use crate::{IfcCall, Tool};
use building::polygon::{boundary, height_of};
use building::roof::{self, NewRoof, RoofAnswer};
use contract::{Effect, EventType, Fault, FaultCode};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

#[derive(Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Shape {
    #[default]
    Flat,
    Gable,
    Hip,
    Shed,
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Input {
    /// Corners [[x, y], …] of what it covers, in mm; z, if given, lifts its underside above the storey.
    boundary_points: Vec<Point>,
    /// Storey whose level it rests on, by id or name: make one at the top of the walls.
    level_id: String,
    /// flat (default); the others are not made yet.
    #[serde(default)]
    shape: Shape,
    /// Slope in degrees, for shapes other than flat.
    pitch: Option<f64>,
    /// mm that the edge stands out over the corners; default 0.
    #[serde(default)]
    overhang: f64,
    /// mm, upward from the level; default 200.
    #[serde(default = "thickness")]
    thickness: f64,
    /// Name.
    name: Option<String>,
}

fn thickness() -> f64 {
    200.0
}

/// The tool.
pub fn tool() -> Tool {
    Tool::ifc("create_roof", Effect::Create, run)
        .description(
            "Make a flat roof (IfcRoof with its slab) over an outline. It rests on the level of its storey, so that \
             storey's elevation must be the top of the walls.",
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
    if input.shape != Shape::Flat || input.pitch.is_some_and(|pitch| pitch != 0.0) {
        return Err(Fault::new(
            FaultCode::NotSupported,
            "Only flat roofs can be made at present; leave out pitch and give shape=flat.",
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
