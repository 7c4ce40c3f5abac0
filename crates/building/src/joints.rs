//! Corners: two walls whose axes meet end to end are cut on the line through their faces' crossings, so that their
//! bodies touch and nothing is there twice. Lengths stay those of the axes.

use crate::author::{Author, refused};
use crate::host::Wall;
use crate::polygon::meet;
use crate::relations::End;
use crate::wall::Cuts;
use contract::Fault;
use glam::{DVec2, DVec3};
use ifc::Id;

/// Axis ends nearer than this meet, in mm.
const MEETING: f64 = 1.0;

/// One wall at a corner.
#[derive(Debug, Clone, Copy)]
pub struct Arm {
    /// The end of its axis there, in the world.
    pub corner: DVec2,
    /// The way its axis leads from there.
    pub away: DVec2,
    /// Its faces: how far to the left and to the right of that way (the right one is the smaller).
    pub right: f64,
    /// The left face.
    pub left: f64,
}

impl Arm {
    /// The arm of a wall at one of its ends.
    pub fn at_end(wall: &Wall, end: End) -> Self {
        let x = wall.frame.x_axis.truncate();
        if end == End::Start {
            let DVec3 { x: cx, y: cy, .. } = wall.at(0.0);
            Self { corner: DVec2::new(cx, cy), away: x, right: wall.faces.0, left: wall.faces.1 }
        } else {
            let DVec3 { x: cx, y: cy, .. } = wall.at(wall.length);
            Self {
                corner: DVec2::new(cx, cy),
                away: DVec2::new(-x.x, -x.y),
                right: -wall.faces.1,
                left: -wall.faces.0,
            }
        }
    }

    fn line(&self, offset: f64) -> (DVec2, DVec2) {
        (self.corner + self.away.perp() * offset, self.away)
    }
}

/// Returns the line in which `a` is cut against `b`: points in the world on its right and on its left face, seen from the
/// corner. `None` for arms that run on straight, or so nearly back on themselves that a mitre would be no corner.
pub fn mitre(a: &Arm, b: &Arm) -> Option<(DVec2, DVec2)> {
    let crossing = |own: f64, other: f64| {
        let ((p, d), (q, e)) = (a.line(own), b.line(other));
        meet(p, d, q, e)
    };
    let (on_right, on_left) = (crossing(a.right, b.left)?, crossing(a.left, b.right)?);
    let thickest = (a.left - a.right).max(b.left - b.right);
    let near = |p: DVec2| p.distance(a.corner) <= 6.0 * thickest;
    (near(on_right) && near(on_left)).then_some((on_right, on_left))
}

/// Returns the cuts of a wall's ends by the walls it is connected to now. Connections whose axes no longer meet are taken away.
pub fn cuts(author: &mut Author, wall: &Wall) -> Result<Cuts, Fault> {
    let mut cuts = Cuts::square(wall.length);
    for (relation, own_end, other, other_end) in connections(author, wall.id) {
        if own_end == End::Path || other_end == End::Path {
            continue;
        }
        let Ok(neighbour) = Wall::read(author, other) else { continue };
        let (a, b) = (Arm::at_end(wall, own_end), Arm::at_end(&neighbour, other_end));
        if a.corner.distance(b.corner) > MEETING {
            author.edit.remove(relation).map_err(|error| refused(&error))?;
            continue;
        }
        let Some((right, left)) = mitre(&a, &b) else { continue };
        let x = |p: DVec2| wall.frame.into_own(p.extend(wall.frame.translation.z)).x;
        if own_end == End::Start {
            cuts.start = [x(right), x(left)];
        } else {
            // seen from the end, right and left are the other way round
            cuts.end = [x(left), x(right)];
        }
    }
    Ok(cuts)
}

/// The walls that a wall is connected to: relation, own end, other wall, its end.
pub fn connections(author: &Author, wall: Id) -> Vec<(Id, End, Id, End)> {
    author
        .edit
        .referrers_of(wall, "IfcRelConnectsPathElements")
        .into_iter()
        .filter_map(|id| {
            let relation = author.edit.get(id)?;
            let end = |name: &str| relation.attr(name).as_enum().and_then(End::from_word);
            let (relating, related) =
                (relation.reference("RelatingElement")?, relation.reference("RelatedElement")?);
            let (here, there) = (end("RelatingConnectionType")?, end("RelatedConnectionType")?);
            Some(if relating == wall { (id, here, related, there) } else { (id, there, relating, here) })
        })
        .collect()
}
