//! Clashes of the Duplex with its electrical model, beside ifcclash: both read two files, make their shapes and find which pairs go into each
//! other, each run in a fresh process. Told with that work, and for the clashes alone.

use super::SOURCE;
use super::kernel::{median, probe};
use crate::shell::{cargo, program, python, root, sh, target, test_data};
use anyhow::{Context, Result};
use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// The model that is held against [`SOURCE`].
const ELECTRICAL: &str = "models/Duplex_Electrical.ifc";
/// Runs of the peer, which takes seconds.
const PATIENCE: usize = 3;

/// The figures of one program.
struct Figures {
    /// CPU and wall seconds with opening and shapes.
    whole: [f64; 2],
    /// CPU and wall seconds of the clashes alone.
    clashes: [f64; 2],
    pairs: f64,
    peak_mb: f64,
}

/// Measures both.
pub fn run(runs: usize) -> Result<()> {
    sh(cargo().args(["build", "--release", "--quiet", "--workspace", "--example", "geometry"]))?;
    let data = test_data().context("no real models: set PENSAER_TEST_DATA")?;
    let (house, electrical) = (data.join(SOURCE), data.join(ELECTRICAL));
    let (mut own, mut theirs): (Vec<Value>, Vec<Value>) = Default::default();
    for round in 0..runs.max(1) {
        own.push(probe(&mut ours(&house, &electrical))?);
        if round < PATIENCE {
            theirs.push(probe(&mut peer(&house, &electrical)).context("ifcclash")?);
        }
    }
    println!("\nClashes of the Duplex with its electrical model, medians of {runs} runs: CPU s (wall s)");
    let (own, theirs) = (figures(&own, &["open", "mesh", "cold"], "cold", "/hard"), theirs_of(&theirs));
    for (name, figures) in [("Pensaer", &own), ("ifcclash", &theirs)] {
        tell(name, figures);
    }
    let ratio = |a: [f64; 2], b: [f64; 2]| format!("{:.0}× CPU ({:.0}× wall)", a[0] / b[0], a[1] / b[1]);
    println!(
        "  ifcclash / Pensaer: {} with files and shapes, {} for the clashes alone, {:.1}× memory",
        ratio(theirs.whole, own.whole),
        ratio(theirs.clashes, own.clashes),
        theirs.peak_mb / own.peak_mb
    );
    Ok(())
}

fn ours(house: &Path, electrical: &Path) -> Command {
    let mut command = program(target().join("release/examples/geometry"));
    command.arg("clashes").args([house, electrical]);
    // as the pool starts its workers
    command.env("MIMALLOC_ARENA_EAGER_COMMIT", "0");
    command
}

fn peer(house: &Path, electrical: &Path) -> Command {
    let mut command = program(python());
    command.arg(root().join("tests/python/measure_clash.py")).args([house, electrical]);
    command
}

fn theirs_of(rows: &[Value]) -> Figures {
    figures(rows, &["all"], "clashes", "/pairs")
}

/// The medians of the steps that make up the whole, and of the clashes.
fn figures(rows: &[Value], whole: &[&str], clashes: &str, pairs: &str) -> Figures {
    let both = |step: &str| ["cpu", "wall"].map(|clock| median(rows, &format!("/{step}/{clock}")));
    let sum = |[a, b]: [f64; 2], [c, d]: [f64; 2]| [a + c, b + d];
    Figures {
        whole: whole.iter().map(|step| both(step)).fold([0.0; 2], sum),
        clashes: both(clashes),
        pairs: median(rows, pairs),
        peak_mb: median(rows, "/peak_mb"),
    }
}

fn tell(name: &str, figures: &Figures) {
    let time = |[cpu, wall]: [f64; 2]| format!("{cpu:.4} ({wall:.4})");
    println!(
        "  {name:<10} with files and shapes {:>18}   the clashes alone {:>18}   {:>4.0} pairs, {:>5.0} MB",
        time(figures.whole),
        time(figures.clashes),
        figures.pairs,
        figures.peak_mb
    );
}
