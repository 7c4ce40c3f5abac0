//! Any bytes are an archive that is read or refused, and any bytes within one are a text that is read or refused.

use knowledge::read::read;
use std::io::{Cursor, Write};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// One input.
pub fn run(bytes: &[u8]) {
    for archive in [Some(bytes.to_vec()), archive(bytes)].into_iter().flatten() {
        if let Ok(document) = read("a.docx", &archive) {
            super::check(&document);
        }
    }
}

/// An archive whose text and styles are these bytes.
fn archive(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    for name in ["word/document.xml", "word/styles.xml", "docProps/core.xml"] {
        writer.start_file(name, stored).ok()?;
        writer.write_all(bytes).ok()?;
    }
    Some(writer.finish().ok()?.into_inner())
}
