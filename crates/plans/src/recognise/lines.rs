//! Long straight lines: pieces, doubles and pieces with small gaps made one, by direction and by what they are for.

use super::roles::Role;
use super::shapes::{Area, Primitives};
use super::symbols::Symbols;
use crate::effort::Effort;
use crate::plan::Plan;
use glam::DVec2;
use std::collections::BTreeMap;

/// Pieces in one line that are as far apart as this, in mm, are one.
const GAP: f64 = 3.0;

/// Lines that lie as far beside each other as this, in mm, are one.
const BESIDE: f64 = 1.5;

/// Directions that are told apart.
const MOST_CLASSES: usize = 720;

/// Lines of one group and direction.
pub(crate) struct Class {
    /// The direction.
    pub(crate) way: DVec2,
    /// By their distance to the left of zero.
    pub(crate) lines: Vec<Merged>,
}

/// A line of one or more pieces.
#[derive(Debug, Clone)]
pub(crate) struct Merged {
    pub(crate) off: f64,
    pub(crate) from: f64,
    pub(crate) to: f64,
    /// The entities that it is of.
    pub(crate) entities: Vec<u32>,
}

/// Lines that may be faces of the same walls.
pub(crate) struct Group {
    pub(crate) role: Role,
    pub(crate) classes: Vec<Class>,
    /// The length of all its lines.
    pub(crate) length: f64,
}

struct Piece {
    from: DVec2,
    to: DVec2,
    entity: u32,
    is_dashed: bool,
}

/// The groups of lines: all on layers of walls are one, every layer whose name says nothing is one of its own.
pub(crate) fn groups(
    found: &Primitives,
    symbols: &Symbols,
    effort: &Effort<'_>,
    plan: &mut Plan,
) -> Vec<Group> {
    let mut sorted: BTreeMap<(bool, u32), Vec<Piece>> = BTreeMap::new();
    for (number, line) in found.lines.iter().enumerate() {
        if !line.role.may_be_wall() || symbols.is_leaf(number) {
            continue;
        }
        let is_unknown = line.role == Role::Unknown;
        let piece = Piece { from: line.from, to: line.to, entity: line.entity, is_dashed: line.is_dashed };
        sorted.entry((is_unknown, if is_unknown { line.layer } else { 0 })).or_default().push(piece);
    }
    for area in &found.areas {
        let Some(key) = area_group(area) else { continue };
        let own = sorted.entry(key).or_default();
        for ring in &area.rings {
            for (from, to) in ring.iter().zip(ring.iter().skip(1).chain(ring.first())) {
                own.push(Piece { from: *from, to: *to, entity: area.entity, is_dashed: false });
            }
        }
    }
    let mut groups = Vec::new();
    for ((is_unknown, _), mut pieces) in sorted {
        let all: f64 = pieces.iter().map(|piece| piece.from.distance(piece.to)).sum();
        let dashed: f64 =
            pieces.iter().filter(|piece| piece.is_dashed).map(|piece| piece.from.distance(piece.to)).sum();
        // lines with gaps lie above or below the cut, where others are whole
        if dashed < all * 0.5 {
            pieces.retain(|piece| !piece.is_dashed);
        }
        without_rare_directions(&mut pieces, plan);
        let role = if is_unknown { Role::Unknown } else { Role::Wall };
        groups.push(Group {
            role,
            classes: classes(pieces, effort, plan),
            length: all - if dashed < all * 0.5 { dashed } else { 0.0 },
        });
    }
    groups
}

/// Lines from which on those of rare directions are left out.
const MANY: usize = 100_000;

/// Leaves out lines in directions that hardly any other has, where there are so many that they cannot all be compared.
fn without_rare_directions(pieces: &mut Vec<Piece>, plan: &mut Plan) {
    const BINS: usize = 1800;
    if pieces.len() < MANY {
        return;
    }
    let bin = |piece: &Piece| {
        let angle = (piece.to - piece.from).to_angle().rem_euclid(std::f64::consts::PI);
        ((angle / std::f64::consts::PI * BINS as f64) as usize).min(BINS - 1)
    };
    let mut lengths = vec![0.0; BINS];
    for piece in pieces.iter() {
        if let Some(length) = lengths.get_mut(bin(piece)) {
            *length += piece.from.distance(piece.to);
        }
    }
    let least = lengths.iter().sum::<f64>() * 0.003;
    let is_frequent = |own: usize| {
        let near = [(own + BINS - 1) % BINS, own, (own + 1) % BINS];
        near.into_iter().filter_map(|n| lengths.get(n)).any(|length| *length > least)
    };
    let count = pieces.len();
    pieces.retain(|piece| is_frequent(bin(piece)));
    if pieces.len() < count {
        plan.assumptions.push(format!(
            "{} of {count} lines have directions that hardly any other has, and are taken for no walls",
            count - pieces.len()
        ));
    }
}

/// The group of an area that is as thick as a wall.
fn area_group(area: &Area) -> Option<(bool, u32)> {
    let is_thin = (35.0..=750.0).contains(&area.thickness);
    match area.role {
        Role::Wall => Some((false, 0)),
        Role::Hatch if is_thin => Some((false, 0)),
        Role::Unknown if is_thin => Some((true, area.layer)),
        _ => None,
    }
}

