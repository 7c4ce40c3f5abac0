//! The ends of a member: square, cut upright or level, or at an angle; and how far the body runs beyond the axis.

use super::profile::CrossSection;
use crate::author::Author;
use crate::frame::Frame;
use contract::Fault;
use glam::{DAffine3, DQuat, DVec2, DVec3};
use ifc::{Id, Value};

/// The steepest cut: the least cosine between the cut's normal and the axis, about 80 degrees.
const STEEPEST: f64 = 0.17;
/// How much longer than its cuts need a body is before they are made, in mm.
const SPARE: f64 = 1.0;

/// The cut of one end.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Cut {
    /// Square to the axis.
    #[default]
    Square,
    /// By an upright plane.
    Vertical,
    /// By a level plane.
    Horizontal,
    /// Turned by degrees about the section's upright axis, as in a mitre.
    Mitre(f64),
}

/// One end: its cut, and mm that the body runs beyond the axis.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Finish {
    /// The cut.
    pub cut: Cut,
    /// Beyond the axis' end; less than nought stops short of it.
    pub extension: f64,
}

/// A plane that cuts an end, seen from the axis: a point on the axis and the way out of the body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Plane {
    /// Height along the axis.
    pub at: f64,
    /// The normal, at length one.
    pub normal: DVec3,
}

/// The body along its axis: from where to where the section is extruded, and the planes that cut it then.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// Start of the extrusion along the axis.
    pub from: f64,
    /// Its end.
    pub to: f64,
    /// The part that is cut off then.
    pub planes: Vec<Plane>,
}

impl Plane {
    /// The height along the axis at which it meets a point of the section, seen from the axis.
    pub fn height(&self, p: DVec2) -> f64 {
        self.at - self.normal.truncate().dot(p) / self.normal.z
    }
}

impl Run {
    /// Makes the extrusion as long as its cuts need it.
    pub fn fit(&mut self, section: &CrossSection, offset: DVec2) {
        let heights =
            |plane: &Plane| section.outline.iter().map(|p| plane.height(*p - offset)).collect::<Vec<_>>();
        for plane in &self.planes {
            if plane.normal.z < 0.0 {
                self.from = heights(plane).into_iter().fold(plane.at, f64::min) - SPARE;
            } else {
                self.to = heights(plane).into_iter().fold(plane.at, f64::max) + SPARE;
            }
        }
    }

    /// Puts one end to so many mm within an axis of a length.
    pub fn stop(&mut self, is_start: bool, mm: f64, length: f64) {
        let at = if is_start { mm } else { length - mm };
        match self.planes.iter_mut().find(|plane| (plane.normal.z < 0.0) == is_start) {
            Some(plane) => plane.at = at,
            None if is_start => self.from = at,
            None => self.to = at,
        }
    }

    /// The heights between which a point of the section lies in the body.
    pub fn between(&self, p: DVec2) -> [f64; 2] {
        let end = |is_start: bool| self.planes.iter().find(|plane| (plane.normal.z < 0.0) == is_start);
        [
            end(true).map_or(self.from, |plane| plane.height(p)),
            end(false).map_or(self.to, |plane| plane.height(p)),
        ]
    }

    /// Refuses a body whose ends meet.
    pub fn check(&self, section: &CrossSection, offset: DVec2) -> Result<(), Fault> {
        let is_short = section.outline.iter().any(|p| {
            let [from, to] = self.between(*p - offset);
            to - from < 1.0
        });
        if is_short {
            return Err(Fault::invalid(
                "end_cuts",
                "The cuts of both ends meet within the member; make it longer or cut it less steeply.",
            ));
        }
        Ok(())
    }
}

