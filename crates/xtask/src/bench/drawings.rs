//! Plans of all storeys of the Duplex as SVG, beside those that IfcOpenShell draws: both read the file, make its shapes, cut them 1.2 m over every
//! floor, take out what is hidden beyond and write at 1:100, each run in a fresh process. Only Pensaer's have hatches, dimensions and marks, and
//! that counts.

use super::kernel::{median, probe};
use super::{SOURCE, cores};
use crate::setup;
use crate::shell::{cargo, program, python, root, sh, target, test_data};
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::fs;

/// Runs of the peer, which takes seconds.
const PATIENCE: usize = 3;

/// Measures both.
pub fn run(runs: usize) -> Result<()> {
    setup::python_environment()?;
    sh(cargo().args([
        "build",
        "--release",
        "--quiet",
        "--package",
        "documentation",
        "--example",
        "documentation",
    ]))?;
    let model = test_data().context("no real models: set PENSAER_TEST_DATA")?.join(SOURCE);
    let folder = target().join("bench");
    fs::create_dir_all(&folder)?;
    let (mut own, mut theirs): (Vec<Value>, Vec<Value>) = Default::default();
    for round in 0..runs.max(1) {
        let mut ours = program(target().join("release/examples/documentation"));
        own.push(probe(ours.args(["drawing", "--measure"]).arg(&model))?);
        if round < PATIENCE {
            let mut peer = program(python());
            peer.arg(root().join("tests/python/measure_drawing.py"))
                .arg(&model)
                .arg(folder.join("plans.svg"));
            theirs.push(probe(&mut peer).context("IfcOpenShell")?);
        }
    }
    let plans = median(&own, "/plans");
    let told = ["/plans", "/projections"].map(|key| median(&theirs, key));
    if told.iter().any(|count| (count - plans).abs() > 0.5) {
        bail!("IfcOpenShell drew {told:?} plans and projections, Pensaer {plans} plans: not the same job");
    }
    println!(
        "\nPlans of {plans:.0} storeys of the Duplex, {} cores; medians of {runs} runs: CPU s (wall s)",
        cores()
    );
    println!("{:<34} {:>20} {:>20} {:>8}", "", "Pensaer", "IfcOpenShell", "ratio");
    let both =
        |rows: &[Value], step: &str| ["cpu", "wall"].map(|clock| median(rows, &format!("/{step}/{clock}")));
    let row = |title: &str, [own, wall]: [f64; 2], [other, theirs]: [f64; 2]| {
        let cells = [(own, wall), (other, theirs)].map(|(cpu, wall)| format!("{cpu:.4} ({wall:.4})"));
        println!("{title:<34} {:>20} {:>20} {:>7.0}×", cells[0], cells[1], other / own);
    };
    for (step, title) in [
        ("open", "file read"),
        ("mesh", "shapes"),
        ("draw", "all plans, of shapes that are there"),
        ("all", "all of it"),
    ] {
        row(title, both(&own, step), both(&theirs, step));
    }
    row("one plan", both(&own, "draw").map(|v| v / plans), both(&theirs, "draw").map(|v| v / plans));
    let peaks = [&own, &theirs].map(|rows| median(rows, "/peak_mb"));
    println!("memory: {:.0} MB and {:.0} MB", peaks[0], peaks[1]);
    Ok(())
}
