//! Take-offs: quantities by group with their source, waste, cost and carbon, and their difference between two versions.

use crate::fields::Reading;
use crate::schedule::{Format, json_of, written};
use crate::takeoff::{self, Asked, Collected, Mapping, Prefer, Priced, Rates};
use crate::{IfcCall, Tool, given_file};
use contract::{Effect, Fault, FileNeed, NamedFile, Toolset};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::sync::Arc;
use tables::{Row, Table};

/// The role of the earlier version, and those of the files; parameters of the same names.
const BASE: &str = "diff_base";
const RATES: &str = "rates";
const CODES: &str = "classification_table";
/// Bytes of a table at most.
const MAX_BYTES: usize = 16 << 20;
/// About how many bytes of rows an answer holds.
const BUDGET: usize = 16_000;
/// Rows of one answer at most.
const MOST: usize = 500;
/// Groups without rates that are named.
const NAMED: usize = 8;

/// The tool's arguments.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Input {
    /// walls, …, classes, selectors.
    categories: Vec<String>,
    /// type, level, material, classification, room, class or fields.
    #[schemars(extend("default" = ["class", "type"]))]
    grouping: Option<Vec<String>>,
    /// NetVolume, GrossSideArea, Count, …; by default all.
    #[serde(default)]
    #[schemars(extend("x-seldom" = true))]
    quantities: Vec<String>,
    /// The one that counts where the file states a value and the shape has one.
    #[serde(default)]
    #[schemars(extend("x-seldom" = true))]
    source: Prefer,
    /// Percent to be added.
    #[schemars(extend("minimum" = 0, "x-seldom" = true))]
    waste: Option<f64>,
    /// Path, bucket key or text of a CSV or XLSX: class, type, material, classification, level (what a line is for), quantity, unit, cost
    /// (EUR), carbon, waste.
    #[schemars(extend("x-seldom" = true))]
    rates: Option<String>,
    /// The same with class, type, material → code.
    #[schemars(extend("x-seldom" = true))]
    classification_table: Option<String>,
    /// Version to compare with.
    #[schemars(extend("x-seldom" = true))]
    diff_base: Option<String>,
    #[serde(default)]
    format: Format,
    /// Rows in the answer at most; the file has all.
    #[schemars(extend("default" = 50, "minimum" = 0, "maximum" = MOST, "x-seldom" = true))]
    limit: Option<usize>,
}

/// The answer.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    /// Elements measured.
    elements: usize,
    grouping: Vec<String>,
    /// Rows of the file.
    rows: usize,
    /// Value in unit, stored and computed with their difference in percent, source; with rates cost and carbon. Compared: before, after,
    /// change.
    quantities: Vec<Map<String, Value>>,
    /// Of cost and carbon.
    #[serde(skip_serializing_if = "Map::is_empty")]
    totals: Map<String, Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    currency: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

/// The tool.
pub fn tool() -> Tool {
    let named = |name: &str| FileNeed::Named(NamedFile { role: name.to_owned(), parameter: name.to_owned() });
    Tool::ifc("quantity_takeoff", Effect::Query, run)
        .title("Take-off")
        .toolset(Toolset::Exchange)
        .files([named(RATES), named(CODES)])
        .further_version(BASE, "diff_base")
        .makes_files()
        .long()
        .description(
            "Adds up quantities, stored and measured; waste, cost, carbon by your table; differences of versions.",
        )
        .example("Walls by type", json!({ "categories": ["walls"] }))
        .example(
            "Materials with cost and carbon",
            json!({
                "categories": ["walls", "slabs"],
                "grouping": ["material"],
                "rates": "material,unit,cost (EUR),carbon,waste\nConcrete,m³,180,240,3\n"
            }),
        )
}

