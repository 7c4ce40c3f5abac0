//! Opens a file: its bytes, then what stands before the data ([`crate::prelude`]) and the data ([`crate::sections`]), joined into a
//! [`Base`].

use crate::archive;
use crate::base::{Base, Bytes, Style};
use crate::columns::Columns;
use crate::index::Indexes;
use crate::lookup::Lookup;
use crate::prelude::prelude;
use crate::sections::Data;
use crate::sidecar::Sidecar;
use crate::{Limits, OpenError, Problem};
use std::io::Read;
use std::path::Path;
use std::sync::OnceLock;

/// Maps a file, or reads it where that is cheaper.
pub(crate) fn bytes_of(path: &Path, limits: &Limits) -> Result<Bytes, OpenError> {
    let failed = |source| OpenError::Io { path: path.display().to_string(), source };
    let file = std::fs::File::open(path).map_err(failed)?;
    let length = file.metadata().map_err(failed)?.len();
    if length > limits.file_bytes {
        return Err(OpenError::FileTooLarge { bytes: length, limit: limits.file_bytes });
    }
    if length < 1 << 20 {
        // one byte more than there are, so that the reading that finds the end has room; `Take` asks for no length again
        let mut bytes = Vec::with_capacity(length as usize + 1);
        file.take(u64::MAX).read_to_end(&mut bytes).map_err(failed)?;
        return Ok(Bytes::Owned(bytes));
    }
    // SAFETY: blobs of the bucket are never changed once written; whoever opens another file keeps it in place
    let map = unsafe { memmap2::Mmap::map(&file) }.map_err(failed)?;
    Ok(Bytes::Mapped(map))
}

/// Opens bytes, those of an ifcZIP after taking the model out of it.
pub(crate) fn open(bytes: Bytes, limits: &Limits) -> Result<(Base, Vec<Problem>), OpenError> {
    if archive::is_archive(&bytes) {
        let mut model = Vec::new();
        archive::unpack(std::io::Cursor::new(&*bytes), limits, &mut model)?;
        return open_step(Bytes::Owned(model), limits);
    }
    open_step(bytes, limits)
}

/// Opens the bytes of a STEP file.
fn open_step(bytes: Bytes, limits: &Limits) -> Result<(Base, Vec<Problem>), OpenError> {
    if bytes.is_empty() {
        return Err(OpenError::Empty);
    }
    if bytes.len() as u64 > limits.file_bytes {
        return Err(OpenError::FileTooLarge { bytes: bytes.len() as u64, limit: limits.file_bytes });
    }
    let prelude = prelude(&bytes)?;
    let data = Data::read(&bytes, prelude.data, prelude.version, limits, prelude.findings)?;
    let read = data.finish(&bytes, limits);
    let style = Style::read(&bytes, read.rows.span(0));
    let base = Base {
        bytes,
        header: prelude.header,
        version: prelude.version,
        rows: read.rows,
        unknown: read.unknown,
        shadowed: read.shadowed,
        lookup: read.lookup,
        stored: None,
        rebuilt: OnceLock::new(),
        append_at: read.append_at,
        style,
        next_id: read.next_id,
        indexes: Indexes::default(),
        problems: read.problems.clone(),
    };
    Ok((base, read.problems))
}

/// Opens a file of known content by the index that an earlier opening left; `None` where that does not fit.
pub(crate) fn open_known(
    path: &Path,
    index: &Path,
    sha256: &[u8; 32],
    limits: &Limits,
) -> Option<(Base, Vec<Problem>)> {
    let bytes = bytes_of(path, limits).ok()?;
    let prelude = prelude(&bytes).ok()?;
    let mut stored = Sidecar::open(index, sha256, &bytes, prelude.version.schema())?;
    let stands = |at: usize, what: &[u8]| {
        bytes.get(at..).and_then(|rest| rest.get(..what.len())).is_some_and(|b| b.eq_ignore_ascii_case(what))
    };
    let ends_well = stored.append_at == bytes.len() || stands(stored.append_at, b"END");
    let shadows_well = stored.shadowed.iter().all(|other| stands(other.start, b"#"));
    if stored.len() as u64 > limits.instances || !ends_well || !shadows_well {
        return None;
    }
    let style = Style::read(&bytes, if stored.len() == 0 { None } else { stored.span(0) });
    let indexes = Indexes::with_awaited(std::mem::take(&mut stored.awaited));
    let problems = std::mem::take(&mut stored.problems);
    let base = Base {
        header: prelude.header,
        version: prelude.version,
        rows: Columns::with_capacity(0),
        unknown: std::mem::take(&mut stored.unknown),
        shadowed: std::mem::take(&mut stored.shadowed),
        lookup: Lookup::ascending(),
        append_at: stored.append_at,
        style,
        next_id: stored.last_id()?.saturating_add(1),
        indexes,
        stored: Some(stored),
        rebuilt: OnceLock::new(),
        problems: problems.clone(),
        bytes,
    };
    Some((base, problems))
}
