//! Interferences of two elements: one through the other, touching, too near, the same twice, one inside the other.
//!
//! A finding need not be a fault, which is not decided here: a door in its wall, a covering on its slab and the layers of a wall interfere
//! as they should. [`super::Relation`] says what binds a pair, so that callers can leave out what belongs together.

use super::{Element, Index, contact::contact, overlap::overlap, ray::apart};
use crate::math::Bounds;
use glam::DVec3;
use ifc::Id;
use rayon::prelude::*;
use std::sync::{
    Arc,
    atomic::{AtomicBool, AtomicUsize, Ordering},
};

/// The rules by which pairs interfere. Lengths in metres.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rules {
    /// Bodies that go no deeper into each other, and surfaces that are no farther apart, touch.
    pub tolerance: f64,
    /// Bodies that share no more than this (m³) touch at most, however deep a splinter reaches.
    pub least_volume: f64,
    /// Elements that are nearer than this are reported with their distance; nothing unless it is more than the tolerance.
    pub clearance: f64,
    /// True if touching pairs are reported, with the area that touches.
    pub touching: bool,
    /// The most pairs of near elements that are looked at; beyond it nothing is answered but a [`TooMany`].
    pub most_pairs: usize,
}

impl Default for Rules {
    /// A tenth of a millimetre, a cubic centimetre; penetrations alone; ten million pairs.
    fn default() -> Rules {
        Rules { tolerance: 1e-4, least_volume: 1e-6, clearance: 0.0, touching: false, most_pairs: 10_000_000 }
    }
}

/// The kinds of interference of two elements.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kind {
    /// One goes into the other.
    Hard {
        /// The depth, in metres: see [`super::Overlap::depth`].
        depth: f64,
        /// The volume they share, in m³; nothing where one of them encloses no volume.
        volume: Option<f64>,
    },
    /// Duplicates: one shape twice at one place.
    Duplicate {
        /// The volume they share, in m³.
        volume: Option<f64>,
    },
    /// The first lies wholly in the second.
    Inside {
        /// The volume of the first in cubic metres.
        volume: f64,
    },
    /// The second lies wholly in the first.
    Contains {
        /// The volume of the second in cubic metres.
        volume: f64,
    },
    /// They meet without going into each other.
    Touching {
        /// The area of faces that lie on each other, in square metres; 0 where only edges or corners meet.
        area: f64,
    },
    /// They are nearer than the clearance asked for.
    Clearance {
        /// The distance in metres.
        distance: f64,
    },
}

impl Kind {
    /// Returns true if the two share space: all but touching and clearance.
    pub fn is_hard(&self) -> bool {
        !matches!(self, Kind::Touching { .. } | Kind::Clearance { .. })
    }
}

/// A finding about two elements.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interference {
    /// The first element.
    pub a: Id,
    /// The second; of one scene the one with the greater number.
    pub b: Id,
    /// The kind of the interference.
    pub kind: Kind,
    /// A place to look at, in metres of the world.
    pub place: DVec3,
}

/// More pairs are near each other than may be looked at: elements lie on top of each other, or the margin is too wide.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// See [`Rules::most_pairs`].
    #[error(
        "more than {0} pairs of elements are near each other: choose fewer elements or a smaller clearance"
    )]
    TooMany(usize),
    /// The caller asked to stop.
    #[error("stopped before all pairs were looked at")]
    Stopped,
}

