//! Space boundaries, written.

use crate::elements::OneOrMore;
use crate::modelling::author;
use crate::space_boundaries::{Written, read_level, wanted};
use crate::{IfcCall, Tool};
use building::boundaries::{self, Level};
use building::lookup::guid;
use contract::{Effect, EventType, Fault, Toolset};
use ifc::relations::Links;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use spatial::Layout;
use std::collections::BTreeSet;

/// The level of the boundaries.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum LevelWord {
    First,
    Second,
}

/// The fate of boundaries of that level that the rooms have.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Existing {
    /// Those that are right stay, others are changed or go.
    #[default]
    Replace,
    /// A room that has any stays as it is.
    Keep,
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Input {
    /// first: by face and element; second: also divided by what lies behind (for energy models).
    level: LevelWord,
    /// Id or name of a room, or several; of a storey for its rooms; or all.
    #[schemars(extend("default" = "all"))]
    room_id: Option<OneOrMore>,
    /// Boundaries of that level that are there: replace, or keep rooms that have any as they are.
    #[serde(default)]
    #[schemars(extend("x-seldom" = true))]
    existing: Existing,
}

/// The tool's answer. Areas in m².
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    level: &'static str,
    /// Rooms whose boundaries are as computed now.
    rooms: usize,
    #[serde(flatten)]
    written: Written,
    /// Their boundaries by what lies behind.
    by_side: Vec<SideSum>,
    /// Rooms that have boundaries and were kept.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    kept_rooms: Vec<String>,
    /// Rooms without an IfcSpace, which have no boundaries; make spaces of them with create_space.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    without_space: Vec<String>,
    /// Doors, windows and openings of these rooms that lie in no face of theirs and have no boundary.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    not_placed: Vec<String>,
}

/// The boundaries to one side.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SideSum {
    /// INTERNAL, EXTERNAL or EXTERNAL_EARTH; in IFC2X3 the file says EXTERNAL for both.
    side: &'static str,
    /// Walls, slabs and other elements, and where rooms are open.
    count: usize,
    area: f64,
    /// Doors, windows and openings within those.
    openings: usize,
    opening_area: f64,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::ifc("create_space_boundaries", Effect::Create, run)
        .title("Create space boundaries")
        .description(
            "Computes the space boundaries of rooms (IfcRelSpaceBoundary, first or second level) and writes them, each with its surface. \
             Later edits renew those of the rooms that they reach.",
        )
        .toolset(Toolset::Detailing)
        .idempotent()
        .event(EventType::ElementModified)
        .example("For an energy program", json!({ "level": "second" }))
        .example("One storey", json!({ "level": "first", "room_id": "Ground floor" }))
}

fn run(call: &mut IfcCall, input: Input) -> Result<Output, Fault> {
    let level = match input.level {
        LevelWord::First => Level::First,
        LevelWord::Second => Level::Second,
    };
    let layout = call.layout()?;
    let asked = input.room_id.map_or_else(|| vec!["all".to_owned()], OneOrMore::list);
    let chosen = layout.rooms.choose("room_id", &asked)?;
    let room = |number: &usize| layout.rooms.rooms.get(*number);
    let found = chosen.iter().filter_map(room).filter(|room| room.is_found());
    let without_space: Vec<String> = found.map(|room| room.name.clone()).collect();
    let mut spaces: BTreeSet<ifc::Id> = chosen.iter().filter_map(|n| room(n)?.space()).collect();
    if spaces.is_empty() {
        return Err(Fault::constraint(format!(
            "None of these rooms is an IfcSpace: {} {} found between walls, and a space boundary belongs to a space. Make spaces first, \
             with create_space (boundary_points or walls) for each or create_rooms for a storey.",
            without_space.join(", "),
            if without_space.len() == 1 { "was" } else { "were" }
        ))
        .with("field", "room_id"));
    }
    let model = call.edit.model().clone();
    let mut kept_rooms = Vec::new();
    if input.existing == Existing::Keep {
        let links = Links::of_many(&model);
        spaces.retain(|space| {
            let has = boundaries::levels(&links, *space).iter().any(|own| own.is_none_or(|own| own == level));
            if has {
                kept_rooms.push(guid(&model, *space));
            }
            !has
        });
    }
    let all = wanted(&layout, &model, level);
    let outcome = boundaries::write(&mut author(call), level, &all, &spaces, true)?;
    let own = || all.iter().filter(|boundary| spaces.contains(&boundary.space));
    let by_side = ["INTERNAL", "EXTERNAL", "EXTERNAL_EARTH"].map(|side| {
        let of = |inner: bool| own().filter(move |b| b.side == side && b.parent.is_some() == inner);
        let area = |inner: bool| tidy(of(inner).map(|b| b.area.size()).fold(0.0, |sum, size| sum + size));
        SideSum {
            side,
            count: of(false).count(),
            area: area(false),
            openings: of(true).count(),
            opening_area: area(true),
        }
    });
    let by_side = by_side.into_iter().filter(|sum| sum.count + sum.openings > 0).collect();
    let read = read_level(level);
    Ok(Output {
        level: level.word(),
        rooms: spaces.len(),
        written: Written::from_outcome(&outcome),
        by_side,
        kept_rooms,
        without_space,
        not_placed: not_placed(&layout, &model, &spaces, read),
    })
}

/// The doors, windows and openings of rooms that no boundary is of.
fn not_placed(
    layout: &Layout,
    model: &ifc::Model,
    spaces: &BTreeSet<ifc::Id>,
    level: spatial::space_boundaries::Level,
) -> Vec<String> {
    let links = Links::of_many(model);
    let there = spatial::space_boundaries::space_boundaries(layout, &links, level);
    let is_of = |room: usize| {
        layout.rooms.rooms.get(room).and_then(spatial::Room::space).is_some_and(|s| spaces.contains(&s))
    };
    let missing = layout.passages.iter().filter(|passage| {
        let rooms = layout.rooms.rooms.iter().enumerate().map(|(number, _)| number);
        let own = rooms.filter(|room| is_of(*room) && passage.from_room(*room).next().is_some());
        let has = |room: usize| there.iter().any(|b| b.room == room && b.element == Some(passage.element));
        own.into_iter().any(|room| !has(room))
    });
    missing.map(|passage| guid(model, passage.element)).collect()
}

/// An area to a square centimetre.
fn tidy(area: f64) -> f64 {
    (area * 1e4).round() / 1e4
}
