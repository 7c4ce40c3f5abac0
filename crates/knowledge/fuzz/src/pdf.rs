//! Any bytes are a PDF that is read or refused, in bounded time.

use knowledge::read::read;

/// One input.
pub fn run(bytes: &[u8]) {
    if let Ok(document) = read("a.pdf", bytes) {
        super::check(&document);
    }
}
