//! Faults put into words: what was found, what is due, and what to do.

use super::walk::{Fault, FaultKind, NO_ATTRIBUTE};
use super::{Finding, FindingCode, guids};
use ifc::parts::Source;
use ifc::schema::{Attribute, Kind, Schema, near};
use ifc::step::Cursor;
use ifc::step::text;
use ifc::{Id, Instance};

/// Words of an enumeration or leaves of a select that are named.
const NAMED: usize = 12;

/// The kind of finding that a fault is.
pub(super) fn code(kind: FaultKind) -> FindingCode {
    match kind {
        FaultKind::UnknownClass => FindingCode::UnknownClass,
        FaultKind::Abstract => FindingCode::Abstract,
        FaultKind::Count(_) => FindingCode::AttributeCount,
        FaultKind::Unreadable(_) | FaultKind::Directive => FindingCode::Syntax,
        FaultKind::Missing => FindingCode::Missing,
        FaultKind::NotDerived => FindingCode::Derived,
        FaultKind::Type | FaultKind::TypeName => FindingCode::Type,
        FaultKind::Members(_) | FaultKind::Characters(..) | FaultKind::Bits(..) => FindingCode::Bounds,
        FaultKind::Twice => FindingCode::Unique,
        FaultKind::Word => FindingCode::Enumeration,
        FaultKind::Dangling(_) | FaultKind::WrongClass(_) => FindingCode::Reference,
        FaultKind::GlobalId => FindingCode::GlobalId,
    }
}

/// The finding of a fault. `changed` is the text that was walked over, where that is not the file's.
pub(super) fn finding(instance: &Instance<'_>, changed: Option<&str>, fault: Fault) -> Finding {
    let base = instance.model().base();
    let attribute = instance
        .entity()
        .filter(|_| fault.attribute != NO_ATTRIBUTE)
        .and_then(|entity| entity.attributes.get(usize::from(fault.attribute)).copied());
    let (text, place) = match (changed, instance.source()) {
        (None, Source::Base(row)) => {
            let start = base.span(row).map_or(0, |(start, _)| start);
            (base.text(row), Some(base.place(start + fault.at)))
        }
        _ => (changed.unwrap_or_default().as_bytes(), None),
    };
    let message = message(instance, attribute, text, fault);
    let mut finding = Finding::of_instance(code(fault.kind), instance, message);
    if let Some((line, column)) = place {
        (finding.line, finding.column) = (line, column);
    }
    match attribute {
        Some(attribute) => finding.about(attribute.name),
        None => finding,
    }
}

