//! Weather files: found by the name that a caller gives them, else the session's, with the design days that came with them; and
//! fetched from the public collection.

use contract::ops::PlatformOperation;
use contract::{
    Caller, DownloadDraft, DownloadFault, Downloaded, Downloads, Fault, FaultCode, FetchProblem, Files,
    KeptFile, Sessions,
};
use energy::ops::{InstalledWeather, InstalledWeatherAnswer, ReadWeather};
use std::path::Path;

/// The name under which the session remembers the key of the weather file that holds where none is named.
const SLOT: &str = "weather_file";
/// The parameter by which tools take one.
const FIELD: &str = "weather_file";
/// The collection, by its name in the settings.
pub const COLLECTION: &str = "weather";
/// The collection's own address.
pub const COLLECTION_ADDRESS: &str = "https://climate.onebuilding.org";
/// The most bytes of an archive, and of a weather file that is named by its path.
const LARGEST_ARCHIVE: u64 = 32 << 20;
const LARGEST_WEATHER: u64 = 256 << 20;

/// The weather file that a caller names: a key, the name of an upload, for callers at this machine a path, or words of the name of one that
/// EnergyPlus brings.
pub async fn named(call: &(impl Caller + Downloads + Files + ?Sized), name: &str) -> Result<KeptFile, Fault> {
    if let Some(file) = call.find_file(name).await? {
        return Ok(file);
    }
    let is_path = call.principal().local && has_ending(name, "epw");
    let kept =
        if is_path { call.keep_local(FIELD, name, "text/plain", LARGEST_WEATHER).await? } else { None };
    let Some(kept) = kept else {
        return brought(call, name).await;
    };
    for ending in ["ddy", "DDY"] {
        let days = Path::new(name).with_extension(ending).display().to_string();
        if call.keep_local(FIELD, &days, "text/plain", LARGEST_ARCHIVE).await?.is_some() {
            break;
        }
    }
    Ok(kept)
}

/// The back end whose programs bring weather files.
const BRINGS: &str = "energyplus";

/// The names of the weather files that EnergyPlus brings; none where there is no EnergyPlus.
pub async fn all_brought(call: &(impl Downloads + ?Sized)) -> Vec<String> {
    let listed = call.installed(BRINGS, InstalledWeather::default().operation()).await;
    let listed = listed.ok().and_then(|listed| InstalledWeather::answer(&listed.result).ok());
    listed.map(|listed| listed.files).unwrap_or_default()
}

/// The weather file that EnergyPlus brings by these words.
async fn brought(call: &(impl Downloads + Files + ?Sized), name: &str) -> Result<KeptFile, Fault> {
    let ask = InstalledWeather { name: Some(name.chars().take(200).collect()) };
    let found = call.installed(BRINGS, ask.operation()).await.ok();
    let files = found.as_ref().and_then(|found| InstalledWeather::answer(&found.result).ok());
    if let Some(file) = found.and_then(|found| found.made.into_iter().find(|file| file.role == "weather")) {
        return Ok(file);
    }
    let InstalledWeatherAnswer { files } = files.unwrap_or_default();
    if files.len() > 1 {
        let message = format!(
            "Several weather files that EnergyPlus brings are called {name}: {}. Give one.",
            files.join(", ")
        );
        return Err(Fault::invalid(FIELD, message).with("candidates", files));
    }
    let there = all_brought(call).await;
    let brings = if there.is_empty() {
        String::new()
    } else {
        format!(" EnergyPlus brings {}; a word of a name will do.", there.join(", "))
    };
    let message = format!(
        "There is no weather file {name}: no key, no upload and no file of that name. download_weather_file fetches one.{brings}"
    );
    Err(Fault::new(FaultCode::NotFound, message).with("field", FIELD).with("near_matches", there))
}

/// The session's weather file, if it has one that is still there.
pub async fn of_session(call: &(impl Files + Sessions + ?Sized)) -> Result<Option<KeptFile>, Fault> {
    match call.slot(SLOT).await? {
        Some(key) => call.find_file(&key).await,
        None => Ok(None),
    }
}

/// The weather file of a run: the one that was named, else the session's, where the run needs one.
pub async fn of_run(
    call: &(impl Caller + Downloads + Files + Sessions + ?Sized),
    name: Option<&str>,
    is_needed: bool,
) -> Result<Option<KeptFile>, Fault> {
    if let Some(name) = name.map(str::trim).filter(|name| !name.is_empty()) {
        return Ok(Some(named(call, name).await?));
    }
    if !is_needed {
        return Ok(None);
    }
    let Some(key) = call.slot(SLOT).await? else {
        return Err(Fault::invalid(
            FIELD,
            "This run needs a weather file. Give weather_file, fetch one with download_weather_file, or ask for \
             design_day=true, which needs none.",
        ));
    };
    match call.find_file(&key).await? {
        Some(file) => Ok(Some(file)),
        None => Err(Fault::invalid(
            FIELD,
            "The session's weather file is not there any more. Give weather_file, or fetch it again with \
             download_weather_file.",
        )),
    }
}

