//! Pairs of elements that share space as buildings are drawn by custom, and are built without a conflict.
//!
//! Floors are drawn without their finishes, so that what stands on them reaches into these; beams bear in pockets of walls that nobody
//! draws; rafters, lintels and ring beams lie in the roof or wall that is drawn over them; slabs bear in the walls at their edge, and
//! walls of several storeys go on through slabs. Depths and levels bound each of them, so that an element at a wrong place is none.

use super::framing::Rod;
use geometry::query::{Element, Interference, Kind};
use glam::DVec3;
use ifc::{Id, Model};

/// The reason why a pair may share space.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Custom {
    /// One stands in the finish of a floor, or reaches no deeper into its slab or wall than finishes are thick.
    Finish,
    /// A beam or member bears in a wall with its end.
    Bearing,
    /// A beam or member lies in the wall, slab or roof that is drawn around it.
    Encased,
    /// A slab bears in a wall at its edge, or a wall of several storeys goes on through it.
    CastIn,
}

impl Custom {
    /// Every custom, in their order.
    pub const ALL: [Self; 4] = [Self::Finish, Self::Bearing, Self::Encased, Self::CastIn];

    /// The custom in words, of so many pairs: `stand in the finish of a floor`.
    pub fn words(self) -> &'static str {
        match self {
            Self::Finish => "reach into a floor or wall by no more than its finish",
            Self::Bearing => "are beams that bear in a wall",
            Self::Encased => "are beams or members within the wall, slab or roof that is drawn around them",
            Self::CastIn => "are slabs and walls that are cast into each other",
        }
    }
}

/// The thickness of finishes on floors and walls, in metres.
pub const FINISH: f64 = 0.030;
/// Classes of what is fitted into a building.
pub const FITTED: [&str; 7] = [
    "IfcDoor",
    "IfcWindow",
    "IfcFurnishingElement",
    "IfcFlowTerminal",
    "IfcStair",
    "IfcStairFlight",
    "IfcRailing",
];
/// Classes of beams and lesser members, which lie in what is drawn around them.
const MEMBERS: [&str; 2] = ["IfcBeam", "IfcMember"];
/// Classes of what is drawn around members.
const ENCLOSING: [&str; 4] = ["IfcWall", "IfcSlab", "IfcRoof", "IfcPlate"];
/// The share of its body that a member has in what is drawn around it, at least.
const ENCASED: f64 = 0.8;
/// The longest bearing of a beam in metres, and the share of its length.
const BEARING: (f64, f64) = (0.5, 0.25);
/// A wall of several storeys goes on so far above and below a slab at least, in metres.
const GOES_ON: f64 = 0.5;
/// The top of a slab lies so near to the floor of a storey, in metres.
const AT_FLOOR: f64 = 0.2;
/// Slabs are no thicker, in metres.
const THICK: f64 = 0.8;
/// Faces in one plane differ by no more, in metres.
const FLUSH: f64 = 5e-3;

/// Returns the custom by which two elements share space, if there is one. `floors` are the heights of the storeys' floors in metres.
pub fn custom(
    model: &Model,
    a: &Element,
    b: &Element,
    found: &Interference,
    floors: impl FnOnce() -> Vec<f64>,
) -> Option<Custom> {
    let is_any =
        |id: Id, classes: &[&str]| model.get(id).is_some_and(|e| classes.iter().any(|class| e.is_a(class)));
    let pair = |one: &[&str], other: &[&str]| {
        if is_any(a.id(), one) && is_any(b.id(), other) {
            Some((a, b))
        } else if is_any(b.id(), one) && is_any(a.id(), other) {
            Some((b, a))
        } else {
            None
        }
    };
    if let Some((thing, slab)) = pair(&["IfcElement"], &["IfcSlab"])
        && !is_any(thing.id(), &["IfcSlab"])
        && stands_in_finish(thing, slab, is_any(thing.id(), &FITTED) || is_any(thing.id(), &MEMBERS))
    {
        return Some(Custom::Finish);
    }
    let is_shallow = matches!(found.kind, Kind::Hard { depth, .. } if depth <= FINISH);
    let fitting = pair(&["IfcStair", "IfcStairFlight"], &["IfcSlab", "IfcStair"])
        .or_else(|| pair(&["IfcDoor", "IfcWindow"], &["IfcWall"]));
    if is_shallow && fitting.is_some() {
        return Some(Custom::Finish);
    }
    if let Some((member, around)) = pair(&MEMBERS, &ENCLOSING) {
        if is_encased(member, found) {
            return Some(Custom::Encased);
        }
        return (is_any(around.id(), &["IfcWall"]) && bears(member, around)).then_some(Custom::Bearing);
    }
    let (wall, slab) = pair(&["IfcWall"], &["IfcSlab"])?;
    is_cast_in(wall, slab, floors).then_some(Custom::CastIn)
}

