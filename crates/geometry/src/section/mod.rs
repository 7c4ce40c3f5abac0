//! Sections: what a plane cuts of bodies, as areas with holes in the plane's own coordinates. Plans and elevations are drawn of them.
//!
//! The convention for a body that touches the plane: the cut is the one **just below** it, on the side that the normal points
//! away from. A plane in a block's top face gives the face, one in its bottom face gives nothing; a plane through a single
//! corner gives nothing. Points nearer to the plane than a small part of the body's size count as in it.
//!
//! Areas of one element are united, whatever items they come from. What does not close (surfaces, bodies with gaps) is left as
//! lines. What is seen beyond the plane is not here.

mod layers;
mod outline;
#[cfg(test)]
mod tests;

pub use layers::{LayerPiece, Layers};

use crate::math::orthonormal;
use crate::{
    item::Shaper,
    math::Bounds,
    mesh::Mesh,
    read::ShapeError,
    region::{self, Area, Loop},
    solid::Solid,
};
use glam::{DAffine3, DVec2, DVec3};
use ifc::Id;
use ifc::placement::unit;
use rayon::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A plane with coordinates of its own, in metres.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Plane {
    frame: DAffine3,
}

impl Plane {
    /// The plane through a point, with a normal and a hint for its x direction. `None` where the normal has no direction or a
    /// number is not finite.
    pub fn new(origin: DVec3, normal: DVec3, x: DVec3) -> Option<Plane> {
        let sound = origin.is_finite() && x.is_finite() && unit(normal).is_some();
        sound.then(|| Plane { frame: orthonormal(origin, normal, x) })
    }

    /// The level plane at a height, seen from above: its coordinates are the world's x and y.
    pub fn level(height: f64) -> Option<Plane> {
        Plane::new(DVec3::new(0.0, 0.0, height), DVec3::Z, DVec3::X)
    }

    /// Its origin, its two directions and its normal (z).
    pub fn frame(&self) -> &DAffine3 {
        &self.frame
    }

    /// A point in space as coordinates in the plane and the height above it.
    pub fn flat(&self, p: DVec3) -> DVec3 {
        let d = p - self.frame.translation;
        DVec3::new(d.dot(self.frame.x_axis), d.dot(self.frame.y_axis), d.dot(self.frame.z_axis))
    }

    /// A point of the plane in space.
    pub fn lift(&self, p: DVec2) -> DVec3 {
        self.frame.transform_point3(p.extend(0.0))
    }

    /// The least and greatest height of some points over the plane; empty (least above greatest) without points.
    fn heights(&self, points: impl IntoIterator<Item = DVec3>) -> (f64, f64) {
        points.into_iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), p| {
            let h = self.flat(p).z;
            (low.min(h), high.max(h))
        })
    }
}

/// The outline that a plane cuts of something, in the plane's coordinates, in metres.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Outline {
    /// Areas that neither overlap nor cross themselves: boundary counter-clockwise about the plane's normal, holes clockwise.
    pub areas: Vec<Area>,
    /// Lines of surfaces, and of bodies that do not close.
    pub lines: Vec<Loop>,
    /// True if a body is missing because the plane crosses more of its faces than can be made into an outline.
    pub is_partial: bool,
}

impl Outline {
    /// The areas' size in square metres.
    pub fn size(&self) -> f64 {
        self.areas.iter().map(Area::size).sum()
    }

    /// The length of the areas' outer boundaries in metres.
    pub fn perimeter(&self) -> f64 {
        self.areas.iter().map(|a| region::perimeter(&a.outer)).sum()
    }

    /// The box around it, as (least, greatest) coordinates; `None` where nothing was cut.
    pub fn bounds(&self) -> Option<(DVec2, DVec2)> {
        let loops = self.areas.iter().map(|a| &a.outer).chain(&self.lines);
        let b = Bounds::from_points(loops.flatten().map(|p| p.extend(0.0)));
        (!b.is_empty()).then_some((DVec2::new(b.min.x, b.min.y), DVec2::new(b.max.x, b.max.y)))
    }

