//! Measures, beside IfcOpenShell in the same run, on this machine. What counts is CPU time and the ratio: wall time on a
//! shared machine says little. Nothing here passes or fails.
//!
//! Three parts: the kernel in a process of its own (open, count the walls, one edit, save, peak memory); the same through
//! the whole system, where an edit ends in a durable commit; and the doors (start to `initialize`, calls).

mod difference;
pub mod enlarge;
mod kernel;
mod system;

use crate::shell::{cargo, sh, target, test_data};
use crate::{setup, ui};
use anyhow::{Context, Result};
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

/// What to measure.
#[derive(clap::Args)]
pub struct Arguments {
    /// Runs of which the median is taken.
    #[arg(long, default_value_t = 5)]
    runs: usize,
    /// Copies of the Duplex that make the large file (60 are about 140 MB).
    #[arg(long, default_value_t = 60)]
    copies: u32,
    /// Calls measured at each door.
    #[arg(long, default_value_t = 200)]
    calls: usize,
    /// Measure these files instead.
    #[arg(long)]
    file: Vec<PathBuf>,
}

/// Builds for release, makes the large file, measures.
pub fn run(arguments: &Arguments) -> Result<()> {
    setup::run()?;
    if ui::exists() {
        ui::build()?;
    }
    sh(cargo().args(["build", "--release", "--quiet", "--package", "app"]))?;
    sh(cargo().args(["build", "--release", "--quiet", "--package", "ifc", "--example", "measure"]))?;
    fs::create_dir_all(target().join("bench"))?;
    let files = if arguments.file.is_empty() { samples(arguments.copies)? } else { arguments.file.clone() };
    println!(
        "\n{} cores; medians of {} runs; CPU seconds first, wall seconds in brackets",
        cores(),
        arguments.runs
    );
    for file in &files {
        kernel::measure(file, arguments.runs)?;
    }
    sh(cargo().args(["build", "--release", "--quiet", "--package", "ifc", "--example", "compare"]))?;
    for file in &files {
        println!("\n{}", file.file_name().unwrap_or_default().to_string_lossy());
        difference::measure(file, arguments.runs)?;
    }
    for file in &files {
        system::on_file(file, arguments.calls)?;
    }
    system::doors(arguments.calls)
}

/// The Duplex and a large file made of it.
fn samples(copies: u32) -> Result<Vec<PathBuf>> {
    let data = test_data().context("no real models: set PENSAER_TEST_DATA, or name files with --file")?;
    let small = data.join("models/Duplex_A_20110907.ifc");
    let large = target().join("bench").join(format!("duplex-x{copies}.ifc"));
    if !large.exists() {
        enlarge::write(&small, copies, &large)?;
    }
    Ok(vec![small, large])
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// The value at this share of a sorted list, such as 0.5 for the median.
fn quantile(values: &mut [f64], share: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    let at = (share * (values.len().saturating_sub(1)) as f64).round() as usize;
    values.get(at).copied().unwrap_or(f64::NAN)
}

/// `median 0.21 ms, p99 0.80 ms`.
fn spread(times: &[Duration]) -> String {
    let mut milliseconds: Vec<f64> = times.iter().map(|time| time.as_secs_f64() * 1e3).collect();
    let (median, late) = (quantile(&mut milliseconds, 0.5), quantile(&mut milliseconds, 0.99));
    format!("median {median:.2} ms, p99 {late:.2} ms")
}
