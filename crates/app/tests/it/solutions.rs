//! The reference solutions of the cases: of the six of a study in three styles, few calls, one batch, one script, each sound and clean, in few calls
//! and few characters to and fro; of edits, checks, drawings, energy models and questions on real models, each in a few calls, with every criterion met.

use crate::place::Place;
use serde_json::Value;
use std::path::Path;

/// Calls of a solution at most, by style: a link to look at is a call of its own beside a batch, and a script needs a project.
const STYLES: [(&str, u64); 3] = [("traces", 4), ("batches", 2), ("scripts", 3)];
/// Characters of arguments and answers at most.
const CHARACTERS: u64 = 8000;

/// The records that runs left in a folder.
fn records(folder: &Path) -> Vec<Value> {
    std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|end| end == "json"))
        .map(|path| serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap())
        .collect()
}

#[test]
fn the_six_cases_are_met_in_few_calls_one_batch_or_one_script() {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../evals");
    for (style, most) in STYLES {
        let place = Place::new();
        let out = place.root().join("out");
        let [cases, folder] = [&cases, &out].map(|path| path.display().to_string());
        let done = place.run(&["eval", "tc_", "--cases", &cases, "--traces", style, "--out", &folder]);
        let said = String::from_utf8_lossy(&done.stdout).into_owned();
        assert!(done.status.success(), "{style}: {said}\n{}", String::from_utf8_lossy(&done.stderr));
        println!("{style}:\n{said}");
        let records = records(&out);
        assert_eq!(records.len(), 6, "{style}");
        for record in records {
            let case = &record["case"];
            assert!(record["calls"].as_u64().unwrap() <= most, "{style}, {case}: {} calls", record["calls"]);
            assert!(
                record["characters"].as_u64().unwrap() <= CHARACTERS,
                "{style}, {case}: {}",
                record["characters"]
            );
            assert_eq!(record["problems"], Value::Array(Vec::new()), "{style}, {case}");
        }
    }
}

/// Calls of a solution on a real model at most.
const CALLS: u64 = 6;

/// Plays the solutions of a set of cases on the models of the test data, and answers their records.
fn played(set: &str) -> Vec<Value> {
    let Some(models) = testing::data("models") else { return Vec::new() };
    let data = models.parent().unwrap().to_owned();
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../evals");
    let text = std::fs::read_to_string(cases.join("cases").join(format!("{set}.json"))).unwrap();
    let known: serde_json::Map<String, Value> = serde_json::from_str(&text).unwrap();
    let runs: Vec<&String> = known
        .iter()
        .filter(|(_, case)| case.get("needs").is_none() || testing::energyplus().is_some())
        .map(|(id, _)| id)
        .collect();
    let place = testing::energyplus().map_or_else(Place::new, Place::with_energyplus);
    let out = place.root().join("out");
    let [cases, folder, data] = [&cases, &out, &data].map(|path| path.display().to_string());
    let mut command = vec!["eval"];
    command.extend(runs.iter().map(|id| id.as_str()));
    command.extend(["--cases", &cases, "--out", &folder, "--data", &data, "--parallel", "2"]);
    let done = place.run(&command);
    let said = String::from_utf8_lossy(&done.stdout).into_owned();
    assert!(done.status.success(), "{said}\n{}", String::from_utf8_lossy(&done.stderr));
    let records = records(&out);
    assert_eq!(records.len(), runs.len(), "{set}");
    for record in &records {
        let calls = record["calls"].as_u64().unwrap();
        assert!((1..=CALLS).contains(&calls), "{}: {calls} calls", record["case"]);
    }
    records
}

#[test]
fn questions_on_real_models_are_answered() {
    for record in played("questions") {
        assert!(record["characters"].as_u64().unwrap() <= CHARACTERS, "{}", record["case"]);
    }
}

#[test]
fn edits_of_real_models_are_met_and_change_nothing_else() {
    played("edits");
}

#[test]
fn checks_and_drawings_of_real_models_are_met() {
    played("checks");
}

#[test]
fn tasks_on_energy_models_are_met() {
    played("energy");
}
