//! The data sections of a file: scanned quickly where they are well-formed, thoroughly where not, and joined into one
//! set of columns in which every id stands for one instance.

use crate::columns::{ClassCodes, Columns, Pages};
use crate::header::{self, Section};
use crate::lines::Lines;
use crate::lookup::{Lookup, Shadowed};
use crate::prelude::prelude;
use crate::schema::SchemaVersion;
use crate::step::Cursor;
use crate::step::scan::{self, Scanned};
use crate::step::thorough::{self, Finding};
use crate::{Id, Limits, OpenError, Problem, ProblemCode};
use rayon::prelude::*;
use std::sync::OnceLock;

/// Data sections from this size on are scanned in pieces, on all cores.
const PIECE: usize = 8 << 20;

/// Instances that can be told apart by ids of 32 bits, and rows counted in as many.
const MOST: u64 = u32::MAX as u64 - 1;

/// The data sections, as they are read.
pub(crate) struct Data {
    rows: Columns,
    codes: ClassCodes,
    findings: Vec<Finding>,
    more: usize,
    high: Option<usize>,
    append_at: usize,
}

/// The data sections, read whole.
pub(crate) struct Sections {
    pub rows: Columns,
    /// Names of classes that the schema does not have, by code.
    pub unknown: Vec<Box<str>>,
    pub shadowed: Vec<Shadowed>,
    pub lookup: Lookup,
    /// The place at which new instances are written: the ENDSEC of the last data section.
    pub append_at: usize,
    /// One more than the largest id.
    pub next_id: u32,
    pub problems: Vec<Problem>,
}

impl Data {
    /// Reads from behind the first `DATA;` to the end.
    pub fn read(
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
            if self.rows.len() as u64 > limits.instances.min(MOST) {
                return Err(OpenError::TooManyInstances { limit: limits.instances.min(MOST) });
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
        if self.rows.len() as u64 > limits.instances.min(MOST) {
            return Err(OpenError::TooManyInstances { limit: limits.instances.min(MOST) });
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
                    // the first piece takes the others' rows in
                    let end = if Some(&from) == cuts.first() { bytes.len() } else { to };
                    let rows = Columns::with_capacity(scan::room(end - from));
                    (scan::scan(bytes, from, to, rows, &mut codes), codes)
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
            let rows = Columns::with_capacity(scan::room(bytes.len().saturating_sub(from)));
            found.push((scan::scan(bytes, from, bytes.len(), rows, &mut codes), codes));
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

    /// Ends the reading: every id stands for one instance, and the problems have their lines.
    pub fn finish(mut self, bytes: &[u8], limits: &Limits) -> Sections {
        if let Some(at) = self.high {
            let message = "bytes above 127 stand here without an encoding; they are read as UTF-8, or else as ISO 8859-1";
            self.note(at, ProblemCode::RawBytes, message);
        }
        let (lookup, shadowed) = self.look_up();
        self.unknown_classes();
        let next_id = self.rows.id.iter().copied().max().unwrap_or(0).saturating_add(1);
        let lines = OnceLock::new();
        let lines = |at: usize| lines.get_or_init(|| Lines::new(bytes)).place(bytes, at);
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
        Sections {
            rows: self.rows,
            unknown: self.codes.names,
            shadowed,
            lookup,
            append_at: self.append_at,
            next_id,
            problems,
        }
    }

    /// The way from ids to rows; of instances with one id the first is kept.
    fn look_up(&mut self) -> (Lookup, Vec<Shadowed>) {
        if self.rows.ascending {
            return (Lookup::ascending(), Vec::new());
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

/// The rows of a file that was opened before by a stored index: as far as they can be read.
pub(crate) fn rescan(bytes: &[u8]) -> (Columns, Lookup) {
    let limits = Limits {
        file_bytes: u64::MAX,
        instance_bytes: u64::MAX,
        instances: u64::MAX,
        problems: 0,
        lenient: true,
    };
    let read = prelude(bytes)
        .ok()
        .and_then(|prelude| Data::read(bytes, prelude.data, prelude.version, &limits, Vec::new()).ok());
    let Some(mut data) = read else { return (Columns::with_capacity(0), Lookup::ascending()) };
    let (lookup, _) = data.look_up();
    (data.rows, lookup)
}

/// Places to cut a section at, its two ends included: behind a `;` that ends a line before a `#`.
fn cuts(bytes: &[u8], from: usize) -> Vec<usize> {
    let length = bytes.len().saturating_sub(from);
    // asking for the number of threads starts them, which a small file should not pay for
    let pieces = if length < 2 * PIECE { 1 } else { (length / PIECE).min(rayon::current_num_threads()) };
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
