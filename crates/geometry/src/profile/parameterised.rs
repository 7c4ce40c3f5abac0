//! Profiles by their dimensions: rectangles, rings and rolled sections, about their own origin.

use crate::{
    curve::chords,
    math::P2,
    read::{Reader, ShapeError},
    region::{Area, Loop},
};
use ifc::Instance;
use std::f64::consts::TAU;

/// A circle or ellipse about the origin.
fn ring(rx: f64, ry: f64) -> Loop {
    let n = chords(rx.max(ry), TAU);
    (0..n).map(|i| TAU * i as f64 / n as f64).map(|a| [rx * a.cos(), ry * a.sin()]).collect()
}

/// A rectangle about the origin with rounded corners.
fn rectangle(x: f64, y: f64, radius: f64) -> Loop {
    let (x, y) = (x / 2.0, y / 2.0);
    rounded(&[([-x, -y], radius), ([x, -y], radius), ([x, y], radius), ([-x, y], radius)])
}

/// A polygon whose corners are rounded by a radius each (0 for a sharp one), inward and outward corners alike.
fn rounded(corners: &[(P2, f64)]) -> Loop {
    let n = corners.len();
    let mut points = Loop::new();
    for (i, &(p, radius)) in corners.iter().enumerate() {
        let (before, after) = (corners[(i + n - 1) % n].0, corners[(i + 1) % n].0);
        let ray = |q: P2| {
            let (x, y) = (q[0] - p[0], q[1] - p[1]);
            let l = x.hypot(y);
            ([x / l, y / l], l)
        };
        let ((a, la), (b, lb)) = (ray(before), ray(after));
        let angle = (a[0] * b[0] + a[1] * b[1]).clamp(-1.0, 1.0).acos();
        let reach = radius / (angle / 2.0).tan();
        if radius < 1e-6 || !reach.is_finite() || reach <= 1e-9 || reach > la.min(lb) || angle > 0.499 * TAU {
            points.push(p);
            continue;
        }
        let (from, to) =
            ([p[0] + a[0] * reach, p[1] + a[1] * reach], [p[0] + b[0] * reach, p[1] + b[1] * reach]);
        let bisector = [a[0] + b[0], a[1] + b[1]];
        let l = bisector[0].hypot(bisector[1]);
        let away = radius / (angle / 2.0).sin();
        let centre = [p[0] + bisector[0] / l * away, p[1] + bisector[1] / l * away];
        let start = (from[1] - centre[1]).atan2(from[0] - centre[0]);
        let end = (to[1] - centre[1]).atan2(to[0] - centre[0]);
        let sweep = (end - start + TAU / 2.0).rem_euclid(TAU) - TAU / 2.0;
        let steps = chords(radius, sweep);
        for k in 0..=steps {
            let t = start + sweep * k as f64 / steps as f64;
            points.push([centre[0] + radius * t.cos(), centre[1] + radius * t.sin()]);
        }
    }
    points
}

fn sharp(corners: &[P2]) -> Loop {
    corners.to_vec()
}

impl<'m> Reader<'m> {
    /// The tangent of the slope that a flange, leg or web has.
    fn slope(&self, p: &Instance<'m>, name: &str) -> Result<f64, ShapeError> {
        let angle = p.number(name).unwrap_or(0.0) * self.radian;
        if angle.abs() < 1.2 {
            Ok(angle.tan())
        } else {
            Err(ShapeError::new(p.id(), format!("{name} is no slope of a flange")))
        }
    }

