//! Models of EnergyPlus: reading and checking the prototypes beside idfkit and eppy, and the energy server's door beside
//! idfkit-mcp's, which are installed in an environment of their own in the target folder.

use super::kernel::{median, probe};
use super::quantile;
use super::system::{fresh, stop_daemon};
use crate::rpc::{Client, Pipe};
use crate::setup::{energyplus_folder, prototypes};
use crate::shell::{cargo, program, root, sh, target};
use anyhow::{Context, Result};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// The largest of the prototypes.
const LARGEST: &str = "ASHRAE901_ApartmentHighRise_STD2019_Denver.idf";

/// Prints the figures.
pub fn run(runs: usize) -> Result<()> {
    sh(cargo().args(["build", "--release", "--quiet", "--workspace", "--example", "energy"]))?;
    let mut files: Vec<PathBuf> = fs::read_dir(prototypes())
        .context("no prototypes: cargo xtask setup fetches them")?
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "idf"))
        .collect();
    files.sort();
    let peers = match environment() {
        Ok(python) => Some(python),
        Err(error) => {
            println!("  idfkit and eppy are left out: {error:#}");
            None
        }
    };
    println!("\nModels of EnergyPlus (CPU ms, medians of {runs} runs; peers' in brackets as a ratio)");
    println!("{:<28} {:>12} {:>20} {:>20}", "", "Pensaer", "idfkit", "eppy");
    let largest: Vec<PathBuf> = files.iter().filter(|file| file.ends_with(LARGEST)).cloned().collect();
    table("the largest prototype", &largest, runs, peers.as_deref())?;
    table(&format!("all {}", files.len()), &files, runs, peers.as_deref())?;
    let mut searches = Vec::new();
    for _ in 0..runs.max(1) {
        let search = probe(model().args(["stations", "Chicago O'Hare"]))?;
        searches.push(search.pointer("/search/wall").and_then(Value::as_f64).unwrap_or(f64::NAN) * 1e3);
    }
    println!("{:<28} {:>9.1} ms", "station search, cold (wall)", quantile(&mut searches, 0.5));
    doors(runs, peers.as_deref())
}

fn model() -> Command {
    program(target().join("release/examples/energy"))
}

/// Measures reading these files, and checking them.
fn table(title: &str, files: &[PathBuf], runs: usize, peers: Option<&Path>) -> Result<()> {
    let mut rows: [Vec<Value>; 3] = Default::default();
    for _ in 0..runs.max(1) {
        let [own, idfkit, eppy] = &mut rows;
        own.push(sums(&probe(model().arg("measure").args(files))?));
        if let Some(python) = peers {
            idfkit.push(sums(&probe(peer(python, "idfkit").args(files))?));
            // it takes seconds for one file
            if eppy.is_empty() {
                let schema = energyplus_folder().join("Energy+.idd");
                eppy.push(sums(&probe(peer(python, "eppy").arg("--schema").arg(schema).args(files))?));
            }
        }
    }
    for (what, pointer) in [("read", "/read"), ("check", "/check")] {
        let [own, idfkit, eppy] = rows.each_ref().map(|rows| median(rows, pointer));
        let beside = |other: f64| {
            if other.is_finite() && other > 0.0 {
                format!("{other:.0} ({:.1}×)", other / own)
            } else {
                "–".to_owned()
            }
        };
        println!(
            "{:<28} {own:>12.1} {:>20} {:>20}",
            format!("{what}, {title}"),
            beside(idfkit),
            beside(eppy)
        );
    }
    let [own, idfkit, eppy] = rows.each_ref().map(|rows| median(rows, "/peak_mb"));
    println!("{:<28} {own:>9.0} MB {idfkit:>17.0} MB {eppy:>17.0} MB", "peak memory");
    Ok(())
}

/// Milliseconds over all files.
fn sums(figures: &Value) -> Value {
    let sum = |name: &str| -> f64 {
        let files = figures.get("files").and_then(Value::as_array);
        files.into_iter().flatten().filter_map(|file| file.get(name)?.as_f64()).sum::<f64>() * 1e3
    };
    json!({ "read": sum("read"), "check": sum("check"), "peak_mb": figures.get("peak_mb") })
}

fn peer(python: &Path, name: &str) -> Command {
    let mut command = program(python);
    command.arg(root().join("tests/peers/idfkit/measure.py")).arg(name);
    command
}

/// The Python in which the peers are installed.
fn environment() -> Result<PathBuf> {
    let folder = target().join("bench/idfkit");
    let python = folder.join("bin/python");
    if !folder.join("bin/idfkit-mcp").is_file() {
        sh(program("python3").args(["-m", "venv", "--clear"]).arg(&folder))?;
        sh(program(&python)
            .args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r"])
            .arg(root().join("tests/peers/idfkit/requirements.txt")))?;
    }
    Ok(python)
}

/// Start to `initialize`, and what the list of tools comes to.
fn doors(runs: usize, peers: Option<&Path>) -> Result<()> {
    println!("\nThe energy server's door (wall)");
    let pensaer = target().join("release/pensaer");
    let mut own: (Vec<f64>, usize) = Default::default();
    for n in 0..runs.max(1) {
        let data = fresh(&format!("energy-door-{n}"))?;
        let mut command = program(&pensaer);
        command.args(["mcp", "energy"]).env("PENSAER_DATA_DIR", &data);
        let (spent, characters) = door(command)?;
        stop_daemon(&data);
        own.0.push(spent);
        own.1 = characters;
    }
    let mut theirs: (Vec<f64>, usize) = Default::default();
    if let Some(folder) = peers.and_then(Path::parent) {
        for _ in 0..runs.max(1) {
            let (spent, characters) = door(program(folder.join("idfkit-mcp")))?;
            theirs.0.push(spent);
            theirs.1 = characters;
        }
    }
    let (own_ms, their_ms) = (quantile(&mut own.0, 0.5), quantile(&mut theirs.0, 0.5));
    println!(
        "start → initialize, cold: {own_ms:.0} ms; idfkit-mcp {their_ms:.0} ms ({:.0}×)",
        their_ms / own_ms
    );
    println!("tools/list: {} characters; idfkit-mcp {}", own.1, theirs.1);
    Ok(())
}

/// Milliseconds from the start of a server to its first answer, and the characters of its list of tools.
fn door(command: Command) -> Result<(f64, usize)> {
    let begun = Instant::now();
    let mut client = Pipe::begin(command)?;
    client.initialize()?;
    let spent = begun.elapsed().as_secs_f64() * 1e3;
    let tools = client.request("tools/list", json!({}))?;
    Ok((spent, tools.get("tools").map_or(0, |tools| tools.to_string().chars().count())))
}
