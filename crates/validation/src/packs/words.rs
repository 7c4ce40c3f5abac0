//! The words of findings: what things are called, what was found of them, and what can be done.

use super::context::Context;
use super::evaluate::Failure;
use super::kind::Item;
use super::rule::Rule;
use super::value::Value;
use std::collections::BTreeMap;

/// The name of a thing: its kind and name, with its storey where that helps to find it.
pub(super) fn label(context: &Context<'_>, item: Item) -> String {
    match item {
        Item::Building => "the building".to_owned(),
        Item::Storey(number) => {
            let storey = context.subject.layout.rooms.storeys.get(number);
            storey.map_or_else(|| "a storey".to_owned(), |storey| format!("storey {}", storey.name))
        }
        Item::Room(number) => {
            context.room(number).map_or_else(|| "a room".to_owned(), |r| format!("room {}", r.label()))
        }
        _ => context.element(item).map_or_else(|| "an element".to_owned(), |id| name(context, id)),
    }
}

/// The name of an element: its class in words, and its name or GlobalId.
pub(super) fn name(context: &Context<'_>, id: ifc::Id) -> String {
    let Some(instance) = context.model().get(id) else { return "an element".to_owned() };
    // names of classes are in capitals in many files, but not in the schema
    let class = instance.entity().map_or_else(|| instance.class_name(), |entity| entity.name);
    let name = instance.name().filter(|name| !name.trim().is_empty());
    let name = name.or_else(|| instance.guid()).unwrap_or_default();
    format!("{} {name}", spaced(class.trim_start_matches("Ifc")))
}

/// `StairFlight` → `stair flight`.
fn spaced(class: &str) -> String {
    let class = class.strip_suffix("StandardCase").unwrap_or(class);
    let mut words = String::new();
    for c in class.chars() {
        if c.is_uppercase() && !words.is_empty() {
            words.push(' ');
        }
        words.extend(c.to_lowercase());
    }
    words
}

/// The message of a finding: the value found and the value due.
pub(super) fn message(context: &Context<'_>, failure: &Failure, rule: &Rule) -> String {
    let name = capital(&label(context, failure.item));
    let (value, required) = (&failure.reading.value, &failure.required);
    let place = place(context, failure);
    let mut message =
        format!("{name}{place}: {} is {value}; {} asks for {required}.", failure.label, rule.title);
    if let Some(detail) = &failure.reading.detail {
        message.push(' ');
        message.push_str(detail);
    }
    message
}

fn place(context: &Context<'_>, failure: &Failure) -> String {
    if let Some(room) = failure.reading.room.and_then(|number| context.room(number))
        && !matches!(failure.item, Item::Room(_))
    {
        return format!(" (room {})", room.label());
    }
    let storey = context.storey(failure.item).filter(|_| !matches!(failure.item, Item::Storey(_)));
    let storey = storey.and_then(|number| context.subject.layout.rooms.storeys.get(number));
    storey.filter(|s| !s.name.is_empty()).map(|s| format!(" ({})", s.name)).unwrap_or_default()
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// The remedy of a finding, with what was found put in the place of the names in braces.
pub(super) fn suggestion(
    context: &Context<'_>,
    failure: &Failure,
    rule: &Rule,
    parameters: &BTreeMap<String, Value>,
) -> String {
    let mut text = String::new();
    let mut rest = rule.suggestion.as_str();
    while let Some((before, after)) = rest.split_once('{') {
        text.push_str(before);
        let Some((name, after)) = after.split_once('}') else {
            text.push('{');
            rest = after;
            continue;
        };
        match name {
            "element" => text.push_str(&label(context, failure.item)),
            "measured" => text.push_str(&failure.reading.value.to_string()),
            "required" => text.push_str(&failure.required.to_string()),
            "room" => {
                let room = failure.reading.room.and_then(|number| context.room(number));
                text.push_str(&room.map_or_else(|| "the room".to_owned(), spatial::Room::label));
            }
            other => {
                if let Some(value) = parameters.get(other) {
                    text.push_str(&value.to_string());
                }
            }
        }
        rest = after;
    }
    text.push_str(rest);
    text
}
