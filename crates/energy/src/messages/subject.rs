//! Which object, field and value a message of a known kind speaks of, by what the groups of its pattern hold.

use super::catalogue::{Catalogue, Entry, Groups};
use super::find::Finder;
use super::spoken::ObjectSpoken;
use crate::idf::{Document, Object};
use crate::results::errors::Message;

/// The objects that the groups of a message name.
pub fn spoken(
    document: &Document,
    finder: &Finder<'_>,
    entry: &Entry,
    message: &Message,
) -> Vec<ObjectSpoken> {
    let all = Catalogue::shared().groups(entry, message);
    let objects = all.iter().flat_map(|groups| {
        let found = match (groups.get("type"), entry.types.is_empty()) {
            (None, true) => groups.get("name").map(|name| finder.named(name).collect()).unwrap_or_default(),
            _ => named(document, &types_of(entry, groups), groups.get("name")),
        };
        found.into_iter().map(|object| told(object, entry, groups)).collect::<Vec<_>>()
    });
    objects.collect()
}

/// The types that a message speaks of: the one that it names, or those that its kind has.
pub fn types_of<'a>(entry: &'a Entry, groups: &'a Groups) -> Vec<&'a str> {
    match groups.get("type") {
        Some(one) => vec![one],
        None => entry.types.iter().map(String::as_str).collect(),
    }
}

/// Objects of these types by their name, or where a type has no names by the first value; without a name, the only object of a type.
pub fn named<'a>(document: &'a Document, types: &[&str], name: Option<&str>) -> Vec<Object<'a>> {
    let mut found = Vec::new();
    for type_name in types {
        let Some(name) = name else {
            let mut all = document.of_type(type_name);
            if let (Some(only), None) = (all.next(), all.next()) {
                found.push(only);
            }
            continue;
        };
        let has_names = document.schema().get(type_name).is_some_and(|about| about.named);
        if has_names {
            found.extend(document.all_named(type_name, name));
        } else {
            let same = |object: &Object<'_>| {
                object.value(0).trim().eq_ignore_ascii_case(name) || numbered(object, name)
            };
            found.extend(document.of_type(type_name).filter(same));
        }
    }
    found
}

/// True if the program made up this name, `Timestep 1`, for the object, which has none and is the only one of its type.
fn numbered(object: &Object<'_>, name: &str) -> bool {
    let number = name.get(object.type_name().len()..).and_then(|rest| rest.trim().parse::<usize>().ok());
    let begins = name.get(..object.type_name().len());
    if !begins.is_some_and(|begins| begins.eq_ignore_ascii_case(object.type_name())) {
        return false;
    }
    let Some(number) = number.and_then(|number| number.checked_sub(1)) else { return false };
    let nth = object.document().of_type(object.type_name()).nth(number);
    nth.is_some_and(|nth| nth.handle() == object.handle())
}

/// The position of the field that a message speaks of: by its name, or where another holds the value, that one.
pub fn position(object: Object<'_>, field: Option<&str>, value: Option<&str>) -> Option<usize> {
    let about = object.about()?;
    let named = field.and_then(|field| by_path(object, field));
    let Some(value) = value.map(str::trim).filter(|value| !value.is_empty()) else { return named };
    let holds = |at: &usize| object.value(*at).trim().eq_ignore_ascii_case(value);
    let skipped = usize::from(about.named);
    named.filter(holds).or_else(|| (skipped..object.len()).find(holds)).or(named)
}

/// The position of `vertices][2][vertex_x_coordinate`, as the program writes the way to a field, or of a field by its name.
fn by_path(object: Object<'_>, path: &str) -> Option<usize> {
    let about = object.about()?;
    let parts: Vec<&str> = path.split("][").map(|part| part.trim_matches(['[', ']'])).collect();
    match parts.as_slice() {
        [group, number, field] => {
            let extensible = about.extensible.as_ref().filter(|own| own.key.eq_ignore_ascii_case(group))?;
            let at = extensible.fields.iter().position(|own| own.key.eq_ignore_ascii_case(field))?;
            let number: usize = number.parse().ok().filter(|number| *number < 1_000_000)?;
            Some(about.fields.len() + number * extensible.fields.len() + at)
        }
        [field] => about.position(field),
        _ => None,
    }
}

fn told(object: Object<'_>, entry: &Entry, groups: &Groups) -> ObjectSpoken {
    let field = groups.get("field").or(entry.field.as_deref());
    let at = position(object, field, groups.get("value"));
    let named = at.and_then(|at| object.about()?.field_at(at).map(|(field, group)| field.name_in(group)));
    ObjectSpoken {
        object_type: object.type_name().to_owned(),
        name: object.label(),
        value: at.map(|at| object.value(at).to_owned()).filter(|value| !value.is_empty()),
        field: named,
    }
}