/// The directions of lines, longest first, each line to the one that it deviates least from.
fn classes(mut pieces: Vec<Piece>, effort: &Effort<'_>, plan: &mut Plan) -> Vec<Class> {
    pieces.retain(|piece| piece.from.distance_squared(piece.to) > 4.0);
    pieces.sort_by(|a, b| b.from.distance_squared(b.to).total_cmp(&a.from.distance_squared(a.to)));
    struct Way {
        first: DVec2,
        sum: DVec2,
        pieces: Vec<Piece>,
    }
    let mut ways: Vec<Way> = Vec::new();
    let mut bins: BTreeMap<i32, Vec<usize>> = BTreeMap::new();
    let mut left_out = 0;
    const BINS: f64 = 720.0;
    for piece in pieces {
        let own = piece.to - piece.from;
        let length = own.length();
        let way = upper(own / length);
        let bin = (way.to_angle() / std::f64::consts::PI * BINS).round() as i32;
        let reach = ((2.0 / length).atan() / std::f64::consts::PI * BINS).ceil().clamp(1.0, 8.0) as i32;
        let mut best: Option<(f64, usize)> = None;
        if !effort.goes_on(10) {
            break;
        }
        for near in bin - reach..=bin + reach {
            for n in bins.get(&near.rem_euclid(BINS as i32)).into_iter().flatten() {
                let Some(class) = ways.get(*n).filter(|_| effort.goes_on(1)) else { continue };
                let deviation = class.first.perp_dot(way).abs() * length / 2.0;
                let is_near = deviation < 1.5 || class.first.perp_dot(way).abs() < 0.0015;
                if is_near && best.is_none_or(|(least, _)| deviation < least) {
                    best = Some((deviation, *n));
                }
            }
        }
        let number = match best {
            Some((_, number)) => number,
            None if length < 15.0 => continue,
            None if ways.len() >= MOST_CLASSES => {
                left_out += 1;
                continue;
            }
            None => {
                bins.entry(bin.rem_euclid(BINS as i32)).or_default().push(ways.len());
                ways.push(Way { first: way, sum: DVec2::ZERO, pieces: Vec::new() });
                ways.len() - 1
            }
        };
        if let Some(class) = ways.get_mut(number) {
            // the mean of directions, long lines first
            let aligned = if class.first.dot(own) < 0.0 { -own } else { own };
            if length > 300.0 {
                class.sum += aligned * length;
            }
            class.pieces.push(piece);
        }
    }
    if left_out > 0 {
        plan.assumptions
            .push(format!("{left_out} lines in more than {MOST_CLASSES} directions are taken for no walls"));
    }
    ways.into_iter()
        .map(|class| {
            let mean = class.sum.try_normalize().map_or(class.first, upper);
            let way = along_axes(mean);
            Class { way, lines: merged(class.pieces, way) }
        })
        .collect()
}

/// A direction that is along an axis but for its last digits, along it exactly.
pub(crate) fn along_axes(way: DVec2) -> DVec2 {
    if way.y.abs() < 1e-5 {
        DVec2::X
    } else if way.x.abs() < 1e-5 {
        DVec2::Y
    } else {
        way
    }
}

/// A direction in the upper half, so that lines there and back have one.
pub(crate) fn upper(way: DVec2) -> DVec2 {
    if way.y < -1e-9 || (way.y.abs() <= 1e-9 && way.x < 0.0) { -way } else { way }
}

/// Pieces that lie in one line, made one.
fn merged(pieces: Vec<Piece>, way: DVec2) -> Vec<Merged> {
    let mut rows: Vec<(f64, f64, f64, u32)> = pieces
        .iter()
        .map(|piece| {
            let (a, b) = (way.dot(piece.from), way.dot(piece.to));
            let off = way.perp_dot((piece.from + piece.to) / 2.0);
            (off, a.min(b), a.max(b), piece.entity)
        })
        .collect();
    rows.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(first) = rows.get(at) {
        let mut end = at;
        while rows.get(end).is_some_and(|row| row.0 - first.0 < BESIDE) {
            end += 1;
        }
        if let Some(row) = rows.get_mut(at..end) {
            row.sort_by(|a, b| a.1.total_cmp(&b.1));
            let mut open: Option<(Merged, f64, f64)> = None;
            for (off, from, to, entity) in row.iter().copied() {
                let length = to - from;
                match &mut open {
                    Some((own, sum, weight)) if from <= own.to + GAP => {
                        own.to = own.to.max(to);
                        *sum += off * length;
                        *weight += length;
                        own.entities.push(entity);
                    }
                    other => {
                        close(other.take(), &mut out);
                        let own = Merged { off, from, to, entities: vec![entity] };
                        *other = Some((own, off * length, length));
                    }
                }
            }
            close(open, &mut out);
        }
        at = end;
    }
    out.sort_by(|a, b| a.off.total_cmp(&b.off));
    out
}

fn close(open: Option<(Merged, f64, f64)>, out: &mut Vec<Merged>) {
    if let Some((mut own, sum, weight)) = open {
        own.off = if weight > 0.0 { sum / weight } else { own.off };
        own.entities.sort_unstable();
        own.entities.dedup();
        out.push(own);
    }
}
