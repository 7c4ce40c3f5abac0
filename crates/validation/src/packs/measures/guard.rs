//! Edges of slabs from which one may fall: neither a wall, railing or other barrier stands there, nor does a floor, stair or ramp go on a little lower.

use super::prism::Prism;
use super::walked;
use crate::finding::Unit;
use crate::packs::context::Context;
use crate::packs::kind::{Item, Kind};
use crate::packs::measure::{Answer, Argument, Arguments, Measure, Reading};
use crate::packs::value::{Value, ValueType};
use geometry::query::Ray;
use geometry::region;
use glam::{DVec2, DVec3};
use spatial::ways::floors::{Floor, level_faces};

/// The step at which edges are looked at, in metres.
const STEP: f64 = 0.2;
/// A floor less deep than this, in metres, between its edge and a wall is a ledge that nobody walks on.
const LEDGE: f64 = 0.6;
/// Floors lower than this under a roof, in metres, are not walked on.
const CRAWL: f64 = 1.0;
/// Faces smaller than this, in m², are not walked on.
const LEAST: f64 = 0.5;
/// Doors, rooms and stairs this near to a slab's upper face in height, in metres, lead onto it.
const REACHED: f64 = 0.3;
/// Half the length of a railing, in metres, in which a post is met.
const POSTS: f64 = 1.5;
/// The classes of elements that keep one from falling.
const BARRIERS: [&str; 9] = [
    "IfcWall",
    "IfcCurtainWall",
    "IfcRailing",
    "IfcColumn",
    "IfcPlate",
    "IfcMember",
    "IfcBuildingElementProxy",
    "IfcFurnishingElement",
    "IfcStair",
];
/// The classes of elements that close openings of walls, somewhere in their thickness.
const FILLINGS: [&str; 2] = ["IfcWindow", "IfcDoor"];
/// How far from the edge, in metres, what fills an opening may stand.
const DEEP: f64 = 0.6;
/// Barriers made of posts and rails.
const RAILS: [&str; 2] = ["IfcRailing", "IfcMember"];
const NO_BODIES: [&str; 4] =
    ["IfcSpatialElement", "IfcSpatialStructureElement", "IfcOpeningElement", "IfcVirtualElement"];

pub(super) const MEASURES: &[Measure] = &[
    IS_WALKED,
    Measure {
        name: "slab.unguarded_edge",
        kind: Kind::Slab,
        value: ValueType::Quantity(Unit::Length),
        label: "length of edges without a barrier",
        means: "The length of edges of the slab's level upper faces at which no barrier is high enough and no surface lies near enough to step on.",
        arguments: &[
            Argument::length("barrier", 1.0, "the least height of a barrier"),
            Argument::length("gap", 0.1, "the widest gap between floor and barrier, level or upright"),
            Argument::length("fall", 0.5, "the greatest drop to a surface beyond the edge"),
            Argument::length("distance", 0.1, "how far that surface may be from the edge"),
            Argument::length("landing", 0.2, "the least width of that surface"),
            Argument::truth(
                "modelled_ground",
                false,
                "the ground counts only where the model has it, and not where it lies by the doors",
            ),
        ],
        is_many: false,
        run: unguarded,
    },
];

const IS_WALKED: Measure = Measure {
    name: "slab.is_walked",
    kind: Kind::Slab,
    value: ValueType::Truth,
    label: "floor that is walked on",
    means: "True of a slab that is no part of a roof and carries a room, or that a door, stair or ramp leads onto.",
    arguments: &[],
    is_many: false,
    run: is_walked,
};

fn is_walked(context: &Context<'_>, item: Item, _: &Arguments) -> Answer {
    let Item::Element(id) = item else { return Err("it is no slab".to_owned()) };
    let body = context.body(id).ok_or("it has no body")?;
    let is_roof = context.links.predefined_type(id).is_some_and(|kind| kind == "ROOF")
        || context.is_part_of(id, &["IfcRoof"]);
    let led =
        || level_faces(body).iter().filter(|face| face.size > LEAST).any(|face| leads_onto(context, face));
    Ok(vec![Reading::new(Value::Truth(!is_roof && led()))])
}