/// The run of a body whose axis has a frame in the world (z along it) and a length. `offset` is the section's point on the axis.
pub fn run(
    frame: &Frame,
    length: f64,
    finishes: &[Finish; 2],
    section: &CrossSection,
    offset: DVec2,
) -> Result<Run, Fault> {
    let [start, end] = finishes;
    let mut run = Run { from: -start.extension, to: length + end.extension, planes: Vec::new() };
    if run.to - run.from < 1.0 {
        return Err(Fault::invalid(
            "extend",
            format!(
                "The body would be shorter than 1 mm; the axis is {} mm long.",
                crate::measures::mm(length)
            ),
        ));
    }
    for (i, (finish, out)) in [(start, -1.0), (end, 1.0)].into_iter().enumerate() {
        let field = format!("end_cuts[{i}]");
        let Some(normal) = normal(frame, finish.cut, out, &field)? else { continue };
        if normal.z * out < STEEPEST {
            return Err(Fault::invalid(
                &field,
                "The cut runs nearly along the member; give one within 80 degrees of square.",
            ));
        }
        let at = if out < 0.0 { run.from } else { run.to };
        run.planes.push(Plane { at, normal });
    }
    run.fit(section, offset);
    run.check(section, offset)?;
    Ok(run)
}

/// The normal of a cut, out of the body, seen from the axis; `None` for a square end.
fn normal(frame: &Frame, cut: Cut, out: f64, field: &str) -> Result<Option<DVec3>, Fault> {
    let along = frame.z_axis * out;
    let world = match cut {
        Cut::Square => return Ok(None),
        Cut::Mitre(degrees) => {
            if !degrees.is_finite() || degrees.abs() > 80.0 {
                return Err(Fault::invalid(
                    field,
                    format!("`{field}` is {degrees}; a cut is within 80 degrees of square."),
                ));
            }
            let turn = DQuat::from_rotation_y(degrees.to_radians());
            return Ok((degrees != 0.0).then(|| turn * DVec3::Z * out));
        }
        Cut::Vertical => along.with_z(0.0).try_normalize().filter(|_| along.z.abs() < 1.0 - 1e-9),
        Cut::Horizontal => (along.z.abs() > 1e-9).then(|| DVec3::Z * along.z.signum()),
    };
    let Some(world) = world else {
        return Err(Fault::invalid(
            field,
            "A vertical cut needs a member that is not upright, a horizontal one a member that is not level; give square.",
        ));
    };
    let own = frame.turn_into_own(world);
    Ok((own.z.abs() < 1.0 - 1e-9).then_some(own))
}

impl Author<'_> {
    /// The solid of a section along an axis, whose frame within the placement is `local`: extruded, and cut at its ends. Answers
    /// the item and its RepresentationType.
    pub(super) fn bar(
        &mut self,
        local: &Frame,
        section: &CrossSection,
        offset: DVec2,
        run: &Run,
    ) -> Result<(Id, &'static str), Fault> {
        let position = *local * Frame::at((-offset).extend(run.from));
        let position = self.axes(&position)?;
        let up = Value::list([0.0, 0.0, 1.0].map(Value::Real));
        let up = self.create("IfcDirection", &[("DirectionRatios", up)])?;
        let depth = self.real(run.to - run.from);
        let mut item = self.create(
            "IfcExtrudedAreaSolid",
            &[
                ("SweptArea", section.profile.into()),
                ("Position", position.into()),
                ("ExtrudedDirection", up.into()),
                ("Depth", depth),
            ],
        )?;
        for plane in &run.planes {
            let z = plane.normal;
            let x = z.any_orthonormal_vector();
            let own = Frame(DAffine3::from_cols(x, z.cross(x), z, DVec3::Z * plane.at));
            let position = self.axes(&(*local * own))?;
            let surface = self.create("IfcPlane", &[("Position", position.into())])?;
            // what is cut off lies where the normal points
            let half = self.create(
                "IfcHalfSpaceSolid",
                &[("BaseSurface", surface.into()), ("AgreementFlag", Value::Boolean(false))],
            )?;
            item = self.create(
                "IfcBooleanClippingResult",
                &[
                    ("Operator", crate::author::word("DIFFERENCE")),
                    ("FirstOperand", item.into()),
                    ("SecondOperand", half.into()),
                ],
            )?;
        }
        Ok((item, if run.planes.is_empty() { "SweptSolid" } else { "Clipping" }))
    }
}
