//! Any text is a question; what it finds is in the index, and what is shown of it is a piece of it.

use knowledge::corpora::ids;
use knowledge::{Filter, Index};
use std::sync::OnceLock;

/// One input.
pub fn run(bytes: &[u8]) {
    static INDEX: OnceLock<Option<Index>> = OnceLock::new();
    let Some(index) = INDEX.get_or_init(|| Index::in_memory(ids::sections()).ok()) else { return };
    let text = String::from_utf8_lossy(bytes);
    let Ok(answer) = index.search(&text, &Filter::default(), 5) else {
        panic!("a question is never refused")
    };
    for hit in answer.hits {
        let Ok(Some(section)) = index.section(&hit.location) else {
            panic!("{} is not in the index", hit.location)
        };
        assert!(section.text.get(hit.snippet.start..hit.snippet.end).is_some());
    }
}