/// True if a room lies on a face, or a door, stair or ramp leads onto it.
fn leads_onto(context: &Context<'_>, face: &Floor) -> bool {
    let premises = &context.subject.ways.premises;
    let near = |height: f64| (height - face.height).abs() < REACHED;
    let holds = |p: DVec2| spatial::facet::holds(&face.loops, p);
    let rooms = context.subject.layout.rooms.rooms.iter().filter(|room| near(room.foot));
    let carries = |room: &spatial::Room| {
        let shared = region::intersection(&spatial::facet::loops_of(&room.floor), &face.loops);
        shared.iter().map(region::Area::size).sum::<f64>() > LEAST
    };
    let mut doors = premises.doors.iter().filter(|door| near(door.sill));
    let flight_ends = |flight: &spatial::ways::Flight| {
        let (Some(first), Some(last)) = (flight.lines.first(), flight.lines.last()) else { return false };
        let [low, high] = [first, last].map(|line| line[0].midpoint(line[1]).truncate());
        let out = (high - low).normalize_or_zero() * 0.3;
        (near(flight.foot) && holds(low - out)) || (near(flight.top) && holds(high + out))
    };
    doors.any(|door| door.sides(0.3).iter().any(|p| holds(p.truncate())))
        || premises.flights.iter().any(flight_ends)
        || rooms.into_iter().any(carries)
}

/// A place on an edge: the point, out of the floor, and how much of the edge it stands for.
struct Place {
    at: DVec3,
    out: DVec2,
    half: f64,
}

fn unguarded(context: &Context<'_>, item: Item, arguments: &Arguments) -> Answer {
    let Item::Element(id) = item else { return Err("it is no slab".to_owned()) };
    let body = context.body(id).ok_or("it has no body")?;
    let faces: Vec<_> = level_faces(body).into_iter().filter(|face| face.size > LEAST).collect();
    if faces.is_empty() {
        return Err("it has no level upper face".to_owned());
    }
    let mut open: Vec<(f64, Vec<DVec3>)> = Vec::new();
    for face in &faces {
        for place in places(&face.loops, face.height) {
            if !is_safe(context, &place, arguments) {
                let along = (place.out.perp() * place.half).extend(0.0);
                open.push((2.0 * place.half, vec![place.at - along, place.at + along]));
            }
        }
    }
    let length: f64 = open.iter().map(|(length, _)| length).sum();
    let mut reading = Reading::length(length);
    let middle = open.get(open.len() / 2).and_then(|(_, line)| line.first().copied());
    reading.lines = joined(open.into_iter().map(|(_, line)| line).collect());
    Ok(vec![match middle {
        Some(at) => reading.at(at),
        None => reading,
    }])
}

/// Places along the edges of a face, whose loops have the floor on their left.
fn places(loops: &[Vec<DVec2>], height: f64) -> Vec<Place> {
    let mut found = Vec::new();
    for (a, b) in loops.iter().flat_map(|l| l.iter().zip(l.iter().cycle().skip(1))) {
        let length = a.distance(*b);
        let count = (length / STEP).ceil().min(10_000.0);
        let out = -(*b - *a).normalize_or_zero().perp();
        if length < 0.02 || out == DVec2::ZERO || !length.is_finite() {
            continue;
        }
        let place = |n: usize| Place {
            at: a.lerp(*b, (n as f64 + 0.5) / count).extend(height),
            out,
            half: length / count / 2.0,
        };
        found.extend((0..count as usize).map(place));
    }
    found
}

/// Lines that follow each other as one.
fn joined(lines: Vec<Vec<DVec3>>) -> Vec<Vec<DVec3>> {
    let mut found: Vec<Vec<DVec3>> = Vec::new();
    for line in lines {
        let goes_on =
            |last: &Vec<DVec3>| last.last().zip(line.first()).is_some_and(|(p, q)| p.distance(*q) < 0.01);
        match found.last_mut().filter(|last| goes_on(last)) {
            Some(last) => last.extend(line.into_iter().skip(1)),
            None => found.push(line),
        }
    }
    found
}

