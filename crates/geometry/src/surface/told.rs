//! A surface's parameters as files tell them, for curves in them and for trims.
//!
//! Angles are in the file's unit and lengths in its own; where a curve is swept along a line or about an axis, its own parameter counts
//! (see [`crate::curve`]), and along the line the way of the extrusion counts one (ISO 10303-42, surface_of_linear_extrusion with
//! IfcSurfaceOfLinearExtrusion's ExtrusionAxis; surface_of_revolution).

use super::Surface;
use crate::{
    curve::Told as Point,
    read::{MAX_DEPTH, Reader, ShapeError},
};
use ifc::{Id, Instance};

/// The way a file tells the parameters of one surface.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Told([By; 2]);

/// The way a file tells one parameter.
#[derive(Debug, Clone, PartialEq)]
enum By {
    /// By so many of ours.
    Scale(f64),
    /// By the parameter of a swept curve, of which these belong to its points, ascending; whether it comes round again.
    Curve(Vec<f64>, bool),
}

impl Told {
    /// The file's parameters in the surface's.
    pub(crate) fn own(&self, [u, v]: [f64; 2]) -> [f64; 2] {
        let [a, b] = &self.0;
        [a.own(u), b.own(v)]
    }
}

impl By {
    fn own(&self, told: f64) -> f64 {
        match self {
            By::Scale(scale) => told * scale,
            By::Curve(marks, closed) => {
                let (Some(&first), Some(&last)) = (marks.first(), marks.last()) else { return 0.0 };
                let whole = last - first;
                let turns = if *closed && whole > 0.0 { ((told - first) / whole).floor() } else { 0.0 };
                let within = told - turns * whole;
                let end = marks.len().saturating_sub(1).max(1);
                // beyond its ends the curve goes straight on
                let i = marks.partition_point(|m| *m <= within).clamp(1, end);
                let (a, b) =
                    (marks.get(i - 1).copied().unwrap_or(first), marks.get(i).copied().unwrap_or(last));
                let share = if b > a { (within - a) / (b - a) } else { 0.0 };
                turns * end as f64 + (i - 1) as f64 + share
            }
        }
    }
}

impl<'m> Reader<'m> {
    /// Returns the way the file tells the parameters of the surface that it has at `id`.
    pub(crate) fn told_parameters(
        &self,
        id: Id,
        surface: &Surface,
        depth: usize,
    ) -> Result<Told, ShapeError> {
        let instance = self.get(id)?;
        if depth > MAX_DEPTH {
            return Err(ShapeError::new(id, "is nested too deeply"));
        }
        if let Some(basis) = instance.reference("BasisSurface") {
            return self.told_parameters(basis, surface, depth + 1);
        }
        Ok(Told(match surface {
            Surface::Plane(_) => [By::Scale(self.metre), By::Scale(self.metre)],
            Surface::Cylinder { .. } | Surface::Cone { .. } => {
                [By::Scale(self.radian), By::Scale(self.metre)]
            }
            Surface::Sphere { .. } | Surface::Torus { .. } => {
                [By::Scale(self.radian), By::Scale(self.radian)]
            }
            Surface::Spline(_) => [By::Scale(1.0), By::Scale(1.0)],
            Surface::Extruded { curve, .. } => {
                let along = self.by_curve(&instance, curve.len(), surface.periods()[0].is_some())?;
                [along, By::Scale(self.length(&instance, "Depth")?)]
            }
            Surface::Revolved { curve, .. } => {
                let along = self.by_curve(&instance, curve.len(), surface.periods()[1].is_some())?;
                [By::Scale(self.radian), along]
            }
        }))
    }

    /// Returns the way the parameter of a swept curve of so many points is told.
    fn by_curve(&self, surface: &Instance<'m>, points: usize, closed: bool) -> Result<By, ShapeError> {
        let profile = self.get(self.reference(surface, "SweptCurve")?)?;
        let unknown = || ShapeError::new(profile.id(), "is a profile whose parameters are not followed");
        let curve = match profile.reference("Curve").or_else(|| profile.reference("OuterCurve")) {
            Some(curve) => curve,
            None if profile.is_a("IfcCurve") => profile.id(),
            // the standard does not say how the line around a parameterised profile is told
            None => return Err(unknown()),
        };
        let line = self.get(curve)?;
        if line.is_a("IfcLine") {
            // a metre of it stands for the whole
            let (_, step) = self.line(&line)?;
            return Ok(By::Scale(step.length()));
        }
        let mut told: Vec<Point> = self.told(curve, 0)?;
        // as the surface's own points are: none twice, and round again where the profile encloses an area
        told.dedup_by(|a, b| (a.1 - b.1).length() < 1e-9);
        let mut marks: Vec<f64> = told.iter().map(|(at, _)| *at).collect();
        if marks.len() + 1 == points {
            let step = marks.windows(2).last().map_or(1.0, |w| w[1] - w[0]);
            marks.extend(marks.last().map(|last| last + step));
        }
        if marks.len() == points { Ok(By::Curve(marks, closed)) } else { Err(unknown()) }
    }
}
