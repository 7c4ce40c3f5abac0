//! ToUnicode tables of fonts: which characters a code of a string means (ISO 32000-1, 9.10.3).
//!
//! A table is a program in PostScript. Of it only the lists of codes are read, wherever they stand, since programs that write PDF differ in
//! everything around them.

use std::collections::BTreeMap;

/// Entries that a table may have.
const ENTRIES: usize = 100_000;
/// Characters that one code may mean.
const CHARACTERS: usize = 32;

/// A table from codes to characters.
#[derive(Debug, Default)]
pub struct UnicodeTable {
    single: BTreeMap<(usize, u32), String>,
    /// Number of bytes and first code to the last code, and what the first means.
    ranges: BTreeMap<(usize, u32), (u32, Vec<u16>)>,
    /// Numbers of bytes that codes have.
    lengths: Vec<usize>,
}

/// A piece of a table.
enum Token {
    Hex(Vec<u8>),
    Open,
    Close,
    Word(Vec<u8>),
}

impl UnicodeTable {
    /// Reads a table; none if it has no codes.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let mut table = Self::default();
        let mut mode = "";
        let mut codes: Vec<Vec<u8>> = Vec::new();
        let mut list: Option<Vec<Vec<u8>>> = None;
        for token in tokens(bytes) {
            if table.single.len() + table.ranges.len() > ENTRIES {
                break;
            }
            match token {
                Token::Word(word) => {
                    mode = match word.as_slice() {
                        b"begincodespacerange" => "space",
                        b"beginbfchar" => "single",
                        b"beginbfrange" => "range",
                        word if word.starts_with(b"end") => "",
                        _ => mode,
                    };
                    codes.clear();
                    list = None;
                }
                Token::Open => list = Some(Vec::new()),
                Token::Close => {
                    if let (Some(texts), [first, _]) = (list.take(), codes.as_slice()) {
                        let start = number(first);
                        for (step, text) in texts.iter().enumerate() {
                            table.one(start.saturating_add(step as u32), first.len(), &units(text));
                        }
                    }
                    codes.clear();
                }
                Token::Hex(hex) => {
                    if let Some(list) = &mut list {
                        list.push(hex);
                        continue;
                    }
                    codes.push(hex);
                    match (mode, codes.as_slice()) {
                        ("space", [low, _]) => table.length(low.len()),
                        ("single", [code, text]) => table.one(number(code), code.len(), &units(text)),
                        ("range", [first, last, text]) => {
                            table.length(first.len());
                            table.ranges.insert((first.len(), number(first)), (number(last), units(text)));
                        }
                        ("range", _) | (_, [_]) => continue,
                        _ => {}
                    }
                    codes.clear();
                }
            }
        }
        table.lengths.sort_unstable();
        (!table.single.is_empty() || !table.ranges.is_empty()).then_some(table)
    }

    fn length(&mut self, length: usize) {
        if (1..=4).contains(&length) && !self.lengths.contains(&length) {
            self.lengths.push(length);
        }
    }

    fn one(&mut self, code: u32, length: usize, text: &[u16]) {
        self.length(length);
        self.single.insert((length, code), String::from_utf16_lossy(text));
    }

    fn meaning(&self, code: u32, length: usize) -> Option<String> {
        if let Some(text) = self.single.get(&(length, code)) {
            return Some(text.clone());
        }
        let ((_, first), (last, units)) = self.ranges.range((length, 0)..=(length, code)).next_back()?;
        if code > *last {
            return None;
        }
        let mut units = units.clone();
        if let Some(last) = units.last_mut() {
            *last = last.wrapping_add(u16::try_from(code - first).ok()?);
        }
        Some(String::from_utf16_lossy(&units))
    }

    /// Adds the characters of a string; codes that the table does not have are left out.
    pub fn decode(&self, bytes: &[u8], text: &mut String) {
        let mut rest = bytes;
        while !rest.is_empty() {
            let known = self.lengths.iter().find_map(|length| {
                let code = rest.get(..*length)?;
                Some((*length, self.meaning(number(code), *length)?))
            });
            let shortest = self.lengths.first().copied().unwrap_or(1);
            let (length, meaning) = known.unwrap_or((shortest, String::new()));
            text.push_str(&meaning);
            rest = rest.get(length..).unwrap_or_default();
        }
    }
}

fn number(code: &[u8]) -> u32 {
    code.iter().take(4).fold(0, |number, byte| (number << 8) | u32::from(*byte))
}

fn units(text: &[u8]) -> Vec<u16> {
    match text {
        [one] => vec![u16::from(*one)],
        _ => text.as_chunks::<2>().0.iter().take(CHARACTERS).map(|unit| u16::from_be_bytes(*unit)).collect(),
    }
}

/// `<0041>`, `[`, `]` and words; names, numbers and texts are words that say nothing here.
fn tokens(bytes: &[u8]) -> impl Iterator<Item = Token> + '_ {
    let mut rest = bytes;
    std::iter::from_fn(move || {
        let start = rest.iter().position(|byte| !byte.is_ascii_whitespace() && *byte != b'>')?;
        rest = rest.get(start..)?;
        let (first, after) = rest.split_first()?;
        match first {
            b'[' | b']' => {
                rest = after;
                Some(if *first == b'[' { Token::Open } else { Token::Close })
            }
            b'<' if after.first() != Some(&b'<') => {
                let end = after.iter().position(|byte| *byte == b'>').unwrap_or(after.len());
                let digits: Vec<u8> = after
                    .get(..end)?
                    .iter()
                    .filter_map(|byte| char::from(*byte).to_digit(16).map(|digit| digit as u8))
                    .take(CHARACTERS * 4)
                    .collect();
                rest = after.get(end..)?;
                Some(Token::Hex(
                    digits
                        .chunks(2)
                        .map(|pair| pair.iter().fold(0, |byte, digit| byte << 4 | digit))
                        .collect(),
                ))
            }
            _ => {
                let stops =
                    |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'<' | b'[' | b']' | b'>');
                let end = after.iter().position(stops).unwrap_or(after.len()) + 1;
                let (word, behind) = rest.split_at_checked(end)?;
                rest = behind;
                Some(Token::Word(word.to_vec()))
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(table: &str, bytes: &[u8], expected: &str) {
        let mut text = String::new();
        UnicodeTable::read(table.as_bytes()).unwrap().decode(bytes, &mut text);
        assert_eq!(text, expected);
    }

    #[test]
    fn codes_of_one_and_two_bytes_are_read_singly_and_in_ranges() {
        check("1 beginbfchar <41> <00D6> endbfchar", b"AZA", "ÖÖ");
        check(
            "1 begincodespacerange <0000><FFFF> endcodespacerange 2 beginbfrange <0003><0005><0041> <0010> <0011> [<0066 0069> <0078>] endbfrange",
            &[0, 4, 0, 16, 0, 17, 0, 99],
            "Bfix",
        );
        check(
            "/CIDInit /ProcSet findresource begin 12 dict begin begincmap << /Registry (Adobe) >> def 1 beginbfchar\n<0001>\n<D83DDE00>\nendbfchar",
            &[0, 1],
            "😀",
        );
    }

    #[test]
    fn any_bytes_are_a_table_or_none() {
        assert!(UnicodeTable::read(b"").is_none());
        let table = b"1 beginbfrange <00> <ffffffff> <ffff> endbfrange [ <41 1 beginbfchar <> <> endbfchar";
        for end in 0..table.len() {
            if let Some(table) = UnicodeTable::read(&table[..end]) {
                table.decode(&[0, 255, 65, 3, 9], &mut String::new());
            }
        }
    }
}
