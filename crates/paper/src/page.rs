//! The parts of a page.

use crate::text::fonts::Fonts;
use glam::DVec2;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Red, green, blue and opacity.
pub type Colour = [u8; 4];

/// A sheet of paper with all that is drawn on it, each node above those before it.
#[derive(Debug, Clone, PartialEq)]
pub struct Page {
    /// Width and height in mm.
    pub size: DVec2,
    /// The title of the document.
    pub title: String,
    /// All that is drawn.
    pub nodes: Vec<Node>,
    /// Symbols by name, about their own origins, which [`Use`] places.
    pub symbols: BTreeMap<String, Vec<Node>>,
    /// Where the page is one view to scale: how it lies in the plane that it is a view of.
    pub model: Option<ModelSpace>,
    /// The fonts of its words, which were in use when it was made.
    pub fonts: Fonts,
}

impl Default for Page {
    /// An empty page in the fonts in use.
    fn default() -> Page {
        Page {
            size: DVec2::ZERO,
            title: String::new(),
            nodes: Vec::new(),
            symbols: BTreeMap::new(),
            model: None,
            fonts: Fonts::in_use(),
        }
    }
}

/// The place of a plane's coordinates on a page.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ModelSpace {
    /// The place on the page of the plane's origin; y of the plane goes up.
    pub origin: DVec2,
    /// The number of millimetres in the world that one on paper stands for.
    pub scale: f64,
}

/// Something drawn.
#[derive(Debug, Clone, PartialEq)]
pub enum Node {
    /// Several that belong together.
    Group(Group),
    /// Lines and areas.
    Path(Path),
    /// Words.
    Text(Text),
    /// A symbol at a place.
    Use(Use),
    /// A picture of pixels.
    Picture(Picture),
}

/// Nodes that belong together.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Group {
    /// The element that it shows.
    pub about: Option<About>,
    /// The layer of all within that names none of its own.
    pub layer: Option<Layer>,
    /// Areas outside which nothing of it is drawn.
    pub clip: Option<Vec<Subpath>>,
    /// All that is drawn.
    pub nodes: Vec<Node>,
}

/// The element that a group shows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct About {
    /// Its GlobalId.
    pub global_id: String,
    /// Its IFC class.
    pub class: String,
    /// Its name.
    pub name: Option<String>,
}

/// The layer of a drawing: of what, and which part of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Layer {
    /// The kind of element or note.
    pub subject: Subject,
    /// The part of it.
    pub part: Part,
}

/// The kinds of elements and notes that layers tell apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)] // the field's own words
pub enum Subject {
    Wall,
    Door,
    Window,
    CurtainWall,
    Slab,
    Roof,
    Ceiling,
    Column,
    Beam,
    Foundation,
    Stair,
    Ramp,
    Railing,
    Furniture,
    Sanitary,
    Mechanical,
    Electrical,
    Space,
    Site,
    Grid,
    Level,
    Dimension,
    Tag,
    Symbol,
    TitleBlock,
    Finding,
    Route,
    Revision,
    Other,
}

/// The parts of a drawing that layers tell apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// The outline of what is cut.
    Cut,
    /// Hatches and fills.
    Pattern,
    /// Lines seen beyond the cut.
    Seen,
    /// Lines above the cut, or behind something.
    Hidden,
    /// Symbols: swings, arrows, break lines.
    Symbol,
    /// Words.
    Text,
}

/// Lines and areas.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Path {
    /// Its parts. A point that an odd number of them surround is filled.
    pub subpaths: Vec<Subpath>,
    /// The stroke of its lines.
    pub stroke: Option<Stroke>,
    /// The fill of its areas.
    pub fill: Option<Fill>,
    /// Its layer, where that is not its group's.
    pub layer: Option<Layer>,
}

/// A line of straight pieces and arcs.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Subpath {
    /// Where it begins.
    pub start: DVec2,
    /// Its pieces.
    pub segments: Vec<Segment>,
    /// True if it goes back to its beginning.
    pub is_closed: bool,
}

/// A piece of a line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Segment {
    /// Straight to a point.
    Line(DVec2),
    /// Along a circle.
    Arc {
        /// The point at its end.
        to: DVec2,
        /// The middle of the circle.
        centre: DVec2,
        /// True if it turns clockwise as one looks at the paper.
        is_clockwise: bool,
    },
}

