//! Properties that hold for any bytes, on the seeds of the fuzz targets, on what is left of each, and on each with bytes changed.

#[path = "../fuzz/src/lib.rs"]
mod targets;

use testing::seeds::hold;

#[test]
fn seeds_of_models() {
    hold(concat!(env!("CARGO_MANIFEST_DIR"), "/fuzz/seeds/export"), 60, targets::export::run);
}
