//! Tokens taken one at a time: strings, names of instances, numbers, words, keywords, binaries (ISO 10303-21, 6.4). What
//! cannot be read is a fault, and the text behind it is skipped to the next `,` or `)`.

use super::text::{At, digits};
use super::{FaultKind, Lost, Walk};
use crate::strings;
use ifc::schema::Width;
use ifc::step::Cursor;
use ifc::step::quote;

impl Walk<'_> {
    /// Goes to the `,` or `)` behind a value; what stands between is a fault.
    #[inline]
    pub(super) fn behind(&mut self, at: &mut At<'_>) -> Result<(), Lost> {
        at.space();
        if matches!(at.peek(), Some(b',' | b')')) {
            return Ok(());
        }
        self.fault(at.at, FaultKind::Unreadable("a value needs , or ) behind it"));
        self.skip(at)
    }

    /// Goes to the `,` or `)` that ends the value here, whatever it is.
    pub(super) fn skip(&mut self, at: &mut At<'_>) -> Result<(), Lost> {
        let mut cursor = Cursor::new(at.text, at.at);
        let end = cursor.skip_value();
        at.at = cursor.at();
        end.map_err(|error| {
            self.fault(error.at, FaultKind::Unreadable(error.message));
            Lost
        })
    }

    /// Takes a string and answers what stands between its quotes.
    #[inline]
    pub(super) fn quoted<'t>(&mut self, at: &mut At<'t>) -> Result<&'t [u8], Lost> {
        let open = at.at;
        let Some(close) = quote::closing(at.text, open) else {
            self.fault(open, FaultKind::Unreadable("a string is not closed"));
            at.at = at.text.len();
            return Err(Lost);
        };
        at.at = close + 1;
        let raw = at.text.get(open + 1..close).unwrap_or_default();
        if !strings::is_well_formed(raw) {
            self.fault(open, FaultKind::Directive);
        }
        Ok(raw)
    }

    /// Takes `#12`.
    #[inline]
    pub(super) fn id(&mut self, at: &mut At<'_>) -> Result<Option<u32>, Lost> {
        let start = at.at;
        at.at += 1;
        let mut id = 0u64;
        while let Some(digit) = at.peek().map(|byte| byte.wrapping_sub(b'0')).filter(|digit| *digit < 10) {
            id = id.saturating_mul(10).saturating_add(u64::from(digit));
            at.at += 1;
        }
        match u32::try_from(id) {
            Ok(id) if at.at > start + 1 => Ok(Some(id)),
            _ => {
                let message = "a reference needs a number of at most 32 bits behind its #";
                self.fault(start, FaultKind::Unreadable(message));
                self.skip(at)?;
                Ok(None)
            }
        }
    }

    /// Takes a number; answers whether it is a real.
    #[inline]
    pub(super) fn number(&mut self, at: &mut At<'_>) -> Result<bool, Lost> {
        let start = at.at;
        if matches!(at.peek(), Some(b'-' | b'+')) {
            at.at += 1;
        }
        let mut found = digits(at);
        if found == 0 {
            self.fault(start, FaultKind::Unreadable("a number needs a digit before its point"));
            self.skip(at)?;
            return Ok(true);
        }
        let mut real = false;
        if at.peek() == Some(b'.') {
            at.at += 1;
            digits(at);
            real = true;
        }
        let mut exponent = 0;
        if matches!(at.peek(), Some(b'E' | b'e')) {
            at.at += 1;
            if matches!(at.peek(), Some(b'-' | b'+')) {
                at.at += 1;
            }
            exponent = digits(at);
            if exponent == 0 || !real {
                self.fault(start, FaultKind::Unreadable("a real needs its point and digits behind E"));
            }
            real = true;
        }
        if exponent > 2 || found > if real { 300 } else { 18 } {
            let text = std::str::from_utf8(at.text.get(start..at.at).unwrap_or_default()).unwrap_or_default();
            let fits = if real {
                text.parse::<f64>().is_ok_and(f64::is_finite)
            } else {
                text.parse::<i64>().is_ok()
            };
            if !fits {
                found = 0;
            }
        }
        if found == 0 {
            self.fault(start, FaultKind::Unreadable("a number beyond the range of numbers"));
        }
        Ok(real)
    }

    /// Takes `.WORD.`
    pub(super) fn dotted<'t>(&mut self, at: &mut At<'t>) -> Result<Option<&'t [u8]>, Lost> {
        let start = at.at + 1;
        let mut end = start;
        while at.text.get(end).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_') {
            end += 1;
        }
        if end == start || at.text.get(end) != Some(&b'.') {
            self.fault(at.at, FaultKind::Unreadable("an enumeration item needs its name between dots"));
            self.skip(at)?;
            return Ok(None);
        }
        at.at = end + 1;
        Ok(at.text.get(start..end))
    }

    /// Takes a keyword and the `(` behind it.
    pub(super) fn keyword<'t>(&mut self, at: &mut At<'t>) -> Result<Option<&'t [u8]>, Lost> {
        let start = at.at;
        let mut cursor = Cursor::new(at.text, at.at);
        let keyword = cursor.keyword();
        if cursor.take(b'(') {
            at.at = cursor.at();
            return Ok(Some(keyword));
        }
        self.fault(start, FaultKind::Unreadable("a type name needs ( behind it"));
        self.skip(at)?;
        Ok(None)
    }

    /// Takes the `)` behind a typed value.
    pub(super) fn close(&mut self, at: &mut At<'_>) -> Result<(), Lost> {
        at.space();
        if at.peek() != Some(b')') {
            self.fault(at.at, FaultKind::Unreadable("a typed value needs ) here"));
            while at.peek() == Some(b',') {
                at.at += 1;
                self.skip(at)?;
            }
        }
        at.at += 1;
        Ok(())
    }

    /// Takes a binary of at most so many bits.
    pub(super) fn binary(&mut self, at: &mut At<'_>, width: Option<Width>) -> Result<(), Lost> {
        let start = at.at + 1;
        let mut end = start;
        while at.text.get(end).is_some_and(u8::is_ascii_hexdigit) {
            end += 1;
        }
        // the first digit says how many bits of the second do not count (ISO 10303-21, 6.4.6)
        let unused = at.text.get(start).map(|digit| digit.wrapping_sub(b'0')).filter(|unused| *unused < 4);
        if let (Some(b'"'), Some(unused)) = (at.text.get(end), unused) {
            let bits = ((end - start - 1) * 4).saturating_sub(usize::from(unused));
            if let Some(width) = width.filter(|width| width.forbids(bits)) {
                self.fault(at.at, FaultKind::Bits(bits, width));
            }
            at.at = end + 1;
            return Ok(());
        }
        let message = "a binary holds hexadecimal digits between double quotes, the first one 0 to 3";
        self.fault(at.at, FaultKind::Unreadable(message));
        self.skip(at)
    }
}
