//! Properties that hold for any bytes, on the seeds of the fuzz targets, on what is left of each, and on each with bytes changed.

#[path = "../fuzz/src/lib.rs"]
mod targets;

use testing::seeds::hold;

#[test]
fn seeds_of_pictures() {
    hold(concat!(env!("CARGO_MANIFEST_DIR"), "/fuzz/seeds/picture"), 40, targets::picture::run);
}

#[test]
fn seeds_of_traces() {
    hold(concat!(env!("CARGO_MANIFEST_DIR"), "/fuzz/seeds/trace"), 40, targets::trace::run);
}
