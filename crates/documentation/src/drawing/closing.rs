//! Lines of a cut that go around: walls that are surfaces, not solids, have an inside all the same.

use geometry::region::{self, Loop};
use geometry::section::Outline;
use glam::DVec2;

/// Ends nearer than this, in metres, are one.
const WELD: f64 = 1e-3;
/// Beyond this number of lines none is joined.
const MOST: usize = 2_000;

/// The outline with areas where its lines go around; the others stay lines.
pub(super) fn closed(outline: Outline) -> Outline {
    if outline.lines.is_empty() || outline.lines.len() > MOST {
        return outline;
    }
    let (mut rings, mut open) = (Vec::new(), Vec::new());
    let mut lines: Vec<Loop> = outline.lines.iter().filter(|l| l.len() > 1).cloned().collect();
    while let Some(mut line) = lines.pop() {
        while !is_ring(&line) {
            let Some(end) = line.last().copied() else { break };
            let meets = |p: Option<&DVec2>| p.is_some_and(|p| p.distance(end) < WELD);
            let Some(next) = lines.iter().position(|l| meets(l.first()) || meets(l.last())) else { break };
            let mut next = lines.swap_remove(next);
            if !meets(next.first()) {
                next.reverse();
            }
            line.extend(next.into_iter().skip(1));
        }
        if is_ring(&line) { &mut rings } else { &mut open }.push(line);
    }
    if rings.is_empty() {
        return outline;
    }
    let mut areas = region::even_odd(&rings);
    if !outline.areas.is_empty() {
        let known = outline.areas.iter().chain(&areas).flat_map(|a| a.loops().cloned());
        areas = region::union(&known.collect::<Vec<_>>());
    }
    Outline { areas, lines: open, is_partial: outline.is_partial }
}

fn is_ring(line: &Loop) -> bool {
    line.len() > 3 && line.first().zip(line.last()).is_some_and(|(a, b)| a.distance(*b) < WELD)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_go_around_are_an_area_and_others_stay() {
        let p = |x: f64, y: f64| DVec2::new(x, y);
        let lines = vec![
            vec![p(0.0, 0.0), p(4.0, 0.0), p(4.0, 0.3)],
            vec![p(0.0, 0.0), p(0.0, 0.3), p(4.0, 0.3)],
            vec![p(9.0, 0.0), p(9.0, 1.0)],
        ];
        let found = closed(Outline { lines, ..Outline::default() });
        assert!((found.size() - 1.2).abs() < 1e-6, "{found:?}");
        assert_eq!(found.lines.len(), 1);
    }
}
