//! Two versions of a model in one drawing: what is only in one of them, what changed, clouds around it, and a list beside.
//!
//! Elements are one by their GlobalId. What is only in the newer version is green, what changed is amber, with the parts of its old outline
//! that are no more in thin red; what is only in the older version is red, dashed where what is cut now would hide it; the rest is grey.
//! Clouds lie around what is near to each other; their numbers are those of the list.

mod cloud;
mod colours;
mod compare;
mod drawn;
mod lines;
mod page;
mod said;
mod shape;
mod values;

pub use compare::changes;

use crate::drawing::{self, BadDrawing, Drawing, Kind, Place, Wanted};
use crate::style::Style;
use geometry::Bounds;
use geometry::scene::{GoOn, Scene};
use glam::{DVec2, DVec3};
use ifc::Id;
use paper::Page;

/// One element that is different between two versions.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// Its number in the list of all changes, from 1.
    pub number: usize,
    /// Its GlobalId.
    pub global_id: String,
    /// Its class, in the newer version where it is in that.
    pub class: String,
    /// The words for it: its name, for a room its number and long name, else its class.
    pub name: String,
    /// The element in the older version.
    pub before: Option<Id>,
    /// The element in the newer version.
    pub after: Option<Id>,
    /// Name and height in metres of its storey.
    pub storey: Option<(String, f64)>,
    /// The box around it, in metres of the world.
    pub bounds: Bounds,
    /// All that is different about it.
    pub whats: Vec<What>,
    /// The number of the cloud around it; `None` where it is not on the drawing.
    pub cloud: Option<usize>,
}

/// The kinds of changes in the order in which they are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ChangeKind {
    /// Only in the newer version.
    New,
    /// Only in the older version.
    Removed,
    /// In both.
    Changed,
}

impl Change {
    /// The kind of change.
    pub fn kind(&self) -> ChangeKind {
        match (self.before, self.after) {
            (None, _) => ChangeKind::New,
            (Some(_), None) => ChangeKind::Removed,
            (Some(_), Some(_)) => ChangeKind::Changed,
        }
    }

    /// The sentences about it in the style's language, without its name: `moved by 250 mm to the east`, `2 other properties`.
    pub fn sentences(&self, style: &Style) -> Vec<String> {
        let phrases = crate::phrases::Phrases::new(style);
        self.whats.iter().map(|what| said::what(what, &phrases)).collect()
    }
}

/// One thing that is different about an element.
#[derive(Debug, Clone, PartialEq)]
pub enum What {
    /// It is only in the newer version.
    New,
    /// It is only in the older version.
    Removed,
    /// It has the same shape elsewhere.
    Moved {
        /// The way of its middle, in metres.
        by: DVec3,
        /// Degrees that it is turned by.
        turned: f64,
    },
    /// It has another shape, openings aside.
    Shape {
        /// The size of the box around it in metres, in the older version.
        from: DVec3,
        /// That in the newer version.
        to: DVec3,
    },
    /// Openings in it are others.
    Openings {
        /// Only in the newer version.
        new: usize,
        /// Only in the older version.
        removed: usize,
        /// Of another shape or elsewhere in it.
        changed: usize,
    },
    /// It has other colours.
    Look,
    /// It is of another class.
    Class {
        /// In the older version.
        from: String,
        /// In the newer version.
        to: String,
    },
    /// Attributes, properties, its type, material or storey are others.
    Values(Vec<Value>),
}

/// A statement about an element that is another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Value {
    /// The property set; empty for attributes, type, material and storey.
    pub set: String,
    /// Its name.
    pub name: String,
    /// Its words in the older version, with the unit of the file; `None` where nothing is stated.
    pub from: Option<String>,
    /// Its words in the newer version.
    pub to: Option<String>,
}

/// A cloud around changes.
#[derive(Debug, Clone, PartialEq)]
pub struct Cloud {
    /// Its number.
    pub number: usize,
    /// The line that its arcs bulge from, on the page in mm.
    pub outline: Vec<DVec2>,
    /// The numbers of the changes that it is for.
    pub changes: Vec<usize>,
}

