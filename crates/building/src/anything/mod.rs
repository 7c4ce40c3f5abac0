//! Any element of the building: whatever class the schema has for a thing that stands somewhere, with a shape of simple forms
//! or of triangles, at a place.
//!
//! Made are products with a body of their own. What holds others (storeys, spaces), cuts others (openings) or has tools
//! that know more of it is refused by name, with what to use instead.

pub mod class;
pub mod colour;
pub mod faces;
pub mod form;
mod path;
mod volumes;

use crate::author::{Author, word};
use crate::frame::Frame;
use crate::lookup::{guid, label, next_name};
use crate::measures::{finite, name};
use crate::quantities::{Quantities, Quantity, read};
use crate::storey::{above_storey, level_of};
use class::Class;
use colour::Colour;
use contract::Fault;
use form::Form;
use geometry::{NoMeasure, Shaper};
use glam::{DMat3, DQuat, DVec3};
use ifc::{Id, Value};
use schemars::JsonSchema;
use serde::Serialize;
use volumes::set_with_volumes;

/// The place of a shape: where its own origin comes to lie, and how it is turned.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Put {
    /// In the world in mm, z above the storey.
    pub point: DVec3,
    /// Degrees counter-clockwise about its own z.
    pub rotation: f64,
    /// The direction of its own z in the world.
    pub axis: DVec3,
}

/// An element asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct NewElement {
    /// The storey that holds it.
    pub storey: Id,
    /// Its class, read by [`Class::read`].
    pub class: Class,
    /// Its shape.
    pub form: Form,
    /// Its place.
    pub put: Put,
    /// Name.
    pub name: Option<String>,
    /// Material.
    pub material: Option<String>,
    /// Colour of all of it.
    pub colour: Option<Colour>,
}

/// An element as it stands in the model.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ElementAnswer {
    /// GlobalId.
    pub element_id: String,
    /// Class.
    pub class: String,
    /// Name.
    pub name: String,
    /// Name of its storey.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub level: Option<String>,
    /// Its origin: world x and y, z above the storey, in mm.
    pub position: [f64; 3],
    /// The box around it in the world, in mm.
    pub size: [f64; 3],
    /// The class of what its body is made of.
    pub representation: String,
    /// Volume in m³; left out for surfaces that enclose none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub volume: Option<f64>,
    /// Base quantities as stored, in the file's units.
    #[serde(skip_serializing_if = "Quantities::is_empty")]
    pub quantities: Quantities,
}

impl Put {
    /// The frame in the world, above a storey at a height in mm.
    pub fn frame(&self, storey_z: f64) -> Result<Frame, Fault> {
        for (field, c) in
            ["placement.point[0]", "placement.point[1]"].iter().zip([self.point.x, self.point.y])
        {
            if !c.is_finite() || c.abs() > 1e10 {
                return Err(Fault::invalid(
                    field,
                    format!("`{field}` is {c}; coordinates are mm, within ten thousand kilometres."),
                ));
            }
        }
        finite("placement.point[2]", self.point.z)?;
        if !self.rotation.is_finite() || self.rotation.abs() > 36_000.0 {
            return Err(Fault::invalid(
                "placement.rotation",
                format!("`placement.rotation` is {}; it is given in degrees.", self.rotation),
            ));
        }
        let Some(z) = self.axis.try_normalize().filter(|_| self.axis.is_finite()) else {
            return Err(Fault::invalid(
                "placement.axis",
                "`placement.axis` is a direction [x, y, z] that is not nought; up is [0, 0, 1].",
            ));
        };
        let level = DVec3::Z.cross(z);
        let x = if level.length() < 1e-9 { DVec3::X } else { level.normalize() };
        let turned = turned(x, z, self.rotation);
        let axes = DMat3::from_cols(turned, z.cross(turned), z);
        let origin = self.point + DVec3::Z * storey_z;
        Ok(Frame(glam::DAffine3 { matrix3: axes, translation: origin }))
    }
}

/// A direction turned about an axis by degrees, exact for quarters.
fn turned(x: DVec3, axis: DVec3, degrees: f64) -> DVec3 {
    let y = axis.cross(x);
    match degrees.rem_euclid(360.0) {
        0.0 => x,
        90.0 => y,
        180.0 => -x,
        270.0 => -y,
        other => DQuat::from_axis_angle(axis, other.to_radians()) * x,
    }
}

