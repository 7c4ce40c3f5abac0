//! Walls along an arc: the axis a trimmed circle, the body a ring segment extruded, quantities by the arc's length.
//!
//! They have a placement at their start with x along the chord. Straight walls stop at them as little as they stop at
//! others: arcs are not joined, opened or drawn anew here.

use crate::author::{Author, word};
use crate::frame::Frame;
use crate::lookup::{guid, label};
use crate::measures::{LARGEST, mm, positive};
use crate::polygon::direction;
use crate::quantities::{Quantity, read};
use crate::quantity_sets;
use crate::storey::{above_storey, level_of};
use crate::wall::{self, Build, NewWall, WallAnswer};
use contract::Fault;
use glam::{DVec2, DVec3};
use ifc::{Id, Value};
use std::f64::consts::TAU;

/// An arc in plan.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Arc {
    centre: DVec2,
    radius: f64,
    /// The angle it covers, positive where it turns left.
    sweep: f64,
}

/// The arc from a start through a point to an end; `None` where these lie in one line.
fn arc(start: DVec2, through: DVec2, end: DVec2) -> Option<Arc> {
    let (b, c) = (through - start, end - start);
    let twice = 2.0 * b.perp_dot(c);
    if twice.abs() < 1e-3 * b.length().max(c.length()) {
        return None;
    }
    let (bb, cc) = (b.length_squared(), c.length_squared());
    let middle = DVec2::new(c.y * bb - b.y * cc, b.x * cc - c.x * bb) / twice;
    let centre = start + middle;
    let angle = |p: DVec2| (p - centre).to_angle();
    let turn = (angle(end) - angle(start)).rem_euclid(TAU);
    let sweep = if twice > 0.0 { turn } else { turn - TAU };
    Some(Arc { centre, radius: middle.length(), sweep })
}

impl Arc {
    /// The radius of the line that lies so far to the left of the arc.
    fn radius_at(&self, left: f64) -> f64 {
        self.radius - left * self.sweep.signum()
    }

    /// The point of that line at a part of the sweep, 0 to 1.
    fn at(&self, start: DVec2, part: f64, left: f64) -> DVec2 {
        let from = (start - self.centre).to_angle();
        self.centre + DVec2::from_angle(from + part * self.sweep) * self.radius_at(left)
    }
}

/// Makes a wall along the arc from its start through a point to its end; answers it as it stands.
pub fn create(
    author: &mut Author,
    new: &NewWall,
    through: DVec2,
    build: &Build,
) -> Result<(Id, WallAnswer), Fault> {
    positive("height", new.height)?;
    positive("thickness", new.thickness)?;
    let refused = |text: String| Err(Fault::invalid("arc_through", text));
    let Some(found) = arc(new.start, through, new.end).filter(|found| found.radius <= LARGEST) else {
        return refused(
            "`start`, `arc_through` and `end` lie in one line or in one place; leave arc_through out for a straight wall.".into(),
        );
    };
    let faces = new.line.faces(new.thickness);
    let inner = found.radius_at(faces.0).min(found.radius_at(faces.1));
    if inner < 1.0 {
        return refused(format!(
            "The arc has a radius of {} mm, too tight for a wall {} mm thick. Move arc_through nearer to the line from start to end.",
            mm(found.radius),
            mm(new.thickness)
        ));
    }
    let Some(chord) = direction(new.start, new.end) else {
        return refused("`start` and `end` are in the same place.".into());
    };
    let storey_frame = author.frame(new.storey)?;
    let own = Frame::in_plan(
        storey_frame.into_own(new.start.extend(storey_frame.translation.z)).with_z(new.base),
        storey_frame.turn_into_own(chord.extend(0.0)).truncate(),
    );
    let world = Frame::in_plan(new.start.extend(0.0), chord);
    let flat = |p: DVec2| world.into_own(p.extend(0.0)).truncate();
    let local = arc(DVec2::ZERO, flat(through), flat(new.end)).unwrap_or(found);
    let within = author.placement_of(new.storey);
    let placement = author.placement(within, &own)?;
    let line = trimmed(author, &local, 0.0, false)?;
    let axis = author.representation("Axis", "Curve2D", &[line])?;
    let profile = ring(author, &local, faces)?;
    let solid = extruded(author, profile, new.height)?;
    let body = author.body(&[solid])?;
    let shape = author.shape(&[axis, body])?;
    let id = wall::stand(author, new, build, placement, shape)?;
    quantify(author, id, &found, new, faces)?;
    let length = found.radius * found.sweep.abs();
    let z = author.frame(id)?.translation.z;
    let answer = WallAnswer {
        wall_id: guid(author.edit, id),
        name: label(author.edit, id),
        level: level_of(author, id).map(|(storey, _)| label(author.edit, storey)),
        start: above_storey(author, id, new.start.extend(z)).to_array(),
        end: above_storey(author, id, new.end.extend(z)).to_array(),
        length: mm(length),
        height: mm(new.height),
        thickness: mm(new.thickness),
        quantities: read(author.edit, id, quantity_sets::WALL),
    };
    Ok((id, answer))
}

