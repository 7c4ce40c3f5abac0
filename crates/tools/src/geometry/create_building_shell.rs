//! A building's shell in one call.

use crate::modelling::{Point, author};
use crate::{IfcCall, Tool};
use building::polygon::boundary;
use building::roof::RoofShape;
use building::shell::{self, NewShell, ShellAnswer, ShellStorey};
use contract::{Effect, EventType, Fault, Toolset};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

#[derive(Deserialize, JsonSchema)]
#[serde(untagged, expecting = "expected the number of storeys, or a list of {name, height}")]
enum Storeys {
    /// The number.
    Count(u32),
    /// Each, from the lowest up.
    List(Vec<Storey>),
}

#[derive(Deserialize, JsonSchema)]
struct Storey {
    /// Name; one that exists is used.
    #[schemars(extend("x-seldom" = true))]
    name: Option<String>,
    /// Floor to floor in mm; without it storey_height.
    #[schemars(extend("x-seldom" = true))]
    height: Option<f64>,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum Roof {
    #[default]
    Flat,
    None,
    Shed,
    Gable,
    Hip,
    Mansard,
}

impl Roof {
    pub(super) fn known(self) -> Option<RoofShape> {
        match self {
            Self::None => None,
            Self::Flat => Some(RoofShape::Flat),
            Self::Shed => Some(RoofShape::Shed),
            Self::Gable => Some(RoofShape::Gable),
            Self::Hip => Some(RoofShape::Hip),
            Self::Mansard => Some(RoofShape::Mansard),
        }
    }
}

#[derive(Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
struct Names {
    /// Walls.
    #[schemars(extend("x-seldom" = true))]
    walls: Option<String>,
    /// Slabs.
    #[schemars(extend("x-seldom" = true))]
    floors: Option<String>,
    /// Spaces.
    #[schemars(extend("x-seldom" = true))]
    spaces: Option<String>,
    /// The roof.
    #[schemars(extend("x-seldom" = true))]
    roof: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Input {
    /// Corners [[x, y], …] of the outer outline in mm; side 1 from the first to the second.
    footprint: Vec<Point>,
    /// A count, or each from the lowest up.
    storeys: Storeys,
    /// mm.
    #[serde(default = "storey_height")]
    storey_height: f64,
    /// mm.
    #[serde(default = "thickness")]
    #[schemars(extend("x-seldom" = true))]
    wall_thickness: f64,
    /// mm, of slabs and roof.
    #[serde(default = "thickness")]
    #[schemars(extend("x-seldom" = true))]
    floor_thickness: f64,
    /// The top.
    #[serde(default)]
    #[schemars(extend("x-seldom" = true))]
    roof: Roof,
    /// mm that the roof stands out over the walls.
    #[serde(default)]
    #[schemars(extend("x-seldom" = true))]
    overhang: f64,
    /// Degrees, of a roof that is not flat.
    #[schemars(extend("x-seldom" = true))]
    pitch: Option<f64>,
    /// Elevation of the lowest storey in mm.
    #[serde(default)]
    #[schemars(extend("x-seldom" = true))]
    elevation: f64,
    /// Make one space per storey; leave it for create_rooms.
    #[serde(default)]
    #[schemars(extend("x-seldom" = true))]
    spaces: bool,
    /// Such as "perimeter_wall_{n}"; {n} counts, {side}, {storey}.
    #[serde(default)]
    names: Names,
}

fn storey_height() -> f64 {
    3000.0
}

fn thickness() -> f64 {
    200.0
}

/// The tool.
pub fn tool() -> Tool {
    Tool::ifc("create_building_shell", Effect::Create, run)
        .description(
            "Makes a whole shell: on every storey (those there are used) walls along the footprint and a slab; on \
             top a roof with a storey of its own. Answers ids by storey and side.",
        )
        .toolset(Toolset::Detailing)
        .event(EventType::ShellCreated)
        .example(
            "A two-storey house",
            json!({ "footprint": [[0, 0], [9000, 0], [9000, 7000], [0, 7000]], "storeys": 2 }),
        )
}

fn run(call: &mut IfcCall, input: Input) -> Result<ShellAnswer, Fault> {
    if input.pitch.is_some() && input.roof == Roof::None {
        return Err(Fault::invalid(
            "pitch",
            "A shell without a roof has no `pitch`; leave it out, or give roof=gable.",
        ));
    }
    let author = &mut author(call);
    let storeys = match input.storeys {
        Storeys::Count(count) if count <= 200 => {
            (0..count).map(|_| ShellStorey { name: None, height: input.storey_height }).collect()
        }
        Storeys::Count(_) => Vec::new(),
        Storeys::List(list) => list
            .into_iter()
            .map(|s| ShellStorey { name: s.name, height: s.height.unwrap_or(input.storey_height) })
            .collect(),
    };
    let new = NewShell {
        footprint: boundary("footprint", &input.footprint)?,
        storeys,
        elevation: input.elevation,
        wall_thickness: input.wall_thickness,
        floor_thickness: input.floor_thickness,
        roof: input.roof.known(),
        pitch: input.pitch,
        overhang: input.overhang,
        spaces: input.spaces,
        names: shell::Names {
            walls: input.names.walls,
            floors: input.names.floors,
            spaces: input.names.spaces,
            roof: input.names.roof,
        },
    };
    shell::create(author, &new)
}
