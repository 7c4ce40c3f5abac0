//! Validation against the schema, without its rules and with them, beside IfcOpenShell's. The peer takes minutes over a
//! large file with rules, so that it is asked once, and of files up to a size only.

use super::kernel::probe;
use super::quantile;
use crate::shell::{program, python, root, target};
use anyhow::Result;
use serde_json::Value;
use std::fs;
use std::path::Path;

/// Files up to this many bytes are shown to the peer.
const MOST: u64 = 40_000_000;

/// Prints the figures of a file.
pub fn measure(file: &Path, runs: usize) -> Result<()> {
    println!(
        "{:<28} {:>22} {:>10} {:>9} {:>30}",
        "CPU s (wall s)", "Pensaer", "findings", "memory", "IfcOpenShell (ratio)"
    );
    for (title, options) in [("validation without rules", &[][..]), ("with rules", &["--rules"])] {
        let mut rows: Vec<Value> = Vec::new();
        for _ in 0..runs.max(1) {
            let mut command = program(target().join("release/examples/ifc"));
            rows.push(probe(command.args(["validate", "--counts"]).args(options).arg(file))?);
        }
        let median = |pointer: &str| {
            let mut values: Vec<f64> = rows.iter().filter_map(|row| row.pointer(pointer)?.as_f64()).collect();
            quantile(&mut values, 0.5)
        };
        let own = median("/validate/cpu");
        let theirs = if fs::metadata(file)?.len() <= MOST {
            let mut command = program(python());
            command.arg(root().join("tests/python/measure_validation.py")).arg(file).args(options);
            let found = probe(&mut command)?;
            let other = found.pointer("/validate/cpu").and_then(Value::as_f64).unwrap_or(f64::NAN);
            format!("{other:.2} {:>8.1}×", other / own)
        } else {
            "–".to_owned()
        };
        println!(
            "{title:<28} {:>22} {:>10.0} {:>6.0} MB {theirs:>30}",
            format!("{own:.4} ({:.4})", median("/validate/wall")),
            median("/findings"),
            median("/peak_mb")
        );
    }
    Ok(())
}
