//! The components of the peak loads.

use crate::energy_results::{database, smaller};
use crate::simulation::{OfRun, results};
use crate::{EnergyCall, Tool};
use contract::{Effect, Fault, ModelUse, Toolset};
use energy::results::peaks::PeakLoads;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

/// The peaks.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    #[serde(flatten)]
    peaks: PeakLoads,
    #[serde(skip_serializing_if = "Option::is_none")]
    notice: Option<String>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::energy("analyze_peak_loads", Effect::Query, run)
        .description(
            "Peak heating and cooling of the latest simulation by zone and component, with W/m² and flags for what deserves a \
             second look.",
        )
        .toolset(Toolset::Results)
        .model(ModelUse::None)
        .file(results())
        .example("All", json!({}))
}

fn run(call: &mut EnergyCall<'_>, _: OfRun) -> Result<Output, Fault> {
    let results = database(call)?;
    let (peaks, _) = smaller(&[20, 10, 6, 3, 1], |zones| {
        let mut peaks = results.peak_loads(zones)?;
        peaks.flags.truncate(zones.max(4) * 2);
        Ok(peaks)
    })?;
    let left = peaks.cooling.zones_left_out.max(peaks.heating.zones_left_out);
    let notice = (left > 0).then(|| {
        "Smaller zones are left out; query_simulation_table with report_name=ZoneComponentLoadSummary has them.".to_owned()
    });
    Ok(Output { peaks, notice })
}
