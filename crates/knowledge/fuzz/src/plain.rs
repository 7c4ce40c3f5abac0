//! Any bytes are text in some encoding, another kind of file, or refused.

use knowledge::read::read;

/// One input.
pub fn run(bytes: &[u8]) {
    if let Ok(document) = read("a", bytes) {
        super::check(&document);
    }
}
