//! A stair from a storey to the one above, or further up.

use crate::modelling::{Point, author, level};
use crate::{IfcCall, Tool};
use building::stairs::layout::{Shape, Turn};
use building::stairs::railing::{Infill, Sides, Style};
use building::stairs::{self, NewStair, Site, StairAnswer, Wishes};
use building::{Author, lookup, measures, polygon};
use contract::{Effect, EventType, Fault, Toolset};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

#[derive(Clone, Copy, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Form {
    Straight,
    L,
    U,
    Winder,
    Spiral,
}

#[derive(Clone, Copy, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Side {
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

#[derive(Clone, Copy, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Construction {
    Solid,
    Open,
}

/// The forms of `within`; for the schema, the value itself is read by hand.
#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "describes the forms; read by hand for better messages")]
enum Within {
    /// A room, id or name.
    Room(String),
    /// Corners [[x, y], …] in mm; two are those of a rectangle.
    Outline(Vec<Vec<f64>>),
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Input {
    /// Storey it stands on, id or name.
    level_id: String,
    /// Storey it leads to, by default the next above; one further up takes a stair for each between.
    to_level: Option<String>,
    /// Middle of the lowest riser [x, y] in mm; or give `within`.
    start: Option<Point>,
    /// The way up, in degrees counter-clockwise from x.
    direction: Option<f64>,
    /// Room, or corners [[x, y], …], in which it is placed so that it fits.
    #[schemars(with = "Option<Within>")]
    within: Option<Value>,
    /// By default straight, within a room the first that fits.
    shape: Option<Form>,
    /// The side it turns to, going up.
    turn: Option<Side>,
    /// Of a flight, mm.
    width: Option<f64>,
    /// The edges that get a railing, going up.
    #[serde(default)]
    railings: Railings,
    /// Height of a riser in mm; by rule at most 190.
    #[schemars(extend("x-seldom" = true))]
    riser: Option<f64>,
    /// Length of a tread in mm; by rule 630 less two risers.
    #[schemars(extend("x-seldom" = true))]
    tread: Option<f64>,
    /// mm; without it the width. A straight stair gets a landing by it, or beyond 18 risers.
    #[schemars(extend("x-seldom" = true))]
    landing_depth: Option<f64>,
    /// Between the flights of a U, mm.
    #[schemars(extend("x-seldom" = true))]
    gap: Option<f64>,
    /// Height to climb in mm, where no storey gives it.
    #[schemars(extend("x-seldom" = true))]
    height: Option<f64>,
    /// Cast, or boards between strings.
    #[schemars(extend("x-seldom" = true))]
    construction: Option<Construction>,
    /// Of the waist and landings, mm.
    #[schemars(extend("x-seldom" = true))]
    thickness: Option<f64>,
    /// Clear height over its steps in mm; less under a slab is cut out of the slab.
    #[serde(default = "headroom")]
    #[schemars(extend("x-seldom" = true))]
    headroom: f64,
    /// Cut the slab above.
    #[serde(default = "yes")]
    #[schemars(extend("x-seldom" = true))]
    cut_opening: bool,
    /// Material of flights and landings.
    #[schemars(extend("x-seldom" = true))]
    material: Option<String>,
    /// Name.
    #[schemars(extend("x-seldom" = true))]
    name: Option<String>,
}

fn headroom() -> f64 {
    2000.0
}

fn yes() -> bool {
    true
}

/// The tool.
pub fn tool() -> Tool {
    Tool::ifc("create_stair", Effect::Create, run)
        .description(
            "Makes a stair to the next storey, with flights, landings and the opening it needs in the slab above. \
             Steps follow 2R+T = 630 mm. Refused where it does not fit, with the room that it needs.",
        )
        .toolset(Toolset::Stairs)
        .event(EventType::StairCreated)
        .example(
            "A U stair over three metres",
            json!({
                "level_id": "Ground Floor", "start": [30000, 30000], "direction": 90, "shape": "u", "turn": "right",
                "width": 1100, "height": 3000
            }),
        )
}

fn run(call: &mut IfcCall, input: Input) -> Result<StairAnswer, Fault> {
    let author = &mut author(call);
    let storey = level(author, &input.level_id)?;
    let to =
        input.to_level.as_deref().map(|text| lookup::storey(author.edit, "to_level", text)).transpose()?;
    let climbed = stairs::climb(author, storey, to, input.height)?;
    if let Some(degrees) = input.direction
        && !(degrees.is_finite() && degrees.abs() <= 3600.0)
    {
        return Err(Fault::invalid("direction", "`direction` is in degrees, from 0 (along x) to 360."));
    }
    let site = site(author, &input)?;
    let sides = match input.railings {
        Railings::Both => Some(Sides::Both),
        Railings::Left => Some(Sides::Left),
        Railings::Right => Some(Sides::Right),
        Railings::None => None,
    };
    let railings = sides.map(|sides| {
        author.assume("railings 900 mm high, balusters");
        (sides, Style { height: 900.0, infill: Infill::Balusters, material: None })
    });
    let new = NewStair {
        storey,
        to: climbed,
        site,
        shape: input.shape.map(|form| match form {
            Form::Straight => Shape::Straight,
            Form::L => Shape::L,
            Form::U => Shape::U,
            Form::Winder => Shape::Winder,
            Form::Spiral => Shape::Spiral,
        }),
        turn: input.turn.map(|side| match side {
            Side::Left => Turn::Left,
            Side::Right => Turn::Right,
        }),
        wishes: Wishes {
            riser: input.riser,
            tread: input.tread,
            width: input.width,
            landing: input.landing_depth,
            gap: input.gap,
            open: input.construction.map(|how| matches!(how, Construction::Open)),
            thickness: input.thickness,
            headroom: Some(input.headroom),
        },
        cut: input.cut_opening,
        railings,
        material: input.material.as_deref().map(|text| measures::name("material", text)).transpose()?,
        name: input.name,
    };
    stairs::create(author, &new)
}

/// Reads the place asked for.
fn site(author: &mut Author, input: &Input) -> Result<Site, Fault> {
    match (&input.start, &input.within) {
        (Some(start), None) => {
            if start.get(2).is_some_and(|z| z.abs() > 0.1) {
                return Err(Fault::invalid(
                    "start",
                    "A stair stands on its storey; `start` is [x, y] in mm.",
                ));
            }
            let start = polygon::plan_point("start", start)?;
            if input.direction.is_none() {
                author.assume("direction 0: up along x");
            }
            Ok(Site::Start(start, input.direction.unwrap_or(0.0)))
        }
        (None, Some(within)) => room(author, &input.level_id, within, input.direction),
        (Some(_), Some(_)) => Err(Fault::invalid(
            "within",
            "Give either `start` or `within`; with `within` the start is found.",
        )),
        (None, None) => Err(Fault::invalid(
            "start",
            "Give `start` (the middle of the lowest riser) with `direction`, or `within`: a room or an outline to fit it into.",
        )),
    }
}

/// Reads `within`: the outline of a room, or corners.
fn room(author: &Author, level_id: &str, within: &Value, direction: Option<f64>) -> Result<Site, Fault> {
    const FORMS: &str = "`within` is a room (id or name) or corners [[x, y], …] in mm";
    match within {
        Value::String(text) => {
            let storey = level(author, level_id)?;
            // of several rooms of that name it is the one on this storey
            let model: &ifc::Model = author.edit;
            let is_meant = |id: &ifc::Id| {
                model.get(*id).and_then(|room| room.name()).as_deref() == Some(text.trim())
                    && ifc::relations::storey_of(model, *id) == Some(storey)
            };
            let here: Vec<ifc::Id> = model.of_class("IfcSpace").into_iter().filter(is_meant).collect();
            let room = match here.as_slice() {
                [one] => *one,
                _ => lookup::element(model, "within", text, &["IfcSpace"], "a room")?,
            };
            Ok(Site::Within(stairs::room_outline(author, "within", room)?, direction))
        }
        Value::Array(_) => {
            let points: Vec<Point> = serde_json::from_value(within.clone())
                .map_err(|_| Fault::invalid("within", format!("{FORMS}; got {within}.")))?;
            Ok(Site::Within(polygon::corners("within", &points)?, direction))
        }
        other => Err(Fault::invalid("within", format!("{FORMS}; got {other}."))),
    }
}
