//! Any bytes are a model as epJSON or are refused; a model is written back byte for byte.

use energy::idf::{Document, Format};
use energy::schema::Schema;

/// One input.
pub fn run(bytes: &[u8]) {
    let Ok((document, _)) = Document::from_epjson(bytes, Schema::built_in()) else { return };
    assert_eq!(document.to_bytes(Format::EpJson).ok().as_deref(), Some(bytes), "not byte for byte");
    super::idf::exercise(&document);
}
