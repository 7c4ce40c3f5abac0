//! Finds elements with a selector and answers rows of the fields asked for, or numbers over all of them.

use crate::elements::{self, Field, OneOrMore};
use crate::{IfcCall, Tool};
use contract::{Effect, Fault, Server, Toolset};
use ifc::relations::Links;
use ifc::selector::Datum;
use ifc::{Id, Units};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// About how many bytes of rows an answer holds.
const BUDGET: usize = 24_000;
/// Rows of one answer at most.
const MOST: usize = 500;
/// Columns at most.
const MOST_FIELDS: usize = 24;

/// The tool's arguments.
#[derive(Deserialize, JsonSchema)]
pub struct Input {
    /// IfcOpenShell's: `IfcWall, Pset_WallCommon.IsExternal=TRUE`, `IfcSpace, Name=/bed.*/, location="Level 1"`; `+` is
    /// or.
    selector: String,
    /// Attributes, `Pset.Prop`, class, storey, type, material, x, y, z, bbox, …
    fields: Option<Vec<String>>,
    /// `count`, `sum Qto_WallBaseQuantities.Length by storey`, avg, min, max.
    aggregate: Option<OneOrMore>,
    /// Fields to sort by; `-` before one turns it round.
    #[schemars(extend("x-seldom" = true))]
    sort: Option<OneOrMore>,
    /// Rows at most.
    #[schemars(extend("default" = 50, "x-seldom" = true))]
    limit: Option<usize>,
    /// `next_cursor` of the answer before.
    #[schemars(extend("x-seldom" = true))]
    cursor: Option<String>,
}

/// Rows or groups.
#[derive(Serialize, JsonSchema, Default)]
pub struct Output {
    /// The number of elements that the selector finds.
    total: usize,
    /// Elements, nulls left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    rows: Option<Vec<Map<String, Value>>>,
    /// Aggregates by group.
    #[serde(skip_serializing_if = "Option::is_none")]
    groups: Option<Vec<Map<String, Value>>>,
    /// Units of columns.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    units: BTreeMap<String, String>,
    /// The `cursor` to go on with.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
    /// Remarks on the answer.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::ifc("query_elements", Effect::Query, run)
        .also_on(Server::Spatial)
        .description("Finds elements; answers rows of fields, or aggregates, in the file's units.")
        .toolset(Toolset::Model)
        .toolset(Toolset::Code)
        .example(
            "Walls with their fire rating",
            json!({ "selector": "IfcWall", "fields": ["Pset_WallCommon.FireRating", "storey"] }),
        )
        .example(
            "Wall area by storey",
            json!({ "selector": "IfcWall", "aggregate": "sum Qto_WallBaseQuantities.NetSideArea by storey" }),
        )
}

