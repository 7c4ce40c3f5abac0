//! Profiles: the cross-sections that extrusions and revolutions are made of, as areas in metres.

mod parameterised;

use crate::{
    curve::beside,
    math::signed_area,
    read::{MAX_DEPTH, Reader, ShapeError},
    region::{self, Area, Loop},
};
use glam::{DAffine3, DVec2, DVec3};
use ifc::{Id, Instance};

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
                    None => DAffine3::from_cols(DVec3::NEG_X, DVec3::Y, DVec3::Z, DVec3::ZERO),
                };
                parent.into_iter().map(|a| placed(a, &by)).collect()
            }
            class => {
                let area = self
                    .parameterised(&profile, class)?
                    .ok_or_else(|| ShapeError::new(id, format!("{class} is not drawn yet")))?;
                let at = self.axes_of(&profile, "Position")?;
                vec![if at == DAffine3::IDENTITY { area } else { placed(area, &at) }]
            }
        };
        let sound = |a: &Area| a.outer.len() > 2 && a.size().is_finite() && a.size() > 1e-10;
        if areas.is_empty() || !areas.iter().all(sound) {
            return Err(ShapeError::new(id, "encloses no area"));
        }
        Ok(areas)
    }

    fn flat_curve(&self, id: Id) -> Result<Loop, ShapeError> {
        Ok(self.curve(id, 0)?.into_iter().map(DVec3::truncate).collect())
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

    /// The line of an open profile in its plane: `IfcArbitraryOpenProfileDef` and `IfcOpenCrossProfileDef`. The latter's widths go to
    /// the left of the directrix, the profile's x, and rise with their slopes, angles from it (ISO 16739-1:2024, 8.15.3.27); one of more
    /// than a right angle goes back to the right.
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
        let from = profile.reference("OffsetPoint").map_or(Ok(DVec3::ZERO), |p| self.point(p))?;
        let mut line = vec![from.truncate()];
        let mut at = from.truncate();
        for (width, slope) in widths.iter().zip(&slopes) {
            let (width, slope) = (width * self.metre, slope * self.radian);
            let run = if level { width.copysign(slope.cos()) } else { width * slope.cos() };
            at += DVec2::new(run, run * slope.tan());
            line.push(at);
        }
        let sound =
            widths.len() == slopes.len() && line.iter().all(|p| p.abs().cmplt(DVec2::splat(1e7)).all());
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
        let up = DVec3::Z;
        let sides = [beside(&line, up, half), beside(&line, up, -half)]
            .map(|l| l.map(|l| l.into_iter().map(DVec3::truncate).collect::<Loop>()));
        let [Some(left), Some(mut right)] = sides else { return Err(none()) };
        if half < 1e-7 {
            return Err(none());
        }
        let ring =
            left.len() > 3 && left.first().zip(left.last()).is_some_and(|(a, b)| a.distance(*b) < 1e-9);
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
}

fn placed(area: Area, at: &DAffine3) -> Area {
    let to = |l: Loop| -> Loop {
        l.into_iter().map(|p| at.transform_point3(p.extend(0.0))).map(DVec3::truncate).collect()
    };
    Area::new(to(area.outer), area.holes.into_iter().map(to).collect())
}

/// Returns true if the outer line crosses itself; long lines are trusted rather than tried pair by pair.
fn crosses_itself(area: &Area) -> bool {
    let l = &area.outer;
    let n = l.len();
    if !(4..=200).contains(&n) {
        return false;
    }
    let side = |a: DVec2, b: DVec2, c: DVec2| signed_area(&[a, b, c]);
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
