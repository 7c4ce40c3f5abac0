//! Schedules of elements as tables: JSON, CSV, XLSX and HTML.

use crate::elements::OneOrMore;
use crate::schedule::{self, ColumnWish, Format, Template, Wish, json_of};
use crate::{IfcCall, Tool};
use contract::{Effect, Fault, Toolset};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use tables::{Row, Table};

/// About how many bytes of rows an answer holds.
const BUDGET: usize = 16_000;
/// Rows of one answer at most.
const MOST: usize = 500;

/// The tool's arguments.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Input {
    /// doors, rooms, …, a class or a selector.
    category: Option<String>,
    /// Fields as in query_elements, rooms, operation, sill, floor_finish, computed.NetSideArea, or {field or formula (`[Area] * 45`), heading,
    /// unit, decimals, total}.
    #[schemars(with = "Option<Vec<OneColumn>>")]
    parameters: Option<Vec<ColumnWish>>,
    /// Usual elements and columns.
    template: Option<Template>,
    /// `storey="Level 1"`.
    filters: Option<OneOrMore>,
    /// Fields.
    group_by: Option<OneOrMore>,
    /// Columns; `-` turns one round.
    sort: Option<OneOrMore>,
    /// False: one row for those alike, with their count.
    #[serde(default = "yes")]
    #[schemars(extend("x-seldom" = true))]
    itemized: bool,
    #[serde(default)]
    format: Format,
    /// Of the table and its file.
    #[schemars(extend("x-seldom" = true))]
    title: Option<String>,
    /// Rows in the answer at most; the file has all.
    #[schemars(extend("default" = 50, "minimum" = 0, "maximum" = MOST, "x-seldom" = true))]
    limit: Option<usize>,
}

impl Input {
    fn wish(self) -> Wish {
        Wish {
            category: self.category,
            template: self.template,
            parameters: self.parameters,
            filters: self.filters.map(OneOrMore::list).unwrap_or_default(),
            group_by: self.group_by.map(OneOrMore::list).unwrap_or_default(),
            sort: self.sort.map(OneOrMore::list).unwrap_or_default(),
            itemized: self.itemized,
            title: self.title,
        }
    }
}

/// The schedule that these arguments ask for; those that are of the answer and its file alone are refused.
pub(crate) fn wish(arguments: &Value, field: &str) -> Result<Wish, Fault> {
    const OF_SCHEDULES: [&str; 8] =
        ["category", "parameters", "template", "filters", "group_by", "sort", "itemized", "title"];
    let known = OF_SCHEDULES.map(str::to_owned);
    let read = crate::input::parse::<Input>(arguments.clone(), &known).map(Input::wish);
    read.map_err(|fault| below(fault, field))
}

/// The same Fault, about a field below another.
pub(crate) fn below(fault: Fault, field: &str) -> Fault {
    let inner = fault.data.get("field").and_then(Value::as_str).filter(|inner| !inner.is_empty());
    let named = inner.map_or_else(|| field.to_owned(), |inner| format!("{field}.{inner}"));
    fault.with("field", named)
}

fn yes() -> bool {
    true
}

/// The forms of a column in the schema; read by hand of [`ColumnWish`].
#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
#[schemars(inline)]
#[expect(dead_code, reason = "describes the forms; ColumnWish reads them")]
enum OneColumn {
    Field(String),
    More(Map<String, Value>),
}

/// A column of the answer.
#[derive(Debug, Serialize, JsonSchema)]
struct ColumnRow {
    heading: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    formula: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unit: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    total: Option<&'static str>,
    /// True if import_schedule takes changes of it.
    editable: bool,
}

/// A group with its totals.
#[derive(Debug, Serialize, JsonSchema)]
struct GroupRow {
    group: String,
    /// Depth, from 0.
    level: usize,
    rows: usize,
    /// By heading.
    #[serde(skip_serializing_if = "Map::is_empty")]
    totals: Map<String, Value>,
}

