//! What every target does with one input, apart from libFuzzer, so that a test could call it, too.

pub mod ddy;
pub mod delta;
pub mod epjson;
pub mod epw;
pub mod err;
pub mod idf;
