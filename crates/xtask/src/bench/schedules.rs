//! A schedule and a take-off of a model of 27 MB through the whole system, beside ifccsv reading the same cells of a model in memory. Ours come with a
//! file that is kept, and the take-off measures shapes besides, which the peer does not.

use super::authoring::models;
use super::kernel::{median, probe};
use super::quantile;
use super::system::{family, fresh, timed};
use crate::rpc::{Client, Http, Server};
use crate::shell::{program, python, root, target};
use anyhow::{Context, Result};
use serde_json::{Value, json};

/// The columns of the schedule; the peer's script has the same.
const COLUMNS: [&str; 6] = [
    "class",
    "Name",
    "type.Name",
    "Pset_WallCommon.IsExternal",
    "Pset_WallCommon.LoadBearing",
    "Pset_WallCommon.FireRating",
];

/// Measures both.
pub fn run(runs: usize) -> Result<()> {
    let (_, large) = models()?;
    let data = fresh("schedules")?;
    let server = Server::start(&target().join("release/pensaer"), &data)?;
    let mut client = Http::connect(&format!("{}/mcp", server.address))?;
    client.initialize()?;
    client.call("load_model", json!({ "file_path": large }))?;
    let schedule = json!({ "category": "IfcElement", "parameters": COLUMNS, "format": "csv", "limit": 0 });
    let takeoff = json!({
        "categories": ["walls", "slabs", "rooms", "doors", "windows"], "grouping": ["class", "type"], "format": "csv",
        "limit": 0
    });
    let mut times = [Vec::new(), Vec::new()];
    for _ in 0..runs.max(3) {
        for ((tool, arguments), times) in
            [("generate_schedule", &schedule), ("quantity_takeoff", &takeoff)].into_iter().zip(&mut times)
        {
            let (_, spent) = timed(|| client.call(tool, arguments.clone()))?;
            times.push(spent.as_secs_f64() * 1e3);
        }
    }
    let script = root().join("tests/python/measure_schedules.py");
    let theirs = (0..runs.clamp(1, 3))
        .map(|_| probe(program(python()).arg(&script).arg(&large)))
        .collect::<Result<Vec<Value>>>()
        .context("ifccsv")?;
    println!("\nTables of a model of 27 MB (wall time in ms, medians)");
    println!("{:<44} {:>10} {:>10} {:>8}", "", "Pensaer", "ifccsv", "ratio");
    for (task, times) in ["schedule", "takeoff"].into_iter().zip(&mut times) {
        let (own, other) = (quantile(times, 0.5), median(&theirs, &format!("/{task}")));
        println!("{task:<44} {own:>10.1} {other:>10.1} {:>7.1}×", other / own);
    }
    let peak: f64 = family(server.id()).iter().map(|(_, peak)| peak).sum();
    println!(
        "peak memory: {peak:.0} MB for gateway and worker, {:.0} MB for ifccsv",
        median(&theirs, "/peak_mb")
    );
    println!("opening the file, which the peer's times leave out: {:.0} ms", median(&theirs, "/open"));
    Ok(())
}
