//! The outline of an area of cells, with as few corners as describe it.

use crate::grid::Grid;
use crate::line::Span;
use glam::DVec2;
use std::collections::BTreeMap;

/// The longest loop about the cells that are set, clockwise as seen, simplified (Douglas and Peucker 1973).
pub(super) fn trace(mask: &Grid<u8>, tolerance: f64) -> Vec<DVec2> {
    // edges run with the area to their right; from corner to corners
    let mut next: BTreeMap<(i64, i64), Vec<(i64, i64)>> = BTreeMap::new();
    for y in 0..mask.height as i64 {
        for x in 0..mask.width as i64 {
            if mask.at(x, y) != 1 {
                continue;
            }
            let edges = [
                ((0, -1), (x, y), (x + 1, y)),
                ((1, 0), (x + 1, y), (x + 1, y + 1)),
                ((0, 1), (x + 1, y + 1), (x, y + 1)),
                ((-1, 0), (x, y + 1), (x, y)),
            ];
            for ((dx, dy), from, to) in edges {
                if mask.at(x + dx, y + dy) != 1 {
                    next.entry(from).or_default().push(to);
                }
            }
        }
    }
    let mut best: Vec<(i64, i64)> = Vec::new();
    while let Some(start) = next.keys().next().copied() {
        let mut own = vec![start];
        let mut at = start;
        while let Some(to) = take(&mut next, at) {
            if to == start {
                break;
            }
            own.push(to);
            at = to;
        }
        if own.len() > best.len() {
            best = own;
        }
    }
    let points: Vec<DVec2> = best.into_iter().map(|(x, y)| DVec2::new(x as f64, y as f64)).collect();
    simplify(&points, tolerance)
}

fn take(next: &mut BTreeMap<(i64, i64), Vec<(i64, i64)>>, at: (i64, i64)) -> Option<(i64, i64)> {
    let own = next.get_mut(&at)?;
    let to = own.pop();
    if own.is_empty() {
        next.remove(&at);
    }
    to
}

fn simplify(points: &[DVec2], tolerance: f64) -> Vec<DVec2> {
    let Some(first) = points.first().copied() else { return Vec::new() };
    let middle = points.iter().copied().sum::<DVec2>() / points.len() as f64;
    // begin at a corner: what is furthest from the middle
    let start = (0..points.len())
        .max_by(|a, b| {
            let far = |n: &usize| points.get(*n).copied().unwrap_or(first).distance(middle);
            far(a).total_cmp(&far(b))
        })
        .unwrap_or(0);
    let turned: Vec<DVec2> = points.iter().cycle().skip(start).take(points.len() + 1).copied().collect();
    let mut kept = vec![false; turned.len()];
    let far = (1..turned.len())
        .max_by(|a, b| {
            let from = |n: &usize| turned.get(*n).copied().unwrap_or(first).distance(turned[0]);
            from(a).total_cmp(&from(b))
        })
        .unwrap_or(0);
    kept[0] = true;
    let mut work = vec![(0, far), (far, turned.len() - 1)];
    while let Some((from, to)) = work.pop() {
        if let Some(own) = kept.get_mut(to) {
            *own = true;
        }
        let (Some(a), Some(b)) = (turned.get(from), turned.get(to)) else { continue };
        let chord = Span::new(*a, *b);
        let worst = (from + 1..to)
            .filter_map(|n| Some((n, chord.distance(*turned.get(n)?))))
            .max_by(|a, b| a.1.total_cmp(&b.1));
        if let Some((n, distance)) = worst
            && distance > tolerance
        {
            work.push((from, n));
            work.push((n, to));
        }
    }
    let last = turned.len() - 1;
    turned.iter().zip(kept).take(last).filter(|(_, kept)| *kept).map(|(point, _)| *point).collect()
}
