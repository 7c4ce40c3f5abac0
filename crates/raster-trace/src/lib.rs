//! A picture of a plan read as line segments, walls and regions, in pixels. No building model.
//!
//! [`read`] takes PNG and JPEG, [`trace`] finds straight lines, arcs, wall candidates, openings, rooms and words, and says how sure it is and
//! what it has to ask; [`overlay`] draws that over the picture. Who sees the picture decides what is built. Nothing is read of
//! letters, and no scale is guessed: where none is given, proposals come with their reasons.

mod answer;
mod assemble;
mod components;
mod distance;
mod error;
mod families;
mod grid;
mod ink;
mod line;
mod overlay;
mod picture;
mod questions;
mod regions;
mod skew;
mod strokes;
mod text;
mod text_rows;
mod walls;

pub use answer::{
    About, Arc, Count, Counts, Frame, GapKind, Manner, Opening, Point, PointMm, Proposal, Question, Region,
    RegionKind, Segment, SegmentKind, Subject, Trace, Wall,
};
pub use error::Error;
pub use overlay::overlay;
pub use picture::{Format, Limits, Picture, read};

use grid::Grid;

/// A length that is known: so many pixels are so many mm.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scale {
    /// The length in pixels of the picture.
    pub pixels: f64,
    /// The same in mm.
    pub mm: f64,
}

impl Scale {
    /// The scale of a drawing as it is written, such as "1:200" or "1 : 12.5", of a picture whose file says how many dots there are to
    /// the inch.
    pub fn of_ratio(text: &str, picture: &Picture) -> Result<Self, Error> {
        let shown = || text.chars().take(40).collect::<String>();
        let number = |own: &str| own.trim().parse::<f64>().ok().filter(|own| (1e-3..=1e6).contains(own));
        let ratio = text.split_once([':', '/']).and_then(|(a, b)| Some(number(b)? / number(a)?));
        let ratio = ratio.ok_or_else(|| Error::Ratio { text: shown() })?;
        let dots = picture.dots_per_inch.ok_or_else(|| Error::Resolution { text: shown() })?;
        Ok(Self { pixels: dots, mm: 25.4 * ratio })
    }
}

/// The wishes of a caller.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    /// The scale, where it is known.
    pub scale: Option<Scale>,
    /// The most entries of each list.
    pub most: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { scale: None, most: 300 }
    }
}

/// Below this longest side a picture is enlarged, so that faces of walls a few pixels apart can be told from each other.
const SMALL: usize = 1500;

/// Reads what is drawn in a picture.
pub fn trace(picture: &Picture, options: &Options) -> Result<Trace, Error> {
    let mm_per_pixel = options.scale.map(mm_per_pixel).transpose()?;
    let mut grey = picture.grey();
    // of one pixel across nothing can be a line
    let is_small = grey.width.max(grey.height) < SMALL && grey.width.min(grey.height) > 2;
    if is_small {
        grey = enlarge(&grey);
    }
    let unit = f64::from(picture.factor) / if is_small { 2.0 } else { 1.0 };
    let found = find(grey);
    Ok(assemble::assemble(picture, &found, unit, mm_per_pixel, options.most.max(1)))
}

fn mm_per_pixel(scale: Scale) -> Result<f64, Error> {
    let own = scale.mm / scale.pixels;
    let is_length = |value: f64| value.is_finite() && value > 0.0;
    if is_length(scale.pixels) && is_length(scale.mm) && is_length(own) {
        return Ok(own);
    }
    Err(Error::Scale { pixels: scale.pixels.to_string(), mm: scale.mm.to_string() })
}

/// Everything that was found, in pixels that were worked on.
pub(crate) struct Found {
    pub ink: ink::Ink,
    pub words: text::Words,
    pub strokes: strokes::Strokes,
    /// True for each line of a hatch or of steps.
    pub is_family: Vec<bool>,
    pub walls: Vec<walls::Wall>,
    /// Bars outside the building, which are no walls.
    pub apart: usize,
    pub rooms: Vec<regions::Room>,
    pub skew: (f64, f64),
}

