//! Tags of DXF, a group code and a value each, from text or binary files.

use crate::error::Error;

/// The value of a tag.
#[derive(Debug, Clone, Copy)]
pub(super) enum Value<'a> {
    /// As it stands in a text file, or a string of a binary one.
    Text(&'a [u8]),
    Real(f64),
    Whole(i64),
}

/// A group code with its value.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tag<'a> {
    pub(super) code: i32,
    pub(super) value: Value<'a>,
}

impl<'a> Tag<'a> {
    /// The value as a number; what is none is zero, as programs read it.
    pub(super) fn real(&self) -> f64 {
        match self.value {
            Value::Real(real) => real,
            Value::Whole(whole) => whole as f64,
            Value::Text(text) => trimmed(text).and_then(|text| text.parse().ok()).unwrap_or(f64::NAN),
        }
    }

    /// The value as a whole number.
    pub(super) fn whole(&self) -> i64 {
        match self.value {
            Value::Real(real) => real as i64,
            Value::Whole(whole) => whole,
            Value::Text(text) => trimmed(text)
                .and_then(|text| {
                    text.parse().ok().or_else(|| text.parse::<f64>().ok().map(|real| real as i64))
                })
                .unwrap_or(0),
        }
    }

    /// The value as bytes of text.
    pub(super) fn bytes(&self) -> &'a [u8] {
        match self.value {
            Value::Text(text) => text,
            Value::Real(_) | Value::Whole(_) => b"",
        }
    }

    /// The value as a handle.
    pub(super) fn handle(&self) -> u64 {
        trimmed(self.bytes()).and_then(|text| u64::from_str_radix(text, 16).ok()).unwrap_or(0)
    }

    /// True if the value is this word, whatever blanks are around it.
    pub(super) fn is(&self, word: &str) -> bool {
        self.bytes().trim_ascii() == word.as_bytes()
    }
}

fn trimmed(text: &[u8]) -> Option<&str> {
    std::str::from_utf8(text.trim_ascii()).ok()
}

/// The mark at the beginning of binary files.
const BINARY: &[u8] = b"AutoCAD Binary DXF\r\n\x1a\0";

/// The tags of a file, one after the other.
pub(super) struct Tags<'a> {
    bytes: &'a [u8],
    at: usize,
    line: usize,
    encoding: Encoding,
}

#[derive(Clone, Copy, PartialEq)]
enum Encoding {
    Text,
    /// Codes of two bytes, or of one in files of release 12 and before.
    Binary {
        is_wide: bool,
    },
}

