//! The place of a thing: the rigid frame of a placement, in millimetres, between its own coordinates and the world's.

use contract::Fault;
use glam::{DAffine3, DVec2, DVec3};
use ifc::{Id, Model};
use std::ops::{Deref, Mul};

/// Axes and origin of a local coordinate system, in mm: the rigid map from its own coordinates to the outer ones.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Frame(pub DAffine3);

impl Deref for Frame {
    type Target = DAffine3;

    fn deref(&self) -> &DAffine3 {
        &self.0
    }
}

/// A frame that is given within another one, seen from where that one is.
impl Mul for Frame {
    type Output = Self;

    fn mul(self, inner: Self) -> Self {
        Self(self.0 * inner.0)
    }
}

impl Frame {
    /// The outer system itself.
    pub const WORLD: Self = Self(DAffine3::IDENTITY);

    /// The outer system moved to an origin.
    pub fn at(origin: impl Into<DVec3>) -> Self {
        Self(DAffine3::from_translation(origin.into()))
    }

    /// A frame in plan: origin, and the direction of x.
    pub fn in_plan(origin: DVec3, x: DVec2) -> Self {
        Self(DAffine3::from_cols(x.extend(0.0), x.perp().extend(0.0), DVec3::Z, origin))
    }

    /// The world frame of a placement, read with the file's unit of length in mm; the world itself where there is none. A Fault for
    /// a placement that leads nowhere (a cycle, no placement).
    pub fn of_placement(model: &Model, placement: Option<Id>, length_mm: f64) -> Result<Self, Fault> {
        let Some(placement) = placement else { return Ok(Self::WORLD) };
        let in_file_units = ifc::placement::resolved(model, placement).ok_or_else(|| {
            Fault::constraint(format!(
                "The placement {placement} cannot be resolved: it runs in a circle or is none. Repair the file first."
            ))
        })?;
        Ok(Self::from_file_units(in_file_units, length_mm))
    }

    /// The world frame of an element, read with the file's unit of length in mm.
    pub fn of_element(model: &Model, element: Id, length_mm: f64) -> Result<Self, Fault> {
        let placement = model.get(element).and_then(|e| e.reference("ObjectPlacement"));
        Self::of_placement(model, placement, length_mm)
    }

    /// A map whose origin is in the file's unit of length, which is so many mm.
    pub fn from_file_units(map: DAffine3, length_mm: f64) -> Self {
        Self(map).with_origin(map.translation * length_mm)
    }

    /// Returns the frame with its axes at another origin, in mm.
    pub fn with_origin(self, origin: impl Into<DVec3>) -> Self {
        Self(DAffine3 { translation: origin.into(), ..self.0 })
    }

    /// The map with its origin in metres, as `geometry` has them.
    pub fn in_metres(&self) -> DAffine3 {
        DAffine3 { translation: self.translation / 1000.0, ..self.0 }
    }

    /// From outer coordinates to its own.
    pub fn into_own(&self, p: impl Into<DVec3>) -> DVec3 {
        self.turn_into_own(p.into() - self.translation)
    }

    /// This frame as it is told within another one.
    pub fn seen_from(&self, outer: &Self) -> Self {
        let matrix3 = outer.matrix3.transpose() * self.matrix3;
        Self(DAffine3 { matrix3, translation: outer.into_own(self.translation) })
    }

    /// A direction from outer to own.
    pub fn turn_into_own(&self, d: DVec3) -> DVec3 {
        self.matrix3.transpose() * d
    }

    /// Returns true if its z points up.
    pub fn is_upright(&self) -> bool {
        self.z_axis.z > 1.0 - 1e-6
    }
}
