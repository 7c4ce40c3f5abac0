//! The reference solutions of the six cases of a study, in three styles: few calls, one batch, one script. Each meets every criterion, is
//! sound and clean, and costs few calls and few characters to and fro.

use crate::place::Place;
use serde_json::Value;
use std::path::Path;

/// Calls of a solution at most, by style: a link to look at is a call of its own beside a batch, and a script needs a project.
const STYLES: [(&str, u64); 3] = [("traces", 4), ("batches", 2), ("scripts", 3)];
/// Characters of arguments and answers at most.
const CHARACTERS: u64 = 8000;

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
        let records: Vec<Value> = std::fs::read_dir(&out)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.extension().is_some_and(|end| end == "json"))
            .map(|path| serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap())
            .collect();
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
