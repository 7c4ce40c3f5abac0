//! Parallel lines at one spacing: hatches, floor tiles, steps of stairs. They are no walls.

use crate::line::Span;
use crate::strokes::Stroke;
use std::collections::HashMap;

/// The fewest lines that are a family: a window in its wall has four.
const FEWEST: usize = 5;

/// True for each line that belongs to a family; only lines thinner than `thick` do, and no further apart than `apart`.
pub(crate) fn find(lines: &[Stroke], thick: f64, apart: f64) -> Vec<bool> {
    let mut next: HashMap<usize, [Option<(usize, f64)>; 2]> = HashMap::new();
    let spans: Vec<(usize, Span, f64, f64)> = lines
        .iter()
        .enumerate()
        .filter(|(_, line)| line.thickness < thick)
        .map(|(n, line)| (n, line.span, line.span.length(), line.span.bearing()))
        .collect();
    for (n, own, length, bearing) in &spans {
        let mut nearest: [Option<(usize, f64)>; 2] = [None, None];
        for (m, other, other_length, other_bearing) in &spans {
            let turn = (bearing - other_bearing).rem_euclid(180.0);
            if n == m
                || turn.min(180.0 - turn) > 4.0
                || length.min(*other_length) < 0.35 * length.max(*other_length)
            {
                continue;
            }
            let aside = own.beside(other.middle());
            if aside.abs() < 2.0 || aside.abs() > apart {
                continue;
            }
            if own.overlap(other) < 0.5 * length.min(*other_length) {
                continue;
            }
            // the side does not hang on the direction in which a line happens to run
            let sense = if own.direction().x + own.direction().y * 1e-3 < 0.0 { -aside } else { aside };
            let slot = usize::from(sense > 0.0);
            if let Some(slot) = nearest.get_mut(slot)
                && slot.is_none_or(|(_, distance)| aside.abs() < distance)
            {
                *slot = Some((*m, aside.abs()));
            }
        }
        next.insert(*n, nearest);
    }
    let mut is_member = vec![false; lines.len()];
    for (n, ..) in &spans {
        // lines that nothing comes before at the same spacing begin a chain; so does each, for simplicity
        let mut chain = vec![*n];
        let mut spacing: Option<f64> = None;
        let mut at = *n;
        while let Some((m, distance)) = next.get(&at).and_then(|own| own[1]) {
            if spacing.is_some_and(|own| (distance - own).abs() > 1.2_f64.max(0.14 * own))
                || chain.contains(&m)
            {
                break;
            }
            spacing = Some(spacing.map_or(distance, |own| own * 0.7 + distance * 0.3));
            chain.push(m);
            at = m;
            if chain.len() > 12 {
                break;
            }
        }
        if chain.len() >= FEWEST {
            for m in chain {
                if let Some(own) = is_member.get_mut(m) {
                    *own = true;
                }
            }
        }
    }
    is_member
}
