//! The audit of facets that name classes and attributes.

use super::constraint::{Base, Constraint};
use super::document::{AttributeFacet, EntityFacet, PartOfFacet};
use super::structure::brief;
use super::verdict::{Classes, Problem, Scope, Verdict};
use super::{data_type, entity, part_of, property_audit};
use ifc::{Entity, Kind, Schema, SchemaVersion};
use std::collections::{BTreeSet, HashMap};
use xml::Place;

/// The names of all classes in capitals, those of IFC2X3 that hang on the type among them.
fn class_names(schema: &'static Schema) -> &'static [String] {
    static NAMES: ifc_schema::PerVersion<Vec<String>> = ifc_schema::PerVersion::new();
    NAMES.get_or_init(schema.version(), || {
        let own = schema.entities().iter().map(|entity| entity.name.to_ascii_uppercase());
        own.chain(entity::mapped_names(schema.version()).map(str::to_ascii_uppercase)).collect()
    })
}

/// The places in the list of names of the classes that a facet's name lets through, or what is wrong with it.
fn classes_of(facet: &EntityFacet, schema: &'static Schema) -> Result<Vec<usize>, Vec<Problem>> {
    let Some(name) = &facet.name else { return Ok(Vec::new()) };
    let known = class_names(schema);
    if let Some(single) = name.single()
        && let Some(place) = schema.entity(single).map(|class| usize::from(class.id.0))
        && known.get(place).is_some_and(|known| known == single)
    {
        return Ok(vec![place]);
    }
    let names: Vec<&'static str> = known.iter().map(String::as_str).collect();
    let about = format!("class of {} in capitals", schema.version().as_str());
    matched(name, &names, &about, facet.place)
}

/// The class that instances of a name have, by the name's place in the list.
fn class_of(schema: &'static Schema, place: usize) -> Option<&'static Entity> {
    schema.entities().get(place).or_else(|| {
        let name = class_names(schema).get(place)?;
        schema.entity(entity::mapping(schema.version(), name)?.0)
    })
}

/// The words that a predefined type may be.
fn predefined_words(schema: &'static Schema, name: &str) -> &'static [&'static str] {
    let class = schema.entity(name).or_else(|| schema.entity(entity::mapping(schema.version(), name)?.1));
    match class.and_then(|class| class.attribute("PredefinedType")).map(|attribute| attribute.kind) {
        Some(Kind::Enumeration(words)) => words,
        _ => &[],
    }
}

pub(super) fn entity(facet: &EntityFacet, scope: &Scope<'_>) -> Verdict {
    let mut verdict = Verdict::default();
    let mut words: Option<Vec<&str>> = None;
    for version in scope.versions {
        let schema = version.schema();
        match classes_of(facet, schema) {
            Err(problems) => {
                // a name that two schemas lack is one mistake
                verdict.problems = problems;
                verdict.classes.clear();
                return verdict;
            }
            Ok(places) => {
                let classes = places.iter().filter_map(|place| class_of(schema, *place));
                verdict.classes.push((*version, Classes::listed(schema, classes)));
                // asked of nothing, they need not be known
                let asked = if facet.predefined_type.is_some() { places } else { Vec::new() };
                for name in asked.into_iter().filter_map(|place| class_names(schema).get(place)) {
                    let own = predefined_words(schema, name);
                    match &mut words {
                        Some(words) => words.retain(|word| own.contains(word)),
                        None => words = Some(own.to_vec()),
                    }
                }
            }
        }
    }
    let words = words.unwrap_or_default();
    if let Some(wanted) = &facet.predefined_type
        && !words.contains(&"USERDEFINED")
        && !scope.versions.is_empty()
    {
        let place = facet.place;
        if let Constraint::Restriction(restriction) = wanted {
            for value in restriction.enumeration.iter().filter(|value| !words.contains(&value.as_str())) {
                let message =
                    format!("\"{}\" is no predefined type of the class", super::structure::brief(value));
                verdict.problems.push(Problem::new(restriction.place, message, remedy(&words)));
            }
        }
        if let Err(problems) = matched(wanted, &words, "predefined type of the class", place) {
            verdict
                .problems
                .extend(problems.into_iter().map(|own| Problem { remedy: remedy(&words), ..own }));
        }
    }
    verdict
}

fn remedy(words: &[&str]) -> String {
    if words.is_empty() {
        return "take it out: in one of the schemas the class has no predefined type, or none that all have"
            .to_owned();
    }
    format!("it is one of {}", words.join(", "))
}

pub(super) fn part_of(facet: &PartOfFacet, scope: &Scope<'_>) -> Verdict {
    let whole_scope =
        Scope { versions: scope.versions, applicable: Vec::new(), is_required: scope.is_required };
    let mut whole = entity(&facet.entity, &whole_scope);
    let mut verdict = Verdict { problems: std::mem::take(&mut whole.problems), classes: Vec::new() };
    let Some(relation) = facet.relation.as_deref().filter(|_| scope.is_required) else { return verdict };
    for version in scope.versions {
        let schema = version.schema();
        let Some((parts, owners)) = part_of::ends(relation, *version) else { continue };
        verdict.classes.push((*version, Classes::descending(schema, parts)));
        for (_, wanted) in whole.classes.iter().filter(|(own, _)| own == version) {
            let mut both = Classes::descending(schema, owners);
            both.intersect(wanted);
            if both.is_empty() && verdict.problems.is_empty() {
                let message = format!("the whole cannot be one of {relation}");
                let remedy = format!("name a class that descends from {}", owners.join(" or "));
                verdict.problems.push(Problem::new(facet.place, message, remedy));
            }
        }
    }
    if !verdict.problems.is_empty() {
        verdict.classes.clear();
    }
    verdict
}

/// The names of all explicit attributes of a schema.
fn attribute_names(version: SchemaVersion) -> &'static [&'static str] {
    static NAMES: ifc_schema::PerVersion<Vec<&'static str>> = ifc_schema::PerVersion::new();
    NAMES.get_or_init(version, || {
        let all = version.schema().entities().iter().flat_map(|entity| entity.attributes);
        all.map(|attribute| attribute.name).collect::<BTreeSet<_>>().into_iter().collect()
    })
}

/// The classes that have an explicit attribute of one of these names.
fn classes_with(version: SchemaVersion, names: &[&str]) -> Classes {
    static WITH: ifc_schema::PerVersion<HashMap<&'static str, Classes>> = ifc_schema::PerVersion::new();
    let schema = version.schema();
    let known = WITH.get_or_init(version, || {
        let mut known: HashMap<&'static str, Classes> = HashMap::new();
        for entity in schema.entities() {
            for attribute in entity.attributes.iter().filter(|own| !own.derived) {
                known.entry(attribute.name).or_insert_with(|| Classes::none(schema)).insert(entity.id);
            }
        }
        known
    });
    let mut with = Classes::none(schema);
    names.iter().filter_map(|name| known.get(name)).for_each(|classes| with.unite(classes));
    with
}

pub(super) fn attribute(facet: &AttributeFacet, scope: &Scope<'_>) -> Verdict {
    let mut verdict = Verdict::default();
    let Some(name) = &facet.name else { return verdict };
    let mut bases: BTreeSet<&'static str> = BTreeSet::new();
    let mut found = Vec::new();
    for version in scope.versions {
        let schema = version.schema();
        let about = format!("attribute of {}", version.as_str());
        let known = attribute_names(*version);
        let names: Vec<&str> = match matched(name, known, &about, facet.place) {
            Ok(places) => places.into_iter().filter_map(|place| known.get(place).copied()).collect(),
            Err(problems) => {
                verdict.problems = problems;
                verdict.classes.clear();
                return verdict;
            }
        };
        let with = classes_with(*version, &names);
        let has = |entity: &'static Entity| with.contains(entity.id);
        verdict.classes.push((*version, with.clone()));
        // of the classes that it is asked of, else of all
        let applicable = scope.applicable.iter().find(|(own, _)| own == version).map(|(_, classes)| classes);
        let asked: Vec<_> =
            applicable.into_iter().flat_map(|classes| classes.entities(schema)).filter(|e| has(e)).collect();
        let asked: Vec<&Entity> =
            if asked.is_empty() { schema.entities().iter().filter(|e| has(e)).collect() } else { asked };
        for own in asked.iter().flat_map(|entity| entity.attributes).filter(|own| names.contains(&own.name)) {
            let base = data_type::base_of_attribute(own);
            if let Some(base) = base
                && bases.insert(base.as_str())
            {
                found.push(base);
            }
        }
    }
    if let Some(value) = &facet.value
        && !scope.versions.is_empty()
    {
        if found.is_empty() {
            let message = "the attribute holds no plain value that could be compared";
            verdict.problems.push(Problem::new(
                facet.place,
                message,
                "take the value out: it can be asked to be there",
            ));
        } else {
            verdict.problems.extend(value_problems(value, &found, facet));
        }
    }
    if !verdict.problems.is_empty() {
        verdict.classes.clear();
    }
    verdict
}

fn value_problems(value: &Constraint, bases: &[Base], facet: &AttributeFacet) -> Vec<Problem> {
    if matches!(value, Constraint::Simple(text) if text.is_empty()) || value.is_empty() {
        return Vec::new();
    }
    property_audit::value(value, bases, facet.place)
}

/// The places of those of some names that a constraint on names lets through; else a problem for each of its parts that lets none.
fn matched(
    constraint: &Constraint,
    names: &[&str],
    about: &str,
    place: Place,
) -> Result<Vec<usize>, Vec<Problem>> {
    let places = |lets: &dyn Fn(&str) -> bool| -> Vec<usize> {
        names.iter().enumerate().filter(|(_, name)| lets(name)).map(|(place, _)| place).collect()
    };
    let near = |wanted: &str| {
        let near = ifc_schema::near(wanted, names.iter().copied(), 3);
        if near.is_empty() {
            format!("name a {about} of the schema")
        } else {
            format!("did you mean {}", near.join(", "))
        }
    };
    match constraint {
        Constraint::Simple(text) => {
            let found = places(&|name| name == text);
            if found.is_empty() {
                let message = format!("\"{}\" is no {about}", brief(text));
                return Err(vec![Problem::new(place, message, near(text))]);
            }
            Ok(found)
        }
        Constraint::Restriction(restriction) => {
            let mut problems = property_audit::restriction(restriction, &[Base::String]);
            if !problems.is_empty() {
                return Err(problems);
            }
            let found = places(&|name| constraint.accepts_text(name));
            if !found.is_empty() {
                return Ok(found);
            }
            type Part<'p> = (bool, Box<dyn Fn(&str) -> bool + 'p>);
            let parts: [Part<'_>; 2] = [
                (
                    !restriction.enumeration.is_empty(),
                    Box::new(|name| restriction.enumeration.iter().any(|one| one == name)),
                ),
                (
                    !restriction.patterns.is_empty(),
                    Box::new(|name| restriction.patterns.iter().any(|one| one.is_match(name))),
                ),
            ];
            for (_, lets) in parts.iter().filter(|(is_there, _)| *is_there) {
                if !names.iter().any(|name| lets(name)) {
                    let message = format!("{} lets no {about} through", constraint.describe());
                    problems.push(Problem::new(
                        restriction.place,
                        message,
                        format!("name a {about} of the schema"),
                    ));
                }
            }
            if !problems.is_empty() {
                return Err(problems);
            }
            Ok(found)
        }
    }
}
