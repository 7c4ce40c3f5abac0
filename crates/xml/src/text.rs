//! Bytes as text: UTF-8, and UTF-16 that says so by its mark.

use crate::read::Problem;
use crate::tree::Place;
use std::borrow::Cow;

const UTF8_MARK: &[u8] = b"\xEF\xBB\xBF";

/// The text of a document.
pub(crate) fn decoded(bytes: &[u8]) -> Result<Cow<'_, str>, Problem> {
    let units = |big: bool, rest: &[u8]| -> Result<Cow<'static, str>, Problem> {
        let pair = |pair: &[u8]| match *pair {
            [a, b] if big => u16::from_be_bytes([a, b]),
            [a, b] => u16::from_le_bytes([a, b]),
            _ => 0xFFFD,
        };
        let text: Result<String, _> = char::decode_utf16(rest.chunks(2).map(pair)).collect();
        text.map(Cow::Owned).map_err(|_| Problem::new(Place { line: 1, column: 1 }, "this is no UTF-16"))
    };
    match bytes {
        [0xFE, 0xFF, rest @ ..] => return units(true, rest),
        [0xFF, 0xFE, rest @ ..] => return units(false, rest),
        _ => {}
    }
    let bytes = bytes.strip_prefix(UTF8_MARK).unwrap_or(bytes);
    std::str::from_utf8(bytes).map(Cow::Borrowed).map_err(|error| {
        let valid = bytes.get(..error.valid_up_to()).and_then(|valid| std::str::from_utf8(valid).ok());
        let place = valid.map_or(Place::default(), |text| place(text, text.len()));
        Problem::new(place, "this byte is no UTF-8; save the document as UTF-8")
    })
}

/// The place of a byte in a text.
pub(crate) fn place(text: &str, at: usize) -> Place {
    let before = text.get(..at).unwrap_or(text);
    let (line, column) = before.bytes().enumerate().fold((1, 0), |(line, start), (n, byte)| {
        if byte == b'\n' { (line + 1, n + 1) } else { (line, start) }
    });
    Place { line, column: before.get(column..).map_or(1, |rest| rest.chars().count() + 1) }
}
