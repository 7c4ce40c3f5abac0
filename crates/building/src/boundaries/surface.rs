//! Flat surfaces of boundaries, compared.

use super::boundary::NewBoundary;
use geometry::Shaper;
use geometry::item::Pieces;
use geometry::math::orthonormal;
use geometry::region::{self, Area, Loop};
use glam::{DAffine3, DVec3};
use ifc::Id;

/// A flat part of a boundary's surface, in metres of the world.
#[derive(Debug, Clone)]
pub(super) struct Surface {
    pub plane: DAffine3,
    pub loops: Vec<Loop>,
}

/// Surfaces are the same to this distance, in metres.
const SAME: f64 = 1e-5;

/// The surfaces of a boundary in its room, whose placement is given in metres.
pub(super) fn surfaces(shaper: &Shaper<'_>, relation: Id, frame: &DAffine3) -> Vec<Surface> {
    let model = shaper.reader.model;
    let geometry = model.get(relation).and_then(|it| model.get(it.reference("ConnectionGeometry")?));
    let Some(surface) = geometry.and_then(|it| it.reference("SurfaceOnRelatingElement")) else {
        return Vec::new();
    };
    let mut pieces = Pieces::default();
    shaper.item(surface, frame, None, 0, &mut pieces);
    let whole = pieces.pieces.iter().filter(|piece| !piece.is_box);
    let faces = whole.flat_map(|piece| piece.solid.solid().moved(&piece.at).faces);
    let flat = faces.filter_map(|face| {
        let (normal, origin) = (face.normal()?, *face.loops.first()?.first()?);
        let level = DVec3::Z.cross(normal);
        let plane = orthonormal(origin, normal, if level.length() > 1e-3 { level } else { DVec3::X });
        let own = |p: &DVec3| plane.inverse().transform_point3(*p).truncate();
        Some(Surface { plane, loops: face.loops.iter().map(|l| l.iter().map(own).collect()).collect() })
    });
    flat.collect()
}

impl Surface {
    /// The surface that a boundary is to have.
    pub(super) fn wanted(new: &NewBoundary) -> Self {
        Self { plane: new.plane, loops: new.area.loops().cloned().collect() }
    }

    /// The outline of another surface as it falls on this one along the normal.
    fn project(&self, other: &Self) -> Vec<Loop> {
        let into = self.plane.inverse();
        let one =
            |p: &glam::DVec2| into.transform_point3(other.plane.transform_point3(p.extend(0.0))).truncate();
        other.loops.iter().map(|l| l.iter().map(one).collect()).collect()
    }

    /// The distance at which another surface lies before this one, in metres.
    pub(super) fn distance(&self, other: &Self) -> f64 {
        (other.plane.translation - self.plane.translation).dot(self.plane.z_axis)
    }

    /// The cosine of the angle to another one.
    pub(super) fn turn(&self, other: &Self) -> f64 {
        self.plane.z_axis.dot(other.plane.z_axis)
    }

    /// The area in m² that both cover, seen along the normal.
    pub(super) fn shared(&self, other: &Self) -> f64 {
        region::intersection(&self.loops, &self.project(other)).iter().map(Area::size).sum()
    }

    /// The area in m².
    pub(super) fn size(&self) -> f64 {
        region::even_odd(&self.loops).iter().map(Area::size).sum()
    }

    /// True if both are one surface that looks one way.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        if self.turn(other) < 1.0 - 1e-9 || self.distance(other).abs() > SAME {
            return false;
        }
        let seen = self.project(other);
        let around: f64 = self.loops.iter().chain(&seen).map(|l| region::perimeter(l)).sum();
        let only = |a: &[Loop], b: &[Loop]| region::difference(a, b).iter().map(Area::size).sum::<f64>();
        only(&self.loops, &seen) + only(&seen, &self.loops) < SAME * around
    }
}
