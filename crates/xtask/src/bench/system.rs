//! The whole system from outside: a server with embedded storage, a client at its doors.

use super::{quantile, spread};
use crate::rpc::{Client, Http, Pipe, Server};
use crate::shell::target;
use anyhow::{Context, Result};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Starts of `pensaer mcp` that are measured, each cold one in a data folder of its own.
const STARTS: usize = 20;

/// Load, count, edit with a durable commit, save; and the memory that gateway and worker came to.
pub fn on_file(file: &Path, calls: usize) -> Result<()> {
    let (program, data) = (target().join("release/pensaer"), fresh("file")?);
    let server = Server::start(&program, &data)?;
    let mut client = Http::connect(&format!("{}/mcp", server.address))?;
    client.initialize()?;
    println!("\n{} through the whole system (wall)", file.file_name().unwrap_or_default().to_string_lossy());

    let (loaded, time) = timed(|| client.call("load_model", json!({"file_path": file})))?;
    let model = text(&loaded, "model_id")?;
    println!("{:<28} {:.3} s", "load_model", time.as_secs_f64());
    let count = json!({"model_id": model, "selector": "IfcWall", "limit": 1});
    let (first, time) = timed(|| client.call("query_elements", count.clone()))?;
    println!(
        "{:<28} {:.3} s first, {}",
        "count walls",
        time.as_secs_f64(),
        repeat(20, |_| client.call("query_elements", count.clone()))?
    );
    let wall =
        first.pointer("/rows/0/id").and_then(Value::as_str).context("the file has no wall")?.to_owned();
    let edits = repeat(calls, |n| {
        let properties = json!({"Reference": format!("bench {n}")});
        client.call(
            "set_properties",
            json!({"model_id": model, "element_ids": [wall], "pset": "Pset_WallCommon", "properties": properties}),
        )
    })?;
    println!("{:<28} {edits}", "one edit, committed durably");
    let out = target().join("bench/system-saved.ifc");
    let (_, time) =
        timed(|| client.call("save_model", json!({"model_id": model, "file_path": out, "overwrite": true})))?;
    println!("{:<28} {:.3} s", "save_model", time.as_secs_f64());
    for (name, peak) in family(server.id()) {
        println!("{:<28} {:.0} MB", format!("peak memory, {name}"), peak);
    }
    Ok(())
}

/// Start to the first answers, cold and attached to a running daemon, and a wall made over each door.
pub fn doors(calls: usize) -> Result<()> {
    let program = target().join("release/pensaer");
    println!("\nDoors (wall)");
    let mut cold = Vec::new();
    for n in 0..STARTS {
        let data = fresh(&format!("cold-{n}"))?;
        cold.push(start(&program, &data)?);
        stop_daemon(&data);
    }
    print_starts("cold", &cold);

    let data = fresh("doors")?;
    let server = Server::start(&program, &data)?;
    let attached = (0..STARTS).map(|_| start(&program, &data)).collect::<Result<Vec<_>>>()?;
    print_starts("attached", &attached);

    let mut pipe = Pipe::start(&program, &data)?;
    pipe.initialize()?;
    println!("{:<28} {}", "create_wall over stdio", walls(&mut pipe, calls)?);
    let mut http = Http::connect(&format!("{}/mcp", server.address))?;
    http.initialize()?;
    println!("{:<28} {}", "create_wall over HTTP", walls(&mut http, calls)?);
    Ok(())
}

/// How long `pensaer mcp` took from its start to the answers of `initialize` and of the first `tools/list`.
fn start(program: &Path, data: &Path) -> Result<[Duration; 2]> {
    let begun = Instant::now();
    let mut client = Pipe::start(program, data)?;
    client.initialize()?;
    let initialised = begun.elapsed();
    client.request("tools/list", json!({}))?;
    Ok([initialised, begun.elapsed()])
}

fn print_starts(how: &str, starts: &[[Duration; 2]]) {
    for (at, what) in ["initialize", "tools/list"].into_iter().enumerate() {
        let times = starts.iter().filter_map(|start| start.get(at));
        let mut milliseconds: Vec<f64> = times.map(|time| time.as_secs_f64() * 1e3).collect();
        let [median, most] = [0.5, 1.0].map(|share| quantile(&mut milliseconds, share));
        println!("{:<28} median {median:.1} ms, at most {most:.1} ms", format!("start → {what}, {how}"));
    }
}

fn walls(client: &mut dyn Client, calls: usize) -> Result<String> {
    let storeys = json!([{"name": "Ground Floor", "elevation": 0}]);
    let project = client.call("create_project", json!({"name": "Walls", "storeys": storeys}))?;
    let model = text(&project, "model_id")?;
    repeat(calls, |n| {
        let y = n as f64 * 1000.0;
        let arguments =
            json!({"model_id": model, "start": [0, y], "end": [5000, y], "level_id": "Ground Floor"});
        client.call("create_wall", arguments)
    })
}

pub(super) fn repeat(times: usize, mut call: impl FnMut(usize) -> Result<Value>) -> Result<String> {
    let mut spent = Vec::with_capacity(times);
    for n in 0..times {
        spent.push(timed(|| call(n))?.1);
    }
    Ok(spread(&spent))
}

pub(super) fn timed<T>(work: impl FnOnce() -> Result<T>) -> Result<(T, Duration)> {
    let begun = Instant::now();
    let value = work()?;
    Ok((value, begun.elapsed()))
}

pub(super) fn text(value: &Value, key: &str) -> Result<String> {
    Ok(value.get(key).and_then(Value::as_str).with_context(|| format!("no {key} in {value}"))?.to_owned())
}

pub(super) fn fresh(name: &str) -> Result<PathBuf> {
    let folder = target().join("bench").join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    Ok(folder)
}

/// A process and its descendants: what each was started as, and its peak resident memory in MB.
pub(super) fn family(id: u32) -> Vec<(String, f64)> {
    let mut rows = Vec::new();
    let mut rest = vec![id];
    while let Some(id) = rest.pop() {
        let status = fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kilobytes: Option<f64> = peak.and_then(|text| text.trim().trim_end_matches(" kB").parse().ok());
        let words = fs::read_to_string(format!("/proc/{id}/cmdline")).unwrap_or_default();
        let name = words.split('\0').nth(1).unwrap_or("?").to_owned();
        if let Some(kilobytes) = kilobytes {
            rows.push((name, kilobytes / 1024.0));
        }
        let children = fs::read_dir(format!("/proc/{id}/task")).into_iter().flatten().flatten();
        for task in children {
            let text = fs::read_to_string(task.path().join("children")).unwrap_or_default();
            rest.extend(text.split_whitespace().filter_map(|id| id.parse::<u32>().ok()));
        }
    }
    rows
}

/// Ends the daemon that a cold start left on a folder of ours.
pub(super) fn stop_daemon(data: &Path) {
    let Ok(processes) = fs::read_dir("/proc") else { return };
    for process in processes.flatten() {
        let environment = fs::read(process.path().join("environ")).unwrap_or_default();
        let wanted = format!("PENSAER_DATA_DIR={}", data.display());
        let is_ours = environment.split(|byte| *byte == 0).any(|entry| entry == wanted.as_bytes());
        if is_ours && let Some(id) = process.file_name().to_str().filter(|id| id.parse::<u32>().is_ok()) {
            let ended = std::process::Command::new("kill").arg(id).status();
            if let Err(error) = ended {
                println!("  a daemon on {} is left running: {error}", data.display());
            }
        }
    }
}
