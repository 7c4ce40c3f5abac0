//! Finds elements with a selector and answers rows of the fields asked for, or numbers over all of them.

use crate::elements::{self, OneOrMore};
use crate::fields::{Field, Reading};
use crate::selecting::select_as;
use crate::stored::disagreements;
use crate::{IfcCall, Tool};
use contract::{Effect, Fault, Server, Toolset};
use ifc::Id;
use ifc::selector::Datum;
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
    /// IfcOpenShell's: `IfcWall, Pset_WallCommon.IsExternal=TRUE`, `IfcSpace, Name=/bed.*/, storey="Level 1"`; `+` is
    /// or.
    selector: String,
    /// Attributes, `Pset.Prop`, storey, type, material, host, spaces, …; computed (mm, m², m³): volume, area, thickness,
    /// profile, facing, bbox, …
    fields: Option<Vec<String>>,
    /// `count by type`, `sum volume by storey`, avg, min, max.
    aggregate: Option<OneOrMore>,
    /// Fields to sort by; `-` before one turns it round.
    #[schemars(extend("x-seldom" = true))]
    sort: Option<OneOrMore>,
    /// Rows at most.
    #[schemars(extend("default" = 50, "minimum" = 1, "maximum" = MOST, "x-seldom" = true))]
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
    /// Aggregates by group, those of one grouping after those of the other; shares in percent.
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

/// About the bytes of a value as JSON: what most are is counted without writing them.
fn length_of(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len() + 2,
        Value::Null | Value::Bool(_) => 5,
        Value::Number(_) => 10,
        nested => nested.to_string().len(),
    }
}

/// Elements whose stored quantities are held against their shapes, at most.
const COMPARED: usize = 200;

