//! The zip archive around: its files by name, bounded in size and ratio however it describes itself.

use crate::problem::Refused;
use std::collections::BTreeMap;
use std::io::{Cursor, Read, Write};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

/// The bounds of an archive.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Files.
    pub files: usize,
    /// Bytes of all files, unpacked.
    pub bytes: u64,
    /// A file may grow to this many times its packed size; small ones are not looked at.
    pub ratio: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { files: 50_000, bytes: 1 << 30, ratio: 400 }
    }
}

/// Below this size the ratio is not looked at.
const SMALL: u64 = 4 << 20;

/// The files of an archive by their names, with `/` between folders.
pub(crate) type Files = BTreeMap<String, Vec<u8>>;

/// Unpacks an archive.
pub(crate) fn unpack(bytes: &[u8], limits: &Limits) -> Result<Files, Refused> {
    let damaged = |error: zip::result::ZipError| {
        Refused(format!("this is no BCF archive that can be unpacked: {error}"))
    };
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(damaged)?;
    if archive.len() > limits.files {
        return Err(Refused(format!("the archive has more than {} files", limits.files)));
    }
    let mut files = Files::new();
    let mut sum = 0;
    for at in 0..archive.len() {
        let raw = archive.by_index_raw(at).map_err(damaged)?;
        let name = raw.name().map_err(damaged)?.replace('\\', "/");
        if raw.is_dir() || name.ends_with('/') || is_hidden(&name) {
            continue;
        }
        if raw.encrypted() {
            return Err(Refused(format!("{} is encrypted", shown(&name))));
        }
        if !matches!(raw.compression(), CompressionMethod::Stored | CompressionMethod::Deflated) {
            return Err(Refused(format!(
                "{} is packed by {}, not by deflate",
                shown(&name),
                raw.compression()
            )));
        }
        let most = raw.compressed_size().saturating_mul(limits.ratio).max(SMALL).min(limits.bytes - sum);
        drop(raw);
        let file = archive.by_index(at).map_err(damaged)?;
        let mut own = Vec::new();
        let read = file.take(most + 1).read_to_end(&mut own);
        read.map_err(|error| Refused(format!("{} is damaged: {error}", shown(&name))))?;
        if own.len() as u64 > most {
            let why = "grows to more than a BCF archive may hold, or to many times its packed size";
            return Err(Refused(format!("{} {why}", shown(&name))));
        }
        sum += own.len() as u64;
        let name = name.trim_start_matches("./").trim_start_matches('/').to_owned();
        if files.insert(name.clone(), own).is_some() {
            return Err(Refused(format!("the archive has {} twice", shown(&name))));
        }
    }
    Ok(files)
}

/// Files that archivers of some systems add of their own.
fn is_hidden(name: &str) -> bool {
    name.starts_with("__MACOSX/") || name.rsplit('/').next().is_some_and(|last| last.starts_with('.'))
}

/// A name of a stranger, fit to be shown.
pub(crate) fn shown(name: &str) -> String {
    name.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).take(120).collect()
}

/// Packs files, in order; the same files give the same bytes.
pub(crate) fn pack(files: &[(String, Vec<u8>)]) -> Result<Vec<u8>, Refused> {
    let failed = |error: String| Refused(format!("the archive cannot be packed: {error}"));
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    for (name, bytes) in files {
        writer.start_file(name.as_str(), options).map_err(|error| failed(error.to_string()))?;
        writer.write_all(bytes).map_err(|error| failed(error.to_string()))?;
    }
    writer.finish().map(Cursor::into_inner).map_err(|error| failed(error.to_string()))
}
