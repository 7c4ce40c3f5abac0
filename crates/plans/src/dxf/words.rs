//! Words of DXF: code pages, escapes, the formatting of multi-line texts.

use encoding_rs::Encoding;

/// How the bytes of texts are characters.
#[derive(Clone, Copy)]
pub(super) struct CodePage {
    page: &'static Encoding,
    /// True where UTF-8 is looked for first.
    is_unicode: bool,
}

impl Default for CodePage {
    fn default() -> Self {
        Self { page: encoding_rs::WINDOWS_1252, is_unicode: true }
    }
}

impl CodePage {
    /// The code page of a name as `$DWGCODEPAGE` says it: `ANSI_1251`. From release 2007 on (AC1021) texts are UTF-8; in files before, two
    /// bytes of an East Asian page may look like it.
    pub(super) fn named(name: &[u8], version: &str) -> Self {
        let name = String::from_utf8_lossy(name).to_ascii_lowercase();
        let number = name.rsplit(['_', '-']).next().unwrap_or_default();
        let label = match number {
            "932" => "shift_jis",
            "936" => "gbk",
            "950" => "big5",
            "874" => "windows-874",
            "949" | "1361" | "johab" => "euc-kr",
            own => {
                let page = Encoding::for_label(format!("windows-{own}").as_bytes())
                    .unwrap_or(encoding_rs::WINDOWS_1252);
                return Self { page, is_unicode: true };
            }
        };
        let page = Encoding::for_label(label.as_bytes()).unwrap_or(encoding_rs::WINDOWS_1252);
        Self { page, is_unicode: version >= "AC1021" || page.is_single_byte() }
    }

    /// A text: UTF-8 where it is that, otherwise by the code page; `\U+00E9` becomes its character.
    pub(super) fn text(self, bytes: &[u8]) -> String {
        let by_page = || self.page.decode_without_bom_handling(bytes);
        let own = if self.is_unicode { None } else { Some(by_page()).filter(|own| !own.1) };
        let text = match (own, std::str::from_utf8(bytes)) {
            (Some((text, _)), _) => text.into_owned(),
            (None, Ok(text)) => text.to_owned(),
            (None, Err(_)) => by_page().0.into_owned(),
        };
        if text.contains("\\U+") { unescaped(&text) } else { text }
    }
}

fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("\\U+") {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let code = from.get(3..7).and_then(|hex| u32::from_str_radix(hex, 16).ok()).and_then(char::from_u32);
        if let Some(char) = code {
            out.push(char);
            rest = from.get(7..).unwrap_or_default();
        } else {
            out.push_str("\\U+");
            rest = from.get(3..).unwrap_or_default();
        }
    }
    out.push_str(rest);
    out
}

/// The words of a single line: `%%d` becomes °, `%%c` ⌀, `%%p` ±; underlining goes.
pub(super) fn line(text: &str) -> String {
    if !text.contains("%%") {
        return text.trim().to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(char) = chars.next() {
        if char == '%' && chars.peek() == Some(&'%') {
            chars.next();
            match chars.next().map(|char| char.to_ascii_lowercase()) {
                Some('d') => out.push('°'),
                Some('c') => out.push('⌀'),
                Some('p') => out.push('±'),
                Some('%') => out.push('%'),
                // of a character by its number, as of underlining, nothing is kept
                Some(digit) if digit.is_ascii_digit() => {
                    chars.next();
                    chars.next();
                }
                _ => {}
            }
        } else {
            out.push(char);
        }
    }
    out.trim().to_owned()
}

/// The words of a multi-line text without its formatting, lines parted by `\n`.
pub(super) fn paragraphs(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(char) = chars.next() {
        match char {
            '{' | '}' => {}
            '^' => match chars.next() {
                Some('J') => out.push('\n'),
                Some('I') => out.push(' '),
                _ => {}
            },
            '\\' => match chars.next() {
                Some('P' | 'n' | 'X') => out.push('\n'),
                Some('~') => out.push(' '),
                Some('L' | 'l' | 'O' | 'o' | 'K' | 'k' | 'N') | None => {}
                Some('S') => {
                    // a fraction: 1^2, 1/2 or 1#2
                    for own in chars.by_ref().take(40).take_while(|own| *own != ';') {
                        out.push(if matches!(own, '^' | '#') { '/' } else { own });
                    }
                }
                Some('A' | 'C' | 'c' | 'F' | 'f' | 'H' | 'Q' | 'T' | 'W' | 'p') => {
                    for own in chars.by_ref() {
                        if own == ';' {
                            break;
                        }
                    }
                }
                Some(own) => out.push(own),
            },
            own => out.push(own),
        }
    }
    let lines: Vec<String> = out.split('\n').map(line).filter(|line| !line.is_empty()).collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formatting_is_taken_out_of_words() {
        let text = r"{\fArial|b1|i0;\C1;Living Room}\P\H0.7x;23.4 m\S2^ ;\~x \\ \{a\}";
        assert_eq!(paragraphs(text), "Living Room\n23.4 m2/ \u{20}x \\ {a}");
        assert_eq!(line("%%u45%%d %%c20 %%p0.00%%u"), "45° ⌀20 ±0.00");
        assert_eq!(paragraphs(r"a\U"), "aU");
    }

    #[test]
    fn code_pages_are_those_of_the_header() {
        assert_eq!(CodePage::named(b"ANSI_1251", "AC1015").text(b"\xd1\xd2\xc5\xcd\xc0"), "СТЕНА");
        assert_eq!(CodePage::named(b"ANSI_936", "AC1015").text(b"\xc7\xbd"), "墙");
        assert_eq!(CodePage::named(b"ANSI_936", "AC1032").text("墙".as_bytes()), "墙");
        assert_eq!(CodePage::default().text(b"W\xe4nde"), "Wände");
        assert_eq!(CodePage::named(b"?", "").text("mur é".as_bytes()), "mur é");
        assert_eq!(CodePage::default().text(b"W\\U+00E4nde \\U+zz"), "Wände \\U+zz");
    }
}
