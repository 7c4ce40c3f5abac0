//! `select FILE` reads selectors from standard input, one a line, and prints for each a JSON list of the ids found, or
//! of one text that says why not: what `tests/python/compare_selectors.py` compares with IfcOpenShell.
#![allow(clippy::print_stdout, reason = "its answers are what it is for")]

use ifc::{Limits, Model, Selector};
use std::io::BufRead;
use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = std::env::args().nth(1).ok_or("usage: select FILE < selectors")?;
    let (model, _) = Model::open(Path::new(&file), &Limits::default())?;
    for line in std::io::stdin().lock().lines() {
        match Selector::parse(&line?) {
            Ok(selector) => println!("{:?}", selector.run(&model).iter().map(|id| id.0).collect::<Vec<_>>()),
            Err(error) => println!("[{:?}]", error.to_string()),
        }
    }
    Ok(())
}
