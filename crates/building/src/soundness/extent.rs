//! Elements without extent: bodies that are a point, a line, or as thin as paper, and doors and windows that state no size.

use geometry::query::Element;
use ifc::{Id, Model};

/// Extents and thicknesses below this are none, in metres.
pub const LEAST: f64 = 1e-4;

/// Classes that are bodies; others may be drawn by faces and lines.
const BODIES: [&str; 11] = [
    "IfcWall",
    "IfcSlab",
    "IfcColumn",
    "IfcBeam",
    "IfcMember",
    "IfcFooting",
    "IfcPile",
    "IfcStairFlight",
    "IfcRampFlight",
    "IfcDoor",
    "IfcWindow",
];

/// The extent that an element lacks; measures in metres.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Lack {
    /// It is no larger than a point.
    Point(f64),
    /// It has an extent in one direction alone.
    Line(f64),
    /// It encloses no volume: it is so thick.
    Sheet(f64),
}

impl Lack {
    /// The lack in words that follow the name of the element.
    pub fn words(self) -> &'static str {
        match self {
            Self::Point(_) => "is no larger than a point",
            Self::Line(_) => "has an extent in one direction alone",
            Self::Sheet(_) => "encloses no volume: its body is as thin as paper",
        }
    }

    /// The extent or thickness in metres.
    pub fn metres(self) -> f64 {
        match self {
            Self::Point(value) | Self::Line(value) | Self::Sheet(value) => value,
        }
    }
}

/// Returns the extent that a body lacks, if it lacks one.
pub fn lack(model: &Model, body: &Element) -> Option<Lack> {
    let size = body.bounds().size();
    if !size.is_finite() {
        return None;
    }
    let mut extents = size.to_array();
    extents.sort_by(f64::total_cmp);
    let [_, middle, largest] = extents;
    // a line or a point, whatever the class
    if middle < LEAST {
        return Some(if largest < LEAST { Lack::Point(largest) } else { Lack::Line(middle) });
    }
    let is_body = model.get(body.id()).is_some_and(|e| BODIES.iter().any(|class| e.is_a(class)));
    if !is_body {
        return None;
    }
    let measures = body.measures();
    let thickness = 2.0 * measures.volume.abs() / measures.area.max(1e-12);
    (measures.is_closed() && thickness < LEAST).then_some(Lack::Sheet(thickness))
}

/// The sizes of doors and windows that are nought or less, by the attribute that states them, in the file's unit.
pub fn noughts(model: &Model, id: Id) -> Vec<(&'static str, f64)> {
    let Some(filling) = model.get(id).filter(|e| e.is_a("IfcDoor") || e.is_a("IfcWindow")) else {
        return Vec::new();
    };
    let stated = ["OverallWidth", "OverallHeight"].map(|name| Some((name, filling.number(name)?)));
    stated.into_iter().flatten().filter(|(_, value)| *value <= 0.0).collect()
}
