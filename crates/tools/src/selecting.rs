//! Selectors that agents write, and what they come to. That no element matched and that there is no such name are two answers: a
//! class, attribute, property, storey, type, material or GlobalId that does not exist is a Fault with near names, and where nothing
//! matched the answer says which comparison failed and which values there are.

use crate::IfcCall;
use crate::computed::Computed;
use crate::elements::id_of;
use crate::fields::{Field, Names, Reading};
use building::categories;
use contract::Fault;
use ifc::relations::Links;
use ifc::selector::{Asked, Computes, Datum, KEYS, Step, Subject};
use ifc::{Id, Model, guid, psets};
use std::collections::{BTreeMap, BTreeSet};

/// Values of a property that are listed where none of them matched.
const LISTED: usize = 8;

/// The elements that a selector chooses, with remarks on it.
pub struct Selected {
    /// In the order of their numbers.
    pub elements: Vec<Id>,
    /// Why nothing, or perhaps too much, was found.
    pub notes: Vec<String>,
}

/// Chooses elements by a selector; a Fault where it cannot be read or names what does not exist.
pub fn select(model: &Model, text: &str) -> Result<Selected, Fault> {
    select_as(&Reading::of_model(model), text, true)
}

/// The same in the model as a call left it by now.
pub fn select_in(call: &IfcCall, text: &str) -> Result<Selected, Fault> {
    select_as(&Reading::new(call), text, true)
}

