//! Sizes of flights: clear width, rise, headroom, and the sides that have a handrail.

use super::flight_steps::{flight, middle, nosings};
use super::prism::Prism;
use crate::finding::{Quantity, Unit};
use crate::packs::context::Context;
use crate::packs::kind::{Item, Kind};
use crate::packs::measure::{Answer, Argument, Arguments, Measure, Reading};
use crate::packs::value::{Value, ValueType};
use crate::packs::words;
use geometry::Bounds;
use geometry::query::Ray;
use glam::DVec3;
use ifc::Id;

/// How far up is looked for what is over a flight, in metres.
const OVER: f64 = 4.0;
/// A body over a step and nearer to it than this, in metres, is a part of the step.
const STEP: f64 = 0.3;
/// How far behind its nosing a tread is stood on, in metres.
const ON_TREAD: f64 = 0.02;
/// The classes of elements that do not end the headroom.
const LEFT_OUT: [&str; 6] = [
    "IfcSpatialElement",
    "IfcSpatialStructureElement",
    "IfcOpeningElement",
    "IfcRailing",
    "IfcVirtualElement",
    "IfcAnnotation",
];

const HANDRAILS: &str = "number of sides with a handrail";
const RAIL: &[Argument] = &[
    Argument::length("least", 0.7, "the least height of the rail over the nosings or the slope"),
    Argument::length("most", 1.2, "the greatest height of the rail over the nosings or the slope"),
    Argument::length("reach", 0.2, "how far beside it may run"),
];

pub(super) const MEASURES: &[Measure] = &[
    Measure {
        name: "flight.width",
        kind: Kind::Flight,
        value: ValueType::Quantity(Unit::Length),
        label: "clear width",
        means: "The width between what stands on or beside the steps: walls, railings, strings.",
        arguments: &[],
        is_many: false,
        run: |context, item, _| Ok(vec![Reading::length(flight(context, item)?.width)]),
    },
    Measure {
        name: "flight.rise",
        kind: Kind::Flight,
        value: ValueType::Quantity(Unit::Length),
        label: "rise between landings",
        means: "The height from where the flight begins to where it ends.",
        arguments: &[],
        is_many: false,
        run: |context, item, _| {
            flight(context, item).map(|flight| vec![Reading::length(flight.top - flight.foot)])
        },
    },
    Measure {
        name: "flight.headroom",
        kind: Kind::Flight,
        value: ValueType::Quantity(Unit::Length),
        label: "headroom",
        means: "The least height from the nosings, at both sides and in the middle, to what is over them; 4 m at most.",
        arguments: &[],
        is_many: false,
        run: headroom,
    },
    Measure {
        name: "flight.handrails",
        kind: Kind::Flight,
        value: ValueType::Quantity(Unit::Count),
        label: HANDRAILS,
        means: "The sides along which a railing, or a rail of the flight's own body, runs over at least 80 % of the nosings, within some height and distance.",
        arguments: RAIL,
        is_many: false,
        run: handrails,
    },
    Measure {
        name: "ramp.handrails",
        kind: Kind::Ramp,
        value: ValueType::Quantity(Unit::Count),
        label: HANDRAILS,
        means: "The sides along which a railing runs at both ends of the ramp, within some height and distance.",
        arguments: RAIL,
        is_many: false,
        run: handrails,
    },
];

fn headroom(context: &Context<'_>, item: Item, _: &Arguments) -> Answer {
    let flight = flight(context, item)?;
    let mut least: Option<(f64, DVec3, ifc::Id)> = None;
    for pair in flight.lines.windows(2).take(nosings(flight).len()) {
        let [line, next] = [pair[0], pair[1]];
        // on the tread: an opening above may begin just at its nosing
        let onto = (middle(next) - middle(line)).truncate().normalize_or_zero() * ON_TREAD;
        for share in [0.15, 0.5, 0.85] {
            let at = line[0].lerp(line[1], share) + onto.extend(0.0);
            let Some(ray) = Ray::new(at + DVec3::Z * STEP, DVec3::Z) else { continue };
            let hit =
                context.subject.index.first_hit(&ray.up_to(OVER - STEP), |id| !context.is_a(id, &LEFT_OUT));
            if let Some(hit) = hit.filter(|hit| least.is_none_or(|known| hit.distance + STEP < known.0)) {
                least = Some((hit.distance + STEP, hit.point, hit.element));
            }
        }
    }
    Ok(vec![match least {
        None => Reading::length(OVER),
        Some((height, at, id)) => {
            let name = words::name(context, id);
            Reading::length(height).at(at).about([id]).saying(format!("{name} is over it."))
        }
    }])
}

fn handrails(context: &Context<'_>, item: Item, arguments: &Arguments) -> Answer {
    let flight = flight(context, item)?;
    let (least, most, reach) =
        (arguments.number("least"), arguments.number("most"), arguments.number("reach"));
    let points = flight.lines.iter().flatten().copied();
    let around = Bounds::from_points(points).join(&Bounds::EMPTY);
    let near = context.subject.index.near(&around, most.max(reach));
    // many programs draw the rails of a stair as part of its body
    let is_rail = |id: Id| id == flight.element || context.is_a(id, &["IfcRailing"]);
    let railings: Vec<_> = near.into_iter().filter(|element| is_rail(element.id())).collect();
    let mut sides = 0;
    for side in [0, 1] {
        let has = |line: &&[DVec3; 2]| {
            let (end, other) = (line[side], line[1 - side]);
            let out = (end - other).truncate().normalize_or_zero();
            let (low, high) = (DVec3::new(-0.3, -0.15, least), DVec3::new(reach, 0.15, most));
            let prism = Prism { origin: end, along: out, low, high };
            out != glam::DVec2::ZERO && railings.iter().any(|railing| prism.part(railing).is_some())
        };
        let lines = if flight.is_stair { nosings(flight) } else { &flight.lines };
        let count = lines.iter().filter(has).count();
        sides += usize::from(!lines.is_empty() && count * 10 >= lines.len() * 8);
    }
    let place = flight.lines.first().map(|line| middle(*line));
    let reading = Reading::new(Value::Quantity(Quantity::count(sides)))
        .about(railings.iter().map(|railing| railing.id()).filter(|id| *id != flight.element));
    Ok(vec![match place {
        Some(at) => reading.at(at),
        None => reading,
    }])
}
