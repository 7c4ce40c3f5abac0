//! The summary reports that the latest simulation wrote.

use crate::energy_results::{BUDGET, database, weight};
use crate::simulation::{OfRun, results};
use crate::{EnergyCall, Tool};
use contract::{Effect, Fault, ModelUse, Toolset};
use energy::results::tables::ReportInfo;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value, json};

/// The reports.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    /// Names of tables by the name of their report, with `for` behind it where that is not the whole facility.
    #[schemars(with = "serde_json::Map<String, serde_json::Value>")]
    reports: Map<String, Value>,
    total: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    notice: Option<String>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::energy("list_simulation_reports", Effect::Query, run)
        .description(
            "Summary reports of the latest simulation and the tables in them, for query_simulation_table.",
        )
        .toolset(Toolset::Results)
        .model(ModelUse::None)
        .file(results())
        .example("All", json!({}))
}

fn run(call: &mut EnergyCall<'_>, _: OfRun) -> Result<Output, Fault> {
    let reports = database(call)?.reports()?;
    let total = reports.len();
    let mut output = Output { reports: by_name(&reports, usize::MAX), total, notice: None };
    // the names of reports matter more than those of the tables in long ones
    for tables in [60, 12, 4, 1, 0] {
        if weight(&output) <= BUDGET {
            break;
        }
        output.reports = by_name(&reports, tables);
        output.notice = Some(
            "Names of some tables are left out; query_simulation_table without table_name names them.".into(),
        );
    }
    let mut spent = 0;
    output.reports.retain(|name, tables| {
        spent += name.len() + weight(tables) + 6;
        spent <= BUDGET
    });
    Ok(output)
}

/// Reports by their names, each with at most so many of its tables.
fn by_name(reports: &[ReportInfo], tables: usize) -> Map<String, Value> {
    let name = |report: &ReportInfo| match report.report_for.as_str() {
        "" | "Entire Facility" => report.report_name.clone(),
        subject => format!("{} for {subject}", report.report_name),
    };
    let listed = |report: &ReportInfo| -> Value { report.tables.iter().take(tables).cloned().collect() };
    reports.iter().map(|report| (name(report), listed(report))).collect()
}
