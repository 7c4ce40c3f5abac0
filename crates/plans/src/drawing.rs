//! A drawing as lines, arcs, areas and words, whichever format it came in.
//!
//! Places are in the drawing's own units, x to the right and y up. Blocks are exploded: what came of one says so by its instance.

use glam::{DAffine2, DVec2};
use std::f64::consts::TAU;

/// The bounds of a drawing.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Bytes of the file.
    pub bytes: usize,
    /// Entities after blocks are exploded.
    pub entities: usize,
    /// Corners of polylines and areas, and characters of words.
    pub details: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { bytes: 512 << 20, entities: 2_000_000, details: 10_000_000 }
    }
}

/// Blocks within each other beyond this are not exploded.
pub const DEEPEST: usize = 32;

/// The format that a drawing came in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Drawing Exchange Format, as text or binary.
    Dxf,
    /// Scalable Vector Graphics.
    Svg,
}

/// A drawing.
#[derive(Debug, Clone)]
pub struct Drawing {
    /// Its format.
    pub format: Format,
    /// The version that it names: `AC1032`.
    pub version: String,
    /// Its units.
    pub units: Units,
    /// The layers, in the order in which they were met.
    pub layers: Vec<Layer>,
    /// The looks of entities.
    pub styles: Vec<Style>,
    /// The references to blocks.
    pub instances: Vec<Instance>,
    /// All that is drawn.
    pub entities: Vec<Entity>,
    /// Entities of kinds and places that are left out.
    pub passed: Vec<Passed>,
    /// Things about the file that a reader should know.
    pub notices: Vec<String>,
}

/// The units of a drawing.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Units {
    /// The mm in the world that a unit stands for, where the file says.
    pub mm: Option<f64>,
    /// The mm of paper that a unit is, for a page.
    pub paper_mm: Option<f64>,
    /// True for metric, false for imperial, where the file says.
    pub is_metric: Option<bool>,
}

/// A layer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layer {
    /// Its name.
    pub name: String,
    /// True where its name says nothing: `0`, or none.
    pub is_default: bool,
}

/// The look of entities.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Style {
    /// Red, green and blue, where they are said.
    pub colour: Option<[u8; 3]>,
    /// The width of lines in mm of paper (DXF) or in units (SVG), where it is said.
    pub weight: Option<f64>,
    /// The name of the linetype, `dashed` for an SVG line with dashes; none for a line that is whole.
    pub linetype: Option<String>,
}

/// A reference to a block, or a group of SVG that stands for a thing.
#[derive(Debug, Clone, PartialEq)]
pub struct Instance {
    /// The block's name.
    pub name: String,
    /// The instance that it lies within.
    pub parent: Option<u32>,
    /// The layer of the reference.
    pub layer: u32,
    /// Its place.
    pub at: DVec2,
    /// Degrees counter-clockwise.
    pub angle: f64,
    /// The handle of the reference, or the line of the element.
    pub source: u64,
}

/// Something drawn.
#[derive(Debug, Clone)]
pub struct Entity {
    /// Its shape.
    pub shape: Shape,
    /// Its number in [`Drawing::layers`].
    pub layer: u32,
    /// Its number in [`Drawing::styles`].
    pub style: u32,
    /// Its number in [`Drawing::instances`], [`Entity::ALONE`] where it came of no block.
    pub instance: u32,
    /// The handle of a DXF entity, the line of an SVG element.
    pub source: u64,
}

impl Entity {
    /// The instance of what came of no block.
    pub const ALONE: u32 = u32::MAX;
}

/// A corner of a polyline and the bulge of the piece that begins there: the tangent of a quarter of its angle, above zero where it turns
/// counter-clockwise.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Vertex {
    /// The place.
    pub at: DVec2,
    /// The bulge.
    pub bulge: f64,
}

/// A line of pieces.
#[derive(Debug, Clone, PartialEq)]
pub struct Polyline {
    /// Its corners.
    pub vertices: Vec<Vertex>,
    /// True if it goes back to its beginning.
    pub is_closed: bool,
    /// Its width in units; zero for a line without.
    pub width: f64,
}

/// An area.
#[derive(Debug, Clone, PartialEq)]
pub struct Fill {
    /// Its outlines; a point that an odd number of them surround is inside.
    pub rings: Vec<Vec<DVec2>>,
    /// The name of its pattern; none where it has one colour.
    pub pattern: Option<String>,
}

/// Words.
#[derive(Debug, Clone, PartialEq)]
pub struct Text {
    /// The words, without codes; lines parted by `\n`.
    pub words: String,
    /// About the middle of what they cover.
    pub middle: DVec2,
    /// The height of capitals.
    pub height: f64,
    /// Degrees counter-clockwise.
    pub angle: f64,
}

/// A linear dimension.
#[derive(Debug, Clone, PartialEq)]
pub struct Dimension {
    /// The first point that is measured.
    pub from: DVec2,
    /// The second one.
    pub to: DVec2,
    /// The length along its line, in units.
    pub measured: f64,
    /// The words that are shown.
    pub stated: Option<String>,
}

