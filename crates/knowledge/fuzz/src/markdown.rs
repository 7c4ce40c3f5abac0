//! Any text is Markdown that is read or has no text; its sections have addresses of their own.

use knowledge::read::read;

/// One input.
pub fn run(bytes: &[u8]) {
    if let Ok(document) = read("a.md", bytes) {
        super::check(&document);
    }
}
