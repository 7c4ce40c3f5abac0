//! Any bytes are a model as epJSON or are refused; a model is written back byte for byte, and a change that was made by another schema
//! than that of its version is brought over.

use energy::idf::{Document, Format, Handle};
use energy::schema::Schema;

/// One input.
pub fn run(bytes: &[u8]) {
    let Ok((document, _)) = Document::from_epjson(bytes, Schema::built_in()) else { return };
    assert_eq!(document.to_bytes(Format::EpJson).ok().as_deref(), Some(bytes), "not byte for byte");
    super::idf::exercise(&document);
    let Ok((own, _)) = Document::open(bytes) else { return };
    if own.format() != Format::EpJson || own.schema().version() == document.schema().version() {
        return;
    }
    super::idf::exercise(&own);
    let mut edited = document.clone();
    let handles: Vec<Handle> = document.objects().map(|object| object.handle()).collect();
    for (at, handle) in handles.into_iter().enumerate().take(50) {
        let _ = edited.duplicate(handle, &format!("copy {at}"));
        let _ = edited.rename(handle, &format!("name {at}"));
        if at % 3 == 0 {
            let _ = edited.remove(handle, true);
        }
    }
    if let Ok(delta) = edited.delta_from(&document) {
        let reached = own.apply(&delta).map(|reached| reached.len()).ok();
        assert_eq!(reached, Some(edited.len()), "the change does not lead there");
    }
}
