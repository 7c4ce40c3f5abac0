//! Bands: straight pieces of wall as they were drawn, and bands in one line as one wall.

use super::{Drawing, Manner, Wall};
use crate::line::{Span, join_stretches};
use crate::strokes::Stroke;
use glam::DVec2;

/// A straight piece of wall without a gap.
#[derive(Debug, Clone)]
pub(super) struct Band {
    pub axis: Span,
    pub thickness: f64,
    pub manner: Manner,
    /// True between two chains of dimensions.
    pub is_dimension: bool,
}

impl Band {
    pub fn from_bar(line: &Stroke) -> Self {
        Self { axis: line.span, thickness: line.thickness, manner: Manner::Filled, is_dimension: false }
    }

    fn gauge(&self, drawing: &Drawing) -> f64 {
        if self.manner == Manner::Single { self.thickness.max(drawing.nominal()) } else { self.thickness }
    }
}

/// The thickness that most of the length has.
pub(super) fn usual_thickness(bands: &[Band]) -> f64 {
    let mut all: Vec<(f64, f64)> = bands.iter().map(|band| (band.thickness, band.axis.length())).collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    let half = all.iter().map(|(_, length)| length).sum::<f64>() / 2.0;
    let mut sum = 0.0;
    for (thickness, length) in &all {
        sum += length;
        if sum >= half {
            return *thickness;
        }
    }
    0.0
}

/// Joins bands in one line, the longest first. Gaps stay in the wall; they are judged later.
pub(super) fn gather(mut bands: Vec<Band>, drawing: &Drawing) -> Vec<Wall> {
    bands.sort_by(|a, b| b.axis.length().total_cmp(&a.axis.length()));
    let mut taken = vec![false; bands.len()];
    let mut walls = Vec::new();
    for n in 0..bands.len() {
        let Some(seed) = bands.get(n).filter(|_| !taken.get(n).copied().unwrap_or(true)) else { continue };
        // what is hardly longer than thick says nothing of a direction by itself
        if seed.axis.length() < 1.3 * seed.thickness {
            continue;
        }
        let mut own = seed.clone();
        let mut members = vec![n];
        loop {
            let before = members.len();
            for (m, band) in bands.iter().enumerate() {
                if !taken.get(m).copied().unwrap_or(true)
                    && !members.contains(&m)
                    && is_one_wall(&own, band, drawing)
                {
                    members.push(m);
                    let all = || members.iter().filter_map(|m| bands.get(*m));
                    own.axis = axis(&seed.axis, all());
                    own.thickness = mean_thickness(all());
                }
            }
            if members.len() == before {
                break;
            }
        }
        for m in &members {
            if let Some(own) = taken.get_mut(*m) {
                *own = true;
            }
        }
        let stretches =
            members.iter().filter_map(|m| bands.get(*m)).map(|band| own.axis.shadow(&band.axis)).collect();
        let solid = join_stretches(stretches, 2.5 + 0.25 * own.thickness);
        walls.push(Wall {
            axis: own.axis,
            thickness: own.thickness,
            gauge: own.gauge(drawing),
            manner: own.manner,
            gaps: Vec::new(),
            solid,
            meets: [false; 2],
            confidence: 0.0,
            reasons: Vec::new(),
        });
    }
    walls
}

fn is_one_wall(own: &Band, band: &Band, drawing: &Drawing) -> bool {
    let thickness = own.thickness;
    let gauge = own.gauge(drawing);
    let aside = |point: DVec2| own.axis.beside(point).abs();
    let most = (0.32 * thickness).max(2.0) + drawing.strokes.waver;
    if aside(band.axis.middle()) > most {
        return false;
    }
    let is_short = band.axis.length() < 2.0 * thickness;
    let most_turn = if is_short { 12.0 } else { 3.0 + drawing.strokes.waver };
    if own.axis.angle_to(&band.axis) > most_turn
        || aside(band.axis.start).max(aside(band.axis.end)) > most * 2.0
    {
        return false;
    }
    let ratio = band.thickness / thickness.max(0.1);
    if !(0.62..=1.6).contains(&ratio) && (band.thickness - thickness).abs() > 2.0 {
        return false;
    }
    let (from, to) = own.axis.shadow(&band.axis);
    let gap = (from - own.axis.length()).max(-to);
    // a long gap is an opening if it is one, and two walls otherwise: see `gaps`
    gap < (40.0 * gauge).min(0.4 * drawing.extent)
}

/// The axis through all bands, weighted by their length.
fn axis<'a>(seed: &Span, bands: impl Iterator<Item = &'a Band>) -> Span {
    let mut points = Vec::new();
    for band in bands {
        let count = (band.axis.length() / 3.0).ceil().clamp(2.0, 400.0) as usize;
        points.extend((0..count).map(|n| band.axis.at(band.axis.length() * n as f64 / (count - 1) as f64)));
    }
    let Some((own, _)) = crate::line::fit(&points) else { return *seed };
    if own.direction().dot(seed.direction()) < 0.0 { Span::new(own.end, own.start) } else { own }
}

fn mean_thickness<'a>(bands: impl Iterator<Item = &'a Band>) -> f64 {
    let (mut sum, mut length) = (0.0, 0.0);
    for band in bands {
        sum += band.thickness * band.axis.length();
        length += band.axis.length();
    }
    sum / f64::max(length, 1e-6)
}