/// The shape of an entity.
#[derive(Debug, Clone)]
pub enum Shape {
    /// A straight line.
    Segment {
        /// Where it begins.
        from: DVec2,
        /// Where it ends.
        to: DVec2,
    },
    /// A circle or a part of one.
    Arc {
        /// Its centre.
        centre: DVec2,
        /// Its radius.
        radius: f64,
        /// Radians from x, counter-clockwise.
        start: f64,
        /// Radians, above zero; a whole turn for a circle.
        sweep: f64,
    },
    /// A line of pieces.
    Polyline(Box<Polyline>),
    /// An area.
    Fill(Box<Fill>),
    /// Words.
    Text(Box<Text>),
    /// A linear dimension.
    Dimension(Box<Dimension>),
}

/// Entities that are left out, counted.
#[derive(Debug, Clone, PartialEq)]
pub struct Passed {
    /// The kind, in the format's own word: `VIEWPORT`.
    pub kind: String,
    /// The layer.
    pub layer: String,
    /// The reason, without a full stop.
    pub reason: &'static str,
    /// Their number.
    pub count: usize,
    /// The place of the first one, where it has one.
    pub at: Option<DVec2>,
}

impl Shape {
    /// The kind in a word.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Segment { .. } => "line",
            Self::Arc { sweep, .. } if *sweep >= TAU - 1e-9 => "circle",
            Self::Arc { .. } => "arc",
            Self::Polyline(_) => "polyline",
            Self::Fill(_) => "area",
            Self::Text(_) => "text",
            Self::Dimension(_) => "dimension",
        }
    }

    /// Corners and characters, as [`Limits::details`] counts them.
    pub(crate) fn details(&self) -> usize {
        match self {
            Self::Segment { .. } | Self::Arc { .. } | Self::Dimension(_) => 1,
            Self::Polyline(own) => own.vertices.len(),
            Self::Fill(own) => own.rings.iter().map(Vec::len).sum(),
            Self::Text(own) => own.words.len(),
        }
    }

    /// A place of it: its middle, or where it begins.
    pub fn at(&self) -> DVec2 {
        match self {
            Self::Segment { from, to } => (*from + *to) / 2.0,
            Self::Arc { centre, radius, start, sweep } => {
                *centre + DVec2::from_angle(start + sweep / 2.0) * *radius
            }
            Self::Polyline(own) => own.vertices.first().map_or(DVec2::ZERO, |vertex| vertex.at),
            Self::Fill(own) => own.rings.iter().flatten().next().copied().unwrap_or_default(),
            Self::Text(own) => own.middle,
            Self::Dimension(own) => (own.from + own.to) / 2.0,
        }
    }

    /// True if every number of it is a place that a drawing may have.
    pub(crate) fn is_sound(&self) -> bool {
        let near = |point: DVec2| point.x.abs() < FAR && point.y.abs() < FAR;
        match self {
            Self::Segment { from, to } => near(*from) && near(*to),
            Self::Arc { centre, radius, start, sweep } => {
                near(*centre) && *radius > 0.0 && *radius < FAR && start.is_finite() && *sweep > 0.0
            }
            Self::Polyline(own) => {
                own.vertices.len() > 1
                    && own.width.is_finite()
                    && own.vertices.iter().all(|vertex| near(vertex.at) && vertex.bulge.abs() < 1e6)
            }
            Self::Fill(own) => own.rings.iter().flatten().all(|point| near(*point)) && !own.rings.is_empty(),
            Self::Text(own) => near(own.middle) && own.height.is_finite() && own.angle.is_finite(),
            Self::Dimension(own) => near(own.from) && near(own.to) && own.measured.is_finite(),
        }
    }

    /// The shape through a map; a circle that the map makes an ellipse becomes a polyline.
    pub(crate) fn mapped(self, map: &DAffine2) -> Self {
        let (x, y) = (map.matrix2.x_axis, map.matrix2.y_axis);
        let size = x.length().max(y.length());
        let is_similar =
            (x.length() - y.length()).abs() <= size * 1e-6 && x.dot(y).abs() <= size * size * 1e-6;
        let is_mirrored = map.matrix2.determinant() < 0.0;
        let point = |point: DVec2| map.transform_point2(point);
        match self {
            Self::Segment { from, to } => Self::Segment { from: point(from), to: point(to) },
            Self::Arc { centre, radius, start, sweep } if is_similar => {
                let begin = if is_mirrored { start + sweep } else { start };
                let way = map.transform_vector2(DVec2::from_angle(begin));
                Self::Arc { centre: point(centre), radius: radius * size, start: way.to_angle(), sweep }
            }
            Self::Arc { centre, radius, start, sweep } => {
                let count = ((sweep / TAU * 72.0).ceil() as usize).clamp(2, 72);
                let corner = |n: usize| {
                    let angle = start + sweep * n as f64 / count as f64;
                    Vertex { at: point(centre + DVec2::from_angle(angle) * radius), bulge: 0.0 }
                };
                let vertices = (0..=count).map(corner).collect();
                Self::Polyline(Box::new(Polyline { vertices, is_closed: false, width: 0.0 }))
            }
            Self::Polyline(mut own) => {
                let has_bulges = own.vertices.iter().any(|vertex| vertex.bulge != 0.0);
                if has_bulges && !is_similar {
                    own.vertices = flattened(&own);
                }
                for vertex in &mut own.vertices {
                    vertex.at = point(vertex.at);
                    if is_mirrored {
                        vertex.bulge = -vertex.bulge;
                    }
                }
                own.width *= size;
                Self::Polyline(own)
            }
            Self::Fill(mut own) => {
                own.rings.iter_mut().flatten().for_each(|corner| *corner = point(*corner));
                Self::Fill(own)
            }
            Self::Text(mut own) => {
                own.middle = point(own.middle);
                own.height *= y.length();
                let way = map.transform_vector2(DVec2::from_angle(own.angle.to_radians()));
                own.angle = way.to_angle().to_degrees();
                Self::Text(own)
            }
            Self::Dimension(mut own) => {
                (own.from, own.to) = (point(own.from), point(own.to));
                own.measured *= size;
                Self::Dimension(own)
            }
        }
    }
}

