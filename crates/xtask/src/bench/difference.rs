//! Differences: of two versions of one history after one edit, and of a file and the same content in other numbers with
//! one edit. Ours alone: ifcdiff compares elements of two loaded models, not instances, and is measured in minutes on
//! the large file.

use super::quantile;
use crate::shell::{output, program, target};
use anyhow::{Context, Result};
use serde_json::Value;
use std::path::Path;

/// Prints the figures of a file.
pub fn measure(file: &Path, runs: usize) -> Result<()> {
    let mut found: Vec<Value> = Vec::new();
    for _ in 0..runs.max(1) {
        let text = output(program(target().join("release/examples/ifc")).arg("compare").arg(file))?;
        found.push(serde_json::from_str(&text).with_context(|| format!("no figures in: {text}"))?);
    }
    let median = |pointer: &str| {
        let mut values: Vec<f64> = found.iter().filter_map(|row| row.pointer(pointer)?.as_f64()).collect();
        quantile(&mut values, 0.5)
    };
    for (step, title) in [
        ("history", "difference after an edit"),
        ("unrelated", "of unrelated files"),
        ("meaning", "by element"),
    ] {
        let (cpu, wall) = (median(&format!("/{step}/cpu")), median(&format!("/{step}/wall")));
        println!("{title:<26} {cpu:>12.6} ({wall:.6})");
    }
    println!("{:<26} {:>9.0} MB", "peak memory, both files", median("/peak_mb"));
    Ok(())
}
