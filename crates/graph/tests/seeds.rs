//! Properties that hold for any bytes, on the seeds of the fuzz target, on what is left of each, and on each with bytes changed.

#[path = "../fuzz/src/lib.rs"]
mod targets;

use testing::seeds::hold;

#[test]
fn seeds_of_queries() {
    hold(concat!(env!("CARGO_MANIFEST_DIR"), "/fuzz/seeds/query"), 200, targets::query::run);
}
