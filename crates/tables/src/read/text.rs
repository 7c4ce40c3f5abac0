//! CSV as programs write it (RFC 4180), and as spreadsheet programs of other countries do: semicolons or tabs, a byte order mark, UTF-16.

use super::{BadFile, Gathered, MOST_LINES, Sheet};
use crate::Cell;
use crate::csv_file::unguarded;
use std::borrow::Cow;

/// Reads text.
pub(super) fn read(bytes: &[u8], id_heading: Option<&str>) -> Result<Sheet, BadFile> {
    let text = decoded(bytes)?;
    if text.contains('\0') {
        return Err(BadFile::Kind("it has null characters".into()));
    }
    let delimiter = delimiter(&text);
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(delimiter)
        .from_reader(text.as_bytes());
    let mut gathered = Gathered::default();
    for record in reader.records() {
        let record = record.map_err(|error| {
            let line = error.position().map_or(0, csv::Position::line);
            BadFile::Line { line, problem: error.to_string() }
        })?;
        let line = record.position().map_or(0, csv::Position::line) as usize;
        if gathered.lines.len() > MOST_LINES {
            return Err(BadFile::Size { most: MOST_LINES, what: "lines" });
        }
        for (column, words) in record.iter().enumerate() {
            let words = unguarded(words);
            let cell = if words.trim().is_empty() { Cell::Empty } else { Cell::Text(words.to_owned()) };
            gathered.put(line, column, cell)?;
        }
    }
    let mut sheet = gathered.headed(id_heading)?;
    sheet.has_decimal_commas = delimiter != b',';
    Ok(sheet)
}

/// The text that bytes stand for: UTF-8, or UTF-16 with its mark.
fn decoded(bytes: &[u8]) -> Result<Cow<'_, str>, BadFile> {
    let wide = |rest: &[u8], read: fn([u8; 2]) -> u16| {
        let units: Vec<u16> = rest.chunks_exact(2).map(|pair| read([pair[0], pair[1]])).collect();
        String::from_utf16(&units).map(Cow::Owned).map_err(|_| BadFile::Kind("it is no UTF-16".into()))
    };
    match bytes {
        [0xff, 0xfe, rest @ ..] => wide(rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => wide(rest, u16::from_be_bytes),
        [0xef, 0xbb, 0xbf, rest @ ..] => utf8(rest),
        _ => utf8(bytes),
    }
}

fn utf8(bytes: &[u8]) -> Result<Cow<'_, str>, BadFile> {
    std::str::from_utf8(bytes).map(Cow::Borrowed).map_err(|error| {
        let before = bytes.get(..error.valid_up_to()).unwrap_or_default();
        let line = before.split(|byte| *byte == b'\n').count() as u64;
        BadFile::Line { line, problem: "it is no UTF-8; save the table as CSV in UTF-8".into() }
    })
}

/// The sign that parts the cells of the first line with more than one: a comma, a semicolon or a tab.
fn delimiter(text: &str) -> u8 {
    for line in text.lines().take(super::HEADER_WITHIN) {
        let mut is_quoted = false;
        let mut counts = [(b',', 0), (b';', 0), (b'\t', 0)];
        for byte in line.bytes() {
            is_quoted ^= byte == b'"';
            if let Some((_, count)) = counts.iter_mut().find(|(sign, _)| *sign == byte && !is_quoted) {
                *count += 1;
            }
        }
        if let Some((sign, _)) =
            counts.into_iter().rev().max_by_key(|(_, count)| *count).filter(|(_, n)| *n > 0)
        {
            return sign;
        }
    }
    b','
}
