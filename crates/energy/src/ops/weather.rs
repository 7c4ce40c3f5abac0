//! Weather files, read where nothing that they hold can do harm, and those that EnergyPlus brings.

use crate::weather::WeatherSummary;
use contract::Effect;
use contract::ops::PlatformOperation;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Sums up the file `weather` with those that came with it, `design_days` and `statistics`, or takes the file `archive` apart into those
/// three. The fields name files in the bucket where a tool has them given to the operation by these.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ReadWeather {
    /// The weather file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weather_file: Option<String>,
    /// The DDY file beside it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub design_days: Option<String>,
    /// The STAT file beside it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub statistics: Option<String>,
}

impl PlatformOperation for ReadWeather {
    const NAME: &'static str = "read_weather";
    const EFFECT: Effect = Effect::Query;
    type Answer = WeatherSummary;
}

/// Lists the weather files that EnergyPlus brings, or makes the files `weather`, `design_days` and `statistics` of the one whose name has all
/// the words of `name`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct InstalledWeather {
    /// Words of its name, or the number of its station.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// The weather files that EnergyPlus brings.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct InstalledWeatherAnswer {
    /// The names of those that fit, of all where none was asked for.
    pub files: Vec<String>,
}

impl PlatformOperation for InstalledWeather {
    const NAME: &'static str = "installed_weather";
    const EFFECT: Effect = Effect::Query;
    type Answer = InstalledWeatherAnswer;
}
