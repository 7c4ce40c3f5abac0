//! Any bytes are a collection or are refused; one that is read is written and read as it was, and its sections are indexed or refused.

use knowledge::{Collection, Index};

/// One input.
pub fn run(bytes: &[u8]) {
    let Ok(collection) = Collection::parse(bytes) else { return };
    let Ok(written) = collection.write() else { panic!("what was read is not too large") };
    assert_eq!(Collection::parse(&written).as_ref(), Ok(&collection));
    // an address that stands twice, or none, is refused with a word on it
    let _ = Index::in_memory(collection.sections().cloned().collect());
}
