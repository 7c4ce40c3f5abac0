//! The free floor in front of doors: how deep it is before something stands there.

use super::door_size::door;
use super::prism::Prism;
use super::swing::{self, Opens};
use crate::finding::Unit;
use crate::packs::context::Context;
use crate::packs::kind::{Item, Kind};
use crate::packs::measure::{Answer, Argument, Arguments, Measure, Preset, Reading};
use crate::packs::value::ValueType;
use crate::packs::words;
use glam::DVec3;
use ifc::Id;
use spatial::ways::Door;

/// The classes of elements that do not stand in front of a door.
const LEFT_OUT: [&str; 8] = [
    "IfcSpatialElement",
    "IfcSpatialStructureElement",
    "IfcOpeningElement",
    "IfcVirtualElement",
    "IfcAnnotation",
    "IfcGrid",
    "IfcGeographicElement",
    "IfcDoor",
];
/// Bodies that come nearer than this to the floor in front, in metres, only touch it.
const TOUCH: f64 = 0.002;

pub(super) const MEASURES: &[Measure] = &[Measure {
    name: "door.clear_depth",
    kind: Kind::Door,
    value: ValueType::Quantity(Unit::Length),
    label: "free depth in front",
    means: "From the face of the wall to the nearest thing in front of the opening, as far as `depth`; one reading for each side that counts.",
    arguments: &[
        Argument {
            name: "depth",
            value: ValueType::Quantity(Unit::Length),
            default: Preset::Needed,
            choices: &[],
            means: "how far is looked",
        },
        Argument::choice(
            "side",
            &["swing", "pull", "push", "both"],
            "both",
            "`pull` or `swing`: where the leaf opens to; `push`: the other; `both`. Of a door that does not swing, both",
        ),
        Argument::length(
            "margin",
            0.0,
            "by how much less wide than the opening the floor is, at each end; not to where `beside` is",
        ),
        Argument::length(
            "beside",
            0.0,
            "by how much farther than the opening the floor reaches at the handle",
        ),
        Argument::length(
            "above",
            0.05,
            "what is lower over the floor, or nearer to the head, does not count",
        ),
    ],
    is_many: true,
    run: clear_depth,
}];

fn clear_depth(context: &Context<'_>, item: Item, arguments: &Arguments) -> Answer {
    let (number, door) = door(context, item)?;
    let swing = swing::opens(context, door);
    let sides = match (arguments.text("side"), swing) {
        ("push", Some(swing)) => swing.sides.map(|opens| !opens),
        ("pull" | "swing", Some(swing)) => swing.sides,
        ("push" | "pull" | "swing", None) if !door.operation.is_empty() => [true, true],
        ("push" | "pull" | "swing", None) => return Err("the file does not say how it opens".to_owned()),
        _ => [true, true],
    };
    let beside = context.subject.ways.premises.beside.get(number).copied().unwrap_or_default();
    let readings = [0, 1].into_iter().filter(|side| sides[*side]).map(|side| {
        let mut reading = in_front(context, door, swing, side, arguments);
        reading.room = beside[side];
        reading
    });
    Ok(readings.collect())
}

/// The reading of one side.
fn in_front(
    context: &Context<'_>,
    door: &Door,
    swing: Option<Opens>,
    side: usize,
    arguments: &Arguments,
) -> Reading {
    let (depth, margin, beyond) =
        (arguments.number("depth"), arguments.number("margin"), arguments.number("beside"));
    let ends = match (beyond > 0.0, swing.map_or(0.0, |swing| swing.latch)) {
        (true, latch) if latch > 0.0 => vec![[0.0, beyond]],
        (true, latch) if latch < 0.0 => vec![[beyond, 0.0]],
        // where the handle may be at either end, either will do
        (true, _) => vec![[0.0, beyond], [beyond, 0.0]],
        _ => vec![[-margin, -margin]],
    };
    let depths = ends.into_iter().map(|ends| {
        let prism = prism(door, side, ends, depth, arguments.number("above"));
        nearest(context, door, &prism, depth)
    });
    let best = depths.max_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or((depth, None));
    let (free, thing) = best;
    let Some(Obstacle { id, at, is_beside }) = thing else { return Reading::length(depth) };
    let name = words::name(context, id);
    let words = if is_beside { "stands beside its handle" } else { "stands there" };
    Reading::length((free - TOUCH).max(0.0)).about([id]).at(at).saying(format!("{name} {words}."))
}

/// The floor in front of one side as a box, its y axis away from the wall.
fn prism(door: &Door, side: usize, [left, right]: [f64; 2], depth: f64, above: f64) -> Prism {
    // turned so that y leads away from the wall on either side
    let (along, face, [left, right]) = if side == 1 {
        (door.along, door.across[1], [left, right])
    } else {
        (-door.along, door.across[0], [right, left])
    };
    let half = door.width / 2.0;
    Prism {
        origin: door.at(0.0, face).extend(door.sill),
        along,
        low: DVec3::new(-half - left + TOUCH, TOUCH, above),
        high: DVec3::new(
            half + right - TOUCH,
            depth - TOUCH,
            (door.head - door.sill - above).max(above + 0.1),
        ),
    }
}

/// The thing that ends the free floor before a door.
struct Obstacle {
    id: Id,
    /// A place of it, in metres of the world.
    at: DVec3,
    /// True if it stands beside the opening and not before it.
    is_beside: bool,
}

/// Returns true if an element is the wall of a door, or a part of it, as a layer is.
fn is_of_host(context: &Context<'_>, host: Option<Id>, id: Id) -> bool {
    let whole = |id| context.links.aggregate_parent(id);
    host.is_some_and(|host| id == host || whole(id) == Some(host) || whole(host) == Some(id))
}

/// The free depth of a box, and the thing that ends it.
fn nearest(context: &Context<'_>, door: &Door, prism: &Prism, depth: f64) -> (f64, Option<Obstacle>) {
    let host = context.links.host_of(door.element);
    let half = door.width / 2.0;
    let mut best = (depth, None);
    for element in context.subject.index.near(&prism.bounds(), 0.0) {
        let id = element.id();
        if id == door.element || is_of_host(context, host, id) || context.is_a(id, &LEFT_OUT) {
            continue;
        }
        if let Some(part) = prism.part(element).filter(|part| part.min.y < best.0) {
            let is_beside = part.min.x > half || part.max.x < -half;
            best = (part.min.y, Some(Obstacle { id, at: prism.world(part.centre()), is_beside }));
        }
    }
    best
}
