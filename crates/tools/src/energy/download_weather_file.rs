//! The newest weather file of a station, fetched, kept and made the session's.

use crate::{Reply, Tool, weather_files};
use contract::{Downloads, Effect, EventType, Fault, FaultCode, KeptFile, Sessions, Toolset};
use energy::weather::{Index, Station, StationQuery};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The tool's arguments.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Input {
    /// WMO number.
    #[schemars(extend("x-seldom" = true))]
    wmo: Option<String>,
    /// City or airport.
    #[schemars(extend("x-seldom" = true))]
    query: Option<String>,
    /// Code or name.
    #[schemars(extend("x-seldom" = true))]
    country: Option<String>,
    /// Code or name.
    #[schemars(extend("x-seldom" = true))]
    state: Option<String>,
}

/// The file, now the session's.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    /// Give it as weather_file.
    weather_file: String,
    file_name: String,
    sha256: String,
    /// Keys of `design_days` and `statistics`.
    beside: BTreeMap<String, String>,
    #[schemars(with = "serde_json::Map<String, Value>")]
    station: Station,
    /// Location, temperatures, degree days, design conditions.
    #[schemars(with = "serde_json::Map<String, Value>")]
    summary: Value,
    address: String,
    archive_sha256: String,
    /// True if no network was needed.
    from_cache: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    session: Option<String>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::platform("download_weather_file", Effect::Create, |platform, input| Box::pin(run(platform, input)))
        .description(
            "Fetches a station's newest EPW with its design days and makes it the session's weather.",
        )
        .toolset(Toolset::Weather)
        .idempotent()
        .open_world()
        .event(EventType::Other("WeatherFetched".to_owned()))
        .example("By number", json!({"wmo": "725650"}))
        .example("By name", json!({"query": "Karlsruhe", "country": "DEU"}))
}

async fn run(platform: &(impl Downloads + Sessions + ?Sized), input: Input) -> Result<Reply<Output>, Fault> {
    let station = station(input)?;
    let fetched = weather_files::fetch(platform, &station.path).await?;
    let (weather, others): (Vec<KeptFile>, Vec<KeptFile>) =
        fetched.files.into_iter().partition(|file| file.role == "weather");
    let Some(weather) = weather.into_iter().next() else {
        return Err(Fault::backend("The execution service found no weather in the archive."));
    };
    // of a dry run nothing is kept
    let is_kept = !weather.key.is_empty();
    let session = if is_kept { weather_files::keep(platform, &weather.key).await? } else { None };
    let beside = others.into_iter().filter(|_| is_kept).map(|file| (file.role, file.key)).collect();
    let output = Output {
        weather_file: weather.key,
        file_name: weather.name,
        sha256: weather.sha256,
        beside,
        station,
        summary: brief(fetched.result),
        address: fetched.address,
        archive_sha256: fetched.sha256,
        from_cache: fetched.was_here,
        session,
    };
    let reply = Reply::new(output).status("downloaded");
    Ok(if is_kept { reply.link("Weather file", weather.href) } else { reply })
}

fn station(input: Input) -> Result<Station, Fault> {
    let Input { wmo, query, country, state } = input;
    if wmo.is_none() && query.is_none() {
        return Err(Fault::invalid("wmo", "Give `wmo` (see search_weather_stations) or `query`."));
    }
    let wanted = StationQuery { query, wmo, country, state, limit: 5, ..StationQuery::default() };
    let mut found = Index::built_in()?.search(&wanted)?;
    if found.is_empty() {
        return Err(Fault::new(
            FaultCode::NotFound,
            "No weather station fits. search_weather_stations finds the nearest to a latitude and longitude.",
        )
        .with("field", if wanted.wmo.is_some() { "wmo" } else { "query" }));
    }
    // several places with one name are the caller's to choose from
    let best = found.first().and_then(|best| best.score);
    let rivals: Vec<&Station> = found.iter().filter(|other| best.is_some() && other.score == best).collect();
    let apart = rivals.iter().any(|other| found.first().is_some_and(|best| far(best, other)));
    if wanted.wmo.is_none() && apart {
        let names: Vec<String> = rivals
            .iter()
            .map(|s| format!("{} ({} {}, wmo {})", s.name, s.state, s.country, s.wmo).replace("( ", "("))
            .collect();
        return Err(Fault::new(
            FaultCode::InvalidParams,
            format!("Several stations fit equally well: {}. Give the wmo of one.", names.join("; ")),
        )
        .with("field", "query")
        .with("candidates", names));
    }
    Ok(found.swap_remove(0))
}

/// More than a day's drive of climate apart: two degrees.
fn far(a: &Station, b: &Station) -> bool {
    (a.latitude - b.latitude).abs() > 2.0 || (a.longitude - b.longitude).abs() > 2.0
}

/// The part of a summary that an agent needs; months and holidays are in the file.
fn brief(mut summary: Value) -> Value {
    if let Value::Object(members) = &mut summary {
        for name in ["months", "holidays", "typical", "records", "per_hour"] {
            members.remove(name);
        }
    }
    summary
}
