//! Coverings of a room.

use crate::modelling::author;
use crate::{IfcCall, Tool};
use building::anything::colour;
use building::covering::{self, CoveringAnswer, NewCovering, Surface};
use building::lookup;
use contract::{Effect, EventType, Fault, Toolset};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum What {
    Floor,
    Ceiling,
    Walls,
    Skirting,
}

impl What {
    fn surface(self) -> Surface {
        match self {
            Self::Floor => Surface::Floor,
            Self::Ceiling => Surface::Ceiling,
            Self::Walls => Surface::Walls,
            Self::Skirting => Surface::Skirting,
        }
    }
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Input {
    /// Rooms (IfcSpace), ids or names.
    rooms: Vec<String>,
    /// The surface: floor, ceiling, walls (all round, less openings), skirting.
    surface: What,
    /// mm; without it 15, of ceilings and walls 12.5.
    thickness: Option<f64>,
    /// Its name.
    material: Option<String>,
    /// mm, of cladding (without it the room's) or skirting (80).
    #[schemars(extend("x-seldom" = true))]
    height: Option<f64>,
    /// mm that a ceiling hangs below the top of the room.
    #[serde(default)]
    #[schemars(extend("x-seldom" = true))]
    drop: f64,
    /// Such as #rrggbb or a word like oak.
    #[schemars(extend("x-seldom" = true))]
    colour: Option<String>,
    /// Name; with a number where several are made.
    #[schemars(extend("x-seldom" = true))]
    name: Option<String>,
}

/// The coverings that were made.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Output {
    coverings: Vec<CoveringAnswer>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::ifc("create_covering", Effect::Create, run)
        .title("Create flooring, ceiling, cladding, skirting")
        .description(
            "Covers the floor, ceiling, walls or wall foot of rooms, tied to the room and to the slab or walls \
             behind.",
        )
        .toolset(Toolset::Furnishing)
        .event(EventType::CoveringCreated)
        .example(
            "A floor of oak",
            json!({ "rooms": ["room"], "surface": "floor", "thickness": 20, "material": "Oak" }),
        )
}

fn run(call: &mut IfcCall, input: Input) -> Result<Output, Fault> {
    let author = &mut author(call);
    if input.rooms.is_empty() {
        return Err(Fault::invalid("rooms", "`rooms` is empty; give at least one id or name."));
    }
    let surface = input.surface.surface();
    let colour = input.colour.map(|text| colour::read("colour", &text)).transpose()?;
    let mut rooms = Vec::with_capacity(input.rooms.len());
    for (i, text) in input.rooms.iter().enumerate() {
        let room = lookup::element(author.edit, &format!("rooms[{i}]"), text, &["IfcSpace"], "a room")?;
        if !rooms.contains(&room) {
            rooms.push(room);
        }
    }
    let mut coverings = Vec::new();
    for (i, room) in rooms.iter().enumerate() {
        let name = match &input.name {
            Some(name) if rooms.len() > 1 => Some(format!("{name} {}", i + 1)),
            other => other.clone(),
        };
        let new = NewCovering {
            room: *room,
            surface,
            thickness: input.thickness,
            height: input.height,
            drop: input.drop,
            material: input.material.clone(),
            colour,
            name,
        };
        for covering in covering::create(author, &new)? {
            coverings.push(covering::answer(author, covering, surface));
        }
    }
    Ok(Output { coverings })
}
