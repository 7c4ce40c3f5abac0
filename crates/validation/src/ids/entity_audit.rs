//! The audit of facets that name classes and attributes.

use super::constraint::{Base, Constraint};
use super::document::{AttributeFacet, EntityFacet, PartOfFacet};
use super::structure::brief;
use super::verdict::{Classes, Problem, Scope, Verdict};
use super::{data_type, entity, part_of, property_audit};
use ifc::{Entity, Kind, Schema, SchemaVersion};
use ifc_schema::PerVersion;
use std::collections::BTreeSet;
use xml::Place;

/// The names of all classes of a schema in capitals, and the classes that instances of each have.
struct ClassNames {
    names: Vec<String>,
    /// The characters in them.
    letters: Option<u128>,
    /// None where the schema has no class for a name.
    classes: Vec<Option<&'static Entity>>,
}

/// The names of all classes, those of IFC2X3 that hang on the type behind the others.
fn class_names(schema: &'static Schema) -> &'static ClassNames {
    static NAMES: PerVersion<ClassNames> = PerVersion::new();
    NAMES.get_or_init(schema.version(), || {
        let version = schema.version();
        let own = schema.entities().iter().map(|entity| (entity.name, Some(entity)));
        let of_type = |name| schema.entity(entity::mapping(version, name)?.0);
        let all = own.chain(entity::mapped_names(version).map(|name| (name, of_type(name))));
        let (names, classes) = all.map(|(name, class)| (name.to_ascii_uppercase(), class)).unzip();
        let names: Vec<String> = names;
        ClassNames { letters: letters_of(&names), names, classes }
    })
}

/// The places in the list of names of the classes that a facet's name lets through, or what is wrong with it.
fn classes_of(facet: &EntityFacet, schema: &'static Schema) -> Result<Vec<usize>, Vec<Problem>> {
    let Some(name) = &facet.name else { return Ok(Vec::new()) };
    let known = class_names(schema);
    if let Some(single) = name.single()
        && let Some(place) = schema.entity(single).map(|class| usize::from(class.id.0))
        && known.names.get(place).is_some_and(|known| known == single)
    {
        return Ok(vec![place]);
    }
    matched(
        name,
        &known.names,
        known.letters,
        &|| format!("class of {} in capitals", schema.version().as_str()),
        facet.place,
    )
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
                let known = class_names(schema);
                let classes = places.iter().filter_map(|place| *known.classes.get(*place)?);
                verdict.classes.push((*version, Classes::listed(schema, classes)));
                // asked of nothing, they need not be known
                let asked = if facet.predefined_type.is_some() { places } else { Vec::new() };
                for name in asked.into_iter().filter_map(|place| known.names.get(place)) {
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
        if let Err(problems) =
            matched(wanted, &words, None, &|| "predefined type of the class".to_owned(), place)
        {
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

/// The explicit attributes of a schema, by name.
struct AttributeNames {
    names: Vec<&'static str>,
    /// The characters in them.
    letters: Option<u128>,
    /// The classes that have an attribute of each name.
    with: Vec<Classes>,
    /// The types that values of it have, in the order of the classes.
    bases: Vec<Vec<Base>>,
}

fn attribute_names(version: SchemaVersion) -> &'static AttributeNames {
    static NAMES: PerVersion<AttributeNames> = PerVersion::new();
    NAMES.get_or_init(version, || {
        let schema = version.schema();
        let all = || {
            schema
                .entities()
                .iter()
                .flat_map(|entity| entity.attributes.iter().map(move |own| (entity, *own)))
        };
        let names = all().map(|(_, attribute)| attribute.name).collect::<BTreeSet<_>>().into_iter();
        let names: Vec<&'static str> = names.collect();
        let (mut with, mut bases) = (vec![Classes::none(schema); names.len()], vec![Vec::new(); names.len()]);
        for (entity, attribute) in all().filter(|(_, attribute)| !attribute.derived) {
            let Ok(place) = names.binary_search(&attribute.name) else { continue };
            if let (Some(with), Some(bases)) = (with.get_mut(place), bases.get_mut(place)) {
                with.insert(entity.id);
                bases.extend(data_type::base_of_attribute(attribute).filter(|base| !bases.contains(base)));
            }
        }
        AttributeNames { letters: letters_of(&names), names, with, bases }
    })
}

/// The places in the list of names of the attributes that a facet's name lets through, or what is wrong with it.
fn attributes_of(
    name: &Constraint,
    known: &AttributeNames,
    version: SchemaVersion,
    place: Place,
) -> Result<Vec<usize>, Vec<Problem>> {
    if let Constraint::Simple(text) = name
        && let Ok(found) = known.names.binary_search(&text.as_str())
    {
        return Ok(vec![found]);
    }
    matched(name, &known.names, known.letters, &|| format!("attribute of {}", version.as_str()), place)
}

pub(super) fn attribute(facet: &AttributeFacet, scope: &Scope<'_>) -> Verdict {
    let mut verdict = Verdict::default();
    let Some(name) = &facet.name else { return verdict };
    let mut found: Vec<Base> = Vec::new();
    for version in scope.versions {
        let schema = version.schema();
        let known = attribute_names(*version);
        let places = match attributes_of(name, known, *version, facet.place) {
            Ok(places) => places,
            Err(problems) => {
                verdict.problems = problems;
                verdict.classes.clear();
                return verdict;
            }
        };
        let mut with = Classes::none(schema);
        places.iter().filter_map(|place| known.with.get(*place)).for_each(|classes| with.unite(classes));
        // of the classes that it is asked of, else of all
        let mut asked = with.clone();
        if let Some((_, applicable)) = scope.applicable.iter().find(|(own, _)| own == version) {
            asked.intersect(applicable);
        }
        let of_all = asked.is_empty() || asked == with;
        match places.as_slice() {
            [only] if of_all => {
                let bases = known.bases.get(*only).into_iter().flatten();
                for base in bases {
                    add(*base, &mut found);
                }
            }
            _ => {
                let names: Vec<&str> =
                    places.iter().filter_map(|place| known.names.get(*place).copied()).collect();
                let asked = if of_all { &with } else { &asked };
                let all = asked.entities(schema).flat_map(|entity| entity.attributes);
                for own in all.filter(|own| names.contains(&own.name)) {
                    if let Some(base) = data_type::base_of_attribute(own) {
                        add(base, &mut found);
                    }
                }
            }
        }
        verdict.classes.push((*version, with));
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

/// Adds a base type that is not among those found.
fn add(base: Base, found: &mut Vec<Base>) {
    if !found.contains(&base) {
        found.push(base);
    }
}

fn value_problems(value: &Constraint, bases: &[Base], facet: &AttributeFacet) -> Vec<Problem> {
    if matches!(value, Constraint::Simple(text) if text.is_empty()) || value.is_empty() {
        return Vec::new();
    }
    property_audit::value(value, bases, facet.place)
}

/// The characters of ASCII in some names, a bit for each; none where there are others.
fn letters_of(names: &[impl AsRef<str>]) -> Option<u128> {
    let mut bytes = names.iter().flat_map(|name| name.as_ref().bytes());
    bytes.try_fold(0, |all, byte| byte.is_ascii().then(|| all | 1 << byte))
}

/// The places of those of some names, made of some characters, that a constraint on names lets through; else a problem for each of its parts that lets none.
fn matched(
    constraint: &Constraint,
    names: &[impl AsRef<str>],
    letters: Option<u128>,
    about: &dyn Fn() -> String,
    place: Place,
) -> Result<Vec<usize>, Vec<Problem>> {
    let places = |lets: &dyn Fn(&str) -> bool| -> Vec<usize> {
        names.iter().enumerate().filter(|(_, name)| lets(name.as_ref())).map(|(place, _)| place).collect()
    };
    let near = |wanted: &str| {
        let near = ifc_schema::near(wanted, names.iter().map(AsRef::as_ref), 3);
        if near.is_empty() {
            format!("name a {} of the schema", about())
        } else {
            format!("did you mean {}", near.join(", "))
        }
    };
    match constraint {
        Constraint::Simple(text) => {
            let found = places(&|name| name == text);
            if found.is_empty() {
                let message = format!("\"{}\" is no {}", brief(text), about());
                return Err(vec![Problem::new(place, message, near(text))]);
            }
            Ok(found)
        }
        Constraint::Restriction(restriction) => {
            let mut problems = property_audit::restriction(restriction, &[Base::String]);
            if !problems.is_empty() {
                return Err(problems);
            }
            if letters.is_some_and(|letters| restriction.accepts_all(letters)) {
                return Ok((0..names.len()).collect());
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
                if !names.iter().any(|name| lets(name.as_ref())) {
                    let about = about();
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