/// The part of a circle that lies so far to the left of an arc from the origin; `back` runs from its end to its start.
fn trimmed(author: &mut Author, arc: &Arc, left: f64, back: bool) -> Result<Id, Fault> {
    let centre = author.point2(arc.centre)?;
    let position = author.create("IfcAxis2Placement2D", &[("Location", centre.into())])?;
    let radius = author.real(arc.radius_at(left));
    let circle = author.create("IfcCircle", &[("Position", position.into()), ("Radius", radius)])?;
    let ends = if back { [1.0, 0.0] } else { [0.0, 1.0] };
    let [from, to] = ends.map(|part| arc.at(DVec2::ZERO, part, left));
    let (from, to) = (author.point2(from)?, author.point2(to)?);
    author.create(
        "IfcTrimmedCurve",
        &[
            ("BasisCurve", circle.into()),
            ("Trim1", Value::list([Value::Ref(from)])),
            ("Trim2", Value::list([Value::Ref(to)])),
            ("SenseAgreement", Value::Boolean((arc.sweep > 0.0) != back)),
            ("MasterRepresentation", word("CARTESIAN")),
        ],
    )
}

/// The profile between both faces of an arc from the origin.
fn ring(author: &mut Author, arc: &Arc, (right, left): (f64, f64)) -> Result<Id, Fault> {
    let at = |part: f64, face: f64| arc.at(DVec2::ZERO, part, face);
    let curves = [
        trimmed(author, arc, right, false)?,
        author.polyline(&[at(1.0, right), at(1.0, left)], false)?,
        trimmed(author, arc, left, true)?,
        author.polyline(&[at(0.0, left), at(0.0, right)], false)?,
    ];
    let mut segments = Vec::with_capacity(curves.len());
    for curve in curves {
        segments.push(Value::Ref(author.create(
            "IfcCompositeCurveSegment",
            &[
                ("Transition", word("CONTINUOUS")),
                ("SameSense", Value::Boolean(true)),
                ("ParentCurve", curve.into()),
            ],
        )?));
    }
    let outline = author.create(
        "IfcCompositeCurve",
        &[("Segments", Value::List(segments)), ("SelfIntersect", Value::Boolean(false))],
    )?;
    author.create(
        "IfcArbitraryClosedProfileDef",
        &[("ProfileType", word("AREA")), ("OuterCurve", outline.into())],
    )
}

fn extruded(author: &mut Author, profile: Id, height: f64) -> Result<Id, Fault> {
    let position = author.axes(&Frame::WORLD)?;
    let up = Value::list(DVec3::Z.to_array().map(Value::Real));
    let up = author.create("IfcDirection", &[("DirectionRatios", up)])?;
    let depth = author.real(height);
    author.create(
        "IfcExtrudedAreaSolid",
        &[
            ("SweptArea", profile.into()),
            ("Position", position.into()),
            ("ExtrudedDirection", up.into()),
            ("Depth", depth),
        ],
    )
}

fn quantify(author: &mut Author, id: Id, arc: &Arc, new: &NewWall, faces: (f64, f64)) -> Result<(), Fault> {
    let length = arc.radius * arc.sweep.abs();
    let (a, b) = (arc.radius_at(faces.0), arc.radius_at(faces.1));
    let footprint = arc.sweep.abs() / 2.0 * (a * a - b * b).abs();
    let (height, side) = (new.height, length * new.height);
    author.quantify(
        id,
        quantity_sets::WALL,
        &[
            ("Length", Quantity::Length(length)),
            ("Width", Quantity::Length(new.thickness)),
            ("Height", Quantity::Length(height)),
            ("GrossFootprintArea", Quantity::Area(footprint)),
            ("NetFootprintArea", Quantity::Area(footprint)),
            ("GrossSideArea", Quantity::Area(side)),
            ("NetSideArea", Quantity::Area(side)),
            ("GrossVolume", Quantity::Volume(footprint * height)),
            ("NetVolume", Quantity::Volume(footprint * height)),
        ],
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_arc_goes_through_its_three_points_whichever_way_it_turns() {
        let (start, end) = (DVec2::new(-1000.0, 0.0), DVec2::new(1000.0, 0.0));
        for (y, sweep) in [(1000.0, -180.0), (-1000.0, 180.0), (200.0, -45.24), (3000.0, -286.26)] {
            let found = arc(start, DVec2::new(0.0, y), end).unwrap();
            assert!((found.sweep.to_degrees() - sweep).abs() < 0.01, "{found:?}");
            assert!(found.at(start, 1.0, 0.0).distance(end) < 1e-6);
            assert!(found.at(start, 0.5, 0.0).distance(DVec2::new(0.0, y)) < 1e-6);
        }
        assert_eq!(arc(start, DVec2::ZERO, end), None);
    }
}