fn run(call: &mut IfcCall, input: Input) -> Result<Output, Fault> {
    let reading = Reading::new(call);
    let selected = select_as(&reading, &input.selector, false)?;
    let mut found = selected.elements;
    let mut output = Output { total: found.len(), notes: selected.notes, ..Output::default() };
    if let Some(aggregate) = input.aggregate {
        let given = [("fields", input.fields.is_some()), ("sort", input.sort.is_some())];
        if let Some((name, _)) = given.into_iter().find(|(_, given)| *given) {
            let message = format!("`{name}` is of rows, and `aggregate` answers none: ask for one of both.");
            return Err(Fault::invalid(name, message));
        }
        let parts =
            aggregate.list().iter().map(|text| Aggregate::parse(text)).collect::<Result<Vec<_>, _>>()?;
        groups(&reading, &found, &parts, &mut output)?;
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
        sort_by(&reading, &mut found, &sort.list(), &mut output.notes)?;
    }
    let start = crate::input::cursor(input.cursor.as_deref())?;
    let limit = crate::input::limit(input.limit, 50, MOST)?;
    let mut rows = Vec::new();
    let mut spent = 0;
    let mut page: Vec<Id> = found.iter().skip(start).take(limit).copied().collect();
    let model = reading.model();
    reading.prepare(&fields, &page);
    let boxes = if with_box { geometry::bounds_of_many(model, &page) } else { vec![None; page.len()] };
    for (id, bounds) in page.iter().zip(boxes) {
        let mut row = elements::brief(model, *id);
        row.remove("class");
        // the id is always under `id`; the name is not said twice
        if fields.iter().any(|field| field.label == "Name") {
            row.remove("name");
        }
        for field in &fields {
            let value = field.value(&reading, *id);
            if value == Datum::Null {
                continue;
            }
            if (value_is_measured(&value) || field.computed().is_some())
                && !output.units.contains_key(&field.label)
                && let Some(unit) = field.unit(&reading, *id)
            {
                output.units.insert(field.label.clone(), unit);
            }
            row.entry(field.label.clone()).or_insert_with(|| elements::shown(model, &value));
        }
        if let Some(bounds) = bounds {
            row.insert("bbox".into(), elements::box_json(&bounds));
            output.units.insert("bbox".into(), "mm".into());
        }
        spent += row.iter().map(|(name, value)| name.len() + 6 + length_of(value)).sum::<usize>();
        rows.push(row);
        if spent > BUDGET {
            break;
        }
    }
    page.truncate(rows.len());
    let next = start + rows.len();
    output.next_cursor = (next < found.len() && !rows.is_empty()).then(|| next.to_string());
    for field in &fields {
        if !rows.iter().any(|row| row.contains_key(&field.label)) {
            missing(&reading, field, &found, rows.len() == found.len(), &mut output.notes);
        }
        output.notes.extend(reading.grounds(field, &page));
        output.notes.extend(disagreements(&reading, field, &page));
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

/// Names that are no fields, and what tells of them instead.
const ELSEWHERE: [(&[&str], &str); 3] = [
    (
        &["windows", "doors", "openings", "walls"],
        "room_analysis lists what bounds a room, and `spaces` of an element the rooms beside it",
    ),
    (&["rooms", "room"], "ask for `spaces`, or for rooms in generate_schedule"),
    (&["sill", "sill_height", "operation"], "generate_schedule has it"),
];

/// Says of a field that no row has whether its name is at fault, or that these elements lack it.
fn missing(reading: &Reading<'_>, field: &Field, found: &[Id], is_all: bool, notes: &mut Vec<String>) {
    if found.is_empty() || field.computed().is_some() {
        return;
    }
    if let Some(near) = field.near_matches(reading, found) {
        let elsewhere = ELSEWHERE.iter().find(|(names, _)| names.contains(&field.label.as_str()));
        let hint = match elsewhere {
            Some((_, tool)) => format!(" It is no field here: {tool}."),
            None if near.is_empty() => String::new(),
            None => format!(" Near matches: {}.", near.join(", ")),
        };
        notes.push(format!("None of these elements has {}.{hint}", field.label));
        return;
    }
    let has_boundaries = || !reading.model().of_class("IfcRelSpaceBoundary").is_empty();
    let reason = match field.label.as_str() {
        "spaces" | "boundaries" if !has_boundaries() => {
            ": the model has no space boundaries (IfcRelSpaceBoundary)"
        }
        _ => "",
    };
    if is_all {
        notes.push(format!("{} is empty in all of these elements{reason}.", field.label));
    } else {
        notes.push(format!("{} is empty in the rows shown{reason}.", field.label));
    }
}

fn sort_by(
    reading: &Reading<'_>,
    found: &mut Vec<Id>,
    keys: &[String],
    notes: &mut Vec<String>,
) -> Result<(), Fault> {
    let mut fields = Vec::new();
    for (at, key) in keys.iter().enumerate() {
        let (name, down) = key.strip_prefix('-').map_or((key.as_str(), false), |name| (name, true));
        let way = name.rsplit_once(' ').map(|(field, way)| (field, way.to_ascii_lowercase()));
        if let Some((field, way)) = way.filter(|(_, way)| way == "desc" || way == "asc") {
            let sign = if way == "desc" { "-" } else { "" };
            let message = format!("Write `{sign}{field}`: a field alone sorts up, `-` before it down.");
            return Err(Fault::invalid(&format!("sort[{at}]"), message));
        }
        let field = Field::parse(name, &format!("sort[{at}]"))?;
        reading.prepare([&field], found);
        field.check(reading, found, &format!("sort[{at}]"))?;
        fields.push((field, down));
    }
    let mut keyed: Vec<(Vec<Value>, Id)> = found
        .iter()
        .map(|id| {
            let shown =
                |(field, _): &(Field, bool)| elements::shown(reading.model(), &field.value(reading, *id));
            (fields.iter().map(shown).collect(), *id)
        })
        .collect();
    for (at, (field, _)) in fields.iter().enumerate() {
        let without = keyed.iter().filter(|(values, _)| values.get(at).is_none_or(Value::is_null)).count();
        if without == keyed.len() && without > 0 {
            let message =
                format!("None of the {without} elements has {}: there is nothing to sort by.", field.label);
            return Err(Fault::invalid(&format!("sort[{at}]"), message));
        }
        if without > 0 {
            notes.push(format!("{without} of {} have no {}; they come last.", keyed.len(), field.label));
        }
    }
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
    Share,
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
                    "`{text}` is no aggregate; write count or share, or sum, avg, min or max and a field, as in `sum Qto_WallBaseQuantities.Length by storey`."
                ),
            )
        };
        let (head, by) =
            text.trim().split_once(" by ").map_or((text.trim(), None), |(head, by)| (head, Some(by)));
        let (function, field) = head.split_once(['(', ' ', ':']).unwrap_or((head, ""));
        let field = field.trim().trim_end_matches(')').trim();
        let function = match function.trim().to_ascii_lowercase().as_str() {
            "count" => Function::Count,
            "share" | "percent" => Function::Share,
            "sum" | "total" => Function::Sum,
            "min" => Function::Min,
            "max" => Function::Max,
            "avg" | "average" | "mean" => Function::Avg,
            _ => return Err(wrong()),
        };
        if field.is_empty() && !matches!(function, Function::Count | Function::Share) {
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

    /// The grouping that it asks for.
    fn grouping(&self) -> Vec<&str> {
        self.by.iter().map(|field| field.label.as_str()).collect()
    }

    /// The quantity that shares are of: the number of elements, of those that have the field, or the sum of its numbers.
    fn amount(&self, values: &[f64], present: usize) -> f64 {
        match self.function {
            Function::Share if !values.is_empty() => values.iter().sum(),
            Function::Sum => values.iter().sum(),
            _ => present as f64,
        }
    }

    fn over(&self, values: &[f64], present: usize) -> Option<Value> {
        let number = match self.function {
            Function::Count => return Some(json!(present)),
            Function::Share => return None,
            _ if values.is_empty() => return None,
            Function::Sum => values.iter().sum(),
            Function::Min => values.iter().copied().fold(f64::INFINITY, f64::min),
            Function::Max => values.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            Function::Avg => values.iter().sum::<f64>() / values.len() as f64,
        };
        Some(elements::number_json(number))
    }

    /// The numbers of a group's elements, and how many of them have the field at all.
    fn gather(&self, reading: &Reading<'_>, ids: &[Id]) -> (Vec<f64>, usize) {
        let Some(field) = &self.field else { return (Vec::new(), ids.len()) };
        let (mut values, mut present) = (Vec::new(), 0);
        for id in ids {
            let value = field.value(reading, *id);
            present += usize::from(value != Datum::Null);
            values.extend(numbers(&value));
        }
        if self.function == Function::Count { (Vec::new(), present) } else { (values, present) }
    }
}

