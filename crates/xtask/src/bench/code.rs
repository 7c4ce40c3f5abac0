//! What isolation costs, and what scripts of agents cost: a call to a confined worker beside the same in process; `run_code` on both
//! back ends beside a bare Python; an evaluation case as tool calls and as one script.

use super::spread;
use super::system::{fresh, repeat, text, timed};
use crate::rpc::{Client, Http, Server, free_port};
use crate::shell::{cargo, program, python, root, sh, target};
use anyhow::Result;
use serde_json::json;
use std::path::Path;
use std::time::Duration;

/// The case that is played both ways.
const CASE: &str = "du-et-al_4";
/// The time between calls that do not follow each other at once.
const PAUSE: Duration = Duration::from_millis(50);

/// Measures all of it; `file` is the model of the isolated calls.
pub fn run(file: &Path, calls: usize) -> Result<()> {
    println!(
        "\nIsolation: microseconds, {} of a warm model",
        file.file_name().unwrap_or_default().to_string_lossy()
    );
    sh(cargo().args(["build", "--release", "--quiet", "--workspace", "--example", "exec-native"]))?;
    let built = target().join("release");
    sh(program(built.join("examples/exec-native"))
        .arg("isolation")
        .arg(file)
        .arg(built.join("pensaer"))
        .arg((calls * 10).to_string()))?;

    println!("\nScripts (wall)");
    let data = fresh("scripts")?;
    let server =
        Server::start_with(&built.join("pensaer"), &data, free_port()?, &[("PENSAER_PYTHON", &python())])?;
    let mut client = Http::connect(&format!("{}/mcp", server.address))?;
    client.initialize()?;
    let storeys = json!([{"name": "Ground", "elevation": 0}]);
    let house = client.call("create_project", json!({"name": "House", "storeys": storeys}))?;
    let model = text(&house, "model_id")?;
    println!("{:<44} {}", "whoami (the door alone)", repeat(calls, |_| client.call("whoami", json!({})))?);
    for backend in ["native", "ifcopenshell"] {
        let mut script = |code: &str, mode: &str| {
            client
                .call("run_code", json!({"model_id": model, "backend": backend, "code": code, "mode": mode}))
        };
        if let Err(error) = script("1+1", "query") {
            println!("{backend} is left out: {error:#}");
            continue;
        }
        println!("{:<44} {}", format!("run_code 1+1, {backend}"), repeat(calls, |_| script("1+1", "query"))?);
        let mut spent = Vec::new();
        for _ in 0..calls.min(50) {
            std::thread::sleep(PAUSE);
            spent.push(timed(|| script("1+1", "query"))?.1);
        }
        println!("{:<44} {}", format!("run_code 1+1, {backend}, now and then"), spread(&spent));
        let wall = "adapter.create_wall(start=[0, 0], end=[5000, 0], level_id='Ground')";
        let made = repeat(calls.min(50), |_| script(wall, "modify"))?;
        println!("{:<44} {made}", format!("run_code, one wall committed, {backend}"));
    }
    for (name, code) in
        [("python -c 1+1", "1+1"), ("python -c, importing ifcopenshell", "import ifcopenshell; 1+1")]
    {
        let mut spent = Vec::new();
        for _ in 0..calls.min(20) {
            spent.push(timed(|| sh(program(python()).args(["-c", code])))?.1);
        }
        println!("{name:<44} {}", spread(&spent));
    }
    drop(server);

    for traces in ["traces", "scripts"] {
        println!("\n{CASE}, {traces}");
        let data = fresh(&format!("case-{traces}"))?;
        let mut played = program(built.join("pensaer"));
        played.env("PENSAER_DATA_DIR", &data).arg("eval").arg("--cases").arg(root().join("evals"));
        sh(played.args(["--traces", traces, CASE]))?;
    }
    Ok(())
}
