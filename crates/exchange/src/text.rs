//! A model written anew under another header, and read again.

use crate::ExchangeError;
use ifc::parts::Source;
use ifc::step::encode;
use ifc::{Header, Limits, Model};

/// The same instances under the same ids with another header, also those of classes that the schema does not know.
pub fn with_header(model: &Model, header: &Header) -> Result<Model, ExchangeError> {
    let mut out = header.write(model.schema().version()).into_bytes();
    out.reserve(model.base().bytes().len());
    for instance in model.ids().filter_map(|id| model.get(id)) {
        match instance.source() {
            Source::Base(row) => {
                out.extend_from_slice(model.base().text(row));
                out.push(b'\n');
            }
            Source::Overlay(stored) => {
                let mut text = format!("{}={}", instance.id(), stored.class.name().to_ascii_uppercase());
                encode::list(&stored.values, &mut text);
                text.push_str(";\n");
                out.extend_from_slice(text.as_bytes());
            }
        }
    }
    out.extend_from_slice(b"ENDSEC;\nEND-ISO-10303-21;\n");
    let limits = Limits { lenient: true, ..Limits::default() };
    Ok(Model::from_bytes(out, &limits)?.0)
}
