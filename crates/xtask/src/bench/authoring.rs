//! Authoring through the whole system, beside `ifcopenshell.api` doing the same to a model in memory: a wall with two windows on a small
//! and on a large model, a wall moved with what hangs on it, a shell of ten storeys with rooms. Ours are durable when answered, and
//! say whether what was touched is sound; the peer's are neither written nor checked.

use super::enlarge::{self, Copies};
use super::kernel::{median, probe};
use super::system::{fresh, text, timed};
use super::{SOURCE, quantile};
use crate::rpc::{Client, Http, Server};
use crate::shell::{program, python, root, target, test_data};
use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Copies that make about 27 MB.
const COPIES: u32 = 12;
/// Where the walls begin, in mm northwards: beside all copies, and not so far off that they belong to no building.
const GROUND: f64 = -24_000.0;
/// Walls in a row, and the distances from one to the next in it and from row to row, in mm.
const ROW: usize = 10;
const NEXT: [f64; 2] = [7_000.0, 4_000.0];
/// Walls of each kind that the ground beside the copies has room for.
const MOST: usize = 200;
/// Windows in the wall that is moved: with their openings twenty dependents.
const WINDOWS: usize = 10;
/// Storeys of the shell.
const STOREYS: usize = 10;

/// The times that one server took, in milliseconds.
struct Ours {
    tasks: Vec<(String, Vec<f64>)>,
}

impl Ours {
    fn add(&mut self, task: &str, time: Duration) {
        let spent = time.as_secs_f64() * 1e3;
        match self.tasks.iter_mut().find(|(name, _)| name == task) {
            Some((_, times)) => times.push(spent),
            None => self.tasks.push((task.to_owned(), vec![spent])),
        }
    }
}

/// Measures all of it, each task `calls` times.
pub fn run(runs: usize, calls: usize) -> Result<()> {
    let (small, large) = models()?;
    let data = fresh("authoring")?;
    let server = Server::start(&target().join("release/pensaer"), &data)?;
    let mut client = Http::connect(&format!("{}/mcp", server.address))?;
    client.initialize()?;
    let mut ours = Ours { tasks: Vec::new() };
    for (file, size) in [(&small, "2 MB"), (&large, "27 MB")] {
        walls(&mut client, &mut ours, file, size, calls)?;
    }
    moved(&mut client, &mut ours, calls)?;
    for n in 0..runs {
        shell(&mut client, &mut ours, n)?;
    }
    let script = root().join("tests/python/measure_authoring.py");
    let theirs = (0..runs.min(3))
        .map(|_| probe(program(python()).arg(&script).arg(&small).arg(&large)))
        .collect::<Result<Vec<Value>>>()
        .context("ifcopenshell.api")?;
    println!("\nAuthoring (wall time; ours committed and checked for soundness, medians)");
    println!("{:<44} {:>10} {:>10} {:>18} {:>8}", "ms", "Pensaer", "p99", "ifcopenshell.api", "ratio");
    for (task, times) in &mut ours.tasks {
        let (own, late) = (quantile(times, 0.5), quantile(times, 0.99));
        let other = median(&theirs, &format!("/{task}"));
        println!("{task:<44} {own:>10.2} {late:>10.2} {other:>18.1} {:>7.1}×", other / own);
    }
    Ok(())
}

/// The Duplex, and one of 27 MB made of copies that stand apart.
pub(super) fn models() -> Result<(PathBuf, PathBuf)> {
    let data = test_data().context("no real models: set PENSAER_TEST_DATA")?;
    let folder = target().join("bench");
    fs::create_dir_all(&folder)?;
    let (small, large) = (data.join(SOURCE), folder.join(format!("duplex-x{COPIES}-apart.ifc")));
    if !large.exists() {
        enlarge::write(&small, COPIES, Copies::Apart, &large)?;
    }
    Ok((small, large))
}