/// Two versions in one drawing.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// The page, the list beside the drawing.
    pub page: Page,
    /// How places of the world lie on it.
    pub place: Place,
    /// All changes between the versions; those on the drawing have a cloud.
    pub changes: Vec<Change>,
    /// The clouds.
    pub clouds: Vec<Cloud>,
    /// The corners of the least box around each change that is on the drawing, on the page in mm, by its number.
    pub boxes: Vec<(usize, [DVec2; 2])>,
    /// Rows of the list for which the page had no room.
    pub unlisted: usize,
    /// The drawing of the newer version alone; nothing where the view meets nothing of it.
    pub newer: Option<Drawing>,
}

/// Draws two versions. The storey that is wanted is one of the newer version, or, where it is not in that any more, of the older.
/// `Ok(None)` where `go_on` ended it.
pub fn draw(
    before: &Scene,
    after: &Scene,
    wanted: &Wanted,
    style: &Style,
    go_on: GoOn<'_>,
) -> Result<Option<Difference>, BadDrawing> {
    let Some(found) = changes(before, after, go_on) else { return Ok(None) };
    of_changes([before, after], wanted, found, true, style, go_on)
}

/// The drawing of changes that are known; `listed` with the legend and the list beside it.
pub(crate) fn of_changes(
    [before, after]: [&Scene; 2],
    wanted: &Wanted,
    found: Vec<Change>,
    listed: bool,
    style: &Style,
    go_on: GoOn<'_>,
) -> Result<Option<Difference>, BadDrawing> {
    let _fonts = style.fonts.read.enter();
    let guid = storey_guid(before, after, wanted.kind);
    let mut drawings = [None, None];
    for (scene, drawing) in [before, after].into_iter().zip(&mut drawings) {
        *drawing = match side(scene, wanted, guid.as_deref(), style, go_on)? {
            Side::Drawn(drawing) => Some(*drawing),
            Side::Nothing => None,
            Side::Ended => return Ok(None),
        };
    }
    let [old, new] = drawings;
    if old.is_none() && new.is_none() {
        return Err(BadDrawing::NothingMet);
    }
    let composed = drawn::compose([old, new.clone()], found, listed, style);
    Ok(composed.map(|difference| Difference { newer: new, ..difference }))
}

/// One version on the view.
enum Side {
    Drawn(Box<Drawing>),
    /// Nothing of it is met.
    Nothing,
    /// `go_on` ended it.
    Ended,
}

/// Draws one version.
fn side(
    scene: &Scene,
    wanted: &Wanted,
    guid: Option<&str>,
    style: &Style,
    go_on: GoOn<'_>,
) -> Result<Side, BadDrawing> {
    let storey = || scene.model().by_guid(guid?);
    let kind = match wanted.kind {
        Kind::Plan { height, .. } => storey().map(|storey| Kind::Plan { storey, height }),
        Kind::CeilingPlan { height, .. } => storey().map(|storey| Kind::CeilingPlan { storey, height }),
        kind => Some(kind),
    };
    let Some(kind) = kind else { return Ok(Side::Nothing) };
    match drawing::draw(scene, &Wanted { kind, ..wanted.clone() }, style, go_on) {
        Ok(drawing) => Ok(drawing.map_or(Side::Ended, |drawing| Side::Drawn(Box::new(drawing)))),
        Err(BadDrawing::NothingMet | BadDrawing::Empty) => Ok(Side::Nothing),
        Err(why) => Err(why),
    }
}

/// The GlobalId of the storey that is wanted: of the newer version, or of the older where that one is no storey of the newer.
fn storey_guid(before: &Scene, after: &Scene, kind: Kind) -> Option<String> {
    let (Kind::Plan { storey, .. } | Kind::CeilingPlan { storey, .. }) = kind else { return None };
    let own = |scene: &Scene| scene.model().get(storey).filter(|i| i.is_a("IfcBuildingStorey"))?.guid();
    own(after).or_else(|| own(before))
}

/// The words for one thing that is different.
pub(crate) fn sentence(what: &What, phrases: &crate::phrases::Phrases) -> String {
    said::what(what, phrases)
}

/// A size in whole millimetres.
pub(crate) fn size(size: DVec3, phrases: &crate::phrases::Phrases) -> String {
    said::size(size, phrases)
}
