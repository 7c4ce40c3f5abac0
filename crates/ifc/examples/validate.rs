//! `validate [--rules] [--implementer] FILE…` prints everything that validation finds, a JSON object a line, and for each file its CPU
//! time on standard error: what `tests/python/compare_validation.py` compares with IfcOpenShell.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "its answers are what it is for")]

use ifc::{Limits, Model, Options};
use serde_json::json;
use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (options, files): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|argument| argument.starts_with("--"));
    let has = |name: &str| options.iter().any(|option| option == name);
    let limit = if has("--counts") { 0 } else { usize::MAX };
    let only = ["--only-rules", "--only-implementer"].into_iter().any(has);
    let options = Options {
        schema: !only,
        rules: has("--rules") || has("--only-rules"),
        implementer: has("--implementer") || has("--only-implementer"),
        limit,
    };
    for file in files {
        let began = cpu_seconds();
        let model = match Model::open(Path::new(&file), &Limits::default()) {
            Ok((model, _)) => model,
            Err(error) => {
                println!("{}", json!({"file": file, "refused": error.to_string()}));
                continue;
            }
        };
        let opened = cpu_seconds();
        let report = model.validate(&options);
        let (open, validate) = (opened - began, cpu_seconds() - opened);
        eprintln!(
            "{file}: opened in {open:.4} s, validated in {validate:.4} s of CPU time, {} findings",
            report.total()
        );
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

/// Time that all threads of this process have spent on a processor.
fn cpu_seconds() -> f64 {
    let spent = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    spent.tv_sec as f64 + spent.tv_nsec as f64 / 1e9
}