/// Bare walls, and walls with two windows, each beside nothing.
fn walls(client: &mut Http, ours: &mut Ours, file: &Path, size: &str, calls: usize) -> Result<()> {
    let model = text(&client.call("load_model", json!({"file_path": file}))?, "model_id")?;
    let storeys = json!({"model_id": model, "selector": "IfcBuildingStorey", "limit": 1});
    let storeys = client.call("query_elements", storeys)?;
    let storey = storeys.pointer("/rows/0/id").and_then(Value::as_str).context("no storey")?.to_owned();
    // a floor for them to stand on, away from all else
    ensure!(calls <= MOST, "at most {MOST} calls");
    let deep = GROUND - NEXT[1] * (calls.div_ceil(ROW) as f64) - 1000.0;
    let half = NEXT[0] * ROW as f64 / 2.0;
    let (low, high) = (-half - 1000.0, half + 1000.0);
    let outline = json!([[low, GROUND + 1000.0], [high, GROUND + 1000.0], [high, deep], [low, deep]]);
    client
        .call("create_floor", json!({"model_id": model, "boundary_points": outline, "level_id": storey}))?;
    let window = |at: f64| json!({"location": {"along": at, "sill": 900}, "width": 1200, "height": 1200, "opening_type": "window"});
    for (task, openings) in
        [("wall", json!([])), ("wall with two windows", json!([window(1500.0), window(4500.0)]))]
    {
        for n in 0..calls {
            let y = GROUND - NEXT[1] * (n / ROW) as f64 - if task == "wall" { 0.0 } else { NEXT[1] / 2.0 };
            let x = NEXT[0] * (n % ROW) as f64 - half;
            let arguments = json!({"model_id": model, "start": [x, y], "end": [x + 6000.0, y], "level_id": storey,
                "openings": openings});
            let (made, time) = timed(|| client.call("create_wall", arguments))?;
            ensure!(made.get("sound") == Some(&json!(true)), "not sound: {made}");
            // the first opens the model in its worker
            if n > 0 {
                ours.add(&format!("{task}, {size}"), time);
            }
        }
    }
    Ok(())
}

/// A wall with ten windows, moved there and back.
fn moved(client: &mut Http, ours: &mut Ours, calls: usize) -> Result<()> {
    let storeys = json!([{"name": "Ground", "elevation": 0}]);
    let model =
        text(&client.call("create_project", json!({"name": "Long wall", "storeys": storeys}))?, "model_id")?;
    let windows: Vec<Value> = (0..WINDOWS)
        .map(|n| {
            let location = json!({"along": 1000.0 + 2000.0 * n as f64, "sill": 900});
            json!({"location": location, "width": 1200, "height": 1200, "opening_type": "window"})
        })
        .collect();
    let wall = json!({"model_id": model, "start": [0, 0], "end": [20_000, 0], "level_id": "Ground", "openings": windows});
    let wall = text(&client.call("create_wall", wall)?, "wall_id")?;
    for n in 0..calls {
        let by = if n % 2 == 0 { 500 } else { -500 };
        let arguments = json!({"model_id": model, "element_ids": [wall], "by": [0, by]});
        let (_, time) = timed(|| client.call("move_elements", arguments))?;
        ours.add("wall moved with 20 dependents", time);
    }
    Ok(())
}

/// A shell of ten storeys, and three rooms with partitions and doors on each.
fn shell(client: &mut Http, ours: &mut Ours, n: usize) -> Result<()> {
    let name = format!("Tower {n}");
    let model = text(&client.call("create_project", json!({"name": name}))?, "model_id")?;
    let footprint = json!([[0, 0], [12_000, 0], [12_000, 9000], [0, 9000]]);
    let arguments = json!({"model_id": model, "footprint": footprint, "storeys": STOREYS});
    let (made, time) = timed(|| client.call("create_building_shell", arguments))?;
    ours.add("ten-storey shell", time);
    let levels = made.get("storeys").and_then(Value::as_array).context("no storeys")?.clone();
    let mut spent = time;
    for level in &levels {
        let rooms = json!([{"name": "north", "area": 40}, {"name": "east", "area": 25}, {"name": "west", "area": 20}]);
        let arguments =
            json!({"model_id": model, "level_id": text(level, "level_id")?, "rooms": rooms, "doors": true});
        spent += timed(|| client.call("create_rooms", arguments))?.1;
    }
    ours.add("ten-storey shell with rooms", spent);
    Ok(())
}
