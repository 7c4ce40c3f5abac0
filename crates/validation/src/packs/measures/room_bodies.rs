//! Rooms against building elements and against each other: what lies in them and should not, and what they stand on.
//!
//! Elements that reach into a room are told of its body. Those that lie inside are told of its floor drawn up to its highest point, as checks of spaces usually take it: where
//! the body is cut back in steps above, as around a light shaft, what stands there is found, and told of as clear of the body. Under a slope the body counts.

use super::room_size::room;
use super::walked;
use crate::finding::Unit;
use crate::packs::context::Context;
use crate::packs::kind::{Item, Kind};
use crate::packs::measure::{Answer, Argument, Arguments, Measure, Reading};
use crate::packs::value::ValueType;
use crate::packs::words;
use geometry::query::{Element, overlap};
use geometry::region::{self, Area};
use glam::DVec3;
use ifc::Id;
use spatial::facet::loops_of;
use spatial::shadow::shadow;

/// The elements that a room is checked against unless a pack names others.
const AGAINST: [&str; 5] = ["IfcWall", "IfcCurtainWall", "IfcColumn", "IfcSlab", "IfcRoof"];
const CLASSES: Argument = Argument::texts("classes", &AGAINST, "the classes of elements that count");
const TOLERANCE: Argument =
    Argument::length("tolerance", 0.01, "what goes no deeper into the room does not count");

pub(super) const MEASURES: &[Measure] = &[
    Measure {
        name: "room.elements_inside",
        kind: Kind::Room,
        value: ValueType::Quantity(Unit::Area),
        label: "ground of elements inside",
        means: "Elements that lie wholly in the room, taken as its floor drawn up to its highest point; one reading of the area in plan of all of them.",
        arguments: &[CLASSES, TOLERANCE],
        is_many: true,
        run: |context, item, arguments| elements(context, item, arguments, true),
    },
    Measure {
        name: "room.elements_across",
        kind: Kind::Room,
        value: ValueType::Quantity(Unit::Area),
        label: "ground shared with elements",
        means: "Elements that reach into the room's body and do not lie in it; one reading of the area in plan that all of them share.",
        arguments: &[CLASSES, TOLERANCE],
        is_many: true,
        run: |context, item, arguments| elements(context, item, arguments, false),
    },
    Measure {
        name: "room.overlap",
        kind: Kind::Room,
        value: ValueType::Quantity(Unit::Length),
        label: "depth of the overlap with another room",
        means: "The depth to which the bodies of two rooms go into each other; one reading for each other room.",
        arguments: &[],
        is_many: true,
        run: other_rooms,
    },
    Measure {
        name: "room.supported",
        kind: Kind::Room,
        value: ValueType::Quantity(Unit::Ratio),
        label: "share of the floor that lies on a slab",
        means: "The share of the room's floor under which a slab, covering, stair or ramp lies within a height.",
        arguments: &[Argument::length("gap", 0.1, "how far under the room's floor the slab may lie")],
        is_many: false,
        run: supported,
    },
];

fn elements(context: &Context<'_>, item: Item, arguments: &Arguments, wants_inside: bool) -> Answer {
    let (number, room) = room(context, item)?;
    let tolerance = arguments.number("tolerance");
    let classes: Vec<&str> = arguments.texts("classes").iter().map(String::as_str).collect();
    let bounds = context.subject.layout.rooms.bounds(number);
    if bounds.is_empty() || room.top - room.foot <= 2.0 * tolerance {
        return Err("its body has no height".to_owned());
    }
    let floor = loops_of(&room.floor);
    let body = Element::new(Id(number as u32), room.solid.mesh());
    let is_sloped =
        context.subject.layout.facets_of(number).any(|(_, facet)| (0.1..0.999).contains(&facet.normal().z));
    let mut found: Vec<Shared> = Vec::new();
    for element in context.subject.index.near(&bounds, -tolerance) {
        let id = element.id();
        if !context.is_part_of(id, &classes)
            || context.is_a(id, &["IfcSpatialElement", "IfcSpatialStructureElement", "IfcFeatureElement"])
        {
            continue;
        }
        let shade = shadow(element, room.foot + tolerance, room.top - tolerance);
        let counts = |area: &Area| spatial::facet::width(area) > tolerance;
        let areas: Vec<Area> = region::shared(&floor, &shade).into_iter().filter(counts).collect();
        if areas.is_empty() {
            continue;
        }
        let depth = overlap(element, &body).map_or(0.0, |own| own.depth);
        if depth <= tolerance && (!wants_inside || is_sloped) {
            continue;
        }
        let outside = region::less_all(&shade, &floor).iter().any(counts);
        let b = element.bounds();
        let is_inside = !outside && b.min.z > room.foot - tolerance && b.max.z < room.top + tolerance;
        if is_inside == wants_inside {
            found.push(Shared { id, areas, reaches: depth > 1e-4 });
        }
    }
    Ok(reading(context, &found, room.foot).into_iter().collect())
}

