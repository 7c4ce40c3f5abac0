//! Properties that hold for any bytes, on the seeds of the fuzz targets and on what they found.

#[path = "../fuzz/src/lib.rs"]
mod targets;

use std::fs;
use std::path::Path;

fn hold(target: &str, run: fn(&[u8])) -> std::io::Result<()> {
    targets::spare_the_engine();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds").join(target);
    let mut count = 0;
    for seed in fs::read_dir(folder)? {
        let path = seed?.path();
        let bytes = fs::read(&path)?;
        // whole, and with its end gone
        for input in [bytes.as_slice(), bytes.get(..bytes.len() / 2).unwrap_or_default()] {
            let outcome = std::panic::catch_unwind(|| run(input));
            assert!(outcome.is_ok(), "{}", path.display());
        }
        count += 1;
    }
    assert!(count > 5, "there are {count} seeds");
    Ok(())
}

#[test]
fn seeds_of_shapes() -> std::io::Result<()> {
    hold("shapes", targets::shapes::run)
}

#[test]
fn seeds_of_csg() -> std::io::Result<()> {
    hold("csg", targets::csg::run)
}

#[test]
fn seeds_of_import() -> std::io::Result<()> {
    hold("import", targets::import::run)
}
