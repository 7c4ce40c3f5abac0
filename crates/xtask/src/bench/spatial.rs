//! Rooms, neighbours and ways: a storey of 100 rooms, the Duplex and one of 27 MB made of copies, beside IfcOpenShell finding in its tree which
//! spaces are near each other, which is less: it says neither through what nor along which length.

use super::SOURCE;
use super::enlarge::{self, Copies};
use super::kernel::{median, probe};
use crate::shell::{cargo, program, python, root, sh, target, test_data};
use anyhow::{Context, Result};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Copies that make about 27 MB.
const COPIES: u32 = 12;
/// Beyond this many bytes the peer is asked once.
const PATIENCE: u64 = 10_000_000;

/// Measures the three models.
pub fn run(runs: usize) -> Result<()> {
    sh(cargo().args(["build", "--release", "--quiet", "--workspace", "--example", "spatial"]))?;
    let data = test_data().context("no real models: set PENSAER_TEST_DATA")?;
    let folder = target().join("bench");
    fs::create_dir_all(&folder)?;
    let (grid, large) = (folder.join("rooms.ifc"), folder.join(format!("duplex-x{COPIES}-apart.ifc")));
    sh(ours().arg("grid").arg(&grid))?;
    if !large.exists() {
        enlarge::write(&data.join(SOURCE), COPIES, Copies::Apart, &large)?;
    }
    println!("\nRooms, neighbours and ways: wall ms (processor ms of all threads), medians of {runs} runs");
    for file in [&grid, &data.join(SOURCE), &large] {
        measure(file, runs)?;
    }
    Ok(())
}

fn ours() -> Command {
    Command::new(target().join("release/examples/spatial"))
}

fn measure(file: &Path, runs: usize) -> Result<()> {
    let bytes = fs::metadata(file)?.len();
    let script = root().join("tests/python/measure_rooms.py");
    let (mut own, mut ways, mut theirs): (Vec<Value>, Vec<Value>, Vec<Value>) = Default::default();
    for round in 0..runs.max(1) {
        own.push(probe(ours().arg("layout").arg(file))?);
        if bytes < PATIENCE {
            ways.push(probe(ours().arg("ways").arg(file))?);
        }
        if round == 0 || bytes < PATIENCE {
            theirs.push(probe(program(python()).arg(&script).arg(file)).context("IfcOpenShell")?);
        }
    }
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    println!("{name} ({:.1} MB, {:.0} rooms)", bytes as f64 / 1e6, median(&own, "/rooms"));
    let wall = |part: &str| median(&own, &format!("/{part}/wall"));
    let line = |what: &str, parts: &[&str]| {
        let sum = |clock: &str| parts.iter().map(|p| median(&own, &format!("/{p}/{clock}"))).sum::<f64>();
        println!("  {what:<52} {:>9.2} ({:.2})", sum("wall"), sum("cpu"));
    };
    line("shapes", &["scene"]);
    line("layout and neighbours of all rooms", &["layout", "adjacency"]);
    line("all that is said of all rooms", &["layout", "adjacency", "facts"]);
    line("the same after a wall moved (without its shapes)", &["layout_after", "facts_after"]);
    let (all, near) = (wall("scene") + wall("layout") + wall("adjacency"), median(&theirs, "/wall"));
    println!(
        "  IfcOpenShell: shapes of spaces and which are near each other {near:>9.0}, {:.0}× ours; peak {:.0} MB, ours {:.0} MB",
        near / all,
        median(&theirs, "/peak_mb"),
        median(&own, "/peak_mb")
    );
    if !ways.is_empty() {
        let of = |part: &str| median(&ways, &format!("/{part}"));
        println!(
            "  navigation mesh {:.1}, the same again {:.1}; a way {:.2} (processor ms); {:.0} triangles",
            of("mesh_ms"),
            of("mesh_again_ms"),
            of("way_ms_median"),
            of("triangles")
        );
    }
    Ok(())
}
