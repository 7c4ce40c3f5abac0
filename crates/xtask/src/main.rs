//! The tasks of the project: set-up, run, test, checks, code generation, benchmarks.

fn main() {}
