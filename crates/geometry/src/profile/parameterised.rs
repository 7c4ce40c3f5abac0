//! Profiles by their dimensions: rectangles, rings and rolled sections, about their own origin.

use crate::{
    curve::Fineness,
    read::{Reader, ShapeError},
    region::{Area, Loop},
};
use glam::DVec2;
use ifc::Instance;
use std::f64::consts::TAU;

/// A circle or ellipse about the origin.
fn ring(by: Fineness, rx: f64, ry: f64) -> Loop {
    let n = by.chords(rx.max(ry), TAU);
    (0..n).map(|i| TAU * i as f64 / n as f64).map(|a| DVec2::new(rx * a.cos(), ry * a.sin())).collect()
}

/// A rectangle about the origin with rounded corners.
fn rectangle(by: Fineness, x: f64, y: f64, radius: f64) -> Loop {
    let (x, y) = (x / 2.0, y / 2.0);
    rounded(
        by,
        &[
            (DVec2::new(-x, -y), radius),
            (DVec2::new(x, -y), radius),
            (DVec2::new(x, y), radius),
            (DVec2::new(-x, y), radius),
        ],
    )
}

/// A polygon whose corners are rounded by a radius each (0 for a sharp one), inward and outward corners alike.
fn rounded(by: Fineness, corners: &[(DVec2, f64)]) -> Loop {
    let n = corners.len();
    let mut points = Loop::new();
    for (i, &(p, radius)) in corners.iter().enumerate() {
        let (before, after) = (corners[(i + n - 1) % n].0, corners[(i + 1) % n].0);
        let ray = |q: DVec2| {
            let way = q - p;
            (way / way.length(), way.length())
        };
        let ((a, la), (b, lb)) = (ray(before), ray(after));
        let angle = a.dot(b).clamp(-1.0, 1.0).acos();
        let reach = radius / (angle / 2.0).tan();
        if radius < 1e-6 || !reach.is_finite() || reach <= 1e-9 || reach > la.min(lb) || angle > 0.499 * TAU {
            points.push(p);
            continue;
        }
        let (from, to) = (p + a * reach, p + b * reach);
        let bisector = a + b;
        let away = radius / (angle / 2.0).sin();
        let centre = p + bisector / bisector.length() * away;
        let start = (from - centre).to_angle();
        let end = (to - centre).to_angle();
        let sweep = (end - start + TAU / 2.0).rem_euclid(TAU) - TAU / 2.0;
        let steps = by.chords(radius, sweep);
        for k in 0..=steps {
            let t = start + sweep * k as f64 / steps as f64;
            points.push(DVec2::new(centre.x + radius * t.cos(), centre.y + radius * t.sin()));
        }
    }
    points
}

