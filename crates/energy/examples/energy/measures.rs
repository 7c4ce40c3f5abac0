//! `energy measure-apply FILE MEASURES.json`: the model with measures applied on standard output, the account of it on standard error.

use energy::idf::Document;
use energy::measures::{Measure, apply};
use std::error::Error;
use std::io::Write;

/// Applies the measures of a file, a list as JSON, to a model.
pub fn run(mut arguments: super::Arguments, out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let (Some(model), Some(given)) = (arguments.next(), arguments.next()) else {
        return Err("usage: energy measure-apply FILE MEASURES.json".into());
    };
    let document = Document::open(&std::fs::read(model)?)?.0;
    let measures: Vec<Measure> = serde_json::from_slice(&std::fs::read(given)?)?;
    let applied = apply(&document, &measures).map_err(|fault| fault.to_string())?;
    out.write_all(&applied.document.to_bytes(document.format())?)?;
    writeln!(std::io::stderr().lock(), "{}", serde_json::to_string(&applied)?)?;
    Ok(())
}
