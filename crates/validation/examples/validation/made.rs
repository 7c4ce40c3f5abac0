//! Makes a document to measure with: `ids-made MODEL.ifc COUNT OUT.ids` writes one with so many requirements on the ten classes that the
//! model has most elements of. It asks for attributes, properties, materials, wholes, classifications and predefined types, some of which
//! the model has and some not.

use ifc::{Limits, Model};
use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::path::Path;
use validation::ids::{
    AttributeFacet, Base, Cardinality, ClassificationFacet, Constraint, Document, EntityFacet, Facet, Info,
    MaterialFacet, PartOfFacet, Pattern, Place, PropertyFacet, Requirement, Restriction, Specification,
    from_model, written,
};

/// Classes that are asked about.
const CLASSES: usize = 10;

/// Writes a document.
pub(crate) fn run(arguments: &[String]) -> Result<(), Box<dyn Error>> {
    let [model, count, target] = arguments else {
        return Err("usage: ids-made MODEL.ifc COUNT OUT.ids".into());
    };
    let (model, _) = Model::open(Path::new(model), &Limits::default())?;
    fs::write(target, written(&made(&model, count.parse()?)))?;
    Ok(())
}

/// A document with so many requirements.
fn made(model: &Model, count: usize) -> Document {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for id in model.of_class("IfcElement") {
        *counts.entry(model.get(id).map_or("", |element| element.class_name())).or_default() += 1;
    }
    let mut classes: Vec<(&str, usize)> = counts.into_iter().collect();
    classes.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    classes.truncate(CLASSES);
    let known = from_model(model, "Measured");
    let known: Vec<&PropertyFacet> = known
        .specifications
        .iter()
        .flat_map(|own| &own.requirements)
        .filter_map(|own| if let Facet::Property(facet) = &own.facet { Some(facet) } else { None })
        .collect();
    let each = count.div_ceil(classes.len().max(1));
    let specifications = classes.iter().enumerate().map(|(at, (class, _))| {
        let rest = count.saturating_sub(at * each).min(each);
        specification(model, class, (0..rest).map(|number| requirement(number, at, &known)).collect())
    });
    let info = Info { title: "Measured".to_owned(), ..Info::default() };
    Document { info, specifications: specifications.collect() }
}

fn specification(model: &Model, class: &str, requirements: Vec<Requirement>) -> Specification {
    let name = simple(&class.to_ascii_uppercase());
    Specification {
        name: class.to_owned(),
        identifier: None,
        description: None,
        instructions: None,
        versions: vec![model.schema().version()],
        cardinality: Some(Cardinality::Optional),
        applicability: vec![Facet::Entity(EntityFacet { name, ..EntityFacet::default() })],
        requirements_description: None,
        requirements,
        place: Place::default(),
        applicability_place: Place::default(),
    }
}

/// Six kinds of requirements in turn, half of them on properties, each with another name, value or pattern.
fn requirement(number: usize, class: usize, known: &[&PropertyFacet]) -> Requirement {
    let property = known.get((number * 7 + class * 13) % known.len().max(1)).map(|own| (*own).clone());
    let property = property.unwrap_or_default();
    let facet = match number % 12 {
        0 => Facet::Attribute(AttributeFacet {
            name: simple("Name"),
            value: pattern(&format!("[A-Z].*{number}")),
            ..AttributeFacet::default()
        }),
        2 => Facet::Attribute(AttributeFacet { name: simple("Tag"), ..AttributeFacet::default() }),
        4 => Facet::Material(MaterialFacet {
            value: pattern(".*(Brick|Concrete|Wood).*"),
            ..MaterialFacet::default()
        }),
        6 => Facet::PartOf(PartOfFacet {
            relation: Some("IFCRELCONTAINEDINSPATIALSTRUCTURE".to_owned()),
            entity: EntityFacet { name: simple("IFCBUILDINGSTOREY"), ..EntityFacet::default() },
            ..PartOfFacet::default()
        }),
        8 => Facet::Classification(ClassificationFacet {
            system: simple("Uniclass"),
            value: pattern("Ss_[0-9]{2}.*"),
            ..ClassificationFacet::default()
        }),
        // one that nothing has
        10 => Facet::Property(PropertyFacet { base_name: simple(&format!("Missing {number}")), ..property }),
        11 => Facet::Property(PropertyFacet { value: simple(&number.to_string()), ..property }),
        _ => Facet::Property(property),
    };
    Requirement { facet, cardinality: Some(Cardinality::Required), instructions: None, uri: None }
}

fn simple(text: &str) -> Option<Constraint> {
    Some(Constraint::Simple(text.to_owned()))
}

fn pattern(text: &str) -> Option<Constraint> {
    Some(Constraint::Restriction(Box::new(Restriction {
        base: format!("xs:{}", Base::String.as_str()),
        patterns: vec![Pattern::new(text)],
        facets: vec!["pattern".to_owned()],
        ..Restriction::default()
    })))
}
