//! What is drawn, in mm: straight lines, arcs, areas and words, with their roles.

use super::arcs;
use super::roles::Role;
use super::shapes::{Arc, Area, Line, Note, Primitives, Wide, contains};
use super::{Frame, Roles};
use crate::drawing::{Drawing, Entity, Fill, Piece, Shape};
use crate::effort::Effort;
use glam::DVec2;

/// Reads the drawing's entities into mm.
pub(crate) fn collect(drawing: &Drawing, roles: &Roles, frame: &Frame, effort: &Effort<'_>) -> Primitives {
    let mut found = Primitives { count: drawing.entities.len(), ..Primitives::default() };
    let thick = thick_stroke(drawing, frame);
    for (number, entity) in drawing.entities.iter().enumerate() {
        if !effort.goes_on(2) {
            break;
        }
        let number = number as u32;
        let Some(role) = roles.entity(entity.layer, entity.instance) else {
            found.ignored.push(number);
            continue;
        };
        let style = drawing.styles.get(entity.style as usize);
        let is_dashed = style.is_some_and(|style| style.linetype.is_some());
        // the width of an SVG line may be that of a wall
        let stroke =
            style.and_then(|style| style.weight).filter(|_| drawing.format == crate::drawing::Format::Svg);
        let stroke =
            stroke.map(|own| own * frame.scale).filter(|own| thick.is_some_and(|thick| *own >= thick));
        let own = Own { entity, number, role, is_dashed, stroke };
        own.collect(frame, &mut found);
    }
    arcs::restore(&mut found, effort);
    mark_symbols(&mut found);
    found
}

/// The width in mm from which a stroke of an SVG may be a wall: several times that of most lines.
fn thick_stroke(drawing: &Drawing, frame: &Frame) -> Option<f64> {
    if drawing.format != crate::drawing::Format::Svg {
        return None;
    }
    let mut widths: Vec<f64> = drawing
        .entities
        .iter()
        .filter(|entity| matches!(entity.shape, Shape::Segment { .. } | Shape::Polyline(_)))
        .filter_map(|entity| drawing.styles.get(entity.style as usize)?.weight)
        .collect();
    widths.sort_by(f64::total_cmp);
    let least = widths.get(widths.len() / 10).copied()? * frame.scale;
    // where all lines are as wide, they are all walls or none is
    Some((least * 3.0).max(80.0).min(if least >= 80.0 { least } else { f64::INFINITY }))
}

struct Own<'a> {
    entity: &'a Entity,
    number: u32,
    role: Role,
    is_dashed: bool,
    stroke: Option<f64>,
}

impl Own<'_> {
    fn line(&self, from: DVec2, to: DVec2, pieces: usize) -> Line {
        Line {
            from,
            to,
            role: self.role,
            entity: self.number,
            layer: self.entity.layer,
            instance: self.entity.instance,
            is_dashed: self.is_dashed,
            pieces: pieces as u32,
        }
    }

    fn arc(&self, centre: DVec2, radius: f64, start: f64, sweep: f64) -> Arc {
        Arc {
            centre,
            radius,
            start,
            sweep,
            role: self.role,
            entity: self.number,
            instance: self.entity.instance,
        }
    }

    fn push(&self, from: DVec2, to: DVec2, width: f64, pieces: usize, found: &mut Primitives) {
        if width > 0.0 && self.role.may_be_wall() {
            found.wides.push(Wide { from, to, width, role: self.role, entity: self.number });
        } else if from.distance_squared(to) > 1.0 {
            found.lines.push(self.line(from, to, pieces));
        }
    }

    fn collect(&self, frame: &Frame, found: &mut Primitives) {
        let scale = frame.scale;
        match &self.entity.shape {
            Shape::Segment { from, to } => {
                self.push(frame.mm(*from), frame.mm(*to), self.stroke.unwrap_or(0.0), 1, found);
            }
            Shape::Arc { centre, radius, start, sweep } => {
                found.arcs.push(self.arc(frame.mm(*centre), radius * scale, *start, *sweep));
            }
            Shape::Polyline(own) => {
                let width = (own.width * scale).max(self.stroke.unwrap_or(0.0));
                let width = if width >= 40.0 { width } else { 0.0 };
                for piece in own.pieces() {
                    match piece {
                        Piece::Line(from, to) => {
                            self.push(frame.mm(from), frame.mm(to), width, own.vertices.len(), found);
                        }
                        Piece::Arc { centre, radius, start, sweep } => {
                            found.arcs.push(self.arc(frame.mm(centre), radius * scale, start, sweep));
                        }
                    }
                }
            }
            Shape::Fill(own) => {
                let rings: Vec<Vec<DVec2>> = own
                    .rings
                    .iter()
                    .map(|ring| ring.iter().map(|point| frame.mm(*point)).collect())
                    .collect();
                let thickness = thickness(own) * scale;
                let layer = self.entity.layer;
                found.areas.push(Area { rings, thickness, role: self.role, entity: self.number, layer });
            }
            Shape::Text(own) => found.notes.push(Note {
                words: own.words.clone(),
                at: frame.mm(own.middle),
                height: own.height * scale,
                role: self.role,
                entity: self.number,
            }),
            Shape::Dimension(_) => {}
        }
    }
}

