//! Properties that hold for any bytes, on the seeds of the fuzz targets, on what is left of each, and on each with bytes changed.

#[path = "../fuzz/src/lib.rs"]
mod targets;

use testing::seeds::hold;

#[test]
fn seeds_of_documents() {
    hold(concat!(env!("CARGO_MANIFEST_DIR"), "/fuzz/seeds/ids"), 200, targets::ids::run);
}

#[test]
fn seeds_of_packs() {
    hold(concat!(env!("CARGO_MANIFEST_DIR"), "/fuzz/seeds/packs"), 200, targets::packs::run);
}
