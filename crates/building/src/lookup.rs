//! Finding what an agent means: a GlobalId, a UUID, or a name where only one element bears it. What is not found comes
//! back as a Fault with the nearest names, so that the next call is right.

use contract::{Fault, FaultCode};
use ifc::{Id, Model, Value};

/// The most candidates a Fault lists.
const CANDIDATES: usize = 10;

/// The element meant by `text` among the classes given (with their subtypes). `field` names the parameter, `noun` is
/// the word for such an element in messages.
pub fn element(model: &Model, field: &str, text: &str, classes: &[&str], noun: &str) -> Result<Id, Fault> {
    let text = text.trim();
    if let Some(id) = model.by_guid(text) {
        let Some(found) = model.get(id) else { return Err(Fault::no_element(text).with("field", field)) };
        if classes.iter().any(|class| found.is_a(class)) {
            return Ok(id);
        }
        return Err(Fault::invalid(
            field,
            format!(
                "`{field}` must be {noun}, but {text} is an {} ({}). Give the id or name of {noun}.",
                found.class_name(),
                label(model, id)
            ),
        )
        .with("class", found.class_name()));
    }
    let all: Vec<Id> = classes.iter().flat_map(|class| model.of_class(class)).collect();
    let mut named: Vec<(Id, String)> =
        all.iter().filter_map(|id| Some((*id, model.get(*id)?.name()?))).collect();
    // rooms have a number as their name, and are called by what they are
    named.extend(all.iter().filter_map(|id| Some((*id, model.get(*id)?.text("LongName")?))));
    let exact: Vec<Id> = named.iter().filter(|(_, name)| name == text).map(|(id, _)| *id).collect();
    let loose = || -> Vec<Id> {
        let wanted = text.to_lowercase();
        named.iter().filter(|(_, name)| name.to_lowercase() == wanted).map(|(id, _)| *id).collect()
    };
    let mut matches = if exact.is_empty() { loose() } else { exact };
    matches.sort_unstable();
    matches.dedup();
    if matches.len() > 1 {
        // an opening often bears the name of what fills it, and is not what is spoken of
        let is_feature = |id: &Id| model.get(*id).is_some_and(|found| found.is_a("IfcFeatureElement"));
        let (features, others): (Vec<Id>, Vec<Id>) = matches.iter().copied().partition(is_feature);
        if !features.is_empty() && !others.is_empty() {
            matches = others;
        }
    }
    match matches.as_slice() {
        [one] => Ok(*one),
        [] if is_selector(text) => selected(model, field, text, classes, noun),
        [] => Err(missing(model, field, text, noun, &all, &named)),
        several => Err(Fault::invalid(
            field,
            format!("{} elements are named {text}; give `{field}` as one of their ids.", several.len()),
        )
        .with("candidates", listed(model, several))),
    }
}

/// True of a text that selects rather than names: a class of the schema, or with the marks of a selector.
fn is_selector(text: &str) -> bool {
    text.starts_with("Ifc") && ifc::Selector::parse(text).is_ok()
}

/// The one element that a selector selects, where it is one of these classes.
fn selected(model: &Model, field: &str, text: &str, classes: &[&str], noun: &str) -> Result<Id, Fault> {
    let invalid = |message: String| Fault::invalid(field, message);
    let selector = ifc::Selector::parse(text).map_err(|error| invalid(format!("`{field}`: {error}.")))?;
    let mut found = selector.run(model);
    found.retain(|id| model.get(*id).is_some_and(|found| classes.iter().any(|class| found.is_a(class))));
    match found.as_slice() {
        [one] => Ok(*one),
        [] => Err(Fault::new(
            FaultCode::ElementNotFound,
            format!("`{field}`: {text} selects no {noun} of this model."),
        )
        .with("field", field)
        .with("element_id", text)),
        several => Err(invalid(format!(
            "`{field}`: {text} selects {} elements; give one of them by its id or name.",
            several.len()
        ))
        .with("candidates", listed(model, several))),
    }
}

/// The storey meant by `level_id`.
pub fn storey(model: &Model, field: &str, text: &str) -> Result<Id, Fault> {
    if model.of_class("IfcBuildingStorey").is_empty() {
        return Err(Fault::constraint(
            "This model has no storey yet. Make one with create_level, then give its id or name as level_id.",
        )
        .with("field", field));
    }
    element(model, field, text, &["IfcBuildingStorey"], "a storey")
}

/// The product meant by `element_id`: anything that stands somewhere.
pub fn product(model: &Model, field: &str, text: &str) -> Result<Id, Fault> {
    element(model, field, text, &["IfcProduct"], "an element of the building")
}

