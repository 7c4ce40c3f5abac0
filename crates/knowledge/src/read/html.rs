//! HTML as headings and paragraphs. What a browser would run or would not show is dropped, everything else is text: nothing in a page is
//! followed or fetched. Marks are read one after the other, so that no nesting is too deep.

use super::Found;
use super::blocks::Block;
use super::plain;
use encoding_rs::Encoding;

/// Elements whose content is no text.
const DROPPED: [&str; 8] = ["script", "style", "template", "svg", "math", "noscript", "iframe", "object"];
/// Elements that begin a line of their own.
const BLOCKS: [&str; 30] = [
    "address",
    "article",
    "aside",
    "blockquote",
    "body",
    "br",
    "caption",
    "dd",
    "details",
    "div",
    "dl",
    "dt",
    "figcaption",
    "figure",
    "footer",
    "form",
    "header",
    "hr",
    "li",
    "main",
    "nav",
    "ol",
    "p",
    "pre",
    "section",
    "summary",
    "table",
    "tr",
    "ul",
    "html",
];

/// Reads a page.
pub fn read(bytes: &[u8]) -> Found {
    let text = decode(bytes);
    let mut page = Page::default();
    let mut rest = text.as_str();
    while let Some((before, after)) = rest.split_once('<') {
        page.text(before);
        rest = page.mark(after);
    }
    page.text(rest);
    page.close();
    Found { title: page.title.filter(|title| !title.is_empty()), blocks: page.blocks, ..Found::default() }
}

#[derive(Default)]
struct Page {
    title: Option<String>,
    blocks: Vec<Block>,
    line: String,
    heading: Option<u8>,
    /// True while cells of a row are being gathered.
    cells: bool,
}

impl Page {
    fn text(&mut self, raw: &str) {
        let text = entities(raw);
        let blank = |sign: char| sign.is_whitespace();
        if text.starts_with(blank) && !self.line.is_empty() && !self.line.ends_with(' ') {
            self.line.push(' ');
        }
        let mut words = text.split_whitespace().peekable();
        while let Some(word) = words.next() {
            self.line.push_str(word);
            if words.peek().is_some() || text.ends_with(blank) {
                self.line.push(' ');
            }
        }
    }

    fn close(&mut self) {
        let line = std::mem::take(&mut self.line);
        let line = line.trim().trim_end_matches('|').trim_end();
        self.cells = false;
        if line.is_empty() || line == "-" {
            return;
        }
        self.blocks.push(match self.heading {
            Some(level) => Block::Heading(level, line.to_owned()),
            None => Block::Paragraph(line.to_owned()),
        });
    }

    /// Reads what begins behind `<`; the text behind it.
    fn mark<'a>(&mut self, after: &'a str) -> &'a str {
        if let Some(comment) = after.strip_prefix("!--") {
            return comment.split_once("-->").map_or("", |(_, rest)| rest);
        }
        let closing = after.starts_with('/');
        let name_from = after.trim_start_matches('/');
        let end = name_from.find(|sign: char| !sign.is_ascii_alphanumeric()).unwrap_or(name_from.len());
        let name = name_from.get(..end).unwrap_or_default().to_ascii_lowercase();
        if name.is_empty() && !after.starts_with(['!', '?', '/']) {
            // a sign of its own: `a < b`
            self.line.push('<');
            return after;
        }
        let rest = behind_mark(after);
        if name == "title" && !closing {
            let (title, rest) = rest.split_once("</").unwrap_or((rest, ""));
            let title = entities(title);
            self.title.get_or_insert(title.split_whitespace().collect::<Vec<_>>().join(" "));
            return behind_mark(rest);
        }
        if DROPPED.contains(&name.as_str()) && !closing {
            return behind_element(rest, &name);
        }
        self.element(&name, closing);
        rest
    }

    fn element(&mut self, name: &str, closing: bool) {
        let level = name
            .strip_prefix('h')
            .and_then(|level| level.parse::<u8>().ok())
            .filter(|level| (1..=6).contains(level));
        if let Some(level) = level {
            self.close();
            self.heading = (!closing).then_some(level);
        } else if name == "td" || name == "th" {
            if closing {
                self.line.push_str(" | ");
            }
            self.cells = true;
        } else if BLOCKS.contains(&name) && !(self.cells && name != "tr" && name != "table") {
            // a paragraph within a cell does not end its row, one within a heading not the heading
            if self.heading.is_none() {
                self.close();
            }
            if name == "li" && !closing {
                self.line.push_str("- ");
            }
        } else if self.cells && name == "br" {
            self.line.push(' ');
        }
    }
}

