//! Documents read.

use super::constraint::{Constraint, Restriction};
use super::document::{
    AttributeFacet, Cardinality, ClassificationFacet, Document, EntityFacet, Facet, Info, MaterialFacet,
    PartOfFacet, PropertyFacet, Requirement, Specification,
};
use super::pattern::Pattern;
use super::structure;
use super::verdict::Problem;
use ifc::SchemaVersion;
use xml::{Element, Limits};

/// Bytes of a document, elements within each other, elements and attributes at most.
const LIMITS: Limits = Limits { bytes: 32 << 20, depth: 60, nodes: 1_000_000 };

/// A document as far as it could be read.
#[derive(Debug, Clone)]
pub struct Reading {
    /// Its parts; of what is wrong in structure, as far as it is there.
    pub document: Document,
    /// Where it departs from the XML Schema of IDS 1.0.
    pub structure: Vec<Problem>,
}

/// Reads a document. An error is the reason why it is no XML that is read here, with its place.
pub fn read(bytes: &[u8]) -> Result<Reading, xml::Problem> {
    let root = xml::read(bytes, &LIMITS)?;
    let structure = structure::problems(&root);
    let specifications = root.child("specifications").into_iter();
    let specifications = specifications.flat_map(|all| all.children_of("specification")).map(specification);
    let document = Document { info: info(root.child("info")), specifications: specifications.collect() };
    Ok(Reading { document, structure })
}

fn info(element: Option<&Element>) -> Info {
    let text = |name: &str| Some(element?.child(name)?.text.clone());
    Info {
        title: text("title").unwrap_or_default(),
        copyright: text("copyright"),
        version: text("version"),
        description: text("description"),
        author: text("author"),
        date: text("date"),
        purpose: text("purpose"),
        milestone: text("milestone"),
    }
}

fn attribute(element: &Element, name: &str) -> Option<String> {
    element.attribute(name).map(str::to_owned)
}

fn specification(element: &Element) -> Specification {
    let applicability = element.child("applicability");
    let requirements = element.child("requirements");
    let versions = element.attribute("ifcVersion").unwrap_or_default();
    Specification {
        name: element.attribute("name").unwrap_or_default().to_owned(),
        identifier: attribute(element, "identifier"),
        description: attribute(element, "description"),
        instructions: attribute(element, "instructions"),
        versions: versions.split_ascii_whitespace().filter_map(version).collect(),
        cardinality: cardinality_of(applicability),
        applicability: applicability.into_iter().flat_map(|own| &own.children).filter_map(facet).collect(),
        requirements_description: requirements.and_then(|own| attribute(own, "description")),
        requirements: requirements
            .into_iter()
            .flat_map(|own| &own.children)
            .filter_map(requirement)
            .collect(),
        place: element.place,
        applicability_place: applicability.unwrap_or(element).place,
    }
}

/// The schema of a word of `ifcVersion`.
pub(super) fn version(word: &str) -> Option<SchemaVersion> {
    match word {
        "IFC2X3" => Some(SchemaVersion::Ifc2x3),
        "IFC4" => Some(SchemaVersion::Ifc4),
        "IFC4X3_ADD2" => Some(SchemaVersion::Ifc4x3),
        _ => None,
    }
}

/// The cardinality of a specification by its occurrences, whose default is one and one.
fn cardinality_of(applicability: Option<&Element>) -> Option<Cardinality> {
    let word = |name: &str| applicability?.attribute(name).map(str::trim);
    match (word("minOccurs").unwrap_or("1"), word("maxOccurs").unwrap_or("1")) {
        ("1", "unbounded") => Some(Cardinality::Required),
        ("0", "unbounded") => Some(Cardinality::Optional),
        ("0", "0") => Some(Cardinality::Prohibited),
        _ => None,
    }
}

fn requirement(element: &Element) -> Option<Requirement> {
    let cardinality = match (element.attribute("cardinality"), element.name.as_str()) {
        (None | Some("required"), _) => Some(Cardinality::Required),
        (Some("prohibited"), _) => Some(Cardinality::Prohibited),
        (Some("optional"), name) if name != "partOf" => Some(Cardinality::Optional),
        _ => None,
    };
    Some(Requirement {
        facet: facet(element)?,
        cardinality,
        instructions: attribute(element, "instructions"),
        uri: attribute(element, "uri"),
    })
}

fn facet(element: &Element) -> Option<Facet> {
    let value = |name: &str| element.child(name).and_then(constraint);
    let place = element.place;
    Some(match element.name.as_str() {
        "entity" => Facet::Entity(entity(element)),
        "partOf" => Facet::PartOf(PartOfFacet {
            relation: attribute(element, "relation"),
            entity: element.child("entity").map(entity).unwrap_or_default(),
            place,
        }),
        "classification" => Facet::Classification(ClassificationFacet {
            value: value("value"),
            system: value("system"),
            place,
        }),
        "attribute" => Facet::Attribute(AttributeFacet { name: value("name"), value: value("value"), place }),
        "property" => Facet::Property(PropertyFacet {
            property_set: value("propertySet"),
            base_name: value("baseName"),
            value: value("value"),
            data_type: attribute(element, "dataType"),
            place,
        }),
        "material" => Facet::Material(MaterialFacet { value: value("value"), place }),
        _ => return None,
    })
}

fn entity(element: &Element) -> EntityFacet {
    EntityFacet {
        name: element.child("name").and_then(constraint),
        predefined_type: element.child("predefinedType").and_then(constraint),
        place: element.place,
    }
}

fn constraint(element: &Element) -> Option<Constraint> {
    element.children.iter().find_map(|child| match child.name.as_str() {
        "simpleValue" => Some(Constraint::Simple(child.text.clone())),
        "restriction" => Some(Constraint::Restriction(Box::new(restriction(child)))),
        _ => None,
    })
}

fn restriction(element: &Element) -> Restriction {
    let mut read = Restriction {
        base: element.attribute("base").map(str::trim).unwrap_or_default().to_owned(),
        place: element.place,
        ..Restriction::default()
    };
    for child in &element.children {
        let value = child.attribute("value").unwrap_or_default();
        let text = Some(value.trim().to_owned());
        let count = value.trim().parse().ok();
        match child.name.as_str() {
            "enumeration" => read.enumeration.push(value.to_owned()),
            "pattern" => read.patterns.push(Pattern::new(value)),
            "minExclusive" => read.bounds.min_exclusive = text,
            "minInclusive" => read.bounds.min_inclusive = text,
            "maxExclusive" => read.bounds.max_exclusive = text,
            "maxInclusive" => read.bounds.max_inclusive = text,
            "length" => read.length = count,
            "minLength" => read.min_length = count,
            "maxLength" => read.max_length = count,
            "totalDigits" => read.total_digits = count,
            "fractionDigits" => read.fraction_digits = count,
            "annotation" => continue,
            _ => {}
        }
        read.facets.push(child.name.clone());
    }
    read
}
