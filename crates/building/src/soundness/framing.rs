//! Members of a frame that go into each other: where they meet, as a beam in a column or two braces, that is a node; where they run in
//! each other, stand in each other, or where pads lie in each other, it is not.

use geometry::query::{Element, overlap};
use glam::DVec3;
use ifc::{Id, Model};

/// Members of a frame.
pub const FRAME: [&str; 5] = ["IfcBeam", "IfcColumn", "IfcMember", "IfcFooting", "IfcPile"];
/// Members below a frame, which frame into nothing.
const FOUNDATION: [&str; 2] = ["IfcFooting", "IfcPile"];
/// The least cosine between members that run the same way.
const SAME_WAY: f64 = 0.94;
/// How many times longer than thick a member is that has a way.
const SLENDER: f64 = 2.0;
/// The part of the lesser of two bodies that they share at most where neither has a way, or both are of one class.
const SHARE: f64 = 0.1;

/// A member by its corners: the way that it runs, how long it is along that, and how thick.
pub(super) struct Rod {
    pub(super) way: DVec3,
    pub(super) length: f64,
    thickness: f64,
}

impl Rod {
    pub(super) fn from_body(body: &Element) -> Option<Self> {
        let corners: Vec<DVec3> = body.mesh().positions.iter().copied().filter(|p| p.is_finite()).collect();
        let first = *corners.first()?;
        let far = |from: DVec3| {
            corners.iter().copied().max_by(|p, q| p.distance(from).total_cmp(&q.distance(from)))
        };
        // the middle of what lies at either end of the longest line through it
        let one = far(first)?;
        let other = far(one)?;
        let rough = (other - one).try_normalize()?;
        let middle = |towards: f64| {
            let reach = |p: &DVec3| towards * p.dot(rough);
            let most = corners.iter().map(reach).fold(f64::NEG_INFINITY, f64::max);
            let length = one.distance(other);
            let at_end: Vec<DVec3> =
                corners.iter().copied().filter(|p| most - reach(p) < length / 4.0).collect();
            let (low, high) = at_end
                .iter()
                .fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), p| (low.min(*p), high.max(*p)));
            low.midpoint(high)
        };
        let (start, end) = (middle(-1.0), middle(1.0));
        let way = (end - start).try_normalize()?;
        let along = corners.iter().map(|p| (*p - start).dot(way));
        let (low, high) = along.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), v| (a.min(v), b.max(v)));
        let off = |p: &DVec3| (*p - start).reject_from_normalized(way).length();
        let thickness = 2.0 * corners.iter().map(off).fold(0.0, f64::max);
        Some(Self { way, length: high - low, thickness })
    }

    pub(super) fn is_slender(&self) -> bool {
        self.length > SLENDER * self.thickness
    }
}

/// Returns true if two members of a frame share more than the node in which they meet.
pub fn goes_too_far(
    model: &Model,
    (a, one): (Id, &Element),
    (b, other): (Id, &Element),
    volume: f64,
) -> bool {
    let (Some(first), Some(second)) = (Rod::from_body(one), Rod::from_body(other)) else { return false };
    let lesser = one.measures().volume.abs().min(other.measures().volume.abs());
    let is_large = volume > SHARE * lesser;
    let is_any =
        |id: Id, classes: &[&str]| model.get(id).is_some_and(|e| classes.iter().any(|class| e.is_a(class)));
    let both = |classes: &[&str]| is_any(a, classes) && is_any(b, classes);
    if !first.is_slender() && !second.is_slender() {
        // pads, pile heads, short columns
        return is_large && (both(&FOUNDATION) || both(&["IfcColumn"]) || both(&["IfcBeam", "IfcMember"]));
    }
    if !(first.is_slender() && second.is_slender()) || first.way.dot(second.way).abs() < SAME_WAY {
        return false;
    }
    let Some(shared) = overlap(one, other) else { return false };
    let size = shared.bounds.max - shared.bounds.min;
    let along = size.abs().dot(first.way.abs());
    along > first.thickness.max(second.thickness)
}