/// The answer.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    title: String,
    /// Elements in it.
    elements: usize,
    /// Rows of the file.
    rows: usize,
    columns: Vec<ColumnRow>,
    /// A list for each row: a value for each column, then the GlobalId.
    schedule_data: Vec<Vec<Value>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    groups: Vec<GroupRow>,
    /// Over all, by heading.
    #[serde(skip_serializing_if = "Map::is_empty")]
    totals: Map<String, Value>,
    sorted_by: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::ifc("generate_schedule", Effect::Query, run)
        .title("Schedule")
        .toolset(Toolset::Exchange)
        .makes_files()
        .long()
        .description(
            "Writes a schedule of elements: fields, formulas, groups, totals; JSON, CSV, XLSX, HTML.",
        )
        .example("Doors as everybody has them", json!({ "template": "door" }))
        .example(
            "Rooms by storey with a formula",
            json!({
                "category": "rooms",
                "parameters": ["Name", "LongName", "storey", { "field": "area", "heading": "Area" },
                    { "heading": "Cleaning", "formula": "[Area] * 1.25", "unit": "EUR", "total": "sum" }],
                "group_by": "storey",
                "format": "xlsx"
            }),
        )
}

fn run(call: &mut IfcCall, input: Input) -> Result<Output, Fault> {
    let limit = crate::input::bounded("limit", input.limit, 50, [0, MOST])?;
    let format = input.format;
    let mut built = schedule::build(call, input.wish())?;
    built.table.subtitle = subtitle(call);
    let table = &built.table;
    let mut output = Output {
        title: table.title.clone(),
        elements: built.elements,
        rows: table.records().count(),
        columns: columns(table),
        schedule_data: Vec::new(),
        groups: Vec::new(),
        totals: Map::new(),
        sorted_by: built.sorted_by,
        notes: built.notes,
    };
    let mut all = Vec::with_capacity(output.rows);
    let mut spent = 0;
    for row in &table.rows {
        match row {
            Row::Record(record) => {
                let mut values: Vec<Value> = record.cells.iter().map(json_of).collect();
                values.push(record.id.clone().into());
                if all.len() < limit && spent < BUDGET {
                    spent += values.iter().map(|value| value.to_string().len() + 1).sum::<usize>();
                    output.schedule_data.push(values.clone());
                }
                all.push(values);
            }
            Row::Group { level, heading, count } => {
                let group =
                    GroupRow { group: heading.clone(), level: *level, rows: *count, totals: Map::new() };
                output.groups.push(group);
            }
            Row::Total { level, cells, .. } => {
                let totals = totals(table, cells);
                match level {
                    None => output.totals = totals,
                    // the group that was opened last at this depth is the one that ends
                    Some(level) => {
                        let group = output.groups.iter_mut().rev().find(|group| group.level == *level);
                        if let Some(group) = group {
                            group.totals = totals;
                        }
                    }
                }
            }
        }
    }
    if output.schedule_data.len() < all.len() {
        let (shown, rows) = (output.schedule_data.len(), all.len());
        output.notes.push(format!("The first {shown} of {rows} rows are shown; the file has all."));
    }
    let whole = json!({
        "title": output.title, "columns": output.columns, "rows": all, "groups": output.groups, "totals": output.totals,
        "notes": output.notes,
    });
    schedule::written(call, "schedule", &built.table, format, &whole)?;
    Ok(output)
}

/// The project's name.
fn subtitle(call: &IfcCall) -> Vec<String> {
    let model = call.edit.model();
    let project = model.of_class("IfcProject").into_iter().find_map(|id| crate::elements::name_of(model, id));
    project.into_iter().collect()
}

fn columns(table: &Table) -> Vec<ColumnRow> {
    let one = |column: &tables::Column| {
        let is_formula = column.formula.is_some();
        ColumnRow {
            heading: column.heading.clone(),
            field: (!is_formula && column.key != column.heading).then(|| column.key.clone()),
            formula: is_formula.then(|| column.key.clone()),
            unit: column.unit.clone(),
            total: column.total.map(tables::Total::name),
            editable: column.is_editable,
        }
    };
    table.columns.iter().map(one).collect()
}

fn totals(table: &Table, cells: &[tables::Cell]) -> Map<String, Value> {
    let named = table.columns.iter().zip(cells).filter(|(column, _)| column.total.is_some());
    named.map(|(column, cell)| (column.heading.clone(), json_of(cell))).collect()
}
