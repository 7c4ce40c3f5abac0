//! A roof over an outline.

use crate::modelling::{Point, author, level};
use crate::{IfcCall, Tool};
use building::polygon::{boundary, height_of};
use building::roof::{self, NewRoof, RoofAnswer, RoofShape, Wish};
use contract::{Effect, EventType, Fault};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

#[derive(Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Shape {
    #[default]
    Flat,
    Shed,
    Gable,
    Hip,
    Mansard,
}

impl Shape {
    /// The shape as the building knows it.
    pub(crate) fn known(self) -> RoofShape {
        match self {
            Self::Flat => RoofShape::Flat,
            Self::Shed => RoofShape::Shed,
            Self::Gable => RoofShape::Gable,
            Self::Hip => RoofShape::Hip,
            Self::Mansard => RoofShape::Mansard,
        }
    }
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Input {
    /// Corners [[x, y], …] in mm; z lifts its underside.
    boundary_points: Vec<Point>,
    /// Storey, id or name.
    level_id: String,
    /// The shape, over any outline.
    #[serde(default)]
    #[schemars(extend("x-seldom" = true))]
    shape: Shape,
    /// mm over the corners.
    #[serde(default)]
    #[schemars(extend("x-seldom" = true))]
    overhang: f64,
    /// mm, upward; across the planes.
    #[serde(default = "thickness")]
    #[schemars(extend("x-seldom" = true))]
    thickness: f64,
    /// Name.
    #[schemars(extend("x-seldom" = true))]
    name: Option<String>,
    /// Degrees to the level, 0.5 to 85; of a mansard below its break.
    #[schemars(extend("x-seldom" = true))]
    pitch: Option<f64>,
    /// Degrees of a mansard above its break.
    #[schemars(extend("x-seldom" = true))]
    upper_pitch: Option<f64>,
    /// mm from the outline up to a mansard's break.
    #[schemars(extend("x-seldom" = true))]
    break_height: Option<f64>,
    /// Numbers of the sides with eaves (1: first to second corner): a gable roof's others get gables, a shed rises from one.
    #[schemars(extend("x-seldom" = true))]
    eaves: Option<Vec<usize>>,
    /// Degrees from x in plan, of a gable roof's ridge.
    #[schemars(extend("x-seldom" = true))]
    ridge_direction: Option<f64>,
    /// Draw walls below up to the planes; without it done unless flat.
    #[schemars(extend("x-seldom" = true))]
    walls_reach: Option<bool>,
}

fn thickness() -> f64 {
    200.0
}

/// The tool.
pub fn tool() -> Tool {
    Tool::ifc("create_roof", Effect::Create, run)
        .description(
            "Makes a roof with its slabs over an outline (flat, shed, gable, hip, mansard), resting on the level of \
             its storey: the top of the walls.",
        )
        .event(EventType::RoofCreated)
        .example(
            "A roof over 12 by 10 m",
            json!({
                "boundary_points": [[0, 0], [12000, 0], [12000, 10000], [0, 10000]],
                "level_id": "Ground Floor", "overhang": 300
            }),
        )
        .example(
            "A gable roof over an L",
            json!({
                "boundary_points": [
                    [30000, 30000, 3000], [42000, 30000, 3000], [42000, 36000, 3000], [36000, 36000, 3000],
                    [36000, 42000, 3000], [30000, 42000, 3000]
                ],
                "level_id": "Ground Floor", "shape": "gable", "pitch": 40, "overhang": 500
            }),
        )
}

fn run(call: &mut IfcCall, input: Input) -> Result<RoofAnswer, Fault> {
    let author = &mut author(call);
    let storey = level(author, &input.level_id)?;
    let new = NewRoof {
        storey,
        outline: boundary("boundary_points", &input.boundary_points)?,
        base: input.boundary_points.first().map_or(0.0, |p| height_of(p)),
        overhang: input.overhang,
        thickness: input.thickness,
        name: input.name,
        wish: Wish {
            shape: input.shape.known(),
            pitch: input.pitch,
            upper_pitch: input.upper_pitch,
            break_height: input.break_height,
            eaves: input.eaves,
            ridge_direction: input.ridge_direction,
        },
        walls_reach: input.walls_reach,
    };
    let roof = roof::create(author, &new)?;
    roof::answer(author, roof)
}