/// The text behind the `>` that ends a mark; quotes may hold one.
fn behind_mark(text: &str) -> &str {
    let mut quote: Option<char> = None;
    let mut after_equals = false;
    for (at, sign) in text.char_indices() {
        match quote {
            Some(open) if sign == open => quote = None,
            None if (sign == '"' || sign == '\'') && after_equals => quote = Some(sign),
            None if sign == '>' => return text.get(at + 1..).unwrap_or_default(),
            _ => {}
        }
        if !sign.is_whitespace() {
            after_equals = sign == '=';
        }
    }
    ""
}

/// The text behind the end of an element whose content is dropped; all of it where nothing ends it.
fn behind_element<'a>(text: &'a str, name: &str) -> &'a str {
    let mut from = 0;
    while let Some(at) = text.get(from..).and_then(|rest| rest.find("</")).map(|at| from + at + 2) {
        let rest = text.get(at..).unwrap_or_default();
        let is_it = rest.get(..name.len()).is_some_and(|found| found.eq_ignore_ascii_case(name));
        let ends = rest
            .get(name.len()..)
            .is_some_and(|rest| !rest.starts_with(|sign: char| sign.is_ascii_alphanumeric()));
        if is_it && ends {
            return behind_mark(rest);
        }
        from = at;
    }
    ""
}

/// A text with its entities read: those of HTML that stand in texts, and numbers.
fn entities(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        plain.push_str(before);
        let name =
            after.split(|sign: char| !sign.is_ascii_alphanumeric() && sign != '#').next().unwrap_or_default();
        if let Some(sign) = entity(name) {
            plain.push(sign);
            rest = after.get(name.len()..).unwrap_or_default();
            rest = rest.strip_prefix(';').unwrap_or(rest);
        } else {
            plain.push('&');
            rest = after;
        }
    }
    plain.push_str(rest);
    plain
}

fn entity(name: &str) -> Option<char> {
    if let Some(number) = name.strip_prefix('#') {
        let hexadecimal = number.strip_prefix(['x', 'X']);
        let code =
            hexadecimal.map_or_else(|| number.parse().ok(), |digits| u32::from_str_radix(digits, 16).ok())?;
        return char::from_u32(code);
    }
    Some(match name {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        "nbsp" => '\u{a0}',
        "shy" => '\u{ad}',
        "auml" => 'ä',
        "ouml" => 'ö',
        "uuml" => 'ü',
        "Auml" => 'Ä',
        "Ouml" => 'Ö',
        "Uuml" => 'Ü',
        "szlig" => 'ß',
        "eacute" => 'é',
        "egrave" => 'è',
        "agrave" => 'à',
        "ccedil" => 'ç',
        "euro" => '€',
        "sect" => '§',
        "deg" => '°',
        "sup2" => '²',
        "sup3" => '³',
        "micro" => 'µ',
        "times" => '×',
        "plusmn" => '±',
        "le" => '≤',
        "ge" => '≥',
        "ndash" => '–',
        "mdash" => '—',
        "hellip" => '…',
        "bull" => '•',
        "middot" => '·',
        "copy" => '©',
        "bdquo" => '„',
        "ldquo" => '“',
        "rdquo" => '”',
        "lsquo" => '‘',
        "rsquo" => '’',
        "laquo" => '«',
        "raquo" => '»',
        "rarr" => '→',
        _ => return None,
    })
}

/// The text of a page: by its mark, by the encoding that it names, else as plain text.
fn decode(bytes: &[u8]) -> String {
    let head = bytes.get(..bytes.len().min(2_048)).unwrap_or_default();
    let head = String::from_utf8_lossy(head).to_ascii_lowercase();
    let named = head.split_once("charset=").map(|(_, rest)| {
        rest.trim_start_matches(['"', '\''])
            .split(['"', '\'', '>', ';', ' ', '/'])
            .next()
            .unwrap_or_default()
            .to_owned()
    });
    let encoding = named.and_then(|name| Encoding::for_label(name.as_bytes()));
    match encoding {
        Some(encoding) if Encoding::for_bom(bytes).is_none() && std::str::from_utf8(bytes).is_err() => {
            encoding.decode_without_bom_handling(bytes).0.into_owned()
        }
        _ => plain::decode(bytes),
    }
}
