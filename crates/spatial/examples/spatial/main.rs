//! Tasks on rooms and ways from the command line, for measuring; each module says what its task takes and prints.
//! `cargo run --release -p spatial --example spatial -- TASK …`.
#![expect(clippy::print_stdout, reason = "its answers are what it is for")]

#[path = "../../../ifc/examples/ifc/figures.rs"]
mod figures;
mod grid;
mod layout;
mod ways;

use std::error::Error;

/// The arguments behind the task's name on the command line.
type Arguments = std::iter::Skip<std::env::Args>;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let task = arguments.next().unwrap_or_default();
    match task.as_str() {
        "grid" => layout::write_grid(arguments),
        "layout" => layout::run(arguments),
        "ways" => ways::run(arguments),
        _ => Err("the task is one of: grid, layout, ways".into()),
    }
}
