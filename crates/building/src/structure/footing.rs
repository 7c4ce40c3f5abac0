//! Footings and piles: pads under columns and at places, strips under walls, round and square piles. Their quantities are those of
//! their shape.

use super::profile::CrossSection;
use super::sections::Section;
use crate::author::{Author, boolean, word};
use crate::frame::Frame;
use crate::host::Wall;
use crate::lookup::{free_name, guid, label, predefined_type};
use crate::measures::{mm, name, positive};
use crate::quantities::{Quantities, Quantity, read};
use crate::quantity_sets;
use crate::storey::{above_storey, level_of};
use contract::Fault;
use glam::{DVec2, DVec3};
use ifc::{Id, Value};
use schemars::JsonSchema;
use serde::Serialize;

/// The kind of foundation: its class, its PredefinedType, and the words for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kind {
    /// The class of the element.
    pub class: &'static str,
    /// PredefinedType.
    pub predefined: &'static str,
    /// The word its names begin with.
    pub word: &'static str,
}

/// A foundation asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct NewFoundation {
    /// The storey that holds it.
    pub storey: Id,
    /// Its kind.
    pub kind: Kind,
    /// The middle of its top, in the world, in mm.
    pub top: DVec3,
    /// The direction of its x in plan.
    pub along: DVec2,
    /// Its section seen from above.
    pub section: Section,
    /// Its height, downward from the top, in mm.
    pub height: f64,
    /// Material.
    pub material: String,
    /// Name.
    pub name: Option<String>,
}

/// A footing or pile as it stands in the model.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct FoundationAnswer {
    /// GlobalId.
    pub id: String,
    /// Name.
    pub name: String,
    /// PredefinedType.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub predefined_type: Option<String>,
    /// Name of its storey.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub level: Option<String>,
    /// The middle of its top: world x and y, z above the storey, in mm.
    pub top: [f64; 3],
    /// Height, or a pile's length, in mm.
    pub height: f64,
    /// Base quantities as stored, in the file's units.
    pub quantities: Quantities,
}

/// Footings or piles that were made together.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct FoundationsAnswer {
    /// How many were made.
    pub count: usize,
    /// Each of them.
    pub elements: Vec<FoundationAnswer>,
}

/// The kinds of footings that a schema has, by the words of its enumeration.
pub fn kinds(author: &Author, class: &str) -> Vec<&'static str> {
    let all = crate::lookup::enumeration(author.edit, class, "PredefinedType");
    all.into_iter().filter(|item| !matches!(*item, "USERDEFINED" | "NOTDEFINED")).collect()
}

/// The kind of a footing or pile by a word such as `pad`, `strip`, `bored` or CAISSON_FOUNDATION.
pub fn kind(author: &Author, field: &str, class: &'static str, text: &str) -> Result<Kind, Fault> {
    let known = kinds(author, class);
    let plain = text.trim().to_uppercase().replace([' ', '-'], "_");
    let found = known.iter().find(|item| {
        **item == plain
            || item.strip_suffix("_FOOTING") == Some(&plain)
            || item.strip_suffix("_FOUNDATION") == Some(&plain)
    });
    let Some(predefined) = found else {
        let schema = author.schema().as_str();
        return Err(Fault::invalid(
            field,
            format!("`{field}`: {schema} has no {class} of the kind {text}; it has {}.", known.join(", ")),
        )
        .with("allowed", known));
    };
    Ok(Kind { class, predefined, word: if class == "IfcPile" { "Pile" } else { "Footing" } })
}

