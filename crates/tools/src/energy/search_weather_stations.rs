//! Stations that weather files are of, by name or by distance.

use crate::{EnergyCall, Tool};
use contract::{Effect, Fault, ModelUse, Toolset};
use energy::weather::{Index, Station, StationQuery};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// The tool's arguments.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Input {
    /// City, airport or WMO number.
    query: Option<String>,
    /// Degrees north; the nearest come first.
    latitude: Option<f64>,
    /// Degrees east.
    #[schemars(extend("x-seldom" = true))]
    longitude: Option<f64>,
    /// Code or name.
    #[schemars(extend("x-seldom" = true))]
    country: Option<String>,
    /// Code or name.
    #[schemars(extend("x-seldom" = true))]
    state: Option<String>,
    /// At most 50.
    #[schemars(extend("default" = 5, "minimum" = 1, "maximum" = 50, "x-seldom" = true))]
    limit: Option<usize>,
}

/// The stations, the best or the nearest first.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    #[schemars(with = "Vec<serde_json::Value>")]
    stations: Vec<Station>,
    count: usize,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::energy("search_weather_stations", Effect::Query, run)
        .description("Weather stations with climate and degree days.")
        .toolset(Toolset::Weather)
        .model(ModelUse::None)
        .example("By name", json!({"query": "boulder", "state": "CO"}))
        .example("The nearest to a point", json!({"latitude": 49.0, "longitude": 8.4, "limit": 3}))
}

fn run(_: &mut EnergyCall<'_>, input: Input) -> Result<Output, Fault> {
    let Input { query, latitude, longitude, country, state, limit } = input;
    let limit = crate::input::limit(limit, 5, 50)?;
    let query = StationQuery { query, wmo: None, latitude, longitude, country, state, limit };
    let stations = Index::built_in()?.search(&query)?;
    Ok(Output { count: stations.len(), stations })
}
