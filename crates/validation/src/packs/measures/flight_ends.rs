//! The ends of flights and ramps: whether they meet floors, and how deep the landings are.

use super::flight_steps::{HIGHEST, ahead, flight, floor_above, floor_below, middle, nosings};
use super::walked;
use crate::finding::{Quantity, Unit};
use crate::packs::context::Context;
use crate::packs::kind::{Item, Kind};
use crate::packs::measure::{Answer, Argument, Arguments, Measure, Preset, Reading};
use crate::packs::value::{Value, ValueType};
use geometry::query::Ray;
use glam::{DVec2, DVec3};

/// The step at which a landing is followed, in metres.
const STEP: f64 = 0.05;
/// The greatest difference in height along a landing, in metres.
const LEVEL: f64 = 0.03;
/// Heights over a landing, in metres, at which what stands on it is met.
const BODY: [f64; 2] = [0.3, 1.2];

const DEPTH: Argument = Argument {
    name: "depth",
    value: ValueType::Quantity(Unit::Length),
    default: Preset::Needed,
    choices: &[],
    means: "how far is looked",
};
const LANDING: &str = "The depth of level floor at each end in the direction of travel, until it ends or something stands there, as far as `depth`; one reading for each end.";

pub(super) const MEASURES: &[Measure] = &[
    Measure {
        name: "flight.ends_on_floors",
        kind: Kind::Flight,
        value: ValueType::Quantity(Unit::Count),
        label: "number of ends that meet a floor",
        means: "The ends at which a slab, covering or landing, or at the foot the ground by the doors, lies no farther than a step from the first or last tread.",
        arguments: &[],
        is_many: false,
        run: ends_on_floors,
    },
    Measure {
        name: "flight.landing_depth",
        kind: Kind::Flight,
        value: ValueType::Quantity(Unit::Length),
        label: "depth of the landing",
        means: LANDING,
        arguments: &[DEPTH],
        is_many: true,
        run: landing_depth,
    },
    Measure {
        name: "flight.landing_by_width",
        kind: Kind::Flight,
        value: ValueType::Quantity(Unit::Ratio),
        label: "depth of the landing by the width of the flight",
        means: "The depth of level floor at each end over the clear width of the flight, or over `depth` where the flight is wider; one reading for each end.",
        arguments: &[DEPTH],
        is_many: true,
        run: landing_by_width,
    },
    Measure {
        name: "ramp.landing_depth",
        kind: Kind::Ramp,
        value: ValueType::Quantity(Unit::Length),
        label: "depth of the landing",
        means: LANDING,
        arguments: &[DEPTH],
        is_many: true,
        run: landing_depth,
    },
];

fn ends_on_floors(context: &Context<'_>, item: Item, _: &Arguments) -> Answer {
    let flight = flight(context, item)?;
    // outdoors the ground is rarely modelled: it lies by the doors
    let first = nosings(flight).first().map(|line| middle(*line).z);
    let ground = context.subject.ways.premises.ground;
    let on_ground = first.zip(ground).is_some_and(|(first, ground)| (first - ground).abs() < HIGHEST);
    let ends = [floor_below(context, flight).is_some() || on_ground, floor_above(context, flight).is_some()];
    let missing: Vec<&str> = ends
        .iter()
        .zip(["at its foot", "at its top"])
        .filter(|(end, _)| !**end)
        .map(|(_, word)| word)
        .collect();
    let count = Quantity::count(ends.iter().filter(|end| **end).count());
    let reading = Reading::new(Value::Quantity(count));
    Ok(vec![if missing.is_empty() {
        reading
    } else {
        reading.saying(format!("No floor lies {}.", missing.join(" and ")))
    }])
}

fn landing_depth(context: &Context<'_>, item: Item, arguments: &Arguments) -> Answer {
    landings(context, item, arguments.number("depth"))
}

fn landing_by_width(context: &Context<'_>, item: Item, arguments: &Arguments) -> Answer {
    let wanted = arguments.number("depth").min(flight(context, item)?.width);
    let found = landings(context, item, wanted)?;
    let share = |reading: Reading| {
        let depth = reading.value.number().unwrap_or_default();
        let detail = format!(
            "{} It is {:.0} mm deep, and {:.0} mm are due.",
            reading.detail.as_deref().unwrap_or_default(),
            depth * 1e3,
            wanted * 1e3
        );
        Reading { value: Reading::number(depth / wanted.max(1e-3), Unit::Ratio).value, ..reading }
            .saying(detail)
    };
    Ok(found.into_iter().map(share).collect())
}

/// The depths of the landings at both ends, as far as `reach`.
fn landings(context: &Context<'_>, item: Item, reach: f64) -> Answer {
    let own = flight(context, item)?;
    let (Some([first, second]), Some([before, last])) = (own.lines.first_chunk(), own.lines.last_chunk())
    else {
        return Err("it has no shape".to_owned());
    };
    let (up, down) = (ahead(*first, *second), ahead(*last, *before));
    let (up, down) = (up.ok_or("it has no direction")?, down.ok_or("it has no direction")?);
    let (below, above) = if own.is_stair {
        (floor_below(context, own).map(|s| s.height), floor_above(context, own).map(|s| s.height))
    } else {
        let at = |line: [DVec3; 2], way: DVec2| {
            let p = middle(line);
            walked::under(context, p.truncate() + way * 0.1, p.z - 0.1, p.z + 0.1).map(|s| s.height)
        };
        (at(*first, -up), at(*last, -down))
    };
    let nosing = nosings(own).first().copied().unwrap_or(*first);
    let mut found = Vec::new();
    for (line, way, height, word) in [(nosing, -up, below, "below"), (*last, -down, above, "above")] {
        let Some(height) = height else { continue };
        let depth = level_depth(context, middle(line).truncate(), way, height, reach);
        found.push(
            Reading::length(depth).at(middle(line).with_z(height)).saying(format!("It is the one {word}.")),
        );
    }
    if found.is_empty() { Err("no floor is modelled at either end".to_owned()) } else { Ok(found) }
}

/// The depth of level floor from a point in a direction.
fn level_depth(context: &Context<'_>, from: DVec2, way: DVec2, height: f64, reach: f64) -> f64 {
    let mut depth = reach;
    let mut at = STEP;
    while at < reach {
        if walked::under(context, from + way * at, height - LEVEL, height + LEVEL).is_none() {
            // the floor of the same landing may begin a gap further on, as behind the last tread
            depth = if at <= 2.0 * STEP { depth } else { at - STEP };
            if depth < reach {
                break;
            }
        }
        at += STEP;
    }
    let stands = |id| {
        !walked::is_walked(context, id)
            && !context.is_a(
                id,
                &[
                    "IfcSpatialElement",
                    "IfcSpatialStructureElement",
                    "IfcOpeningElement",
                    "IfcDoor",
                    "IfcRailing",
                ],
            )
    };
    for over in BODY {
        let Some(ray) = Ray::new((from + way * 0.01).extend(height + over), way.extend(0.0)) else {
            continue;
        };
        if let Some(hit) = context.subject.index.first_hit(&ray.up_to(depth), stands) {
            depth = depth.min(hit.distance + 0.01);
        }
    }
    depth
}
