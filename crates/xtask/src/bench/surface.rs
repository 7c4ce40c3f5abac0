//! The calls that agents make most, through each door and beside other servers: the list of tools, a query and a property set on a small and
//! on a large model, and the memory of a gateway that nobody uses. Ours are isolated, versioned and durable when they are answered; the
//! peers hold one model in their own memory and write nothing.

use super::system::{fresh, text, timed};
use super::{quantile, samples};
use crate::rpc::{Client, Http, Pipe, Server};
use crate::shell::{program, python, root, sh, target};
use anyhow::{Context, Result};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

/// Copies that make about 27 MB.
const COPIES: u32 = 12;
/// The elements that are asked for.
const SELECTOR: &str = "IfcWall, Pset_WallCommon.IsExternal=TRUE";

/// The figures of one server on one model, in milliseconds.
struct Row {
    server: String,
    figures: Vec<(&'static str, Vec<f64>)>,
}

/// Measures all doors and peers, `calls` calls of each kind.
pub fn run(calls: usize) -> Result<()> {
    let files = samples(&[COPIES])?;
    idle()?;
    for file in &files {
        let megabytes = fs::metadata(file)?.len() as f64 / 1e6;
        let mut rows = vec![over_stdio(file, calls)?, over_http(file, calls)?];
        for peer in [fastmcp(file, calls), ifcmcp(file, calls)] {
            match peer {
                Ok(row) => rows.push(row),
                Err(error) => println!("  a peer is left out: {error:#}"),
            }
        }
        println!("\nAnswers on {megabytes:.1} MB, milliseconds (wall): median, 99 of 100");
        for row in rows {
            let cells: Vec<String> = row.figures.into_iter().map(|(name, times)| cell(name, times)).collect();
            println!("{:<26} {}", row.server, cells.join("   "));
        }
    }
    Ok(())
}

fn cell(name: &str, mut times: Vec<f64>) -> String {
    let [median, late] = [0.5, 0.99].map(|share| quantile(&mut times, share));
    format!("{name} {median:.2} {late:.2}")
}

/// The resident memory of a gateway with which nobody has spoken but to say hello.
fn idle() -> Result<()> {
    let data = fresh("idle")?;
    let server = Server::start(&target().join("release/pensaer"), &data)?;
    let mut client = Http::connect(&format!("{}/mcp", server.address))?;
    client.initialize()?;
    let status = fs::read_to_string(format!("/proc/{}/status", server.id()))?;
    let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).context("no VmRSS")?;
    let kilobytes: f64 = resident.trim().trim_end_matches(" kB").parse()?;
    println!("\nAn idle gateway: {:.1} MB resident", kilobytes / 1024.0);
    Ok(())
}

fn over_stdio(file: &Path, calls: usize) -> Result<Row> {
    let data = fresh("surface-stdio")?;
    let mut client = Pipe::start(&target().join("release/pensaer"), &data)?;
    let row = ours("Pensaer over stdio", &mut client, file, calls);
    drop(client);
    super::system::stop_daemon(&data);
    row
}

fn over_http(file: &Path, calls: usize) -> Result<Row> {
    let server = Server::start(&target().join("release/pensaer"), &fresh("surface-http")?)?;
    let mut client = Http::connect(&format!("{}/mcp", server.address))?;
    ours("Pensaer over HTTP", &mut client, file, calls)
}

fn ours(name: &str, client: &mut dyn Client, file: &Path, calls: usize) -> Result<Row> {
    client.initialize()?;
    let model = text(&client.call("load_model", json!({"file_path": file}))?, "model_id")?;
    let query = json!({"model_id": model, "selector": SELECTOR, "limit": 1});
    let first = client.call("query_elements", query.clone())?;
    let wall = first.pointer("/rows/0/id").and_then(Value::as_str).context("no wall")?.to_owned();
    let listed = times(calls, |_| client.request("tools/list", json!({})).map(drop))?;
    let asked = times(calls, |_| client.call("query_elements", query.clone()).map(drop))?;
    let set = times(calls, |n| {
        let properties = json!({"Reference": format!("bench {n}")});
        let call = json!({"model_id": model, "element_ids": [wall], "pset": "Pset_WallCommon", "properties": properties});
        client.call("set_properties", call).map(drop)
    })?;
    let figures = vec![("tools/list", listed), ("query", asked), ("set, committed", set)];
    Ok(Row { server: name.to_owned(), figures })
}

fn fastmcp(file: &Path, calls: usize) -> Result<Row> {
    let mut command = program(peers_python()?);
    command.arg(root().join("tests/python/fastmcp_server.py"));
    let mut client = Pipe::begin(command)?;
    client.initialize()?;
    client.call("load", json!({"path": file}))?;
    let query = json!({"selector": SELECTOR});
    let first = client.call("query", query.clone())?;
    let wall = first.pointer("/rows/0/id").and_then(Value::as_str).context("no wall")?.to_owned();
    let listed = times(calls, |_| client.request("tools/list", json!({})).map(drop))?;
    let asked = times(calls.min(50), |_| client.call("query", query.clone()).map(drop))?;
    let set = times(calls.min(50), |n| {
        let call = json!({"element_id": wall, "pset": "Pset_WallCommon", "name": "Reference", "value": format!("bench {n}")});
        client.call("set_property", call).map(drop)
    })?;
    let figures = vec![("tools/list", listed), ("query", asked), ("set, in memory", set)];
    Ok(Row { server: "FastMCP, IfcOpenShell".to_owned(), figures })
}

/// The Python of the peers, in an environment of its own: they want an older protocol library than the tests do.
fn peers_python() -> Result<PathBuf> {
    let folder = target().join("bench/ifcmcp");
    let python_there = folder.join("bin/python");
    if !python_there.exists() {
        sh(program(python()).args(["-m", "venv"]).arg(&folder))?;
        sh(program(&python_there).args(["-m", "pip", "install", "--quiet", "ifcopenshell-mcp[mcp]==0.9.0"]))?;
    }
    Ok(python_there)
}

/// IfcOpenShell's own server.
fn ifcmcp(file: &Path, calls: usize) -> Result<Row> {
    let mut command = program(peers_python()?);
    command.args(["-m", "ifcmcp"]);
    let mut client = Pipe::begin(command)?;
    client.initialize()?;
    client.call("ifc_load", json!({"path": file}))?;
    let query = json!({"query": SELECTOR});
    let listed = times(calls, |_| client.request("tools/list", json!({})).map(drop))?;
    let asked = times(calls.min(50), |_| client.call("ifc_select", query.clone()).map(drop))?;
    let figures = vec![("tools/list", listed), ("query", asked)];
    Ok(Row { server: "ifcopenshell-mcp".to_owned(), figures })
}

fn times(calls: usize, mut call: impl FnMut(usize) -> Result<()>) -> Result<Vec<f64>> {
    // the first call of a kind finds nothing ready
    call(calls)?;
    (0..calls).map(|n| Ok(timed(|| call(n))?.1.as_secs_f64() * 1e3)).collect()
}
