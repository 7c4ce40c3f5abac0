//! The part of a file before its data: the header, and the schema that it names.

use crate::header::{self, Header};
use crate::lines::Lines;
use crate::schema::SchemaVersion;
use crate::step::thorough::Finding;
use crate::{OpenError, ProblemCode};

/// The header and everything else that stands before the data.
pub(crate) struct Prelude {
    pub header: Header,
    pub version: SchemaVersion,
    /// Behind the first `DATA;`.
    pub data: usize,
    pub findings: Vec<Finding>,
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

/// Says what a file may be that is no STEP file. Nothing of it is quoted: it may be anything, and somebody's secret.
fn not_step(bytes: &[u8]) -> OpenError {
    let start = bytes.get(..24.min(bytes.len())).unwrap_or_default();
    let advice = if start.starts_with(b"<") || start.starts_with(b"\xEF\xBB\xBF<") {
        "It looks like XML (ifcXML?): export the model as IFC (STEP)."
    } else if start.starts_with(b"\xFF\xFE") || start.starts_with(b"\xFE\xFF") {
        "It looks like UTF-16: save it as plain ASCII."
    } else {
        "Give an .ifc file in STEP format."
    };
    OpenError::NotIfc { advice: advice.to_owned() }
}
