//! Requirements of an IDS, beside ifctester: all pass and fail cases of the suite in one process each, and a document of 300 requirements on a
//! model of 27 MB made of copies. Both open the models, read the documents and check; only Pensaer audits them, too, and that counts. Imports,
//! and the XML Schema that ifctester makes once, do not.

use super::kernel::{median, probe};
use super::{SOURCE, cores, enlarge, enlarge::Copies};
use crate::setup;
use crate::shell::{cargo, program, python, root, sh, target, test_data};
use anyhow::{Context, Result};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Copies that make about 27 MB.
const COPIES: u32 = 12;
/// Requirements of the document.
const REQUIREMENTS: &str = "300";
/// Rounds within one process, of which the quickest counts: ours take milliseconds, the peer's a second.
const ROUNDS: &str = "9";
const PEER_ROUNDS: &str = "2";

/// Measures both.
pub fn run(runs: usize) -> Result<()> {
    setup::python_environment()?;
    sh(cargo().args(["build", "--release", "--quiet", "--workspace", "--example", "validation"]))?;
    let data = test_data().context("no suite of cases: set PENSAER_TEST_DATA")?;
    let folder = target().join("bench");
    fs::create_dir_all(&folder)?;
    println!(
        "\nIDS, {} cores; processor ms of all threads, medians of {runs} runs; in brackets the steps",
        cores()
    );
    cases(&data.join("ids"), runs)?;
    let (model, document) = (folder.join(format!("duplex-x{COPIES}-apart.ifc")), folder.join("measured.ids"));
    if !model.exists() {
        enlarge::write(&data.join(SOURCE), COPIES, Copies::Apart, &model)?;
    }
    sh(ours().arg("ids-made").arg(&model).arg(REQUIREMENTS).arg(&document))?;
    large(&model, &document, runs)
}

fn ours() -> Command {
    Command::new(target().join("release/examples/validation"))
}

fn theirs() -> Command {
    let mut command = program(python());
    command.arg(root().join("tests/python/measure_ids.py"));
    command
}

/// All cases of the suite.
fn cases(suite: &Path, runs: usize) -> Result<()> {
    let (mut own, mut other): (Vec<Value>, Vec<Value>) = Default::default();
    for _ in 0..runs.max(1) {
        own.push(probe(ours().arg("ids-cases").arg(suite).arg(ROUNDS))?);
        other.push(probe(theirs().arg("cases").arg(suite).arg(PEER_ROUNDS)).context("ifctester")?);
    }
    println!("{:.0} cases of the suite", median(&own, "/cases"));
    line("Pensaer", &own, &["open", "read", "audit", "check"]);
    println!("    the first round of a process: {:.1}", median(&own, "/first_round_cpu") * 1e3);
    line("ifctester", &other, &["open", "read", "check"]);
    let right = |rows| format!("{:.0} of {:.0}", median(rows, "/right"), median(rows, "/cases"));
    println!("    right: Pensaer {}, ifctester {}", right(&own), right(&other));
    println!("    ratio {:.0}×", median(&other, "/cpu") / median(&own, "/cpu"));
    let without =
        |rows: &[Value]| ["read", "check"].map(|step| median(rows, &format!("/{step}"))).iter().sum::<f64>();
    println!("    ratio of reading and checking alone {:.0}×", without(&other) / without(&own));
    Ok(())
}

/// One document of many requirements on one large model; the peer is asked once.
fn large(model: &Path, document: &Path, runs: usize) -> Result<()> {
    let mut own: Vec<Value> = Vec::new();
    for _ in 0..runs.max(1) {
        own.push(probe(ours().arg("ids").arg(model).arg(document))?);
    }
    let bytes = fs::metadata(model)?.len() as f64;
    println!("{:.0} requirements on {:.0} MB", median(&own, "/requirements"), bytes / 1e6);
    line("Pensaer", &own, &["open", "read", "audit", "check"]);
    // it may fall over what its author did not think of, which is no reason to measure nothing
    match probe(theirs().arg("one").arg(model).arg(document)) {
        Ok(found) => {
            let other = [found];
            line("ifctester", &other, &["open", "read", "check"]);
            println!(
                "    ratio {:.0}×, of the check alone {:.0}×; failing: Pensaer {:.0}, ifctester {:.0}",
                median(&other, "/cpu") / median(&own, "/cpu"),
                median(&other, "/check") / median(&own, "/check"),
                median(&own, "/failed"),
                median(&other, "/failed")
            );
        }
        Err(error) => println!("  ifctester fell over it: {error:#}"),
    }
    Ok(())
}

fn line(name: &str, rows: &[Value], steps: &[&str]) {
    let ms = |part: &str| median(rows, &format!("/{part}")) * 1e3;
    let steps: Vec<String> = steps.iter().map(|step| format!("{step} {:.1}", ms(step))).collect();
    println!(
        "  {name:<12} {:>9.1} ({}); peak {:.0} MB",
        ms("cpu"),
        steps.join(", "),
        median(rows, "/peak_mb")
    );
}
