//! Pieces made here as they are read again, by the name of their type, and their change: another size, colour or material is another
//! type; the back of the piece stays where it is.

use super::kinds::Kind;
use super::place::checked;
use super::{NewFurniture, Spot, mapped, type_of, within_limits};
use crate::anything::colour::{self, Colour};
use crate::author::Author;
use crate::measures::{mm, name};
use contract::Fault;
use glam::{DVec2, DVec3};
use ifc::{Id, relations};

/// The things that can be changed of a piece.
pub const PARAMETERS: [&str; 5] = ["width", "depth", "height", "material", "colour"];

/// A piece made here.
#[derive(Debug, Clone, PartialEq)]
pub struct Known {
    /// Its kind.
    pub kind: Kind,
    /// Width, depth and height in mm.
    pub size: DVec3,
    /// Material, where it is not the usual one.
    pub material: Option<String>,
    /// Colour, where it is not the usual one.
    pub colour: Option<Colour>,
}

impl Known {
    /// Reads a piece; `None` where its type is none of those made here.
    pub fn read(author: &Author, element: Id) -> Option<Self> {
        let kind = author.edit.get(relations::type_of(author.edit, element)?)?;
        if kind.references("RepresentationMaps").is_empty() {
            return None;
        }
        let text = kind.name()?;
        let (kind, rest) = Kind::titled(&text)?;
        let (sizes, tail) = rest.split_once(" mm")?;
        let mut numbers = sizes.split(" x ").map(str::parse::<f64>);
        let mut next = || numbers.next()?.ok().filter(|number| number.is_finite());
        let size = DVec3::new(next()?, next()?, next()?);
        let (material, colour) = match tail.rsplit_once(", #") {
            Some((material, hex)) => (material, Some(colour::read("colour", &format!("#{hex}")).ok()?)),
            None => (tail, None),
        };
        let material = material.strip_prefix(", ").map(str::to_owned);
        Some(Self { kind, size, material, colour })
    }

    /// A parameter as it is told; no text for what is the usual one.
    pub fn parameter(&self, parameter: &str) -> Shown {
        match parameter {
            "width" => Shown::Number(mm(self.size.x)),
            "depth" => Shown::Number(mm(self.size.y)),
            "height" => Shown::Number(mm(self.size.z)),
            "material" => Shown::Text(self.material.clone()),
            _ => Shown::Text(self.colour.map(colour::text)),
        }
    }
}

/// A parameter's value.
#[derive(Debug, Clone, PartialEq)]
pub enum Shown {
    /// mm.
    Number(f64),
    /// A word.
    Text(Option<String>),
}

/// Gives a piece another size, material or colour.
pub fn change(author: &mut Author, element: Id, parameter: &str, value: Shown) -> Result<(), Fault> {
    let Some(old) = Known::read(author, element) else {
        return Err(Fault::constraint(
            "This piece was not made by create_furniture; its shape is its type's.",
        ));
    };
    let mut new = old.clone();
    match (parameter, value) {
        ("width", Shown::Number(number)) => new.size.x = number,
        ("depth", Shown::Number(number)) => new.size.y = number,
        ("height", Shown::Number(number)) => new.size.z = number,
        ("material", Shown::Text(text)) => {
            new.material = text.map(|text| name("value", &text)).transpose()?;
        }
        ("colour", Shown::Text(text)) => {
            new.colour = text.map(|text| colour::read("value", &text)).transpose()?;
        }
        _ => return Err(Fault::invalid("value", format!("`value` is no {parameter}."))),
    }
    within_limits("value", parameter, old.kind, new.size)?;
    let frame = author.frame(element)?;
    let facing: DVec2 = frame.y_axis.truncate().normalize_or(DVec2::Y);
    let centre = frame.translation + (facing * (new.size.y / 2.0)).extend(0.0);
    let storey = relations::storey_of(author.edit, element)
        .ok_or_else(|| Fault::constraint("This piece is on no storey.").with("field", "element_id"))?;
    if new.size != old.size {
        checked(author, storey, old.kind, new.size, centre, facing.to_array(), Some(element))
            .map_err(|fault| fault.with("field", "value"))?;
    }
    let wanted = NewFurniture {
        kind: new.kind,
        size: new.size,
        spot: Spot { storey, room: None, centre, facing: facing.to_array() },
        name: None,
        material: new.material,
        colour: new.colour,
    };
    let kind = type_of(author, &wanted)?;
    author.leave(element, "IfcRelDefinesByType")?;
    author.type_as(kind, element)?;
    let representation = mapped(author, kind)?;
    author.replace_representation(element, "Body", representation)
}
