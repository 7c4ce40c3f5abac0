//! Properties that hold for any bytes, on the seeds of the fuzz targets and on what was found by them.

#[path = "../fuzz/src/lib.rs"]
#[expect(clippy::unwrap_used, reason = "an input that panics is what is looked for")]
mod targets;

use std::fs;
use std::path::Path;

/// Runs a target on each of its seeds, and on what is left of each when its end or its middle is gone.
fn check(target: &str, run: fn(&[u8])) -> std::io::Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds").join(target);
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
    assert!(count > 5, "{target} has {count} seeds");
    Ok(())
}

#[test]
fn seeds_of_deltas() -> std::io::Result<()> {
    check("delta", targets::delta::run)
}

#[test]
fn seeds_of_attribute_lists() -> std::io::Result<()> {
    check("lexer", targets::lexer::run)
}

#[test]
fn seeds_of_files() -> std::io::Result<()> {
    check("open", targets::open::run)
}

#[test]
fn seeds_of_selectors() -> std::io::Result<()> {
    check("selector", targets::selector::run)
}
