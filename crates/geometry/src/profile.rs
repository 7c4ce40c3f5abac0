//! Profiles: the cross-sections that extrusions and revolutions are made of, as areas in metres.

use crate::{
    curve::{beside, chords},
    math::{Frame, P2, signed_area},
    read::{MAX_DEPTH, Reader, ShapeError},
    region::{self, Area, Loop},
};
use ifc::{Id, Instance};
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
    /// The areas of a profile: one, or several for a composite.
    pub fn profile(&self, id: Id, depth: usize) -> Result<Vec<Area>, ShapeError> {
        let profile = self.get(id)?;
        if depth > MAX_DEPTH {
            return Err(ShapeError::new(id, "is nested too deeply"));
        }
        let areas = match profile.class_name() {
            "IfcArbitraryClosedProfileDef" => self.arbitrary(&profile, Vec::new())?,
            "IfcArbitraryProfileDefWithVoids" => {
                let voids = profile.references("InnerCurves");
                let voids = voids.into_iter().map(|c| self.flat_curve(c)).collect::<Result<_, _>>()?;
                self.arbitrary(&profile, voids)?
            }
            "IfcCenterLineProfileDef" => self.about_line(&profile)?,
            "IfcCompositeProfileDef" => {
                let mut all = Vec::new();
                for part in profile.references("Profiles") {
                    all.extend(self.profile(part, depth + 1)?);
                    if all.len() > 10_000 {
                        return Err(ShapeError::new(id, "is made of more than 10,000 areas"));
                    }
                }
                all
            }
            "IfcDerivedProfileDef" | "IfcMirroredProfileDef" => {
                let parent = self.profile(self.reference(&profile, "ParentProfile")?, depth + 1)?;
                let by = match profile.reference("Operator") {
                    Some(operator) => self.operator(operator)?,
                    None => Frame { x: [-1.0, 0.0, 0.0], ..Frame::IDENTITY },
                };
                parent.into_iter().map(|a| placed(a, &by)).collect()
            }
            class => {
                let area = self
                    .parameterised(&profile, class)?
                    .ok_or_else(|| ShapeError::new(id, format!("{class} is not drawn yet")))?;
                let at = self.axes_of(&profile, "Position")?;
                vec![if at == Frame::IDENTITY { area } else { placed(area, &at) }]
            }
        };
        let sound = |a: &Area| a.outer.len() > 2 && a.size().is_finite() && a.size() > 1e-10;
        if areas.is_empty() || !areas.iter().all(sound) {
            return Err(ShapeError::new(id, "encloses no area"));
        }
        Ok(areas)
    }

    fn flat_curve(&self, id: Id) -> Result<Loop, ShapeError> {
        Ok(self.curve(id, 0)?.into_iter().map(|p| [p[0], p[1]]).collect())
    }

    fn arbitrary(&self, profile: &Instance<'m>, voids: Vec<Loop>) -> Result<Vec<Area>, ShapeError> {
        let outer = self.flat_curve(self.reference(profile, "OuterCurve")?)?;
        let area = Area::new(outer, voids);
        // a line that crosses itself is put right by the even-odd rule; sound ones, nearly all, stay as they are
        if crosses_itself(&area) {
            let loops: Vec<Loop> = area.loops().cloned().collect();
            return Ok(region::even_odd(&loops));
        }
        Ok(vec![area])
    }

    /// The line of an open profile in its plane: `IfcArbitraryOpenProfileDef` and `IfcOpenCrossProfileDef`.
    pub fn open_profile(&self, id: Id) -> Result<Loop, ShapeError> {
        let profile = self.get(id)?;
        if !profile.is_a("IfcOpenCrossProfileDef") {
            return self.flat_curve(self.reference(&profile, "Curve")?);
        }
        let numbers = |name: &str| -> Vec<f64> {
            let list = profile.attr(name);
            list.as_list().unwrap_or_default().iter().map(|v| v.as_f64().unwrap_or(f64::NAN)).collect()
        };
        let (widths, slopes) = (numbers("Widths"), numbers("Slopes"));
        let level = profile.attr("HorizontalWidths").as_bool() != Some(false);
        let from = profile.reference("OffsetPoint").map_or(Ok([0.0; 3]), |p| self.point(p))?;
        let mut line = vec![[from[0], from[1]]];
        let mut at = [from[0], from[1]];
        for (width, slope) in widths.iter().zip(&slopes) {
            let (width, slope) = (width * self.metre, slope * self.radian);
            let run = if level { width } else { width * slope.cos() };
            at = [at[0] + run, at[1] + run * slope.tan()];
            line.push(at);
        }
        let sound = widths.len() == slopes.len() && line.iter().flatten().all(|v| v.abs() < 1e7);
        if line.len() < 2 || !sound {
            return Err(ShapeError::new(id, "has no sound widths and slopes"));
        }
        Ok(line)
    }

    /// An `IfcCenterLineProfileDef`: what is nearer to a line than half a thickness, corners mitred, ends square.
    fn about_line(&self, profile: &Instance<'m>) -> Result<Vec<Area>, ShapeError> {
        let half = self.length(profile, "Thickness")? / 2.0;
        let line = self.curve(self.reference(profile, "Curve")?, 0)?;
        let none = || ShapeError::new(profile.id(), "has no thickness about a line");
        let up = [0.0, 0.0, 1.0];
        let sides = [beside(&line, up, half), beside(&line, up, -half)]
            .map(|l| l.map(|l| l.into_iter().map(|p| [p[0], p[1]]).collect::<Loop>()));
        let [Some(left), Some(mut right)] = sides else { return Err(none()) };
        if half < 1e-7 {
            return Err(none());
        }
        let ring = left.len() > 3
            && left.first().zip(left.last()).is_some_and(|(a, b)| (a[0] - b[0]).hypot(a[1] - b[1]) < 1e-9);
        if ring {
            let (outer, inner) = if signed_area(&left).abs() > signed_area(&right).abs() {
                (left, right)
            } else {
                (right, left)
            };
            return Ok(vec![Area::new(outer, vec![inner])]);
        }
        right.reverse();
        let area = Area::new([left, right].concat(), Vec::new());
        // bends sharper than the thickness fold one side over: whatever lies within counts once
        Ok(if crosses_itself(&area) { region::union(&[area.outer]) } else { vec![area] })
    }

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
    fn parameterised(&self, p: &Instance<'m>, class: &str) -> Result<Option<Area>, ShapeError> {
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

fn placed(area: Area, at: &Frame) -> Area {
    let to = |l: Loop| -> Loop {
        l.into_iter().map(|p| at.point([p[0], p[1], 0.0])).map(|p| [p[0], p[1]]).collect()
    };
    Area::new(to(area.outer), area.holes.into_iter().map(to).collect())
}

/// Whether the outer line crosses itself; long lines are trusted rather than tried pair by pair.
fn crosses_itself(area: &Area) -> bool {
    let l = &area.outer;
    let n = l.len();
    if !(4..=200).contains(&n) {
        return false;
    }
    let side = |a: P2, b: P2, c: P2| signed_area(&[a, b, c]);
    for i in 0..n {
        for j in i + 2..n {
            if i == 0 && j == n - 1 {
                continue;
            }
            let (a, b, c, d) = (l[i], l[(i + 1) % n], l[j], l[(j + 1) % n]);
            if side(a, b, c) * side(a, b, d) < 0.0 && side(c, d, a) * side(c, d, b) < 0.0 {
                return true;
            }
        }
    }
    false
}
