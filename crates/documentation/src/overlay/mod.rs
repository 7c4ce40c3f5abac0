//! Marks over a finished drawing: findings as numbered flags, ways as lines with their length, rooms and elements in colours.
//!
//! Places are in metres of the world and put on paper by the drawing's plane. What lies off the view is told and not drawn. Flags and their
//! leader lines keep clear of words: where there is no such place the flag stands beside the drawing, and its line has a gap at words.

mod colouring;
mod flag;
mod lists;
mod space;
mod way;

use crate::beside;
use crate::drawing::shapes::{Reach, move_by};
use crate::drawing::{Drawing, Place};
use crate::phrases::Phrases;
use crate::style::Style;
use glam::{DVec2, DVec3};
use ifc::Id;
use paper::{Colour, Group, ModelSpace, Node, Page, Subject};

/// The margin around the page, in mm.
const MARGIN: f64 = 10.0;

/// All that is laid over a drawing.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Marks {
    /// Findings, numbered in their order from 1.
    pub findings: Vec<Finding>,
    /// Ways.
    pub ways: Vec<Way>,
    /// The colours of rooms.
    pub rooms: Option<Colouring>,
    /// The colours of elements.
    pub elements: Option<Colouring>,
}

/// Something found at a place.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// The place.
    pub spot: Spot,
    /// How bad it is.
    pub severity: Severity,
    /// A few words for it.
    pub title: String,
    /// More about it; may be empty.
    pub note: String,
}

/// The place of a finding.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Spot {
    /// A point in metres of the world.
    Point(DVec3),
    /// An element or a room.
    Element(Id),
}

/// The severity of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Red.
    Error,
    /// Amber.
    Warning,
    /// Blue.
    Note,
}

impl Severity {
    fn colour(self) -> Colour {
        match self {
            Self::Error => [200, 30, 40, 255],
            Self::Warning => [196, 110, 0, 255],
            Self::Note => [30, 92, 170, 255],
        }
    }
}

/// A way through the building.
#[derive(Debug, Clone, PartialEq)]
pub struct Way {
    /// Its corners from start to end, in metres of the world.
    pub points: Vec<DVec3>,
    /// Its name in the legend.
    pub name: String,
}

/// Colours by a value of each room or element.
#[derive(Debug, Clone, PartialEq)]
pub struct Colouring {
    /// The title of the legend.
    pub title: String,
    /// The values.
    pub values: Values,
}

/// The values that colours stand for.
#[derive(Debug, Clone, PartialEq)]
pub enum Values {
    /// Numbers in classes.
    Numbers {
        /// The unit, behind the numbers in the legend.
        unit: String,
        /// The numbers at which one class ends and the next begins.
        limits: Vec<f64>,
        /// The number of each; one that is not finite has no class.
        of: Vec<(Target, f64)>,
    },
    /// Words, each with a colour of its own in the order of the words.
    Keys {
        /// The word of each.
        of: Vec<(Target, String)>,
    },
}

/// The room or element that a value is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Target {
    /// An element, or a room that is an IfcSpace.
    Element(Id),
    /// A room by its place in [`Drawing::rooms`]: of those that were found between walls.
    Room(usize),
}

/// A drawing with marks.
#[derive(Debug, Clone, PartialEq)]
pub struct Overlaid {
    /// The page, list and legend beside the drawing.
    pub page: Page,
    /// How places of the world lie on it.
    pub place: Place,
    /// The flags.
    pub flags: Vec<Flag>,
    /// All that is not drawn, or not wholly.
    pub left_out: Vec<LeftOut>,
}

/// The flag of a finding, on the page in mm.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Flag {
    /// The finding's number, from 1.
    pub number: usize,
    /// The place of the finding.
    pub spot: DVec2,
    /// The middle of the numbered disc.
    pub disc: DVec2,
    /// The radius of the disc.
    pub radius: f64,
}

/// Something that is not drawn, or not wholly.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LeftOut {
    /// The mark.
    pub mark: Mark,
    /// The reason.
    pub reason: Reason,
}

/// A mark by its place in its list of [`Marks`], from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// Of `findings`.
    Finding(usize),
    /// Of `ways`.
    Way(usize),
    /// Of the values of `rooms`.
    Room(usize),
    /// Of the values of `elements`.
    Element(usize),
    /// Rows of lists for which the page has no room, by their number.
    Rows(usize),
}

