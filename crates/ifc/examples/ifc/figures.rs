//! CPU time, wall time and memory of this process. Linux only, where the figures come from `/proc`.
#![allow(dead_code, reason = "not every example asks for all")]

use serde_json::{Value, json};
use std::fs;
use std::time::Instant;

/// Runs `work` and returns its answer with CPU seconds of all threads and wall seconds.
pub fn timed<T>(work: impl FnOnce() -> T) -> (T, Value) {
    let (cpu, wall) = (cpu_seconds(), Instant::now());
    let value = work();
    (value, json!({"cpu": cpu_seconds() - cpu, "wall": wall.elapsed().as_secs_f64()}))
}

/// Time that all threads of this process have spent on a processor.
fn cpu_seconds() -> f64 {
    let spent = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    spent.tv_sec as f64 + spent.tv_nsec as f64 / 1e9
}

/// A line of what the system says of this process's memory, such as `VmHWM:`, its peak, in MB.
pub fn memory(line: &str) -> f64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|text| text.strip_prefix(line)).unwrap_or_default();
    line.trim().trim_end_matches(" kB").parse::<f64>().unwrap_or(f64::NAN) / 1024.0
}