fn run(call: &mut IfcCall, input: Input) -> Result<Output, Fault> {
    let model = call.edit.model();
    let selector = elements::selector(model, &input.selector)?;
    let mut found = selector.run(model);
    let links = Links::of_many(model);
    let units = Units::from_model(model);
    let mut output = Output { total: found.len(), ..Output::default() };
    for class in selector.classes().filter(|class| model.schema().entity(class).is_none()) {
        output.notes.push(format!("{} has no class {class}; other schemas do.", model.schema().version()));
    }
    if let Some(aggregate) = input.aggregate {
        let parts =
            aggregate.list().iter().map(|text| Aggregate::parse(text)).collect::<Result<Vec<_>, _>>()?;
        groups(&links, &units, &found, parts, &mut output)?;
        return Ok(output);
    }
    let names = input.fields.unwrap_or_else(|| vec!["class".to_owned(), "storey".to_owned()]);
    if names.len() > MOST_FIELDS {
        return Err(Fault::invalid(
            "fields",
            format!("Ask for at most {MOST_FIELDS} fields; these are {}.", names.len()),
        ));
    }
    let with_box = names.iter().any(|name| name == "bbox");
    let mut fields = Vec::new();
    for (at, name) in names.iter().enumerate().filter(|(_, name)| *name != "bbox") {
        fields.push(Field::parse(name, &format!("fields[{at}]"))?);
    }
    if let Some(sort) = input.sort {
        sort_by(&links, &mut found, &sort.list())?;
    }
    let start = match input.cursor.as_deref() {
        None => 0,
        Some(cursor) => cursor.parse().map_err(|_| {
            Fault::invalid(
                "cursor",
                "Give the `next_cursor` of the answer before, or leave it out to begin anew.",
            )
        })?,
    };
    let limit = input.limit.unwrap_or(50).clamp(1, MOST);
    let mut rows = Vec::new();
    let mut spent = 0;
    let page: Vec<Id> = found.iter().skip(start).take(limit).copied().collect();
    let boxes = if with_box { geometry::bounds_of_many(model, &page) } else { vec![None; page.len()] };
    for (id, bounds) in page.iter().zip(boxes) {
        let mut row = elements::brief(model, *id);
        row.remove("class");
        // the id is always under `id`; the name is not said twice
        if fields.iter().any(|field| field.label == "Name") {
            row.remove("name");
        }
        for field in &fields {
            let value = field.value(&links, *id);
            if value == Datum::Null {
                continue;
            }
            if value_is_measured(&value)
                && !output.units.contains_key(&field.label)
                && let Some(unit) = field.unit(&links, &units, *id)
            {
                output.units.insert(field.label.clone(), unit);
            }
            row.entry(field.label.clone()).or_insert_with(|| elements::shown(model, &value));
        }
        if let Some(bounds) = bounds {
            row.insert("bbox".into(), elements::box_json(&bounds));
            output.units.insert("bbox".into(), "mm".into());
        }
        spent += row.iter().map(|(name, value)| name.len() + 6 + value.to_string().len()).sum::<usize>();
        rows.push(row);
        if spent > BUDGET {
            break;
        }
    }
    let next = start + rows.len();
    output.next_cursor = (next < found.len() && !rows.is_empty()).then(|| next.to_string());
    for field in &fields {
        if !rows.iter().any(|row| row.contains_key(&field.label)) {
            missing(&links, field, &found, &mut output.notes);
        }
    }
    output.rows = Some(rows);
    Ok(output)
}

fn value_is_measured(value: &Datum) -> bool {
    match value {
        Datum::List(members) => members.iter().any(value_is_measured),
        Datum::Record(_) => false,
        other => other.as_f64().is_some(),
    }
}

/// Says of a field that no row has whether its name is at fault.
fn missing(links: &Links<'_>, field: &Field, found: &[Id], notes: &mut Vec<String>) {
    if found.is_empty() {
        return;
    }
    if let Some(near) = field.near_matches(links, found) {
        let hint =
            if near.is_empty() { String::new() } else { format!(" Near matches: {}.", near.join(", ")) };
        notes.push(format!("None of these elements has {}.{hint}", field.label));
    }
}

fn sort_by(links: &Links<'_>, found: &mut Vec<Id>, keys: &[String]) -> Result<(), Fault> {
    let mut fields = Vec::new();
    for (at, key) in keys.iter().enumerate() {
        let (name, down) = key.strip_prefix('-').map_or((key.as_str(), false), |name| (name, true));
        fields.push((Field::parse(name, &format!("sort[{at}]"))?, down));
    }
    let mut keyed: Vec<(Vec<Value>, Id)> = found
        .iter()
        .map(|id| {
            (fields.iter().map(|(f, _)| elements::shown(links.model(), &f.value(links, *id))).collect(), *id)
        })
        .collect();
    keyed.sort_by(|(a, id), (b, other)| {
        let pairs = a.iter().zip(b).zip(&fields);
        let orders = pairs.map(|((a, b), (_, down))| {
            // what has no value comes last either way
            match (a.is_null(), b.is_null()) {
                (true, false) => Ordering::Greater,
                (false, true) => Ordering::Less,
                _ if *down => compare(b, a),
                _ => compare(a, b),
            }
        });
        orders.fold(Ordering::Equal, Ordering::then).then(id.cmp(other))
    });
    *found = keyed.into_iter().map(|(_, id)| id).collect();
    Ok(())
}

fn compare(a: &Value, b: &Value) -> Ordering {
    match (a.as_f64(), b.as_f64()) {
        (Some(a), Some(b)) => a.total_cmp(&b),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => text(a).cmp(&text(b)),
    }
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_lowercase)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Function {
    Count,
    Sum,
    Min,
    Max,
    Avg,
}

struct Aggregate {
    function: Function,
    field: Option<Field>,
    by: Vec<Field>,
    label: String,
}

