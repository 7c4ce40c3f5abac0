//! The trace as it is answered: lines, walls, openings and regions in pixels of the picture.
//!
//! Points are `[x, y]` from the upper left corner, y downwards, in pixels of the upright picture; the first pixel reaches from 0 to 1.
//! Lists are cut at a stated number, the surest first, and [`Counts`] says how many there were.

pub use crate::walls::{GapKind, Manner};
use serde::Serialize;

/// A place in pixels.
pub type Point = [f64; 2];

/// A place in whole mm by the [`Frame`], y upwards.
pub type PointMm = [f64; 2];

/// Where places in mm are counted from.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Frame {
    /// The lower left corner of the box about the axes of all walls, in pixels of the picture: there both are 0.
    pub origin: Point,
    /// Degrees by which the plan was turned back, counter-clockwise as seen: its skew, where most walls have it.
    pub turned_back_degrees: f64,
}

/// Everything that was read in a picture.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Trace {
    /// The picture that was read.
    pub picture: About,
    /// The scale, where one was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mm_per_pixel: Option<f64>,
    /// Where places in mm are counted from, with a scale.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frame: Option<Frame>,
    /// Wall candidates.
    pub walls: Vec<Wall>,
    /// Openings in them.
    pub openings: Vec<Opening>,
    /// Rooms, words, hatches.
    pub regions: Vec<Region>,
    /// Straight lines, hatches left out.
    pub segments: Vec<Segment>,
    /// Arcs.
    pub arcs: Vec<Arc>,
    /// The questions to who sees the picture.
    pub questions: Vec<Question>,
    /// How many there are of each.
    pub counts: Counts,
    /// The faults of the file or the picture, in words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<String>,
}

/// The picture that was read.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct About {
    /// Pixels across.
    pub width: u32,
    /// Pixels down.
    pub height: u32,
    /// Its format.
    pub format: crate::Format,
    /// True for light lines on dark.
    pub light_on_dark: bool,
    /// The standard deviation of the noise in grey values of 256.
    pub noise: f64,
    /// Degrees by which the plan is turned, clockwise as seen, between -45 and 45.
    pub skew_degrees: f64,
    /// The share of the walls' length that lies in that direction or across it.
    pub skew_share: f64,
    /// How walls are drawn, where there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub walls_drawn: Option<Manner>,
}

/// A wall candidate: an axis and a thickness.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Wall {
    /// W1, W2 and so on, as on the picture with the trace.
    pub id: String,
    /// Where its axis starts.
    pub start: Point,
    /// Where it ends.
    pub end: Point,
    /// In pixels.
    pub thickness: f64,
    /// Where it starts, in mm, with a scale.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start_mm: Option<PointMm>,
    /// Where it ends, in mm, with a scale.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_mm: Option<PointMm>,
    /// In mm, with a scale.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub length_mm: Option<f64>,
    /// In mm, with a scale.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thickness_mm: Option<f64>,
    /// How it is drawn.
    pub drawn: Manner,
    /// 0 to 1.
    pub confidence: f64,
    /// Why.
    pub reasons: Vec<&'static str>,
}

/// A gap in a wall.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Opening {
    /// O1, O2 and so on.
    pub id: String,
    /// The id of its wall.
    pub wall: String,
    /// The class that it seems to be.
    pub kind: GapKind,
    /// On the axis of the wall.
    pub start: Point,
    /// On the axis of the wall.
    pub end: Point,
    /// In pixels.
    pub width: f64,
    /// The distance in mm from the start of the wall to where it starts, with a scale.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from_mm: Option<f64>,
    /// The distance in mm from the start of the wall to where it ends, with a scale.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to_mm: Option<f64>,
    /// Where it starts, in mm, with a scale.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start_mm: Option<PointMm>,
    /// Where it ends, in mm, with a scale.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_mm: Option<PointMm>,
    /// In mm, with a scale.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub width_mm: Option<f64>,
    /// 0 to 1.
    pub confidence: f64,
    /// Why.
    pub reasons: Vec<&'static str>,
}

/// The class of a region.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RegionKind {
    /// Enclosed by walls.
    Room,
    /// Letters, which are not read.
    Text,
    /// Parallel lines at one spacing: a hatch, tiles, steps.
    Hatch,
}

/// An area.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Region {
    /// R1, T1, H1 and so on.
    pub id: String,
    /// Its class.
    pub kind: RegionKind,
    /// Its outline: of rooms along the faces of walls, of others a box.
    pub outline: Vec<Point>,
    /// The same in mm, of rooms and hatches with a scale.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub outline_mm: Vec<PointMm>,
    /// In pixels.
    pub area: f64,
    /// In m², of rooms with a scale.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub area_m2: Option<f64>,
    /// False for a room that is enclosed only if its gaps are closed.
    pub closed: bool,
    /// Gaps that are no openings, from point to point.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub gaps: Vec<[Point; 2]>,
    /// 0 to 1.
    pub confidence: f64,
}

/// The class of a segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SegmentKind {
    /// A filled or single wall.
    Wall,
    /// One face of a wall.
    Face,
    /// Perhaps a dimension line: a figure is beside its middle.
    Dimension,
    /// Any other line.
    Line,
}

/// A straight line.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Segment {
    /// S1, S2 and so on.
    pub id: String,
    /// Where it starts.
    pub start: Point,
    /// Where it ends.
    pub end: Point,
    /// In pixels.
    pub thickness: f64,
    /// The class that it seems to be.
    pub kind: SegmentKind,
    /// The wall that it belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wall: Option<String>,
    /// 0 to 1.
    pub confidence: f64,
    /// Why it is not surer; nothing where it is.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<&'static str>,
}

/// A part of a circle.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Arc {
    /// A1, A2 and so on.
    pub id: String,
    /// The middle of the circle.
    pub centre: Point,
    /// In pixels.
    pub radius: f64,
    /// Where it starts.
    pub start: Point,
    /// Where it ends, clockwise as seen.
    pub end: Point,
    /// In degrees.
    pub sweep: f64,
    /// 0 to 1.
    pub confidence: f64,
}

/// The subject of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Subject {
    /// The scale of the plan.
    Scale,
    /// The question if something is a wall.
    Wall,
    /// Where a room is open.
    Gap,
}

/// A question to who sees the picture.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Question {
    /// Its subject.
    pub about: Subject,
    /// In words.
    pub ask: String,
    /// Where.
    pub start: Point,
    /// Where.
    pub end: Point,
    /// The distance between both.
    pub pixels: f64,
    /// The scale that follows from what is usual.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proposal: Option<Proposal>,
}

/// A scale that may be right.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Proposal {
    /// Millimetres to a pixel.
    pub mm_per_pixel: f64,
    /// The length in mm that this takes for granted.
    pub mm: f64,
    /// 0 to 1.
    pub confidence: f64,
    /// Why.
    pub reason: String,
}

/// Found, and told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Count {
    /// In the picture.
    pub found: usize,
    /// In this answer.
    pub told: usize,
}

/// How many there are of each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Counts {
    /// Wall candidates.
    pub walls: Count,
    /// Openings.
    pub openings: Count,
    /// Regions.
    pub regions: Count,
    /// Segments.
    pub segments: Count,
    /// Arcs.
    pub arcs: Count,
    /// Lines of hatches, which are told as regions.
    pub hatch_lines: usize,
}
