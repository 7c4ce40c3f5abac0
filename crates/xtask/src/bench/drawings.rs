//! Plans of all storeys of the Duplex as SVG, beside those that IfcOpenShell draws: both read the file, make its shapes, cut them, take out what is
//! hidden and write, each run in a fresh process.

use super::SOURCE;
use super::kernel::{median, probe};
use crate::shell::{cargo, program, python, root, sh, target, test_data};
use anyhow::{Context, Result};
use serde_json::Value;
use std::fs;

/// Runs of the peer, which takes seconds.
const PATIENCE: usize = 3;

/// Measures both.
pub fn run(runs: usize) -> Result<()> {
    sh(cargo().args(["build", "--release", "--quiet", "--workspace", "--example", "drawing"]))?;
    let model = test_data().context("no real models: set PENSAER_TEST_DATA")?.join(SOURCE);
    let folder = target().join("bench");
    fs::create_dir_all(&folder)?;
    let (mut own, mut theirs): (Vec<Value>, Vec<Value>) = Default::default();
    for round in 0..runs.max(1) {
        let mut ours = program(target().join("release/examples/drawing"));
        own.push(probe(ours.arg("--measure").arg(&model))?);
        if round < PATIENCE {
            let mut peer = program(python());
            peer.arg(root().join("tests/python/measure_drawing.py"))
                .arg(&model)
                .arg(folder.join("plans.svg"));
            theirs.push(probe(&mut peer).context("IfcOpenShell")?);
        }
    }
    let plans = median(&own, "/plans");
    println!("\nPlans of {plans:.0} storeys of the Duplex, medians of {runs} runs: CPU s (wall s)");
    let both =
        |rows: &[Value], step: &str| ["cpu", "wall"].map(|clock| median(rows, &format!("/{step}/{clock}")));
    let sum = |[a, b]: [f64; 2], [c, d]: [f64; 2]| [a + c, b + d];
    let draw = both(&own, "draw");
    let ours = ["open", "mesh"].iter().map(|step| both(&own, step)).fold(draw, sum);
    let whole = both(&theirs, "all");
    for (name, [cpu, wall], rows) in [("Pensaer", ours, &own), ("IfcOpenShell", whole, &theirs)] {
        println!("  {name:<13} {cpu:.4} ({wall:.4}), {:.0} MB", median(rows, "/peak_mb"));
    }
    println!("  a plan alone, of shapes that are there: {:.4} ({:.4})", draw[0] / plans, draw[1] / plans);
    println!(
        "  IfcOpenShell / Pensaer: {:.0}× CPU ({:.0}× wall) with file and shapes, {:.1}× memory",
        whole[0] / ours[0],
        whole[1] / ours[1],
        median(&theirs, "/peak_mb") / median(&own, "/peak_mb")
    );
    Ok(())
}
