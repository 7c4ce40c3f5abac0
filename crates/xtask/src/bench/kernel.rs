//! The kernel alone, beside IfcOpenShell: each run is a fresh process that prints its own CPU and wall time and its peak
//! memory, ours an example of the crate `ifc`, theirs a few lines of Python.

use super::quantile;
use crate::shell::{output, program, python, root, target};
use anyhow::{Context, Result};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// Prints one table for a file.
pub fn measure(file: &Path, runs: usize) -> Result<()> {
    let size = fs::metadata(file)?.len() as f64 / 1e6;
    println!("\n{} ({size:.1} MB)", file.file_name().unwrap_or_default().to_string_lossy());
    println!("{:<22} {:>22} {:>22} {:>8}", "", "Pensaer", "IfcOpenShell", "ratio");
    let saved = target().join("bench/saved.ifc");
    let mut ours = Vec::new();
    let mut theirs = Vec::new();
    for _ in 0..runs.max(1) {
        ours.push(probe(program(target().join("release/examples/measure")).arg(file).arg(&saved))?);
        let script = root().join("tests/python/measure.py");
        theirs.push(probe(program(python()).arg(script).arg(file).arg(&saved))?);
    }
    for (step, title) in [("open", "open"), ("count", "count walls"), ("edit", "one edit"), ("save", "save")]
    {
        let time = |rows: &[Value], clock: &str| median(rows, &format!("/{step}/{clock}"));
        let cells = |rows: &[Value]| format!("{:.5} ({:.5})", time(rows, "cpu"), time(rows, "wall"));
        let ratio = time(&theirs, "cpu") / time(&ours, "cpu");
        println!("{title:<22} {:>22} {:>22} {ratio:>7.1}×", cells(&ours), cells(&theirs));
    }
    let (our_peak, their_peak) = (median(&ours, "/peak_mb"), median(&theirs, "/peak_mb"));
    println!(
        "{:<22} {our_peak:>19.0} MB {their_peak:>19.0} MB {:>7.1}×",
        "peak memory",
        their_peak / our_peak
    );
    println!("{:<22} {:>22} {:>22}", "walls", median(&ours, "/walls"), median(&theirs, "/walls"));
    Ok(())
}

fn probe(command: &mut std::process::Command) -> Result<Value> {
    let text = output(command)?;
    serde_json::from_str(&text).with_context(|| format!("no figures in: {text}"))
}

fn median(rows: &[Value], pointer: &str) -> f64 {
    let mut values: Vec<f64> = rows.iter().filter_map(|row| row.pointer(pointer)?.as_f64()).collect();
    quantile(&mut values, 0.5)
}