fn run(call: &mut IfcCall, input: Input) -> Result<Output, Fault> {
    let limit = crate::input::bounded("limit", input.limit, 50, [0, MOST])?;
    if input.waste.is_some_and(|waste| !(0.0..=1000.0).contains(&waste)) {
        return Err(Fault::invalid("waste", "Waste is from 0 to 1000 percent."));
    }
    let grouping = input.grouping.unwrap_or_else(|| vec!["class".to_owned(), "type".to_owned()]);
    let table = |field: &str, given: &Option<String>| {
        given.as_deref().map(|given| given_file::bytes_or_text(call, field, given, MAX_BYTES)).transpose()
    };
    let rates = table(RATES, &input.rates)?.map(|bytes| Rates::read(&bytes, RATES)).transpose()?;
    let mapping = table(CODES, &input.classification_table)?;
    let mapping = mapping.map(|bytes| Mapping::read(&bytes, CODES)).transpose()?;
    if mapping.is_some() && !grouping.iter().any(|name| name.trim() == "classification") {
        let message = "Codes have a meaning where they form groups: add classification to `grouping`.";
        return Err(Fault::invalid(CODES, message));
    }
    if let Some(missing) =
        rates.as_ref().map(|rates| rates.missing(&grouping)).filter(|names| !names.is_empty())
    {
        let message = format!("`rates` is told apart by {}: add that to `grouping`.", missing.join(", "));
        return Err(Fault::invalid("grouping", message));
    }
    let asked = Asked {
        categories: &input.categories,
        grouping: &grouping,
        quantities: &input.quantities,
        prefer: input.source,
        mapping: mapping.as_ref(),
    };
    let layout = if asked.needs_layout() { Some(call.layout()?) } else { None };
    let now = takeoff::collect(&Reading::new(call), layout, &asked, call.watch.as_ref())?;
    let mut output = Output {
        elements: now.elements,
        grouping: grouping.clone(),
        rows: 0,
        quantities: Vec::new(),
        totals: Map::new(),
        currency: rates.as_ref().and_then(|rates| rates.currency.clone()),
        notes: now.notes.clone(),
    };
    let schema = call.edit.model().schema();
    let priced = Priced { schema, waste: input.waste, rates: rates.as_ref() };
    let table = if input.diff_base.is_some() {
        let before = before(call, &asked)?;
        let found = takeoff::compare(&before, &now);
        if found.is_empty() {
            output.notes.push("No quantity differs.".to_owned());
        }
        takeoff::differences(&found, &grouping, &priced, "Difference of quantities")?
    } else {
        let (table, unmatched) = takeoff::rows(&now, &grouping, &priced, "Quantity take-off")?;
        let mut told = |all: &[String], what: &str| {
            if !all.is_empty() {
                let named = all.iter().take(NAMED).cloned().collect::<Vec<_>>().join("; ");
                let more = if all.len() > NAMED { ", …" } else { "" };
                output.notes.push(format!("{} {what}: {named}{more}.", all.len()));
            }
        };
        told(&unmatched.groups, "groups have no rate");
        told(&unmatched.lines, "lines of `rates` are for no quantity of any group");
        table
    };
    shown(&table, limit, &mut output);
    let rows: Vec<Map<String, Value>> = table.records().map(|record| row(&table, &record.cells)).collect();
    let whole = json!({
        "elements": output.elements, "grouping": output.grouping, "quantities": rows, "totals": output.totals,
        "currency": output.currency, "notes": output.notes,
    });
    written(call, "takeoff", &table, input.format, &whole)?;
    Ok(output)
}

/// The take-off of the version to compare with.
fn before(call: &IfcCall, asked: &Asked<'_>) -> Result<Collected, Fault> {
    let version = Arc::clone(call.version(BASE)?);
    let layout = if asked.needs_layout() { Some(version.layout(call.watch.as_ref())?) } else { None };
    takeoff::collect(&Reading::of_model(version.model()), layout, asked, call.watch.as_ref())
}

fn row(table: &Table, cells: &[tables::Cell]) -> Map<String, Value> {
    let named = table.columns.iter().zip(cells).filter(|(_, cell)| !cell.is_empty());
    named.map(|(column, cell)| (column.key.clone(), json_of(cell))).collect()
}

/// The rows that an answer has room for, and the totals.
fn shown(table: &Table, limit: usize, output: &mut Output) {
    let mut spent = 0;
    for of in &table.rows {
        match of {
            Row::Record(record) => {
                output.rows += 1;
                if output.quantities.len() < limit && spent < BUDGET {
                    let row = row(table, &record.cells);
                    spent += row
                        .iter()
                        .map(|(name, value)| name.len() + value.to_string().len() + 4)
                        .sum::<usize>();
                    output.quantities.push(row);
                }
            }
            Row::Total { cells, .. } => output.totals = row(table, cells),
            Row::Group { .. } => {}
        }
    }
    if output.quantities.len() < output.rows {
        let (shown, rows) = (output.quantities.len(), output.rows);
        output.notes.push(format!("The first {shown} of {rows} rows are shown; the file has all."));
    }
}
