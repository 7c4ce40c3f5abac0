//! Any bytes are a model in the text form or are refused; a model is written back byte for byte, checked, edited, and read
//! again as what it was.

use energy::check::{Options, check};
use energy::idf::{Document, Format, Handle};
use energy::integrity::{self, Surroundings};
use energy::schema::Schema;
use serde_json::json;

/// One input.
pub fn run(bytes: &[u8]) {
    let Ok((document, _)) = Document::parse(bytes, Schema::built_in()) else { return };
    assert_eq!(document.to_bytes(Format::Idf).ok().as_deref(), Some(bytes), "not byte for byte");
    exercise(&document);
    // by the schema of the version that it names
    let Ok((own, _)) = Document::open(bytes) else { return };
    if own.schema().version() != document.schema().version() {
        exercise(&own);
    }
}

/// Checks the invariants of any model.
pub fn exercise(document: &Document) {
    let _ = check(document, Options::default());
    let _ = integrity::check(document, Surroundings::default());
    let _ = document.to_bytes(Format::EpJson);
    let _ = document.to_bytes(Format::Idf);
    let mut edited = document.clone();
    let handles: Vec<Handle> = document.objects().map(|object| object.handle()).collect();
    for (at, handle) in handles.into_iter().enumerate().take(50) {
        let _ = edited.duplicate(handle, &format!("copy {at}"));
        let _ = edited.rename(handle, &format!("name {at}"));
        let _ = edited
            .update(handle, json!({"vertices": [[1, 2, 3]]}).as_object().unwrap_or(&serde_json::Map::new()));
        if at % 3 == 0 {
            let _ = edited.remove(handle, true);
        }
    }
    if let Ok(delta) = edited.delta_from(document) {
        let reached = document.apply(&delta).map(|reached| said(&reached)).ok();
        assert_eq!(reached, Some(said(&edited)), "the delta does not lead there");
    }
    // what an edit wrote is read again as what it is, where the file was whole
    if let Ok(bytes) = edited.to_bytes(edited.format())
        && let Ok((again, problems)) = Document::open(&bytes)
        && problems.is_empty()
        && edited.format() == Format::EpJson
    {
        assert_eq!(again.len(), edited.len(), "objects were lost");
    }
}

fn said(document: &Document) -> Vec<String> {
    document
        .objects()
        .map(|object| format!("{} {:?}", object.type_name(), object.values().collect::<Vec<_>>()))
        .collect()
}
