//! Writes a model: every byte of the file that no change concerns goes out as it stands, in long runs; changed
//! instances are written in their place with the attributes that did not change as they stood; removed lines are cut
//! whole; new instances go before the last ENDSEC, by id.

use crate::header;
use crate::instance::{Instance, Source};
use crate::overlay::{Slot, Stored};
use crate::step::{Cursor, encode};
use crate::{Id, Model};
use std::io::{self, Write};
use std::ops::Range;

/// A part of what is written.
enum Piece {
    /// Bytes of the file as it was opened.
    Run(Range<usize>),
    /// Something else.
    Text(String),
}

impl Model {
    /// Writes the whole file. Without changes it is the file that was opened, byte for byte.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        self.pieces(None, &mut |piece| match piece {
            Piece::Run(range) => out.write_all(self.base.bytes.get(range).unwrap_or_default()),
            Piece::Text(text) => out.write_all(text.as_bytes()),
        })
    }

    /// Writes the model; if anything was changed, the header says that this program wrote it, and at this time (ISO 8601).
    /// Everything else in the header stays as it was: the file's name, its authors, the view definition, the program that
    /// the model was made in.
    pub fn write_at(&self, time_iso: &str, out: &mut dyn Write) -> io::Result<()> {
        self.pieces(Some(time_iso), &mut |piece| match piece {
            Piece::Run(range) => out.write_all(self.base.bytes.get(range).unwrap_or_default()),
            Piece::Text(text) => out.write_all(text.as_bytes()),
        })
    }

    /// The whole file in memory.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.base.bytes.len() + self.overlay.slots.len() * 100);
        // a vector takes everything
        let _ = self.write(&mut out);
        out
    }

    /// Hands over the whole file piece by piece.
    fn pieces(
        &self,
        time_iso: Option<&str>,
        each: &mut dyn FnMut(Piece) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut splices = self.splices();
        if let (Some(time), false) = (time_iso, self.overlay.slots.is_empty()) {
            let stamped = header::stamped(&self.base.bytes, self.base.append_at, time);
            splices.splice(0..0, stamped);
        }
        let mut from = 0;
        for (range, text) in splices {
            if range.start > from {
                each(Piece::Run(from..range.start))?;
            }
            from = range.end.max(from);
            each(Piece::Text(text))?;
        }
        each(Piece::Run(from..self.base.bytes.len()))
    }

    /// Ranges of the file, in order, with what stands in their place.
    fn splices(&self) -> Vec<(Range<usize>, String)> {
        let base = &self.base;
        let mut splices = Vec::new();
        let mut added = String::new();
        let line_end = base.style.line_end;
        for (id, slot) in &self.overlay.slots {
            let span = base.row(*id).and_then(|row| Some((row, base.span(row)?)));
            match (slot, span) {
                (Slot::Present(stored), Some((row, (start, length)))) => {
                    splices.push((start..start + length, self.rewritten(Id(*id), row, stored)));
                }
                (Slot::Present(stored), None) => {
                    added.push_str(&Id(*id).to_string());
                    added.push_str(base.style.equals);
                    added.extend(stored.class.name().chars().map(|c| c.to_ascii_uppercase()));
                    encode::list(&stored.values, &mut added);
                    added.push(';');
                    added.push_str(line_end);
                }
                (Slot::Removed, Some((_, (start, length)))) => {
                    splices.push(self.removal(*id, start, length));
                }
                (Slot::Removed, None) => {}
            }
        }
        if !self.overlay.slots.is_empty() {
            // a second definition of an id must not come to life when the first one goes or changes
            for other in &base.shadowed {
                if self.overlay.contains(other.id) {
                    splices.push(self.removal(other.id, other.start, other.length));
                }
            }
        }
        if !added.is_empty() {
            let begins_line = base.append_at == 0
                || base.bytes.get(base.append_at - 1).is_some_and(|b| matches!(b, b'\n' | b'\r'));
            if !begins_line {
                added.insert_str(0, line_end);
            }
            splices.push((base.append_at..base.append_at, added));
        }
        splices.sort_by_key(|(range, _)| range.start);
        splices
    }

    /// A changed instance, from its `#` to its `;`.
    fn rewritten(&self, id: Id, row: usize, stored: &Stored) -> String {
        let base = &self.base;
        let before = Instance { model: self, id, source: Source::Base(row) };
        let text = base.text(row);
        let mut out = String::with_capacity(text.len() + 32);
        let head = base.head(row).filter(|_| before.class_name() == stored.class.name());
        let Some(head) = head.and_then(|head| std::str::from_utf8(text.get(..head.open)?).ok()) else {
            out.push_str(&id.to_string());
            out.push_str(base.style.equals);
            out.extend(stored.class.name().chars().map(|c| c.to_ascii_uppercase()));
            encode::list(&stored.values, &mut out);
            out.push(';');
            return out;
        };
        out.push_str(head);
        out.push('(');
        let raw = before.raw_attributes();
        let spelling = |name: &str| self.schema().type_declaration(name).map(|declaration| declaration.name);
        for (at, value) in stored.values.iter().enumerate() {
            if at > 0 {
                out.push(',');
            }
            let text = raw.get(at).and_then(|raw| std::str::from_utf8(raw).ok()).unwrap_or_default();
            let old = Cursor::new(text.as_bytes(), 0).value(&spelling);
            if old.is_ok_and(|old| old.is_identical(value)) {
                out.push_str(text);
            } else {
                let blank = text.len() - text.trim_start().len();
                out.push_str(text.get(..blank).unwrap_or_default());
                encode::value(value, &mut out);
            }
        }
        out.push_str(");");
        out
    }

    /// The text that takes the place of a removed instance: nothing, but behind text that could not be read a beginning without an
    /// instance stays, `#5=;`, lest that text run on into what follows or end as it should.
    fn removal(&self, id: u32, start: usize, length: usize) -> (Range<usize>, String) {
        let before = self.base.bytes.get(..start).unwrap_or_default();
        let ends_statement = match before.iter().rev().find(|byte| **byte > b' ') {
            Some(b';') | None => true,
            // a comment, it should be; in a sound file it stands between statements
            Some(b'/') => self.base.problems.is_empty(),
            Some(_) => false,
        };
        if ends_statement {
            (self.whole_line(start, length), String::new())
        } else {
            (start..start + length, format!("#{id}=;"))
        }
    }

    /// The line of an instance with its line end, if the instance has it for itself; else the instance alone.
    fn whole_line(&self, start: usize, length: usize) -> Range<usize> {
        let bytes: &[u8] = &self.base.bytes;
        let blank = |b: &u8| matches!(b, b' ' | b'\t');
        let byte = |at: usize| bytes.get(at);
        let mut begin = start;
        while begin > 0 && byte(begin - 1).is_some_and(blank) {
            begin -= 1;
        }
        let own = begin == 0 || byte(begin - 1).is_some_and(|b| matches!(b, b'\n' | b'\r'));
        let mut end = start + length;
        while byte(end).is_some_and(blank) {
            end += 1;
        }
        match (own, byte(end), byte(end + 1)) {
            (true, Some(b'\r'), Some(b'\n')) => begin..end + 2,
            (true, Some(b'\n' | b'\r'), _) => begin..end + 1,
            _ => start..start + length,
        }
    }
}