fn is_safe(context: &Context<'_>, place: &Place, arguments: &Arguments) -> bool {
    // one walks on what covers the slab
    let inner = place.at.truncate() - place.out * 0.05;
    let height =
        walked::under(context, inner, place.at.z - 0.01, place.at.z + 0.3).map_or(place.at.z, |s| s.height);
    goes_on(context, place, height, arguments)
        || has_barrier(context, place, height, arguments)
        || is_ledge(context, place, height)
        || is_low(context, place, height)
}

/// True if a surface beyond the edge is near enough to step on, over its least width.
fn goes_on(context: &Context<'_>, place: &Place, height: f64, arguments: &Arguments) -> bool {
    let (fall, distance, landing) =
        (arguments.number("fall"), arguments.number("distance"), arguments.number("landing"));
    let ground = context.subject.ways.premises.ground.filter(|_| !arguments.truth("modelled_ground"));
    if ground.is_some_and(|ground| (height - fall..height + CRAWL).contains(&ground)) {
        return true;
    }
    let surface = |off: f64| {
        let at = place.at.truncate() + place.out * off;
        walked::under(context, at, height - fall - 1e-3, height + CRAWL).is_some()
    };
    (surface(0.01) || surface(distance)) && (surface(distance + landing - 0.01) || surface(landing))
}

/// True if what stands at the edge is high enough, without gaps that one could go through.
fn has_barrier(context: &Context<'_>, place: &Place, height: f64, arguments: &Arguments) -> bool {
    let (wanted, gap) = (arguments.number("barrier"), arguments.number("gap"));
    let prism = |half: f64, reach: f64| Prism {
        origin: place.at.with_z(height),
        along: place.out.perp(),
        low: DVec3::new(-half, -reach, -0.05),
        high: DVec3::new(half, reach, wanted + 0.3),
    };
    let (narrow, deep) = (prism(0.1, gap), prism(0.1, DEEP));
    let mut heights: Vec<(f64, f64)> = Vec::new();
    for element in context.subject.index.near(&deep.bounds(), 0.0) {
        let id = element.id();
        let part = if context.is_a(id, &FILLINGS) {
            deep.part(element)
        } else if context.is_part_of(id, &BARRIERS) {
            let whole = || context.is_a(id, &RAILS).then(|| prism(POSTS, gap).part(element)).flatten();
            narrow.part(element).map(|part| whole().unwrap_or(part))
        } else {
            None
        };
        heights.extend(part.map(|part| (part.min.z, part.max.z)));
    }
    heights.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut reached = 0.0;
    for (low, high) in heights {
        if low > reached + gap {
            break;
        }
        reached = high.max(reached);
    }
    reached >= wanted - 1e-3
}

/// True if a wall stands so near that nobody walks at the edge.
fn is_ledge(context: &Context<'_>, place: &Place, height: f64) -> bool {
    let is_wall = |id| context.is_part_of(id, &BARRIERS);
    [0.4, 0.95].into_iter().all(|over| {
        let from = (place.at.truncate() + place.out * 0.01).extend(height + over);
        let ray = Ray::new(from, (-place.out).extend(0.0));
        ray.is_some_and(|ray| context.subject.index.any_hit(&ray.up_to(LEDGE), is_wall).is_some())
    })
}

/// True if a roof is so low over the edge that nobody walks there.
fn is_low(context: &Context<'_>, place: &Place, height: f64) -> bool {
    let from = (place.at.truncate() - place.out * 0.2).extend(height + 0.02);
    let ray = Ray::new(from, DVec3::Z);
    let is_body = |id| !context.is_a(id, &NO_BODIES);
    ray.is_some_and(|ray| context.subject.index.any_hit(&ray.up_to(CRAWL), is_body).is_some())
}
