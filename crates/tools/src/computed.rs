//! Values that no attribute holds, computed from shapes and materials in mm, m², m³ and degrees, each with the ground that it stands on.

use crate::georeference::{clockwise_from_y, true_north};
use geometry::facing::{Facing, facing};
use geometry::parameters::{self, By, Parameters};
use geometry::query::Index;
use geometry::{Shaper, quantity};
use ifc::relations::Links;
use ifc::selector::Datum;
use ifc::{Id, Model, Units};

/// A value that no attribute holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Computed {
    /// The volume of the body less its openings.
    Volume,
    /// The area that the class is known by: of a wall's side, a room's floor, a slab's face, a door or window.
    Area,
    /// The whole surface of the body.
    Surface,
    /// The thickness of walls and slabs.
    Thickness,
    /// The cross section of what is extruded.
    Profile,
    /// Materials with their thicknesses.
    Layers,
    /// The compass direction in which the outer side looks.
    Facing,
    /// The same in degrees clockwise from true north.
    Bearing,
}

impl Computed {
    /// Every computed field by its name.
    pub const ALL: [(&'static str, Self); 8] = [
        ("volume", Self::Volume),
        ("area", Self::Area),
        ("surface", Self::Surface),
        ("thickness", Self::Thickness),
        ("profile", Self::Profile),
        ("layers", Self::Layers),
        ("facing", Self::Facing),
        ("bearing", Self::Bearing),
    ];

    /// The field of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|(known, _)| *known == name).map(|(_, field)| field)
    }

    /// The unit of its numbers.
    pub(crate) fn unit(self) -> Option<&'static str> {
        match self {
            Self::Volume => Some("m³"),
            Self::Area | Self::Surface => Some("m²"),
            Self::Thickness | Self::Profile | Self::Layers => Some("mm"),
            Self::Bearing => Some("°"),
            Self::Facing => None,
        }
    }

    /// Its name.
    pub(crate) fn name(self) -> &'static str {
        Self::ALL.into_iter().find(|(_, field)| *field == self).map_or("", |(name, _)| name)
    }
}

/// The eight directions, clockwise from north.
const COMPASS: [&str; 8] =
    ["north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west"];

/// The eighth of the compass that a level direction looks in; `north` is true north in degrees clockwise from +y.
pub(crate) fn compass(x: f64, y: f64, north: f64) -> &'static str {
    let angle = (clockwise_from_y(x, y) - north).rem_euclid(360.0);
    let tidy = (angle * 1e4).round() / 1e4 % 360.0;
    let at = ((tidy / 45.0).round() as usize) % COMPASS.len();
    COMPASS.get(at).copied().unwrap_or_default()
}

/// A value with the ground that it stands on, or nothing with the reason.
pub(crate) type Grounded = (Datum, Option<String>);

/// Says which way north is.
pub(crate) fn north_words(model: &Model) -> String {
    match true_north(model) {
        Some(angle) => format!("true north {angle}° clockwise from +y"),
        None => "no true north given, +y taken for it".to_owned(),
    }
}

fn rounded(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}

/// A number to a millionth.
pub(crate) fn real(value: f64) -> Datum {
    Datum::Real(rounded(value))
}

/// A length in metres in mm.
fn mm(metres: f64) -> Datum {
    real(metres * 1000.0)
}

/// The value of an element, and the ground that it stands on.
pub(crate) fn compute(
    model: &Model,
    shaper: &Shaper<'_>,
    index: Option<&Index>,
    field: Computed,
    id: Id,
    depth: usize,
) -> Grounded {
    match field {
        Computed::Volume | Computed::Surface => measure(model, shaper, field, id, depth),
        Computed::Area => area(model, shaper, id),
        Computed::Thickness => thickness(model, shaper, id),
        Computed::Profile => profile(model, shaper, id),
        Computed::Layers => layers(model, id),
        Computed::Facing | Computed::Bearing => bearing(model, shaper, index, field, id),
    }
}

