//! Where a thing stands: the rigid frame of a placement, in millimetres, between its own coordinates and the world's.

use crate::polygon::Point;
use contract::Fault;
use ifc::{Id, Model};

/// Axes and origin of a local coordinate system, in mm.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Frame {
    /// The x axis in the outer system.
    pub x: [f64; 3],
    /// The y axis.
    pub y: [f64; 3],
    /// The z axis.
    pub z: [f64; 3],
    /// The origin.
    pub origin: [f64; 3],
}

impl Frame {
    /// The outer system itself.
    pub const WORLD: Self =
        Self { x: [1.0, 0.0, 0.0], y: [0.0, 1.0, 0.0], z: [0.0, 0.0, 1.0], origin: [0.0, 0.0, 0.0] };

    /// The world frame of a placement; the world itself where there is none. A Fault for a placement that leads
    /// nowhere (a cycle, a missing point).
    pub fn of_placement(model: &Model, placement: Option<Id>, length_mm: f64) -> Result<Self, Fault> {
        let Some(placement) = placement else { return Ok(Self::WORLD) };
        let m = ifc::placement::world(model, placement).ok_or_else(|| {
            Fault::constraint(format!(
                "The placement {placement} cannot be resolved: it runs in a circle or lacks its point. Repair the file first."
            ))
        })?;
        let column = |j: usize| [m.0[0][j], m.0[1][j], m.0[2][j]];
        Ok(Self { x: column(0), y: column(1), z: column(2), origin: column(3).map(|c| c * length_mm) })
    }

    /// The world frame of an element.
    pub fn of_element(model: &Model, element: Id, length_mm: f64) -> Result<Self, Fault> {
        let placement = model.get(element).and_then(|e| e.reference("ObjectPlacement"));
        Self::of_placement(model, placement, length_mm)
    }

    /// A frame in plan: origin, and the direction of x.
    pub fn in_plan(origin: [f64; 3], x: Point) -> Self {
        Self { x: [x[0], x[1], 0.0], y: [-x[1], x[0], 0.0], z: [0.0, 0.0, 1.0], origin }
    }

    /// From own coordinates to the outer ones.
    pub fn out(&self, p: [f64; 3]) -> [f64; 3] {
        std::array::from_fn(|i| self.origin[i] + self.x[i] * p[0] + self.y[i] * p[1] + self.z[i] * p[2])
    }

    /// From outer coordinates to its own.
    pub fn into_own(&self, p: [f64; 3]) -> [f64; 3] {
        self.turn_into_own(std::array::from_fn(|i| p[i] - self.origin[i]))
    }

    /// A direction from own to outer.
    pub fn turn_out(&self, d: [f64; 3]) -> [f64; 3] {
        std::array::from_fn(|i| self.x[i] * d[0] + self.y[i] * d[1] + self.z[i] * d[2])
    }

    /// A direction from outer to own.
    pub fn turn_into_own(&self, d: [f64; 3]) -> [f64; 3] {
        let along = |axis: [f64; 3]| axis[0] * d[0] + axis[1] * d[1] + axis[2] * d[2];
        [along(self.x), along(self.y), along(self.z)]
    }

    /// This frame, given within `outer`, seen from where `outer` is.
    pub fn within(&self, outer: &Self) -> Self {
        Self {
            x: outer.turn_out(self.x),
            y: outer.turn_out(self.y),
            z: outer.turn_out(self.z),
            origin: outer.out(self.origin),
        }
    }

    /// Returns true if its z points up.
    pub fn is_upright(&self) -> bool {
        self.z[2] > 1.0 - 1e-6
    }
}
