//! Which property and quantity sets elements have: properties by class with how many are filled, values or range, units, placeholders.

use crate::elements::{number_json, tidy};
use crate::fields::Reading;
use crate::selecting::select_as;
use crate::{IfcCall, Tool};
use contract::{Effect, Fault, Toolset};
use ifc::Id;
use ifc::psets::{self, Detail, Property};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};

/// About how many bytes of properties an answer holds.
const BUDGET: usize = 24_000;
/// Different values that are listed.
const LISTED: usize = 6;
/// Different values that are told apart.
const TOLD_APART: usize = 1_000;
/// Characters of one value that are shown.
const LONGEST: usize = 80;

/// The tool's arguments.
#[derive(Deserialize, JsonSchema)]
pub struct Input {
    /// As in query_elements.
    #[schemars(extend("default" = "IfcProduct"))]
    selector: Option<String>,
    /// Only sets whose names contain this.
    #[schemars(extend("x-seldom" = true))]
    set: Option<String>,
    /// `next_cursor` of the answer before.
    #[schemars(extend("x-seldom" = true))]
    cursor: Option<String>,
}

/// The elements' properties.
#[derive(Serialize, JsonSchema, Default)]
pub struct Output {
    /// Elements looked at.
    total: usize,
    /// Sets by class.
    sets: Vec<DescribedSet>,
    /// Elements by class that have no set.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    without_sets: BTreeMap<String, usize>,
    /// The `cursor` to go on with.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

/// One set as the elements of one class have it.
#[derive(Serialize, JsonSchema)]
struct DescribedSet {
    class: String,
    set: String,
    /// Elements of the class.
    of: usize,
    /// Those that have the set, by themselves or from their type.
    on: usize,
    properties: Vec<Described>,
}

/// One property.
#[derive(Serialize, JsonSchema)]
struct Described {
    name: String,
    /// Percent of the class's elements that state a value, placeholders not counted.
    filled: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    unit: Option<String>,
    /// Least and greatest number.
    #[serde(skip_serializing_if = "Option::is_none")]
    range: Option<[Value; 2]>,
    /// The commonest values, each with the number of elements.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    values: Vec<(String, usize)>,
    /// Different values in all.
    different: usize,
    /// Values that say nothing, such as the property's own name, each with the number of elements.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    placeholders: Vec<(String, usize)>,
    /// Elements that have it from their type.
    #[serde(skip_serializing_if = "is_zero")]
    from_type: usize,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks by reference")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// The tool.
pub fn tool() -> Tool {
    Tool::ifc("describe_properties", Effect::Query, run)
        .description("Property and quantity sets by class: properties, percent filled, values or range, units, placeholders.")
        .toolset(Toolset::Library)
        .toolset(Toolset::Knowledge)
        .example("What is stated of walls", json!({ "selector": "IfcWall" }))
        .example("Fire ratings of doors", json!({ "selector": "IfcDoor", "set": "Common" }))
}

/// Values found so far.
#[derive(Default)]
struct Found {
    stated: usize,
    from_type: usize,
    units: BTreeSet<String>,
    numbers: Option<[f64; 2]>,
    values: BTreeMap<String, usize>,
    beyond: usize,
    placeholders: BTreeMap<String, usize>,
}

/// Properties of one set as the elements of one class have it.
#[derive(Default)]
struct OfSet {
    on: usize,
    properties: BTreeMap<String, Found>,
}

fn run(call: &mut IfcCall, input: Input) -> Result<Output, Fault> {
    let reading = Reading::new(call);
    let model = reading.model();
    let selector = input.selector.as_deref().unwrap_or("IfcProduct");
    let selected = select_as(&reading, selector, false)?;
    let start = crate::input::cursor(input.cursor.as_deref())?;
    let wanted = input.set.as_deref().map(str::to_lowercase);
    let mut output = Output { total: selected.elements.len(), notes: selected.notes, ..Output::default() };
    let mut of_class: BTreeMap<String, usize> = BTreeMap::new();
    let mut sets: BTreeMap<(String, String), OfSet> = BTreeMap::new();
    let mut names: BTreeSet<String> = BTreeSet::new();
    for id in &selected.elements {
        let Some(class) = model.get(*id).map(|instance| instance.class_name().to_owned()) else { continue };
        *of_class.entry(class.clone()).or_default() += 1;
        let any = gather(&reading, *id, &class, wanted.as_deref(), &mut sets, &mut names);
        if !any {
            *output.without_sets.entry(class).or_default() += 1;
        }
    }
    if let Some(set) = input.set.as_deref().filter(|_| sets.is_empty() && !names.is_empty()) {
        let near = crate::near_matches(set, names.iter().map(String::as_str));
        let near = if near.is_empty() { names.into_iter().take(8).collect() } else { near };
        let message = format!("No set of these elements has {set} in its name.");
        return Err(Fault::invalid("set", message).with("near_matches", near));
    }
    let count = sets.len();
    let mut spent = 0;
    for ((class, set), found) in sets.into_iter().skip(start) {
        let of = of_class.get(&class).copied().unwrap_or(found.on);
        let properties: Vec<Described> =
            found.properties.into_iter().map(|(name, found)| described(name, found, of)).collect();
        let set = DescribedSet { class, set, of, on: found.on, properties };
        spent += serde_json::to_string(&set).map_or(0, |text| text.len());
        output.sets.push(set);
        if spent > BUDGET {
            break;
        }
    }
    let next = start + output.sets.len();
    output.next_cursor = (next < count && !output.sets.is_empty()).then(|| next.to_string());
    Ok(output)
}

/// Adds the properties of one element; answers whether it has any set at all.
fn gather(
    reading: &Reading<'_>,
    id: Id,
    class: &str,
    wanted: Option<&str>,
    sets: &mut BTreeMap<(String, String), OfSet>,
    names: &mut BTreeSet<String>,
) -> bool {
    let model = reading.model();
    let all = psets::of_with(&reading.links, id);
    let any = !all.is_empty();
    let mut counted = BTreeSet::new();
    for set in all {
        names.insert(set.name.clone());
        if wanted.is_some_and(|wanted| !set.name.to_lowercase().contains(wanted)) {
            continue;
        }
        let of_set = sets.entry((class.to_owned(), set.name.clone())).or_default();
        of_set.on += usize::from(counted.insert(set.name.clone()));
        for property in set.properties {
            let found = of_set.properties.entry(property.name.clone()).or_default();
            let Some(text) = stated(&property) else { continue };
            if is_placeholder(&property.name, &text) {
                *found.placeholders.entry(text).or_default() += 1;
                continue;
            }
            found.stated += 1;
            found.from_type += usize::from(set.inherited);
            found.units.extend(property.unit_label(model, &reading.units));
            if let Some(number) = property.value.as_f64() {
                let [low, high] = found.numbers.unwrap_or([number, number]);
                found.numbers = Some([low.min(number), high.max(number)]);
            }
            if found.values.len() < TOLD_APART || found.values.contains_key(&text) {
                *found.values.entry(text).or_default() += 1;
            } else {
                found.beyond += 1;
            }
        }
    }
    any
}

/// The value as a text; none where nothing is stated.
fn stated(property: &Property) -> Option<String> {
    let json = tidy(property.to_json());
    let is_empty = match &json {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
        _ => false,
    };
    if is_empty && !matches!(property.detail, Detail::Reference(Some(_))) {
        return None;
    }
    let text = match json {
        Value::String(text) => text,
        Value::Bool(truth) => truth.to_string().to_uppercase(),
        other => other.to_string(),
    };
    Some(text.chars().take(LONGEST).collect())
}

/// True if a text says nothing: blanks, dashes, `n/a`, or the property's own name.
fn is_placeholder(name: &str, text: &str) -> bool {
    let plain = |text: &str| -> String {
        text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    let said = plain(text);
    const NOTHING: [&str; 11] =
        ["na", "null", "nil", "tbd", "tba", "todo", "undefined", "notdefined", "unknown", "unset", "xxx"];
    said.is_empty() || NOTHING.contains(&said.as_str()) || said == plain(name)
}

fn described(name: String, found: Found, of: usize) -> Described {
    let different = found.values.len() + found.beyond;
    let range = found.numbers.map(|range| range.map(number_json));
    let mut values: Vec<(String, usize)> = found.values.into_iter().collect();
    values.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
    // numbers that all differ are told by their range
    values.truncate(if range.is_some() && different > LISTED { 0 } else { LISTED });
    let filled = found.stated as f64 / of.max(1) as f64 * 100.0;
    Described {
        name,
        filled: (filled * 10.0).round() / 10.0,
        unit: (!found.units.is_empty()).then(|| found.units.into_iter().collect::<Vec<_>>().join(", ")),
        range,
        values,
        different,
        placeholders: found.placeholders.into_iter().collect(),
        from_type: found.from_type,
    }
}
