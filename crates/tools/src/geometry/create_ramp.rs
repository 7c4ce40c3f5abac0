//! A ramp from a storey up to another height.

use crate::modelling::{Point, author, level};
use crate::{IfcCall, Tool};
use building::stairs::layout::Turn;
use building::stairs::railing::{Infill, Sides, Style};
use building::stairs::ramp::{self, NewRamp, RampAnswer, RampShape};
use building::{lookup, measures, polygon, stairs};
use contract::{Effect, EventType, Fault, Toolset};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

#[derive(Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Form {
    #[default]
    Straight,
    L,
    U,
}

#[derive(Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Side {
    #[default]
    Left,
    Right,
}

#[derive(Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Railings {
    Both,
    Left,
    Right,
    #[default]
    None,
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Input {
    /// Storey it stands on, id or name.
    level_id: String,
    /// Middle of its lower end [x, y] in mm.
    start: Point,
    /// The way up, in degrees counter-clockwise from x.
    #[serde(default)]
    direction: f64,
    /// Height to climb in mm; without it up to `to_level`.
    height: Option<f64>,
    /// Storey it leads to, by default the next above.
    to_level: Option<String>,
    /// Percent.
    #[serde(default = "slope")]
    slope: f64,
    /// mm.
    #[serde(default = "width")]
    width: f64,
    /// u goes to and fro.
    #[serde(default)]
    shape: Form,
    /// The side it turns to, going up.
    #[schemars(extend("x-seldom" = true, "default" = "left"))]
    turn: Option<Side>,
    /// The edges that get a railing, going up.
    #[serde(default)]
    railings: Railings,
    /// The longest run between landings, mm.
    #[serde(default = "run_length")]
    #[schemars(extend("x-seldom" = true))]
    run_length: f64,
    /// mm.
    #[schemars(extend("x-seldom" = true, "default" = LANDING))]
    landing_depth: Option<f64>,
    /// Between the lanes of a U, mm.
    #[schemars(extend("x-seldom" = true, "default" = GAP))]
    gap: Option<f64>,
    /// mm.
    #[serde(default = "thickness")]
    #[schemars(extend("x-seldom" = true))]
    thickness: f64,
    /// Cut the slab above where less than 2100 mm would be clear.
    #[serde(default = "yes")]
    #[schemars(extend("x-seldom" = true))]
    cut_opening: bool,
    /// Material; without it reinforced concrete.
    #[schemars(extend("x-seldom" = true))]
    material: Option<String>,
    /// Name.
    #[schemars(extend("x-seldom" = true))]
    name: Option<String>,
}

fn slope() -> f64 {
    6.0
}

fn width() -> f64 {
    1200.0
}

fn run_length() -> f64 {
    6000.0
}

/// Depth of landings where none is given, in mm.
const LANDING: f64 = 1500.0;
/// Gap between lanes where none is given, in mm.
const GAP: f64 = 100.0;

fn thickness() -> f64 {
    150.0
}

fn yes() -> bool {
    true
}

/// The tool.
pub fn tool() -> Tool {
    Tool::ifc("create_ramp", Effect::Create, run)
        .description("Makes a ramp with landings between its runs, straight, around a corner or to and fro.")
        .toolset(Toolset::Stairs)
        .event(EventType::RampCreated)
        .example(
            "A ramp to an entrance 600 mm up",
            json!({
                "level_id": "Ground Floor", "start": [40000, 20000], "direction": 90, "height": 600, "shape": "u",
                "railings": "both"
            }),
        )
}

fn run(call: &mut IfcCall, input: Input) -> Result<RampAnswer, Fault> {
    let author = &mut author(call);
    let storey = level(author, &input.level_id)?;
    let to =
        input.to_level.as_deref().map(|text| lookup::storey(author.edit, "to_level", text)).transpose()?;
    let climbed = stairs::climb(author, storey, to, input.height)?;
    if input.start.get(2).is_some_and(|z| z.abs() > 0.1) {
        return Err(Fault::invalid("start", "A ramp stands on its storey; `start` is [x, y] in mm."));
    }
    let sides = match input.railings {
        Railings::Both => Some(Sides::Both),
        Railings::Left => Some(Sides::Left),
        Railings::Right => Some(Sides::Right),
        Railings::None => None,
    };
    if sides.is_some() {
        author.assume("railings 900 mm high, balusters");
    }
    let new = NewRamp {
        storey,
        upper: climbed.last().and_then(|(upper, _)| *upper),
        height: climbed.iter().map(|(_, way)| way).sum(),
        start: polygon::plan_point("start", &input.start)?,
        direction: input.direction,
        shape: match input.shape {
            Form::Straight => RampShape::Straight,
            Form::L => RampShape::L,
            Form::U => RampShape::U,
        },
        turn: match input.turn.unwrap_or_default() {
            Side::Left => Turn::Left,
            Side::Right => Turn::Right,
        },
        width: input.width,
        slope: input.slope,
        run: input.run_length,
        landing: input.landing_depth.unwrap_or(LANDING),
        gap: input.gap.unwrap_or(GAP),
        thickness: input.thickness,
        cut: input.cut_opening,
        railings: sides
            .map(|sides| (sides, Style { height: 900.0, infill: Infill::Balusters, material: None })),
        material: input.material.as_deref().map(|text| measures::name("material", text)).transpose()?,
        name: input.name,
    };
    let given =
        [input.turn.map(|_| "turn"), input.landing_depth.map(|_| "landing_depth"), input.gap.map(|_| "gap")];
    ramp::suit(&new, &given.into_iter().flatten().collect::<Vec<_>>())?;
    ramp::create(author, &new)
}
