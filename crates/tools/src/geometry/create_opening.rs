//! An opening in a wall or slab, with a door or window in it if wanted.

use crate::modelling::{Location, author, place};
use crate::{IfcCall, Tool};
use building::filling::Filling;
use building::lookup;
use building::opening::{self, Detail, NewOpening, OpeningAnswer, Shape};
use contract::{Effect, EventType, Fault};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

#[derive(Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Kind {
    #[default]
    Void,
    Door,
    Window,
}

impl Kind {
    /// The filling of the opening.
    pub(crate) fn filling(self) -> Filling {
        match self {
            Self::Void => Filling::Void,
            Self::Door => Filling::Door,
            Self::Window => Filling::Window,
        }
    }

    /// The event that such an opening is recorded as.
    pub(crate) fn event(self) -> EventType {
        match self {
            Self::Void => EventType::OpeningCreated,
            Self::Door => EventType::DoorCreated,
            Self::Window => EventType::WindowCreated,
        }
    }
}

/// The outline of an opening.
#[derive(Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Outline {
    #[default]
    Rectangle,
    Round,
    Arch,
    Polygon,
}

/// The outline that is meant, `sides` being those of a polygon.
pub(crate) fn shape(outline: Outline, sides: Option<u32>) -> Result<Shape, Fault> {
    Ok(match (outline, sides) {
        (Outline::Polygon, None) => Shape::Polygon(6),
        (Outline::Polygon, Some(sides)) if (3..=64).contains(&sides) => Shape::Polygon(sides),
        (_, Some(sides)) => {
            return Err(Fault::invalid(
                "sides",
                format!("`sides` is {sides}; it goes with shape polygon and is from 3 to 64."),
            ));
        }
        (Outline::Rectangle, None) => Shape::Rectangle,
        (Outline::Round, None) => Shape::Round,
        (Outline::Arch, None) => Shape::Arch,
    })
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Input {
    /// Wall or slab, id or name.
    host_id: String,
    /// Centre along the host, or a point in mm.
    #[schemars(with = "Location")]
    location: Value,
    /// mm.
    width: f64,
    /// mm.
    height: f64,
    /// The filling.
    #[serde(default)]
    opening_type: Kind,
    /// As IFC says it: SINGLE_SWING_LEFT (of doors the default), SLIDING_TO_LEFT, DOUBLE_DOOR_SINGLE_SWING …;
    /// SINGLE_PANEL (of windows), DOUBLE_PANEL_VERTICAL …, or how its panel opens: FIXEDCASEMENT ….
    #[schemars(extend("x-seldom" = true))]
    operation_type: Option<String>,
    /// Name of the door, window or opening.
    #[schemars(extend("x-seldom" = true))]
    name: Option<String>,
    /// Outline within width and height: rectangle, round, arch, polygon. Doors are rectangles.
    #[serde(default)]
    #[schemars(extend("x-seldom" = true))]
    shape: Outline,
    /// Sides of a polygon, 6 unless told.
    #[schemars(extend("x-seldom" = true))]
    sides: Option<u32>,
    /// Width of the frame as seen, in mm.
    #[schemars(extend("x-seldom" = true))]
    lining: Option<f64>,
    /// Panes of glass one behind another: windows 2, doors 0 unless told.
    #[schemars(extend("x-seldom" = true))]
    glazing: Option<u32>,
    /// Doors and windows open to the left of the wall's direction; flipped to its right.
    #[serde(default)]
    #[schemars(extend("x-seldom" = true))]
    flipped: bool,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::ifc("create_opening", Effect::Create, run)
        .title("Create opening, door or window")
        .description(
            "Cuts an opening into a wall or slab, with door or window; where it does not fit, the room there is is told.",
        )
        .event(EventType::OpeningCreated)
        .example(
            "A window in the middle of a wall",
            json!({
                "host_id": "Wall 1", "location": { "at": "center", "sill": 900 },
                "width": 1200, "height": 1200, "opening_type": "window"
            }),
        )
}

fn run(call: &mut IfcCall, input: Input) -> Result<OpeningAnswer, Fault> {
    call.event = Some(input.opening_type.event());
    let author = &mut author(call);
    let host = lookup::element(author.edit, "host_id", &input.host_id, &["IfcElement"], "a wall or slab")?;
    let find = |text: &str| opening::told_from(author, "location", text);
    let (place, sill) = place(&input.location, &find)?;
    let new = NewOpening {
        host,
        place,
        sill,
        width: input.width,
        height: input.height,
        filling: input.opening_type.filling(),
        operation: input.operation_type,
        name: input.name,
    };
    let shape = shape(input.shape, input.sides)?;
    let detail = Detail { shape, lining: input.lining, panes: input.glazing, is_flipped: input.flipped };
    let (opening, _) = opening::create_detailed(author, &new, &detail)?;
    opening::answer(author, opening)
}