fn find(grey: Grid<u8>) -> Found {
    let (width, height) = (grey.width, grey.height);
    let ink = ink::find(grey);
    let mut mask = ink.mask.clone();
    let distance = distance::to_paper(&mask);
    let stroke = usual_stroke(&distance);
    let words = text::take_out(&mut mask, &distance, stroke);
    let distance = distance::to_paper(&mask);
    let strokes = strokes::find(&mask, &ink.darkness, &distance);
    let thin = thin_line(&strokes.lines);
    let extent = extent(&strokes.lines);
    let is_family = families::find(&strokes.lines, (thin * 2.1).max(thin + 2.2), 0.035 * extent);
    let drawing = walls::Drawing {
        ink: &ink,
        mask: &mask,
        strokes: &strokes,
        words: &words,
        is_family: &is_family,
        thin,
        extent,
    };
    let (walls, apart) = if extent > 0.0 { walls::find(&drawing) } else { (Vec::new(), 0) };
    let rooms = regions::find(&walls, width, height, extent);
    let skew = skew::find(&walls, &strokes.lines);
    Found { ink, words, strokes, is_family, walls, apart, rooms, skew }
}

/// The thickness of a thin stroke: twice the distance that a third of the middles of strokes have.
fn usual_stroke(distance: &Grid<u16>) -> f64 {
    let mut counts = [0_u64; 96];
    for y in 0..distance.height as i64 {
        for x in 0..distance.width as i64 {
            let own = distance.at(x, y);
            // middles: nothing beside or above is deeper
            if own > 0
                && [(1, 0), (-1, 0), (0, 1), (0, -1)]
                    .iter()
                    .all(|(dx, dy)| distance.at(x + dx, y + dy) <= own)
                && let Some(count) = counts.get_mut(usize::from(own))
            {
                *count += 1;
            }
        }
    }
    let total: u64 = counts.iter().sum();
    let mut seen = 0;
    for (depth, count) in counts.iter().enumerate() {
        seen += count;
        if total > 0 && seen * 3 >= total {
            return (depth as f64 / 3.0 * 2.0 - 1.0).max(1.0);
        }
    }
    1.0
}

/// The thickness below which a twelfth of the length of all lines is.
fn thin_line(lines: &[strokes::Stroke]) -> f64 {
    let mut all: Vec<(f64, f64)> = lines
        .iter()
        .filter(|line| line.span.length() > 4.0 * line.thickness)
        .map(|line| (line.thickness, line.span.length()))
        .collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    let total: f64 = all.iter().map(|(_, length)| length).sum();
    let mut seen = 0.0;
    for (thickness, length) in all {
        seen += length;
        if seen * 12.0 >= total {
            return thickness;
        }
    }
    1.0
}

/// The longer side of the box about all lines that are long.
fn extent(lines: &[strokes::Stroke]) -> f64 {
    let longest = lines.first().map_or(0.0, |line| line.span.length());
    let (mut low, mut high) = (glam::DVec2::INFINITY, glam::DVec2::NEG_INFINITY);
    for line in lines.iter().filter(|line| line.span.length() > 0.12 * longest) {
        low = low.min(line.span.start).min(line.span.end);
        high = high.max(line.span.start).max(line.span.end);
    }
    let size = high - low;
    if size.is_finite() { size.max_element() } else { 0.0 }
}

/// Twice as large, between pixels by straight lines.
fn enlarge(grey: &Grid<u8>) -> Grid<u8> {
    let mut out = Grid::new(grey.width * 2, grey.height * 2);
    let (last_x, last_y) = (grey.width as i64 - 1, grey.height as i64 - 1);
    for y in 0..out.height as i64 {
        for x in 0..out.width as i64 {
            // each new pixel lies a quarter from the middle of the old one
            let (u, v) = (x / 2, y / 2);
            let (du, dv) = (if x % 2 == 0 { -1 } else { 1 }, if y % 2 == 0 { -1 } else { 1 });
            let at = |i: i64, j: i64| u32::from(grey.at(i.clamp(0, last_x), j.clamp(0, last_y)));
            let sum = at(u, v) * 9 + at(u + du, v) * 3 + at(u, v + dv) * 3 + at(u + du, v + dv);
            out.set(x, y, ((sum + 8) / 16) as u8);
        }
    }
    out
}
