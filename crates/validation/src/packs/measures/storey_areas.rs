//! Unallocated areas of storeys: what walls enclose and no room covers.
//!
//! Walls, curtain walls and columns are cut at one height, without their openings; what their cuts enclose and rooms leave over is unallocated. What lies under
//! the open sky is a courtyard.

use crate::finding::Unit;
use crate::packs::context::Context;
use crate::packs::kind::{Item, Kind};
use crate::packs::measure::{Answer, Argument, Arguments, Measure, Reading};
use crate::packs::value::ValueType;
use geometry::Bounds;
use geometry::query::Ray;
use geometry::region::{self, Area, Loop};
use geometry::section::{Plane, of_mesh};
use glam::{DVec2, DVec3};
use ifc::Id;
use spatial::Room;
use spatial::facet::loops_of;
use spatial::plan::largest_circle;
use std::collections::BTreeSet;

/// Height over the lowest floor at which walls are cut, in metres.
const CUT: f64 = 1.0;
/// Areas that are narrower, in metres, are gaps between what is drawn and no places.
const NARROW: f64 = 0.2;

pub(super) const MEASURES: &[Measure] = &[Measure {
    name: "storey.unallocated",
    kind: Kind::Storey,
    value: ValueType::Quantity(Unit::Area),
    label: "area that walls enclose and no room covers",
    means: "What walls enclose 1 m over the floor of the storey, less its rooms; one reading for each part that is left, about the walls around.",
    arguments: &[
        Argument::truth(
            "own_rooms",
            true,
            "only rooms of the storey itself count, and none that reach up from below, as over a stair",
        ),
        Argument::length("gap", 0.02, "walls that are no farther apart close a place"),
    ],
    is_many: true,
    run: unallocated,
}];

/// A wall with what the plane cuts of it.
struct Cut {
    element: Id,
    areas: Vec<Area>,
}

fn unallocated(context: &Context<'_>, item: Item, arguments: &Arguments) -> Answer {
    let Item::Storey(number) = item else { return Err("it is no storey".to_owned()) };
    let layout = context.subject.layout;
    let rooms = &layout.rooms;
    let own: Vec<&Room> = rooms.on_storey(number).filter_map(|room| context.room(room)).collect();
    let stored = own.iter().filter(|room| !room.is_found());
    let foot = stored.map(|room| room.foot).fold(f64::INFINITY, f64::min);
    if !foot.is_finite() {
        return Err("it has no rooms in the file".to_owned());
    }
    let height = foot + CUT;
    let cuts = cuts(context, height);
    let walls: Vec<Loop> = cuts.iter().flat_map(|cut| loops_of(&cut.areas)).collect();
    let spans = |room: &&Room| room.foot - 0.01 < height && room.top > height;
    let counted: Vec<&Room> = if arguments.truth("own_rooms") {
        own.into_iter().filter(spans).collect()
    } else {
        rooms.rooms.iter().filter(spans).collect()
    };
    let mut taken: Vec<Loop> = counted.iter().flat_map(|room| loops_of(&room.floor)).collect();
    taken.extend(walls.iter().cloned());
    let mut found = Vec::new();
    let gap = arguments.number("gap") / 2.0;
    let mut closed = walls.clone();
    closed.extend(strips(&walls, gap));
    for hole in region::union(&closed).into_iter().flat_map(|area| area.holes) {
        let enclosed = Area::new(hole, Vec::new());
        // grown again by what the walls were
        let mut grown = strips(std::slice::from_ref(&enclosed.outer), gap);
        grown.push(enclosed.outer.clone());
        for left in region::less_all(&loops_of(&region::union(&grown)), &taken) {
            found.extend(reading(context, &left, &enclosed, &cuts, foot));
        }
    }
    Ok(found)
}

/// Strips along the sides of loops, so far to both sides and beyond the ends; counter-clockwise.
fn strips(loops: &[Loop], by: f64) -> Vec<Loop> {
    let sides = loops.iter().flat_map(|l| l.iter().zip(l.iter().cycle().skip(1)));
    let strip = |(a, b): (&DVec2, &DVec2)| {
        let along = (*b - *a).normalize_or_zero() * by;
        let across = along.perp();
        (along != DVec2::ZERO)
            .then(|| vec![*a - along - across, *b + along - across, *b + along + across, *a - along + across])
    };
    sides.filter_map(strip).collect()
}

/// The walls and columns with their cuts at a height.
fn cuts(context: &Context<'_>, height: f64) -> Vec<Cut> {
    let elements = &context.subject.layout.elements;
    let Some(plane) = Plane::level(height) else { return Vec::new() };
    let mut slice = elements.index().bounds();
    (slice.min.z, slice.max.z) = (height, height);
    let near = if slice.is_empty() { Vec::new() } else { elements.index().near(&slice, 0.0) };
    let upright = near.into_iter().filter(|element| elements.is_upright(element.id()));
    let cut =
        upright.map(|element| Cut { element: element.id(), areas: of_mesh(element.mesh(), &plane).areas });
    cut.filter(|cut| !cut.areas.is_empty()).collect()
}

/// The reading of an area that is left, unless it is a gap or lies under the open sky.
fn reading(context: &Context<'_>, left: &Area, enclosed: &Area, cuts: &[Cut], foot: f64) -> Option<Reading> {
    let (middle, radius) = largest_circle(std::slice::from_ref(left), 0.01)?;
    if 2.0 * radius < NARROW {
        return None;
    }
    let up = Ray::new(middle.extend(foot + CUT), DVec3::Z)?;
    let is_body =
        |id| !context.is_a(id, &["IfcSpatialElement", "IfcSpatialStructureElement", "IfcOpeningElement"]);
    context.subject.index.any_hit(&up, is_body)?;
    let mut reading =
        Reading::number(left.size(), Unit::Area).about(around(enclosed, cuts)).at(middle.extend(foot));
    let mut outline: Vec<DVec3> = left.outer.iter().map(|p| p.extend(foot)).collect();
    outline.extend(outline.first().copied());
    reading.lines = vec![outline];
    Some(reading)
}

/// The walls whose cuts lie along the outline of what they enclose.
fn around(enclosed: &Area, cuts: &[Cut]) -> BTreeSet<Id> {
    let outline = &enclosed.outer;
    let sides = outline.iter().zip(outline.iter().cycle().skip(1));
    let beyond = |(a, b): (&DVec2, &DVec2)| {
        let out = -(*b - *a).normalize_or_zero().perp() * 0.03;
        [0.2, 0.5, 0.8].map(|share| a.lerp(*b, share) + out)
    };
    let points: Vec<DVec2> = sides.flat_map(beyond).collect();
    let box_of =
        |areas: &[Area]| Bounds::from_points(areas.iter().flat_map(|a| &a.outer).map(|p| p.extend(0.0)));
    let holds = |cut: &&Cut| {
        let bounds = box_of(&cut.areas);
        let near = |p: &&DVec2| bounds.meets(&Bounds::from_points([p.extend(0.0)]), 0.0);
        points
            .iter()
            .filter(near)
            .any(|p| cut.areas.iter().any(|area| spatial::facet::holds(area.loops(), *p)))
    };
    cuts.iter().filter(holds).map(|cut| cut.element).collect()
}
