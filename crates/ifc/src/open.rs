//! Opens a file: header, schema, data sections, and what is wrong with them.

use crate::base::{Base, Bytes, Lookup, Shadowed, Style};
use crate::columns::{ClassCodes, Columns, Pages};
use crate::header::{self, Header, Section};
use crate::index::{Indexes, Lines};
use crate::schema::SchemaVersion;
use crate::step::cursor::Cursor;
use crate::step::scan::{self, Scanned};
use crate::step::thorough::{self, Finding};
use crate::{Id, Limits, OpenError, Problem, ProblemCode};
use rayon::prelude::*;
use std::path::Path;
use std::sync::OnceLock;

/// Data sections from this size on are scanned in pieces, on all cores.
const PIECE: usize = 8 << 20;

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

/// Opens bytes.
pub(crate) fn open(bytes: Bytes, limits: &Limits) -> Result<(Base, Vec<Problem>), OpenError> {
    if bytes.is_empty() {
        return Err(OpenError::Empty);
    }
    if bytes.len() as u64 > limits.file_bytes {
        return Err(OpenError::FileTooLarge { bytes: bytes.len() as u64, limit: limits.file_bytes });
    }
    let mut findings: Vec<Finding> = Vec::new();
    let mut note = |at, code, message| findings.push(Finding { at, id: None, code, message, also: None });
    let begin = if bytes.starts_with(b"\xEF\xBB\xBF") {
        note(0, ProblemCode::ByteOrderMark, "a byte order mark stands before ISO-10303-21;".to_owned());
        3
    } else {
        0
    };
    let read = match header::read(&bytes, begin) {
        Ok(read) => read,
        Err(header::Unreadable::NotStep) => return Err(not_step(&bytes)),
        Err(header::Unreadable::Truncated) => {
            return Err(OpenError::Truncated {
                line: Lines::new(&bytes).line(&bytes, bytes.len()),
                place: "in its header, before any DATA".to_owned(),
            });
        }
        Err(header::Unreadable::At(at, message)) => {
            let (line, column) = Lines::new(&bytes).place(&bytes, at);
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
                line: Lines::new(&bytes).line(&bytes, read.schema_at),
                found: match read.header.schema_identifiers.as_slice() {
                    [] => "(none named)".to_owned(),
                    names => names.join(", ").chars().take(80).collect(),
                },
                known: SchemaVersion::ALL.iter().map(|v| v.as_str().to_owned()).collect(),
            });
        }
    };
    let data = Data::read(&bytes, read.data, version, limits, findings)?;
    Ok(data.finish(bytes, read.header, version, limits))
}

