//! ifcZIP: a zip archive with one IFC file in it, as `.ifczip` is handed around. The file inside is what counts: it is
//! taken out whole, bounded in size and in ratio however the archive describes itself, and no name in the archive ever
//! becomes a path. Encrypted entries, archives with several IFC files and archives of archives are refused by name.
//!
//! Not read: ifcXML inside a zip, and compression other than deflate.

use crate::{Limits, OpenError};
use std::io::{self, Read, Seek, Write};
use zip::result::ZipError;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

/// The first bytes of every zip archive with an entry.
const MAGIC: &[u8] = b"PK\x03\x04";

/// An entry may grow to this many times its packed size; real models grow ten- to fortyfold.
const RATIO: u64 = 400;

/// Below this size the ratio is not looked at.
const SMALL: u64 = 16 << 20;

/// Entries beyond this many are no model but something else.
const ENTRIES: usize = 10_000;

/// True if bytes begin as a zip archive does.
pub fn is_archive(start: &[u8]) -> bool {
    start.starts_with(MAGIC) || start.starts_with(b"PK\x05\x06")
}

/// Writes the IFC file within an archive to `out`, and answers its name there, for display only. What is written before
/// an error is of no use.
pub fn unpack<R: Read + Seek>(archive: R, limits: &Limits, out: &mut dyn Write) -> Result<String, OpenError> {
    let mut archive = ZipArchive::new(archive).map_err(refused)?;
    if archive.len() > ENTRIES {
        return Err(error(format!("it has {} entries; an ifcZIP has one", archive.len())));
    }
    let chosen = choose(&mut archive)?;
    let entry = archive.by_index_raw(chosen).map_err(refused)?;
    let name = shown(&entry.name().map_err(refused)?);
    let packed = entry.compressed_size();
    if entry.encrypted() {
        return Err(error(format!(
            "{name} is encrypted; unpack it with its password and give the .ifc file"
        )));
    }
    if !matches!(entry.compression(), CompressionMethod::Stored | CompressionMethod::Deflated) {
        return Err(error(format!(
            "{name} is packed by {}, which is not read; pack it by deflate, as zip programs do by default",
            entry.compression()
        )));
    }
    drop(entry);
    let bound = limits.file_bytes.min(packed.saturating_mul(RATIO).max(SMALL));
    let mut entry = archive.by_index(chosen).map_err(refused)?;
    let mut buffer = vec![0; 1 << 18];
    let mut size = 0u64;
    loop {
        let read =
            entry.read(&mut buffer).map_err(|problem| error(format!("{name} is damaged: {problem}")))?;
        let Some(bytes @ [_, ..]) = buffer.get(..read) else { break };
        if size == 0 && is_archive(bytes) {
            return Err(error(format!("{name} is an archive itself; unpack it first")));
        }
        size += bytes.len() as u64;
        if size > limits.file_bytes {
            return Err(OpenError::FileTooLarge { bytes: size, limit: limits.file_bytes });
        }
        if size > bound {
            return Err(error(format!(
                "{name} grows to more than {RATIO} times its packed size, as no building model does"
            )));
        }
        out.write_all(bytes).map_err(|source| OpenError::Io { path: name.clone(), source })?;
    }
    Ok(name)
}

/// The entry that is the model: the one IFC file, or the one file at all.
fn choose<R: Read + Seek>(archive: &mut ZipArchive<R>) -> Result<usize, OpenError> {
    let mut models = Vec::new();
    let mut others = Vec::new();
    for at in 0..archive.len() {
        let entry = archive.by_index_raw(at).map_err(refused)?;
        let name = entry.name().map_err(refused)?.into_owned();
        // what archivers of some systems add of their own
        let hidden = name.starts_with("__MACOSX/")
            || name.rsplit(['/', '\\']).next().is_some_and(|last| last.starts_with('.'));
        if entry.is_dir() || name.ends_with(['/', '\\']) || hidden {
            continue;
        }
        let extension = name.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
        match extension.as_deref() {
            Some("ifc" | "stp" | "step") => models.push((at, name)),
            _ => others.push((at, name)),
        }
    }
    match (models.as_slice(), others.as_slice()) {
        ([(at, _)], _) | ([], [(at, _)]) => Ok(*at),
        ([], []) => Err(error("it is empty".to_owned())),
        ([], others) => {
            Err(error(format!("none of its {} files is an .ifc file ({})", others.len(), listed(others))))
        }
        (models, _) => Err(error(format!(
            "it has {} IFC files ({}); unpack it and give one of them",
            models.len(),
            listed(models)
        ))),
    }
}

fn listed(entries: &[(usize, String)]) -> String {
    let more = if entries.len() > 3 { ", …" } else { "" };
    entries.iter().take(3).map(|(_, name)| shown(name)).collect::<Vec<_>>().join(", ") + more
}

