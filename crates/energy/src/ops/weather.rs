//! Weather files, read where nothing that they hold can do harm.

use crate::weather::WeatherSummary;
use contract::Effect;
use contract::ops::PlatformOperation;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Sums up the file `weather`, or takes the file `archive` apart into the files `weather`, `design_days` and `statistics`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ReadWeather {}

impl PlatformOperation for ReadWeather {
    const NAME: &'static str = "read_weather";
    const EFFECT: Effect = Effect::Query;
    type Answer = WeatherSummary;
}
