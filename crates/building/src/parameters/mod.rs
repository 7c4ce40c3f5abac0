//! Changing one parameter of an element and everything that follows from it: body and axis, openings and what fills
//! them, corners with neighbours, quantities, the storey's totals.
//!
//! Parameters are what the tools speak of (mm, world points); anything else is an attribute of the element by its IFC
//! name, or a property as `Pset.Property`. Elements of other programs take part as far as their shape is an upright
//! extrusion; where a change could not be drawn faithfully it is refused.

mod attribute;
mod change;
mod curtain;
mod flat;
mod furniture;
mod grid;
mod member;
mod opening;
mod redraw;
mod stair;
mod storey;
mod trial;
mod wall;

pub use opening::shift as shift_opening;
pub(crate) use opening::{redraw as redraw_opening, redraw_alone as redraw_opening_alone};
pub use redraw::{openings_fit, redraw, set_axis};
pub use trial::is_taken;

use crate::author::Author;
use crate::library::layers;
use crate::lookup::{guid, label};
use crate::measures::{mm, positive};
use crate::tops;
use change::{Change, is_same, lookup_fault};
use contract::Fault;
use ifc::Id;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value as Json;
use std::collections::BTreeSet;

/// A change that was made.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Modified {
    /// GlobalId.
    pub element_id: String,
    /// Class.
    pub class: String,
    /// Name.
    pub name: String,
    /// The parameter as it was understood.
    pub parameter_name: String,
    /// Its value before; absent where it had none.
    #[serde(skip_serializing_if = "Json::is_null")]
    pub before: Json,
    /// Its value now, read back.
    pub after: Json,
    /// GlobalIds of other elements that were drawn again.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub regenerated: Vec<String>,
}

/// Changes one parameter.
pub fn modify(author: &mut Author, id: Id, parameter: &str, value: &Json) -> Result<Modified, Fault> {
    let parameter = parameter.trim();
    let (name, change) = if let Some((set, property)) = parameter.split_once('.') {
        (parameter.to_owned(), attribute::property(author, id, set, property, value)?)
    } else {
        let noun = Noun::from_element(author, id);
        let line = if noun == Noun::Grid { grid::line(author, id, parameter)? } else { None };
        let fresh = if noun == Noun::Grid && line.is_none() { grid::new_line(parameter) } else { None };
        match line {
            Some(line) if value.is_object() => (line.tag.clone(), grid::rename(author, id, &line, value)?),
            Some(line) => (line.tag.clone(), grid::move_line(author, id, &line, value)?),
            None if fresh.is_some() => {
                let tag = fresh.unwrap_or_default();
                let change = if value.is_object() {
                    grid::add(author, id, &tag, value)?
                } else {
                    grid::change(author, id, parameter, value)?
                };
                (tag, change)
            }
            None => match noun.parameters().iter().find(|known| is_same(known, parameter)) {
                Some(known) => ((*known).to_owned(), under_roofs(author, id, noun, known, value)?),
                None => attribute::attribute(author, id, parameter, value, noun.parameters())?,
            },
        }
    };
    Ok(Modified {
        element_id: guid(author.edit, id),
        class: author.edit.get(id).map(|e| e.class_name().to_owned()).unwrap_or_default(),
        name: label(author.edit, id),
        parameter_name: name,
        before: change.before,
        after: change.after,
        regenerated: change.regenerated.into_iter().map(|other| guid(author.edit, other)).collect(),
    })
}

/// The height of a wall at its end, which its top slopes to.
const TOP_END: &str = "top_end_height";

/// Changes a parameter with the walls concerned drawn upright, and their tops cut again after.
fn under_roofs(author: &mut Author, id: Id, noun: Noun, known: &str, value: &Json) -> Result<Change, Fault> {
    let concerned = match noun {
        Noun::Wall => vec![id],
        Noun::Storey => ifc::relations::contained(author.edit, id),
        _ => Vec::new(),
    };
    let mut loosened = tops::loosen(author, &concerned, &[])?;
    let mut change = if known == TOP_END {
        let height = positive("value", change::number(value)?)?;
        let (before, mut regenerated) = loosened.set_end(author, id, height)?;
        regenerated.retain(|other| *other != id);
        Change { before: mm(before).into(), after: mm(height).into(), regenerated }
    } else {
        let called = label(author.edit, id);
        // what stands in the way is not what was asked for
        noun.change(author, id, known, value).map_err(|fault| match noun {
            Noun::Wall if !fault.message.contains(&called) => {
                Fault { message: format!("{known} of {called}: {}", fault.message), ..fault }
            }
            _ => fault,
        })?
    };
    let drawn = tops::fasten(author, "value", loosened)?;
    change.regenerated.extend(drawn.into_iter().filter(|other| *other != id));
    let mut seen = BTreeSet::new();
    change.regenerated.retain(|other| seen.insert(*other));
    Ok(change)
}