fn measure(model: &Model, shaper: &Shaper<'_>, field: Computed, id: Id, depth: usize) -> Grounded {
    match geometry::measured(shaper, id) {
        Ok(found) => {
            let value = if field == Computed::Volume { found.volume } else { found.surface };
            (real(value), Some(found.basis.as_str().to_owned()))
        }
        Err(geometry::NoMeasure::Shape(why)) => {
            // what has no body of its own is the sum of its parts
            let parts = if depth < 8 { ifc::relations::children(model, id) } else { Vec::new() };
            let is_element = |id: &Id| model.get(*id).is_some_and(|part| part.is_a("IfcElement"));
            let of_parts = parts.into_iter().filter(is_element);
            let sums: Vec<f64> = of_parts
                .filter_map(|part| compute(model, shaper, None, field, part, depth + 1).0.as_f64())
                .collect();
            if sums.is_empty() {
                return (Datum::Null, Some(why.reason));
            }
            (real(sums.iter().sum()), Some("the sum of the parts".to_owned()))
        }
        Err(geometry::NoMeasure::Open { .. }) => {
            (Datum::Null, Some("open mesh, which encloses nothing".to_owned()))
        }
        Err(geometry::NoMeasure::Box(_)) => (Datum::Null, Some("only a box stands for the shape".to_owned())),
    }
}

/// The quantity that is meant by a class's area.
fn area(model: &Model, shaper: &Shaper<'_>, id: Id) -> Grounded {
    let Some(product) = model.get(id) else { return (Datum::Null, None) };
    let names = [
        ("IfcWall", "NetSideArea", "sides of walls, openings taken out (NetSideArea)"),
        ("IfcSlab", "NetArea", "faces of slabs, openings taken out (NetArea)"),
        ("IfcSpace", "GrossFloorArea", "floors of rooms (GrossFloorArea)"),
        ("IfcDoor", "Area", "doors by width and height (Area)"),
        ("IfcWindow", "Area", "windows by width and height (Area)"),
        ("IfcOpeningElement", "Area", "openings (Area)"),
        ("IfcColumn", "CrossSectionArea", "cross sections of columns (CrossSectionArea)"),
        ("IfcBeam", "CrossSectionArea", "cross sections of beams (CrossSectionArea)"),
    ];
    let Some((_, name, ground)) = names.into_iter().find(|(class, _, _)| product.is_a(class)) else {
        return (
            Datum::Null,
            Some(format!("of {}, whose area is not settled: ask surface", product.class_name())),
        );
    };
    // a profile with arcs is round, its drawn body has chords
    if name == "CrossSectionArea"
        && let Ok(found) = parameters::profile_of(shaper, &product)
    {
        return (real(found.area), Some(ground.to_owned()));
    }
    match quantity::base_quantities(shaper, id) {
        Ok(Some(found)) => match found.get(name) {
            Some(value) => (real(value), Some(ground.to_owned())),
            None => (Datum::Null, Some(format!("have no {name} that could be measured"))),
        },
        Ok(None) => (Datum::Null, None),
        Err(why) => (Datum::Null, Some(why.reason)),
    }
}

fn thickness(model: &Model, shaper: &Shaper<'_>, id: Id) -> Grounded {
    let said = |by: Option<By>| match by {
        Some(By::MaterialLayers) => "by the material layers",
        Some(By::Profile) => "by the profile",
        _ => "by the extrusion",
    };
    let answer = match parameters::read(shaper, id) {
        Ok(Some(Parameters::Wall(wall))) => Some(wall.thickness),
        Ok(Some(Parameters::Slab(slab))) => Some(slab.thickness),
        _ => None,
    };
    if let Some(answer) = answer {
        if let Some(value) = answer.value() {
            return (mm(*value), Some(said(answer.by()).to_owned()));
        }
        if let Ok(Some(found)) = quantity::base_quantities(shaper, id)
            && let Some(width) = found.get("Width")
        {
            return (mm(width), Some("by the extent across the body".to_owned()));
        }
    }
    let units = Units::from_model(model);
    let composition = Links::of_one(model).composition_of(id);
    let total: f64 = composition.iter().flat_map(|made| &made.parts).filter_map(|part| part.thickness).sum();
    if total > 0.0 {
        return (real(units.to_mm(total)), Some("by the material layers".to_owned()));
    }
    (Datum::Null, None)
}

