//! Properties that hold for any bytes: what libFuzzer runs on inputs that it makes up, and a test on the seeds and on what was found.

pub mod model;
pub mod tokenizer;