/// Coordinates beyond this are no places.
const FAR: f64 = 1e12;

/// The corners of a polyline, arcs as chords.
pub(crate) fn corners(own: &Polyline) -> Vec<DVec2> {
    flattened(own).into_iter().map(|vertex| vertex.at).collect()
}

/// A polyline with its arcs as chords.
fn flattened(own: &Polyline) -> Vec<Vertex> {
    let mut made = Vec::with_capacity(own.vertices.len() * 8);
    let pieces = own.vertices.iter().zip(own.vertices.iter().skip(1).chain(own.vertices.first()));
    for (n, (from, to)) in pieces.enumerate() {
        made.push(Vertex { at: from.at, bulge: 0.0 });
        if n + 1 == own.vertices.len() && !own.is_closed {
            break;
        }
        if let Some((centre, radius, start, sweep)) = bulge_arc(from.at, to.at, from.bulge) {
            let count = ((sweep.abs() / TAU * 72.0).ceil() as usize).clamp(1, 72);
            made.extend((1..count).map(|n| {
                let angle = start + sweep * n as f64 / count as f64;
                Vertex { at: centre + DVec2::from_angle(angle) * radius, bulge: 0.0 }
            }));
        }
    }
    made
}

/// The arc of a piece with a bulge: centre, radius, angle at its beginning, and the angle that it turns by, below zero for clockwise.
pub(crate) fn bulge_arc(from: DVec2, to: DVec2, bulge: f64) -> Option<(DVec2, f64, f64, f64)> {
    let chord = to - from;
    let length = chord.length();
    if bulge.abs() < 1e-6 || length < 1e-12 {
        return None;
    }
    let sweep = 4.0 * bulge.atan();
    let radius = length / (2.0 * (sweep / 2.0).sin().abs());
    // from the middle of the chord to the left by what is left of the radius, beyond it for more than half a turn
    let off = length / 2.0 * (1.0 - bulge * bulge) / (2.0 * bulge);
    let centre = (from + to) / 2.0 + chord.perp() / length * off;
    let start = (from - centre).to_angle();
    (radius.is_finite() && centre.is_finite()).then_some((centre, radius, start, sweep))
}

/// The pieces of a polyline, in order.
pub(crate) enum Piece {
    Line(DVec2, DVec2),
    Arc { centre: DVec2, radius: f64, start: f64, sweep: f64 },
}

impl Polyline {
    pub(crate) fn pieces(&self) -> impl Iterator<Item = Piece> + '_ {
        let last = if self.is_closed { self.vertices.first() } else { None };
        let ends = self.vertices.iter().skip(1).chain(last);
        self.vertices.iter().zip(ends).filter(|(from, to)| from.at != to.at).map(
            |(from, to)| match bulge_arc(from.at, to.at, from.bulge) {
                Some((centre, radius, start, sweep)) if sweep < 0.0 => {
                    Piece::Arc { centre, radius, start: start + sweep, sweep: -sweep }
                }
                Some((centre, radius, start, sweep)) => Piece::Arc { centre, radius, start, sweep },
                None => Piece::Line(from.at, to.at),
            },
        )
    }
}

impl Drawing {
    pub(crate) fn new(format: Format) -> Self {
        Self {
            format,
            version: String::new(),
            units: Units::default(),
            layers: Vec::new(),
            styles: Vec::new(),
            instances: Vec::new(),
            entities: Vec::new(),
            passed: Vec::new(),
            notices: Vec::new(),
        }
    }

    /// The name of a layer.
    pub fn layer(&self, number: u32) -> &str {
        self.layers.get(number as usize).map_or("", |layer| layer.name.as_str())
    }
}
