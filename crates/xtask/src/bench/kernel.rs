//! The kernel alone, beside its peers: each run is a fresh process that prints its own CPU and wall time and its memory,
//! ours an example of the crate `ifc`. One round runs everybody once, so that all meet the same weather.

use super::peers::Peer;
use super::quantile;
use crate::shell::{output, program, target};
use anyhow::{Context, Result};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// Tasks that peers do as well.
const SHARED: [(&str, &str); 7] = [
    ("open", "open"),
    ("count", "first class count"),
    ("guid", "first GlobalId look-up"),
    ("query_cold", "walls of a storey by rating, first"),
    ("query_warm", "the same, warm"),
    ("decode", "every attribute decoded"),
    ("save", "save after one edit"),
];

/// Tasks of our kernel alone.
const OWN: [(&str, &str); 9] = [
    ("pass", "one pass over the bytes"),
    ("id", "first id look-up"),
    ("references", "all tokens, reverse references"),
    ("edit", "one edit, encoded delta"),
    ("save_index", "index written"),
    ("reopen", "reopened by the index"),
    ("reopen_id", "first id look-up after that"),
    ("reopen_count", "first class count after that"),
    ("reopen_references", "first referrers after that"),
];

/// Prints the tables for a file.
pub fn measure(file: &Path, runs: usize, peers: &[Peer]) -> Result<()> {
    let bytes = fs::metadata(file)?.len() as f64;
    println!("\n{} ({:.1} MB)", file.file_name().unwrap_or_default().to_string_lossy(), bytes / 1e6);
    let saved = target().join("bench/saved.ifc");
    let mut ours = Vec::new();
    let mut theirs: Vec<Vec<Value>> = peers.iter().map(|_| Vec::new()).collect();
    for _ in 0..runs.max(1) {
        ours.push(probe(
            program(target().join("release/examples/ifc")).arg("measure").arg(file).arg(&saved),
        )?);
        for (peer, rows) in peers.iter().zip(&mut theirs) {
            rows.push(probe(&mut peer.command(file, &saved)).with_context(|| peer.name)?);
        }
    }
    print!("{:<36} {:>22}", "CPU s (wall s)", "Pensaer");
    for peer in peers {
        print!(" {:>30}", format!("{} (ratio)", peer.name));
    }
    println!();
    let cpu = |rows: &[Value], step: &str| median(rows, &format!("/{step}/cpu"));
    let wall = |rows: &[Value], step: &str| median(rows, &format!("/{step}/wall"));
    for (step, title) in SHARED {
        let own = cpu(&ours, step);
        print!("{title:<36} {:>22}", format!("{own:.5} ({:.5})", wall(&ours, step)));
        for rows in &theirs {
            let other = cpu(rows, step);
            let cell = if other.is_nan() {
                "–".to_owned()
            } else {
                format!("{other:.5} ({:.5}) {:>6.1}×", wall(rows, step), other / own)
            };
            print!(" {cell:>30}");
        }
        println!();
    }
    let peak = median(&ours, "/resident_mb");
    print!("{:<36} {:>22}", "memory after opening", format!("{peak:.0} MB"));
    for rows in &theirs {
        let other = median(rows, "/peak_mb");
        print!(" {:>30}", format!("{other:.0} MB {:>6.1}×", other / peak));
    }
    println!();
    for (step, title) in OWN {
        println!("{title:<36} {:>22}", format!("{:.6} ({:.6})", cpu(&ours, step), wall(&ours, step)));
    }
    let instances = median(&ours, "/instances");
    let file_mb = bytes / f64::from(1 << 20);
    println!("opening / one pass: {:.1}", cpu(&ours, "open") / cpu(&ours, "pass"));
    for (peer, rows) in peers.iter().zip(&theirs) {
        let index = cpu(rows, "index");
        if !index.is_nan() {
            let ratio = index / cpu(&ours, "open");
            println!("{}'s index alone, of bytes in memory: {index:.5}, {ratio:.1}× our opening", peer.name);
        }
    }
    println!(
        "memory beyond the file: {:.1} bytes an instance ({instances:.0} instances); the index: {:.1} MB",
        (peak - file_mb) * f64::from(1 << 20) / instances,
        median(&ours, "/index_mb")
    );
    println!("saving: {:.2} GB/s of CPU time", bytes / 1e9 / cpu(&ours, "save"));
    println!(
        "tokens and references with opening: {:.3} s of CPU time for 200 MB",
        (cpu(&ours, "open") + cpu(&ours, "references")) * 2e8 / bytes
    );
    let agreed = |key: &str| {
        theirs.iter().map(|rows| median(rows, key)).filter(|n| !n.is_nan()).all(|n| n == median(&ours, key))
    };
    println!(
        "walls: {:.0}, of them on the storey and rated: {:.0}; {}",
        median(&ours, "/walls"),
        median(&ours, "/found"),
        if agreed("/walls") && agreed("/found") { "all agree" } else { "NOT ALL AGREE" }
    );
    Ok(())
}

/// Runs a process and reads the figures that it prints.
pub fn probe(command: &mut std::process::Command) -> Result<Value> {
    let text = output(command)?;
    let line = text.lines().rev().find(|line| line.starts_with('{')).unwrap_or(&text);
    serde_json::from_str(line).with_context(|| format!("no figures in: {text}"))
}

/// The median of one figure over several runs.
pub fn median(rows: &[Value], pointer: &str) -> f64 {
    let mut values: Vec<f64> = rows.iter().filter_map(|row| row.pointer(pointer)?.as_f64()).collect();
    quantile(&mut values, 0.5)
}