/// A name of a stranger, fit to be shown.
fn shown(name: &str) -> String {
    name.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).take(80).collect()
}

fn error(message: String) -> OpenError {
    OpenError::Archive { message }
}

fn refused(problem: ZipError) -> OpenError {
    error(match problem {
        ZipError::Io(problem) => format!("it cannot be read: {problem}"),
        other => format!("it is damaged or of an unknown kind: {other}"),
    })
}

/// Writes an ifcZIP with one entry of this name, whose content `write` gives. The same content makes the same bytes.
pub fn pack(
    name: &str,
    size: u64,
    out: &mut dyn Write,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .large_file(size >= u64::from(u32::MAX) - (1 << 20));
    let mut archive = ZipWriter::new_stream(out);
    archive.start_file(name, options)?;
    write(&mut archive)?;
    archive.finish()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Model;
    use crate::tests::HOUSE;
    use std::io::Cursor;

    fn archive(entries: &[(&str, &[u8])]) -> Vec<u8> {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, bytes) in entries {
            let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
            writer.start_file(*name, options).unwrap();
            writer.write_all(bytes).unwrap();
        }
        writer.finish().unwrap().into_inner()
    }

    fn open(bytes: Vec<u8>) -> Result<Model, String> {
        Model::from_bytes(bytes, &Limits::default())
            .map(|(model, _)| model)
            .map_err(|error| error.to_string())
    }

    fn refused(bytes: Vec<u8>, part: &str) {
        let message = open(bytes).unwrap_err();
        assert!(message.contains(part), "{message}");
    }

    #[test]
    fn a_zipped_model_is_the_model() {
        let house = HOUSE.as_bytes();
        let one = open(archive(&[("house.ifc", house)])).unwrap();
        assert_eq!(one.to_bytes(), house);
        let among =
            [("__MACOSX/._house.ifc", &b"x"[..]), ("docs/read.me", b"x"), ("a/../../HOUSE.IFC", house)];
        assert_eq!(open(archive(&among)).unwrap().to_bytes(), house);
        assert_eq!(open(archive(&[("model", house)])).unwrap().to_bytes(), house);
    }

    #[test]
    fn what_is_packed_is_unpacked_and_packs_the_same_again() {
        let model = open(HOUSE.into()).unwrap();
        let packed = || {
            let mut out = Vec::new();
            pack("house.ifc", HOUSE.len() as u64, &mut out, |out| model.write(out)).unwrap();
            out
        };
        assert_eq!(packed(), packed());
        assert!(packed().len() < HOUSE.len());
        assert_eq!(open(packed()).unwrap().to_bytes(), HOUSE.as_bytes());
    }

    #[test]
    fn archives_that_hold_no_single_model_are_refused_with_what_they_hold() {
        let house = HOUSE.as_bytes();
        refused(archive(&[]), "it is empty");
        refused(archive(&[("a.ifc", house), ("b.ifc", house)]), "it has 2 IFC files (a.ifc, b.ifc)");
        refused(archive(&[("a.txt", house), ("b.pdf", house)]), "none of its 2 files is an .ifc file");
        refused(archive(&[("a.ifc", &archive(&[("a.ifc", house)]))]), "is an archive itself");
        refused(archive(&[("a.ifcxml", b"<?xml version='1.0'?>")]), "ifcXML");
        refused(MAGIC.to_vec(), "damaged");
    }

    #[test]
    fn archives_that_are_bombs_or_damaged_are_refused_in_bounded_memory() {
        let bomb = vec![b' '; 64 << 20];
        refused(archive(&[("a.ifc", &bomb)]), "grows to more than 400 times");
        let limits = Limits { file_bytes: 1 << 20, ..Limits::default() };
        let large = archive(&[("a.ifc", &bomb[..2 << 20])]);
        let message = Model::from_bytes(large, &limits).unwrap_err().to_string();
        assert!(message.contains("more than the limit"), "{message}");
        let whole = archive(&[("house.ifc", HOUSE.as_bytes())]);
        for at in 0..whole.len() {
            let mut damaged = whole.clone();
            if let Some(byte) = damaged.get_mut(at) {
                *byte ^= 0x41;
            }
            let _ = open(damaged);
            let _ = open(whole.get(..at).unwrap_or_default().to_vec());
        }
    }

    #[test]
    fn an_encrypted_model_is_refused_as_that() {
        let mut bytes = archive(&[("house.ifc", HOUSE.as_bytes())]);
        let directory = bytes.windows(4).position(|window| window == b"PK\x01\x02").unwrap();
        for flags in [6, directory + 8] {
            if let Some(byte) = bytes.get_mut(flags) {
                *byte |= 1;
            }
        }
        refused(bytes, "house.ifc is encrypted");
    }
}