/// The look of a line.
#[derive(Debug, Clone, PartialEq)]
pub struct Stroke {
    /// Its width in mm.
    pub width: f64,
    /// Its colour.
    pub colour: Colour,
    /// The lengths of dashes and gaps in turn, in mm; none for a line that is whole.
    pub dashes: Vec<f64>,
}

/// The look of an area.
#[derive(Debug, Clone, PartialEq)]
pub enum Fill {
    /// With a colour.
    Solid(Colour),
    /// With a pattern of lines.
    Hatch(Arc<Hatch>),
}

/// A pattern of lines, as CAD programs define them.
#[derive(Debug, Clone, PartialEq)]
pub struct Hatch {
    /// Its name.
    pub name: String,
    /// Its families of parallel lines.
    pub lines: Vec<HatchLine>,
    /// The stroke of its lines.
    pub stroke: Stroke,
    /// The colour behind it.
    pub ground: Option<Colour>,
}

/// A family of parallel lines of a pattern, in mm of paper.
#[derive(Debug, Clone, PartialEq)]
pub struct HatchLine {
    /// Degrees counter-clockwise from the paper's x.
    pub angle: f64,
    /// A point of the first line, x to the right and y up, from the page's lower left corner.
    pub origin: DVec2,
    /// From one line to the next: along the line, and square to it.
    pub step: DVec2,
    /// The lengths of dashes (above zero) and gaps (below zero) in turn; zero is a dot.
    pub dashes: Vec<f64>,
}

/// The weight of letters.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Weight {
    /// As running text.
    #[default]
    Regular,
    /// As titles.
    Bold,
}

/// Which part of a line of words lies at its place, along the line.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Anchor {
    /// Its left end, whichever way its script runs.
    #[default]
    Left,
    /// Its middle.
    Middle,
    /// Its right end.
    Right,
}

/// Which part of a line of words lies at its place, across the line.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Baseline {
    /// The foot of its capitals.
    #[default]
    Foot,
    /// The middle of its capitals.
    Middle,
    /// The top of its capitals.
    Top,
}

/// A line of words.
#[derive(Debug, Clone, PartialEq)]
pub struct Text {
    /// The place.
    pub at: DVec2,
    /// The words, in the order in which they are read.
    pub words: String,
    /// The height of capitals in mm.
    pub height: f64,
    /// The weight.
    pub weight: Weight,
    /// The part along the line at its place.
    pub anchor: Anchor,
    /// The part across the line at its place.
    pub baseline: Baseline,
    /// Degrees counter-clockwise.
    pub angle: f64,
    /// The colour.
    pub colour: Colour,
    /// The width in mm of a white rim around the letters, so that they can be read on lines.
    pub halo: f64,
    /// Its layer, where that is not its group's.
    pub layer: Option<Layer>,
}

impl Text {
    /// Words in black whose left foot is at a place, with capitals of so many mm.
    pub fn new(at: DVec2, words: &str, height: f64) -> Text {
        Text {
            at,
            words: words.to_owned(),
            height,
            weight: Weight::Regular,
            anchor: Anchor::Left,
            baseline: Baseline::Foot,
            angle: 0.0,
            colour: [0, 0, 0, 255],
            halo: 0.0,
            layer: None,
        }
    }
}

/// A symbol at a place.
#[derive(Debug, Clone, PartialEq)]
pub struct Use {
    /// The symbol's name in [`Page::symbols`].
    pub symbol: String,
    /// The place of its origin.
    pub at: DVec2,
    /// Degrees counter-clockwise.
    pub angle: f64,
    /// Factors in x and y; below zero in x where it is mirrored.
    pub scale: DVec2,
    /// Its layer, where that is not its group's.
    pub layer: Option<Layer>,
}

/// A picture of pixels.
#[derive(Debug, Clone, PartialEq)]
pub struct Picture {
    /// Its upper left corner.
    pub at: DVec2,
    /// Width and height in mm.
    pub size: DVec2,
    /// The picture as PNG.
    pub png: Arc<[u8]>,
}
