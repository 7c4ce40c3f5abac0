//! Schedules that a person filled in, written back to the model.

use crate::schedule::{self, filled, json_of};
use crate::{IfcCall, Tool, given_file};
use contract::{Effect, EventType, Fault, FaultCode, FileNeed, NamedFile, Toolset};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The role of the file, and the parameter that names it.
const FILE: &str = "file";
/// Cells that are told of each kind.
const TOLD: usize = 100;

/// The tool's arguments.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Input {
    /// XLSX or CSV of generate_schedule: path, bucket key or text.
    file: String,
}

/// A cell.
#[derive(Debug, Serialize, JsonSchema)]
struct CellRow {
    /// Of the file, from 1.
    line: usize,
    id: String,
    column: String,
    /// Nothing where the cell was or is empty.
    #[serde(skip_serializing_if = "Option::is_none")]
    before: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    after: Option<Value>,
    /// Of one that was not written.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

/// The answer.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    /// Lines about elements of the model.
    lines: usize,
    /// Cells written.
    count: usize,
    /// The first 100.
    changed: Vec<CellRow>,
    /// Cells that differ and were not written.
    refused_count: usize,
    /// The first 100.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    refused: Vec<CellRow>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::ifc("import_schedule", Effect::Modify, run)
        .title("Filled-in schedule")
        .toolset(Toolset::Exchange)
        .idempotent()
        .event(EventType::PropertiesSet)
        .file(FileNeed::Named(NamedFile { role: FILE.to_owned(), parameter: FILE.to_owned() }))
        .description(
            "Writes cells changed in a schedule to the model, as one version; dry_run lists them first.",
        )
        .example(
            "A fire rating",
            json!({ "file": "GlobalId,Pset_WallCommon.FireRating\n2O2Fr$t4X7Zf8NOew3FL9r,REI 60\n" }),
        )
}

fn run(call: &mut IfcCall, input: Input) -> Result<Output, Fault> {
    let bytes = given_file::bytes_or_text(call, FILE, &input.file, tables::MOST_BYTES)?;
    let sheet = tables::read(&bytes, Some(schedule::ID_HEADING)).map_err(|error| {
        Fault::new(FaultCode::UnreadableFile, format!("The schedule cannot be read: {error}."))
            .with("field", FILE)
    })?;
    let outcome = filled::write(call, &sheet)?;
    let (refused, written): (Vec<_>, Vec<_>) =
        outcome.changes.iter().partition(|change| change.refused.is_some());
    let rows = |changes: &[&filled::CellChange]| -> Vec<CellRow> {
        let row = |change: &&filled::CellChange| CellRow {
            line: change.line,
            id: change.id.clone(),
            column: change.column.clone(),
            before: Some(json_of(&change.before)).filter(|value| !value.is_null()),
            after: Some(json_of(&change.after)).filter(|value| !value.is_null()),
            reason: change.refused.clone(),
        };
        changes.iter().take(TOLD).map(row).collect()
    };
    Ok(Output {
        lines: outcome.lines,
        count: written.len(),
        changed: rows(&written),
        refused_count: refused.len(),
        refused: rows(&refused),
        notes: outcome.notes,
    })
}
