//! Curved walls: arcs about one centre, one beside the other.

use super::Options;
use super::parts::{Wall, turn};
use super::roles::Role;
use super::shapes::{Arc, Primitives};
use crate::effort::Effort;
use glam::DVec2;
use std::f64::consts::TAU;

/// Arcs that are compared at most.
const MOST: usize = 20_000;

/// Centres that lie as near as this, in mm, are one.
const CONCENTRIC: f64 = 10.0;

/// Finds curved walls.
pub(crate) fn walls(found: &Primitives, options: &Options, effort: &Effort<'_>, walls: &mut Vec<Wall>) {
    let has_named = walls.iter().any(|wall| wall.role == Role::Wall);
    let mut arcs: Vec<&Arc> = found
        .arcs
        .iter()
        .filter(|arc| arc.radius > 800.0 && arc.radius * arc.sweep > 500.0)
        .filter(|arc| arc.role == Role::Wall || (arc.role == Role::Unknown && !has_named))
        .take(MOST)
        .collect();
    arcs.sort_by(|a, b| a.centre.x.total_cmp(&b.centre.x).then(a.radius.total_cmp(&b.radius)));
    let mut used = vec![false; arcs.len()];
    for n in 0..arcs.len() {
        let Some(inner) = arcs.get(n) else { break };
        let mut best: Option<(f64, usize)> = None;
        let from = arcs.partition_point(|arc| arc.centre.x < inner.centre.x - CONCENTRIC);
        for m in (from..arcs.len()).filter(|m| *m != n) {
            let Some(outer) = arcs.get(m).filter(|arc| arc.centre.x < inner.centre.x + CONCENTRIC) else {
                break;
            };
            if !effort.goes_on(1) {
                return;
            }
            let thickness = outer.radius - inner.radius;
            let is_pair = (options.thickness[0]..=options.thickness[1]).contains(&thickness)
                && outer.centre.distance(inner.centre) < CONCENTRIC
                && shared(inner, outer).is_some();
            let is_free = !used.get(n).copied().unwrap_or(true) && !used.get(m).copied().unwrap_or(true);
            if is_pair && is_free && best.is_none_or(|(least, _)| thickness < least) {
                best = Some((thickness, m));
            }
        }
        let Some((thickness, m)) = best else { continue };
        let Some(outer) = arcs.get(m) else { continue };
        // a swing of a door is never beside another one
        let Some((start, sweep)) = shared(inner, outer) else { continue };
        let radius = f64::midpoint(inner.radius, outer.radius);
        let centre = (inner.centre + outer.centre) / 2.0;
        let at = |angle: f64| centre + DVec2::from_angle(angle) * radius;
        for number in [n, m] {
            if let Some(used) = used.get_mut(number) {
                *used = true;
            }
        }
        walls.push(Wall {
            role: inner.role,
            way: DVec2::X,
            low: -thickness / 2.0,
            high: thickness / 2.0,
            start: at(start),
            end: at(start + sweep),
            arc: Some((centre, radius, true)),
            gaps: Vec::new(),
            inner: Vec::new(),
            entities: vec![inner.entity, outer.entity],
            is_single: false,
            beyond: [0.0, 0.0],
            is_met: [false, false],
            confidence: 0.0,
        });
    }
}

/// The angles that two arcs share: where they begin, and how far.
fn shared(a: &Arc, b: &Arc) -> Option<(f64, f64)> {
    if a.sweep >= TAU - 1e-6 {
        return (b.sweep * b.radius > 500.0).then_some((b.start, b.sweep.min(TAU - 1e-3)));
    }
    let way = |angle: f64| DVec2::from_angle(angle);
    let off = turn(way(a.start), way(b.start));
    // b begins within a, or a within b
    let (start, sweep) = if off < a.sweep {
        (b.start, (a.sweep - off).min(b.sweep))
    } else {
        let back = TAU - off;
        if back >= b.sweep {
            return None;
        }
        (a.start, (b.sweep - back).min(a.sweep))
    };
    (sweep * a.radius > 400.0 && sweep > a.sweep.min(b.sweep) * 0.5).then_some((start, sweep))
}
