//! The levels at which the rooms of a storey have their floors, and its slabs their undersides.

use crate::finding::Unit;
use crate::packs::context::Context;
use crate::packs::kind::{Item, Kind, related};
use crate::packs::measure::{Answer, Argument, Arguments, Measure, Reading};
use crate::packs::value::ValueType;

pub(super) const MEASURES: &[Measure] = &[
    Measure {
        name: "storey.room_levels",
        kind: Kind::Storey,
        value: ValueType::Quantity(Unit::Length),
        label: "spread of the levels of room floors",
        means: "The highest less the lowest floor of the storey's rooms that the file has; one reading for each level, about the rooms on it.",
        arguments: &[SAME],
        is_many: true,
        run: room_levels,
    },
    Measure {
        name: "storey.slab_bottoms",
        kind: Kind::Storey,
        value: ValueType::Quantity(Unit::Length),
        label: "spread of the undersides of slabs",
        means: "The highest less the lowest underside of the slabs on the storey that are no part of a roof or stair; one reading for each level, about the slabs at it.",
        arguments: &[SAME],
        is_many: true,
        run: slab_bottoms,
    },
];

const SAME: Argument = Argument::length("same", 0.001, "levels nearer than this are one");

fn room_levels(context: &Context<'_>, item: Item, arguments: &Arguments) -> Answer {
    let number = storey(item)?;
    let rooms = context.subject.layout.rooms.on_storey(number).filter_map(|own| context.room(own));
    let feet = rooms.filter_map(|room| Some((room.foot, room.space()?))).collect();
    levels(context, number, feet, arguments.number("same"), "rooms")
}

fn slab_bottoms(context: &Context<'_>, item: Item, arguments: &Arguments) -> Answer {
    let number = storey(item)?;
    let slabs = related(context, item, Kind::Slab).into_iter().filter_map(|own| context.element(own));
    let level = |id: &ifc::Id| !context.is_part_of(*id, &["IfcRoof", "IfcStair"]);
    let bottoms = slabs.filter(level).filter_map(|id| Some((context.body(id)?.bounds().min.z, id))).collect();
    levels(context, number, bottoms, arguments.number("same"), "slabs")
}

fn storey(item: Item) -> Result<usize, String> {
    match item {
        Item::Storey(number) => Ok(number),
        _ => Err("it is no storey".to_owned()),
    }
}

/// The readings of elements at heights; none where there are none.
fn levels(
    context: &Context<'_>,
    number: usize,
    mut heights: Vec<(f64, ifc::Id)>,
    same: f64,
    noun: &str,
) -> Answer {
    heights.retain(|(height, _)| height.is_finite());
    heights.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (Some(first), Some(last)) = (heights.first(), heights.last()) else { return Ok(Vec::new()) };
    let spread = last.0 - first.0;
    let storeys = &context.subject.layout.rooms.storeys;
    let elevation = storeys.get(number).map_or(0.0, |storey| storey.elevation);
    let reading = |level: &[(f64, ifc::Id)]| {
        let over = (level.first().map_or(0.0, |(height, _)| *height) - elevation) * 1e3;
        let detail = format!("{} of {} {noun} lie {over:.0} mm over the storey.", level.len(), heights.len());
        Reading::length(spread).about(level.iter().map(|(_, id)| *id)).saying(detail)
    };
    Ok(heights.chunk_by(|a, b| b.0 - a.0 < same).map(reading).collect())
}
