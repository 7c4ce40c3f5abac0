//! Walls along an arc through three points: the axis a trimmed circle, the body a ring segment extruded, quantities by the
//! arc's length. They have a placement at their start with x as their axis leads there.

use crate::author::Author;
use crate::bend::Line;
use crate::bent_body;
use crate::frame::Frame;
use crate::measures::{LARGEST, mm, positive};
use crate::wall::{self, Build, NewWall};
use contract::Fault;
use glam::DVec2;
use ifc::Id;
use std::f64::consts::TAU;

/// An arc in plan.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Arc {
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
    Some(Arc { radius: middle.length(), sweep })
}

impl Arc {
    /// The radius of the line that lies so far to the left of the arc.
    fn radius_at(&self, left: f64) -> f64 {
        self.radius - left * self.sweep.signum()
    }
}

/// Makes a wall along the arc from its start through a point to its end.
pub fn create(author: &mut Author, new: &NewWall, through: DVec2, build: &Build) -> Result<Id, Fault> {
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
    let Some((line, length)) = Line::arc(new.start, new.end, found.sweep) else {
        return refused("`start` and `end` are in the same place.".into());
    };
    let storey_frame = author.frame(new.storey)?;
    let own = Frame::in_plan(
        storey_frame.into_own(new.start.extend(storey_frame.translation.z)).with_z(new.base),
        storey_frame.turn_into_own(line.way.extend(0.0)).truncate(),
    );
    let within = author.placement_of(new.storey);
    let placement = author.placement(within, &own)?;
    let local = Line { from: DVec2::ZERO, way: DVec2::X, bend: line.bend };
    let axis = bent_body::draw_axis(author, &local, length)?;
    let outline = bent_body::square(length, faces);
    let body = bent_body::draw_body(author, &local, &outline, faces, [0.0, new.height])?;
    let shape = author.shape(&[axis, body])?;
    let id = wall::stand(author, new, build, placement, shape)?;
    wall::quantify(author, id)?;
    Ok(id)
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
            let (line, length) = Line::arc(start, end, found.sweep).unwrap();
            assert!((line.radius(0.0) - found.radius).abs() < 1e-6);
            assert!(line.at(length, 0.0).distance(end) < 1e-6);
            assert!(line.at(length / 2.0, 0.0).distance(DVec2::new(0.0, y)) < 1e-6);
        }
        assert_eq!(arc(start, DVec2::ZERO, end), None);
    }
}
