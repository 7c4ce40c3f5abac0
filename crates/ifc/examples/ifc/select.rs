//! `select FILE` reads selectors from standard input, one a line, and prints for each a JSON list of the ids found, or
//! of one text that says why not: what `tests/python/compare_selectors.py` compares with IfcOpenShell.

use crate::Arguments;
use ifc::{Limits, Model, Selector};
use std::error::Error;
use std::io::BufRead;
use std::path::Path;

pub fn run(mut arguments: Arguments) -> Result<(), Box<dyn Error>> {
    let file = arguments.next().ok_or("usage: select FILE < selectors")?;
    let (model, _) = Model::open(Path::new(&file), &Limits::default())?;
    for line in std::io::stdin().lock().lines() {
        match Selector::parse(&line?) {
            Ok(selector) => println!("{:?}", selector.run(&model).iter().map(|id| id.0).collect::<Vec<_>>()),
            Err(error) => println!("[{:?}]", error.to_string()),
        }
    }
    Ok(())
}