    /// The parameterised profiles about their own origin, as the standard's figures show them. A sloping flange has its thickness at
    /// its tip in an I, midway between tip and web in a T, and at half its width in a U and an L: so does IfcOpenShell, where the
    /// standard does not say.
    pub(super) fn parameterised(&self, p: &Instance<'m>, class: &str) -> Result<Option<Area>, ShapeError> {
        let l = |name: &str| -> Result<f64, ShapeError> {
            let v = self.length(p, name)?;
            if v <= 0.0 { Err(ShapeError::new(p.id(), format!("{name} is not positive"))) } else { Ok(v) }
        };
        let or_zero = |name: &str| self.length_or_zero(p, name);
        let outer = match class {
            "IfcRectangleProfileDef" => rectangle(l("XDim")?, l("YDim")?, 0.0),
            "IfcRoundedRectangleProfileDef" => rectangle(l("XDim")?, l("YDim")?, or_zero("RoundingRadius")),
            "IfcRectangleHollowProfileDef" => {
                let (x, y, t) = (l("XDim")?, l("YDim")?, l("WallThickness")?);
                let outer = rectangle(x, y, or_zero("OuterFilletRadius"));
                let hole = (x > 2.0 * t && y > 2.0 * t)
                    .then(|| rectangle(x - 2.0 * t, y - 2.0 * t, or_zero("InnerFilletRadius")));
                return Ok(Some(Area::new(outer, hole.into_iter().collect())));
            }
            "IfcCircleProfileDef" => ring(l("Radius")?, l("Radius")?),
            "IfcEllipseProfileDef" => ring(l("SemiAxis1")?, l("SemiAxis2")?),
            "IfcCircleHollowProfileDef" => {
                let (r, t) = (l("Radius")?, l("WallThickness")?);
                let hole = (r > t).then(|| ring(r - t, r - t));
                return Ok(Some(Area::new(ring(r, r), hole.into_iter().collect())));
            }
            "IfcTrapeziumProfileDef" => {
                let (b, t, y, o) = (l("BottomXDim")?, l("TopXDim")?, l("YDim")?, or_zero("TopXOffset"));
                let (x, y) = (b / 2.0, y / 2.0);
                sharp(&[[-x, -y], [x, -y], [-x + o + t, y], [-x + o, y]])
            }
            "IfcIShapeProfileDef" => {
                let (b, h, w, f) = (
                    l("OverallWidth")? / 2.0,
                    l("OverallDepth")? / 2.0,
                    l("WebThickness")? / 2.0,
                    l("FlangeThickness")?,
                );
                let (r, e) = (or_zero("FilletRadius"), or_zero("FlangeEdgeRadius"));
                let s = self.slope(p, "FlangeSlope")?;
                i_shape([b, b], h, w, [f, f], [r, r], [e, e], [s, s])
            }
            "IfcAsymmetricIShapeProfileDef" => {
                // IFC2X3 calls the bottom flange's measures by the symmetric shape's names
                let either = |a: &str, b: &str| l(a).or_else(|_| l(b));
                let (b, h) = (either("BottomFlangeWidth", "OverallWidth")? / 2.0, l("OverallDepth")? / 2.0);
                let (t, w) = (l("TopFlangeWidth")? / 2.0, l("WebThickness")? / 2.0);
                let f = either("BottomFlangeThickness", "FlangeThickness")?;
                let g = l("TopFlangeThickness").unwrap_or(f);
                let r = l("BottomFlangeFilletRadius").or_else(|_| l("FilletRadius")).unwrap_or(0.0);
                let e = ["BottomFlangeEdgeRadius", "TopFlangeEdgeRadius"].map(or_zero);
                let s = [self.slope(p, "BottomFlangeSlope")?, self.slope(p, "TopFlangeSlope")?];
                i_shape([b, t], h, w, [f, g], [r, or_zero("TopFlangeFilletRadius")], e, s)
            }
            "IfcLShapeProfileDef" => {
                let d = l("Depth")?;
                let (w, t, r, e) = (
                    l("Width").unwrap_or(d) / 2.0,
                    l("Thickness")?,
                    or_zero("FilletRadius"),
                    or_zero("EdgeRadius"),
                );
                let d = d / 2.0;
                let s = self.slope(p, "LegSlope")?;
                // where the sloping inner faces meet: y = t - d - s x and x = t - w - s y
                let y = (t - d - s * (t - w)) / (1.0 - s * s);
                let inner = [t - w - s * y, y];
                rounded(&[
                    ([-w, -d], 0.0),
                    ([w, -d], 0.0),
                    ([w, -d + t - s * w], e),
                    (inner, r),
                    ([-w + t - s * d, d], e),
                    ([-w, d], 0.0),
                ])
            }
            "IfcUShapeProfileDef" => {
                let (d, w, t, f) =
                    (l("Depth")? / 2.0, l("FlangeWidth")? / 2.0, l("WebThickness")?, l("FlangeThickness")?);
                let (r, e) = (or_zero("FilletRadius"), or_zero("EdgeRadius"));
                let s = self.slope(p, "FlangeSlope")?;
                let (tip, root) = (f - s * w, f + s * (w - t));
                rounded(&[
                    ([-w, -d], 0.0),
                    ([w, -d], 0.0),
                    ([w, -d + tip], e),
                    ([-w + t, -d + root], r),
                    ([-w + t, d - root], r),
                    ([w, d - tip], e),
                    ([w, d], 0.0),
                    ([-w, d], 0.0),
                ])
            }
            "IfcTShapeProfileDef" => {
                let (d, b, w, f) = (
                    l("Depth")? / 2.0,
                    l("FlangeWidth")? / 2.0,
                    l("WebThickness")? / 2.0,
                    l("FlangeThickness")?,
                );
                let r = or_zero("FilletRadius");
                let (e, v) = (or_zero("FlangeEdgeRadius"), or_zero("WebEdgeRadius"));
                let (s, k) = (self.slope(p, "FlangeSlope")?, self.slope(p, "WebSlope")?);
                // the flange's lower face falls towards the web, the web narrows downwards: y = a + s x and x = w + k y
                let tip = f - s * b / 2.0;
                let level = d - tip - s * b;
                let y = (level + s * w) / (1.0 - s * k);
                let (root, foot) = (w + k * y, w - k * d);
                if foot <= 0.0 || root >= b {
                    return Err(ShapeError::new(p.id(), "has slopes that leave nothing of its web"));
                }
                rounded(&[
                    ([-b, d], 0.0),
                    ([-b, d - tip], e),
                    ([-root, y], r),
                    ([-foot, -d], v),
                    ([foot, -d], v),
                    ([root, y], r),
                    ([b, d - tip], e),
                    ([b, d], 0.0),
                ])
            }
            "IfcCShapeProfileDef" => {
                let (d, b, t, g) = (l("Depth")? / 2.0, l("Width")? / 2.0, l("WallThickness")?, l("Girth")?);
                let r = or_zero("InternalFilletRadius");
                let o = if r > 0.0 { r + t } else { 0.0 };
                rounded(&[
                    ([-b, -d], o),
                    ([b, -d], o),
                    ([b, -d + g], 0.0),
                    ([b - t, -d + g], 0.0),
                    ([b - t, -d + t], r),
                    ([-b + t, -d + t], r),
                    ([-b + t, d - t], r),
                    ([b - t, d - t], r),
                    ([b - t, d - g], 0.0),
                    ([b, d - g], 0.0),
                    ([b, d], o),
                    ([-b, d], o),
                ])
            }
            "IfcZShapeProfileDef" => {
                let (d, b, w, f) =
                    (l("Depth")? / 2.0, l("FlangeWidth")?, l("WebThickness")? / 2.0, l("FlangeThickness")?);
                let (r, e) = (or_zero("FilletRadius"), or_zero("EdgeRadius"));
                rounded(&[
                    ([-w, -d], 0.0),
                    ([b - w, -d], 0.0),
                    ([b - w, -d + f], e),
                    ([w, -d + f], r),
                    ([w, d], 0.0),
                    ([w - b, d], 0.0),
                    ([w - b, d - f], e),
                    ([-w, d - f], r),
                ])
            }
            _ => return Ok(None),
        };
        Ok(Some(Area::new(outer, Vec::new())))
    }
}

/// An I with half widths, half height, half web, flange thicknesses at their tips, fillets, edge radii and slopes; bottom first.
fn i_shape(b: [f64; 2], h: f64, w: f64, f: [f64; 2], r: [f64; 2], e: [f64; 2], slope: [f64; 2]) -> Loop {
    let root = [0, 1].map(|i| f[i] + (b[i] - w) * slope[i]);
    rounded(&[
        ([-b[0], -h], 0.0),
        ([b[0], -h], 0.0),
        ([b[0], -h + f[0]], e[0]),
        ([w, -h + root[0]], r[0]),
        ([w, h - root[1]], r[1]),
        ([b[1], h - f[1]], e[1]),
        ([b[1], h], 0.0),
        ([-b[1], h], 0.0),
        ([-b[1], h - f[1]], e[1]),
        ([-w, h - root[1]], r[1]),
        ([-w, -h + root[0]], r[0]),
        ([-b[0], -h + f[0]], e[0]),
    ])
}
