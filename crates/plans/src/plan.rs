//! The answer: what a plan shows, in millimetres.
//!
//! Places are relative to [`Plan::origin`], x and y as in the drawing.

use serde::Serialize;

/// A place in mm.
pub type Point = [f64; 2];

/// The content of a drawing.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Plan {
    /// The scale that was taken.
    pub scale: Scale,
    /// The place that all others are relative to.
    pub origin: Origin,
    /// Walls by their axes.
    pub walls: Vec<Wall>,
    /// Doors.
    pub doors: Vec<Door>,
    /// Windows.
    pub windows: Vec<Window>,
    /// Openings without a filling.
    pub openings: Vec<Opening>,
    /// Rooms.
    pub rooms: Vec<Room>,
    /// The assumptions, a sentence each.
    pub assumptions: Vec<String>,
    /// The questions.
    pub questions: Vec<Question>,
    /// The things that were not understood, in groups.
    pub not_understood: Vec<Leftover>,
    /// The things that are no part of the walls: furniture, stairs, grids, dimensions.
    pub passed_over: Vec<Leftover>,
    /// The layers with what each was taken for.
    pub layers: Vec<LayerRole>,
}

/// The scale of a drawing.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Scale {
    /// The mm in the world that a unit of the drawing stands for.
    pub mm_per_unit: f64,
    /// Where it comes from.
    pub source: ScaleSource,
    /// The reason, a sentence.
    pub reason: String,
}

/// The sources of a scale.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ScaleSource {
    /// It was given.
    Given,
    /// The file says its units.
    Units,
    /// Dimensions say what they measure.
    Dimensions,
    /// The page says its scale.
    PageScale,
    /// Widths of doors and thicknesses of walls are plausible so; to be confirmed.
    #[default]
    Guess,
}

/// The origin of a plan.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Origin {
    /// Its place in the drawing, in the drawing's units.
    pub drawing: Point,
    /// Degrees, from 0 to 90, by which most walls are turned from x; places are not turned.
    pub rotation: f64,
    /// The reason for it.
    pub reason: String,
}

/// A wall.
#[derive(Debug, Clone, Serialize)]
pub struct Wall {
    /// The beginning of its axis.
    pub start: Point,
    /// The end of its axis.
    pub end: Point,
    /// The circle that its axis follows, where it is curved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub arc: Option<ArcAxis>,
    /// Its thickness in mm.
    pub thickness: f64,
    /// From 0 to 1.
    pub confidence: f64,
    /// The layers that it was drawn on.
    pub layers: Vec<String>,
    /// Some of the entities that it was read from: handles of a DXF, lines of an SVG.
    pub sources: Vec<String>,
    /// Lines between its faces: layers of its construction.
    pub inner_lines: usize,
    /// A remark on it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// The axis of a curved wall.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct ArcAxis {
    /// The middle of the circle.
    pub centre: Point,
    /// The radius in mm.
    pub radius: f64,
    /// True if it runs counter-clockwise from start to end.
    pub is_counter_clockwise: bool,
}

/// The place of an opening in a wall.
#[derive(Debug, Clone, Serialize)]
pub struct Placement {
    /// The number of the wall in [`Plan::walls`].
    pub wall: usize,
    /// From the start of the wall's axis to the middle of the opening, in mm along the axis.
    pub position: f64,
    /// The width in mm.
    pub width: f64,
    /// The middle of the opening on the axis.
    pub centre: Point,
    /// From 0 to 1.
    pub confidence: f64,
    /// The evidence that it was recognised by.
    pub evidence: String,
    /// Some of the entities that it was read from.
    pub sources: Vec<String>,
}

/// The way that a door opens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DoorKind {
    /// One leaf that swings.
    SingleSwing,
    /// Two leaves that swing.
    DoubleSwing,
    /// Leaves that slide.
    Sliding,
    /// Not drawn.
    Unknown,
}

/// A side of a wall, as seen from its start to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// To the left.
    Left,
    /// To the right.
    Right,
}

/// A door.
#[derive(Debug, Clone, Serialize)]
pub struct Door {
    /// Its place.
    #[serde(flatten)]
    pub place: Placement,
    /// The way it opens.
    pub kind: DoorKind,
    /// The hinge, of two leaves the first one's.
    pub hinge: Option<Point>,
    /// The end of the opening that the hinge is at: `start` or `end`, along the wall's axis.
    pub hinge_end: Option<&'static str>,
    /// The side that it swings to.
    pub swing: Option<Side>,
}

/// A window.
#[derive(Debug, Clone, Serialize)]
pub struct Window {
    /// Its place.
    #[serde(flatten)]
    pub place: Placement,
}

/// An opening without a filling.
#[derive(Debug, Clone, Serialize)]
pub struct Opening {
    /// Its place.
    #[serde(flatten)]
    pub place: Placement,
}

/// A room.
#[derive(Debug, Clone, Serialize)]
pub struct Room {
    /// Its name, where words in it say one.
    pub name: Option<String>,
    /// Its number, where words in it say one.
    pub number: Option<String>,
    /// Further names that stand in it, of parts that no wall parts from it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub further_names: Vec<String>,
    /// Its outline at the faces of walls, counter-clockwise.
    pub outline: Vec<Point>,
    /// Outlines of what stands in it: columns, walls that touch no others.
    pub holes: Vec<Vec<Point>>,
    /// Its area in m².
    pub area: f64,
    /// The area in m² that words in it say.
    pub stated_area: Option<f64>,
    /// A place within it.
    pub label: Point,
}

/// Entities that were left over, as a group.
#[derive(Debug, Clone, Serialize)]
pub struct Leftover {
    /// The kind: `line`, `arc`, `text`, or the format's own word.
    pub kind: String,
    /// The layer.
    pub layer: String,
    /// The reason, without a full stop.
    pub reason: String,
    /// The number of entities.
    pub count: usize,
    /// Places of some of them.
    pub places: Vec<LeftoverPlace>,
}

/// The place of an entity that was left over.
#[derive(Debug, Clone, Serialize)]
pub struct LeftoverPlace {
    /// In the drawing's own units.
    pub drawing: Point,
    /// In mm from the origin.
    pub mm: Point,
    /// The entity: its handle or line.
    pub source: String,
    /// Its words, if it is a text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub words: Option<String>,
}

/// Something that has to be asked.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "snake_case", tag = "question")]
pub enum Question {
    /// The scale is not known.
    NeedsScale {
        /// In words.
        message: String,
        /// Scales that are plausible, the best first.
        candidates: Vec<ScaleCandidate>,
    },
    /// The walls are not found among so much.
    NeedsLayers {
        /// In words.
        message: String,
        /// The layers with most lines.
        candidates: Vec<String>,
    },
}

/// A scale that is plausible.
#[derive(Debug, Clone, Serialize)]
pub struct ScaleCandidate {
    /// The mm of a unit.
    pub mm_per_unit: f64,
    /// The unit's name.
    pub unit: String,
    /// The reasons for it.
    pub reasons: Vec<String>,
}

/// A layer with what it was taken for.
#[derive(Debug, Clone, Serialize)]
pub struct LayerRole {
    /// The layer.
    pub layer: String,
    /// Its role, `unknown` where its name says nothing.
    pub role: &'static str,
    /// Its entities.
    pub entities: usize,
}
