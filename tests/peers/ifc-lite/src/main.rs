//! ifc-lite-core opens a file (reads it and builds its index; with `columns` the faster of the two that it has) and decodes every
//! instance; prints CPU time and peak memory as JSON.

use ifc_lite_core::{ColumnarEntityIndex, EntityDecoder, EntityScanner, build_entity_index};
use std::hint::black_box;
use std::time::Instant;

fn cpu_seconds() -> f64 {
    let mut spent = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the place is one of ours
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut spent) };
    spent.tv_sec as f64 + spent.tv_nsec as f64 / 1e9
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, f64, f64) {
    let (cpu, wall) = (cpu_seconds(), Instant::now());
    let value = work();
    (value, cpu_seconds() - cpu, wall.elapsed().as_secs_f64())
}

fn peak_mb() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default();
    line.trim().trim_end_matches(" kB").parse::<f64>().unwrap_or(f64::NAN) / 1024.0
}

fn main() {
    let path = std::env::args().nth(1).expect("usage: ifc-lite-peer FILE [columns]");
    let columns = std::env::args().nth(2).is_some_and(|kind| kind == "columns");
    let (bytes, read_cpu, read_wall) = timed(|| std::fs::read(&path).expect("a file"));
    let (count, cpu, wall) = if columns {
        timed(|| black_box(ColumnarEntityIndex::from_scan(&bytes).expect("an index")).len())
    } else {
        timed(|| black_box(build_entity_index(&bytes)).len())
    };
    let peak = peak_mb();
    let (decoded, decode_cpu, decode_wall) = timed(|| {
        let decoder = EntityDecoder::new(&bytes);
        let mut scanner = EntityScanner::new(&bytes);
        let mut decoded = 0;
        while let Some((_, _, start, end)) = scanner.next_entity() {
            decoded += usize::from(black_box(decoder.decode_at_uncached(start, end)).is_ok());
        }
        decoded
    });
    println!(
        "{{\"instances\":{count},\"decoded\":{decoded},\"peak_mb\":{peak},\"open\":{{\"cpu\":{},\"wall\":{}}},\"index\":{{\"cpu\":{cpu},\"wall\":{wall}}},\"decode\":{{\"cpu\":{decode_cpu},\"wall\":{decode_wall}}}}}",
        cpu + read_cpu,
        wall + read_wall
    );
}
