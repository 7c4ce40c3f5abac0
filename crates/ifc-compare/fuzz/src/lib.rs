//! Properties that hold for any bytes: what libFuzzer runs on inputs that it makes up, and the tests of comparison and merge on the
//! seeds and on what was found.

#[path = "../../../ifc/fuzz/src/delta.rs"]
#[allow(dead_code, reason = "only the model and the reading of deltas are used here")]
mod delta;
pub mod merge;
