//! B-spline and Bézier curves, and curves in the parameters of a surface.

use super::MAX_POINTS;
use crate::{
    nurbs::{Knots, MAX_CONTROLS, SplineCurve, weighted},
    read::{Reader, ShapeError},
};
use glam::DVec3;
use ifc::Instance;

/// Points between two of a curve on a surface at most.
const BETWEEN: usize = 32;

impl<'m> Reader<'m> {
    /// An `IfcBSplineCurve`, or the Bézier curve of IFC2X3.
    pub(crate) fn spline(&self, curve: &Instance<'m>) -> Result<SplineCurve, ShapeError> {
        let wrong = |what: String| ShapeError::new(curve.id(), what);
        let degree = curve.number("Degree").filter(|d| *d >= 0.0).unwrap_or(0.0) as usize;
        let ids = curve.references("ControlPointsList");
        if ids.len() > MAX_CONTROLS / 2 {
            return Err(wrong(format!("has more than {} control points", MAX_CONTROLS / 2)));
        }
        let points: Vec<DVec3> = ids.into_iter().map(|p| self.point(p)).collect::<Result<_, _>>()?;
        let weights = curve.attr("WeightsData");
        let weights: Option<Vec<f64>> =
            weights.as_list().map(|w| w.iter().map(|w| w.as_f64().unwrap_or(f64::NAN)).collect());
        let knots = if curve.class_name().contains("Bezier") {
            bezier(degree, points.len())
        } else {
            Self::knot_list(curve, "Knots", "KnotMultiplicities")
        };
        Ok(SplineCurve {
            knots: Knots::new(degree, &knots, points.len()).map_err(wrong)?,
            controls: weighted(&points, weights.as_deref()).map_err(wrong)?,
        })
    }

    /// An `IfcPcurve`: a flat curve whose coordinates are a surface's parameters.
    pub(super) fn on_surface(&self, curve: &Instance<'m>, depth: usize) -> Result<Vec<DVec3>, ShapeError> {
        let basis = self.reference(curve, "BasisSurface")?;
        let surface = self.surface(basis, depth + 1)?;
        let told = self.told_parameters(basis, &surface, depth + 1)?;
        let line = self.reference(curve, "ReferenceCurve")?;
        let mut flat = self.unscaled().curve(line, depth + 1)?;
        if self.get(line)?.is_a("IfcConic") {
            flat.extend(flat.first().copied());
        }
        let mut points: Vec<DVec3> = Vec::new();
        for pair in flat.windows(2) {
            let &[a, b] = pair else { continue };
            let (a, b) = (told.own([a.x, a.y]), told.own([b.x, b.y]));
            let steps = surface.steps([a[0].min(b[0]), a[1].min(b[1])], [a[0].max(b[0]), a[1].max(b[1])]);
            let counted = |p: [f64; 2]| [steps[0].count_to(p[0]), steps[1].count_to(p[1])];
            let (s, t) = (counted(a), counted(b));
            let pieces = (t[0] - s[0]).abs().max((t[1] - s[1]).abs()).ceil().max(1.0) as usize;
            for k in usize::from(!points.is_empty())..=pieces.min(BETWEEN) {
                let share = k as f64 / pieces.min(BETWEEN) as f64;
                points.push(surface.point([a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share]));
            }
            if points.len() > MAX_POINTS {
                return Err(ShapeError::new(curve.id(), format!("has more than {MAX_POINTS} points")));
            }
        }
        Ok(points)
    }
}

/// The knots of Bézier pieces one after the other, each as long as the others.
fn bezier(degree: usize, points: usize) -> Vec<(f64, usize)> {
    let pieces = points.saturating_sub(1) / degree.max(1);
    let times = |k: usize| if k == 0 || k == pieces { degree + 1 } else { degree };
    (0..=pieces).map(|k| (k as f64, times(k))).collect()
}