    fn is_empty(&self) -> bool {
        self.areas.is_empty() && self.lines.is_empty()
    }

    /// Several outlines as one.
    pub(crate) fn united(mut all: Vec<Outline>) -> Outline {
        let is_partial = all.iter().any(|o| o.is_partial);
        all.retain(|o| !o.is_empty());
        if all.len() < 2 {
            return Outline { is_partial, ..all.pop().unwrap_or_default() };
        }
        let loops: Vec<Loop> = all.iter().flat_map(|o| &o.areas).flat_map(|a| a.loops().cloned()).collect();
        let lines = all.into_iter().flat_map(|o| o.lines).collect();
        Outline { areas: region::union(&loops), lines, is_partial }
    }
}

/// Returns the outline that a plane cuts of one body.
pub fn of_solid(solid: &Solid, plane: &Plane) -> Outline {
    outline::cut_solid(solid, plane)
}

/// Returns the outline that a plane cuts of several bodies together.
pub fn of_solids<'s>(solids: impl IntoIterator<Item = &'s Solid>, plane: &Plane) -> Outline {
    Outline::united(solids.into_iter().map(|s| of_solid(s, plane)).collect())
}

/// Returns the outline that a plane cuts of triangles. A closed mesh gives areas by the direction of its triangles,
/// another by the even-odd rule.
pub fn of_mesh(mesh: &Mesh, plane: &Plane) -> Outline {
    outline::cut_mesh(mesh, plane)
}

/// The cut of a plane through one element.
#[derive(Debug, Clone, PartialEq)]
pub struct ElementCut {
    /// The element.
    pub element: Id,
    /// The outline, its openings taken out.
    pub outline: Outline,
    /// The parts of its shape that are missing or simplified, and why.
    pub notes: Vec<ShapeError>,
}

/// Returns what a plane cuts of one element, its openings taken out; an empty outline where it does not meet the
/// plane. An error where the element has no body.
pub fn of_element(shaper: &Shaper<'_>, id: Id, plane: &Plane) -> Result<ElementCut, ShapeError> {
    let bodies = shaper.bodies(id, true, &|piece, place| {
        let (low, high) = plane.heights(piece.solid.points().map(|p| place.transform_point3(p)));
        low <= outline::NEAR && high >= -outline::NEAR
    })?;
    let outline = of_solids(bodies.iter(), plane);
    let mut notes = bodies.notes;
    if outline.is_partial {
        notes.push(ShapeError::new(id, "has more faces in the plane than an outline is made of"));
    }
    Ok(ElementCut { element: id, outline, notes })
}

/// Returns what a plane cuts of many elements, in the order given and in parallel: those that it meets, and those
/// whose shape has something to say of itself. An element whose bodies cannot be made, or that has none, says why and
/// has an empty outline.
///
/// `go_on` is told how many elements are done, from any thread; where it answers no, the rest is not looked at and the answer
/// is `None`.
pub fn of_elements(
    shaper: &Shaper<'_>,
    ids: &[Id],
    plane: &Plane,
    go_on: &(dyn Fn(usize) -> bool + Sync),
) -> Option<Vec<ElementCut>> {
    let done = AtomicUsize::new(0);
    let cuts: Option<Vec<Option<ElementCut>>> = ids
        .par_iter()
        .with_max_len(1)
        .map(|id| {
            let cut = of_element(shaper, *id, plane).unwrap_or_else(|why| ElementCut {
                element: *id,
                outline: Outline::default(),
                notes: vec![why],
            });
            go_on(done.fetch_add(1, Ordering::Relaxed) + 1)
                .then(|| (!cut.outline.is_empty() || !cut.notes.is_empty()).then_some(cut))
        })
        .collect();
    cuts.map(|all| all.into_iter().flatten().collect())
}
