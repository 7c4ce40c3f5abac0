//! Opens a file: its bytes, its header, the schema it names; the rest is for [`crate::sections`].

use crate::archive;
use crate::base::{Base, Bytes, Lookup};
use crate::columns::Columns;
use crate::header::{self, Header};
use crate::index::{Indexes, Lines};
use crate::schema::SchemaVersion;
use crate::sections::Data;
use crate::sidecar::Sidecar;
use crate::step::thorough::Finding;
use crate::{Limits, OpenError, Problem, ProblemCode};
use std::path::Path;
use std::sync::OnceLock;

/// Maps a file, or reads it where that is cheaper.
pub(crate) fn bytes_of(path: &Path, limits: &Limits) -> Result<Bytes, OpenError> {
    let failed = |source| OpenError::Io { path: path.display().to_string(), source };
    let mut file = std::fs::File::open(path).map_err(failed)?;
    let length = file.metadata().map_err(failed)?.len();
    if length > limits.file_bytes {
        return Err(OpenError::FileTooLarge { bytes: length, limit: limits.file_bytes });
    }
    if length < 1 << 20 {
        let mut bytes = Vec::with_capacity(length as usize);
        std::io::Read::read_to_end(&mut file, &mut bytes).map_err(failed)?;
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

/// The header and everything else that stands before the data.
pub(crate) struct Prelude {
    header: Header,
    pub version: SchemaVersion,
    /// Behind the first `DATA;`.
    pub data: usize,
    findings: Vec<Finding>,
}

/// Reads up to the data.
pub(crate) fn prelude(bytes: &[u8]) -> Result<Prelude, OpenError> {
    let mut findings: Vec<Finding> = Vec::new();
    let mut note = |at, code, message| findings.push(Finding { at, id: None, code, message, also: None });
    let begin = if bytes.starts_with(b"\xEF\xBB\xBF") {
        note(0, ProblemCode::ByteOrderMark, "a byte order mark stands before ISO-10303-21;".to_owned());
        3
    } else {
        0
    };
    let read = match header::read(bytes, begin) {
        Ok(read) => read,
        Err(header::Unreadable::NotStep) => return Err(not_step(bytes)),
        Err(header::Unreadable::Truncated) => {
            return Err(OpenError::Truncated {
                line: Lines::new(bytes).line(bytes, bytes.len()),
                place: "in its header, before any DATA".to_owned(),
            });
        }
        Err(header::Unreadable::At(at, message)) => {
            let (line, column) = Lines::new(bytes).place(bytes, at);
            return Err(OpenError::Header { line, column, message });
        }
    };
    for (at, message) in read.problems {
        note(at, ProblemCode::Header, message);
    }
    let version = match schema_of(&read.header) {
        Some((version, None)) => version,
        Some((version, Some(message))) => {
            note(read.schema_at, ProblemCode::Schema, message);
            version
        }
        None => {
            return Err(OpenError::UnknownSchema {
                line: Lines::new(bytes).line(bytes, read.schema_at),
                found: match read.header.schema_identifiers.as_slice() {
                    [] => "(none named)".to_owned(),
                    names => names.join(", ").chars().take(80).collect(),
                },
                known: SchemaVersion::ALL.iter().map(|v| v.as_str().to_owned()).collect(),
            });
        }
    };
    Ok(Prelude { header: read.header, version, data: read.data, findings })
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
    Ok(data.finish(bytes, prelude.header, prelude.version, limits))
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
    let style = crate::sections::style_of(&bytes, if stored.len() == 0 { None } else { stored.span(0) });
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

/// The schema that a header names, and what to say if it is read as another.
fn schema_of(header: &Header) -> Option<(SchemaVersion, Option<String>)> {
    header.schema_identifiers.iter().find_map(|found| {
        // an object identifier may follow: IFC4 { 1 0 10303 … }
        let name = found.split('{').next().unwrap_or_default().trim().to_ascii_uppercase();
        let version = match name.as_str() {
            "IFC2X3" | "IFC2X3_TC1" => return Some((SchemaVersion::Ifc2x3, None)),
            "IFC4" | "IFC4_ADD2" | "IFC4_ADD2_TC1" => return Some((SchemaVersion::Ifc4, None)),
            "IFC4X3" | "IFC4X3_ADD2" => return Some((SchemaVersion::Ifc4x3, None)),
            "IFC4_ADD1" | "IFC4_TC1" | "IFC4X1" | "IFC4X2" => SchemaVersion::Ifc4,
            other if other.starts_with("IFC2X3_") => SchemaVersion::Ifc2x3,
            other if other.starts_with("IFC4X3_") => SchemaVersion::Ifc4x3,
            _ => return None,
        };
        Some((version, Some(format!("{name} is read as {}, its nearest supported schema", version.as_str()))))
    })
}

fn not_step(bytes: &[u8]) -> OpenError {
    let start = bytes.get(..24.min(bytes.len())).unwrap_or_default();
    let found: String =
        start.iter().map(|b| if b.is_ascii_graphic() { char::from(*b) } else { '.' }).collect();
    let advice = if start.starts_with(b"<") || start.starts_with(b"\xEF\xBB\xBF<") {
        "It looks like XML (ifcXML?): export the model as IFC (STEP)."
    } else if start.starts_with(b"\xFF\xFE") || start.starts_with(b"\xFE\xFF") {
        "It looks like UTF-16: save it as plain ASCII."
    } else {
        "Give an .ifc file in STEP format."
    };
    OpenError::NotIfc { found, advice: advice.to_owned() }
}
