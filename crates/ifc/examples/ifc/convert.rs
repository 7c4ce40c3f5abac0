//! Converts a file to another schema version and prints what that could not hold:
//! `cargo run -p ifc --example ifc -- convert model.ifc IFC2X3 out.ifc`.

use crate::Arguments;
use ifc::{Limits, Model, SchemaVersion};
use ifc_convert::Outcome;
use std::error::Error;
use std::io::Write as _;
use std::path::Path;

pub fn run(arguments: Arguments) -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = arguments.collect();
    let [path, schema, out] = arguments.as_slice() else {
        return Err("usage: convert MODEL SCHEMA OUT".into());
    };
    let schema = SchemaVersion::from_name(schema).ok_or("IFC2X3, IFC4 or IFC4X3")?;
    let (model, _) = Model::open(Path::new(path), &Limits::default())?;
    let begun = std::time::Instant::now();
    let (converted, report) = ifc_convert::convert(&model, schema)?;
    let taken = begun.elapsed();
    std::fs::write(out, converted.to_bytes())?;
    let mut text = std::io::stdout().lock();
    writeln!(text, "{} to {}: {:?}, {} ms", report.from, report.to, report.total(), taken.as_millis())?;
    for note in report.notes.iter().filter(|note| note.outcome != Outcome::Kept) {
        writeln!(text, "{:12} {:6} {}: {}", note.outcome.as_str(), note.count, note.class, note.reason)?;
    }
    for (class, count) in &report.made {
        writeln!(text, "made         {count:6} {class}")?;
    }
    Ok(())
}
