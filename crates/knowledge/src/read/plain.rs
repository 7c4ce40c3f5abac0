//! Plain text, in the encodings that files have: UTF-8, UTF-16, Windows-1252.

use super::Found;
use super::blocks::Block;
use encoding_rs::{Encoding, UTF_16BE, UTF_16LE, WINDOWS_1252};

/// Bytes that are looked at to tell the encoding.
const SAMPLE: usize = 4_096;

/// The text of bytes: by their mark, as UTF-8 if they are, as UTF-16 if every second one is nought, else as Windows-1252.
pub fn decode(bytes: &[u8]) -> String {
    let text = if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
        encoding.decode_without_bom_handling(bytes.get(mark..).unwrap_or_default()).0.into_owned()
    } else if let Some(encoding) = unmarked_utf16(bytes) {
        encoding.decode_without_bom_handling(bytes).0.into_owned()
    } else if let Ok(text) = std::str::from_utf8(bytes) {
        text.to_owned()
    } else {
        WINDOWS_1252.decode_without_bom_handling(bytes).0.into_owned()
    };
    if text.contains('\r') { text.replace("\r\n", "\n").replace('\r', "\n") } else { text }
}

fn unmarked_utf16(bytes: &[u8]) -> Option<&'static Encoding> {
    let sample = bytes.get(..bytes.len().min(SAMPLE) & !1).unwrap_or_default();
    let noughts = |from: usize| sample.iter().skip(from).step_by(2).filter(|byte| **byte == 0).count();
    let half = sample.len() / 2;
    let (first, second) = (noughts(0), noughts(1));
    if half < 4 {
        None
    } else if second * 10 > half * 6 && first * 10 < half {
        Some(UTF_16LE)
    } else if first * 10 > half * 6 && second * 10 < half {
        Some(UTF_16BE)
    } else {
        None
    }
}

/// True if bytes are text in one of the encodings, and not those of another kind of file.
pub fn is_text(bytes: &[u8]) -> bool {
    if Encoding::for_bom(bytes).is_some() || unmarked_utf16(bytes).is_some() {
        return true;
    }
    let sample = bytes.get(..bytes.len().min(SAMPLE)).unwrap_or_default();
    let control = |byte: &&u8| **byte < 0x20 && !matches!(**byte, b'\n' | b'\r' | b'\t' | 0x0c | 0x1b);
    let controls = sample.iter().filter(control).count();
    !sample.contains(&0) && controls * 50 <= sample.len()
}

/// Paragraphs between empty lines.
pub fn read(bytes: &[u8]) -> Found {
    let text = decode(bytes);
    let paragraphs = text.split("\n\n").map(str::trim).filter(|paragraph| !paragraph.is_empty());
    Found { blocks: paragraphs.map(|text| Block::Paragraph(text.to_owned())).collect(), ..Found::default() }
}
