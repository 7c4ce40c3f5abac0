//! Base quantities measured on the shape, by the rules of the Qto_*BaseQuantities templates (ISO 16739-1:2018, property and
//! quantity sets): walls, slabs, spaces, doors, windows, openings, columns and beams.
//!
//! Gross quantities are taken of the body as the representation says (clippings included, openings not), net ones of the body
//! less its openings. What a template wants only for constant thickness or height is left out where it is not constant.
//! Every value says how it was found. Nothing is written here, and weights are not computed.

mod filling;
mod member;
mod plate;
mod shape;
mod space;
#[cfg(test)]
mod tests;

use crate::{bodies::Bodies, item::Shaper, read::ShapeError};
use ifc::{Id, Model, psets};

/// The dimension of a quantity, and so its unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    /// In metres.
    Length,
    /// In square metres.
    Area,
    /// In cubic metres.
    Volume,
}

impl Measure {
    /// The label of its unit.
    pub fn unit(self) -> &'static str {
        match self {
            Self::Length => "m",
            Self::Area => "m²",
            Self::Volume => "m³",
        }
    }
}

/// The source of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found {
    /// The greatest extent of the body along a direction that its faces give.
    Extent,
    /// The cut of the body by the plane midway between its two main faces, or midway along its axis.
    MiddlePlane,
    /// The body seen from below.
    GroundView,
    /// The faces of one kind added up.
    Faces,
    /// The volume that the faces enclose.
    Enclosed,
    /// The volume that an opening takes out of its host.
    TakenOut,
    /// Length and width of a strip with the perimeter and area of the footprint, for walls that are not straight.
    Strip,
    /// An attribute of the element, such as OverallWidth.
    Attribute,
    /// The opening that it fills.
    FilledOpening,
    /// The gross value: nothing that stands inside was taken off.
    AsGross,
}

/// One quantity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Quantity {
    /// Its name in the set.
    pub name: &'static str,
    /// Its dimension.
    pub measure: Measure,
    /// In m, m² or m³.
    pub value: f64,
    /// The source of the value.
    pub found: Found,
}

/// The quantities of one element.
#[derive(Debug, Clone, PartialEq)]
pub struct Quantities {
    /// The element.
    pub element: Id,
    /// The set that they belong to: `Qto_WallBaseQuantities`.
    pub set: &'static str,
    /// In the order of the template.
    pub values: Vec<Quantity>,
    /// The parts of the shape that are missing or simplified, so that values may be wrong.
    pub notes: Vec<ShapeError>,
}

impl Quantities {
    /// The value of this name in m, m² or m³.
    pub fn get(&self, name: &str) -> Option<f64> {
        self.values.iter().find(|q| q.name == name).map(|q| q.value)
    }
}

/// A list of values being filled; what is not finite or below nought is left out.
#[derive(Default)]
struct List(Vec<Quantity>);

impl List {
    fn add(&mut self, measure: Measure, name: &'static str, value: f64, found: Found) {
        if value.is_finite() && value >= 0.0 {
            self.0.push(Quantity { name, measure, value, found });
        }
    }

    fn length(&mut self, name: &'static str, value: f64, found: Found) {
        self.add(Measure::Length, name, value, found);
    }

    fn area(&mut self, name: &'static str, value: f64, found: Found) {
        self.add(Measure::Area, name, value, found);
    }

    fn volume(&mut self, name: &'static str, value: f64, found: Found) {
        self.add(Measure::Volume, name, value, found);
    }
}

/// The level direction across a wall or another upright element, by its layers where it has faces along them, else by most of its
/// upright area. `None` where no direction has more than its share, as in round walls.
pub(crate) fn across(
    shaper: &Shaper<'_>,
    product: &ifc::Instance<'_>,
    gross: &Bodies,
) -> Option<glam::DVec3> {
    let layered = if product.is_a("IfcWall") { shaper.layered_across(product) } else { None };
    plate::across(layered, gross)
}

/// The base quantities of an element, or `None` where its class has no set here. An error where it has no body to measure, or
/// one that does not enclose a volume.
pub fn base_quantities(shaper: &Shaper<'_>, element: Id) -> Result<Option<Quantities>, ShapeError> {
    let product = shaper.reader.get(element)?;
    let mut list = List::default();
    let set = if product.is_a("IfcDoor") || product.is_a("IfcWindow") {
        filling::door_or_window(shaper, &product, &mut list)?;
        let set = if product.is_a("IfcDoor") { "Qto_DoorBaseQuantities" } else { "Qto_WindowBaseQuantities" };
        return Ok(Some(Quantities { element, set, values: list.0, notes: Vec::new() }));
    } else if product.is_a("IfcWall") {
        "Qto_WallBaseQuantities"
    } else if product.is_a("IfcSlab") {
        "Qto_SlabBaseQuantities"
    } else if product.is_a("IfcSpace") {
        "Qto_SpaceBaseQuantities"
    } else if product.is_a("IfcOpeningElement") {
        "Qto_OpeningElementBaseQuantities"
    } else if product.is_a("IfcColumn") {
        "Qto_ColumnBaseQuantities"
    } else if product.is_a("IfcBeam") {
        "Qto_BeamBaseQuantities"
    } else {
        return Ok(None);
    };
    let gross = sound(element, shaper.gross_bodies(element)?)?;
    let mut notes = gross.notes.clone();
    match set {
        "Qto_SpaceBaseQuantities" => space::space(&gross, &mut list),
        "Qto_OpeningElementBaseQuantities" => filling::opening(shaper, &product, &gross, &mut list),
        _ => {
            let net = sound(element, shaper.net_bodies(element)?)?;
            notes.clone_from(&net.notes);
            match set {
                "Qto_WallBaseQuantities" => {
                    plate::wall(shaper.layered_across(&product), &gross, &net, &mut list);
                }
                "Qto_SlabBaseQuantities" => plate::slab(&gross, &net, &mut list),
                _ => {
                    let is_column = product.is_a("IfcColumn");
                    member::member(shaper.axis_of(&gross), is_column, &gross, &net, &mut list);
                }
            }
        }
    }
    Ok(Some(Quantities { element, set, values: list.0, notes }))
}

fn sound(element: Id, bodies: Bodies) -> Result<Bodies, ShapeError> {
    if bodies.are_sound() {
        return Ok(bodies);
    }
    let first = bodies.notes.into_iter().next();
    Err(first.unwrap_or_else(|| ShapeError::new(element, "does not enclose a volume")))
}

/// A quantity beside what the file says.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Compared {
    /// The quantity that was measured.
    pub measured: Quantity,
    /// The value that the file states, in m, m² or m³.
    pub stored: f64,
}

impl Compared {
    /// The difference of the two, as a share of the stored value.
    pub fn deviation(&self) -> f64 {
        (self.measured.value - self.stored).abs() / self.stored.abs().max(1e-9)
    }
}

/// The measured quantities that the file also states, in the template's set or in one called `BaseQuantities`, as files of
/// IFC2X3 have it.
pub fn compare(model: &Model, quantities: &Quantities) -> Vec<Compared> {
    let units = ifc::units::Units::from_model(model);
    let stored = |name: &str| {
        [quantities.set, "BaseQuantities"].iter().find_map(|set| {
            psets::find(model, quantities.element, set, name)?.in_si(model, &units).filter(|v| v.is_finite())
        })
    };
    let one = |q: &Quantity| Some(Compared { measured: *q, stored: stored(q.name)? });
    quantities.values.iter().filter_map(one).collect()
}