/// Returns true if the foot of something lies in the uppermost part of a slab, as thick as a finish; of what is not fitted in, if the slab
/// is no thicker than one.
fn stands_in_finish(thing: &Element, slab: &Element, is_fitted: bool) -> bool {
    let (own, floor) = (thing.bounds(), slab.bounds());
    let is_finish = floor.max.z - floor.min.z <= FINISH;
    let is_low = own.max.z > floor.max.z + FINISH;
    is_low && (is_finish || (is_fitted && own.min.z >= floor.max.z - FINISH - 1e-6))
}

/// Returns true if most of a member lies in the other element.
fn is_encased(member: &Element, found: &Interference) -> bool {
    let whole = member.measures().volume.abs();
    match found.kind {
        Kind::Hard { volume: Some(volume), .. } => volume >= ENCASED * whole,
        Kind::Inside { .. } => found.a == member.id(),
        Kind::Contains { .. } => found.b == member.id(),
        _ => false,
    }
}

/// Returns true if a wall holds an end of a member and little more of its length.
fn bears(member: &Element, wall: &Element) -> bool {
    let Some(rod) = Rod::from_body(member).filter(Rod::is_slender) else { return false };
    let extent = |body: &Element| {
        let along = body.mesh().positions.iter().filter(|p| p.is_finite()).map(|p| p.dot(rod.way));
        along.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)))
    };
    let ((start, end), (from, to)) = (extent(member), extent(wall));
    let shared = end.min(to) - start.max(from);
    let holds_end = from <= start + FLUSH || to >= end - FLUSH;
    holds_end && shared <= BEARING.0.min(BEARING.1 * rod.length)
}

/// Returns true if a slab at the floor of a storey lies with its edge in a wall that is as high there as the slab is thick, or the wall
/// goes on above and below it.
fn is_cast_in(wall: &Element, slab: &Element, floors: impl FnOnce() -> Vec<f64>) -> bool {
    let (own, plate) = (wall.bounds(), slab.bounds());
    let is_plate = plate.max.z - plate.min.z <= THICK;
    let is_covered = own.min.z <= plate.min.z + FLUSH && own.max.z >= plate.max.z - FLUSH;
    if !is_plate || !is_covered {
        return false;
    }
    let goes_on = own.min.z <= plate.min.z - GOES_ON && own.max.z >= plate.max.z + GOES_ON;
    if !goes_on && !reaches_beyond(wall, slab) {
        return false;
    }
    floors().iter().any(|floor| (floor - plate.max.z).abs() <= AT_FLOOR)
}

/// Returns true if corners of a wall, at half the height of a slab, lie beside that slab.
fn reaches_beyond(wall: &Element, slab: &Element) -> bool {
    let level = f64::midpoint(slab.bounds().min.z, slab.bounds().max.z);
    let middle = wall.bounds().centre().with_z(level);
    let mut corners = wall.mesh().positions.iter().filter(|p| p.is_finite());
    corners.any(|corner| {
        let corner = corner.with_z(level);
        // corners on the slab's own edge lie beside it
        let out = (corner - middle).try_normalize().unwrap_or(DVec3::ZERO) * FLUSH;
        !slab.contains(corner + out)
    })
}
