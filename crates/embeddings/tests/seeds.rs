//! Properties that hold for any bytes, on the seeds of the fuzz targets, on what is left of each, and on each with bytes changed.

#[path = "../fuzz/src/lib.rs"]
mod targets;

use testing::seeds::hold;

#[test]
fn seeds_of_models() {
    hold(concat!(env!("CARGO_MANIFEST_DIR"), "/fuzz/seeds/model"), 200, targets::model::run);
}

#[test]
fn seeds_of_tokenizers() {
    hold(concat!(env!("CARGO_MANIFEST_DIR"), "/fuzz/seeds/tokenizer"), 200, targets::tokenizer::run);
}
