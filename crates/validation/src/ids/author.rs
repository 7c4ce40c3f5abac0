//! Documents written, in the order that the XML Schema of IDS 1.0 asks for.

use super::constraint::{Constraint, Restriction};
use super::document::{Cardinality, Document, EntityFacet, Facet, Requirement, Specification};
use super::structure::{IDS, XS};
use ifc::SchemaVersion;
use xml::Writer;

/// The order of facets in an applicability.
const ORDER: [&str; 6] = ["entity", "partOf", "classification", "attribute", "property", "material"];

/// The text of a document.
pub fn written(document: &Document) -> String {
    let mut writer = Writer::default();
    writer
        .open("ids")
        .attribute("xmlns", IDS)
        .attribute("xmlns:xs", XS)
        .attribute("xmlns:xsi", "http://www.w3.org/2001/XMLSchema-instance")
        .attribute("xsi:schemaLocation", &format!("{IDS} {IDS}/1.0/ids.xsd"));
    let info = &document.info;
    writer.open("info").leaf("title", &info.title);
    for (name, text) in [
        ("copyright", &info.copyright),
        ("version", &info.version),
        ("description", &info.description),
        ("author", &info.author),
        ("date", &info.date),
        ("purpose", &info.purpose),
        ("milestone", &info.milestone),
    ] {
        writer.optional(name, text.as_deref());
    }
    writer.close().open("specifications");
    for own in &document.specifications {
        specification(&mut writer, own);
    }
    writer.finish()
}

fn specification(writer: &mut Writer, own: &Specification) {
    let versions: Vec<&str> = own.versions.iter().copied().map(version_word).collect();
    writer
        .open("specification")
        .attribute("name", &own.name)
        .attribute("ifcVersion", &versions.join(" "))
        .optional_attribute("identifier", own.identifier.as_deref())
        .optional_attribute("description", own.description.as_deref())
        .optional_attribute("instructions", own.instructions.as_deref());
    let (least, most) = match own.cardinality.unwrap_or_default() {
        Cardinality::Required => ("1", "unbounded"),
        Cardinality::Optional => ("0", "unbounded"),
        Cardinality::Prohibited => ("0", "0"),
    };
    writer.open("applicability").attribute("minOccurs", least).attribute("maxOccurs", most);
    for name in ORDER {
        for own in own.applicability.iter().filter(|own| own.name() == name) {
            facet(writer, own, None);
        }
    }
    writer.close();
    if !own.requirements.is_empty() {
        writer
            .open("requirements")
            .optional_attribute("description", own.requirements_description.as_deref());
        for own in &own.requirements {
            facet(writer, &own.facet, Some(own));
        }
        writer.close();
    }
    writer.close();
}

/// The word of a schema in `ifcVersion`.
fn version_word(version: SchemaVersion) -> &'static str {
    match version {
        SchemaVersion::Ifc2x3 => "IFC2X3",
        SchemaVersion::Ifc4 => "IFC4",
        SchemaVersion::Ifc4x3 => "IFC4X3_ADD2",
    }
}

fn facet(writer: &mut Writer, own: &Facet, requirement: Option<&Requirement>) {
    writer.open(own.name());
    if let Facet::PartOf(part) = own {
        writer.optional_attribute("relation", part.relation.as_deref());
    }
    if let Facet::Property(property) = own {
        writer.optional_attribute("dataType", property.data_type.as_deref());
    }
    if let Some(requirement) = requirement {
        let has_uri = matches!(own, Facet::Classification(_) | Facet::Property(_) | Facet::Material(_));
        writer.optional_attribute("uri", requirement.uri.as_deref().filter(|_| has_uri));
        if !matches!(own, Facet::Entity(_)) {
            writer.attribute("cardinality", requirement.cardinality.unwrap_or_default().as_str());
        }
        writer.optional_attribute("instructions", requirement.instructions.as_deref());
    }
    match own {
        Facet::Entity(own) => entity(writer, own),
        Facet::PartOf(own) => {
            writer.open("entity");
            entity(writer, &own.entity);
            writer.close();
        }
        Facet::Classification(own) => {
            value(writer, "value", own.value.as_ref());
            value(writer, "system", own.system.as_ref());
        }
        Facet::Attribute(own) => {
            value(writer, "name", own.name.as_ref());
            value(writer, "value", own.value.as_ref());
        }
        Facet::Property(own) => {
            value(writer, "propertySet", own.property_set.as_ref());
            value(writer, "baseName", own.base_name.as_ref());
            value(writer, "value", own.value.as_ref());
        }
        Facet::Material(own) => value(writer, "value", own.value.as_ref()),
    }
    writer.close();
}

fn entity(writer: &mut Writer, own: &EntityFacet) {
    value(writer, "name", own.name.as_ref());
    value(writer, "predefinedType", own.predefined_type.as_ref());
}

fn value(writer: &mut Writer, name: &'static str, own: Option<&Constraint>) {
    match own {
        None => {}
        Some(Constraint::Simple(text)) => {
            writer.open(name).leaf("simpleValue", text).close();
        }
        Some(Constraint::Restriction(own)) => {
            writer.open(name);
            restriction(writer, own);
            writer.close();
        }
    }
}

fn restriction(writer: &mut Writer, own: &Restriction) {
    writer.open("xs:restriction").attribute("base", &own.base);
    let mut facet = |name: &'static str, value: &str| {
        writer.open(name).attribute("value", value).close();
    };
    for value in &own.enumeration {
        facet("xs:enumeration", value);
    }
    for pattern in &own.patterns {
        facet("xs:pattern", pattern.text());
    }
    for (name, bound) in [
        ("xs:minExclusive", &own.bounds.min_exclusive),
        ("xs:minInclusive", &own.bounds.min_inclusive),
        ("xs:maxExclusive", &own.bounds.max_exclusive),
        ("xs:maxInclusive", &own.bounds.max_inclusive),
    ] {
        if let Some(bound) = bound {
            facet(name, bound);
        }
    }
    for (name, count) in [
        ("xs:length", own.length),
        ("xs:minLength", own.min_length),
        ("xs:maxLength", own.max_length),
        ("xs:totalDigits", own.total_digits),
        ("xs:fractionDigits", own.fraction_digits),
    ] {
        if let Some(count) = count {
            facet(name, &count.to_string());
        }
    }
    writer.close();
}
