//! Arcs that were exploded into chords, found again.

use super::shapes::{Arc, Line, Primitives};
use crate::effort::Effort;
use foldhash::HashMap;
use glam::DVec2;
use std::f64::consts::TAU;

/// Chords from which on a chain may be an arc.
const LEAST: usize = 4;

/// The longest chord of an arc in mm.
const LONGEST: f64 = 400.0;

/// Puts arcs in the place of chains of short lines that lie on a circle.
pub(crate) fn restore(found: &mut Primitives, effort: &Effort<'_>) {
    let chains = chains(&found.lines);
    let mut gone = vec![false; found.lines.len()];
    for chain in chains {
        let mut at = 0;
        while at + LEAST < chain.len() {
            match longest_arc(&chain, at, effort) {
                Some((end, centre, radius)) => {
                    let Some(first) = chain.get(at).and_then(|own| found.lines.get(own.line)) else { break };
                    let points: Vec<DVec2> =
                        chain.iter().skip(at).take(end - at + 1).map(|own| own.at).collect();
                    if let Some(arc) = arc(&points, centre, radius, first) {
                        found.arcs.push(arc);
                        for own in chain.iter().skip(at).take(end - at) {
                            if let Some(gone) = gone.get_mut(own.line) {
                                *gone = true;
                            }
                        }
                    }
                    at = end;
                }
                None => at += 1,
            }
        }
    }
    let mut flags = gone.into_iter();
    found.lines.retain(|_| !flags.next().unwrap_or(false));
}

/// A corner of a chain and the line that goes on from it.
struct Corner {
    at: DVec2,
    line: usize,
}

/// Chains of short lines that follow each other at corners where nothing else ends.
fn chains(lines: &[Line]) -> Vec<Vec<Corner>> {
    let key = |point: DVec2| ((point.x / 2.0).round() as i64, (point.y / 2.0).round() as i64);
    let mut ends: HashMap<(i64, i64), [u32; 3]> = HashMap::default();
    let short: Vec<usize> =
        (0..lines.len()).filter(|n| lines.get(*n).is_some_and(|line| line.length() < LONGEST)).collect();
    for n in &short {
        let Some(line) = lines.get(*n) else { continue };
        for point in [line.from, line.to] {
            let own = ends.entry(key(point)).or_default();
            let [count, first, second] = own;
            match count {
                0 => *first = *n as u32,
                1 => *second = *n as u32,
                _ => {}
            }
            *count = count.saturating_add(1);
        }
    }
    let next = |point: DVec2, from: usize| -> Option<usize> {
        let [count, a, b] = *ends.get(&key(point))?;
        let other = if a as usize == from { b } else { a } as usize;
        let own = lines.get(other)?;
        let before = lines.get(from)?;
        (count == 2 && other != from && own.layer == before.layer && own.instance == before.instance)
            .then_some(other)
    };
    let mut used = vec![false; lines.len()];
    let mut found = Vec::new();
    // first from ends, then what is left: rings
    for is_ring in [false, true] {
        for n in &short {
            let Some(line) = lines.get(*n).filter(|_| !used.get(*n).copied().unwrap_or(true)) else {
                continue;
            };
            let start = [(line.from, line.to), (line.to, line.from)]
                .into_iter()
                .find(|(from, _)| is_ring || next(*from, *n).is_none());
            let Some((from, to)) = start else { continue };
            let mut chain = vec![Corner { at: from, line: *n }];
            let (mut at, mut own) = (to, *n);
            loop {
                if let Some(used) = used.get_mut(own) {
                    *used = true;
                }
                let onward = next(at, own).filter(|next| !used.get(*next).copied().unwrap_or(true));
                chain.push(Corner { at, line: onward.unwrap_or(own) });
                let Some(following) = onward.and_then(|next| lines.get(next)) else { break };
                own = onward.unwrap_or(own);
                at = if key(following.from) == key(at) { following.to } else { following.from };
            }
            if chain.len() > LEAST {
                found.push(chain);
            }
        }
    }
    found
}

/// The longest part of a chain from a corner on that lies on one circle: its last corner, centre and radius.
fn longest_arc(chain: &[Corner], at: usize, effort: &Effort<'_>) -> Option<(usize, DVec2, f64)> {
    let point = |n: usize| chain.get(n).map(|own| own.at);
    let (a, b, c) = (point(at)?, point(at + 1)?, point(at + 2)?);
    let turn = (b - a).angle_to(c - b);
    if !(0.01..0.8).contains(&turn.abs()) {
        return None;
    }
    let (centre, radius) = circle(a, b, c)?;
    if !(20.0..20_000.0).contains(&radius) {
        return None;
    }
    let tolerance = (radius * 0.01).clamp(1.0, 8.0);
    let mut end = at + 2;
    let mut sweep = turn;
    while let (Some(before), Some(last), Some(next)) = (point(end - 1), point(end), point(end + 1)) {
        let own = (last - before).angle_to(next - last);
        let chord = next.distance(last) / last.distance(before);
        sweep += own;
        // chords at the ends may be shorter; beyond a whole turn there is nothing new
        let is_on = (next.distance(centre) - radius).abs() < tolerance
            && own * turn > 0.0
            && sweep.abs() < TAU
            && effort.goes_on(2)
            && (0.3..3.0).contains(&chord);
        if !is_on {
            break;
        }
        end += 1;
    }
    if end - at < LEAST {
        return None;
    }
    // from the whole part, which is surer than from its first corners
    let (centre, radius) =
        circle(a, point(usize::midpoint(at, end))?, point(end)?).unwrap_or((centre, radius));
    let is_on = |own: &Corner| (own.at.distance(centre) - radius).abs() < tolerance;
    chain.get(at..=end)?.iter().all(is_on).then_some((end, centre, radius))
}

fn circle(a: DVec2, b: DVec2, c: DVec2) -> Option<(DVec2, f64)> {
    let (ab, ac) = (b - a, c - a);
    let twice = 2.0 * ab.perp_dot(ac);
    if twice.abs() < 1e-6 {
        return None;
    }
    let (m, n) = (ab.length_squared(), ac.length_squared());
    let off = DVec2::new(ac.y * m - ab.y * n, ab.x * n - ac.x * m) / twice;
    let radius = off.length();
    radius.is_finite().then_some((a + off, radius))
}

fn arc(points: &[DVec2], centre: DVec2, radius: f64, of: &Line) -> Option<Arc> {
    let mut sweep = 0.0;
    for (a, b) in points.iter().zip(points.iter().skip(1)) {
        sweep += (*a - centre).angle_to(*b - centre);
    }
    let (first, last) = (points.first()?, points.last()?);
    let start = if sweep > 0.0 { *first } else { *last };
    let (role, entity, instance) = (of.role, of.entity, of.instance);
    Some(Arc {
        centre,
        radius,
        start: (start - centre).to_angle(),
        sweep: sweep.abs(),
        role,
        entity,
        instance,
    })
}