fn groups(
    reading: &Reading<'_>,
    found: &[Id],
    parts: &[Aggregate],
    output: &mut Output,
) -> Result<(), Fault> {
    if parts.is_empty() {
        return Err(Fault::invalid("aggregate", "Name at least one aggregate, such as count."));
    }
    for part in parts {
        for field in part.field.iter().chain(&part.by) {
            reading.prepare([field], found);
            field.check(reading, found, "aggregate")?;
        }
    }
    // each grouping is answered, those that are asked for twice together
    let mut groupings: Vec<Vec<&Aggregate>> = Vec::new();
    for part in parts {
        let same =
            groupings.iter_mut().find(|known| known.first().is_some_and(|p| p.grouping() == part.grouping()));
        match same {
            Some(known) => known.push(part),
            None => groupings.push(vec![part]),
        }
    }
    let most = MOST / groupings.len();
    let mut all = Vec::new();
    for grouping in &groupings {
        let mut groups = grouped(reading, found, grouping, output);
        if groups.len() > most {
            let by = grouping.first().map(|part| part.grouping().join(", ")).unwrap_or_default();
            output.notes.push(format!("{} groups by {by}; the first {most} are shown.", groups.len()));
            groups.truncate(most);
        }
        all.extend(groups);
    }
    let mut seen = std::collections::HashSet::new();
    for field in parts.iter().flat_map(|part| part.field.iter().chain(&part.by)) {
        if !seen.insert(field.label.as_str()) {
            continue;
        }
        if !found.iter().any(|id| field.value(reading, *id) != Datum::Null) {
            missing(reading, field, found, true, &mut output.notes);
        }
        output.notes.extend(reading.grounds(field, found));
        output.notes.extend(disagreements(
            reading,
            field,
            found.get(..found.len().min(COMPARED)).unwrap_or(found),
        ));
        unit_of(reading, field, found, &field.label, output, true);
    }
    output.groups = Some(all);
    Ok(())
}