fn sharp(corners: &[DVec2]) -> Loop {
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
        let by = self.fineness;
        let outer = match class {
            "IfcRectangleProfileDef" => rectangle(by, l("XDim")?, l("YDim")?, 0.0),
            "IfcRoundedRectangleProfileDef" => {
                rectangle(by, l("XDim")?, l("YDim")?, or_zero("RoundingRadius"))
            }
            "IfcRectangleHollowProfileDef" => {
                let (x, y, t) = (l("XDim")?, l("YDim")?, l("WallThickness")?);
                let outer = rectangle(by, x, y, or_zero("OuterFilletRadius"));
                let hole = (x > 2.0 * t && y > 2.0 * t)
                    .then(|| rectangle(by, x - 2.0 * t, y - 2.0 * t, or_zero("InnerFilletRadius")));
                return Ok(Some(Area::new(outer, hole.into_iter().collect())));
            }
            "IfcCircleProfileDef" => ring(by, l("Radius")?, l("Radius")?),
            "IfcEllipseProfileDef" => ring(by, l("SemiAxis1")?, l("SemiAxis2")?),
            "IfcCircleHollowProfileDef" => {
                let (r, t) = (l("Radius")?, l("WallThickness")?);
                let hole = (r > t).then(|| ring(by, r - t, r - t));
                return Ok(Some(Area::new(ring(by, r, r), hole.into_iter().collect())));
            }
            "IfcTrapeziumProfileDef" => {
                let (b, t, y, o) = (l("BottomXDim")?, l("TopXDim")?, l("YDim")?, or_zero("TopXOffset"));
                let (x, y) = (b / 2.0, y / 2.0);
                sharp(&[
                    DVec2::new(-x, -y),
                    DVec2::new(x, -y),
                    DVec2::new(-x + o + t, y),
                    DVec2::new(-x + o, y),
                ])
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
                rounded(by, &i_corners([b, b], h, w, [f, f], [r, r], [e, e], [s, s]))
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
                rounded(by, &i_corners([b, t], h, w, [f, g], [r, or_zero("TopFlangeFilletRadius")], e, s))
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
                let inner = DVec2::new(t - w - s * y, y);
                rounded(
                    by,
                    &[
                        (DVec2::new(-w, -d), 0.0),
                        (DVec2::new(w, -d), 0.0),
                        (DVec2::new(w, -d + t - s * w), e),
                        (inner, r),
                        (DVec2::new(-w + t - s * d, d), e),
                        (DVec2::new(-w, d), 0.0),
                    ],
                )
            }
            "IfcUShapeProfileDef" => {
                let (d, w, t, f) =
                    (l("Depth")? / 2.0, l("FlangeWidth")? / 2.0, l("WebThickness")?, l("FlangeThickness")?);
                let (r, e) = (or_zero("FilletRadius"), or_zero("EdgeRadius"));
                let s = self.slope(p, "FlangeSlope")?;
                let (tip, root) = (f - s * w, f + s * (w - t));
                rounded(
                    by,
                    &[
                        (DVec2::new(-w, -d), 0.0),
                        (DVec2::new(w, -d), 0.0),
                        (DVec2::new(w, -d + tip), e),
                        (DVec2::new(-w + t, -d + root), r),
                        (DVec2::new(-w + t, d - root), r),
                        (DVec2::new(w, d - tip), e),
                        (DVec2::new(w, d), 0.0),
                        (DVec2::new(-w, d), 0.0),
                    ],
                )
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
                rounded(
                    by,
                    &[
                        (DVec2::new(-b, d), 0.0),
                        (DVec2::new(-b, d - tip), e),
                        (DVec2::new(-root, y), r),
                        (DVec2::new(-foot, -d), v),
                        (DVec2::new(foot, -d), v),
                        (DVec2::new(root, y), r),
                        (DVec2::new(b, d - tip), e),
                        (DVec2::new(b, d), 0.0),
                    ],
                )
            }
            "IfcCShapeProfileDef" => {
                let (d, b, t, g) = (l("Depth")? / 2.0, l("Width")? / 2.0, l("WallThickness")?, l("Girth")?);
                let r = or_zero("InternalFilletRadius");
                let o = if r > 0.0 { r + t } else { 0.0 };
                rounded(
                    by,
                    &[
                        (DVec2::new(-b, -d), o),
                        (DVec2::new(b, -d), o),
                        (DVec2::new(b, -d + g), 0.0),
                        (DVec2::new(b - t, -d + g), 0.0),
                        (DVec2::new(b - t, -d + t), r),
                        (DVec2::new(-b + t, -d + t), r),
                        (DVec2::new(-b + t, d - t), r),
                        (DVec2::new(b - t, d - t), r),
                        (DVec2::new(b - t, d - g), 0.0),
                        (DVec2::new(b, d - g), 0.0),
                        (DVec2::new(b, d), o),
                        (DVec2::new(-b, d), o),
                    ],
                )
            }
            "IfcZShapeProfileDef" => {
                let (d, b, w, f) =
                    (l("Depth")? / 2.0, l("FlangeWidth")?, l("WebThickness")? / 2.0, l("FlangeThickness")?);
                let (r, e) = (or_zero("FilletRadius"), or_zero("EdgeRadius"));
                rounded(
                    by,
                    &[
                        (DVec2::new(-w, -d), 0.0),
                        (DVec2::new(b - w, -d), 0.0),
                        (DVec2::new(b - w, -d + f), e),
                        (DVec2::new(w, -d + f), r),
                        (DVec2::new(w, d), 0.0),
                        (DVec2::new(w - b, d), 0.0),
                        (DVec2::new(w - b, d - f), e),
                        (DVec2::new(-w, d - f), r),
                    ],
                )
            }
            _ => return Ok(None),
        };
        Ok(Some(Area::new(outer, Vec::new())))
    }
}

/// An I with half widths, half height, half web, flange thicknesses at their tips, fillets, edge radii and slopes; bottom first.
fn i_corners(
    b: [f64; 2],
    h: f64,
    w: f64,
    f: [f64; 2],
    r: [f64; 2],
    e: [f64; 2],
    slope: [f64; 2],
) -> [(DVec2, f64); 12] {
    let root = [0, 1].map(|i| f[i] + (b[i] - w) * slope[i]);
    [
        (DVec2::new(-b[0], -h), 0.0),
        (DVec2::new(b[0], -h), 0.0),
        (DVec2::new(b[0], -h + f[0]), e[0]),
        (DVec2::new(w, -h + root[0]), r[0]),
        (DVec2::new(w, h - root[1]), r[1]),
        (DVec2::new(b[1], h - f[1]), e[1]),
        (DVec2::new(b[1], h), 0.0),
        (DVec2::new(-b[1], h), 0.0),
        (DVec2::new(-b[1], h - f[1]), e[1]),
        (DVec2::new(-w, h - root[1]), r[1]),
        (DVec2::new(-w, -h + root[0]), r[0]),
        (DVec2::new(-b[0], -h + f[0]), e[0]),
    ]
}