fn message(
    instance: &Instance<'_>,
    attribute: Option<&'static Attribute>,
    text: &[u8],
    fault: Fault,
) -> String {
    let model = instance.model();
    let (id, class) = (instance.id(), instance.class_name());
    let subject = match attribute {
        Some(attribute) => format!("{id} ({class}.{})", attribute.name),
        None => format!("{id} ({class})"),
    };
    let declared = attribute.map_or("", |attribute| attribute.declared);
    let found = excerpt(text, fault.at);
    let or_nothing = if attribute.is_some_and(|attribute| attribute.optional) { ", or $" } else { "" };
    match fault.kind {
        FaultKind::UnknownClass => {
            let near = model.schema().near_entities(class, 3);
            let near =
                if near.is_empty() { String::new() } else { format!(" (near it: {})", near.join(", ")) };
            format!("{id}: {class} is no class of {}{near}; use one that it has", model.schema().name())
        }
        FaultKind::Abstract => {
            format!("{id}: {class} is abstract; use one of its subtypes{}", subtypes(instance))
        }
        FaultKind::Count(count) => {
            let due = instance.entity().map_or(0, |entity| entity.attributes.len());
            format!("{id}: {class} has {due} attributes, not {count}; {}", count_advice(instance, count, due))
        }
        FaultKind::Unreadable(why) => format!("{subject}: {why}"),
        FaultKind::Directive => format!(
            "{subject} has a \\ in {found} that begins no control directive such as \\X2\\00E4\\X0\\ (ISO 10303-21, 6.4.3); \
             double it"
        ),
        FaultKind::Missing => {
            format!("{subject} is $, but {declared} is due and not optional; give it a value")
        }
        FaultKind::NotDerived => {
            format!("{subject} is {found}, but {class} derives it from other attributes; write *")
        }
        FaultKind::Type if found == "*" => {
            format!(
                "{subject} is *, but {class} does not derive it; write {}{or_nothing}",
                a(model.schema(), attribute)
            )
        }
        FaultKind::Type => {
            format!(
                "{subject} has {found}, {}, where {declared} is due; write {}{or_nothing}",
                kind_of(&found),
                a(model.schema(), attribute)
            )
        }
        FaultKind::TypeName => {
            let leaves = attribute.map_or(String::new(), |attribute| leaves(attribute.kind));
            format!("{subject} has {found}, whose type is none of {declared}{leaves}")
        }
        FaultKind::Members(count) => {
            format!("{subject} has {count} members, but {declared} is due; {}", members_advice(attribute))
        }
        FaultKind::Characters(count, width) if width.fixed => {
            format!("{subject} has {count} characters, but its type has {} (STRING{width})", width.most)
        }
        FaultKind::Characters(count, width) => format!(
            "{subject} has {count} characters, but a label or identifier takes at most {} (STRING{width}); shorten it, \
             or put the long text where IfcText is due",
            width.most
        ),
        FaultKind::Bits(count, width) => {
            format!("{subject} has {count} bits, but its type takes at most {} (BINARY{width})", width.most)
        }
        FaultKind::Twice => {
            format!(
                "{subject} has {found} more than once, but {declared} is due; leave it out the second time"
            )
        }
        FaultKind::Word => {
            format!("{subject} is {found}, which {declared} does not have{}", words(attribute, &found))
        }
        FaultKind::Dangling(target) => format!("{subject} refers to #{target}, which does not exist"),
        FaultKind::WrongClass(target) => {
            let other = model.get(Id(target)).map_or("nothing", |instance| instance.class_name());
            let leaves = attribute.map_or(String::new(), |attribute| leaves(attribute.kind));
            format!("{subject} refers to #{target}, an {other}, where {declared} is due{leaves}")
        }
        FaultKind::GlobalId => {
            let raw = found.trim_matches('\'');
            format!(
                "{subject} is {found}, which is no GlobalId: {}; 22 of 0-9 A-Z a-z _ $ are due, the first 0 to 3",
                guids::fault(&text::decode(raw.as_bytes()))
            )
        }
    }
}

/// The value at a place, cut short.
fn excerpt(text: &[u8], at: usize) -> String {
    const MOST: usize = 60;
    let mut cursor = Cursor::new(text, at);
    let _ = cursor.skip_value();
    let value = text.get(at..cursor.at()).unwrap_or_default().trim_ascii_end();
    let shown = String::from_utf8_lossy(value.get(..MOST.min(value.len())).unwrap_or_default());
    let plain: String = shown.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    if value.len() > MOST { format!("{plain}…") } else { plain }
}

/// The kind of value that a text is, in words.
fn kind_of(text: &str) -> &'static str {
    let rest = text.trim_start_matches(['+', '-']);
    match text.as_bytes().first() {
        Some(b'\'') => "a text",
        Some(b'#') => "a reference",
        Some(b'(') => "a list",
        Some(b'"') => "a binary",
        Some(b'$') => "nothing",
        Some(b'*') => "a derived value",
        Some(b'.') if matches!(text, ".T." | ".F.") => "a boolean",
        Some(b'.') if text == ".U." => "a logical",
        Some(b'.') => "an enumeration item",
        Some(b'A'..=b'Z' | b'a'..=b'z') => "a typed value",
        _ if rest.contains(['.', 'E', 'e']) => "a real",
        _ => "a whole number",
    }
}

