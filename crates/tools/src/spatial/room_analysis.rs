//! A room as it is: measures, neighbours, doors and windows, what is around it and in it; with or without an IfcSpace.

use crate::elements::OneOrMore;
use crate::room_report::{Parts, Reporter, RoomReport};
use crate::room_totals::{Totals, totals};
use crate::{IfcCall, Tool};
use contract::{Effect, Fault};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Rooms of one answer at most.
const MOST: usize = 100;
/// About how many bytes of rooms an answer holds.
const BUDGET: usize = 24_000;

/// A part of the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Part {
    /// Rooms beside, above and below.
    Adjacencies,
    /// Doors, windows, unfilled openings.
    Openings,
    /// Walls, slabs and others around.
    Boundary,
    /// Facades, roof, ground, daylight.
    Exposure,
    /// Furniture and others in it, free width.
    Contents,
}

/// The tool's arguments.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Input {
    /// Id or name of a room, or several; of a storey for its rooms; `all`.
    room_id: OneOrMore,
    /// Parts beside the measures; without it all.
    #[schemars(extend("x-seldom" = true))]
    include: Option<Vec<Part>>,
    /// Rooms at most.
    #[schemars(extend("default" = 20, "minimum" = 1, "maximum" = MOST, "x-seldom" = true))]
    limit: Option<usize>,
    /// `next_cursor` of the answer before.
    #[schemars(extend("x-seldom" = true))]
    cursor: Option<String>,
}

/// One room, or several in `rooms`. Lengths in mm, areas in m², volumes in m³.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    /// The room, where one was asked for.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    room: Option<RoomReport>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    rooms: Vec<RoomReport>,
    /// Rooms asked for, where there is more than one.
    #[serde(skip_serializing_if = "Option::is_none")]
    total: Option<usize>,
    /// Sums over all rooms asked for, by storey, then over all storeys; with the first page.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    totals: Vec<Totals>,
    units: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::ifc("room_analysis", Effect::Query, run)
        .title("Rooms")
        .kept()
        .description(
            "Measures rooms, one by one and in all: area, volume, heights; neighbours, doors, windows, walls around, outside, daylight, furniture. On storeys \
             without IfcSpace rooms are found between walls.",
        )
        .example("All rooms of a storey", json!({ "room_id": "Ground floor" }))
        .example("Measures and neighbours alone", json!({ "room_id": "all", "include": ["adjacencies"] }))
}

fn run(call: &mut IfcCall, input: Input) -> Result<Output, Fault> {
    let start = crate::input::cursor(input.cursor.as_deref())?;
    let limit = crate::input::limit(input.limit, 20, MOST)?;
    let wants = |part| input.include.as_ref().is_none_or(|list| list.contains(&part));
    let parts = Parts {
        adjacencies: wants(Part::Adjacencies),
        openings: wants(Part::Openings),
        boundary: wants(Part::Boundary),
        exposure: wants(Part::Exposure),
        contents: wants(Part::Contents),
    };
    let (scene, layout) = (call.scene()?, call.layout()?);
    let chosen = layout.rooms.choose("room_id", &input.room_id.list())?;
    let reporter = Reporter::new(&scene, &layout);
    let mut rooms = Vec::new();
    let mut spent = 0;
    for number in chosen.iter().skip(start).take(limit) {
        let Some(report) = reporter.report(*number, parts) else { continue };
        spent += serde_json::to_string(&report).map_or(0, |text| text.len());
        if spent > BUDGET && !rooms.is_empty() {
            break;
        }
        rooms.push(report);
    }
    let next = start + rooms.len();
    let next_cursor = (next < chosen.len() && !rooms.is_empty()).then(|| next.to_string());
    let is_one = chosen.len() == 1;
    let room = if is_one { rooms.pop() } else { None };
    let totals = if is_one || start > 0 { Vec::new() } else { totals(&reporter, &chosen) };
    let total = (!is_one).then_some(chosen.len());
    Ok(Output { room, rooms, total, totals, units: "mm, m², m³", next_cursor })
}
