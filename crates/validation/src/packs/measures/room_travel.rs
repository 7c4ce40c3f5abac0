//! Ways out of rooms, and the people that they are reckoned for.

use super::room_size::room;
use crate::finding::{Quantity, Unit};
use crate::packs::context::Context;
use crate::packs::kind::{Item, Kind};
use crate::packs::measure::{Answer, Argument, Arguments, Measure, Preset, Reading};
use crate::packs::value::{Value, ValueType};

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
        arguments: &[Argument {
            name: "factor",
            value: ValueType::Quantity(Unit::Area),
            default: Preset::Needed,
            choices: &[],
            means: "floor area for each person, as of a table by usage",
        }],
        is_many: false,
        run: occupants,
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

fn occupants(context: &Context<'_>, item: Item, arguments: &Arguments) -> Answer {
    let (number, _) = room(context, item)?;
    let (area, factor) = (context.subject.layout.measures(number).net_floor_area, arguments.number("factor"));
    if factor <= 0.0 {
        return Err("the area for a person is 0".to_owned());
    }
    let people = Quantity { value: (area / factor - 1e-9).ceil().max(0.0), unit: Unit::Count };
    Ok(vec![Reading::new(Value::Quantity(people)).saying(format!("{area:.1} m² at {factor:.2} m² a person."))])
}
