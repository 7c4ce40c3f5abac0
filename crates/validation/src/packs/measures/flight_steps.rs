//! The steps of flights: risers with the first and the last one up to the finished floors, and treads.

use crate::finding::Unit;
use crate::packs::context::Context;
use crate::packs::kind::{Item, Kind};
use crate::packs::measure::{Answer, Arguments, Measure, Reading};
use crate::packs::value::ValueType;
use glam::{DVec2, DVec3};
use spatial::ways::Flight;

use super::walked::{self, Surface};

/// Distances beyond a flight's end, in metres, at which its floor is looked for.
const BEYOND: [f64; 4] = [0.1, 0.25, 0.4, 0.6];
/// The highest step to a floor, in metres: more is a missing floor.
pub(super) const HIGHEST: f64 = 0.45;

const LENGTH: ValueType = ValueType::Quantity(Unit::Length);

const fn plain(
    name: &'static str,
    label: &'static str,
    means: &'static str,
    run: crate::packs::measure::Run,
) -> Measure {
    Measure { name, kind: Kind::Flight, value: LENGTH, label, means, arguments: &[], is_many: true, run }
}

pub(super) const MEASURES: &[Measure] = &[
    plain(
        "flight.riser",
        "riser",
        "The heights between treads; a reading for the lowest and one for the highest. Those to the floors at both ends are in `flight.riser_difference`.",
        riser,
    ),
    plain(
        "flight.end_riser",
        "riser at the end",
        "The heights from the floor to the first tread and from the last tread to the floor, over what covers the floors; one reading for each.",
        end_riser,
    ),
    plain(
        "flight.riser_difference",
        "difference of risers",
        "The greatest less the smallest riser, those to the floors at both ends included.",
        riser_difference,
    ),
    plain(
        "flight.tread",
        "tread",
        "The depths of treads from nosing to nosing; a reading for the shallowest and one for the deepest.",
        tread,
    ),
    plain(
        "flight.tread_difference",
        "difference of treads",
        "The deepest less the shallowest tread, from nosing to nosing.",
        tread_difference,
    ),
];

/// The flight that a thing is.
pub(super) fn flight<'a>(context: &Context<'a>, item: Item) -> Result<&'a Flight, String> {
    match item {
        Item::Flight(number) | Item::Ramp(number) => {
            context.flight(number).ok_or_else(|| "it has no shape".to_owned())
        }
        _ => Err("it is no flight".to_owned()),
    }
}

/// The nosings of a flight from the lowest to the highest, without the line at which it ends.
pub(super) fn nosings(flight: &Flight) -> &[[DVec3; 2]] {
    flight.lines.split_last().map_or(&[], |(_, nosings)| nosings)
}

/// The middle of a line.
pub(super) fn middle([a, b]: [DVec3; 2]) -> DVec3 {
    (a + b) * 0.5
}

/// The direction in plan in which one goes at the first of two lines, square to it and toward the second; none where they are one.
pub(super) fn ahead(line: [DVec3; 2], next: [DVec3; 2]) -> Option<DVec2> {
    let to = (middle(next) - middle(line)).truncate().try_normalize()?;
    let way = (line[1] - line[0]).truncate().try_normalize()?.perp();
    let turn = way.dot(to);
    // where the line is no nosing across the way, one goes on as before
    Some(if turn.abs() < 0.3 { to } else { way * turn.signum() })
}

/// The floor before the first riser: the highest surface under a point there that is lower than the first tread.
pub(super) fn floor_below(context: &Context<'_>, flight: &Flight) -> Option<Surface> {
    let [first, second] = *flight.lines.first_chunk::<2>()?;
    let (at, way) = (middle(first), ahead(first, second)?);
    let below = |off: &f64| walked::under(context, at.truncate() - way * *off, at.z - HIGHEST, at.z - 0.02);
    BEYOND.iter().find_map(below)
}

/// The floor behind the last riser.
pub(super) fn floor_above(context: &Context<'_>, flight: &Flight) -> Option<Surface> {
    let [tread, last] = *flight.lines.last_chunk::<2>()?;
    let (at, way) = (middle(last), -ahead(last, tread)?);
    let above = |off: &f64| {
        walked::under(context, at.truncate() + way * *off, tread[0].z - 0.05, tread[0].z + HIGHEST)
    };
    BEYOND.iter().find_map(above)
}

