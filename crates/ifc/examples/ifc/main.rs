//! Tasks on the kernel from the command line, for measuring and for comparing it with other programs; each module says what its
//! task takes and prints. `cargo run -p ifc --example ifc -- TASK …`.
#![expect(clippy::print_stdout, reason = "its answers are what it is for")]

mod compare;
mod convert;
mod dump;
mod figures;
mod measure;
mod rules;
mod schema;
mod select;
mod validate;

use std::error::Error;

/// The words behind the task's name on the command line.
type Arguments = std::iter::Skip<std::env::Args>;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let task = arguments.next().unwrap_or_default();
    match task.as_str() {
        "compare" => compare::run(arguments),
        "convert" => convert::run(arguments),
        "dump" => dump::run(arguments),
        "measure" => measure::run(arguments),
        "rules" => rules::run(arguments),
        "schema" => schema::run(arguments),
        "select" => select::run(arguments),
        "validate" => validate::run(arguments),
        _ => {
            Err("the task is one of: compare, convert, dump, measure, rules, schema, select, validate".into())
        }
    }
}
