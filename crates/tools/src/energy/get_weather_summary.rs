//! A weather file summed up: the place, temperatures, sun and wind by month, degree days, design days, climate.

use crate::{Reply, Tool, weather_files};
use contract::ops::PlatformOperation;
use contract::{
    Caller, Downloads, Effect, Fault, FaultCode, FileNeed, Files, KeptFile, NamedFile, Needs, Queries,
    Sessions, Toolset,
};
use energy::ops::ReadWeather;
use energy::weather::WeatherSummary;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// The tool's arguments.
#[derive(Debug, Default, Deserialize, JsonSchema)]
pub struct Input {
    /// EPW: key, upload, path, or a name that EnergyPlus brings (`Chicago`); without it the session's.
    #[schemars(extend("x-seldom" = true))]
    weather_file: Option<String>,
    /// Makes it the session's.
    #[serde(default)]
    #[schemars(extend("x-seldom" = true))]
    use_it: bool,
}

/// The summary.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    /// Give it as weather_file.
    weather_file: String,
    name: String,
    #[serde(flatten)]
    summary: WeatherSummary,
    #[serde(skip_serializing_if = "Option::is_none")]
    session: Option<String>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::platform("get_weather_summary", Effect::Query, |platform, input| Box::pin(run(platform, input)))
        .side_effects()
        .description("A weather file in short: place, climate, months, degree days, design days.")
        .toolset(Toolset::Weather)
        .page("ui://pensaer/weather")
        .example("One that EnergyPlus brings", json!({ "weather_file": "Chicago" }))
}

async fn run(
    platform: &(impl Caller + Downloads + Files + Queries + Sessions + ?Sized),
    input: Input,
) -> Result<Reply<Output>, Fault> {
    let weather = match input.weather_file.as_deref().map(str::trim).filter(|name| !name.is_empty()) {
        Some(name) => weather_files::named(platform, name).await?,
        None => of_session(platform).await?,
    };
    let key = |file: Option<KeptFile>| file.map(|file| file.key);
    let read = ReadWeather {
        weather_file: Some(weather.key.clone()),
        design_days: key(weather_files::beside(platform, &weather, ["ddy", "DDY"]).await?),
        statistics: key(weather_files::beside(platform, &weather, ["stat", "STAT"]).await?),
    };
    let need = |role: &str, parameter: &str| {
        FileNeed::Named(NamedFile { role: role.to_owned(), parameter: parameter.to_owned() })
    };
    let files = [("weather", "weather_file"), ("design_days", "design_days"), ("statistics", "statistics")];
    let needs =
        Needs { files: files.map(|(role, parameter)| need(role, parameter)).into(), ..Needs::default() };
    let answered = platform.query_needing(read.operation(), &needs).await?;
    let mut summary = ReadWeather::answer(&answered.result)?;
    // ground temperatures of depths and the days of holidays are in the file
    summary.ground.truncate(1);
    summary.design_days.retain(|day| day.percent.is_some_and(|percent| percent >= 99.6 || percent <= 0.4));
    let session = if input.use_it { weather_files::keep(platform, &weather.key).await? } else { None };
    Ok(Reply::new(Output { weather_file: weather.key, name: weather.name, summary, session }))
}

async fn of_session(platform: &(impl Downloads + Files + Sessions + ?Sized)) -> Result<KeptFile, Fault> {
    if let Some(file) = weather_files::of_session(platform).await? {
        return Ok(file);
    }
    let there = weather_files::all_brought(platform).await;
    let brings =
        if there.is_empty() { String::new() } else { format!(" EnergyPlus brings {}.", there.join(", ")) };
    let message = format!(
        "The session has no weather file. Give weather_file, or fetch one with download_weather_file.{brings}"
    );
    Err(Fault::new(FaultCode::InvalidParams, message)
        .with("field", "weather_file")
        .with("near_matches", there))
}
