//! Many agents at once over HTTP, each with a session of its own: walls made on one storey of one model, and each on a model of its
//! own. What counts is that every wall is there at the end; how fast, and how late the late ones are, is printed.

use super::quantile;
use super::system::{fresh, text};
use crate::rpc::{Client, Http, Server, free_port};
use crate::shell::target;
use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use std::sync::Barrier;
use std::time::Instant;

/// Agents at once.
const AGENTS: [usize; 4] = [1, 8, 32, 100];
/// Walls in all, about: enough that a hundred agents make several each.
const WALLS: usize = 600;

/// The times and errors that one agent saw.
#[derive(Default)]
struct Seen {
    /// Milliseconds of each call.
    times: Vec<f64>,
    conflicts: usize,
    /// Other Faults, the first of them in words.
    faults: usize,
    first: Option<String>,
}

/// Measures all of it on a server with embedded storage.
pub fn run() -> Result<()> {
    println!("\nLoad: walls over HTTP, durable when answered (wall)");
    println!(
        "{:<12} {:>8} {:>10} {:>10} {:>10} {:>10}",
        "agents", "models", "walls/s", "p50 ms", "p99 ms", "conflicts"
    );
    for agents in AGENTS {
        for shared in [true, false] {
            measure(agents, shared)?;
        }
    }
    Ok(())
}

fn measure(agents: usize, shared: bool) -> Result<()> {
    let data = fresh(&format!("load-{agents}-{shared}"))?;
    let server = Server::start_with(&target().join("release/pensaer"), &data, free_port()?, &[])?;
    let address = format!("{}/mcp", server.address);
    let count = if shared { 1 } else { agents };
    let mut first = Http::connect(&address)?;
    first.initialize()?;
    let models: Vec<String> = (0..count)
        .map(|n| {
            let storeys = json!([{"name": "Ground", "elevation": 0}]);
            let made =
                first.call("create_project", json!({"name": format!("House {n}"), "storeys": storeys}))?;
            text(&made, "model_id")
        })
        .collect::<Result<_>>()?;
    let each = WALLS.div_ceil(agents);
    let start = Barrier::new(agents + 1);
    let (seen, spent) = std::thread::scope(|scope| {
        let agent = |n: usize| {
            let (start, address, model) = (&start, &address, &models[n % models.len()]);
            scope.spawn(move || one(address, model, n, each, start))
        };
        let running: Vec<_> = (0..agents).map(agent).collect();
        start.wait();
        let begun = Instant::now();
        let seen: Vec<Result<Seen>> = running
            .into_iter()
            .map(|agent| agent.join().unwrap_or_else(|_| bail!("an agent failed")))
            .collect();
        (seen, begun.elapsed())
    });
    let (mut times, mut conflicts) = (Vec::new(), 0);
    for seen in seen {
        let seen = seen?;
        times.extend(seen.times);
        conflicts += seen.conflicts;
        if seen.faults > 0 {
            println!("  {} calls failed, the first: {}", seen.faults, seen.first.unwrap_or_default());
        }
    }
    for model in &models {
        let made =
            first.call("query_elements", json!({"model_id": model, "selector": "IfcWall", "limit": 1}))?;
        let there = made.get("total").or_else(|| made.get("count")).and_then(Value::as_u64);
        let due = if shared { times.len() } else { each } as u64;
        if there != Some(due) {
            bail!("{model}: {there:?} walls are there of {due} that were acknowledged: {made}");
        }
    }
    println!(
        "{agents:<12} {:>8} {:>10.0} {:>10.1} {:>10.1} {conflicts:>10}",
        models.len(),
        times.len() as f64 / spent.as_secs_f64(),
        quantile(&mut times, 0.5),
        quantile(&mut times, 0.99),
    );
    Ok(())
}

/// One agent: a session of its own, and wall after wall.
fn one(address: &str, model: &str, number: usize, walls: usize, start: &Barrier) -> Result<Seen> {
    let ready = || -> Result<Http> {
        let mut client = Http::connect(address)?;
        client.initialize()?;
        Ok(client)
    };
    let client = ready();
    // also where it failed: the others wait
    start.wait();
    let mut client = client.context("an agent could not connect")?;
    let mut seen = Seen::default();
    for wall in 0..walls {
        let (x, y) = (wall as f64 * 6000.0, number as f64 * 4000.0);
        let arguments =
            json!({"model_id": model, "start": [x, y], "end": [x + 5000.0, y], "level_id": "Ground"});
        let begun = Instant::now();
        match client.call("create_wall", arguments) {
            Ok(_) => seen.times.push(begun.elapsed().as_secs_f64() * 1e3),
            Err(error) if error.to_string().contains("\"code\":1007") => seen.conflicts += 1,
            Err(error) => {
                seen.faults += 1;
                seen.first.get_or_insert_with(|| error.to_string());
            }
        }
    }
    Ok(seen)
}
