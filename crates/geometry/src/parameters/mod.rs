//! The parameters behind a shape, read from its representation without meshing: a wall's axis, height and thickness, a slab's outline,
//! a beam's profile and axis, an opening's rectangle in its host, a room's floor and height.
//!
//! Every answer says how it was found, or why it is not known. Parameters are of the body before openings, and before clippings,
//! which a [`Sweep`] only tells of; what is given by faces alone has few of them, and none is guessed from its faces.
//! Lengths in metres, points in the world before map conversion.

mod member;
mod opening;
mod plate;
mod sweep;
#[cfg(test)]
mod tests;
mod wall;

pub use member::{Member, Profile, profile_at, profile_of};
pub use opening::{Opening, stated_size};
pub use plate::{Slab, Space};
pub use sweep::Sweep;
pub use wall::{Axis, Layers, Wall};

use crate::{item::Shaper, read::ShapeError};
use glam::DVec3;
use ifc::Id;
use serde::{Deserialize, Serialize};

/// The source of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum By {
    /// The representation called `Axis`.
    AxisRepresentation,
    /// The representation called `FootPrint`.
    FootPrintRepresentation,
    /// The extrusion that the body is.
    Extrusion,
    /// The extrusion that the body was before something was cut off it.
    ExtrusionBeforeCuts,
    /// The profile that is extruded.
    Profile,
    /// The material layers.
    MaterialLayers,
    /// An attribute of the element.
    Attribute,
    /// The opening that it fills.
    Opening,
}

/// A value and how it was found, or why it is not known.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer<T> {
    /// The value.
    Found {
        /// In metres, where it is a length.
        value: T,
        /// The source of the value.
        by: By,
    },
    /// Why it is not known.
    Unknown {
        /// The instance at fault.
        item: u32,
        /// In a few words.
        why: String,
    },
}

impl<T> Answer<T> {
    fn found(value: T, by: By) -> Answer<T> {
        Answer::Found { value, by }
    }

    fn from_result(found: Result<(T, By), ShapeError>) -> Answer<T> {
        match found {
            Ok((value, by)) => Answer::Found { value, by },
            Err(error) => Answer::Unknown { item: error.item.0, why: error.reason },
        }
    }

    /// The value, if it is known.
    pub fn value(&self) -> Option<&T> {
        match self {
            Answer::Found { value, .. } => Some(value),
            Answer::Unknown { .. } => None,
        }
    }

    /// The source of the value, if it is known.
    pub fn by(&self) -> Option<By> {
        match self {
            Answer::Found { by, .. } => Some(*by),
            Answer::Unknown { .. } => None,
        }
    }
}

/// A flat outline in space: the boundary, then the holes.
pub type Outline3 = Vec<Vec<DVec3>>;

/// The parameters of an element, by what it is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Parameters {
    /// Of an IfcWall.
    Wall(Wall),
    /// Of an IfcSlab, IfcRoof, IfcPlate, IfcCovering or IfcFooting.
    Slab(Slab),
    /// Of an IfcColumn, IfcBeam or IfcMember.
    Member(Member),
    /// Of an IfcOpeningElement, or of the opening that an IfcDoor or IfcWindow fills.
    Opening(Opening),
    /// Of an IfcSpace.
    Space(Space),
}

/// The parameters of an element, or `None` where its class has none here. An error where the element is not in the file or cannot be
/// placed.
pub fn read(shaper: &Shaper<'_>, element: Id) -> Result<Option<Parameters>, ShapeError> {
    let product = shaper.reader.get(element)?;
    let is = |classes: &[&str]| classes.iter().any(|c| product.is_a(c));
    Ok(Some(if is(&["IfcWall"]) {
        Parameters::Wall(wall::wall(shaper, &product)?)
    } else if is(&["IfcSlab", "IfcRoof", "IfcPlate", "IfcCovering", "IfcFooting"]) {
        Parameters::Slab(plate::slab(shaper, &product)?)
    } else if is(&["IfcColumn", "IfcBeam", "IfcMember"]) {
        Parameters::Member(member::member(shaper, &product)?)
    } else if is(&["IfcOpeningElement", "IfcDoor", "IfcWindow"]) {
        Parameters::Opening(opening::opening(shaper, &product)?)
    } else if is(&["IfcSpace"]) {
        Parameters::Space(plate::space(shaper, &product)?)
    } else {
        return Ok(None);
    }))
}
