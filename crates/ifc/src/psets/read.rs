//! Reading the instances behind property sets.

use super::{Detail, Property, PropertySet};
use crate::relations::{DEFINED, End, Links};
use crate::{Id, Instance, Model, SchemaVersion, Value};

/// The relation from a material to its properties, IFC4 and later.
const OF_MATERIAL: End = End { class: "IfcMaterialProperties", attribute: "Material" };
/// The relation from a profile to its properties, IFC4 and later.
const OF_PROFILE: End = End { class: "IfcProfileProperties", attribute: "ProfileDefinition" };
/// The relation from a material to its properties, IFC2X3.
const OF_MATERIAL_2X3: End = End { class: "IfcExtendedMaterialProperties", attribute: "Material" };

/// The instances of an element's own sets, and of those of its type.
pub fn definitions_of(links: &Links<'_>, element: Id) -> (Vec<Id>, Vec<Id>) {
    (definitions(links, element), inherited(links, element))
}

/// The instances of the sets of an element's type.
pub(super) fn inherited(links: &Links<'_>, element: Id) -> Vec<Id> {
    let of_type = links.type_of(element).filter(|of_type| *of_type != element);
    let of_type = of_type.and_then(|of_type| links.model().get(of_type));
    of_type.map(|of_type| of_type.references("HasPropertySets")).unwrap_or_default()
}

/// The instances of the sets that hang on an element, type, material or profile itself.
pub fn definitions(links: &Links<'_>, element: Id) -> Vec<Id> {
    let model = links.model();
    let Some(instance) = model.get(element) else { return Vec::new() };
    if instance.is_a("IfcTypeObject") {
        return instance.references("HasPropertySets");
    }
    if instance.is_a("IfcObjectDefinition") {
        // a property definition may itself be a set of sets, IfcPropertySetDefinitionSet
        return links.across(element, DEFINED, "RelatingPropertyDefinition");
    }
    let old = model.schema().version() == SchemaVersion::Ifc2x3;
    if instance.is_a("IfcMaterialDefinition") || instance.is_a("IfcMaterial") {
        return links.relations(element, if old { OF_MATERIAL_2X3 } else { OF_MATERIAL });
    }
    if instance.is_a("IfcProfileDef") && !old {
        return links.relations(element, OF_PROFILE);
    }
    Vec::new()
}

/// The attribute in which a set lists its properties; none for predefined sets.
pub(super) fn members_attribute(set: &Instance<'_>) -> Option<&'static str> {
    Some(match set.class_name() {
        "IfcPropertySet" => "HasProperties",
        "IfcElementQuantity" => "Quantities",
        "IfcMaterialProperties" | "IfcProfileProperties" => "Properties",
        "IfcExtendedMaterialProperties" => "ExtendedProperties",
        _ => return None,
    })
}

/// A set by its instance; none if there is no such instance.
pub fn property_set(model: &Model, id: Id) -> Option<PropertySet> {
    let instance = model.get(id)?;
    let properties = match members_attribute(&instance) {
        Some(attribute) => {
            instance.references(attribute).into_iter().filter_map(|member| property(model, member)).collect()
        }
        None => attributes_as_properties(&instance),
    };
    Some(PropertySet {
        id,
        name: instance.name().unwrap_or_default(),
        class: instance.class_name().to_owned(),
        is_quantity: instance.is_a("IfcElementQuantity"),
        inherited: false,
        properties,
    })
}

/// One property of a set, the first of that name.
pub fn property_named(model: &Model, set: Id, name: &str) -> Option<Property> {
    let instance = model.get(set)?;
    match members_attribute(&instance) {
        Some(attribute) => instance
            .references(attribute)
            .into_iter()
            .find(|member| model.get(*member).is_some_and(|p| p.says("Name", name)))
            .and_then(|member| property(model, member)),
        None => attributes_as_properties(&instance).into_iter().find(|property| property.name == name),
    }
}

/// The attributes that a predefined set has beyond those of every set.
fn attributes_as_properties(instance: &Instance<'_>) -> Vec<Property> {
    let Some(entity) = instance.entity() else { return Vec::new() };
    let mut properties = Vec::new();
    for (place, attribute) in entity.attributes.iter().enumerate().skip(4) {
        let value = instance.attr_at(place);
        if !matches!(value, Value::Null | Value::Derived) {
            let detail = Detail::Attribute(attribute.declared);
            properties.push(Property {
                id: instance.id(),
                name: attribute.name.to_owned(),
                value,
                detail,
                unit: None,
            });
        }
    }
    properties
}

/// A property or quantity by its instance.
pub fn property(model: &Model, id: Id) -> Option<Property> {
    property_at(model, id, 16)
}

fn property_at(model: &Model, id: Id, depth: usize) -> Option<Property> {
    let depth = depth.checked_sub(1)?;
    let instance = model.get(id)?;
    let list = |name: &str| match instance.attr(name) {
        Value::List(members) => members,
        _ => Vec::new(),
    };
    let parts = |name: &str| {
        Detail::Complex(
            instance
                .references(name)
                .into_iter()
                .filter_map(|part| property_at(model, part, depth))
                .collect(),
        )
    };
    let members = |name: &str| match instance.attr(name) {
        Value::List(members) => Value::List(members),
        _ => Value::Null,
    };
    let (value, detail) = match instance.class_name() {
        "IfcPropertySingleValue" => (instance.attr("NominalValue"), Detail::Single),
        "IfcPropertyEnumeratedValue" => (members("EnumerationValues"), Detail::Enumerated),
        "IfcPropertyListValue" => (members("ListValues"), Detail::List),
        "IfcPropertyBoundedValue" => {
            let (lower, upper) = (instance.attr("LowerBoundValue"), instance.attr("UpperBoundValue"));
            (instance.attr("SetPointValue"), Detail::Bounded { lower, upper })
        }
        "IfcPropertyTableValue" => {
            let (defining, defined) = (list("DefiningValues"), list("DefinedValues"));
            (Value::Null, Detail::Table { defining, defined })
        }
        "IfcPropertyReferenceValue" => {
            (Value::Null, Detail::Reference(instance.reference("PropertyReference")))
        }
        "IfcComplexProperty" => (Value::Null, parts("HasProperties")),
        "IfcPhysicalComplexQuantity" => (Value::Null, parts("HasQuantities")),
        _ if instance.is_a("IfcPhysicalSimpleQuantity") => {
            let declared = instance.entity().and_then(|e| e.attributes.get(3)).map_or("", |a| a.declared);
            (instance.attr_at(3), Detail::Quantity(declared))
        }
        _ => return None,
    };
    let value = if value == Value::Derived { Value::Null } else { value };
    let name = instance.name().unwrap_or_default();
    Some(Property { id, name, value, detail, unit: instance.reference("Unit") })
}
