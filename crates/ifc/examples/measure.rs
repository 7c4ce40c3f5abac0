//! The kernel's side of `cargo xtask bench`: opens a file, counts its walls, makes one edit and saves, and prints CPU
//! time, wall time and peak memory as JSON. Linux only, where the figures come from `/proc`.
#![expect(clippy::print_stdout, reason = "its output is the measurement")]

use ifc::{Limits, Model};
use serde_json::{Value, json};
use std::error::Error;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(source), Some(target)) = (arguments.next(), arguments.next()) else {
        return Err("usage: measure SOURCE.ifc TARGET.ifc".into());
    };
    let (opened, open) = timed(|| Model::open(Path::new(&source), &Limits::default()));
    let (model, _problems) = opened?;
    let (walls, count) = timed(|| model.of_class("IfcWall"));
    let wall = *walls.first().ok_or("the file has no wall")?;
    let (edited, edit) = timed(|| -> Result<Model, Box<dyn Error>> {
        let mut edit = model.edit();
        edit.set(wall, "Name", "measured")?;
        let (after, delta) = edit.finish();
        std::hint::black_box(delta.encode());
        Ok(after)
    });
    let edited = edited?;
    let (saved, save) = timed(|| -> std::io::Result<()> {
        let mut out = BufWriter::with_capacity(1 << 20, File::create(&target)?);
        edited.write(&mut out)?;
        out.flush()
    });
    saved?;
    let figures = json!({
        "open": open, "count": count, "edit": edit, "save": save, "peak_mb": peak_mb(), "walls": walls.len()
    });
    println!("{figures}");
    Ok(())
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
