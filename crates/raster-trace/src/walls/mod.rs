//! Wall candidates: filled bars, pairs of faces, and single lines of sketches; joined over openings, and snapped where they meet.
//!
//! The manner in which walls are drawn is told by the drawing as a whole: of a filled plan pairs of thin lines are windows and
//! furniture, of a plan of double lines they are the walls. A candidate is a guess with reasons; who sees the picture decides.

mod band;
mod corners;
mod envelope;
mod gaps;
mod judge;
mod pairs;
mod single;
mod swing;

pub(crate) use gaps::Gap;
pub use gaps::GapKind;

use crate::grid::Grid;
use crate::ink::Ink;
use crate::line::Span;
use crate::strokes::{Stroke, Strokes};
use crate::text::Words;

/// How a wall is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Manner {
    /// A filled bar.
    Filled,
    /// Two faces.
    Double,
    /// One line.
    Single,
}

/// A wall candidate.
#[derive(Debug, Clone)]
pub(crate) struct Wall {
    pub axis: Span,
    pub thickness: f64,
    /// The unit that gaps and distances are measured by: the thickness, or what it would be where only a line is drawn.
    pub gauge: f64,
    pub manner: Manner,
    /// Openings, along the axis.
    pub gaps: Vec<Gap>,
    /// Stretches along the axis where it is drawn.
    pub solid: Vec<(f64, f64)>,
    /// True where the start and the end meet another wall.
    pub meets: [bool; 2],
    pub confidence: f64,
    pub reasons: Vec<&'static str>,
}

/// The drawing that walls are looked for in.
pub(crate) struct Drawing<'a> {
    /// All ink, letters and symbols too.
    pub ink: &'a Ink,
    /// The ink without letters.
    pub mask: &'a Grid<u8>,
    pub strokes: &'a Strokes,
    pub words: &'a Words,
    /// True for each line of a hatch or of steps.
    pub is_family: &'a [bool],
    /// The usual thickness of thin lines.
    pub thin: f64,
    /// The longer side of what is drawn.
    pub extent: f64,
}

impl Drawing<'_> {
    /// The lines with their numbers that are in no family.
    fn lines(&self) -> impl Iterator<Item = (usize, &Stroke)> {
        let is_own = |n: usize| !self.is_family.get(n).copied().unwrap_or(false);
        self.strokes.lines.iter().enumerate().filter(move |(n, _)| is_own(*n))
    }

    /// The thickness that walls would have where only lines are drawn: 150 mm of 12 m.
    fn nominal(&self) -> f64 {
        0.012 * self.extent
    }

    /// The thickness from which on a line is a bar.
    fn bar(&self) -> f64 {
        // as thick as 100 mm of a house of 20 m: thinner ones are pens and letters. As thick as 150 mm of 12 m is no pen, whatever else
        // there is
        (self.thin * 2.1).max(self.thin + 2.2).min(self.nominal()).max(0.0048 * self.extent)
    }
}

/// Finds wall candidates, the surest first, and how many were left out since they lie outside the building.
pub(crate) fn find(drawing: &Drawing) -> (Vec<Wall>, usize) {
    let bars: Vec<&Stroke> = drawing
        .lines()
        .map(|(_, line)| line)
        .filter(|line| line.thickness >= drawing.bar() && line.thickness < drawing.extent * 0.09)
        // letters that run into each other are as thick, but nowhere the same
        .filter(|line| line.spread < 0.3 || line.span.length() > 10.0 * line.thickness)
        .collect();
    let length = |own: &[&Stroke]| own.iter().map(|line| line.span.length()).sum::<f64>();
    let is_thick_pen = pairs::are_faces(drawing, &bars);
    let long_bars: Vec<&Stroke> = bars
        .iter()
        .copied()
        .filter(|line| {
            line.span.length() > 2.5 * line.thickness && line.span.length() > 0.015 * drawing.extent
        })
        .collect();
    let is_filled = !is_thick_pen && length(&long_bars) > 0.7 * drawing.extent;
    let mut bands: Vec<band::Band> = Vec::new();
    let mut usual = 0.0;
    if is_filled {
        bands.extend(bars.iter().map(|line| band::Band::from_bar(line)));
        usual = band::usual_thickness(&bands);
    }
    let (faces, usual_double) =
        pairs::find(drawing, if is_thick_pen { f64::INFINITY } else { drawing.bar() });
    let paired: f64 = faces.iter().map(|band| band.axis.length()).sum();
    let is_double = paired > 0.7 * drawing.extent && paired > 0.185 * single::network_length(drawing);
    if is_double && (!is_filled || paired > 0.8 * length(&long_bars)) {
        // thin walls whose faces run into each other
        usual = usual_double;
        bands.retain(|band| {
            band.thickness > 0.15 * usual
                && band.thickness < 1.5 * usual
                && band.axis.length() > 4.0 * band.thickness
        });
        bands.extend(faces.into_iter().filter(|band| !band.is_dimension));
    } else if is_filled {
        // thin walls beside filled ones, as thick as these at most
        let thin: Vec<band::Band> = faces
            .into_iter()
            .filter(|band| !band.is_dimension)
            .filter(|band| band.thickness > 0.3 * usual && band.thickness < 1.5 * usual)
            .filter(|band| band.axis.length() > 4.0 * band.thickness)
            .collect();
        // a few are furniture
        if thin.iter().map(|band| band.axis.length()).sum::<f64>() > 0.3 * length(&long_bars) {
            bands.extend(thin);
        }
    }
    if bands.is_empty() {
        bands = single::find(drawing);
        usual = 2.0 * drawing.nominal();
    }
    let mut walls = band::gather(bands, drawing);
    gaps::classify(&mut walls, drawing, usual);
    corners::snap(&mut walls, drawing);
    if envelope::close(&mut walls, drawing, usual) {
        corners::snap(&mut walls, drawing);
    }
    let apart = judge::judge(&mut walls, drawing, usual);
    (walls, apart)
}
