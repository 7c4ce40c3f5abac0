//! The materials of elements: plain materials, lists, and sets of layers, profiles or constituents, with how a usage
//! lays a set along an element (IfcRelAssociatesMaterial, IfcMaterialResource, ISO 16739-1:2018, 8.10). An element
//! without a material of its own has its type's. Lengths are in the file's unit.

use super::{End, Links};
use crate::{Id, Instance, Model, Value};

/// An element with materials.
pub const MADE_OF: End = End { class: "IfcRelAssociatesMaterial", attribute: "RelatedObjects" };

/// The material composition of an element, in full.
#[derive(Debug, Clone, PartialEq)]
pub struct Composition {
    /// The material, list or set; that of a usage is its set.
    pub material: Id,
    /// The usage, if the element has one.
    pub usage: Option<Usage>,
    /// True if it is the type's.
    pub inherited: bool,
    /// Layers, profiles, constituents, entries of the list, or the one material.
    pub parts: Vec<Part>,
}

/// One layer, profile, constituent, entry of a list, or plain material.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Part {
    /// The layer, profile or constituent; for the others the material.
    pub id: Option<Id>,
    /// The plain material; none for an air gap.
    pub material: Option<Id>,
    /// The name of the part.
    pub name: Option<String>,
    /// `LoadBearing`, `Insulation`, …
    pub category: Option<String>,
    /// Thickness of a layer.
    pub thickness: Option<f64>,
    /// The layer is an air gap: true, false, or not known.
    pub ventilated: Option<bool>,
    /// The priority of a layer or profile where two meet: the higher number cuts the other.
    pub priority: Option<i64>,
    /// The cross section of a profile.
    pub profile: Option<Id>,
    /// The share of a constituent in the whole.
    pub fraction: Option<f64>,
    /// Offsets of a layer's edges or a profile's ends (IfcMaterialLayerWithOffsets, IfcMaterialProfileWithOffsets).
    pub offsets: Vec<f64>,
}

/// The position of a set along an element.
#[derive(Debug, Clone, PartialEq)]
pub struct Usage {
    /// `IfcMaterialLayerSetUsage`, `IfcMaterialProfileSetUsage` or a subtype.
    pub id: Id,
    /// The axis across the layers: `AXIS1`, `AXIS2`, `AXIS3`.
    pub direction: Option<String>,
    /// `POSITIVE` or `NEGATIVE` along that axis.
    pub sense: Option<String>,
    /// From the element's reference line to the first layer.
    pub offset: Option<f64>,
    /// The extent of the element in the third direction.
    pub extent: Option<f64>,
    /// The point of the profile on the reference line: 1 (bottom left) to 9 (top right), 10 centroid, …
    pub cardinal_point: Option<i64>,
}

impl Links<'_> {
    /// The material, set, list or usage that the file associates with an element, its type left out.
    pub fn own_material(&self, element: Id) -> Option<Id> {
        self.first_across(element, MADE_OF, "RelatingMaterial")
    }

    /// The material, set or list associated with an element or, failing that, with its type; a usage stands for its
    /// set.
    pub fn material_of(&self, element: Id) -> Option<Id> {
        let own = |id| Some(set_of_usage(self.model(), self.own_material(id)?));
        own(element).or_else(|| self.type_of(element).filter(|of| *of != element).and_then(own))
    }

    /// The plain materials of an element, one a layer, profile, constituent or list entry, in order; a layer without
    /// a material is left out.
    pub fn materials_of(&self, element: Id) -> Vec<Id> {
        self.material_of(element).map(|material| materials_in(self.model(), material)).unwrap_or_default()
    }

    /// The material composition of an element, with thicknesses, offsets and shares.
    pub fn composition_of(&self, element: Id) -> Option<Composition> {
        let model = self.model();
        let own = self.own_material(element);
        let of_type = || self.own_material(self.type_of(element).filter(|of| *of != element)?);
        let (said, inherited) = match own {
            Some(own) => (own, false),
            None => (of_type()?, true),
        };
        let material = set_of_usage(model, said);
        let usage = model.get(said).filter(|_| said != material).map(|usage| Usage {
            id: said,
            direction: usage.enumeration("LayerSetDirection"),
            sense: usage.enumeration("DirectionSense"),
            offset: usage.number("OffsetFromReferenceLine"),
            extent: usage.number("ReferenceExtent"),
            cardinal_point: usage.attr("CardinalPoint").as_i64(),
        });
        Some(Composition { material, usage, inherited, parts: parts(model, material) })
    }
}

fn set_of_usage(model: &Model, material: Id) -> Id {
    let instance = model.get(material);
    instance
        .and_then(|usage| usage.reference("ForLayerSet").or_else(|| usage.reference("ForProfileSet")))
        .unwrap_or(material)
}

/// The members of a set by their own instances, in order.
fn members(set: &Instance<'_>) -> Vec<Id> {
    ["MaterialLayers", "MaterialProfiles", "MaterialConstituents"]
        .into_iter()
        .map(|name| set.references(name))
        .find(|members| !members.is_empty())
        .unwrap_or_default()
}

fn parts(model: &Model, material: Id) -> Vec<Part> {
    let Some(instance) = model.get(material) else { return Vec::new() };
    let plain = |id: Id| Part { id: Some(id), material: Some(id), ..Part::default() };
    match instance.class_name() {
        "IfcMaterial" => vec![plain(material)],
        "IfcMaterialList" => instance.references("Materials").into_iter().map(plain).collect(),
        "IfcMaterialLayerSet" | "IfcMaterialProfileSet" | "IfcMaterialConstituentSet" => {
            members(&instance).into_iter().filter_map(|id| part(model, id)).collect()
        }
        _ => part(model, material).into_iter().collect(),
    }
}

/// A layer, profile or constituent.
fn part(model: &Model, id: Id) -> Option<Part> {
    let instance = model.get(id)?;
    let offsets = instance.attr("OffsetValues");
    Some(Part {
        id: Some(id),
        material: instance.reference("Material"),
        name: instance.text("Name"),
        category: instance.text("Category"),
        thickness: instance.number("LayerThickness"),
        ventilated: instance.attr("IsVentilated").as_bool(),
        priority: instance.attr("Priority").as_f64().map(|priority| priority as i64),
        profile: instance.reference("Profile"),
        fraction: instance.number("Fraction"),
        offsets: offsets.as_list().unwrap_or_default().iter().filter_map(Value::as_f64).collect(),
    })
}

/// The plain materials that a material, layer set, profile set, constituent set, usage or list comes down to.
pub fn materials_in(model: &Model, material: Id) -> Vec<Id> {
    parts(model, set_of_usage(model, material)).into_iter().filter_map(|part| part.material).collect()
}
