//! An opening in a wall or slab, with a door or window in it if wanted.

use crate::modelling::{Location, author, place};
use crate::{IfcCall, Tool};
use building::filling::Filling;
use building::lookup;
use building::opening::{self, NewOpening, OpeningAnswer};
use contract::{Effect, EventType, Fault};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

#[derive(Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Kind {
    #[default]
    Void,
    Door,
    Window,
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Input {
    /// Wall or slab, id or name.
    host_id: String,
    /// Its centre along the host, or a point in mm.
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
    /// SINGLE_PANEL (of windows), DOUBLE_PANEL_VERTICAL ….
    #[schemars(extend("x-seldom" = true))]
    operation_type: Option<String>,
    /// Name of the door, window or opening.
    #[schemars(extend("x-seldom" = true))]
    name: Option<String>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::ifc("create_opening", Effect::Create, run)
        .title("Create opening, door or window")
        .description(
            "Cuts an opening into a wall or slab, with the door or window in it. Refused where it would leave its \
             host or overlap another, with the room there is.",
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
    if !matches!(input.opening_type, Kind::Void) {
        let door = matches!(input.opening_type, Kind::Door);
        call.event = Some(if door { EventType::DoorCreated } else { EventType::WindowCreated });
    }
    let author = &mut author(call);
    let host = lookup::element(author.edit, "host_id", &input.host_id, &["IfcElement"], "a wall or slab")?;
    let (place, sill) = place(&input.location)?;
    let new = NewOpening {
        host,
        place,
        sill,
        width: input.width,
        height: input.height,
        filling: match input.opening_type {
            Kind::Void => Filling::Void,
            Kind::Door => Filling::Door,
            Kind::Window => Filling::Window,
        },
        operation: input.operation_type,
        name: input.name,
    };
    let (opening, _) = opening::create(author, &new)?;
    opening::answer(author, opening)
}
