//! Any bytes are a document or are refused. What is read is audited, written, and read again to a document that is written the same.

use validation::ids::{read, written};

/// One input.
pub fn run(bytes: &[u8]) {
    let Ok(reading) = read(bytes) else { return };
    let audit = reading.document.audit();
    if !reading.structure.is_empty() || !audit.is_empty() {
        return;
    }
    let text = written(&reading.document);
    let Ok(again) = read(text.as_bytes()) else {
        unreachable!("what is written is read");
    };
    assert_eq!(written(&again.document), text);
}
