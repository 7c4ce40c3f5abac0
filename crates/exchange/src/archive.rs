//! Several files as one archive. The same files make the same bytes.

use crate::ExchangeError;
use std::io::{Cursor, Write as _};
use zip::{CompressionMethod, ZipWriter, write::SimpleFileOptions};

/// A file by name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// Its name, without a folder.
    pub name: String,
    /// Its content.
    pub bytes: Vec<u8>,
}

/// The files as a zip archive.
pub fn zip(files: &[File]) -> Result<Vec<u8>, ExchangeError> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let failed = |error: zip::result::ZipError| ExchangeError::Write(std::io::Error::other(error));
    for file in files {
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .large_file(file.bytes.len() >= (u32::MAX as usize) - (1 << 20));
        archive.start_file(file.name.as_str(), options).map_err(failed)?;
        archive.write_all(&file.bytes)?;
    }
    Ok(archive.finish().map_err(failed)?.into_inner())
}
