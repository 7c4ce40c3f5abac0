//! `rules FILE…` evaluates the rules of the schema over each file and prints a JSON line for each finding: what
//! `tests/python/compare_rules.py` compares with IfcOpenShell. A last line for each file says how many instances it has
//! and how many CPU seconds the evaluation took.
#![allow(clippy::print_stdout, reason = "its answers are what it is for")]

mod figures;

use figures::timed;
use ifc::{Limits, Model};
use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for file in std::env::args().skip(1) {
        let (model, _) = Model::open(Path::new(&file), &Limits::default())?;
        let (findings, taken) = timed(|| model.check_rules());
        for finding in findings {
            let row = serde_json::json!({
                "code": finding.code.as_str(),
                "id": finding.id.map(|id| id.0),
                "rule": finding.rule,
                "message": finding.message,
            });
            println!("{row}");
        }
        println!("{}", serde_json::json!({"file": file, "instances": model.len(), "cpu": taken["cpu"]}));
    }
    Ok(())
}
