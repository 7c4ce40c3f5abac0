//! Checks what objects are together: names that two have, and types that may occur once.

use super::{Code, Finding, Severity};
use crate::idf::{Document, Object};
use crate::schema::ObjectType;
use foldhash::HashMap;

/// Lists whose members share one space of names, whatever their types.
const SHARED: [&str; 4] = ["ScheduleNames", "ConstructionNames", "MaterialName", "AllHeatTranSurfNames"];

/// Beginnings of types whose names EnergyPlus holds apart, whatever the rest of the type.
const ALIKE: [&str; 4] = ["Coil:", "Boiler:", "Chiller:", "Curve:"];

/// Adds what is wrong with the names.
pub fn check(document: &Document, found: &mut Vec<Finding>, wanted: impl Fn(Object<'_>) -> bool) {
    let schema = document.schema();
    let mut seen: HashMap<(u32, String), Object<'_>> = HashMap::default();
    let mut unique: HashMap<u32, Object<'_>> = HashMap::default();
    // the types of a shared space count as its first
    let mut spaces: HashMap<u32, u32> = HashMap::default();
    for list in SHARED {
        let members = schema.members(list).map(|members| members.fields.as_slice()).unwrap_or_default();
        let first = members.first().map_or(0, |member| member.0);
        for (number, position) in members {
            if *position == 0 {
                spaces.entry(*number).or_insert(first);
            }
        }
    }
    for start in ALIKE {
        let mut first = None;
        for (number, _) in (0_u32..).zip(schema.types()).filter(|(_, about)| about.name.starts_with(start)) {
            spaces.entry(number).or_insert(*first.get_or_insert(number));
        }
    }
    for object in document.objects() {
        let (Some(about), Some(number)) = (object.about(), object.type_number()) else { continue };
        if about.unique {
            if let Some(first) = unique.get(&number) {
                if wanted(object) {
                    let message = format!(
                        "A model has at most one {}; this is another than {}{}. Remove one of them.",
                        about.name,
                        first.label(),
                        at_line(*first)
                    );
                    found.push(finding(object, Code::NotUnique, None, message));
                }
            } else {
                unique.insert(number, object);
            }
        }
        if !about.named || object.name().is_empty() {
            continue;
        }
        let space = spaces.get(&number).copied().unwrap_or(number);
        let key = (space, object.name().to_ascii_lowercase());
        if let Some(first) = seen.get(&key) {
            if wanted(object) {
                let message = format!(
                    "{} `{}`: another object has this name, a {}{}. Rename one of them.",
                    about.name,
                    object.name(),
                    first.type_name(),
                    at_line(*first)
                );
                found.push(finding(object, Code::DuplicateName, Some("Name"), message));
            }
        } else {
            seen.insert(key, object);
        }
    }
}

/// The object that has this name in the space of names of a type.
pub fn taken<'a>(document: &'a Document, about: &ObjectType, name: &str) -> Option<Object<'a>> {
    let schema = document.schema();
    let own = schema.number(&about.name)?;
    let shared = SHARED.iter().filter_map(|list| schema.members(list)).map(|members| &members.fields);
    let space = shared.filter(|members| members.contains(&(own, 0))).flatten().map(|member| member.0);
    let types = std::iter::once(own).chain(space).filter_map(|number| schema.type_at(number));
    let found = types.flat_map(|other| document.all_named(&other.name, name));
    found.min_by_key(Object::handle)
}

fn at_line(object: Object<'_>) -> String {
    object.line().map(|line| format!(" on line {line}")).unwrap_or_default()
}

fn finding(object: Object<'_>, code: Code, field: Option<&str>, message: String) -> Finding {
    Finding {
        severity: Severity::Error,
        code,
        handle: Some(object.handle()),
        object_type: object.type_name().to_owned(),
        name: object.label(),
        field: field.map(str::to_owned),
        value: field.map(|_| object.name().to_owned()),
        allowed: None,
        suggestion: None,
        message,
    }
}
