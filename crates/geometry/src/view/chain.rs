//! Pieces of lines become lines: joined at their ends, each place once.

use crate::math::P2;
use std::collections::{HashMap, HashSet};

/// Ends nearer than this, in metres, are one.
const WELD: f64 = 2e-5;

type Key = [i64; 2];

/// Pieces joined where exactly two meet; points on a straight line between their neighbours are left out.
pub(super) fn joined(pieces: Vec<[P2; 2]>) -> Vec<Vec<P2>> {
    let key = |p: P2| p.map(|v| (v / WELD + 0.3).round() as i64);
    let mut known: HashSet<[Key; 2]> = HashSet::new();
    let mut ends: HashMap<Key, Vec<usize>> = HashMap::new();
    let mut kept: Vec<[P2; 2]> = Vec::with_capacity(pieces.len());
    for piece in pieces {
        let [a, b] = piece.map(key);
        if a == b || !known.insert([a.min(b), a.max(b)]) {
            continue;
        }
        ends.entry(a).or_default().push(kept.len());
        ends.entry(b).or_default().push(kept.len());
        kept.push(piece);
    }
    let mut used = vec![false; kept.len()];
    let mut lines = Vec::new();
    for start in 0..kept.len() {
        if std::mem::replace(&mut used[start], true) {
            continue;
        }
        let mut line = kept[start].to_vec();
        for _ in 0..2 {
            while let Some(end) = line.last().copied() {
                let Some([a, b]) = ends.get(&key(end)).map(Vec::as_slice) else { break };
                let Some(next) = [*a, *b].into_iter().find(|n| !used[*n]) else { break };
                used[next] = true;
                let [p, q] = kept[next];
                line.push(if key(p) == key(end) { q } else { p });
            }
            line.reverse();
        }
        lines.push(straightened(&line));
    }
    lines
}

fn straightened(line: &[P2]) -> Vec<P2> {
    let mut out: Vec<P2> = Vec::with_capacity(line.len());
    for p in line {
        while let [.., a, b] = out.as_slice() {
            let (u, v) = ([b[0] - a[0], b[1] - a[1]], [p[0] - b[0], p[1] - b[1]]);
            let (cross, along) = (u[0] * v[1] - u[1] * v[0], u[0] * v[0] + u[1] * v[1]);
            if along <= 0.0 || cross.abs() > 1e-5 * u[0].hypot(u[1]).min(v[0].hypot(v[1])) {
                break;
            }
            out.pop();
        }
        out.push(*p);
    }
    out
}
