//! Walls as single lines, as in sketches: the lines of the network that encloses rooms.

use super::band::Band;
use super::{Drawing, Manner};
use crate::line::Span;
use crate::strokes::Stroke;

/// Lines that are long enough to be a wall.
fn long<'a>(drawing: &'a Drawing) -> Vec<&'a Stroke> {
    let words = &drawing.words.boxes;
    let is_at_word = |span: &Span| {
        // a dimension line has its figure beside its middle, and a heading its underline
        words.iter().any(|[left, top, right, bottom]| {
            let middle = glam::DVec2::new(left + right, top + bottom) / 2.0;
            let height = (bottom - top).min(right - left);
            let off = (span.along(middle) - span.length() / 2.0).abs();
            span.beside(middle).abs() < 1.3 * height.max(4.0) && off < 0.12 * span.length() + height
        })
    };
    drawing
        .lines()
        .map(|(_, line)| line)
        .filter(|line| {
            line.span.length() > (0.02 * drawing.extent).max(3.0 * line.thickness)
                && line.thickness < 0.09 * drawing.extent
                && !(line.thickness < drawing.bar() && is_at_word(&line.span))
        })
        .collect()
}

/// The length of what would be walls if each line was one.
pub(super) fn network_length(drawing: &Drawing) -> f64 {
    long(drawing).iter().map(|line| line.span.length()).sum()
}

pub(super) fn find(drawing: &Drawing) -> Vec<Band> {
    let mut lines = long(drawing);
    // where a part is drawn with a thicker pen, that part is the walls
    let mut by_thickness: Vec<(f64, f64)> =
        lines.iter().map(|line| (line.thickness, line.span.length())).collect();
    by_thickness.sort_by(|a, b| a.0.total_cmp(&b.0));
    if let Some(cut) = gap_of_thickness(&by_thickness, drawing.extent) {
        let thick: Vec<Span> =
            lines.iter().filter(|line| line.thickness > cut).map(|line| line.span).collect();
        let reach = (0.012 * drawing.extent).max(6.0) + 2.0 * drawing.strokes.waver;
        let meets = |own: &Span, end: glam::DVec2| {
            thick.iter().any(|other| other.distance(end) < reach && other.angle_to(own) > 30.0)
        };
        // thin ones from wall to wall are inner walls
        lines.retain(|line| {
            let own = &line.span;
            line.thickness > cut
                || (own.length() > 0.12 * drawing.extent && meets(own, own.start) && meets(own, own.end))
        });
    }
    lines
        .iter()
        .map(|line| Band {
            axis: line.span,
            thickness: line.thickness,
            manner: Manner::Single,
            is_dimension: false,
        })
        .collect()
}

/// The thickness between thin and thick lines (Otsu 1979, by length), where there are both and the thick are long enough in all to be
/// the walls.
fn gap_of_thickness(sorted: &[(f64, f64)], extent: f64) -> Option<f64> {
    let total: f64 = sorted.iter().map(|(_, length)| length).sum();
    let sum: f64 = sorted.iter().map(|(thickness, length)| thickness * length).sum();
    let (mut below, mut below_sum) = (0.0, 0.0);
    let mut best: Option<(f64, f64)> = None;
    for pair in sorted.windows(2) {
        let [(low, length), (high, _)] = pair else { continue };
        below += length;
        below_sum += low * length;
        let above = total - below;
        let (thin, thick) = (below_sum / below.max(1e-9), (sum - below_sum) / above.max(1e-9));
        let between = below * above * (thick - thin).powi(2);
        if thick > 1.45 * thin
            && thick - thin > 0.8
            && above > 1.2 * extent
            && best.is_none_or(|(own, _)| between > own)
        {
            best = Some((between, f64::midpoint(*low, *high)));
        }
    }
    best.map(|(_, cut)| cut)
}
