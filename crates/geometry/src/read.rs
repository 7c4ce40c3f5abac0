//! Reading points, directions and placements of a model, in metres and radians whatever the file's units.

use crate::curve::Fineness;
use crate::math::orthonormal;
use glam::{DAffine3, DVec3};
use ifc::placement::unit;
use ifc::{Id, Instance, Model};

/// The most levels that representations, curves and boolean trees may nest before they count as endless.
pub const MAX_DEPTH: usize = 32;

/// Why something has no shape, and which instance says so.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{item}: {reason}")]
pub struct ShapeError {
    /// The instance at fault.
    pub item: Id,
    /// The reason, in a few words.
    pub reason: String,
}

impl ShapeError {
    /// An error about an instance.
    pub fn new(item: Id, reason: impl Into<String>) -> ShapeError {
        ShapeError { item, reason: reason.into() }
    }
}

/// A model with the factors that turn its units into ours.
#[derive(Clone)]
pub struct Reader<'m> {
    /// The model.
    pub model: &'m Model,
    /// Metres per length unit of the file.
    pub metre: f64,
    /// Radians per plane angle unit of the file.
    pub radian: f64,
    /// The rule by which arcs become chords.
    pub fineness: Fineness,
}

impl<'m> Reader<'m> {
    /// A reader of a model, by its unit assignment.
    pub fn new(model: &'m Model) -> Reader<'m> {
        let units = ifc::units::Units::from_model(model);
        let sound = |v: f64, or: f64| if v.is_finite() && v > 0.0 { v } else { or };
        Reader {
            model,
            metre: sound(units.length_mm, 1000.0) / 1000.0,
            radian: sound(units.angle_deg, 180.0 / std::f64::consts::PI).to_radians(),
            fineness: Fineness::Drawn,
        }
    }

    /// The instance, or an error that says who wanted it.
    pub fn get(&self, id: Id) -> Result<Instance<'m>, ShapeError> {
        self.model.get(id).ok_or_else(|| ShapeError::new(id, "is not in the file"))
    }

    /// An attribute that refers to an instance.
    pub fn reference(&self, of: &Instance<'m>, name: &str) -> Result<Id, ShapeError> {
        of.reference(name).ok_or_else(|| ShapeError::new(of.id(), format!("{name} is missing")))
    }

    /// A length attribute in metres: finite and below 10,000 km.
    pub fn length(&self, of: &Instance<'m>, name: &str) -> Result<f64, ShapeError> {
        let value = of.number(name).map(|v| v * self.metre);
        value
            .filter(|v| v.is_finite() && v.abs() < 1e7)
            .ok_or_else(|| ShapeError::new(of.id(), format!("{name} is missing or absurd")))
    }

    /// A length attribute in metres, or zero where it is not given.
    pub fn length_or_zero(&self, of: &Instance<'m>, name: &str) -> f64 {
        self.length(of, name).unwrap_or(0.0)
    }

    /// An `IfcCartesianPoint` (2D has z = 0) in metres.
    pub fn point(&self, id: Id) -> Result<DVec3, ShapeError> {
        let mut p = [0.0; 3];
        let count = self.get(id)?.numbers("Coordinates", &mut p);
        let p = DVec3::from(p) * self.metre;
        (count.is_some_and(|n| n > 1) && p.abs().cmplt(DVec3::splat(1e9)).all())
            .then_some(p)
            .ok_or_else(|| ShapeError::new(id, "has no sound coordinates"))
    }

    /// An `IfcDirection` (2D has z = 0), at length one.
    pub fn direction(&self, id: Id) -> Option<DVec3> {
        let mut d = [0.0; 3];
        self.model.get(id)?.numbers("DirectionRatios", &mut d)?;
        unit(d.into())
    }

    fn direction_of(&self, of: &Instance<'m>, name: &str, or: DVec3) -> DVec3 {
        of.reference(name).and_then(|id| self.direction(id)).unwrap_or(or)
    }

    /// An `IfcAxis2Placement2D`, `IfcAxis2Placement3D` or `IfcAxis1Placement` (its axis is z) as a frame.
    pub fn axes(&self, id: Id) -> Result<DAffine3, ShapeError> {
        let a = self.get(id)?;
        let o = a.reference("Location").map_or(Ok(DVec3::ZERO), |l| self.point(l))?;
        let z = self.direction_of(&a, "Axis", DVec3::Z);
        let x = self.direction_of(&a, "RefDirection", DVec3::X);
        Ok(orthonormal(o, z, x))
    }

    /// A placement attribute, or the identity where it is not given.
    pub fn axes_of(&self, of: &Instance<'m>, name: &str) -> Result<DAffine3, ShapeError> {
        of.reference(name).map_or(Ok(DAffine3::IDENTITY), |id| self.axes(id))
    }

    /// An `IfcCartesianTransformationOperator` of any kind: may mirror and scale, also unevenly.
    pub fn operator(&self, id: Id) -> Result<DAffine3, ShapeError> {
        let op = self.get(id)?;
        let flat = op.is_a("IfcCartesianTransformationOperator2D");
        let o = op.reference("LocalOrigin").map_or(Ok(DVec3::ZERO), |l| self.point(l))?;
        let z = if flat { DVec3::Z } else { self.direction_of(&op, "Axis3", DVec3::Z) };
        let frame = orthonormal(o, z, self.direction_of(&op, "Axis1", DVec3::X));
        // Axis2 only says which of the two perpendiculars y is: the other one mirrors
        let y = op.reference("Axis2").and_then(|d| self.direction(d)).unwrap_or(frame.y_axis);
        let y = if y.dot(frame.y_axis) < 0.0 { -frame.y_axis } else { frame.y_axis };
        let factor =
            |name: &str, or: f64| op.number(name).filter(|v| v.is_finite() && *v != 0.0).unwrap_or(or);
        let s = factor("Scale", 1.0);
        let (s2, s3) = (factor("Scale2", s), factor("Scale3", s));
        debug_assert!(unit(frame.x_axis.cross(y)).is_some());
        Ok(DAffine3::from_cols(frame.x_axis * s, y * s2, frame.z_axis * s3, o))
    }

    /// The world frame of an `IfcObjectPlacement`, in metres.
    pub fn world(&self, placement: Id) -> Option<DAffine3> {
        let mut frame = ifc::placement::world(self.model, placement)?;
        frame.translation *= self.metre;
        (frame.is_finite() && frame.translation.length() < 1e9).then_some(frame)
    }
}