/// Makes an element.
pub fn create(author: &mut Author, new: &NewElement) -> Result<Id, Fault> {
    let text = match &new.name {
        Some(text) => name("name", text)?,
        None => next_name(author.edit, new.class.name, &new.class.noun()),
    };
    let storey = author.frame(new.storey)?;
    let frame = new.put.frame(storey.translation.z)?.seen_from(&storey);
    let within = author.placement_of(new.storey);
    let placement = author.placement(within, &frame)?;
    let body = form::write(author, &new.form)?;
    for (item, own) in &body.items {
        if let Some(colour) = new.colour.or(*own) {
            author.paint(*item, colour)?;
        }
    }
    let items: Vec<Id> = body.items.iter().map(|(item, _)| *item).collect();
    let representation = author.representation("Body", body.kind, &items)?;
    let shape = author.shape(&[representation])?;
    let mut attributes = vec![("ObjectPlacement", Value::Ref(placement)), ("Representation", shape.into())];
    for (attribute, item) in &new.class.words {
        attributes.push((*attribute, word(item)));
    }
    if let Some(text) = &new.class.object_type {
        attributes.push(("ObjectType", text.as_str().into()));
    }
    let element = author.root(new.class.name, Some(&text), &attributes)?;
    author.contain(new.storey, element)?;
    if let Some(material) = &new.material {
        let material = name("material", material)?;
        let material = author.material(&material)?;
        author.make_of(material, element)?;
    }
    quantify(author, element)?;
    Ok(element)
}

/// The volume in m³, where the body is closed, and the box in metres of an element.
fn measured(author: &Author, element: Id) -> Result<(Option<f64>, DVec3), Fault> {
    let shaper = Shaper::plain(author.edit);
    let none = |why: String| {
        Fault::invalid(
            "shape",
            format!("This shape has no body: {why}. Give one that does not cross itself."),
        )
    };
    let shape = shaper.element(element).map_err(|error| none(error.to_string()))?;
    let size = shape.bounds().size();
    match geometry::measured(&shaper, element) {
        Ok(found) if found.surface > 0.0 => Ok((Some(found.volume.abs()), size)),
        Err(NoMeasure::Open { .. }) => Ok((None, size)),
        Ok(_) => Err(none("it has no surface".to_owned())),
        Err(NoMeasure::Shape(error) | NoMeasure::Box(error)) => Err(none(error.to_string())),
    }
}

fn quantify(author: &mut Author, element: Id) -> Result<(), Fault> {
    let (volume, _) = measured(author, element)?;
    let Some(set) = set_with_volumes(author.edit, element) else { return Ok(()) };
    let Some(volume) = volume.map(|volume| Quantity::Volume(volume * 1e9)) else { return Ok(()) };
    author.quantify(element, set, &[("GrossVolume", volume), ("NetVolume", volume)])?;
    // what has sides is measured by them
    crate::measured::requantify(author, element)
}

/// An element as it stands.
pub fn answer(author: &Author, element: Id) -> Result<ElementAnswer, Fault> {
    let (volume, size) = measured(author, element)?;
    let round = |v: f64| (v * 1e9).round() / 1e9;
    let items =
        crate::solids::representation(author.edit, element, "Body").map(|body| body.references("Items"));
    let first = items.and_then(|items| items.first().copied()).and_then(|item| author.edit.get(item));
    let set = set_with_volumes(author.edit, element).unwrap_or_default();
    Ok(ElementAnswer {
        element_id: guid(author.edit, element),
        class: author.edit.get(element).map(|e| e.class_name().to_owned()).unwrap_or_default(),
        name: label(author.edit, element),
        level: level_of(author, element).map(|(storey, _)| label(author.edit, storey)),
        position: above_storey(author, element, author.frame(element)?.translation).to_array(),
        size: (size * 1000.0).to_array().map(crate::measures::mm),
        representation: first.map(|item| item.class_name().to_owned()).unwrap_or_default(),
        volume: volume.map(round),
        quantities: read(author.edit, element, set),
    })
}
