//! What differs between two files, and how long it took to see: two versions of one history after one edit, and two
//! files of any origin. Prints figures as JSON; with `--list`, the entries before them.
#![expect(clippy::print_stdout, reason = "its output is the measurement")]

use ifc::{CompareOptions, Limits, Model};
use serde_json::{Value, json};
use std::error::Error;
use std::fs;
use std::path::Path;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let listed = arguments.iter().any(|argument| argument == "--list");
    arguments.retain(|argument| argument != "--list");
    let [one, other] = arguments.as_slice() else {
        return Err("usage: compare ONE.ifc OTHER.ifc [--list]".into());
    };
    let open = |path: &str| Model::open(Path::new(path), &Limits::default()).map(|(model, _)| model);
    let (before, after) = (open(one)?, open(other)?);
    let (history, entries) = in_history(&before)?;
    let (comparison, unrelated) = timed(|| ifc::compare(&before, &after, &CompareOptions::default()));
    if listed {
        for entry in &comparison.entries {
            println!("{entry:?}");
        }
    }
    let figures = json!({
        "history": history, "history_entries": entries, "unrelated": unrelated, "instances": [before.len(), after.len()],
        "added": comparison.added, "removed": comparison.removed, "modified": comparison.modified,
        "peak_mb": peak_mb(),
    });
    println!("{figures}");
    Ok(())
}

/// One edit of a wall, and the difference that it makes, with its delta.
fn in_history(before: &Model) -> Result<(Value, usize), Box<dyn Error>> {
    let wall = *before.of_class("IfcWall").first().ok_or("the file has no wall")?;
    let mut edit = before.edit();
    edit.set(wall, "Name", "measured")?;
    let (after, _) = edit.finish();
    let (entries, time) = timed(|| {
        std::hint::black_box(ifc::Delta::between(before, &after).encode());
        ifc::diff(before, &after)
    });
    Ok((time, entries.len()))
}

/// What `work` returns, with CPU seconds of all threads and wall seconds.
fn timed<T>(work: impl FnOnce() -> T) -> (T, Value) {
    let (cpu, wall) = (cpu_seconds(), Instant::now());
    let value = work();
    (value, json!({"cpu": cpu_seconds() - cpu, "wall": wall.elapsed().as_secs_f64()}))
}

/// Time that all threads of this process have spent on a processor.
fn cpu_seconds() -> f64 {
    let spent = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    spent.tv_sec as f64 + spent.tv_nsec as f64 / 1e9
}

fn peak_mb() -> f64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default();
    line.trim().trim_end_matches(" kB").parse::<f64>().unwrap_or(f64::NAN) / 1024.0
}
