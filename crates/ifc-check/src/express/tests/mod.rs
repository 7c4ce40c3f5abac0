//! The language, clause by clause; the rules of the schemas, all of them to be read and some of them on small models;
//! and what is hostile.

mod bounds;
mod language;
mod rules;
mod schemas;

use crate::express::evaluate;
use crate::sample::model;
use ifc::step::encode;
use ifc::{Id, SchemaVersion};

/// Evaluates an expression over an IFC4 model of these lines; the value as a file has it, or the error.
fn check_in(data: &str, this: Option<u32>, text: &str, expected: &str) {
    let mut found = String::new();
    match evaluate(&model(SchemaVersion::Ifc4, data), text, this.map(Id)) {
        Ok(value) => encode::value(&value, &mut found),
        Err(error) => found = error.to_string(),
    }
    assert_eq!(found, expected, "{text}");
}
