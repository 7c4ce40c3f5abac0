//! Sizes of rooms: area, heights, width, volume; and what they are used for.

use crate::finding::Unit;
use crate::packs::context::Context;
use crate::packs::kind::{Item, Kind};
use crate::packs::measure::{Answer, Argument, Arguments, Measure, Preset, Reading};
use crate::packs::value::{Value, ValueType};
use geometry::region::{self, Area};
use glam::DVec2;
use spatial::adjacency::{Adjacency, Through};
use spatial::facet::loops_of;
use spatial::passage::Side;

/// An open side of a room is passed from this length on, in metres.
const PASSED: f64 = 0.5;

/// A measure of rooms without arguments.
const fn plain(
    name: &'static str,
    value: ValueType,
    label: &'static str,
    means: &'static str,
    run: crate::packs::measure::Run,
) -> Measure {
    Measure { name, kind: Kind::Room, value, label, means, arguments: &[], is_many: false, run }
}

pub(super) const MEASURES: &[Measure] = &[
    plain(
        "room.area",
        ValueType::Quantity(Unit::Area),
        "floor area",
        "Net floor: without columns, walls that stand in the room, and openings in the floor.",
        |c, i, _| measured(c, i, |m| m.net_floor_area, Unit::Area),
    ),
    plain(
        "room.volume",
        ValueType::Quantity(Unit::Volume),
        "volume",
        "Volume of the room's body.",
        |c, i, _| measured(c, i, |m| m.volume, Unit::Volume),
    ),
    plain(
        "room.least_height",
        ValueType::Quantity(Unit::Length),
        "least clear height",
        "The least height between floor and ceiling of the room's body over at least a hand's breadth.",
        |c, i, _| measured(c, i, |m| m.least_height, Unit::Length),
    ),
    plain(
        "room.mean_height",
        ValueType::Quantity(Unit::Length),
        "mean clear height",
        "Volume over gross floor area.",
        |c, i, _| measured(c, i, |m| m.mean_height, Unit::Length),
    ),
    plain(
        "room.least_width",
        ValueType::Quantity(Unit::Length),
        "least width",
        "The lesser of the two sides of the narrowest rectangle around the floor.",
        least_width,
    ),
    plain(
        "room.width",
        ValueType::Quantity(Unit::Length),
        "width",
        "The diameter of the largest circle on the empty floor: of an oblong room its width.",
        width,
    ),
    Measure {
        name: "room.high_share",
        kind: Kind::Room,
        value: ValueType::Quantity(Unit::Ratio),
        label: "share of the floor that is high enough",
        means: "The share of the floor over which the ceiling of the room's body is at least `height` high.",
        arguments: &[Argument::length("height", 2.3, "the height that counts")],
        is_many: false,
        run: high_share,
    },
    Measure {
        name: "room.usage",
        kind: Kind::Room,
        value: ValueType::Text,
        label: "usage",
        means: "What the room is used for, in the words of the vocabulary, as its names and classification tell.",
        arguments: &[Argument {
            name: "unknown",
            value: ValueType::Text,
            default: Preset::Text(""),
            choices: &[],
            means: "the usage of rooms of which nothing tells it; without it they are not judged",
        }],
        is_many: false,
        run: usage,
    },
    plain(
        "room.is_open",
        ValueType::Truth,
        "open to another room",
        "True of a room that an opening without a door, or a side without a wall, joins to another.",
        is_open,
    ),
    plain(
        "room.is_outside",
        ValueType::Truth,
        "outdoors",
        "True of a room that lies outdoors, as a terrace.",
        is_outside,
    ),
];

/// The place of the room that a thing is.
pub(super) fn number(item: Item) -> Result<usize, String> {
    match item {
        Item::Room(number) => Ok(number),
        _ => Err("it is no room".to_owned()),
    }
}

/// The room that a thing is, with its place.
pub(super) fn room<'a>(context: &Context<'a>, item: Item) -> Result<(usize, &'a spatial::Room), String> {
    let number = number(item)?;
    Ok((number, context.room(number).ok_or("it is no room")?))
}

fn measured(
    context: &Context<'_>,
    item: Item,
    of: fn(&spatial::measures::RoomMeasures) -> f64,
    unit: Unit,
) -> Answer {
    let value = of(&context.subject.layout.measures(number(item)?));
    if !(value.is_finite() && value > 0.0) {
        return Err("its body says nothing of it".to_owned());
    }
    Ok(vec![Reading::number(value, unit)])
}

fn width(context: &Context<'_>, item: Item, _: &Arguments) -> Answer {
    let width = context.subject.layout.usable_width(number(item)?).empty;
    Ok(vec![Reading::length(width)])
}

/// The least extent of the floor in plan over all directions: it is square to a side of the hull (Freeman and Shapira 1975).
fn least_width(context: &Context<'_>, item: Item, _: &Arguments) -> Answer {
    let (_, room) = room(context, item)?;
    let points: Vec<DVec2> = room.floor.iter().flat_map(|area| area.outer.iter().copied()).collect();
    let hull = spatial::plan::hull(points);
    let sides =
        hull.iter().zip(hull.iter().cycle().skip(1)).map(|(a, b)| (*b - *a).normalize_or_zero().perp());
    let extent = |across: DVec2| {
        let along = hull.iter().map(|p| p.dot(across));
        let (low, high) = along.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
        high - low
    };
    let least = sides.filter(|across| *across != DVec2::ZERO).map(extent).fold(f64::INFINITY, f64::min);
    if least.is_finite() {
        Ok(vec![Reading::length(least)])
    } else {
        Err("its floor has no outline".to_owned())
    }
}

fn high_share(context: &Context<'_>, item: Item, arguments: &Arguments) -> Answer {
    let (number, room) = room(context, item)?;
    let plane = geometry::section::Plane::level(room.foot + arguments.number("height") - 1e-4);
    let plane = plane.ok_or("its floor has no height")?;
    // the body at that height, as far as it lies over the floor
    let cut = geometry::section::of_solid(&room.solid, &plane).areas;
    let floor = loops_of(&room.floor);
    let whole: f64 = room.floor.iter().map(Area::size).sum();
    let high: f64 = region::intersection(&floor, &loops_of(&cut)).iter().map(Area::size).sum();
    if whole <= 0.0 || !context.subject.layout.rooms.rooms.get(number).is_some_and(|room| room.is_closed) {
        return Err("its body does not close".to_owned());
    }
    Ok(vec![Reading::number((high / whole).min(1.0), Unit::Ratio)])
}

fn usage(context: &Context<'_>, item: Item, arguments: &Arguments) -> Answer {
    let unknown = Some(arguments.text("unknown")).filter(|word| !word.is_empty());
    let usage = context.usage(number(item)?).or(unknown).ok_or("what the room is used for is not known")?;
    Ok(vec![Reading::new(Value::Text(usage.to_owned()))])
}

fn is_open(context: &Context<'_>, item: Item, _: &Arguments) -> Answer {
    let own = Side::Room(number(item)?);
    let adjacencies = context.subject.layout.adjacencies();
    let joins = |a: &&Adjacency| a.through == Through::Opening && a.length > PASSED && a.sides.contains(&own);
    let beyond = |a: &Adjacency| a.sides.iter().any(|side| *side != own && side.room().is_some());
    Ok(vec![Reading::new(Value::Truth(adjacencies.iter().filter(joins).any(beyond)))])
}

fn is_outside(context: &Context<'_>, item: Item, _: &Arguments) -> Answer {
    let (_, room) = room(context, item)?;
    Ok(vec![Reading::new(Value::Truth(room.is_outside))])
}
