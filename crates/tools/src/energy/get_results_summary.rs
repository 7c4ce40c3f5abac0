//! The first things that people ask of a simulation.

use crate::energy_results::{database, errors, smaller};
use crate::simulation::{OfRun, results, shorten};
use crate::{EnergyCall, Tool};
use contract::{Effect, Fault, ModelUse, Toolset};
use energy::results::database::{Environment, Simulation};
use energy::results::summary::{EndUses, UnmetHoursAnswer};
use energy::results::{Comfort, Cost, EnvironmentKind, ErrorSummary};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

/// The summary.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    /// True if the run came to its end without a fatal error; severe errors may be there.
    success: bool,
    simulation: Simulation,
    environments: Vec<Environment>,
    errors: Option<ErrorSummary>,
    end_uses: EndUses,
    /// Of run periods.
    #[serde(skip_serializing_if = "Option::is_none")]
    unmet_hours: Option<UnmetHoursAnswer>,
    #[serde(skip_serializing_if = "Option::is_none")]
    comfort: Option<Comfort>,
    /// By tariffs of the model.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    costs: Vec<Cost>,
    /// Zones with a design load, and how many for heating and cooling together.
    sized_zones: usize,
    /// Figures that deserve a second look.
    notes: Vec<String>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::energy("get_results_summary", Effect::Query, run)
        .description("A simulation in short: its end, errors, energy by end use, unmet hours, comfort, costs. Look here first.")
        .toolset(Toolset::Results)
        .page("ui://pensaer/energy-results")
        .model(ModelUse::None)
        .file(results())
        .example("All", json!({}))
}

fn run(call: &mut EnergyCall<'_>, _: OfRun) -> Result<Output, Fault> {
    let results = database(call)?;
    let report = errors(call);
    let sizing = results.zone_sizing()?;
    let mut zones: Vec<&str> = sizing.iter().map(|row| row.zone.as_str()).collect();
    zones.sort_unstable();
    zones.dedup();
    let (output, _) = smaller(&[20, 10, 5, 2, 1], |size| {
        let errors = report.as_ref().map(|report| report.summary(size)).map(|mut errors| {
            shorten(&mut errors.groups);
            errors
        });
        let mut environments = results.environments()?;
        let has_period = environments.iter().any(|known| known.kind == EnvironmentKind::Annual);
        environments.truncate(size * 2);
        let mut end_uses = results.end_uses()?;
        end_uses.uses.truncate(size * 6);
        let mut output = Output {
            success: errors.as_ref().is_none_or(|errors| errors.fatal == 0),
            simulation: results.simulation()?,
            environments,
            errors,
            end_uses,
            unmet_hours: if has_period { Some(results.unmet_hours(size)?) } else { None },
            comfort: results.comfort()?,
            costs: results.costs()?,
            sized_zones: zones.len(),
            notes: Vec::new(),
        };
        output.notes = notes(&output);
        Ok(output)
    })?;
    Ok(output)
}

/// Hints, each with the number that raised it; 300 hours are those of ASHRAE 90.1 G3.1.2.3.
fn notes(output: &Output) -> Vec<String> {
    let mut notes = Vec::new();
    if let Some(errors) = &output.errors {
        if errors.fatal > 0 {
            notes.push("The run ended on a fatal error; what it wrote before is of little use.".to_owned());
        } else if errors.severe > 0 {
            notes.push(format!("{} severe errors put the results in doubt.", errors.severe));
        }
        if errors.ending.is_none() {
            notes.push("The run did not come to tell how it ended.".to_owned());
        }
    } else {
        notes.push("The errors of the run were not kept.".to_owned());
    }
    if let Some(hours) = output.unmet_hours.as_ref().and_then(|hours| hours.facility.as_ref()) {
        for (what, hours) in [("heating", hours.occupied_heating), ("cooling", hours.occupied_cooling)] {
            if hours > 300.0 {
                notes
                    .push(format!("{hours} occupied hours do not meet the {what} set point, more than 300."));
            }
        }
    }
    notes
}
