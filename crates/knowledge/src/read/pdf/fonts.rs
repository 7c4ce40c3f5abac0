//! Fonts of a page, as far as text needs them: which characters a string shows, and how far it moves on.

use super::unicode::UnicodeTable;
use lopdf::{Dictionary, Document, Encoding, Object};

/// Bytes that a table of a font may have unpacked.
const TABLE: usize = 4 << 20;
/// The width of a glyph that a font does not tell, in thousandths.
const USUAL_WIDTH: f32 = 520.0;

/// A font.
pub struct Font<'a> {
    characters: Characters<'a>,
    first: i64,
    widths: Vec<f32>,
    /// True if two bytes are one glyph.
    wide: bool,
}

/// The source of a font's characters.
enum Characters<'a> {
    /// Its own table of Unicode, which is surer than what its glyphs are called.
    Table(UnicodeTable),
    /// Its encoding.
    Encoding(Encoding<'a>),
    /// Nothing: a font of glyphs without meaning, or a damaged one.
    Unknown,
}

impl<'a> Font<'a> {
    /// A font of a page's resources.
    pub fn new(document: &'a Document, font: &'a Dictionary) -> Self {
        let table = font
            .get_deref(b"ToUnicode", document)
            .and_then(Object::as_stream)
            .and_then(|stream| stream.get_plain_content_with_limit(TABLE))
            .ok()
            .and_then(|bytes| UnicodeTable::read(&bytes));
        let characters = match table {
            Some(table) => Characters::Table(table),
            None => font
                .get_font_encoding_with_limit(document, TABLE)
                .map_or(Characters::Unknown, Characters::Encoding),
        };
        let wide = font.get(b"Subtype").and_then(Object::as_name).is_ok_and(|name| name == b"Type0");
        let first = font.get_deref(b"FirstChar", document).and_then(Object::as_i64).unwrap_or(0);
        let widths = font
            .get_deref(b"Widths", document)
            .and_then(Object::as_array)
            .map(|widths| {
                widths.iter().take(256).map(|width| width.as_float().unwrap_or(USUAL_WIDTH)).collect()
            })
            .unwrap_or_default();
        Self { characters, first, widths, wide }
    }

    /// Adds what a string shows.
    pub fn decode(&self, bytes: &[u8], text: &mut String) {
        match &self.characters {
            Characters::Table(table) => table.decode(bytes, text),
            Characters::Encoding(encoding) => {
                let _ = encoding.write_to_string(bytes, text);
            }
            Characters::Unknown => {}
        }
    }

    /// How far a string moves on, in thousandths of the font's size.
    pub fn width(&self, bytes: &[u8]) -> f32 {
        if self.wide {
            return USUAL_WIDTH * (bytes.len() / 2) as f32;
        }
        let width = |byte: &u8| {
            let at = usize::try_from(i64::from(*byte).saturating_sub(self.first)).ok();
            at.and_then(|at| self.widths.get(at)).copied().filter(|width| *width > 0.0).unwrap_or(USUAL_WIDTH)
        };
        bytes.iter().map(width).sum()
    }
}
