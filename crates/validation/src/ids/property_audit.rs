//! The audit of properties and of the values that are asked for.

use super::constraint::{Base, Constraint, Restriction};
use super::data_type;
use super::document::PropertyFacet;
use super::structure::brief;
use super::verdict::{Problem, Scope, Verdict};
use ifc::SchemaVersion;
use ifc::psets::templates::{self, SetTemplate, Template};
use std::collections::BTreeSet;
use xml::Place;

/// The beginning of names that buildingSMART keeps for its own sets.
const RESERVED: &str = "Pset_";

pub(super) fn property(facet: &PropertyFacet, scope: &Scope<'_>) -> Verdict {
    let mut verdict = Verdict::default();
    let (Some(set), Some(name)) = (&facet.property_set, &facet.base_name) else { return verdict };
    let place = facet.place;
    let has_value = facet.value.as_ref().is_some_and(|value| !value.is_empty());
    for constraint in [set, name] {
        if let Constraint::Restriction(own) = constraint {
            verdict.problems.extend(restriction(own, &[Base::String]));
        }
    }
    if facet.data_type.is_none() && has_value {
        let message = "a property with a value has no `dataType`";
        verdict.problems.push(Problem::new(place, message, "add one, such as IFCLABEL"));
        return verdict;
    }
    for version in scope.versions {
        let published = sets(set, *version);
        if scope.is_required && !published.is_empty() {
            verdict.problems.extend(against_templates(facet, name, &published, *version, scope));
        } else {
            if scope.is_required && is_reserved(set) {
                let message = format!("no set of {} is called {}", version.as_str(), set.describe());
                let remedy = format!(
                    "names that begin with {RESERVED} are those of buildingSMART; choose another one"
                );
                verdict.problems.push(Problem::new(place, message, remedy).harmless());
                return verdict;
            }
            verdict.problems.extend(unknown_type(facet, *version));
        }
    }
    if let (Some(value), Some(of_type)) = (&facet.value, &facet.data_type)
        && has_value
    {
        let base =
            scope.versions.iter().find_map(|version| data_type::base_of_type(version.schema(), of_type));
        if let Some(base) = base {
            verdict.problems.extend(self::value(value, &[base], place));
        }
    }
    verdict
}

fn unknown_type(facet: &PropertyFacet, version: SchemaVersion) -> Option<Problem> {
    let of_type = facet.data_type.as_deref()?;
    if data_type::is_data_type(version.schema(), of_type) {
        return None;
    }
    let near = ifc_schema::near(of_type, version.schema().types().iter().map(|own| own.name), 3);
    let near: Vec<String> = near.into_iter().map(str::to_ascii_uppercase).collect();
    let message = format!("the `dataType` {} is no type of a value in {}", brief(of_type), version.as_str());
    let remedy = if near.is_empty() {
        "name one, such as IFCLABEL".to_owned()
    } else {
        format!("did you mean {}", near.join(", "))
    };
    Some(Problem::new(facet.place, message, remedy))
}

/// The published sets that a constraint lets through.
fn sets(constraint: &Constraint, version: SchemaVersion) -> Vec<&'static SetTemplate> {
    match constraint.single() {
        Some(single) => templates::find_set(version, single).into_iter().collect(),
        None => templates::all(version).filter(|set| constraint.accepts_text(set.name)).collect(),
    }
}

fn is_reserved(constraint: &Constraint) -> bool {
    match constraint {
        Constraint::Simple(text) => is_reserved_name(text),
        Constraint::Restriction(restriction) => {
            restriction.enumeration.iter().any(|text| is_reserved_name(text))
        }
    }
}

/// True of names that buildingSMART keeps for its own sets.
pub(super) fn is_reserved_name(set: &str) -> bool {
    set.starts_with(RESERVED)
}

/// The types that values of a published property have.
fn type_names(template: &Template) -> impl Iterator<Item = &'static str> {
    let quantity = match template.quantity_class() {
        Some("IfcQuantityLength") => "IfcLengthMeasure",
        Some("IfcQuantityArea") => "IfcAreaMeasure",
        Some("IfcQuantityVolume") => "IfcVolumeMeasure",
        Some("IfcQuantityCount") => "IfcCountMeasure",
        Some("IfcQuantityWeight") => "IfcMassMeasure",
        Some("IfcQuantityTime") => "IfcTimeMeasure",
        _ => "",
    };
    [template.measure, template.defined, quantity].into_iter().filter(|name| !name.is_empty())
}

