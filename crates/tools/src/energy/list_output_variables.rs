//! The variables and meters that the latest simulation recorded.

use crate::energy_results::{BUDGET, database, fit, text_of};
use crate::simulation::results;
use crate::{EnergyCall, Tool};
use contract::{Effect, Fault, FaultCode, ModelUse, Toolset};
use energy::results::Frequency;
use energy::results::variables::{Variable, available, pattern};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::BTreeSet;

/// Its name.
pub const NAME: &str = "list_output_variables";

/// The tool's arguments.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Input {
    /// Regular expression on names and keys, any case.
    search: Option<String>,
    /// All that it could record; request_outputs asks for it.
    #[serde(default)]
    available: bool,
    /// At most as many.
    #[schemars(extend("default" = 50, "minimum" = 1, "maximum" = 1000, "x-seldom" = true))]
    limit: Option<usize>,
    /// A run of run_simulation; without it the latest of this session.
    #[schemars(extend("x-seldom" = true))]
    #[expect(dead_code, reason = "read where the run's files are provided")]
    job_id: Option<String>,
}

/// A variable or meter that was recorded.
#[derive(Debug, Serialize, JsonSchema)]
struct Row {
    name: String,
    units: String,
    /// variable or meter.
    #[serde(rename = "type")]
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    frequency: Option<Frequency>,
    /// For how many keys; a meter has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    key_count: Option<usize>,
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
            frequency: Some(known.frequency),
            key_count: Some(known.key_count).filter(|_| !known.is_meter),
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
    /// The number that the run recorded, or could record.
    total_available: usize,
    returned: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    notice: Option<String>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::energy(NAME, Effect::Query, run)
        .description(
            "Variables and meters that the latest simulation recorded, with units and keys, or could record.",
        )
        .toolset(Toolset::Results)
        .model(ModelUse::None)
        .file(results())
        .example("Temperatures", json!({"search": "temperature$"}))
        .example("All fan variables that could be recorded", json!({"search": "^fan", "available": true}))
}

fn run(call: &mut EnergyCall<'_>, input: Input) -> Result<Output, Fault> {
    let limit = crate::input::limit(input.limit, 50, 1_000)?;
    if input.available {
        return could_record(call, input.search.as_deref(), limit);
    }
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

/// The variables and meters that the run's dictionaries list.
fn could_record(call: &EnergyCall<'_>, search: Option<&str>, limit: usize) -> Result<Output, Fault> {
    let pattern = search.map(pattern).transpose()?;
    let mut all = Vec::new();
    for (role, kind) in [("variables", "variable"), ("meter_names", "meter")] {
        let Some(text) = text_of(call, role) else { continue };
        all.extend(available(&text).into_iter().map(|known| Row {
            name: known.name,
            units: known.units,
            kind,
            frequency: None,
            key_count: None,
            keys: Vec::new(),
        }));
    }
    if all.is_empty() {
        return Err(Fault::new(
            FaultCode::NotFound,
            "The run left no dictionary of variables. Add Output:VariableDictionary with key_field=Regular to the model and run again.",
        ));
    }
    // a meter stands in the dictionary once for each of its resources
    let mut seen = BTreeSet::new();
    all.retain(|row| seen.insert((row.kind, row.name.clone())));
    let total_available = all.len();
    all.retain(|row| pattern.as_ref().is_none_or(|pattern| pattern.is_match(&row.name)));
    let matching = all.len();
    all.truncate(limit);
    fit(&mut all, BUDGET);
    let returned = all.len();
    let notice = (returned < matching).then(|| {
        format!("{} more match. Narrow them with search, such as ^Zone .* Temperature$.", matching - returned)
    });
    Ok(Output { variables: all, matching, total_available, returned, notice })
}
