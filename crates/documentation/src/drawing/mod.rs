//! Drawings of a model to scale, as an architect draws them: plans, reflected ceiling plans, sections, elevations, axonometries.
//!
//! [`draw`] makes a page and says what is on it. Every element is one group with its GlobalId; what is cut is hatched by material,
//! doors and windows have their symbols, rooms their names, and dimensions are measured on the model.

mod above;
mod ceiling;
pub(crate) mod clip;
mod closing;
pub mod dimension;
mod door;
mod filling;
mod frame;
mod grid;
pub(crate) mod known;
mod level;
mod place;
mod plan;
mod poche;
mod roles;
mod room;
mod sash;
pub(crate) mod shapes;
mod sheet;
mod stair;
mod tag;
mod terrain;
mod upright;
pub(crate) mod viewed;
mod window;
pub mod words;

pub use dimension::{Asked, Dimension};
pub use place::Place;
pub use room::Room;

use crate::style::Style;
use geometry::scene::{GoOn, Scene};
use geometry::view::Seen;
use glam::{DVec2, DVec3};
use ifc::Id;
use ifc::relations::Links;
use paper::Page;
use viewed::Viewed;

/// The kinds of drawings.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kind {
    /// A storey cut so many metres above its floor, seen from above.
    Plan {
        /// The storey.
        storey: Id,
        /// Metres above its floor.
        height: f64,
    },
    /// A storey cut so many metres above its floor, seen upwards and mirrored as if on the floor: left and right are those of the plan.
    CeilingPlan {
        /// The storey.
        storey: Id,
        /// Metres above its floor.
        height: f64,
    },
    /// Cut by a plane.
    Section {
        /// A point of it in metres of the world.
        origin: DVec3,
        /// The direction to the viewer.
        normal: DVec3,
    },
    /// Seen from outside, not cut.
    Elevation {
        /// From the building to the viewer, in plan: (0, -1) is the elevation from the south.
        direction: DVec2,
    },
    /// Seen from a corner in parallel lines.
    Axonometry {
        /// From the building to the viewer.
        direction: DVec3,
    },
}

/// A drawing asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct Wanted {
    /// The kind.
    pub kind: Kind,
    /// The number of the scale, such as 50 for 1:50.
    pub scale: f64,
    /// Metres seen beyond the plane; by default a plan's floor, the rest's all.
    pub depth: Option<f64>,
    /// True with chains of dimensions.
    pub dimensions: bool,
    /// Dimensions that are wanted besides.
    pub asked: Vec<Asked>,
    /// Its title; by default that of the storey or view.
    pub title: Option<String>,
}

impl Wanted {
    /// A drawing with dimensions and all else as usual.
    pub fn new(kind: Kind, scale: f64) -> Wanted {
        Wanted { kind, scale, depth: None, dimensions: true, asked: Vec::new(), title: None }
    }
}

/// A drawing, and what is on it.
#[derive(Debug, Clone, PartialEq)]
pub struct Drawing {
    /// The page.
    pub page: Page,
    /// How places of the world lie on it.
    pub place: Place,
    /// The cut and the lines seen of each element, in metres of the plane.
    pub shown: Vec<Seen>,
    /// The GlobalId of each element in `shown`.
    pub global_ids: Vec<(Id, String)>,
    /// The elements that the plane cuts.
    pub cut: Vec<Id>,
    /// The elements seen beyond and not cut.
    pub seen: Vec<Id>,
    /// The area cut of all elements in m².
    pub cut_area: f64,
    /// The rooms of the storey.
    pub rooms: Vec<Room>,
    /// The dimensions, each with what it measures.
    pub dimensions: Vec<Dimension>,
    /// Things that could not be drawn as they should be.
    pub notes: Vec<Note>,
}

/// A thing that could not be drawn as it should be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// The element.
    pub element: Option<Id>,
    /// The thing in words.
    pub words: String,
}

/// A drawing cannot be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BadDrawing {
    /// The plane has no direction, or a number is not finite.
    NoDirection,
    /// The scale is not from 1 to 10,000.
    Scale,
    /// The depth is not above nought.
    Depth,
    /// The model has nothing to draw.
    Empty,
    /// The plane cuts nothing, and nothing is seen beyond it.
    NothingMet,
}

impl std::fmt::Display for BadDrawing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::NoDirection => "the plane has no direction, or a number is not finite",
            Self::Scale => "the scale has to be from 1 to 10000, such as 50 for 1:50",
            Self::Depth => "the depth has to be above 0 m",
            Self::Empty => "the model has nothing to draw",
            Self::NothingMet => "the plane cuts nothing, and nothing is seen beyond it",
        })
    }
}

impl std::error::Error for BadDrawing {}

/// Makes a drawing. `Ok(None)` where `go_on` ended it; it is told how many steps are done, of how many, from any thread.
pub fn draw(
    scene: &Scene,
    wanted: &Wanted,
    style: &Style,
    go_on: GoOn<'_>,
) -> Result<Option<Drawing>, BadDrawing> {
    let links = Links::of_many(scene.model());
    let known = &mut known::Known::default();
    let Some(viewed) = look(scene, &links, wanted, style, known, go_on)? else { return Ok(None) };
    drawn(scene, &links, wanted, style, viewed).map(Some)
}

/// The view that a drawing is made of, with those of earlier states, which are looked at again only where something changed.
pub(crate) fn look(
    scene: &Scene,
    links: &Links<'_>,
    wanted: &Wanted,
    style: &Style,
    known: &mut known::Known,
    go_on: GoOn<'_>,
) -> Result<Option<Viewed>, BadDrawing> {
    if !(1.0..=10_000.0).contains(&wanted.scale) {
        return Err(BadDrawing::Scale);
    }
    if wanted.depth.is_some_and(|depth| !(depth > 0.0 && depth.is_finite())) {
        return Err(BadDrawing::Depth);
    }
    viewed::view(scene, links, wanted, &style.at_scale(wanted.scale), known, go_on)
}

/// The drawing of a view.
pub(crate) fn drawn(
    scene: &Scene,
    links: &Links<'_>,
    wanted: &Wanted,
    style: &Style,
    viewed: Viewed,
) -> Result<Drawing, BadDrawing> {
    let _fonts = style.fonts.read.enter();
    match wanted.kind {
        Kind::Plan { storey, height } => plan::draw(scene, links, wanted, style, (storey, height), viewed),
        Kind::CeilingPlan { storey, .. } => ceiling::draw(scene, wanted, style, storey, viewed),
        _ => upright::draw(scene, links, wanted, style, viewed),
    }
}
