//! Ways out of rooms, and the people that they are reckoned for.

use super::room_size::room;
use crate::finding::{Quantity, Unit};
use crate::packs::context::Context;
use crate::packs::kind::{Item, Kind, related};
use crate::packs::measure::{Answer, Argument, Arguments, Measure, Preset, Reading};
use crate::packs::value::{Value, ValueType};

const FACTOR: Argument = Argument {
    name: "factor",
    value: ValueType::Quantity(Unit::Area),
    default: Preset::Needed,
    choices: &[],
    means: "floor area for each person, as of a table by usage",
};

pub(super) const MEASURES: &[Measure] = &[
    Measure {
        name: "room.travel_distance",
        kind: Kind::Room,
        value: ValueType::Quantity(Unit::Length),
        label: "travel distance to the nearest exit",
        means: "The way on foot from the farthest place of the room to the nearest door that leads outside, over stairs where it has to be.",
        arguments: &[],
        is_many: false,
        run: travel_distance,
    },
    Measure {
        name: "room.occupants",
        kind: Kind::Room,
        value: ValueType::Quantity(Unit::Count),
        label: "occupant load",
        means: "The floor area over the area that a person takes, rounded up.",
        arguments: &[FACTOR],
        is_many: false,
        run: occupants,
    },
    Measure {
        name: "room.door_width_per_person",
        kind: Kind::Room,
        value: ValueType::Quantity(Unit::Length),
        label: "clear width of doors for each person",
        means: "The clear widths of the room's doors together over its occupant load.",
        arguments: &[FACTOR],
        is_many: false,
        run: door_width_per_person,
    },
];

fn travel_distance(context: &Context<'_>, item: Item, _: &Arguments) -> Answer {
    let (number, _) = room(context, item)?;
    if context.subject.ways.premises.exits.is_empty() {
        return Err("no door of the model leads outside".to_owned());
    }
    let found = context.farthest(number).ok_or("no way leads from it to a door outside")?;
    Ok(vec![Reading::length(found.length).at(found.spot.point)])
}

/// The floor area of a room and its occupant load.
fn load(context: &Context<'_>, item: Item, factor: f64) -> Result<(f64, f64), String> {
    let (number, _) = room(context, item)?;
    let area = context.subject.layout.measures(number).net_floor_area;
    if factor <= 0.0 {
        return Err("the area for a person is 0".to_owned());
    }
    Ok((area, (area / factor - 1e-9).ceil().max(0.0)))
}

fn door_width_per_person(context: &Context<'_>, item: Item, arguments: &Arguments) -> Answer {
    let (_, people) = load(context, item, arguments.number("factor"))?;
    let doors = related(context, item, Kind::Door);
    let widths = doors.iter().filter_map(|door| Some(super::door_size::door(context, *door).ok()?.1.clear));
    // the sum of nothing is -0
    let width = widths.fold(0.0, |sum, width| sum + width);
    if people <= 0.0 {
        return Err("its floor has no area".to_owned());
    }
    let detail =
        format!("{} doors are {:.0} mm wide together, for {people:.0} people.", doors.len(), width * 1e3);
    Ok(vec![Reading::length(width / people).saying(detail)])
}

fn occupants(context: &Context<'_>, item: Item, arguments: &Arguments) -> Answer {
    let factor = arguments.number("factor");
    let (area, people) = load(context, item, factor)?;
    let people = Quantity { value: people, unit: Unit::Count };
    Ok(vec![
        Reading::new(Value::Quantity(people)).saying(format!("{area:.1} m² at {factor:.2} m² a person.")),
    ])
}
