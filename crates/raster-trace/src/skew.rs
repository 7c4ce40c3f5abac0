//! The angle by which a plan is turned on its picture.

use crate::line::Span;
use crate::strokes::Stroke;
use crate::walls::Wall;

/// Degrees clockwise as seen, between -45 and 45, and the share of the length that lies in that direction or across.
pub(crate) fn find(walls: &[Wall], lines: &[Stroke]) -> (f64, f64) {
    let spans: Vec<Span> = if walls.is_empty() {
        lines.iter().take(60).map(|line| line.span).collect()
    } else {
        walls.iter().map(|wall| wall.axis).collect()
    };
    angle(&spans)
}

fn angle(spans: &[Span]) -> (f64, f64) {
    const BINS: usize = 900;
    let mut weights = vec![0.0; BINS];
    let mut total = 0.0;
    for span in spans {
        let own = span.bearing().rem_euclid(90.0);
        if let Some(weight) = weights.get_mut((own * 10.0) as usize % BINS) {
            *weight += span.length();
        }
        total += span.length();
    }
    if total <= 0.0 {
        return (0.0, 0.0);
    }
    let around =
        |at: usize| -> f64 { (0..=14).filter_map(|n| weights.get((at + BINS + n - 7) % BINS)).sum::<f64>() };
    let Some(best) = (0..BINS).max_by(|a, b| around(*a).total_cmp(&around(*b))) else { return (0.0, 0.0) };
    let centre = best as f64 / 10.0;
    // longer ones know their direction better
    let (mut sum, mut weight, mut within) = (0.0, 0.0, 0.0);
    for span in spans {
        let off = (span.bearing() - centre + 45.0).rem_euclid(90.0) - 45.0;
        if off.abs() < 1.5 {
            sum += off * span.length().powi(2);
            weight += span.length().powi(2);
            within += span.length();
        }
    }
    let own = centre + sum / f64::max(weight, 1e-9);
    let own = if own > 45.0 { own - 90.0 } else { own };
    (own, within / total)
}

#[cfg(test)]
mod tests {
    use super::angle;
    use crate::line::Span;
    use glam::{DVec2, dvec2};

    #[test]
    fn small_turns_are_found_to_either_side_beside_a_diagonal_wall() {
        for turn in [-7.0, -2.0, 0.0, 0.3, 2.0, 11.0_f64] {
            let spans: Vec<Span> = [0.0, 90.0, 90.0, 0.0, 33.0_f64]
                .iter()
                .map(|own| {
                    Span::new(
                        dvec2(9.0, 9.0),
                        dvec2(9.0, 9.0) + DVec2::from_angle((own + turn).to_radians()) * 300.0,
                    )
                })
                .collect();
            let (found, share) = angle(&spans);
            assert!((found - turn).abs() < 0.05, "{turn}: {found}");
            assert!((share - 0.8).abs() < 1e-6);
        }
        assert_eq!(angle(&[]), (0.0, 0.0));
    }
}
