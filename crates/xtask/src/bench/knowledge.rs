//! Documentation searched through the whole system, and the graph of a model asked by SPARQL beside rdflib over the same triples.

use super::authoring::models;
use super::kernel::{median, probe};
use super::quantile;
use super::system::{family, fresh, timed};
use crate::rpc::{Client, Http, Server};
use crate::shell::{cargo, program, root, sh, target};
use anyhow::{Context, Result};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Questions over all corpora, in both languages.
const QUESTIONS: [&str; 8] = [
    "fire rating of a door",
    "Feuerwiderstandsklasse einer Tür",
    "Pset_WallCommon",
    "where is the heat transfer coefficient of a wall stored",
    "Wie benenne ich viele Bauteile um?",
    "clear width of doors for wheelchairs",
    "ZoneInfiltration:DesignFlowRate",
    "undo an edit",
];
/// From storeys over their rooms to what stands in these.
const TWO_HOPS: &str = "SELECT ?a ?b { ?s a bot:Storey ; bot:hasSpace ?r . ?r bot:containsElement ?e . ?s ifc:name ?a . ?e ifc:name ?b }";
/// The peer's side.
const SCRIPT: &str = "tests/peers/rdflib/measure.py";

/// Prints the figures.
pub fn run(runs: usize) -> Result<()> {
    let (duplex, large) = models()?;
    let data = fresh("knowledge")?;
    let pensaer = target().join("release/pensaer");
    let server = Server::start(&pensaer, &data)?;
    let mut client = Http::connect(&format!("{}/mcp", server.address))?;
    client.initialize()?;
    let ask = |client: &mut Http, query: &str| {
        timed(|| client.call("search_docs", json!({ "query": query, "corpus": "all" })))
            .map(|(_, spent)| spent.as_secs_f64() * 1e3)
    };
    println!("\nDocumentation through the whole system (wall time in ms)");
    println!("first search, which makes the index of all corpora: {:.0}", ask(&mut client, QUESTIONS[0])?);
    let searches = |client: &mut Http, told: &str| -> Result<()> {
        let mut times = Vec::new();
        for _ in 0..runs.max(3) {
            for question in QUESTIONS {
                times.push(ask(client, question)?);
            }
        }
        let (median, slow) = (quantile(&mut times, 0.5), quantile(&mut times, 0.95));
        println!("search {told}, median {median:.1}, 95 % {slow:.1}");
        Ok(())
    };
    searches(&mut client, "by words")?;
    let install =
        || sh(program(&pensaer).args(["backend", "install", "embeddings", "--data-dir"]).arg(&data));
    let ((), spent) = timed(install)?;
    println!("model installed, and vectors of all corpora made: {:.1} s", spent.as_secs_f64());
    println!("first joined search, which opens the model: {:.0}", ask(&mut client, QUESTIONS[0])?);
    searches(&mut client, "joined")?;
    let peak: f64 = family(server.id()).iter().map(|(_, peak)| peak).sum();
    println!("peak memory of gateway and worker: {peak:.0} MB");
    sh(cargo().args(["build", "--release", "--quiet", "--workspace", "--example", "graph"]))?;
    let python = environment()?;
    println!("\nThe graph (ms in a process, medians; the first question makes what is derived)");
    println!("{:<28} {:>10} {:>10} {:>10} {:>8}", "", "first", "Pensaer", "rdflib", "ratio");
    for (name, model) in [("Duplex, two hops", &duplex), ("27 MB, two hops", &large)] {
        let own = probe(example().arg("time").arg(model).arg(TWO_HOPS).arg("50")).context("graph")?;
        let turtle = target().join("bench/graph.ttl");
        probe(example().arg("turtle").arg(model).arg(&turtle)).context("the Turtle of a model")?;
        let theirs = theirs(&python, &turtle, runs)?;
        let told = |name: &str| own.get(name).and_then(Value::as_f64).unwrap_or(f64::NAN);
        let other = median(&theirs, "/median_ms");
        println!(
            "{name:<28} {:>10.1} {:>10.2} {other:>10.1} {:>7.1}×",
            told("first_ms"),
            told("median_ms"),
            other / told("median_ms")
        );
        let rows = theirs.first().and_then(|first| first.get("rows")).and_then(Value::as_u64);
        if rows != own.get("rows").and_then(Value::as_u64) {
            println!("  of other rows: {} and {rows:?}", told("rows"));
        }
    }
    Ok(())
}

fn example() -> std::process::Command {
    program(target().join("release/examples/graph"))
}

fn theirs(python: &Path, turtle: &Path, runs: usize) -> Result<Vec<Value>> {
    (0..runs.clamp(1, 3))
        .map(|_| probe(program(python).arg(root().join(SCRIPT)).arg(turtle).arg(TWO_HOPS)))
        .collect::<Result<_>>()
        .context("rdflib")
}

/// The Python in which rdflib is installed.
fn environment() -> Result<PathBuf> {
    let folder = target().join("bench/rdflib");
    let python = folder.join("bin/python");
    if !folder.join("installed").is_file() {
        sh(program("python3").args(["-m", "venv", "--clear"]).arg(&folder))?;
        sh(program(&python)
            .args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r"])
            .arg(root().join("tests/peers/rdflib/requirements.txt")))?;
        std::fs::write(folder.join("installed"), "")?;
    }
    Ok(python)
}