/// The form of value to write for an attribute, in words.
fn a(schema: &Schema, attribute: Option<&'static Attribute>) -> String {
    fn form(schema: &Schema, kind: Kind, depth: usize) -> String {
        match kind {
            Kind::Number => "a number with a point, such as 1.".to_owned(),
            Kind::Integer => "a whole number".to_owned(),
            Kind::Text => "a text between apostrophes".to_owned(),
            Kind::Boolean => ".T. or .F.".to_owned(),
            Kind::Logical => ".T., .F. or .U.".to_owned(),
            Kind::Binary => "a binary between double quotes".to_owned(),
            Kind::Enumeration(items) => format!("one of {}", list(items, ".")),
            Kind::Entity(class) => format!("a reference to an {class}"),
            Kind::Select(leaves) => select(schema, leaves),
            Kind::List(_) if depth > 3 => "a list".to_owned(),
            Kind::List(list) => format!("a list, each member {}", form(schema, list.of, depth + 1)),
        }
    }
    attribute.map_or_else(String::new, |attribute| form(schema, attribute.kind, 0))
}

fn select(schema: &Schema, leaves: &[&str]) -> String {
    let (classes, types): (Vec<&str>, Vec<&str>) =
        leaves.iter().partition(|leaf| schema.entity(leaf).is_some());
    let reference = || format!("a reference to one of {}", list(&classes, ""));
    let typed = || {
        let label = types.iter().find(|name| **name == "IfcLabel");
        let example = match label.or(types.first()) {
            Some(name) => format!("{}(…)", name.to_ascii_uppercase()),
            None => String::new(),
        };
        format!("a value with its type, such as {example}, of {}", list(&types, ""))
    };
    match (classes.is_empty(), types.is_empty()) {
        (false, false) => format!("{} or {}", reference(), typed()),
        (false, true) => reference(),
        _ => typed(),
    }
}

fn leaves(kind: Kind) -> String {
    match kind {
        Kind::Select(leaves) => format!(": {}", list(leaves, "")),
        Kind::List(list) => leaves(list.of),
        _ => String::new(),
    }
}

fn list(items: &[&str], around: &str) -> String {
    let mut text =
        items.iter().take(NAMED).map(|item| format!("{around}{item}{around}")).collect::<Vec<_>>().join(", ");
    if items.len() > NAMED {
        text.push_str(", …");
    }
    text
}

fn words(attribute: Option<&'static Attribute>, found: &str) -> String {
    fn items(kind: Kind) -> &'static [&'static str] {
        match kind {
            Kind::Enumeration(items) => items,
            Kind::List(list) => items(list.of),
            _ => &[],
        }
    }
    let items = attribute.map_or(&[][..], |attribute| items(attribute.kind));
    let word = found.trim_matches('.');
    let near = near(word, items.iter().copied(), 2);
    if near.is_empty() {
        format!("; use one of {}", list(items, "."))
    } else {
        format!("; near it: {}", list(&near, "."))
    }
}

fn subtypes(instance: &Instance<'_>) -> String {
    let Some(entity) = instance.entity() else { return String::new() };
    let names: Vec<&str> = instance
        .model()
        .schema()
        .subtypes(entity.id)
        .iter()
        .filter(|sub| !sub.is_abstract)
        .map(|sub| sub.name)
        .collect();
    if names.is_empty() { String::new() } else { format!(": {}", list(&names, "")) }
}

fn count_advice(instance: &Instance<'_>, count: usize, due: usize) -> String {
    let Some(entity) = instance.entity() else { return String::new() };
    if count < due {
        let lacking: Vec<&str> = entity.attributes.iter().skip(count).map(|a| a.name).collect();
        format!("add {} (or $ where optional)", list(&lacking, ""))
    } else {
        let last = entity.attributes.last().map_or("the parenthesis", |attribute| attribute.name);
        format!("nothing stands behind {last}; was the file written for another schema?")
    }
}

fn members_advice(attribute: Option<&'static Attribute>) -> String {
    match attribute {
        Some(Attribute { optional: true, kind: Kind::List(list), .. }) if list.min > 0 => {
            "write $ where there are none".to_owned()
        }
        _ => "give as many as are due".to_owned(),
    }
}