/// The reason why a mark is not drawn wholly.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// It lies off the view.
    OffView,
    /// A part of it lies off the view; the rest is drawn.
    PartlyOffView,
    /// A number of it is not finite, or it has fewer than two points.
    BadNumbers,
    /// There is no room for it.
    NoRoom,
}

/// Lays marks over a drawing.
pub fn lay(drawing: &Drawing, marks: &Marks, style: &Style) -> Overlaid {
    let _fonts = style.fonts.read.enter();
    let phrases = Phrases::new(style);
    let mut left_out = Vec::new();
    let mut page = drawing.page.clone();
    let mut legends = Vec::new();
    if let Some(colours) = &marks.elements {
        let (block, out) = colouring::elements(drawing, colours, &mut page.nodes, &phrases);
        legends.push(block);
        left_out.extend(out);
    }
    let mut under = Vec::new();
    if let Some(colours) = &marks.rooms {
        let (nodes, block, out) = colouring::rooms(drawing, colours, &phrases);
        under = nodes;
        legends.push(block);
        left_out.extend(out);
    }
    let mut space = space::Space::new(&page);
    let (mut ways, mut over) = (Vec::new(), Vec::new());
    for (n, way) in marks.ways.iter().enumerate() {
        match way::draw(drawing, way, n, &mut space, style, &phrases) {
            Ok((nodes, is_whole)) => {
                ways.extend(nodes);
                if !is_whole {
                    left_out.push(LeftOut { mark: Mark::Way(n), reason: Reason::PartlyOffView });
                }
            }
            Err(reason) => left_out.push(LeftOut { mark: Mark::Way(n), reason }),
        }
    }
    let mut flags = Vec::new();
    for (n, finding) in marks.findings.iter().enumerate() {
        match flag::spot(drawing, finding.spot, &space) {
            Ok(spot) => flags.push(flag::place(n + 1, spot, &mut space)),
            Err(reason) => left_out.push(LeftOut { mark: Mark::Finding(n), reason }),
        }
    }
    over.extend(flag::draw(&flags, &marks.findings, &space, style));
    let mut reach = Reach::default();
    reach.point(DVec2::splat(MARGIN));
    reach.point(page.size - MARGIN);
    ways.iter().chain(&over).for_each(|node| reach.node(node));
    let [low, high] = reach.bounds().unwrap_or([DVec2::ZERO, page.size]);
    legends.extend(lists::blocks(marks, &left_out, &phrases));
    let at = DVec2::new(high.x + beside::GAP, low.y);
    let laid = beside::lay(&legends, at, high.y - low.y, style);
    if laid.left_out > 0 {
        left_out.push(LeftOut { mark: Mark::Rows(laid.left_out), reason: Reason::NoRoom });
    }
    let end = high.max(laid.end);
    let shift = DVec2::splat(MARGIN) - low;
    let of = |nodes| Node::Group(Group { nodes, ..Group::default() });
    let mut nodes = vec![of(under)];
    // ways lie under the names of rooms and under dimensions
    let words = page.nodes.iter().position(is_words).unwrap_or(page.nodes.len());
    let mut later = page.nodes.split_off(words);
    nodes.append(&mut page.nodes);
    nodes.push(of(ways));
    nodes.append(&mut later);
    nodes.extend([of(over), of(laid.nodes)]);
    for node in &mut nodes {
        move_by(node, shift);
    }
    for flag in &mut flags {
        flag.spot += shift;
        flag.disc += shift;
    }
    let place = Place { origin: drawing.place.origin + shift, ..drawing.place };
    let model =
        (place.mirror > 0.0).then_some(ModelSpace { origin: place.origin, scale: 1000.0 / place.factor });
    Overlaid { page: Page { size: end - low + 2.0 * MARGIN, nodes, model, ..page }, place, flags, left_out }
}

/// True for the groups of words that are drawn over all else.
fn is_words(node: &Node) -> bool {
    let Node::Group(group) = node else { return false };
    group.nodes.iter().any(|node| match node {
        Node::Text(text) => {
            matches!(
                text.layer.map(|l| l.subject),
                Some(Subject::Space | Subject::Dimension | Subject::Level)
            )
        }
        _ => false,
    })
}
