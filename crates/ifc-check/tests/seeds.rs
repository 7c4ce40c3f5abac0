//! Properties that hold for any bytes, on the seeds of the fuzz targets, on what is left of each, and on each with bytes changed.

#[path = "../fuzz/src/lib.rs"]
mod targets;

use testing::seeds::hold;

#[test]
fn seeds_of_expressions() {
    hold(concat!(env!("CARGO_MANIFEST_DIR"), "/fuzz/seeds/express"), 0, targets::express::run);
}

#[test]
fn seeds_of_files() {
    hold(concat!(env!("CARGO_MANIFEST_DIR"), "/../ifc/fuzz/seeds/open"), 0, targets::validate::run);
}
