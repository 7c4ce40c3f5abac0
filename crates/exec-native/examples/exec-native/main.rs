//! Measurements of the adapter over the kernel: what isolation costs, and what a merge takes; each module says what its task takes
//! and prints. `cargo run --release -p exec-native --example exec-native -- TASK …`.
#![expect(clippy::print_stdout, reason = "its answers are what it is for")]

mod isolation;
mod merge;

use std::error::Error;

/// The arguments behind the task's name on the command line.
type Arguments = std::iter::Skip<std::env::Args>;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let task = arguments.next().unwrap_or_default();
    match task.as_str() {
        "isolation" => isolation::run(arguments),
        "merge" => merge::run(arguments),
        _ => Err("the task is one of: isolation, merge".into()),
    }
}
