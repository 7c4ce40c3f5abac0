//! What must hold for any bytes, on the seeds of the fuzz target and on what it found.

#[path = "../fuzz/src/lib.rs"]
mod targets;

use std::fs;
use std::path::Path;

#[test]
fn seeds_of_shapes() -> std::io::Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds/shapes");
    let mut count = 0;
    for seed in fs::read_dir(folder)? {
        let path = seed?.path();
        let bytes = fs::read(&path)?;
        // whole, and with its end gone
        for input in [bytes.as_slice(), bytes.get(..bytes.len() / 2).unwrap_or_default()] {
            let outcome = std::panic::catch_unwind(|| targets::shapes::run(input));
            assert!(outcome.is_ok(), "{}", path.display());
        }
        count += 1;
    }
    assert!(count > 5, "there are {count} seeds");
    Ok(())
}
