//! Places of the world on a drawing's page.

use geometry::section::Plane;
use glam::{DVec2, DVec3};

/// How places of the world lie on the page of a drawing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Place {
    /// The plane that the drawing is a view of.
    pub plane: Plane,
    /// The place on the page of the plane's origin, in mm.
    pub origin: DVec2,
    /// Millimetres of paper by metre.
    pub factor: f64,
    /// One, or minus one where the plane is seen in a mirror on the floor.
    pub mirror: f64,
    /// Metres before and behind the plane of what belongs to the drawing: a plan has what stands on its floor up to the next one, also
    /// above its cut.
    pub reach: [f64; 2],
}

impl Place {
    /// A point of the plane on the page.
    pub fn flat(&self, p: DVec2) -> DVec2 {
        self.origin + p * DVec2::new(self.factor, -self.factor * self.mirror)
    }

    /// A point of the world on the page, wherever it lies before or behind the plane.
    pub fn project(&self, p: DVec3) -> DVec2 {
        self.flat(self.plane.flat(p).truncate())
    }

    /// The place in the world of the page's upper left corner, and how far in the world one goes by a millimetre of paper to the right and
    /// down, all in metres and in the plane.
    pub fn corner(&self) -> [DVec3; 3] {
        let step = DVec2::new(self.factor, -self.factor * self.mirror).recip();
        let axes = self.plane.frame().matrix3;
        [self.plane.lift(-self.origin * step), axes.x_axis * step.x, axes.y_axis * step.y]
    }

    /// A point of the world on the page; `None` where it is not finite, or lies too far before or behind the plane to belong there.
    pub fn at(&self, p: DVec3) -> Option<DVec2> {
        let depth = -self.plane.flat(p).z;
        let is_within = depth >= -self.reach[0] && depth <= self.reach[1];
        Some(self.project(p)).filter(|q| is_within && q.is_finite())
    }
}