/// The groups of one grouping, each with all that is asked of it.
fn grouped(
    reading: &Reading<'_>,
    found: &[Id],
    parts: &[&Aggregate],
    output: &mut Output,
) -> Vec<Map<String, Value>> {
    let model = reading.model();
    let by: &[Field] = parts.first().map(|part| part.by.as_slice()).unwrap_or_default();
    let mut members: BTreeMap<Vec<String>, (Vec<Value>, Vec<Id>)> = BTreeMap::new();
    for id in found {
        let key: Vec<Value> =
            by.iter().map(|field| elements::shown(model, &field.value(reading, *id))).collect();
        let place = key.iter().map(text).collect();
        members.entry(place).or_insert_with(|| (key, Vec::new())).1.push(*id);
    }
    if by.is_empty() {
        members.entry(Vec::new()).or_default();
    }
    for field in by {
        if found.iter().any(|id| value_is_measured(&field.value(reading, *id))) {
            unit_of(reading, field, found, &field.label, output, false);
        }
    }
    let totals: Vec<f64> = parts
        .iter()
        .map(|part| {
            let (values, present) = part.gather(reading, found);
            part.amount(&values, present)
        })
        .collect();
    let mut groups = Vec::new();
    for (key, ids) in members.into_values() {
        // answers leave out what is null, and a group without its key would look like the whole
        let key = key.into_iter().map(|value| if value.is_null() { json!("(none)") } else { value });
        let mut group: Map<String, Value> = by.iter().map(|f| f.label.clone()).zip(key).collect();
        for (part, total) in parts.iter().zip(&totals) {
            let (values, present) = part.gather(reading, &ids);
            if let Some(value) = part.over(&values, present) {
                group.insert(part.label.clone(), value);
            }
            match &part.field {
                Some(field) if !matches!(part.function, Function::Count | Function::Share) => {
                    unit_of(reading, field, found, &part.label, output, false);
                }
                _ if part.function == Function::Share => {}
                _ => {
                    output.units.insert(part.label.clone(), "elements".to_owned());
                }
            }
            let is_shared = matches!(part.function, Function::Count | Function::Sum) && !by.is_empty();
            if (is_shared || part.function == Function::Share) && *total > 0.0 {
                let share = part.amount(&values, present) / total * 100.0;
                let label = match part.function {
                    Function::Share => part.label.clone(),
                    _ => format!("share of {}", part.label),
                };
                output.units.insert(label.clone(), "%".to_owned());
                group.insert(label, elements::number_json((share * 100.0).round() / 100.0));
            }
            if let Some(field) = part.field.as_ref().filter(|_| part.function != Function::Count)
                && present < ids.len()
            {
                let label = format!("without {}", field.label);
                output.units.insert(label.clone(), "elements".to_owned());
                group.insert(label, json!(ids.len() - present));
            }
        }
        groups.push(group);
    }
    groups
}

/// Notes the unit of a column; where elements state it in several, says so.
fn unit_of(
    reading: &Reading<'_>,
    field: &Field,
    found: &[Id],
    label: &str,
    output: &mut Output,
    is_checked: bool,
) {
    if is_checked && field.stored().is_some() {
        let of =
            |id: &Id| field.unit(reading, *id).filter(|_| !numbers(&field.value(reading, *id)).is_empty());
        let units: std::collections::BTreeSet<String> = found.iter().filter_map(of).collect();
        if units.len() > 1 {
            let units: Vec<String> = units.into_iter().collect();
            output.notes.push(format!(
                "{} is stated in different units ({}): the numbers are not comparable.",
                field.label,
                units.join(", ")
            ));
        }
        return;
    }
    if is_checked || output.units.contains_key(label) {
        return;
    }
    let measured = |id: &&Id| !numbers(&field.value(reading, **id)).is_empty();
    if let Some(unit) = found.iter().find(measured).and_then(|id| field.unit(reading, *id)) {
        output.units.insert(label.to_owned(), unit);
    }
}

fn numbers(value: &Datum) -> Vec<f64> {
    match value {
        Datum::List(members) => members.iter().flat_map(numbers).collect(),
        other => other.as_f64().into_iter().collect(),
    }
}