fn profile(model: &Model, shaper: &Shaper<'_>, id: Id) -> Grounded {
    let Some(product) = model.get(id) else { return (Datum::Null, None) };
    let found = parameters::profile_of(shaper, &product);
    if let Ok(found) = found {
        let text = |text: &str| Datum::Text(text.to_owned());
        let mut members = vec![("class".to_owned(), text(&found.class))];
        if !found.name.is_empty() {
            members.push(("name".to_owned(), text(&found.name)));
        }
        members.extend(found.dimensions.iter().map(|(name, value)| (name.clone(), mm(*value))));
        return (Datum::Record(members), Some("by the body's own profile".to_owned()));
    }
    let of_material = Links::of_one(model).profiles_of(id);
    let reader = &shaper.reader;
    if let Some(found) = of_material.first().and_then(|id| parameters::profile_at(reader, *id).ok()) {
        let text = |text: &str| Datum::Text(text.to_owned());
        let mut members =
            vec![("class".to_owned(), text(&found.class)), ("name".to_owned(), text(&found.name))];
        members.extend(found.dimensions.iter().map(|(name, value)| (name.clone(), mm(*value))));
        return (Datum::Record(members), Some("by the profile of the material or body".to_owned()));
    }
    (Datum::Null, Some("whose body is no single extrusion".to_owned()))
}

fn layers(model: &Model, id: Id) -> Grounded {
    let units = Units::from_model(model);
    let Some(made) = Links::of_one(model).composition_of(id) else {
        return (Datum::Null, Some("without a material".to_owned()));
    };
    let layer = |part: &ifc::relations::Part| {
        let thickness = part.thickness?;
        let material = part.material.map_or(Datum::Null, Datum::Entity);
        Some(Datum::Record(vec![
            ("material".to_owned(), material),
            ("thickness".to_owned(), real(units.to_mm(thickness))),
        ]))
    };
    let found: Vec<Datum> = made.parts.iter().filter_map(layer).collect();
    if found.is_empty() {
        return (Datum::Null, Some("whose material has no layers".to_owned()));
    }
    (
        Datum::List(found),
        Some(if made.inherited { "by the type's material" } else { "by the element's material" }.to_owned()),
    )
}

fn bearing(model: &Model, shaper: &Shaper<'_>, index: Option<&Index>, field: Computed, id: Id) -> Grounded {
    let Some(index) = index else {
        return (Datum::Null, Some("whose surroundings could not be made".to_owned()));
    };
    let out = match facing(shaper, index, id) {
        Ok(Facing::Out(out)) => out,
        Ok(Facing::Within) => return (Datum::Null, Some("inside the building".to_owned())),
        Ok(Facing::Free) => return (Datum::Null, Some("with both sides free".to_owned())),
        Ok(Facing::NoSides) => return (Datum::Null, Some("without two upright sides".to_owned())),
        Err(why) => return (Datum::Null, Some(why.reason)),
    };
    let north = true_north(model).unwrap_or(0.0);
    let angle = (clockwise_from_y(out.x, out.y) - north).rem_euclid(360.0);
    let tidy = (angle * 1e4).round() / 1e4 % 360.0;
    let ground =
        "by the side without a room or, where none is modelled, without a building before it".to_owned();
    let value = if field == Computed::Bearing {
        Datum::Real(tidy)
    } else {
        Datum::Text(compass(out.x, out.y, north).to_owned())
    };
    (value, Some(ground))
}
