//! Properties that hold for any bytes: one module for each target, which libFuzzer runs on inputs that it makes up, and the tests of
//! the kernel on the seeds and on what was found.

pub mod delta;
pub mod lexer;
pub mod open;
pub mod selector;