/// Makes a footing or pile.
pub fn create(author: &mut Author, new: &NewFoundation) -> Result<Id, Fault> {
    positive(if new.kind.class == "IfcPile" { "length" } else { "thickness" }, new.height)?;
    let storey = author.frame(new.storey)?;
    let within = author.placement_of(new.storey);
    let frame = Frame::in_plan(new.top, new.along);
    let placement = author.placement(within, &frame.seen_from(&storey))?;
    let profile = author.section_profile(&new.section)?;
    let cross = CrossSection::measure(author.edit, profile)
        .ok_or_else(|| Fault::invalid("profile", "The section encloses no area."))?;
    let position = author.axes(&Frame::at([0.0, 0.0, -new.height]))?;
    let up = Value::list([0.0, 0.0, 1.0].map(Value::Real));
    let up = author.create("IfcDirection", &[("DirectionRatios", up)])?;
    let depth = author.real(new.height);
    let solid = author.create(
        "IfcExtrudedAreaSolid",
        &[
            ("SweptArea", profile.into()),
            ("Position", position.into()),
            ("ExtrudedDirection", up.into()),
            ("Depth", depth),
        ],
    )?;
    let body = author.body(&[solid])?;
    let shape = author.shape(&[body])?;
    let text = match &new.name {
        Some(text) => name("name", text)?,
        None => free_name(author.edit, new.kind.class, new.kind.word),
    };
    let mut attributes = vec![("ObjectPlacement", Value::Ref(placement)), ("Representation", shape.into())];
    let type_class = format!("{}Type", new.kind.class);
    let typed = author.edit.schema().entity(&type_class).is_some();
    if !typed {
        attributes.push(("PredefinedType", word(new.kind.predefined)));
    }
    let made = author.root(new.kind.class, Some(&text), &attributes)?;
    author.contain(new.storey, made)?;
    let material = author.material(&new.material)?;
    if typed {
        let mut title = format!("{} {} x {}", new.kind.word, new.section.title(), mm(new.height));
        if new.material != new.section.material() {
            title = format!("{title}, {}", new.material);
        }
        let kind = author.kind(&type_class, &title, &[("PredefinedType", word(new.kind.predefined))])?;
        if author.edit.referrers_of(kind, "IfcRelAssociatesMaterial").is_empty() {
            author.make_of(material, kind)?;
        }
        author.type_as(kind, made)?;
    }
    author.make_of(material, made)?;
    // IFC2X3 has no common properties of piles
    let properties = if new.kind.class == "IfcPile" { "Pset_PileCommon" } else { "Pset_FootingCommon" };
    if !author.legacy() {
        author.describe(made, properties, &[("LoadBearing", boolean(true))])?;
    }
    quantify(author, made, &new.kind, &cross, new.height)?;
    Ok(made)
}

fn quantify(
    author: &mut Author,
    id: Id,
    kind: &Kind,
    cross: &CrossSection,
    height: f64,
) -> Result<(), Fault> {
    let size = cross.high - cross.low;
    let sides = cross.round * height;
    let surface = ("GrossSurfaceArea", Quantity::Area(sides + 2.0 * cross.area));
    let volume = cross.area * height;
    let mut all = if kind.class == "IfcPile" {
        vec![("Length", Quantity::Length(height)), ("CrossSectionArea", Quantity::Area(cross.area))]
    } else {
        vec![
            ("Length", Quantity::Length(size.max_element())),
            ("Width", Quantity::Length(size.min_element())),
            ("Height", Quantity::Length(height)),
        ]
    };
    all.extend([
        ("OuterSurfaceArea", Quantity::Area(sides)),
        surface,
        ("GrossVolume", Quantity::Volume(volume)),
        ("NetVolume", Quantity::Volume(volume)),
    ]);
    author.quantify(id, set_of(kind.class), &all)
}

fn set_of(class: &str) -> &'static str {
    if class == "IfcPile" { quantity_sets::PILE } else { quantity_sets::FOOTING }
}

/// A strip below a wall: the middle of its top, its direction, and its length and width; it runs beyond the wall's ends as far as
/// beyond its faces.
pub fn strip(wall: &Wall, width: f64) -> Result<(DVec3, DVec2, Section), Fault> {
    let thickness = wall.thickness();
    if width < thickness {
        return Err(Fault::invalid(
            "width",
            format!(
                "`width` is {width} mm, less than the wall's {} mm; a strip is at least as wide.",
                mm(thickness)
            ),
        )
        .with("least", mm(thickness)));
    }
    let beyond = (width - thickness) / 2.0;
    let (from, to) = wall.reach();
    let middle = DVec3::new(f64::midpoint(from, to), f64::midpoint(wall.faces.0, wall.faces.1), 0.0);
    let top = wall.frame.transform_point3(middle);
    let section = Section::Rectangle { width: to - from + 2.0 * beyond, depth: width };
    Ok((top, wall.frame.x_axis.truncate(), section))
}

/// Footings or piles as they stand.
pub fn answer(author: &Author, ids: &[Id]) -> Result<FoundationsAnswer, Fault> {
    let elements = ids
        .iter()
        .map(|id| {
            let class = author.edit.get(*id).map(|e| e.class_name().to_owned()).unwrap_or_default();
            let quantities = read(author.edit, *id, set_of(&class));
            let height = ["Height", "Length"]
                .into_iter()
                .find(|n| quantities.contains_key(*n) && (class == "IfcPile" || *n == "Height"));
            let height =
                height.and_then(|n| quantities.get(n)).map_or(0.0, |q| author.units().to_mm(q.value));
            Ok(FoundationAnswer {
                id: guid(author.edit, *id),
                name: label(author.edit, *id),
                predefined_type: predefined_type(author.edit, *id),
                level: level_of(author, *id).map(|(storey, _)| label(author.edit, storey)),
                top: above_storey(author, *id, author.frame(*id)?.translation).to_array(),
                height: mm(height),
                quantities,
            })
        })
        .collect::<Result<Vec<_>, Fault>>()?;
    Ok(FoundationsAnswer { count: elements.len(), elements })
}
