//! Pieces in one line joined over gaps of noise and crossings, and measured anew on the picture.

use super::Stroke;
use super::group::tolerance;
use crate::grid::Grid;
use crate::line::{Span, fit};
use glam::DVec2;

/// Joins pieces, the longest first.
pub(super) fn join(pieces: Vec<Stroke>, mask: &Grid<u8>, waver: f64) -> Vec<Stroke> {
    let mut taken = vec![false; pieces.len()];
    let mut out = Vec::new();
    for n in 0..pieces.len() {
        let Some(mut own) = pieces.get(n).filter(|_| !taken.get(n).copied().unwrap_or(true)).cloned() else {
            continue;
        };
        if let Some(taken) = taken.get_mut(n) {
            *taken = true;
        }
        loop {
            let mut is_more = false;
            for (m, piece) in pieces.iter().enumerate().skip(n + 1) {
                let Some(is_taken) = taken.get_mut(m).filter(|own| !**own) else { continue };
                if is_one_line(&own, piece, mask, waver) {
                    *is_taken = true;
                    is_more = true;
                    add(&mut own, piece);
                }
            }
            if !is_more {
                break;
            }
        }
        out.push(own);
    }
    out
}

fn is_one_line(own: &Stroke, piece: &Stroke, mask: &Grid<u8>, waver: f64) -> bool {
    let (length, thickness) = (own.span.length(), own.thickness);
    // cheap first: most pieces are elsewhere
    let most = tolerance(waver, thickness) + 0.4;
    let (a, b) = (own.span.beside(piece.span.start), own.span.beside(piece.span.end));
    if a.abs().max(b.abs()) > most * 2.0 || f64::midpoint(a, b).abs() > most {
        return false;
    }
    if (piece.thickness - thickness).abs() > 1.6 + 0.4 * thickness {
        return false;
    }
    let (from, to) = own.span.shadow(&piece.span);
    // of short pieces the direction is not known well; one across is no part
    if to - from < 0.8 * piece.span.length() {
        return false;
    }
    let gap = if from > length {
        from - length
    } else if to < 0.0 {
        -to
    } else {
        0.0
    };
    // beside each other they are two lines, unless the short one is a splinter
    let beside = to.min(length) - from.max(0.0);
    if beside > 0.5 * (to - from) && f64::midpoint(a, b).abs() > 0.45 * thickness + 0.8 {
        return false;
    }
    let small = 5.0 + 1.3 * thickness.min(20.0);
    // what lies beyond a gap has to point the same way
    let bend = own.span.angle_to(&piece.span);
    if gap > small * 0.6 && piece.span.length() > 12.0 && bend > 4.0 + waver * 4.0 {
        return false;
    }
    if gap <= small {
        return true;
    }
    let (start, end) = if from > length { (length, from) } else { (to, 0.0) };
    gap <= 30.0 + 2.0 * thickness && ink_along(mask, &own.span, start, end) > 0.75
}

/// The share of a stretch along a line that is ink.
pub(super) fn ink_along(mask: &Grid<u8>, span: &Span, from: f64, to: f64) -> f64 {
    let count = (to - from).abs().ceil().max(1.0) as usize;
    let across = span.direction().perp();
    let inked = (0..count).filter(|n| {
        let point = span.at(from + (to - from) * (*n as f64 + 0.5) / count as f64);
        [0.0, 1.0, -1.0].iter().any(|aside| mask.under(point + across * *aside) == 1)
    });
    inked.count() as f64 / count as f64
}

fn add(own: &mut Stroke, piece: &Stroke) {
    let (a, b) = (own.points.len() as f64, piece.points.len() as f64);
    own.thickness = (own.thickness * a + piece.thickness * b) / (a + b).max(1.0);
    own.points.extend_from_slice(&piece.points);
    if let Some((span, deviation)) = fit(&own.points) {
        own.span = span;
        own.deviation = deviation;
    }
}

/// Measures thickness, place and ends of a line on the picture, to parts of a pixel.
pub(super) fn measure(line: &mut Stroke, mask: &Grid<u8>, darkness: &Grid<u8>) {
    let length = line.span.length();
    let across = line.span.direction().perp();
    let reach = line.thickness * 0.75 + 2.5;
    let count = ((length / 2.0) as usize).clamp(3, 200);
    let (mut widths, mut asides) = (Vec::new(), Vec::new());
    for n in 0..count {
        let at = line.span.at(length * (n as f64 + 0.5) / count as f64);
        if let Some((width, aside)) = profile(at, across, reach, line.thickness, mask, darkness) {
            widths.push(width);
            asides.push(aside);
        }
    }
    line.coverage = ink_along(mask, &line.span, 0.0, length);
    let middle = |own: &mut Vec<f64>| -> Option<f64> {
        own.sort_by(f64::total_cmp);
        own.get(own.len() / 2).copied()
    };
    if let (Some(width), Some(aside)) = (middle(&mut widths), middle(&mut asides)) {
        line.thickness = width.max(0.5);
        // both are in order by now
        let at = |part: usize| widths.get(widths.len() * part / 5).copied().unwrap_or(width);
        line.spread = (at(4) - at(1)) / line.thickness;
        let shift = across * aside;
        line.span = Span::new(line.span.start + shift, line.span.end + shift);
    }
    // thinning takes half of the thickness off the ends
    let most = line.thickness * 1.2 + 2.0;
    let direction = line.span.direction();
    let beyond = |from: DVec2, towards: DVec2| -> f64 {
        let mut along = 0.0;
        // the line of a window goes on from the middle of a bar
        let aside = if line.thickness > 5.0 { across * (0.3 * line.thickness) } else { DVec2::ZERO };
        let is_ink = |along: f64| {
            let at = from + towards * (along + 0.5);
            [at, at + aside, at - aside].iter().all(|point| mask.under(*point) == 1)
        };
        while along < most && is_ink(along) {
            along += 0.5;
        }
        along
    };
    let (a, b) = (beyond(line.span.start, -direction), beyond(line.span.end, direction));
    line.span = Span::new(line.span.start - direction * a, line.span.end + direction * b);
    line.points = Vec::new();
}

/// Thickness of the stroke where a line across meets it, and how far its middle is aside.
fn profile(
    at: DVec2,
    across: DVec2,
    reach: f64,
    thickness: f64,
    mask: &Grid<u8>,
    darkness: &Grid<u8>,
) -> Option<(f64, f64)> {
    const STEP: f64 = 0.25;
    let edge = |sign: f64| -> Option<f64> {
        let mut along = 0.0;
        let mut misses = 0.0;
        while along <= reach {
            if mask.under(at + across * (sign * along)) == 1 {
                misses = 0.0;
            } else {
                misses += STEP;
                if misses > 1.0 {
                    return Some(along - misses);
                }
            }
            along += STEP;
        }
        None
    };
    let (right, left) = (edge(1.0)?, edge(-1.0)?);
    if right + left < 0.3 {
        return None;
    }
    if thickness > 5.0 {
        return Some((right + left, (right - left) / 2.0));
    }
    // of thin lines grey tells more than the mask
    let (mut sum, mut moment) = (0.0, 0.0);
    let mut along = -left - 1.0;
    while along <= right + 1.0 {
        let weight = f64::from(darkness.under(at + across * along)) / 255.0;
        sum += weight * STEP;
        moment += weight * STEP * along;
        along += STEP;
    }
    (sum > 0.1).then(|| (sum, moment / sum))
}
