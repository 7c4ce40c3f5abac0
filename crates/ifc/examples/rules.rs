//! `rules FILE…` evaluates the rules of the schema over each file and prints a JSON line for each finding: what
//! `tests/python/compare_rules.py` compares with IfcOpenShell. A last line for each file says how many instances it has
//! and how many CPU seconds the evaluation took.
#![allow(clippy::print_stdout, reason = "its answers are what it is for")]

use ifc::{Limits, Model};
use rustix::time::{ClockId, clock_gettime};
use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for file in std::env::args().skip(1) {
        let (model, _) = Model::open(Path::new(&file), &Limits::default())?;
        let before = cpu_seconds();
        let findings = model.check_rules();
        let taken = cpu_seconds() - before;
        for finding in findings {
            let row = serde_json::json!({
                "code": finding.code.as_str(),
                "id": finding.id.map(|id| id.0),
                "rule": finding.rule,
                "message": finding.message,
            });
            println!("{row}");
        }
        println!("{}", serde_json::json!({"file": file, "instances": model.len(), "cpu": taken}));
    }
    Ok(())
}

fn cpu_seconds() -> f64 {
    let now = clock_gettime(ClockId::ProcessCPUTime);
    now.tv_sec as f64 + now.tv_nsec as f64 * 1e-9
}
