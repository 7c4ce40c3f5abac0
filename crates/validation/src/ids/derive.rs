//! A document that a model meets: for each class of elements and spaces in it, the attributes, properties and materials that all of its
//! instances have.

use super::constraint::Constraint;
use super::context::{Context, values};
use super::document::{
    AttributeFacet, Cardinality, Document, EntityFacet, Facet, Info, MaterialFacet, PropertyFacet,
    Requirement, Specification,
};
use super::property_audit::{is_reserved_name, types_of};
use super::{check, data_type};
use ifc::psets::{Detail, templates};
use ifc::{Id, Model, SchemaVersion};
use std::collections::BTreeMap;
use xml::Place;

/// Attributes that are worth asking for.
const ATTRIBUTES: [&str; 4] = ["Name", "Description", "Tag", "LongName"];

/// A document that the model meets; of a model without elements one without specifications.
pub fn from_model(model: &Model, title: &str) -> Document {
    let context = Context::new(model);
    let mut by_class: BTreeMap<&'static str, Vec<Id>> = BTreeMap::new();
    let spatial = ifc::relations::spatial_class(model);
    for id in model.of_class("IfcElement").into_iter().chain(model.of_class(spatial)) {
        if let Some(class) = context.class(id) {
            by_class.entry(class.name).or_default().push(id);
        }
    }
    let specifications = by_class.iter().map(|(class, ids)| context.derived(class, ids));
    let info = Info { title: title.to_owned(), ..Info::default() };
    let mut document = Document { info, specifications: specifications.collect() };
    document.specifications.retain(|own| !own.requirements.is_empty());
    // what a facet means for several sets of one name is for the check to say
    if let Some(report) = check(&document, model, true, &mut || true) {
        for (own, result) in document.specifications.iter_mut().zip(report.specifications) {
            let mut results = result.requirements.into_iter();
            own.requirements.retain(|_| results.next().is_none_or(|one| one.failed.is_empty()));
        }
    }
    document.specifications.retain(|own| !own.requirements.is_empty());
    document
}

fn simple(text: &str) -> Option<Constraint> {
    Some(Constraint::Simple(text.to_owned()))
}

impl Context<'_> {
    fn derived(&self, class: &str, ids: &[Id]) -> Specification {
        let mut facets = Vec::new();
        for name in ATTRIBUTES {
            let has = |id: &Id| {
                self.model.get(*id).and_then(|own| own.text(name)).is_some_and(|text| !text.is_empty())
            };
            if ids.iter().all(has) {
                facets.push(Facet::Attribute(AttributeFacet {
                    name: simple(name),
                    ..AttributeFacet::default()
                }));
            }
        }
        for ((set, name), types) in self.shared(ids) {
            let [of_type] = types.as_slice() else { continue };
            let data_type = match published_as(self.version, class, &set, &name) {
                Published::Otherwise => continue,
                // the value itself may be of another type than the published one, which others should not be held to
                Published::Of(types) if !types.contains(of_type) => None,
                Published::Of(_) | Published::Unknown => Some(of_type.clone()),
            };
            facets.push(Facet::Property(PropertyFacet {
                property_set: simple(&set),
                base_name: simple(&name),
                data_type,
                ..PropertyFacet::default()
            }));
        }
        facets.push(Facet::Material(MaterialFacet::default()));
        let upper = class.to_ascii_uppercase();
        Specification {
            name: class.to_owned(),
            identifier: None,
            description: None,
            instructions: None,
            versions: vec![self.version],
            cardinality: Some(Cardinality::Required),
            applicability: vec![Facet::Entity(EntityFacet {
                name: simple(&upper),
                ..EntityFacet::default()
            })],
            requirements_description: None,
            requirements: facets
                .into_iter()
                .map(|facet| Requirement {
                    facet,
                    cardinality: Some(Cardinality::Required),
                    instructions: None,
                    uri: None,
                })
                .collect(),
            place: Place::default(),
            applicability_place: Place::default(),
        }
    }

    /// Properties that all of some elements have, with the types in capitals that their values have.
    fn shared(&self, ids: &[Id]) -> BTreeMap<(String, String), Vec<String>> {
        let mut counts: BTreeMap<(String, String), (usize, Vec<String>)> = BTreeMap::new();
        for id in ids {
            let element = self.element(*id);
            for set in self.property_sets(&element).iter().filter(|set| !set.name().is_empty()) {
                for property in set.properties(|_| true) {
                    if !matches!(property.detail, Detail::Single | Detail::Enumerated | Detail::Quantity(_)) {
                        continue;
                    }
                    let types = values(property).into_iter().filter(|(value, _)| !value.is_null());
                    let mut types: Vec<String> = types.map(|(_, name)| name.to_ascii_uppercase()).collect();
                    types.retain(|name| data_type::is_data_type(self.model.schema(), name));
                    types.dedup();
                    if types.len() != 1 {
                        continue;
                    }
                    let (count, known) =
                        counts.entry((set.name().to_owned(), property.name.clone())).or_default();
                    *count += 1;
                    known.extend(types.into_iter().filter(|own| !known.contains(own)).collect::<Vec<_>>());
                }
            }
        }
        counts.retain(|(_, name), (count, _)| *count == ids.len() && !name.is_empty());
        counts.into_iter().map(|(key, (_, types))| (key, types)).collect()
    }
}

/// The standing of a property among the published ones.
enum Published {
    /// Its set is the author's own.
    Unknown,
    /// Its set is published, or is called as only published ones may be, but this property is not in it or not for the class.
    Otherwise,
    /// It is published, with values of these types in capitals; any where there are none.
    Of(Vec<String>),
}

fn published_as(version: SchemaVersion, class: &str, set: &str, name: &str) -> Published {
    let Some(own) = templates::find_set(version, set) else {
        return if is_reserved_name(set) { Published::Otherwise } else { Published::Unknown };
    };
    match templates::find(version, set, name) {
        Some(template) if own.is_for(version.schema(), class, None) => match types_of(template) {
            types if types.is_empty() => Published::Unknown,
            types => Published::Of(types),
        },
        _ => Published::Otherwise,
    }
}