impl Aggregate {
    /// `sum Set.Property by storey, class`; parentheses around the field are fine.
    fn parse(text: &str) -> Result<Self, Fault> {
        let wrong = || {
            Fault::invalid(
                "aggregate",
                format!(
                    "`{text}` is no aggregate; write count, or sum, avg, min or max and a field, as in `sum Qto_WallBaseQuantities.Length by storey`."
                ),
            )
        };
        let (head, by) =
            text.trim().split_once(" by ").map_or((text.trim(), None), |(head, by)| (head, Some(by)));
        let (function, field) = head.split_once(['(', ' ', ':']).unwrap_or((head, ""));
        let field = field.trim().trim_end_matches(')').trim();
        let function = match function.trim().to_ascii_lowercase().as_str() {
            "count" => Function::Count,
            "sum" | "total" => Function::Sum,
            "min" => Function::Min,
            "max" => Function::Max,
            "avg" | "average" | "mean" => Function::Avg,
            _ => return Err(wrong()),
        };
        if field.is_empty() && function != Function::Count {
            return Err(wrong());
        }
        let parse = |name: &str| Field::parse(name, "aggregate");
        Ok(Self {
            function,
            field: if field.is_empty() || field == "*" { None } else { Some(parse(field)?) },
            by: by
                .map(|by| by.split(',').map(parse).collect::<Result<_, _>>())
                .transpose()?
                .unwrap_or_default(),
            label: head.trim().to_owned(),
        })
    }

    fn over(&self, values: &[f64], present: usize) -> Option<Value> {
        let number = match self.function {
            Function::Count => return Some(json!(present)),
            _ if values.is_empty() => return None,
            Function::Sum => values.iter().sum(),
            Function::Min => values.iter().copied().fold(f64::INFINITY, f64::min),
            Function::Max => values.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            Function::Avg => values.iter().sum::<f64>() / values.len() as f64,
        };
        Some(elements::number_json(number))
    }
}

fn groups(
    links: &Links<'_>,
    units: &Units,
    found: &[Id],
    parts: Vec<Aggregate>,
    output: &mut Output,
) -> Result<(), Fault> {
    let model = links.model();
    let Some(by) = parts.iter().map(|part| &part.by).max_by_key(|by| by.len()) else {
        return Err(Fault::invalid("aggregate", "Name at least one aggregate, such as count."));
    };
    let mut members: BTreeMap<Vec<String>, (Vec<Value>, Vec<Id>)> = BTreeMap::new();
    for id in found {
        let key: Vec<Value> =
            by.iter().map(|field| elements::shown(model, &field.value(links, *id))).collect();
        let place = key.iter().map(text).collect();
        members.entry(place).or_insert_with(|| (key, Vec::new())).1.push(*id);
    }
    if by.is_empty() {
        members.entry(Vec::new()).or_default();
    }
    let mut groups = Vec::new();
    for (key, ids) in members.into_values() {
        let mut group: Map<String, Value> = by.iter().map(|f| f.label.clone()).zip(key).collect();
        for part in &parts {
            let Some(field) = &part.field else {
                group.insert(part.label.clone(), json!(ids.len()));
                continue;
            };
            let mut values = Vec::new();
            let mut present = 0;
            for id in &ids {
                let value = field.value(links, *id);
                present += usize::from(value != Datum::Null);
                let numbers = numbers(&value);
                if !numbers.is_empty()
                    && part.function != Function::Count
                    && !output.units.contains_key(&part.label)
                    && let Some(unit) = field.unit(links, units, *id)
                {
                    output.units.insert(part.label.clone(), unit);
                }
                values.extend(numbers);
            }
            if let Some(value) = part.over(&values, present) {
                group.insert(part.label.clone(), value);
            }
            if part.function != Function::Count && values.len() < ids.len() {
                group.insert(
                    format!("without {}", field.label),
                    json!(ids.len() - values.len().min(ids.len())),
                );
            }
        }
        groups.push(group);
    }
    for field in parts.iter().filter_map(|part| part.field.as_ref()) {
        missing(links, field, found, &mut output.notes);
    }
    if groups.len() > MOST {
        output.notes.push(format!("{} groups; the first {MOST} are shown.", groups.len()));
        groups.truncate(MOST);
    }
    output.groups = Some(groups);
    Ok(())
}

fn numbers(value: &Datum) -> Vec<f64> {
    match value {
        Datum::List(members) => members.iter().flat_map(numbers).collect(),
        other => other.as_f64().into_iter().collect(),
    }
}