/// An element with the areas in plan that it shares with a room.
struct Shared {
    id: Id,
    areas: Vec<Area>,
    /// True if it reaches into the room's own body.
    reaches: bool,
}

/// The reading of the elements that share some area of a room; none where there are none.
fn reading(context: &Context<'_>, found: &[Shared], foot: f64) -> Option<Reading> {
    let first = found.first()?;
    let size = found.iter().flat_map(|own| &own.areas).map(Area::size).sum();
    let names = |reaches: bool| {
        let own: Vec<String> = found
            .iter()
            .filter(|own| own.reaches == reaches)
            .map(|own| words::name(context, own.id))
            .collect();
        own.join(", ")
    };
    let [within, beside] = [names(true), names(false)];
    let mut words = Vec::new();
    if !within.is_empty() {
        words.push(format!("There is {within}."));
    }
    if !beside.is_empty() {
        words.push(format!("Where the room's own body is cut back, over its floor, there is {beside}."));
    }
    let wholes = found.iter().filter_map(|own| {
        let whole = context.links.aggregate_parent(own.id)?;
        context.is_a(whole, &["IfcRoof", "IfcStair", "IfcCurtainWall"]).then_some(whole)
    });
    let all = found.iter().map(|own| own.id).chain(wholes);
    let mut reading = Reading::number(size, Unit::Area).about(all).saying(words.join(" "));
    let place =
        first.areas.first().and_then(|area| spatial::plan::largest_circle(std::slice::from_ref(area), 0.02));
    reading.point = place.map(|(at, _)| at.extend(foot));
    Some(reading)
}

fn other_rooms(context: &Context<'_>, item: Item, _: &Arguments) -> Answer {
    let (number, own) = room(context, item)?;
    let rooms = &context.subject.layout.rooms;
    let index = rooms.index();
    let Some(body) = index.get(Id(number as u32)) else { return Err("it has no body".to_owned()) };
    let mut found = Vec::new();
    for other in index.near(&body.bounds(), 0.0) {
        let place = other.id().0 as usize;
        // each pair once
        let Some(room) = rooms.rooms.get(place).filter(|_| place > number) else { continue };
        if let Some(shared) = overlap(body, other).filter(|shared| shared.depth > 1e-4) {
            let detail = format!("{} and {} share space.", own.label(), room.label());
            found.push(
                Reading::length(shared.depth).about(room.space()).at(shared.bounds.centre()).saying(detail),
            );
        }
    }
    Ok(found)
}

fn supported(context: &Context<'_>, item: Item, arguments: &Arguments) -> Answer {
    let (_, room) = room(context, item)?;
    let gap = arguments.number("gap");
    let (mut on, mut whole) = (0.0, 0.0);
    for area in &room.floor {
        for (at, size) in samples(area) {
            whole += size;
            if walked::under(context, at.truncate(), room.foot - gap, room.foot + 0.02).is_some() {
                on += size;
            }
        }
    }
    if whole <= 0.0 {
        Err("its floor has no area".to_owned())
    } else {
        Ok(vec![Reading::number(on / whole, Unit::Ratio)])
    }
}

/// Points within an area, each with what it stands for in square metres: the middles of triangles, the large ones in parts.
fn samples(area: &Area) -> Vec<(DVec3, f64)> {
    let loops: Vec<region::Loop> = area.loops().cloned().collect();
    let points: Vec<glam::DVec2> = loops.iter().flatten().copied().collect();
    let corner = |i: u32| points.get(i as usize).copied().unwrap_or_default();
    let mut waiting: Vec<[glam::DVec2; 3]> =
        region::triangles(&loops).as_chunks::<3>().0.iter().map(|t| t.map(corner)).collect();
    let (largest, mut found) = ((area.size() / 40.0).max(0.05), Vec::new());
    while let Some([a, b, c]) = waiting.pop() {
        let size = ((b - a).perp_dot(c - a) / 2.0).abs();
        if size <= largest {
            found.push((((a + b + c) / 3.0).extend(0.0), size));
            continue;
        }
        let sides = [(a, b, c), (b, c, a), (c, a, b)];
        let longest = sides.into_iter().max_by(|x, y| x.0.distance(x.1).total_cmp(&y.0.distance(y.1)));
        if let Some((p, q, r)) = longest {
            let middle = p.midpoint(q);
            waiting.extend([[p, middle, r], [middle, q, r]]);
        }
    }
    found
}
