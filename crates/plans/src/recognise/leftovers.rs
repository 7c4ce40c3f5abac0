//! What is left over: entities that explain nothing and are explained by nothing, in groups with their places.

use super::answer::{round, source};
use super::grid::{Boxes, Grid};
use super::parts::{Wall, wall_grid};
use super::roles::Role;
use super::rooms::{boxes, is_for_rooms};
use super::shapes::Primitives;
use super::{Frame, Roles};
use crate::drawing::{Drawing, Piece, Shape};
use crate::effort::Effort;
use crate::plan::{Leftover, LeftoverPlace, Plan};
use glam::DVec2;
use std::collections::BTreeMap;

/// Places of a group that are listed.
const MOST_PLACES: usize = 50;

/// Lists what was passed over and what was not understood.
#[allow(clippy::too_many_arguments)]
pub(crate) fn tell(
    drawing: &Drawing,
    roles: &Roles,
    found: &Primitives,
    walls: &[Wall],
    frame: &Frame,
    origin: DVec2,
    effort: &Effort<'_>,
    plan: &mut Plan,
) {
    let mut is_used = vec![false; found.count];
    for entity in walls
        .iter()
        .flat_map(|wall| wall.entities.iter().chain(wall.gaps.iter().flat_map(|gap| &gap.entities)))
    {
        if let Some(is_used) = is_used.get_mut(*entity as usize) {
            *is_used = true;
        }
    }
    let place = Place::new(walls, effort);
    let rooms: Vec<Vec<DVec2>> = plan
        .rooms
        .iter()
        .map(|room| room.outline.iter().map(|point| DVec2::from(*point) + origin).collect())
        .collect();
    let room_boxes = boxes(rooms.iter().map(Vec::as_slice));
    let mut groups = Groups::default();
    for note in &found.notes {
        let mut near = room_boxes.at(note.at).filter_map(|n| rooms.get(n));
        let is_in = near.any(|ring| effort.goes_on(ring.len()) && super::shapes::contains(ring, note.at));
        if is_in
            && is_for_rooms(note)
            && let Some(is_used) = is_used.get_mut(note.entity as usize)
        {
            *is_used = true;
        }
    }
    for (number, entity) in drawing.entities.iter().enumerate() {
        if is_used.get(number).copied().unwrap_or(true) {
            continue;
        }
        if !effort.goes_on(5) {
            return;
        }
        let role = roles.entity(entity.layer, entity.instance);
        let (is_passed, reason) = match role {
            None => (true, "its layer is left out"),
            Some(role) => match (passed(role), &entity.shape) {
                (Some(reason), _) => (true, reason),
                (None, Shape::Dimension(_)) => (true, "dimensions say the scale, and are not drawn again"),
                (None, Shape::Text(_)) if role == Role::Text => (true, "words outside of rooms"),
                (None, Shape::Text(_)) => (false, "words that lie in no room"),
                (None, shape) if place.explains(shape, role, frame) => continue,
                (None, shape) => (false, unexplained(role, shape)),
            },
        };
        groups.add(drawing, number, entity.layer, is_passed, reason, frame, origin);
    }
    for own in &drawing.passed {
        let at = own.at.map(|at| (at, frame.mm(at) - origin));
        let places = at.map(|(at, mm)| LeftoverPlace {
            drawing: [at.x, at.y],
            mm: [round(mm.x), round(mm.y)],
            source: String::new(),
            words: None,
        });
        let leftover = Leftover {
            kind: own.kind.clone(),
            layer: own.layer.clone(),
            reason: own.reason.to_owned(),
            count: own.count,
            places: places.into_iter().collect(),
        };
        let is_unread = own.reason.contains("not read")
            || own.reason.contains("not in the file")
            || own.reason.contains("missing");
        if is_unread {
            plan.not_understood.push(leftover);
        } else {
            plan.passed_over.push(leftover);
        }
    }
    groups.finish(plan);
}

/// The reason why entities of a role are no part of the walls.
fn passed(role: Role) -> Option<&'static str> {
    Some(match role {
        Role::Furniture => "furniture",
        Role::Sanitary => "sanitary objects",
        Role::Stair => "stairs, ramps or lifts",
        Role::Grid => "grids and axes",
        Role::Dimension => "dimensions say the scale, and are not drawn again",
        Role::Hatch => "hatches",
        Role::Sheet => "frame and title block of a sheet",
        Role::Other => "by its layer no part of the walls: slabs, roofs, site or services",
        Role::Column => "columns are no walls",
        Role::Text | Role::Wall | Role::Door | Role::Window | Role::Opening | Role::Unknown => return None,
    })
}

fn unexplained(role: Role, shape: &Shape) -> &'static str {
    match (role, shape) {
        (Role::Door, _) => "by its layer or block a door, but no wall is beside it",
        (Role::Window, _) => "by its layer or block a window, but no wall is beside it",
        (Role::Opening, _) => "by its layer an opening, but no wall is beside it",
        (Role::Wall, _) => "on a layer of walls, but it has no second face, or none at a thickness of walls",
        (_, Shape::Arc { .. }) => "an arc that is no swing in a wall",
        (_, Shape::Fill(_)) => "an area that is no wall",
        (Role::Text, _) => "lines on a layer of words",
        _ => "neither a wall nor in one, on a layer whose name says nothing",
    }
}