/// Returns the interference of two elements, as far as the rules ask; `None` where they leave each other alone.
pub fn interference(a: &Element, b: &Element, rules: &Rules) -> Option<Interference> {
    let margin = rules.tolerance.max(rules.clearance).max(0.0);
    if !a.bounds().meets(&b.bounds(), margin) {
        return None;
    }
    let found = |kind: Kind, place: DVec3| Some(Interference { a: a.id(), b: b.id(), kind, place });
    if is_same(a, b, rules) {
        let volume = a.is_solid().then(|| a.measures().volume.abs());
        return found(Kind::Duplicate { volume }, a.bounds().centre());
    }
    let mut enters = false;
    if let Some(shared) = overlap(a, b) {
        enters = true;
        let place = shared.bounds.centre();
        let (a_volume, b_volume) = (a.measures().volume.abs(), b.measures().volume.abs());
        if let Some(volume) = shared.volume {
            if volume > rules.least_volume && shared.depth > rules.tolerance {
                // what is left outside is thinner than the tolerance all around
                let within = |own: f64, area: f64, inner: &Bounds, outer: &Bounds| {
                    own - volume <= (1e-6 * own).max((rules.tolerance * area).min(1e-3 * own))
                        && holds(outer, inner, rules.tolerance)
                };
                let (a_box, b_box) = (a.bounds(), b.bounds());
                let kind = if within(a_volume, a.measures().area, &a_box, &b_box) {
                    Kind::Inside { volume: a_volume }
                } else if within(b_volume, b.measures().area, &b_box, &a_box) {
                    Kind::Contains { volume: b_volume }
                } else {
                    Kind::Hard { depth: shared.depth, volume: Some(volume) }
                };
                return found(kind, place);
            }
        } else if shared.depth > rules.tolerance {
            return found(Kind::Hard { depth: shared.depth, volume: None }, place);
        }
    }
    if !rules.touching && rules.clearance <= rules.tolerance {
        return None;
    }
    let distance = a.distance(b, margin);
    let metres = distance.map_or(f64::INFINITY, |d| d.metres);
    if enters || metres <= rules.tolerance {
        if !rules.touching {
            return None;
        }
        let place = distance.map_or_else(|| a.bounds().centre(), |d| d.points[0]);
        let contact = contact(a, b, rules.tolerance);
        return found(Kind::Touching { area: contact.area() }, contact.middle().unwrap_or(place));
    }
    let near = distance.filter(|_| metres <= rules.clearance)?;
    found(Kind::Clearance { distance: metres }, near.points[0])
}

/// Returns true if a box holds another, to a tolerance.
fn holds(outer: &Bounds, inner: &Bounds, by: f64) -> bool {
    (0..3).all(|i| outer.min[i] <= inner.min[i] + by && inner.max[i] <= outer.max[i] + by)
}

/// Returns true if two elements have one shape at one place: box, volume and surface agree, and the corners of either
/// lie on the other.
fn is_same(a: &Element, b: &Element, rules: &Rules) -> bool {
    let (a_box, b_box) = (a.bounds(), b.bounds());
    let by = rules.tolerance;
    if a_box.is_empty() || !holds(&a_box, &b_box, by) || !holds(&b_box, &a_box, by) {
        return false;
    }
    let (m, n) = (a.measures(), b.measures());
    let reach = by * m.area.max(n.area) + 1e-9;
    if m.is_closed() != n.is_closed()
        || (m.is_closed() && (m.volume.abs() - n.volume.abs()).abs() > reach)
        || (m.area - n.area).abs() > 0.01 * m.area.max(n.area)
    {
        return false;
    }
    if Arc::ptr_eq(a.mesh(), b.mesh()) || a.mesh().positions == b.mesh().positions {
        return true;
    }
    let lies_on = |one: &Element, other: &Element| {
        one.mesh().positions.iter().all(|p| {
            !p.is_finite() || other.nearest_surface_point(*p, by).is_some_and(|(_, q)| apart(*p, q) <= by)
        })
    };
    lies_on(a, b) && lies_on(b, a)
}

/// All pairs of elements that interfere: of one scene with itself, or of two with each other. In the order of their numbers,
/// whatever the number of threads.
///
/// `go_on` is told how many of how many pairs are done, from any thread; where it answers no, the rest is not looked at.
pub fn interferences(
    scene: &Index,
    other: Option<&Index>,
    rules: &Rules,
    go_on: &(dyn Fn(usize, usize) -> bool + Sync),
) -> Result<Vec<Interference>, Refused> {
    let margin = rules.tolerance.max(rules.clearance).max(0.0);
    let Some(pairs) = scene.near_pairs(other, margin, rules.most_pairs) else {
        return Err(Refused::TooMany(rules.most_pairs));
    };
    let (done, stopped) = (AtomicUsize::new(0), AtomicBool::new(false));
    let found: Vec<Interference> = pairs
        .par_iter()
        .filter_map(|(a, b)| {
            if stopped.load(Ordering::Relaxed) {
                return None;
            }
            let found = interference(a, b, rules);
            if !go_on(done.fetch_add(1, Ordering::Relaxed) + 1, pairs.len()) {
                stopped.store(true, Ordering::Relaxed);
            }
            found
        })
        .collect();
    if stopped.into_inner() { Err(Refused::Stopped) } else { Ok(found) }
}
