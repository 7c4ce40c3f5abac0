//! Properties that hold for any bytes, on the seeds of the fuzz targets, on what is left of each, and on each with bytes changed.

#[path = "../fuzz/src/lib.rs"]
mod targets;

use testing::seeds::hold;

#[test]
fn seeds_of_shapes() {
    targets::spare_the_engine();
    hold(concat!(env!("CARGO_MANIFEST_DIR"), "/fuzz/seeds/shapes"), 0, targets::shapes::run);
}

#[test]
fn seeds_of_csg() {
    targets::spare_the_engine();
    hold(concat!(env!("CARGO_MANIFEST_DIR"), "/fuzz/seeds/csg"), 0, targets::csg::run);
}

#[test]
fn seeds_of_import() {
    targets::spare_the_engine();
    hold(concat!(env!("CARGO_MANIFEST_DIR"), "/fuzz/seeds/import"), 0, targets::import::run);
}
