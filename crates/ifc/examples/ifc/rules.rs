//! `rules FILE…` evaluates the rules of the schema over each file and prints a JSON line for each finding: what
//! `tests/python/compare_rules.py` compares with IfcOpenShell. A last line for each file says how many instances it has
//! and how many CPU seconds the evaluation took.

use crate::Arguments;
use crate::figures::timed;
use ifc::{Limits, Model};
use std::error::Error;
use std::path::Path;

pub fn run(arguments: Arguments) -> Result<(), Box<dyn Error>> {
    for file in arguments {
        let (model, _) = Model::open(Path::new(&file), &Limits::default())?;
        let (findings, taken) = timed(|| ifc_check::express::check_rules(&model));
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
