//! The series of one variable or meter: statistics, and some of its points.

use crate::energy_results::{BUDGET, database, fit, smaller, weight};
use crate::simulation::results;
use crate::{EnergyCall, Tool};
use contract::{Effect, Fault, ModelUse, Toolset};
use energy::results::{EnvironmentKind, Frequency, SeriesAnswer, SeriesQuery};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// The tool's arguments.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Input {
    /// As list_output_variables names it.
    variable_name: String,
    /// Zone, surface, node …; `*` is any text.
    #[schemars(extend("default" = "*"))]
    key_value: Option<String>,
    /// Without it the finest.
    #[schemars(extend("x-seldom" = true))]
    frequency: Option<Frequency>,
    /// Design days or run periods.
    #[schemars(extend("x-seldom" = true))]
    environment: Option<EnvironmentKind>,
    /// Points listed of each series.
    #[schemars(extend("default" = 24, "minimum" = 1, "maximum" = 500, "x-seldom" = true))]
    limit: Option<usize>,
    /// Points to skip.
    #[schemars(extend("x-seldom" = true))]
    offset: Option<usize>,
}

/// The series.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    #[serde(flatten)]
    series: SeriesAnswer,
    /// Points of all series that are shown here, listed or not.
    total_points: usize,
    /// Points listed.
    returned: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    notice: Option<String>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::energy("query_timeseries", Effect::Query, run)
        .description(
            "A variable or meter of the latest simulation: extremes, mean, sum, first points of each series.",
        )
        .toolset(Toolset::Results)
        .model(ModelUse::None)
        .file(results())
        .example("Outdoors", json!({"variable_name": "Site Outdoor Air Drybulb Temperature", "limit": 4}))
}

fn run(call: &mut EnergyCall<'_>, input: Input) -> Result<Output, Fault> {
    let limit = crate::input::limit(input.limit, 24, 500)?;
    let results = database(call)?;
    let query = SeriesQuery {
        key_value: input.key_value.unwrap_or_else(|| "*".to_owned()),
        frequency: input.frequency,
        environment: input.environment,
        offset: input.offset.unwrap_or(0),
        limit,
        ..SeriesQuery::of_variable(&input.variable_name)
    };
    let sizes = [limit, limit / 2, limit / 6, 1];
    let (mut series, _) = smaller(&sizes, |limit| results.series(&SeriesQuery { limit, ..query.clone() }))?;
    let head = weight(&series) - weight(&series.parts);
    series.parts_left_out += fit(&mut series.parts, BUDGET.saturating_sub(head));
    let cut = series.parts.iter().any(|part| query.offset + part.rows.len() < part.points);
    let notice = match (cut, series.parts_left_out) {
        (false, 0) => None,
        (true, 0) => {
            Some("More points: give offset, a coarser frequency, or use export_timeseries.".to_owned())
        }
        (_, left) => {
            Some(format!("{left} more series: narrow key_value or environment, or use export_timeseries."))
        }
    };
    let total_points = series.parts.iter().map(|part| part.points).sum();
    let returned = series.parts.iter().map(|part| part.rows.len()).sum();
    Ok(Output { series, total_points, returned, notice })
}
