//! The levels at which the rooms of a storey have their floors.

use crate::finding::Unit;
use crate::packs::context::Context;
use crate::packs::kind::{Item, Kind};
use crate::packs::measure::{Answer, Argument, Arguments, Measure, Reading};
use crate::packs::value::ValueType;

pub(super) const MEASURES: &[Measure] = &[Measure {
    name: "storey.room_levels",
    kind: Kind::Storey,
    value: ValueType::Quantity(Unit::Length),
    label: "spread of the levels of room floors",
    means: "The highest less the lowest floor of the storey's rooms that the file has; one reading for each level, about the rooms on it.",
    arguments: &[Argument::length("same", 0.001, "levels nearer than this are one")],
    is_many: true,
    run: levels,
}];

fn levels(context: &Context<'_>, item: Item, arguments: &Arguments) -> Answer {
    let Item::Storey(number) = item else { return Err("it is no storey".to_owned()) };
    let rooms = &context.subject.layout.rooms;
    let mut feet: Vec<(f64, ifc::Id)> = rooms
        .on_storey(number)
        .filter_map(|own| context.room(own))
        .filter_map(|room| Some((room.foot, room.space()?)))
        .filter(|(foot, _)| foot.is_finite())
        .collect();
    feet.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (Some(first), Some(last)) = (feet.first(), feet.last()) else { return Ok(Vec::new()) };
    let (spread, same) = (last.0 - first.0, arguments.number("same"));
    let elevation = rooms.storeys.get(number).map_or(0.0, |storey| storey.elevation);
    let levels = feet.chunk_by(|a, b| b.0 - a.0 < same);
    let reading = |level: &[(f64, ifc::Id)]| {
        let foot = level.first().map_or(0.0, |(foot, _)| *foot);
        let detail = format!("{} of {} rooms lie {:.0} mm over the storey.", level.len(), feet.len(), (foot - elevation) * 1e3);
        Reading::length(spread).about(level.iter().map(|(_, id)| *id)).saying(detail)
    };
    Ok(levels.map(reading).collect())
}
