//! Schedules: elements chosen by category and filters, a column for each field or formula, sorted, grouped, with totals.

mod build;
mod cells;
mod column;
pub(crate) mod conversion;
pub(crate) mod filled;
mod finish;
mod made;
mod template;

pub(crate) use build::build;
pub(crate) use cells::{cell_of, json_of};
pub(crate) use column::{ColumnWish, Places};
pub(crate) use template::Template;

use crate::IfcCall;
use contract::Fault;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tables::Table;

/// The heading of the column of GlobalIds.
pub(crate) const ID_HEADING: &str = "GlobalId";

/// All that is asked of a schedule.
#[derive(Debug, Default)]
pub(crate) struct Wish {
    /// A category, a class or a selector.
    pub category: Option<String>,
    /// The columns and the elements that are usual.
    pub template: Option<Template>,
    /// Columns.
    pub parameters: Option<Vec<ColumnWish>>,
    /// Conditions of a selector.
    pub filters: Vec<String>,
    /// Fields that form groups.
    pub group_by: Vec<String>,
    /// Fields to sort by.
    pub sort: Vec<String>,
    /// One row for each element, not for those that are alike.
    pub itemized: bool,
    /// The title.
    pub title: Option<String>,
}

/// The formats that a table is written in.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub(crate) enum Format {
    /// All rows as JSON.
    #[default]
    Json,
    /// Comma-separated values.
    Csv,
    /// A workbook with formulas.
    Xlsx,
    /// A page for a browser.
    Html,
}

/// Writes a table as a file of the call.
pub(crate) fn written(
    call: &mut IfcCall,
    role: &str,
    table: &Table,
    format: Format,
    json: &serde_json::Value,
) -> Result<(), Fault> {
    let stem = crate::opened::file_stem(&table.title);
    let (ending, media_type, bytes) = match format {
        Format::Json => ("json", "application/json", json.to_string().into_bytes()),
        Format::Csv => ("csv", "text/csv", tables::write_csv(table).into_bytes()),
        Format::Html => ("html", "text/html", tables::write_html(table).into_bytes()),
        Format::Xlsx => {
            let bytes = tables::write_xlsx(table).map_err(|error| {
                Fault::invalid("format", format!("The table cannot be a workbook: {error}."))
            })?;
            ("xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", bytes)
        }
    };
    call.make_file(role, &format!("{stem}.{ending}"), media_type, &mut |out| out.write_all(&bytes))
}
