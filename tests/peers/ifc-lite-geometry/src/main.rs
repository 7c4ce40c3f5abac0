//! ifc-lite-geometry opens a file and meshes all its products on all processors, sharing between threads what it can share; with
//! `uncut` openings are left in. Prints CPU and wall time, products, triangles and peak memory as JSON.

use ifc_lite_core::{EntityDecoder, EntityScanner, build_entity_index, has_geometry_by_name};
use ifc_lite_geometry::GeometryRouter;
use rayon::prelude::*;
use std::collections::HashMap;
use std::sync::Arc;
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
    let path = std::env::args().nth(1).expect("usage: ifc-lite-geometry-peer FILE [uncut]");
    let uncut = std::env::args().nth(2).is_some_and(|kind| kind == "uncut");
    let ((bytes, index), open_cpu, open_wall) = timed(|| {
        let bytes = std::fs::read(&path).expect("a file");
        let index = Arc::new(build_entity_index(&bytes));
        (bytes, index)
    });
    let (meshes, cpu, wall) = timed(|| {
        let mut decoder = EntityDecoder::with_arc_index(&bytes, Arc::clone(&index));
        let mut voids = HashMap::<u32, Vec<u32>, _>::default();
        let mut products = Vec::new();
        let mut scanner = EntityScanner::new(&bytes);
        while let Some((id, class, start, end)) = scanner.next_entity() {
            if class.eq_ignore_ascii_case("IFCRELVOIDSELEMENT") && !uncut {
                if let Ok(relation) = decoder.decode_at(start, end)
                    && let (Some(host), Some(opening)) = (relation.get_ref(4), relation.get_ref(5))
                {
                    voids.entry(host).or_default().push(opening);
                }
            } else if has_geometry_by_name(class) && !class.eq_ignore_ascii_case("IFCOPENINGELEMENT") {
                products.push(id);
            }
        }
        let mapped = GeometryRouter::new_mapped_item_cache();
        let threads = rayon::current_num_threads();
        let share = products.len().div_ceil(threads * 8).max(1);
        let one = |ids: &[u32]| {
            let mut decoder = EntityDecoder::with_arc_index(&bytes, Arc::clone(&index));
            let mut router = GeometryRouter::with_units(&bytes, &mut decoder);
            router.enable_shared_mapped_item_cache(mapped.clone());
            let mut made = (0usize, 0usize);
            for id in ids {
                let Ok(product) = decoder.decode_by_id(*id) else { continue };
                if let Ok(mesh) = router.process_element_with_voids(&product, &mut decoder, &voids) {
                    made.0 += usize::from(!mesh.indices.is_empty());
                    made.1 += mesh.indices.len() / 3;
                }
            }
            made
        };
        products.par_chunks(share).map(one).reduce(|| (0, 0), |a, b| (a.0 + b.0, a.1 + b.1))
    });
    println!(
        "{{\"open\":{{\"cpu\":{open_cpu},\"wall\":{open_wall}}},\"mesh\":{{\"cpu\":{cpu},\"wall\":{wall}}},\"products\":{},\"triangles\":{},\"peak_mb\":{}}}",
        meshes.0,
        meshes.1,
        peak_mb()
    );
}
