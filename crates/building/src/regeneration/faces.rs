//! Walls that moved or became thicker, by their faces: where each lay and where it lies now, in plan.

use crate::author::Author;
use crate::host::Wall;
use crate::space::outline_in_world;
use glam::{DVec2, DVec3};
use ifc::Id;
use std::collections::BTreeSet;

/// Lines nearer than this are the same, in mm.
pub(super) const SAME: f64 = 0.01;

/// A face of a wall in plan: where it lay, and the line on which it lies now.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Face {
    pub from: DVec2,
    pub to: DVec2,
    /// A point of the line.
    pub on: DVec2,
    /// Its direction, the same way round as from `from` to `to`.
    pub along: DVec2,
    /// The thickness of its wall as it was, in mm.
    pub thickness: f64,
}

impl Face {
    /// The same beside itself by so many mm, to the left of its direction, and longer at both ends by `more`.
    pub fn beside(&self, offset: f64, more: f64) -> Option<Self> {
        let was = crate::polygon::direction(self.from, self.to)?;
        Some(Self {
            from: self.from + was.perp() * offset - was * more,
            to: self.to + was.perp() * offset + was * more,
            on: self.on + self.along.perp() * offset,
            ..*self
        })
    }
}

/// A wall that moved.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Moved {
    pub wall: Id,
    /// The lowest and highest z that it had, in mm of the world.
    pub heights: [f64; 2],
    pub faces: Vec<Face>,
    /// Its outline as it was, in the world.
    pub was: Vec<DVec2>,
}

/// Returns the walls that are there in both states, and of which a face lies on another line now.
pub(super) fn moved(before: &Author<'_>, after: &Author<'_>, reshaped: &BTreeSet<Id>) -> Vec<Moved> {
    let walls = reshaped.iter().copied().filter(|id| {
        [&*before.edit, &*after.edit]
            .iter()
            .all(|edit| edit.get(*id).is_some_and(|wall| wall.is_a("IfcWall")))
    });
    let moved = walls.filter_map(|id| {
        let (old, new) = (Wall::read(before, id).ok()?, Wall::read(after, id).ok()?);
        let sides = [(old.faces.0, new.faces.0), (old.faces.1, new.faces.1)];
        let faces: Vec<Face> = sides.into_iter().filter_map(|(was, is)| face(&old, &new, was, is)).collect();
        let stays = |face: &Face| {
            let off = |p: DVec2| face.along.perp_dot(p - face.on).abs() < SAME;
            off(face.from) && off(face.to)
        };
        let base = old.frame.translation.z;
        (!faces.iter().all(stays)).then(|| Moved {
            wall: id,
            heights: [base, base + old.height],
            faces,
            was: outline_in_world(&old),
        })
    });
    moved.collect()
}

fn face(old: &Wall, new: &Wall, was: f64, is: f64) -> Option<Face> {
    let on_face: Vec<f64> = old.outline.iter().filter(|p| (p.y - was).abs() < 0.5).map(|p| p.x).collect();
    let (low, high) =
        on_face.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(*x), high.max(*x)));
    let world = |wall: &Wall, x: f64, y: f64| wall.frame.transform_point3(DVec3::new(x, y, 0.0)).truncate();
    (high - low > 1.0).then(|| Face {
        from: world(old, low, was),
        to: world(old, high, was),
        on: world(new, 0.0, is),
        along: new.frame.x_axis.truncate(),
        thickness: old.thickness(),
    })
}
