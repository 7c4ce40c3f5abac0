//! Meshing, beside IfcOpenShell's iterator, ifc-lite-geometry and slopifc: each run is a fresh process, so that no cache of its own is warm, and
//! prints its own CPU and wall time and its peak memory. One round runs everybody, so that all meet the same weather, and each twice: first
//! when others have had the processor and the memory, then again at once. Another one begins each round.

use super::enlarge::{self, Copies};
use super::kernel::{median, probe};
use crate::shell::{cargo, program, python, root, sh, target, test_data};
use anyhow::{Context, Result};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Files above this size are not given to those who need minutes for them.
const PATIENCE: u64 = 10 << 20;

/// Makes the process that meshes a file.
type Launch = dyn Fn(&Path) -> Command;

/// Someone who meshes a file.
struct Engine {
    name: &'static str,
    patient: bool,
    command: Box<Launch>,
}

/// The rows that an engine printed: in its first runs, and in those that followed at once.
#[derive(Default)]
struct Rows {
    cold: Vec<Value>,
    warm: Vec<Value>,
}

impl Rows {
    /// Median wall seconds of both.
    fn walls(&self) -> [f64; 2] {
        [&self.cold, &self.warm].map(|rows| median(rows, "/mesh/wall"))
    }
}

/// Measures small real models and a large one whose copies stand apart and differ in size.
pub fn run(runs: usize, copies: &[u32], files: &[PathBuf]) -> Result<()> {
    sh(cargo().args(["build", "--release", "--quiet", "--workspace", "--example", "geometry"]))?;
    let engines = engines();
    let files = if files.is_empty() { samples(copies)? } else { files.to_vec() };
    for file in &files {
        measure(file, runs, &engines)?;
    }
    Ok(())
}

fn samples(copies: &[u32]) -> Result<Vec<PathBuf>> {
    let data = test_data().context("no real models: set PENSAER_TEST_DATA, or name files with --file")?;
    let models = data.join("models");
    let mut files = vec![models.join("Duplex_A_20110907.ifc"), models.join("AC11-FZK-Haus.ifc")];
    fs::create_dir_all(target().join("bench"))?;
    for copies in copies {
        let large = target().join(format!("bench/duplex-x{copies}-apart.ifc"));
        if !large.exists() {
            enlarge::write(&files[0], *copies, Copies::Apart, &large)?;
        }
        files.push(large);
    }
    Ok(files)
}

fn engines() -> Vec<Engine> {
    let ours: Box<Launch> = Box::new(|file| {
        let mut command = program(target().join("release/examples/geometry"));
        // as the pool starts its workers: pages of 2 MB, which the allocator would keep ready, cost a fresh process more than the rest
        command.arg("mesh").arg(file).env("MIMALLOC_ARENA_EAGER_COMMIT", "0");
        command
    });
    let script = |engine: &'static str| -> Box<Launch> {
        Box::new(move |file| {
            let mut command = program(python());
            command.arg(root().join("tests/python/measure_geometry.py")).arg(engine).arg(file);
            command
        })
    };
    let mut all = vec![
        Engine { name: "Pensaer", patient: true, command: ours },
        Engine { name: "IfcOpenShell, OpenCascade", patient: false, command: script("opencascade") },
        Engine { name: "IfcOpenShell, hybrid CGAL", patient: true, command: script("cgal") },
    ];
    match ifc_lite() {
        Ok(command) => all.push(Engine { name: "ifc-lite-geometry", patient: true, command }),
        Err(error) => println!("  ifc-lite-geometry is left out: {error:#}"),
    }
    match sh(program(python()).args(["-m", "pip", "install", "--quiet", "slopifc==0.2.1"])) {
        Ok(()) => all.push(Engine { name: "slopifc", patient: true, command: script("slopifc") }),
        Err(error) => println!("  slopifc is left out: {error:#}"),
    }
    all
}

fn ifc_lite() -> Result<Box<Launch>> {
    let folder = target().join("bench/ifc-lite-geometry");
    let manifest = root().join("tests/peers/ifc-lite-geometry/Cargo.toml");
    sh(cargo()
        .args(["build", "--release", "--quiet", "--manifest-path"])
        .arg(manifest)
        .arg("--target-dir")
        .arg(&folder))?;
    let built = folder.join("release/ifc-lite-geometry-peer");
    Ok(Box::new(move |file| {
        let mut command = program(&built);
        command.arg(file);
        command
    }))
}

fn measure(file: &Path, runs: usize, engines: &[Engine]) -> Result<()> {
    let bytes = fs::metadata(file)?.len();
    println!(
        "\n{} ({:.1} MB): meshing all products, CPU s (wall s), ratio of wall times to ours",
        file.file_name().unwrap_or_default().to_string_lossy(),
        bytes as f64 / 1e6
    );
    let mut first = Vec::new();
    for uncut in [false, true] {
        println!("{}", if uncut { "openings left in" } else { "openings cut" });
        let mut rows: Vec<Rows> = engines.iter().map(|_| Rows::default()).collect();
        for round in 0..runs.max(1) {
            for at in (0..engines.len()).map(|at| (at + round) % engines.len()) {
                let (Some(engine), Some(rows)) = (engines.get(at), rows.get_mut(at)) else { continue };
                if bytes > PATIENCE && !engine.patient {
                    continue;
                }
                let mut command = (engine.command)(file);
                if uncut {
                    command.arg("uncut");
                }
                rows.cold.push(probe(&mut command).with_context(|| engine.name)?);
                rows.warm.push(probe(&mut command).with_context(|| engine.name)?);
            }
        }
        let own = rows.first().map(Rows::walls).unwrap_or_default();
        for (engine, rows) in engines.iter().zip(&rows).filter(|(_, rows)| !rows.warm.is_empty()) {
            let (walls, cold) = (rows.walls(), median(&rows.cold, "/mesh/cpu"));
            println!(
                "  {:<28} first {:>17} {:>6.1}×   again {:>17} {:>6.1}×   opened in {:>7.4} s, {:>6.0} products, {:>5.0} MB",
                engine.name,
                format!("{cold:.4} ({:.4})", walls[0]),
                walls[0] / own[0],
                format!("{:.4} ({:.4})", median(&rows.warm, "/mesh/cpu"), walls[1]),
                walls[1] / own[1],
                median(&rows.warm, "/open/wall"),
                median(&rows.warm, "/products"),
                median(&rows.warm, "/peak_mb"),
            );
        }
        if first.is_empty() {
            first = rows.into_iter().next().unwrap_or_default().warm;
        }
    }
    let glb = median(&first, "/bytes");
    println!(
        "  ours: scene {:.4} s, all {:.0} tiles as GLB {:.4} s, {:.2} MB = {:.1} % of the file; after a wall moved: scene {:.2} ms, its tiles' GLB {:.2} ms",
        median(&first, "/scene/wall"),
        median(&first, "/tiles"),
        median(&first, "/glb/wall"),
        glb / 1e6,
        glb / bytes as f64 * 100.0,
        median(&first, "/moved") * 1e3,
        median(&first, "/new_tiles") * 1e3,
    );
    Ok(())
}