impl<'a> Tags<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Result<Self, Error> {
        if let Some(rest) = bytes.strip_prefix(BINARY) {
            // the first tag is 0 SECTION
            let is_wide = rest.starts_with(&[0, 0]);
            return Ok(Self { bytes, at: BINARY.len(), line: 1, encoding: Encoding::Binary { is_wide } });
        }
        let reason = match bytes {
            [] => "the file is empty",
            [b'A', b'C', b'1', b'0', ..] | [b'A', b'C', b'2', b'.', ..] => {
                "this is a DWG; save it as DXF (any version) and import that"
            }
            [b'%', b'P', b'D', b'F', ..] => "this is a PDF; export the plan as DXF or SVG",
            [b'P', b'K', 3, 4, ..] => "this is an archive; unpack it and import the DXF in it",
            _ => "",
        };
        if !reason.is_empty() {
            return Err(Error::NotADrawing { reason: reason.to_owned() });
        }
        let at = if bytes.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
        Ok(Self { bytes, at, line: 1, encoding: Encoding::Text })
    }

    /// The place of the next tag, in words.
    pub(super) fn place(&self) -> String {
        match self.encoding {
            Encoding::Text => format!("line {}", self.line),
            Encoding::Binary { .. } => format!("byte {}", self.at),
        }
    }

    /// The next tag; none at the end, and an error where there is no tag.
    pub(super) fn next(&mut self) -> Result<Option<Tag<'a>>, Error> {
        match self.encoding {
            Encoding::Text => self.next_text(),
            Encoding::Binary { is_wide } => self.next_binary(is_wide),
        }
    }

    fn row(&mut self) -> Option<&'a [u8]> {
        let rest = self.bytes.get(self.at..).filter(|rest| !rest.is_empty())?;
        let end = memchr(rest);
        let row = rest.get(..end)?;
        self.at += end + 1;
        self.line += 1;
        Some(row.strip_suffix(b"\r").unwrap_or(row))
    }

    fn next_text(&mut self) -> Result<Option<Tag<'a>>, Error> {
        loop {
            let line = self.line;
            let Some(code) = self.row() else { return Ok(None) };
            let code = code.trim_ascii();
            if code.is_empty() && self.bytes.get(self.at..).is_none_or(|rest| rest.trim_ascii().is_empty()) {
                return Ok(None);
            }
            let Some(code) = whole(code) else {
                let shown: String = String::from_utf8_lossy(code).chars().take(40).collect();
                let reason = format!("a group code has to stand here, a whole number, and not \"{shown}\"");
                return Err(Error::Dxf { place: format!("line {line}"), reason });
            };
            let Some(value) = self.row() else { return Ok(None) };
            // a comment
            if code != 999 {
                return Ok(Some(Tag { code, value: Value::Text(value) }));
            }
        }
    }

    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let found = self.bytes.get(self.at..self.at.checked_add(count)?)?;
        self.at += count;
        Some(found)
    }

    fn number<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take(N)?.try_into().ok()
    }

    fn next_binary(&mut self, is_wide: bool) -> Result<Option<Tag<'a>>, Error> {
        let at = self.at;
        let code = if is_wide {
            self.number().map(|bytes| i32::from(i16::from_le_bytes(bytes)))
        } else {
            match self.take(1) {
                Some([255]) => self.number().map(|bytes| i32::from(i16::from_le_bytes(bytes))),
                Some([code]) => Some(i32::from(*code)),
                _ => None,
            }
        };
        let Some(code) = code else { return Ok(None) };
        let value = match code {
            10..=59 | 110..=149 | 210..=239 | 460..=469 | 1010..=1059 => {
                self.number().map(|bytes| Value::Real(f64::from_le_bytes(bytes)))
            }
            60..=79 | 170..=179 | 270..=289 | 370..=389 | 400..=409 | 1060..=1070 => {
                self.number().map(|bytes| Value::Whole(i64::from(i16::from_le_bytes(bytes))))
            }
            90..=99 | 420..=429 | 440..=459 | 1071 => {
                self.number().map(|bytes| Value::Whole(i64::from(i32::from_le_bytes(bytes))))
            }
            160..=169 => self.number().map(|bytes| Value::Whole(i64::from_le_bytes(bytes))),
            290..=299 => self.take(1).and_then(<[u8]>::first).map(|byte| Value::Whole(i64::from(*byte))),
            310..=319 | 1004 => {
                let length = self.take(1).and_then(<[u8]>::first).copied();
                length.and_then(|length| self.take(usize::from(length))).map(|_| Value::Text(b""))
            }
            0..=9
            | 100..=109
            | 300..=309
            | 320..=369
            | 390..=399
            | 410..=419
            | 430..=439
            | 470..=481
            | 999..=1009 => {
                let rest = self.bytes.get(self.at..).unwrap_or_default();
                rest.iter().position(|byte| *byte == 0).and_then(|end| {
                    let text = rest.get(..end)?;
                    self.at += end + 1;
                    Some(Value::Text(text))
                })
            }
            _ => {
                let reason = format!("{code} is no group code");
                return Err(Error::Dxf { place: format!("byte {at}"), reason });
            }
        };
        Ok(value.map(|value| Tag { code, value }))
    }
}

/// The first end of a line, or the end of all.
fn memchr(rest: &[u8]) -> usize {
    rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len())
}

fn whole(code: &[u8]) -> Option<i32> {
    let mut value: i32 = 0;
    let (is_below, digits) = match code {
        [b'-', digits @ ..] => (true, digits),
        digits => (false, digits),
    };
    if digits.is_empty() || digits.len() > 5 {
        return None;
    }
    for digit in digits {
        if !digit.is_ascii_digit() {
            return None;
        }
        value = value * 10 + i32::from(digit - b'0');
    }
    Some(if is_below { -value } else { value })
}