/// The schema that a header names, and what to say if it is read as another.
fn schema_of(header: &Header) -> Option<(SchemaVersion, Option<String>)> {
    header.schema_identifiers.iter().find_map(|found| {
        let name = found.trim().to_ascii_uppercase();
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
    let advice = if start.starts_with(b"PK") {
        "It looks like a zip archive (ifcZIP?): unpack it first."
    } else if start.starts_with(b"<") || start.starts_with(b"\xEF\xBB\xBF<") {
        "It looks like XML (ifcXML?): export the model as IFC (STEP)."
    } else if start.starts_with(b"\xFF\xFE") || start.starts_with(b"\xFE\xFF") {
        "It looks like UTF-16: save it as plain ASCII."
    } else {
        "Give an .ifc file in STEP format."
    };
    OpenError::NotIfc { found, advice: advice.to_owned() }
}

/// The data sections, as they are read.
struct Data {
    rows: Columns,
    codes: ClassCodes,
    findings: Vec<Finding>,
    more: usize,
    high: Option<usize>,
    append_at: usize,
}

impl Data {
    fn read(
        bytes: &[u8],
        from: usize,
        version: SchemaVersion,
        limits: &Limits,
        findings: Vec<Finding>,
    ) -> Result<Self, OpenError> {
        let schema = version.schema();
        let mut data = Self {
            rows: Columns::with_capacity(0),
            codes: ClassCodes::new(schema),
            findings,
            more: 0,
            high: None,
            append_at: bytes.len(),
        };
        let mut at = from;
        loop {
            let Some(endsec) = data.section(bytes, at, limits)? else {
                data.truncated(bytes, "within its DATA section, without ENDSEC", limits)?;
                return Ok(data);
            };
            data.append_at = endsec;
            let mut cursor = Cursor::new(bytes, endsec);
            let keyword = cursor.keyword();
            if !keyword.eq_ignore_ascii_case(b"ENDSEC") {
                // END-ISO-10303-21 without ENDSEC, which was reported
                return Ok(data);
            }
            if !cursor.take(b';') {
                data.truncated(bytes, "behind ENDSEC", limits)?;
                return Ok(data);
            }
            loop {
                match header::section(bytes, &mut cursor) {
                    Section::Data => break,
                    Section::Other => {}
                    Section::End => {
                        cursor.space();
                        if cursor.peek().is_some_and(|b| b != 0) {
                            data.note(cursor.at(), ProblemCode::Syntax, "text behind END-ISO-10303-21;");
                        }
                        return Ok(data);
                    }
                    Section::Nothing => {
                        data.truncated(bytes, "behind ENDSEC, without END-ISO-10303-21", limits)?;
                        return Ok(data);
                    }
                    Section::Wrong(at) => {
                        data.note(
                            at,
                            ProblemCode::Syntax,
                            "END-ISO-10303-21; should stand here; the rest is not read",
                        );
                        return Ok(data);
                    }
                }
            }
            at = cursor.at();
        }
    }

    fn note(&mut self, at: usize, code: ProblemCode, message: &str) {
        self.findings.push(Finding { at, id: None, code, message: message.to_owned(), also: None });
    }

    fn truncated(&mut self, bytes: &[u8], place: &str, limits: &Limits) -> Result<(), OpenError> {
        if limits.lenient {
            self.note(
                bytes.len(),
                ProblemCode::Truncated,
                &format!("the file is truncated: it ends {place}"),
            );
            return Ok(());
        }
        let last = self.rows.id.last().map(|id| format!(" (the last whole instance is #{id})"));
        Err(OpenError::Truncated {
            line: Lines::new(bytes).line(bytes, bytes.len()),
            place: format!("{place}{}", last.unwrap_or_default()),
        })
    }

    /// Reads one data section from behind its `DATA;`; answers where its ENDSEC stands.
    fn section(&mut self, bytes: &[u8], from: usize, limits: &Limits) -> Result<Option<usize>, OpenError> {
        let before = self.rows.len();
        if let Some(endsec) = self.fast(bytes, from, limits) {
            if self.rows.len() as u64 > limits.instances {
                return Err(OpenError::TooManyInstances { limit: limits.instances });
            }
            return Ok(Some(endsec));
        }
        debug_assert_eq!(before, self.rows.len(), "a scan that gives up leaves nothing");
        let found = thorough::scan(bytes, from, limits.instance_bytes, limits.problems, &mut self.codes);
        if let Some((at, size)) = found.too_large {
            let line = Lines::new(bytes).line(bytes, at);
            return Err(OpenError::InstanceTooLarge { line, bytes: size, limit: limits.instance_bytes });
        }
        self.high = self.high.or(found.high);
        self.rows.append(found.rows);
        if self.rows.len() as u64 > limits.instances {
            return Err(OpenError::TooManyInstances { limit: limits.instances });
        }
        self.findings.extend(found.findings);
        self.more += found.more;
        Ok(found.endsec)
    }

    /// Scans a clean section; `None`, and nothing taken, if it is not clean.
    fn fast(&mut self, bytes: &[u8], from: usize, limits: &Limits) -> Option<usize> {
        let cuts = cuts(bytes, from);
        let mut found: Vec<(scan::Found, ClassCodes)> = if cuts.len() > 2 {
            let schema = self.codes.schema();
            let ranges: Vec<(usize, usize)> =
                cuts.windows(2).filter_map(|w| Some((*w.first()?, *w.get(1)?))).collect();
            ranges
                .into_par_iter()
                .map(|(from, to)| {
                    let mut codes = ClassCodes::new(schema);
                    (scan::scan(bytes, from, to, &mut codes), codes)
                })
                .collect()
        } else {
            Vec::new()
        };
        let last = found.len().saturating_sub(1);
        let joined = !found.is_empty()
            && found.iter().enumerate().all(|(at, (part, _))| match part.end {
                Scanned::Stop => at < last,
                Scanned::Keyword(_) => at == last,
                Scanned::Unusual => false,
            });
        if !joined {
            // one piece, or pieces that were cut within a string or comment
            found.clear();
            let mut codes = ClassCodes::new(self.codes.schema());
            found.push((scan::scan(bytes, from, bytes.len(), &mut codes), codes));
        }
        let Some((scan::Found { end: Scanned::Keyword(endsec), .. }, _)) = found.last() else { return None };
        let endsec = *endsec;
        if found.iter().any(|(part, _)| part.rows.longest() > limits.instance_bytes) {
            return None;
        }
        for (mut part, codes) in found {
            part.rows.recode(&codes, &mut self.codes);
            self.high = self.high.or(part.high);
            self.rows.append(part.rows);
        }
        Some(endsec)
    }

    fn finish(
        mut self,
        bytes: Bytes,
        header: Header,
        version: SchemaVersion,
        limits: &Limits,
    ) -> (Base, Vec<Problem>) {
        if let Some(at) = self.high {
            let message = "bytes above 127 stand here without an encoding; they are read as UTF-8, or else as ISO 8859-1";
            self.note(at, ProblemCode::RawBytes, message);
        }
        let (lookup, shadowed) = self.look_up();
        self.unknown_classes();
        let next_id = self.rows.id.iter().copied().max().unwrap_or(0).saturating_add(1);
        let lines = OnceLock::new();
        let lines = |at: usize| lines.get_or_init(|| Lines::new(&bytes)).place(&bytes, at);
        self.findings.sort_by_key(|finding| finding.at);
        let more = self.more + self.findings.len().saturating_sub(limits.problems);
        let mut problems: Vec<Problem> = self
            .findings
            .into_iter()
            .take(limits.problems)
            .map(|finding| {
                let (line, column) = lines(finding.at);
                let message = match finding.also {
                    Some(at) => finding.message.replace("{line}", &lines(at).0.to_string()),
                    None => finding.message,
                };
                Problem { line, column, id: finding.id.map(Id), code: finding.code, message }
            })
            .collect();
        if more > 0
            && let Some(last) = problems.last().cloned()
        {
            problems
                .push(Problem { message: format!("and {more} more problems that are not listed"), ..last });
        }
        let style = style_of(&bytes, &self.rows);
        let base = Base {
            bytes,
            header,
            version,
            rows: self.rows,
            unknown: self.codes.names,
            shadowed,
            lookup,
            append_at: self.append_at,
            style,
            next_id,
            indexes: Indexes::default(),
        };
        (base, problems)
    }

    /// The way from ids to rows; of instances with one id the first is kept.
    fn look_up(&mut self) -> (Lookup, Vec<Shadowed>) {
        if self.rows.ascending {
            return (Lookup::Ascending(OnceLock::new()), Vec::new());
        }
        if let Some((pages, true)) = Pages::new(&self.rows.id) {
            return (Lookup::Paged(pages), Vec::new());
        }
        let mut pairs: Vec<(u32, u32)> = self.rows.id.iter().zip(0..).map(|(id, row)| (*id, row)).collect();
        pairs.par_sort_unstable();
        let doubles: Vec<(u32, u32, u32)> = pairs
            .chunk_by(|a, b| a.0 == b.0)
            .flat_map(|same| {
                let first = same.first().map_or(0, |(_, row)| *row);
                same.iter().skip(1).map(move |(id, row)| (*id, first, *row))
            })
            .collect();
        if doubles.is_empty() {
            return (Lookup::Sorted(pairs), Vec::new());
        }
        let mut shadowed = Vec::with_capacity(doubles.len());
        let mut drop = std::collections::HashSet::new();
        for (id, first, row) in doubles {
            let Some(((start, length), (first, _))) =
                self.rows.span(row as usize).zip(self.rows.span(first as usize))
            else {
                continue;
            };
            drop.insert(row as usize);
            shadowed.push(Shadowed { id, start, length });
            self.findings.push(Finding {
                at: start,
                id: Some(id),
                code: ProblemCode::DuplicateId,
                message: format!(
                    "#{id} is defined a second time; the first definition, in line {{line}}, counts"
                ),
                also: Some(first),
            });
        }
        self.rows.retain(|row| !drop.contains(&row));
        let mut pairs: Vec<(u32, u32)> = self.rows.id.iter().zip(0..).map(|(id, row)| (*id, row)).collect();
        pairs.par_sort_unstable();
        (Lookup::Sorted(pairs), shadowed)
    }

    fn unknown_classes(&mut self) {
        if self.codes.names.is_empty() {
            return;
        }
        let mut seen: Vec<Option<(usize, usize)>> = vec![None; self.codes.names.len()];
        for (row, class) in self.rows.class.iter().enumerate() {
            let Some(place) = class.checked_sub(ClassCodes::UNKNOWN) else { continue };
            if let Some(slot) = seen.get_mut(usize::from(place)) {
                slot.get_or_insert((row, 0)).1 += 1;
            }
        }
        let schema = self.codes.schema();
        for (name, seen) in self.codes.names.iter().zip(seen) {
            let Some((row, count)) = seen else { continue };
            let Some((at, _)) = self.rows.span(row) else { continue };
            self.findings.push(Finding {
                at,
                id: self.rows.id.get(row).copied(),
                code: ProblemCode::UnknownClass,
                message: format!(
                    "{name} is no class of {} ({count} of it, the first one here); kept as it stands, its attributes have no names",
                    schema.name()
                ),
                also: None,
            });
        }
    }
}

/// Places to cut a section at, its two ends included: behind a `;` that ends a line before a `#`.
fn cuts(bytes: &[u8], from: usize) -> Vec<usize> {
    let length = bytes.len().saturating_sub(from);
    let pieces = (length / PIECE).min(rayon::current_num_threads());
    let mut cuts = vec![from];
    for piece in 1..pieces {
        let near = from + length / pieces * piece;
        let window = bytes.get(near..(near + (1 << 20)).min(bytes.len())).unwrap_or_default();
        let lf = memchr::memmem::find(window, b";\n#");
        let found = lf.or_else(|| memchr::memmem::find(window, b";\r\n#"));
        if let Some(found) = found {
            cuts.push(near + found + 1);
        }
    }
    cuts.push(bytes.len());
    cuts
}

/// How the file writes ids and line ends.
fn style_of(bytes: &[u8], rows: &Columns) -> Style {
    let line_end = match memchr::memchr2(b'\n', b'\r', bytes) {
        Some(at) if bytes.get(at..at + 2) == Some(b"\r\n") => "\r\n",
        Some(at) if bytes.get(at) == Some(&b'\r') => "\r",
        _ => "\n",
    };
    let head =
        rows.span(0).and_then(|(start, length)| bytes.get(start..start + length.min(64))).unwrap_or_default();
    let equals = match head.iter().position(|b| *b == b'=') {
        Some(at) if head.get(at - 1..at + 2) == Some(b" = ") => " = ",
        Some(at) if head.get(at + 1) == Some(&b' ') => "= ",
        _ => "=",
    };
    Style { line_end, equals }
}
