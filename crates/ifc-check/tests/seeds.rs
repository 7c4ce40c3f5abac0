//! Properties that hold for any bytes, on the seeds of the fuzz targets and on what was found by them.

#[path = "../fuzz/src/lib.rs"]
mod targets;

use std::fs;
use std::path::Path;

/// Runs a target on each of its seeds, and on what is left of each when its end or its middle is gone.
fn check(seeds: &str, run: fn(&[u8])) -> std::io::Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(seeds);
    let mut count = 0;
    for seed in fs::read_dir(folder)? {
        let path = seed?.path();
        let bytes = fs::read(&path)?;
        let half = bytes.len() / 2;
        let (start, end) = bytes.split_at(half);
        for input in [&bytes, start, end] {
            let outcome = std::panic::catch_unwind(|| run(input));
            assert!(outcome.is_ok(), "{}: {}", path.display(), String::from_utf8_lossy(input));
        }
        count += 1;
    }
    assert!(count > 5, "{seeds} has {count} files");
    Ok(())
}

#[test]
fn seeds_of_expressions() -> std::io::Result<()> {
    check("fuzz/seeds/express", targets::express::run)
}

#[test]
fn seeds_of_files() -> std::io::Result<()> {
    check("../ifc/fuzz/seeds/open", targets::validate::run)
}
