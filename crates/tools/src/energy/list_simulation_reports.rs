//! The summary reports that the latest simulation wrote.

use crate::energy_results::{BUDGET, database, weight};
use crate::simulation::results;
use crate::{Empty, EnergyCall, Tool};
use contract::{Effect, Fault, ModelUse, Toolset};
use energy::results::tables::ReportInfo;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

/// The reports.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    reports: Vec<ReportInfo>,
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

fn run(call: &mut EnergyCall<'_>, _: Empty) -> Result<Output, Fault> {
    let reports = database(call)?.reports()?;
    let total = reports.len();
    let mut output = Output { reports, total, notice: None };
    // the names of reports matter more than those of the tables in long ones
    for tables in [60, 12, 4, 1, 0] {
        if weight(&output) <= BUDGET {
            break;
        }
        output.reports.iter_mut().for_each(|report| report.tables.truncate(tables));
        output.notice = Some(
            "Names of some tables are left out; query_simulation_table without table_name names them.".into(),
        );
    }
    crate::energy_results::fit(&mut output.reports, BUDGET);
    Ok(output)
}
