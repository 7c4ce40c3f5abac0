//! Properties that hold for any bytes, on the seeds of the fuzz targets, on what is left of each, and on each with bytes changed.

#[path = "../fuzz/src/lib.rs"]
mod targets;

use testing::seeds::hold;

#[test]
fn seeds_of_dxf() {
    hold(concat!(env!("CARGO_MANIFEST_DIR"), "/fuzz/seeds/dxf"), 25, targets::dxf::run);
}

#[test]
fn seeds_of_svg() {
    hold(concat!(env!("CARGO_MANIFEST_DIR"), "/fuzz/seeds/svg"), 25, targets::svg::run);
}
