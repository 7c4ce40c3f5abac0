//! Dwellings and other groups of rooms: their floor, and how much of it is high enough.

use super::room_size::room;
use crate::finding::Unit;
use crate::packs::context::Context;
use crate::packs::kind::{Item, Kind, related};
use crate::packs::measure::{Answer, Argument, Arguments, Measure, Reading};
use crate::packs::value::ValueType;
use geometry::region::{self, Area};
use geometry::section::{Plane, of_solid};
use spatial::facet::loops_of;

pub(super) const MEASURES: &[Measure] = &[
    Measure {
        name: "zone.area",
        kind: Kind::Zone,
        value: ValueType::Quantity(Unit::Area),
        label: "floor area of the rooms",
        means: "The gross floors of the rooms of the group that lie indoors; partitions between them are not in it.",
        arguments: &[],
        is_many: false,
        run: area,
    },
    Measure {
        name: "zone.high_share",
        kind: Kind::Zone,
        value: ValueType::Quantity(Unit::Ratio),
        label: "share of the floor that is high enough",
        means: "The share of the floors of the rooms indoors over which their bodies are at least `height` high.",
        arguments: &[Argument::length("height", 2.3, "the height that counts")],
        is_many: false,
        run: high_share,
    },
];

/// The rooms of a group that lie indoors, by their places.
fn rooms(context: &Context<'_>, item: Item) -> Result<Vec<usize>, String> {
    let members = related(context, item, Kind::Room).into_iter();
    let indoors = members.filter_map(|own| room(context, own).ok()).filter(|(_, room)| !room.is_outside);
    let found: Vec<usize> = indoors.map(|(number, _)| number).collect();
    if found.is_empty() { Err("it has no room with a body".to_owned()) } else { Ok(found) }
}

fn area(context: &Context<'_>, item: Item, _: &Arguments) -> Answer {
    let rooms = rooms(context, item)?;
    let sum: f64 = rooms.iter().map(|number| context.subject.layout.measures(*number).gross_floor_area).sum();
    Ok(vec![Reading::number(sum, Unit::Area).saying(format!("It has {} rooms.", rooms.len()))])
}

fn high_share(context: &Context<'_>, item: Item, arguments: &Arguments) -> Answer {
    let height = arguments.number("height");
    let (mut high, mut whole) = (0.0, 0.0);
    for room in rooms(context, item)?.into_iter().filter_map(|number| context.room(number)) {
        let size = |areas: &[Area]| areas.iter().map(Area::size).sum::<f64>();
        whole += size(&room.floor);
        if let Some(plane) = Plane::level(room.foot + height - 1e-4) {
            let cut = of_solid(&room.solid, &plane).areas;
            high += size(&region::intersection(&loops_of(&room.floor), &loops_of(&cut)));
        }
    }
    if whole <= 0.0 {
        Err("its rooms have no floor".to_owned())
    } else {
        Ok(vec![Reading::number((high / whole).min(1.0), Unit::Ratio)])
    }
}