/// The types in capitals that values of a published property have.
pub(super) fn types_of(template: &Template) -> Vec<String> {
    type_names(template).map(str::to_ascii_uppercase).collect()
}

/// Contradictions to the published sets, none of which keeps a document from being checked.
fn against_templates(
    facet: &PropertyFacet,
    name: &Constraint,
    published: &[&'static SetTemplate],
    version: SchemaVersion,
    scope: &Scope<'_>,
) -> Option<Problem> {
    let properties: Vec<&Template> = published
        .iter()
        .flat_map(|set| &set.properties)
        .filter(|property| name.accepts_text(property.name))
        .collect();
    let listed: Vec<&str> = published.iter().take(3).map(|set| set.name).collect();
    let problem =
        |message: String, remedy: String| Some(Problem::new(facet.place, message, remedy).harmless());
    if properties.is_empty() {
        let all = published.iter().flat_map(|set| &set.properties).map(|property| property.name);
        let near = ifc_schema::near(name.single().unwrap_or_default(), all, 3);
        let remedy = if near.is_empty() {
            "name one of its properties, or use a set of your own".to_owned()
        } else {
            format!("did you mean {}", near.join(", "))
        };
        return problem(
            format!("{} of {} has no property {}", listed.join(", "), version.as_str(), name.describe()),
            remedy,
        );
    }
    let is_type = |wanted: &str, own: &str| {
        own.eq_ignore_ascii_case(wanted) && !wanted.bytes().any(|byte| byte.is_ascii_lowercase())
    };
    let mut own = properties.iter().flat_map(|property| type_names(property)).peekable();
    if let Some(of_type) = &facet.data_type
        && own.peek().is_some()
        && !own.any(|own| is_type(of_type, own))
    {
        let types: BTreeSet<String> = properties.iter().flat_map(|property| types_of(property)).collect();
        let listed: Vec<&str> = types.iter().take(4).map(String::as_str).collect();
        let message = format!(
            "the published property {}.{} is no {}",
            listed.join(", "),
            name.describe(),
            brief(of_type)
        );
        return problem(message, format!("its type is {}", listed.join(" or ")));
    }
    let schema = version.schema();
    let applicable = scope.applicable.iter().find(|(own, _)| *own == version)?;
    let mut classes = applicable.1.entities(schema).peekable();
    classes.peek()?;
    let is_for = |class: &str| {
        published.iter().any(|set| {
            let predefined =
                set.applicable.iter().filter_map(|own| own.split_once('/')).map(|(_, own)| Some(own.trim()));
            std::iter::once(None).chain(predefined).any(|predefined| set.is_for(schema, class, predefined))
        })
    };
    let names: Vec<&str> = classes.map(|class| class.name).collect();
    if names.iter().any(|class| is_for(class)) {
        return None;
    }
    let message = format!(
        "{} is not for {}",
        listed.join(", "),
        names.iter().take(3).copied().collect::<Vec<_>>().join(", ")
    );
    problem(message, "use a set that is, or one of your own".to_owned())
}

/// The problems of a value that must be of one of these types.
pub(super) fn value(constraint: &Constraint, bases: &[Base], place: Place) -> Vec<Problem> {
    match constraint {
        Constraint::Simple(text) if text.is_empty() => Vec::new(),
        Constraint::Simple(text) => wrong_value(text, bases, place).into_iter().collect(),
        Constraint::Restriction(own) => restriction(own, bases),
    }
}

fn wrong_value(text: &str, bases: &[Base], place: Place) -> Option<Problem> {
    if bases.iter().any(|base| base.accepts(text)) {
        return None;
    }
    let (name, example) = match bases.first()? {
        Base::Boolean => ("truth", "true or false"),
        Base::Integer => ("whole number", "a number such as 42"),
        Base::Double | Base::Float | Base::Decimal => ("number", "a number with a point, such as 4.2"),
        Base::Date => ("date", "a date such as 2026-01-31"),
        Base::DateTime => ("date with a time", "such as 2026-01-31T12:00:00"),
        Base::Time => ("time", "a time such as 12:00:00"),
        Base::Duration => ("duration", "a duration such as PT16H"),
        Base::String | Base::AnyUri => ("text", "a text"),
    };
    Some(Problem::new(place, format!("\"{}\" is no {name}", brief(text)), format!("write {example}")))
}

/// The facets that a base type has (XML Schema part 2, 4.1.5).
fn allowed(base: Base) -> &'static [&'static str] {
    const ORDERED: [&str; 7] = [
        "pattern",
        "enumeration",
        "whiteSpace",
        "minExclusive",
        "maxExclusive",
        "minInclusive",
        "maxInclusive",
    ];
    match base {
        Base::String | Base::AnyUri => {
            &["pattern", "enumeration", "whiteSpace", "minLength", "maxLength", "length"]
        }
        Base::Boolean => &["pattern", "whiteSpace"],
        Base::Integer | Base::Decimal => &[
            "totalDigits",
            "fractionDigits",
            "pattern",
            "enumeration",
            "whiteSpace",
            "minExclusive",
            "maxExclusive",
            "minInclusive",
            "maxInclusive",
        ],
        _ => &ORDERED,
    }
}