/// The kind of element that is changed, which decides its parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Noun {
    Wall,
    Opening,
    Slab,
    Roof,
    Space,
    Storey,
    Column,
    Member,
    Grid,
    Furniture,
    Stair,
    Ramp,
    Curtain,
    CurtainDoor,
    LayeredType,
    SectionType,
    Other,
}

impl Noun {
    fn from_element(author: &Author, id: Id) -> Self {
        let Some(element) = author.edit.get(id) else { return Self::Other };
        let hosted = || ifc::relations::opening_of_filling(author.edit, id).is_some();
        if element.is_a("IfcWall") {
            Self::Wall
        } else if element.is_a("IfcOpeningElement")
            || ((element.is_a("IfcDoor") || element.is_a("IfcWindow")) && hosted())
        {
            Self::Opening
        } else if element.is_a("IfcSlab") {
            Self::Slab
        } else if element.is_a("IfcRoof") {
            Self::Roof
        } else if element.is_a("IfcSpace") {
            Self::Space
        } else if element.is_a("IfcBuildingStorey") {
            Self::Storey
        } else if element.is_a("IfcColumn") {
            Self::Column
        } else if element.is_a("IfcBeam") || element.is_a("IfcMember") {
            Self::Member
        } else if element.is_a("IfcGrid") {
            Self::Grid
        } else if element.is_a("IfcStair") {
            Self::Stair
        } else if element.is_a("IfcRamp") {
            Self::Ramp
        } else if element.is_a("IfcCurtainWall") {
            Self::Curtain
        } else if element.is_a("IfcDoor") && crate::curtain::whole_of(author, id).is_some() {
            Self::CurtainDoor
        } else if crate::furniture::Known::read(author, id).is_some() {
            Self::Furniture
        } else if element.is_a("IfcTypeObject") && layers::is_layered(author.edit, id) {
            Self::LayeredType
        } else if crate::structure::resection::TYPES.iter().any(|class| element.is_a(class)) {
            Self::SectionType
        } else {
            Self::Other
        }
    }

    fn parameters(self) -> &'static [&'static str] {
        match self {
            Self::Wall => &["height", "thickness", "start", "end", "length", TOP_END],
            Self::Opening => &["width", "height", "sill", "along", "host", "flipped", "operation_type"],
            Self::Slab => &["thickness", "boundary_points"],
            Self::Roof => &crate::roof::PARAMETERS,
            Self::Space => &["height", "boundary_points"],
            Self::Storey => &["elevation"],
            Self::Column => &["height", "location", "section", "rotation"],
            Self::Member => &["start", "end", "length", "section", "rotation"],
            // each line's position, by its name
            Self::Grid => &["axis"],
            Self::Furniture => &crate::furniture::PARAMETERS,
            Self::Stair => &crate::stairs::redraw::STAIR,
            Self::Ramp => &crate::stairs::redraw::RAMP,
            Self::Curtain => &crate::curtain::PARAMETERS,
            Self::CurtainDoor => &crate::curtain::DOOR_PARAMETERS,
            Self::LayeredType => &["thickness"],
            Self::SectionType => &["section"],
            Self::Other => &[],
        }
    }

    fn change(self, author: &mut Author, id: Id, parameter: &str, value: &Json) -> Result<Change, Fault> {
        match self {
            Self::Wall => wall::change(author, id, parameter, value),
            Self::Opening => opening::change(author, id, parameter, value),
            Self::Slab => flat::slab(author, id, parameter, value),
            Self::Roof => flat::roof(author, id, parameter, value),
            Self::Space => flat::space(author, id, parameter, value),
            Self::Storey => storey::elevation(author, id, value),
            Self::Column | Self::Member => member::change(author, id, parameter, value),
            Self::Grid => grid::change(author, id, parameter, value),
            Self::Furniture => furniture::change(author, id, parameter, value),
            Self::Curtain => curtain::wall(author, id, parameter, value),
            Self::CurtainDoor => curtain::door(author, id, parameter, value),
            Self::Stair | Self::Ramp => stair::change(author, id, parameter, value),
            Self::LayeredType => {
                let thickness = change::number(value)?;
                let (before, regenerated) = layers::set_thickness(author, id, thickness)?;
                Ok(Change { before: before.into(), after: thickness.into(), regenerated })
            }
            Self::SectionType => member::of_type(author, id, value),
            Self::Other => Err(lookup_fault(parameter, self.parameters())),
        }
    }
}