/// Says in which unit lengths of the file are compared, where a selector compares one and it is not mm.
fn unit_of_comparison(model: &Model, text: &str, asked: &[Asked<'_>]) -> Option<String> {
    const LENGTHS: [&str; 8] =
        ["Width", "Height", "Length", "Depth", "Thickness", "Elevation", "Perimeter", "Radius"];
    let is_length = |name: &str| LENGTHS.iter().any(|length| name.ends_with(length));
    let compares = asked.iter().any(|asked| match asked.subject() {
        Subject::Attribute(name) | Subject::Property { name: Some(name), .. } => is_length(name),
        _ => false,
    });
    let units = ifc::Units::from_model(model);
    let unit = units.length_label();
    (compares && text.contains(['<', '>']) && unit != "mm").then(|| {
        format!("Lengths that the file states are compared in its unit, {unit}; computed ones in mm.")
    })
}

/// The same; where it is not `strict`, a comparison that all pass because nothing has the property is only remarked upon.
pub(crate) fn select_as(reading: &Reading<'_>, text: &str, strict: bool) -> Result<Selected, Fault> {
    let model = reading.model();
    let classes = building::categories::classes(text.trim()).map(|classes| classes.join(" + "));
    let selector = parse(model, classes.as_deref().unwrap_or(text))?;
    let mut notes = Vec::new();
    notes.extend(classes.map(|classes| format!("`{}` was read as {classes}.", text.trim())));
    for class in selector.classes().filter(|class| model.schema().entity(class).is_none()) {
        notes.push(format!("{} has no class {class}; other schemas do.", model.schema().version()));
    }
    let elements = selector.run_with(model, reading);
    let links = Links::of_many(model);
    let asked = selector.asked();
    if asked.is_empty() {
        return Ok(Selected { elements, notes });
    }
    notes.extend(unit_of_comparison(model, text, &asked));
    // with one list, what was found shows that every name of a comparison that wants a value is right
    let proven = selector.lists() == 1 && !elements.is_empty();
    let mut begun: Option<Vec<Id>> = None;
    for filter in &asked {
        if proven && filter.is_positive() {
            continue;
        }
        let begun = begun.get_or_insert_with(|| selector.unfiltered(model));
        let of_classes = of_classes(model, filter, begun);
        if let Some(note) = name(&links, filter, &of_classes, strict)? {
            notes.push(note);
        }
    }
    if elements.is_empty() && selector.lists() == 1 {
        let begun = begun.unwrap_or_else(|| selector.unfiltered(model));
        notes.extend(unmatched(reading, &asked, &begun));
    }
    let mut told: Vec<&str> = asked.iter().filter_map(computed).collect();
    told.sort_unstable();
    told.dedup();
    for name in told {
        let field = Field::parse(name, "selector")?;
        let looked_at = Computed::named(name).map(|field| reading.looked_at(field)).unwrap_or_default();
        notes.extend(reading.grounds(&field, &looked_at));
    }
    Ok(Selected { elements, notes })
}

/// The elements of a category (`doors`), a class or a selector, for which conditions hold. Faults name `field`.
pub(crate) fn of_category(
    reading: &Reading<'_>,
    category: &str,
    filters: &[String],
    field: &str,
) -> Result<Selected, Fault> {
    let category = category.trim();
    if let Some(classes) = categories::classes(category) {
        return of_classes_named(reading, classes, filters, field);
    }
    if !category.starts_with("Ifc") && category.len() < 40 && !category.contains(['#', ',', '=', '+']) {
        let words: Vec<&str> = categories::words().collect();
        let near = crate::near_matches(category, words.iter().copied());
        let message = format!(
            "`{category}` is no category. There are {}; or name a class such as IfcDoor.",
            words.join(", ")
        );
        return Err(Fault::invalid(field, message).with("near_matches", near));
    }
    if !filters.is_empty() && category.contains('+') {
        let message = "A selector with + has its conditions in each of its parts; leave `filters` out.";
        return Err(Fault::invalid("filters", message));
    }
    of_text(reading, &with_filters(category, filters), if filters.is_empty() { field } else { "filters" })
}

/// The same of several classes; those that the schema does not have find nothing.
pub(crate) fn of_classes_named(
    reading: &Reading<'_>,
    classes: &[&str],
    filters: &[String],
    field: &str,
) -> Result<Selected, Fault> {
    let is_known = |class: &&&str| reading.model().schema().entity(class).is_some();
    let lists: Vec<String> =
        classes.iter().filter(is_known).map(|class| with_filters(class, filters)).collect();
    if lists.is_empty() {
        return Ok(Selected { elements: Vec::new(), notes: Vec::new() });
    }
    of_text(reading, &lists.join(" + "), if filters.is_empty() { field } else { "filters" })
}

fn with_filters(list: &str, filters: &[String]) -> String {
    if filters.is_empty() { list.to_owned() } else { format!("{list}, {}", filters.join(", ")) }
}

fn of_text(reading: &Reading<'_>, selector: &str, field: &str) -> Result<Selected, Fault> {
    let mut found = select_as(reading, selector, true).map_err(|fault| match fault.data.get("field") {
        Some(of) if of == "selector" => fault.with("field", field),
        _ => fault,
    })?;
    let mut seen = BTreeSet::new();
    found.elements.retain(|id| seen.insert(*id));
    Ok(found)
}

/// The name of the value that a filter compares and no file states, if it does.
fn computed(filter: &Asked<'_>) -> Option<&'static str> {
    match filter.subject() {
        Subject::Computed(name) => Some(name),
        _ => None,
    }
}

/// A selector that an agent wrote, with its classes and GlobalIds looked up.
fn parse(model: &Model, text: &str) -> Result<ifc::Selector, Fault> {
    let selector = ifc::Selector::parse(text).map_err(|error| {
        Fault::invalid("selector", format!("The selector is wrong at {error}.")).with("at", error.at)
    })?;
    for class in selector.classes() {
        let schema = model.schema();
        let known = |version: ifc::SchemaVersion| version.schema().entity(class).is_some();
        if schema.entity(class).is_some() || ifc::SchemaVersion::ALL.into_iter().any(known) {
            continue;
        }
        let near = schema.near_entities(class, 5);
        let hint = near.first().map_or_else(String::new, |near| format!(" Did you mean {near}?"));
        let message = format!("{} has no class {class}.{hint}", schema.version());
        return Err(Fault::invalid("selector", message).with("near_matches", near));
    }
    if let Some(unknown) = selector.guids().find(|guid| model.by_guid(guid).is_none()) {
        return Err(Fault::no_element(unknown).with("field", "selector"));
    }
    Ok(selector)
}

/// Those of the elements that a filter looks at which are of the classes named before it.
fn of_classes(model: &Model, filter: &Asked<'_>, begun: &[Id]) -> Vec<Id> {
    if filter.classes.is_empty() {
        return begun.to_vec();
    }
    let is_of = |id: &&Id| model.get(**id).is_some_and(|i| filter.classes.iter().any(|class| i.is_a(class)));
    begun.iter().filter(is_of).copied().collect()
}

/// A Fault where a filter names what does not exist; a remark where the name is right and nothing here has it.
fn name(
    links: &Links<'_>,
    filter: &Asked<'_>,
    elements: &[Id],
    strict: bool,
) -> Result<Option<String>, Fault> {
    let model = links.model();
    let whom = whom(filter);
    let label = filter.label();
    match filter.subject() {
        Subject::Attribute(name) => {
            if has_attribute(model, &filter.classes, name) || elements.iter().any(|id| filter.has(links, *id))
            {
                return Ok(None);
            }
            let names = Names::from_elements(links, elements);
            let near = names.near(name);
            Err(unknown(format!("{whom} has no attribute {name}."), near))
        }
        Subject::Property { set, name } => {
            if elements.is_empty() || elements.iter().any(|id| filter.has(links, *id)) {
                return Ok(None);
            }
            // a regular expression is no name that could be wrong: nothing here answers to it
            let is_open = match (set, name) {
                (Some(_), Some(_)) => false,
                (None, Some(_)) => !elements.iter().any(|id| filter.has_set(links, *id)),
                (None, None) => true,
                (Some(_), None) => elements.iter().any(|id| filter.has_set(links, *id)),
            };
            if is_open {
                return Ok(Some(format!("No {whom} here has a property that {label} matches.")));
            }
            let standard = set.zip(name).is_some_and(|(set, name)| is_standard(model, set, name));
            if standard {
                return Ok(Some(format!("No {whom} here states {label}, which is a standard property.")));
            }
            let names = Names::from_elements(links, elements);
            let near = names.near(&label);
            if !strict && !filter.is_positive() {
                let near =
                    if near.is_empty() { String::new() } else { format!(" Near: {}.", near.join(", ")) };
                return Ok(Some(format!("No {whom} here has {label}, so that all pass.{near}")));
            }
            Err(unknown(format!("No {whom} has {label}."), near))
        }
        Subject::Relation(key) => {
            let Some(wanted) = filter.wanted_text() else { return Ok(None) };
            let all = named(links, key);
            if all.iter().any(|known| known == wanted) || guid::parse(wanted).is_some() {
                return Ok(None);
            }
            let near = crate::near_matches(wanted, all.iter().map(String::as_str));
            let thing = if key == "location" || key == "parent" { "place" } else { key };
            let near = if near.is_empty() { all.into_iter().take(LISTED).collect() } else { near };
            let thing = if thing == "part_of" { "whole" } else { thing };
            Err(unknown(format!("There is no {thing} called {wanted} in this model."), near))
        }
        Subject::Computed(_) => Ok(None),
        Subject::Path(path) => {
            let Some(Step::Key(first)) = path.steps.first() else { return Ok(None) };
            if elements.is_empty()
                || KEYS.contains(&first.as_str())
                || ["mat", "mats", "i", "item", "elevation"].contains(&first.as_str())
                || first.starts_with("rotation_")
                || elements.iter().any(|id| filter.has(links, *id))
            {
                return Ok(None);
            }
            let names = Names::from_elements(links, elements);
            if names.has(&path.to_string()) || names.has(first) {
                return Ok(None);
            }
            Err(unknown(format!("No {whom} has {path}."), names.near(&path.to_string())))
        }
    }
}

fn unknown(message: String, near: Vec<String>) -> Fault {
    let hint = near.first().map_or_else(String::new, |near| format!(" Did you mean {near}?"));
    Fault::invalid("selector", format!("{message}{hint}")).with("near_matches", near)
}

/// The elements that a filter looks at, in words.
fn whom(filter: &Asked<'_>) -> String {
    if filter.classes.is_empty() { "element".to_owned() } else { filter.classes.join(" or ") }
}

/// True if one of the classes, or of those below them, has the attribute in any schema; of products and their types where none is named.
fn has_attribute(model: &Model, classes: &[&str], name: &str) -> bool {
    let schema = model.schema();
    let roots: &[&str] = if classes.is_empty() { &["IfcProduct", "IfcTypeProduct"] } else { classes };
    schema.entities().iter().any(|entity| {
        roots.iter().any(|root| entity.is_a(schema, root))
            && (entity.index_of(name).is_some()
                || schema.inverses(entity).any(|inverse| inverse.name == name))
    })
}

/// True if a template of the model's schema has the set and the property.
pub(crate) fn is_standard(model: &Model, set: &str, name: &str) -> bool {
    psets::templates::find(model.schema().version(), set, name).is_some()
}

/// The names that a relation may lead to.
fn named(links: &Links<'_>, key: &str) -> Vec<String> {
    let model = links.model();
    let classes: &[&str] = match key {
        "type" => &["IfcTypeObject"],
        "material" => &["IfcMaterial"],
        "group" => &["IfcGroup"],
        "storey" => &["IfcBuildingStorey"],
        "space" => &["IfcSpace"],
        "location" => &["IfcSpatialStructureElement", "IfcSpatialElement"],
        "classification" => &["IfcClassificationReference"],
        _ => &["IfcObjectDefinition"],
    };
    let attributes: &[&str] = match key {
        "classification" => &["Identification", "ItemReference", "Name"],
        "material" => &["Name", "Category"],
        _ => &["Name"],
    };
    let ids = classes.iter().flat_map(|class| model.of_class(class));
    let texts = ids.filter_map(|id| model.get(id)).flat_map(|instance| {
        attributes.iter().filter_map(move |name| instance.text(name)).collect::<Vec<_>>()
    });
    texts.collect::<BTreeSet<String>>().into_iter().collect()
}

/// Says of filters that leave nothing over which values there are.
fn unmatched(reading: &Reading<'_>, asked: &[Asked<'_>], begun: &[Id]) -> Vec<String> {
    let (links, model) = (&reading.links, reading.model());
    let mut notes = Vec::new();
    if begun.is_empty() {
        let classes: Vec<&str> = asked.iter().flat_map(|filter| filter.classes.iter().copied()).collect();
        let first = classes.first().map_or("such element", |class| class);
        return vec![format!("There is no {first} in this model.")];
    }
    for filter in asked {
        let elements = of_classes(model, filter, begun);
        let by_shape = computed(filter).map(|name| reading.values(name, &elements));
        let passes = match &by_shape {
            Some(values) => values.iter().any(|value| filter.takes(value)),
            None => filter.passing(model, &elements) > 0,
        };
        if passes {
            continue;
        }
        let mut values: BTreeMap<String, usize> = BTreeMap::new();
        let mut without = 0;
        for (at, id) in elements.iter().enumerate() {
            let own = match by_shape.as_ref().and_then(|values| values.get(at)) {
                Some(Datum::Null) => Vec::new(),
                Some(Datum::List(members)) => members.clone(),
                Some(value) => vec![value.clone()],
                None => filter.values(links, *id),
            };
            without += usize::from(own.is_empty());
            for value in own {
                *values.entry(text(model, &value)).or_default() += 1;
            }
        }
        let mut listed: Vec<(String, usize)> = values.into_iter().collect();
        listed.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        let more = listed.len().saturating_sub(LISTED);
        let mut parts: Vec<String> =
            listed.into_iter().take(LISTED).map(|(value, count)| format!("{value} ({count})")).collect();
        if more > 0 {
            parts.push(format!("{more} others"));
        }
        if without > 0 {
            parts.push(format!("none ({without})"));
        }
        notes.push(format!(
            "Of {} {} none has {}{}; there are: {}.",
            elements.len(),
            whom(filter),
            filter.label(),
            filter.comparison(),
            parts.join(", ")
        ));
    }
    if notes.is_empty() {
        notes.push("Each comparison matches some elements, all together none.".to_owned());
    }
    notes
}

/// A value as a selector writes it.
fn text(model: &Model, value: &Datum) -> String {
    match value {
        Datum::Truth(truth) => truth.to_string().to_uppercase(),
        Datum::Whole(number) => number.to_string(),
        Datum::Real(number) => crate::number_json(*number).to_string(),
        Datum::Text(text) => text.clone(),
        Datum::Entity(id) => id_of(model, *id),
        Datum::Record(_) => "a set".to_owned(),
        Datum::Typed(_, inner) => text(model, inner),
        Datum::Null | Datum::List(_) => "none".to_owned(),
    }
}

/// The elements that an agent means by ids, by a category's word such as `walls`, or by a selector; a Fault where there are none.
pub(crate) fn choose(model: &Model, field: &str, texts: &[String]) -> Result<Vec<Id>, Fault> {
    let (mut chosen, mut notes) = (Vec::new(), Vec::new());
    for text in texts {
        let found = chosen_by(model, field, text.trim())?;
        chosen.extend(found.elements);
        notes.extend(found.notes);
    }
    let mut seen = std::collections::HashSet::new();
    chosen.retain(|id| seen.insert(*id));
    if chosen.is_empty() {
        let why = if notes.is_empty() { String::new() } else { format!(" {}", notes.join(" ")) };
        return Err(Fault::invalid(
            field,
            format!(
                "`{field}`: there is no {} in this model.{why} Find what there is with query_elements.",
                texts.join(", ")
            ),
        ));
    }
    Ok(chosen)
}

fn chosen_by(model: &Model, field: &str, text: &str) -> Result<Selected, Fault> {
    let plain = |elements| Selected { elements, notes: Vec::new() };
    if let Some(classes) = building::categories::classes(text) {
        return Ok(plain(classes.iter().flat_map(|class| model.of_class(class)).collect()));
    }
    if let Some(id) = model.by_guid(text) {
        return Ok(plain(vec![id]));
    }
    if guid::parse(text).is_some() {
        return Err(Fault::no_element(text).with("field", field));
    }
    select(model, text).map_err(|fault| {
        let near = crate::near_matches(text, building::categories::words());
        let words: Vec<&str> = building::categories::words().collect();
        let hint =
            near.first().map_or_else(String::new, |word| format!(" Or did you mean the category {word}?"));
        let fault = Fault { message: format!("`{field}`: {}{hint}", fault.message), ..fault };
        fault.with("field", field).with("categories", words)
    })
}
