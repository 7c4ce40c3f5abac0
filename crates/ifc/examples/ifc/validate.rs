//! `validate [--rules] [--implementer] FILE…` prints everything that validation finds, a JSON object a line: what
//! `tests/python/compare_validation.py` compares with IfcOpenShell. With `--counts`, for each file how many findings there
//! are, and what opening and validation took.

use crate::Arguments;
use crate::figures::{memory, timed};
use ifc::{Limits, Model};
use ifc_check::ValidationOptions;
use serde_json::json;
use std::error::Error;
use std::path::Path;

pub fn run(arguments: Arguments) -> Result<(), Box<dyn Error>> {
    let (options, files): (Vec<String>, Vec<String>) =
        arguments.partition(|argument| argument.starts_with("--"));
    let has = |name: &str| options.iter().any(|option| option == name);
    let counts = has("--counts");
    let limit = if counts { 0 } else { usize::MAX };
    let only = ["--only-rules", "--only-implementer"].into_iter().any(has);
    let options = ValidationOptions {
        schema: !only,
        rules: has("--rules") || has("--only-rules"),
        implementer: has("--implementer") || has("--only-implementer"),
        limit,
    };
    for file in files {
        let (opened, open) = timed(|| Model::open(Path::new(&file), &Limits::default()));
        let model = match opened {
            Ok((model, _)) => model,
            Err(error) => {
                println!("{}", json!({"file": file, "refused": error.to_string()}));
                continue;
            }
        };
        let (report, validate) = timed(|| ifc_check::validate(&model, &options));
        if counts {
            let peak = memory("VmHWM:");
            let row = json!({"file": file, "open": open, "validate": validate, "findings": report.total(), "peak_mb": peak});
            println!("{row}");
        }
        for found in &report.findings {
            let row = json!({
                "file": file, "code": found.code.as_str(), "id": found.id.map(|id| id.0), "class": found.class,
                "attribute": found.attribute, "rule": found.rule, "message": found.message, "line": found.line,
                "column": found.column,
            });
            println!("{row}");
        }
    }
    Ok(())
}
