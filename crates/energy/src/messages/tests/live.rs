//! Real runs of EnergyPlus: a model that gives a message is run, mended and run again.

use super::*;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// Runs a model with a week of weather at hand and answers what the program said.
fn run(energyplus: &Path, model: &[u8]) -> ErrorReport {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("in.idf");
    std::fs::write(&file, model).unwrap();
    let weather = energyplus.join("WeatherData/USA_CO_Golden-NREL.724666_TMY3.epw");
    let ran = Command::new(energyplus.join("energyplus"))
        .arg("-w")
        .arg(weather)
        .arg("-d")
        .arg(folder.path())
        .arg(&file)
        .current_dir(folder.path())
        .output()
        .unwrap();
    let said = std::fs::read(folder.path().join("eplusout.err"));
    ErrorReport::parse(
        &said.unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&ran.stderr))),
    )
}

/// The severe and fatal messages by their kinds, or their texts.
fn grave(document: &Document, report: &ErrorReport) -> BTreeSet<String> {
    let groups = explain(document, report).into_iter();
    groups
        .filter(|group| group.level > Level::Warning)
        .map(|group| group.kind.unwrap_or(group.text))
        .collect()
}

/// Runs, mends and runs again; the reason if the message does not come, does not go or makes room for a worse one.
fn mended_by_its_mend(energyplus: &Path, case: &Case) -> Result<(), String> {
    let document = case.document();
    let first = run(energyplus, case.model().as_bytes());
    let of_kind = |document: &Document, report: &ErrorReport| {
        explain(document, report).into_iter().any(|group| group.kind.as_deref() == Some(case.kind.as_str()))
    };
    if !of_kind(&document, &first) {
        return Err(format!("{}: the run does not say it", case.kind));
    }
    let mending = mend(&document, &first, Some(std::slice::from_ref(&case.kind))).unwrap();
    let second = run(energyplus, &mending.document.to_bytes(Format::Idf).unwrap());
    if of_kind(&mending.document, &second) {
        return Err(format!("{}: it is still said", case.kind));
    }
    let (before, after) = (grave(&document, &first), grave(&mending.document, &second));
    let new: Vec<&String> = after.difference(&before).collect();
    if new.is_empty() { Ok(()) } else { Err(format!("{}: new ones are said, {new:?}", case.kind)) }
}

fn run_cases(wanted: impl Fn(&str) -> bool) {
    let Some(energyplus) = testing::energyplus() else { return };
    let cases = Case::all();
    let outcomes =
        cases.iter().filter(|case| wanted(&case.kind)).map(|case| mended_by_its_mend(&energyplus, case));
    let outcomes: Vec<Result<(), String>> = outcomes.collect();
    let failed: Vec<&String> = outcomes.iter().filter_map(|outcome| outcome.as_ref().err()).collect();
    assert!(!outcomes.is_empty() && failed.is_empty(), "{} of {}: {failed:#?}", failed.len(), outcomes.len());
}

#[test]
fn messages_on_reading_the_file_are_gone_after_their_mend() {
    run_cases(|kind| {
        ["value_not_a_choice", "several_of_one", "unknown_type", "duplicate_name"].contains(&kind)
    });
}

#[test]
fn messages_on_schedules_and_outputs_are_gone_after_their_mend() {
    run_cases(|kind| {
        [
            "schedule_day_incomplete",
            "schedule_year_incomplete",
            "schedule_limits_unknown",
            "variables_not_made",
        ]
        .contains(&kind)
    });
}

#[test]
fn messages_on_surfaces_are_gone_after_their_mend() {
    run_cases(|kind| {
        ["window_faces_other_way", "corners_coincide", "interzone_layers", "construction_unknown"]
            .contains(&kind)
    });
}

#[test]
fn messages_on_zones_and_sizing_are_gone_after_their_mend() {
    run_cases(|kind| {
        ["sizing_of_other_zone", "no_sizing_plant", "thermostat_twice", "component_unknown", "item_not_found"]
            .contains(&kind)
    });
}

#[test]
#[ignore = "a minute of simulation: cargo nextest run -p energy --run-ignored only every_mend --no-capture"]
fn every_mend_takes_its_message_away() {
    run_cases(|_| true);
}