/// The problems of a restriction whose base must be one of these.
pub(super) fn restriction(own: &Restriction, bases: &[Base]) -> Vec<Problem> {
    let mut problems = Vec::new();
    let place = own.place;
    let mut problem = |message: String, remedy: String| problems.push(Problem::new(place, message, remedy));
    let wanted = || {
        let names: Vec<String> = bases.iter().map(|base| format!("xs:{}", base.as_str())).collect();
        names.join(" or ")
    };
    let base = own.base();
    if own.facets.is_empty() {
        problem(
            "the restriction restricts nothing".to_owned(),
            "give it values, a pattern or bounds".to_owned(),
        );
    }
    match base {
        None if own.base.is_empty() => {
            problem("the restriction has no base".to_owned(), format!("add base=\"{}\"", wanted()));
        }
        None => problem(
            format!("the base {} is no type that IDS uses", brief(&own.base)),
            format!("it is {}", wanted()),
        ),
        Some(base) => {
            for name in own.facets.iter().filter(|name| !allowed(base).contains(&name.as_str())) {
                problem(
                    format!("xs:{} cannot be restricted by {}", base.as_str(), brief(name)),
                    format!("it has {}", allowed(base).join(", ")),
                );
            }
        }
    }
    if !bases.is_empty() && base.is_none_or(|base| !bases.contains(&base)) {
        let wanted = wanted();
        problem(
            format!(
                "the values are {wanted}, not {}",
                if own.base.is_empty() { "of no base" } else { &own.base }
            ),
            format!("write base=\"{wanted}\""),
        );
    }
    for pattern in &own.patterns {
        if let Some(why) = pattern.problem() {
            problem(
                format!("the pattern {} cannot be used: {why}", brief(pattern.text())),
                "write it as XML Schema does".to_owned(),
            );
        }
    }
    let of_values: Vec<Base> = if bases.is_empty() { base.into_iter().collect() } else { bases.to_vec() };
    let bounds = own.bounds.all().map(|(_, bound)| bound);
    let values = own.enumeration.iter().map(String::as_str).chain(bounds);
    problems.extend(values.filter_map(|value| wrong_value(value, &of_values, place)));
    problems.extend(contradiction(own));
    problems
}

/// Bounds or lengths that nothing can keep.
fn contradiction(own: &Restriction) -> Option<Problem> {
    let number = |text: &Option<String>| text.as_deref().and_then(super::lexical::double);
    let least = [number(&own.bounds.min_inclusive), number(&own.bounds.min_exclusive)];
    let most = [number(&own.bounds.max_inclusive), number(&own.bounds.max_exclusive)];
    let is_numeric = own.base().is_some_and(Base::is_number);
    let crossed =
        is_numeric && least.iter().flatten().any(|least| most.iter().flatten().any(|most| most < least));
    let lengths = own.min_length.zip(own.max_length).is_some_and(|(least, most)| most < least);
    (crossed || lengths).then(|| {
        Problem::new(
            own.place,
            "nothing lies between these bounds",
            "let the lower one be less than the upper one",
        )
    })
}