fn missing(model: &Model, field: &str, text: &str, noun: &str, all: &[Id], named: &[(Id, String)]) -> Fault {
    let near = near(text, named.iter().map(|(_, name)| name.as_str()));
    let hint = match near.first() {
        Some(first) => format!("Did you mean {first}?"),
        None if all.len() <= CANDIDATES && !named.is_empty() => {
            let names: Vec<&str> = named.iter().map(|(_, name)| name.as_str()).collect();
            format!("There are {}.", names.join(", "))
        }
        None => "Find ids with query_elements.".to_owned(),
    };
    let fault = Fault::new(
        FaultCode::ElementNotFound,
        format!("`{field}`: {text} is neither the id nor the name of {noun} in this model. {hint}"),
    )
    .with("field", field)
    .with("element_id", text);
    let shown: Vec<Id> = if near.is_empty() {
        // a few of many would say nothing
        if all.len() <= CANDIDATES { all.to_vec() } else { Vec::new() }
    } else {
        named.iter().filter(|(_, name)| near.contains(name)).map(|(id, _)| *id).take(CANDIDATES).collect()
    };
    fault.with("near_matches", near).with("candidates", listed(model, &shown))
}

/// The names most like `text`, best first, at most five.
pub fn near<'a>(text: &str, names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let wanted = text.to_lowercase();
    let mut scored: Vec<(f64, &str)> = names
        .map(|name| {
            let lower = name.to_lowercase();
            let part = !wanted.is_empty() && (lower.contains(&wanted) || wanted.contains(&lower));
            (strsim::jaro_winkler(&wanted, &lower) + if part { 0.1 } else { 0.0 }, name)
        })
        .filter(|(score, _)| *score > 0.8)
        .collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    scored.dedup_by(|a, b| a.1 == b.1);
    scored.into_iter().take(5).map(|(_, name)| name.to_owned()).collect()
}

fn listed(model: &Model, ids: &[Id]) -> Vec<serde_json::Value> {
    ids.iter()
        .take(CANDIDATES)
        .filter_map(|id| model.get(*id))
        .map(|e| serde_json::json!({ "id": e.guid(), "class": e.class_name(), "name": e.name() }))
        .collect()
}

/// A name to speak of an element by: its own, else its id in the file.
pub fn label(model: &Model, id: Id) -> String {
    model.get(id).and_then(|e| e.name()).filter(|name| !name.is_empty()).unwrap_or_else(|| id.to_string())
}

/// The GlobalId of an element; empty where it has none.
pub fn guid(model: &Model, id: Id) -> String {
    model.get(id).and_then(|e| e.guid()).unwrap_or_default()
}

/// Returns an element of a class that bears a name already.
pub fn bearing(model: &Model, class: &str, name: &str) -> Option<Id> {
    model.of_class(class).into_iter().find(|id| model.get(*id).is_some_and(|e| e.says("Name", name)))
}

/// The items of an enumeration attribute in the model's schema; empty where there is none.
pub fn enumeration(model: &Model, class: &str, attribute: &str) -> Vec<&'static str> {
    let kind = model
        .schema()
        .entity(class)
        .and_then(|entity| entity.attributes.iter().find(|a| a.name == attribute))
        .map(|a| a.kind);
    match kind {
        Some(ifc::Kind::Enumeration(items)) => items.to_vec(),
        _ => Vec::new(),
    }
}

/// Returns the next name that no element of a class bears, such as `Wall 4`.
pub fn free_name(model: &Model, class: &str, noun: &str) -> String {
    numbered(model, class, noun, model.count_names(class, ""))
}

/// Returns the next name that begins with a noun and that no element of a class bears; for classes of things of many kinds, each
/// counted for itself.
pub fn next_name(model: &Model, class: &str, noun: &str) -> String {
    numbered(model, class, noun, model.count_names(class, &format!("{noun} ")))
}

/// The first free name of a noun and a number above this.
fn numbered(model: &Model, class: &str, noun: &str, known: usize) -> String {
    let mut number = known + 1;
    loop {
        let candidate = format!("{noun} {number}");
        if !model.is_name_taken(class, &candidate) {
            return candidate;
        }
        number += 1;
    }
}

/// Returns the item of the attribute PredefinedType of an element's type, else of its own.
pub fn predefined_type(model: &Model, id: Id) -> Option<String> {
    stated(model, id, &["PredefinedType"])
}

/// Returns the item of the first of these enumerations that an element's type states, else the element itself; an occurrence
/// does not repeat what its type says.
pub fn stated(model: &Model, id: Id, attributes: &[&str]) -> Option<String> {
    let owners = [ifc::relations::type_of(model, id), Some(id)];
    owners.into_iter().flatten().filter_map(|owner| model.get(owner)).find_map(|owner| {
        attributes.iter().find_map(|name| match owner.attr(name) {
            Value::Enum(item) if item != "NOTDEFINED" => Some(item),
            _ => None,
        })
    })
}
