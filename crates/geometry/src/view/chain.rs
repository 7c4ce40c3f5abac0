//! Pieces of lines become lines: joined at their ends, each place once.

use foldhash::{HashMap, HashMapExt, HashSet, HashSetExt};
use glam::DVec2;

/// Ends nearer than this, in metres, are one.
const WELD: f64 = 2e-5;

type Key = [i64; 2];

/// Pieces joined where exactly two meet; points on a straight line between their neighbours are left out.
pub(super) fn joined(pieces: Vec<[DVec2; 2]>) -> Vec<Vec<DVec2>> {
    let key = |p: DVec2| p.to_array().map(|v| (v / WELD + 0.3).round() as i64);
    if pieces.is_empty() {
        return Vec::new();
    }
    let mut known: HashSet<[Key; 2]> = HashSet::with_capacity(pieces.len());
    let mut ends: HashMap<Key, Vec<usize>> = HashMap::with_capacity(pieces.len());
    let mut kept: Vec<[DVec2; 2]> = Vec::with_capacity(pieces.len());
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

fn straightened(line: &[DVec2]) -> Vec<DVec2> {
    let mut out: Vec<DVec2> = Vec::with_capacity(line.len());
    for p in line {
        while let [.., a, b] = out.as_slice() {
            let (u, v) = (*b - *a, *p - *b);
            if u.dot(v) <= 0.0 || u.perp_dot(v).abs() > 1e-5 * u.length().min(v.length()) {
                break;
            }
            out.pop();
        }
        out.push(*p);
    }
    out
}