struct Place<'a> {
    walls: &'a [Wall],
    grid: Grid,
    /// Middles of openings with their width, and by place which are near.
    gaps: Vec<(DVec2, f64)>,
    gap_boxes: Boxes,
    effort: &'a Effort<'a>,
}

/// The share of an opening's width about its middle within which what belongs to it lies at most.
const FARTHEST: f64 = 1.3;

fn gaps(walls: &[Wall]) -> Vec<(DVec2, f64)> {
    let of = |wall: &Wall| {
        wall.gaps
            .iter()
            .map(|gap| (wall.point(f64::midpoint(gap.from, gap.to)), gap.to - gap.from))
            .collect::<Vec<_>>()
    };
    walls.iter().flat_map(of).collect()
}

impl<'a> Place<'a> {
    fn new(walls: &'a [Wall], effort: &'a Effort<'a>) -> Self {
        let (grid, gaps) = (wall_grid(walls, 2000.0, effort), gaps(walls));
        let mut gap_boxes = Boxes::default();
        for (number, (middle, width)) in gaps.iter().enumerate() {
            let reach = DVec2::splat(width * FARTHEST + 150.0);
            gap_boxes.put(number, *middle - reach, *middle + reach);
        }
        Self { walls, grid, gaps, gap_boxes, effort }
    }

    fn covers(&self, point: DVec2, slack: f64) -> bool {
        let near = self.grid.around(point, 900.0);
        if !self.effort.goes_on(10 + near.len() * 2) {
            return false;
        }
        near.into_iter().filter_map(|number| self.walls.get(number)).any(|wall| wall.covers(point, slack))
    }

    fn is_at_gap(&self, point: DVec2, share: f64) -> bool {
        let mut near = self.gap_boxes.at(point).filter_map(|n| self.gaps.get(n));
        near.any(|(middle, width)| self.effort.goes_on(1) && middle.distance(point) < width * share + 150.0)
    }

    /// True if a shape lies in a wall, or belongs to an opening.
    fn explains(&self, shape: &Shape, role: Role, frame: &Frame) -> bool {
        let share = if matches!(role, Role::Door | Role::Window | Role::Opening) { FARTHEST } else { 0.62 };
        let is_explained = |point: DVec2| {
            let point = frame.mm(point);
            self.covers(point, 25.0) || (share > 1.0 && self.is_at_gap(point, share))
        };
        match shape {
            Shape::Segment { from, to } => {
                let all = [*from, *to, (*from + *to) / 2.0];
                all.into_iter().all(is_explained)
                    || (self.is_at_gap(frame.mm(*from), share) && self.is_at_gap(frame.mm(*to), share))
            }
            Shape::Arc { centre, radius, start, sweep } => {
                let at = |part: f64| *centre + DVec2::from_angle(start + sweep * part) * *radius;
                [0.0, 0.5, 1.0].into_iter().map(at).all(is_explained)
            }
            Shape::Polyline(own) => own.pieces().all(|piece| match piece {
                Piece::Line(from, to) => [from, to, (from + to) / 2.0].into_iter().all(is_explained),
                Piece::Arc { centre, radius, start, sweep } => {
                    is_explained(centre + DVec2::from_angle(start + sweep / 2.0) * radius)
                }
            }),
            Shape::Fill(own) => own.rings.iter().flatten().all(|point| is_explained(*point)),
            Shape::Text(_) | Shape::Dimension(_) => false,
        }
    }
}

/// Passed over or not understood, kind, layer, reason.
type GroupKey = (bool, String, String, &'static str);

#[derive(Default)]
struct Groups(BTreeMap<GroupKey, (usize, Vec<LeftoverPlace>)>);

impl Groups {
    #[allow(clippy::too_many_arguments)]
    fn add(
        &mut self,
        drawing: &Drawing,
        number: usize,
        layer: u32,
        is_passed: bool,
        reason: &'static str,
        frame: &Frame,
        origin: DVec2,
    ) {
        let Some(entity) = drawing.entities.get(number) else { return };
        let key = (is_passed, entity.shape.kind().to_owned(), drawing.layer(layer).to_owned(), reason);
        let (count, places) = self.0.entry(key).or_default();
        *count += 1;
        if places.len() < if is_passed { 3 } else { MOST_PLACES } {
            let at = entity.shape.at();
            let mm = frame.mm(at) - origin;
            let words = match &entity.shape {
                Shape::Text(own) => Some(own.words.chars().take(80).collect()),
                _ => None,
            };
            places.push(LeftoverPlace {
                drawing: [at.x, at.y],
                mm: [round(mm.x), round(mm.y)],
                source: source(drawing, entity.source),
                words,
            });
        }
    }

    fn finish(self, plan: &mut Plan) {
        for ((is_passed, kind, layer, reason), (count, places)) in self.0 {
            let own = Leftover { kind, layer, reason: reason.to_owned(), count, places };
            if is_passed {
                plan.passed_over.push(own);
            } else {
                plan.not_understood.push(own);
            }
        }
    }
}
