//! Any part of a summary report.

use crate::energy_results::{database, smaller};
use crate::simulation::results;
use crate::{EnergyCall, Tool};
use contract::{Effect, Fault, ModelUse, Toolset};
use energy::results::{TableAnswer, TableQuery};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// The tool's arguments.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Input {
    #[serde(flatten)]
    query: TableQuery,
    /// A run of run_simulation; without it the latest of this session.
    #[expect(dead_code, reason = "read where the run's files are provided")]
    #[schemars(extend("x-seldom" = true))]
    job_id: Option<String>,
}

/// The tables.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    #[serde(flatten)]
    found: TableAnswer,
    #[serde(skip_serializing_if = "Option::is_none")]
    notice: Option<String>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::energy("query_simulation_table", Effect::Query, run)
        .description(
            "Tables of a summary report of the latest simulation, whole or by table, row and column.",
        )
        .toolset(Toolset::Results)
        .model(ModelUse::None)
        .file(results())
        .example(
            "Energy by end use",
            json!({"report_name": "AnnualBuildingUtilityPerformanceSummary", "table_name": "End Uses"}),
        )
}

fn run(call: &mut EnergyCall<'_>, input: Input) -> Result<Output, Fault> {
    let (results, query) = (database(call)?, input.query);
    let (found, _) = smaller(&[1_500, 700, 400, 250, 150, 60, 20], |cells| {
        let mut found = results.table(&query, cells)?;
        found.tables_left_out.truncate(60);
        Ok(found)
    })?;
    let notice = (found.cells_left_out > 0 || !found.tables_left_out.is_empty()).then(|| {
        "Not all is shown: ask for one table_name, and for row_name or column_name of it.".to_owned()
    });
    Ok(Output { found, notice })
}