/// The risers between treads.
fn inner(flight: &Flight) -> Vec<f64> {
    let heights: Vec<f64> = nosings(flight).iter().map(|line| middle(*line).z).collect();
    heights.windows(2).map(|pair| pair[1] - pair[0]).collect()
}

/// The first and the last riser, where a floor is there.
fn ends(context: &Context<'_>, flight: &Flight) -> [Option<f64>; 2] {
    let nosings = nosings(flight);
    let first = nosings.first().and_then(|line| Some(middle(*line).z - floor_below(context, flight)?.height));
    let last = nosings.last().and_then(|line| Some(floor_above(context, flight)?.height - middle(*line).z));
    // a landing of the flight's own body is its last tread
    [first, last.filter(|rise| *rise > 0.02)]
}

fn lowest_and_highest(values: &[f64]) -> Option<(f64, f64)> {
    let low = values.iter().copied().reduce(f64::min)?;
    let high = values.iter().copied().reduce(f64::max)?;
    Some((low, high))
}

/// One reading of equal values, else one for the least and one for the greatest.
fn extremes(values: &[f64], none: &str) -> Answer {
    let (low, high) = lowest_and_highest(values).ok_or_else(|| none.to_owned())?;
    let both = [high, low].map(Reading::length);
    Ok(if high - low < 1e-3 { both.into_iter().take(1).collect() } else { both.into() })
}

fn riser(context: &Context<'_>, item: Item, _: &Arguments) -> Answer {
    extremes(&inner(flight(context, item)?), "it has no two treads")
}

fn end_riser(context: &Context<'_>, item: Item, _: &Arguments) -> Answer {
    let flight = flight(context, item)?;
    let found = ends(context, flight);
    if found.iter().all(Option::is_none) {
        return Err("no floor is modelled at either end".to_owned());
    }
    let lines = [flight.lines.first(), flight.lines.last()];
    let readings = found.into_iter().zip(lines).zip(["It is the first one.", "It is the last one."]);
    let reading = |((rise, line), words): ((Option<f64>, Option<&[DVec3; 2]>), &str)| {
        Some(Reading::length(rise?).at(middle(*line?)).saying(words))
    };
    Ok(readings.filter_map(reading).collect())
}

fn riser_difference(context: &Context<'_>, item: Item, _: &Arguments) -> Answer {
    let flight = flight(context, item)?;
    let between = inner(flight);
    let [first, last] = ends(context, flight);
    let all: Vec<f64> = first.into_iter().chain(between.iter().copied()).chain(last).collect();
    let (low, high) = lowest_and_highest(&all).filter(|_| all.len() > 1).ok_or("it has no two risers")?;
    let told = |rise: Option<f64>| {
        rise.map_or_else(|| "has no floor".to_owned(), |rise| format!("is {:.0} mm", rise * 1e3))
    };
    let middle = lowest_and_highest(&between).map_or_else(String::new, |(low, high)| {
        if high - low < 1e-3 {
            format!(", the others {:.0} mm", low * 1e3)
        } else {
            format!(", the others {:.0} to {:.0} mm", low * 1e3, high * 1e3)
        }
    });
    let detail = format!("The first riser {}, the last {}{middle}.", told(first), told(last));
    Ok(vec![Reading::length(high - low).saying(detail)])
}

/// The depths of treads from nosing to nosing: square to them where they run side by side, else along the middle, where winders are walked.
fn treads(flight: &Flight) -> Vec<f64> {
    let depth = |pair: &[[DVec3; 2]]| {
        let [line, next] = *pair.first_chunk::<2>()?;
        let to = (middle(next) - middle(line)).truncate();
        let [a, b] = [line, next].map(|line| (line[1] - line[0]).truncate().normalize_or_zero());
        Some(if a.perp_dot(b).abs() < 0.05 { to.perp_dot(a).abs() } else { to.length() })
    };
    nosings(flight).windows(2).filter_map(depth).collect()
}

fn tread(context: &Context<'_>, item: Item, _: &Arguments) -> Answer {
    extremes(&treads(flight(context, item)?), "it has no two treads")
}

fn tread_difference(context: &Context<'_>, item: Item, _: &Arguments) -> Answer {
    let (low, high) = lowest_and_highest(&treads(flight(context, item)?)).ok_or("it has no two treads")?;
    Ok(vec![Reading::length(high - low).saying(format!(
        "They are {:.0} to {:.0} mm.",
        low * 1e3,
        high * 1e3
    ))])
}
