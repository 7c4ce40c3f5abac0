//! The variables and meters that the latest simulation recorded.

use crate::energy_results::{BUDGET, database, fit};
use crate::simulation::results;
use crate::{EnergyCall, Tool};
use contract::{Effect, Fault, ModelUse, Toolset};
use energy::results::Frequency;
use energy::results::variables::Variable;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// The tool's arguments.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Input {
    /// Regular expression on names and keys, any case.
    search: Option<String>,
    /// At most as many.
    #[schemars(extend("default" = 50, "minimum" = 1, "maximum" = 1000, "x-seldom" = true))]
    limit: Option<usize>,
}

/// A variable or meter that was recorded.
#[derive(Debug, Serialize, JsonSchema)]
struct Row {
    name: String,
    units: String,
    /// variable or meter.
    #[serde(rename = "type")]
    kind: &'static str,
    frequency: Frequency,
    /// For how many keys; a meter has none.
    key_count: usize,
    /// The first of them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    keys: Vec<String>,
}

impl From<Variable> for Row {
    fn from(known: Variable) -> Self {
        Self {
            name: known.name,
            units: known.units,
            kind: if known.is_meter { "meter" } else { "variable" },
            frequency: known.frequency,
            key_count: known.key_count,
            keys: known.keys,
        }
    }
}

/// Variables and meters.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    variables: Vec<Row>,
    /// The number that match.
    matching: usize,
    /// The number that the run recorded.
    total_available: usize,
    returned: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    notice: Option<String>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::energy("list_output_variables", Effect::Query, run)
        .description(
            "Variables and meters that the latest simulation recorded, with units, frequency and keys.",
        )
        .toolset(Toolset::Results)
        .model(ModelUse::None)
        .file(results())
        .example("Temperatures", json!({"search": "temperature$"}))
}

fn run(call: &mut EnergyCall<'_>, input: Input) -> Result<Output, Fault> {
    let limit = crate::input::limit(input.limit, 50, 1_000)?;
    let found = database(call)?.variables(input.search.as_deref(), limit)?;
    let mut variables: Vec<Row> = found.variables.into_iter().map(Row::from).collect();
    fit(&mut variables, BUDGET);
    let returned = variables.len();
    let notice = (returned < found.matching).then(|| {
        format!(
            "{} more match. Narrow them with search, such as ^Zone .* Temperature$.",
            found.matching - returned
        )
    });
    Ok(Output { variables, matching: found.matching, total_available: found.recorded, returned, notice })
}
