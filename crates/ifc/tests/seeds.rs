//! Properties that hold for any bytes, on the seeds of the fuzz targets, on what is left of each, and on each with bytes changed.

#[path = "../fuzz/src/lib.rs"]
#[expect(clippy::unwrap_used, reason = "an input that panics is what is looked for")]
mod targets;

use testing::seeds::hold;

#[test]
fn seeds_of_deltas() {
    hold(concat!(env!("CARGO_MANIFEST_DIR"), "/fuzz/seeds/delta"), 0, targets::delta::run);
}

#[test]
fn seeds_of_attribute_lists() {
    hold(concat!(env!("CARGO_MANIFEST_DIR"), "/fuzz/seeds/lexer"), 0, targets::lexer::run);
}

#[test]
fn seeds_of_files() {
    hold(concat!(env!("CARGO_MANIFEST_DIR"), "/fuzz/seeds/open"), 0, targets::open::run);
}

#[test]
fn seeds_of_selectors() {
    hold(concat!(env!("CARGO_MANIFEST_DIR"), "/fuzz/seeds/selector"), 0, targets::selector::run);
}