/// The files `weather` and, where there are any, `design_days`: of the weather file that was named, else of the session's. None where
/// neither is there.
pub async fn with_design_days(
    call: &(impl Caller + Downloads + Files + Sessions + ?Sized),
    name: Option<&str>,
) -> Result<Vec<KeptFile>, Fault> {
    let weather = match name {
        Some(name) => Some(named(call, name).await?),
        // a file that was given up since is no reason to fail
        None => of_session(call).await?,
    };
    let Some(weather) = weather else { return Ok(Vec::new()) };
    if !has_ending(&weather.name, "epw") {
        return Err(Fault::invalid(
            FIELD,
            format!("{} is no weather file: its name has to end in .epw.", weather.name),
        ));
    }
    let days = beside(call, &weather, ["ddy", "DDY"]).await?;
    let days = days.map(|days| days.as_role("design_days"));
    Ok([weather.as_role("weather")].into_iter().chain(days).collect())
}

/// Makes a weather file the session's own. Answers the token by which later calls find the session, where they need one.
pub async fn keep(call: &(impl Sessions + ?Sized), key: &str) -> Result<Option<String>, Fault> {
    call.set_slot(SLOT, key).await
}

/// Fetches the archive of a station, by its path below the collection, unless it is here, and reads it.
pub async fn fetch(call: &(impl Downloads + ?Sized), path: &str) -> Result<Downloaded, Fault> {
    let draft = DownloadDraft {
        collection: COLLECTION,
        path,
        media_type: "application/zip",
        max_bytes: LARGEST_ARCHIVE,
    };
    match call.download(draft, ReadWeather::default().operation()).await {
        Ok(downloaded) => Ok(downloaded),
        Err(DownloadFault::Fault(fault)) => Err(fault),
        Err(DownloadFault::NotFetched { address, problem }) => {
            let is_lost = !matches!(problem, FetchProblem::TooLarge);
            let fault = not_fetched(&address, problem);
            let there = if is_lost { all_brought(call).await } else { Vec::new() };
            if there.is_empty() {
                return Err(fault);
            }
            let message = format!(
                "{} EnergyPlus brings these, to be given as weather_file: {}.",
                fault.message,
                there.join(", ")
            );
            Err(Fault { message, ..fault }.with("installed", there))
        }
    }
}

/// The files beside a weather file, by its own key and name: those that came with it, or were uploaded under the same name.
pub async fn beside(
    call: &(impl Files + ?Sized),
    weather: &KeptFile,
    endings: [&str; 2],
) -> Result<Option<KeptFile>, Fault> {
    let stem = |text: &str| text.rsplit_once('.').map(|(stem, _)| stem.to_owned());
    let (Some(key), Some(name)) = (stem(&weather.key), stem(&weather.name)) else { return Ok(None) };
    for ending in endings {
        for stem in [&key, &name] {
            if let Some(found) = call.find_file(&format!("{stem}.{ending}")).await? {
                return Ok(Some(found));
            }
        }
    }
    Ok(None)
}

/// The Fault of an archive that was not fetched, which says how to go on without.
fn not_fetched(address: &str, problem: FetchProblem) -> Fault {
    match problem {
        FetchProblem::Unreachable(why) => Fault::new(
            FaultCode::BackendFailed,
            format!(
                "{address} cannot be fetched ({why}). Without a network, name a mirror in the settings ([weather] mirror = \
                 \"https://…\" in pensaer.toml, or PENSAER_WEATHER_MIRROR), or upload an EPW file and give it as weather_file."
            ),
        )
        .with("address", address),
        FetchProblem::Missing => Fault::new(
            FaultCode::NotFound,
            format!(
                "There is no file at {address}: the collection has changed, or the mirror does not have it. Take another \
                 station of search_weather_stations, or upload an EPW and give it as weather_file."
            ),
        ),
        FetchProblem::TooLarge => Fault::new(
            FaultCode::LimitReached,
            format!("{address} has more than 32 MB, which no archive of a weather station has. Nothing was kept."),
        ),
        FetchProblem::Elsewhere(host) => Fault::new(
            FaultCode::BackendFailed,
            format!(
                "{address} leads to another host, {host}, which is not followed. Name that host as the mirror of weather \
                 files if it is to be trusted."
            ),
        ),
    }
}

fn has_ending(name: &str, ending: &str) -> bool {
    Path::new(name).extension().is_some_and(|extension| extension.eq_ignore_ascii_case(ending))
}