/// Twice the area by the length of all outlines; holes taken off, whichever way they turn.
fn thickness(fill: &Fill) -> f64 {
    let mut areas: Vec<f64> = Vec::new();
    let mut around = 0.0;
    for ring in &fill.rings {
        let pairs = ring.iter().zip(ring.iter().skip(1).chain(ring.first()));
        let (mut twice, mut length) = (0.0, 0.0);
        for (a, b) in pairs {
            twice += (*a - *ring.first().unwrap_or(a)).perp_dot(*b - *ring.first().unwrap_or(a));
            length += a.distance(*b);
        }
        areas.push(twice.abs() / 2.0);
        around += length;
    }
    let largest = areas.iter().copied().fold(0.0, f64::max);
    let all: f64 = areas.iter().sum();
    // rings beside each other are added, those within the largest one taken off
    let inside = fill.rings.len() > 1 && all - largest < largest && is_within_first(fill, largest, &areas);
    let area = if inside { largest * 2.0 - all } else { all };
    if around > 0.0 { 2.0 * area / around } else { 0.0 }
}

fn is_within_first(fill: &Fill, largest: f64, areas: &[f64]) -> bool {
    let Some(outer) = areas.iter().position(|area| *area == largest).and_then(|n| fill.rings.get(n)) else {
        return false;
    };
    let other = fill.rings.iter().find(|ring| !std::ptr::eq(*ring, outer));
    other.and_then(|ring| ring.first()).is_some_and(|point| contains(outer, *point))
}

/// Entities of one block that a door may be made of.
const MOST_IN_DOOR: usize = 80;

/// Gives the lines of blocks that hold the swing of a door the role of doors, where neither layer nor block says one.
fn mark_symbols(found: &mut Primitives) {
    let mut doors: std::collections::HashMap<u32, (usize, DVec2, DVec2, f64)> =
        std::collections::HashMap::new();
    for arc in &found.arcs {
        let is_swing = super::doors::is_swing(arc) && arc.role.may_be_wall();
        if arc.instance != Entity::ALONE && is_swing {
            let (a, b) = (arc.centre.min(arc.point(0.5)), arc.centre.max(arc.point(0.5)));
            doors.entry(arc.instance).or_insert((0, a, b, arc.radius));
        }
    }
    if doors.is_empty() {
        return;
    }
    for line in &found.lines {
        if let Some((count, least, most, _)) = doors.get_mut(&line.instance) {
            *count += 1;
            *least = least.min(line.from).min(line.to);
            *most = most.max(line.from).max(line.to);
        }
    }
    doors.retain(|_, (count, least, most, radius)| {
        *count <= MOST_IN_DOOR && (*most - *least).max_element() < *radius * 3.5
    });
    for line in found.lines.iter_mut().filter(|line| line.role.may_be_wall()) {
        if doors.contains_key(&line.instance) {
            line.role = Role::Door;
        }
    }
    for arc in found.arcs.iter_mut().filter(|arc| arc.role.may_be_wall()) {
        if doors.contains_key(&arc.instance) {
            arc.role = Role::Door;
        }
    }
}
