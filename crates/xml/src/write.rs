//! Documents written.

use crate::read::is_char;

/// A document that is being written: tags are closed by name, text is escaped, lines are indented by two.
#[derive(Debug)]
pub struct Writer {
    out: String,
    /// The open elements, and whether each holds elements.
    open: Vec<(&'static str, bool)>,
    /// True while the last tag may still be given attributes.
    is_tag: bool,
}

impl Default for Writer {
    fn default() -> Self {
        let out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".to_owned();
        Self { out, open: Vec::new(), is_tag: false }
    }
}

impl Writer {
    /// Opens an element.
    pub fn open(&mut self, name: &'static str) -> &mut Self {
        self.end_tag();
        if let Some((_, holds)) = self.open.last_mut() {
            *holds = true;
        }
        self.indent();
        self.out.push('<');
        self.out.push_str(name);
        self.open.push((name, false));
        self.is_tag = true;
        self
    }

    /// Gives the element that was opened last an attribute; without effect once it holds something.
    pub fn attribute(&mut self, name: &str, value: &str) -> &mut Self {
        if self.is_tag {
            self.out.push(' ');
            self.out.push_str(name);
            self.out.push_str("=\"");
            self.escape(value, true);
            self.out.push('"');
        }
        self
    }

    /// The same of an attribute that may be absent.
    pub fn optional_attribute(&mut self, name: &str, value: Option<&str>) -> &mut Self {
        if let Some(value) = value {
            self.attribute(name, value);
        }
        self
    }

    /// Writes text into the element that is open.
    pub fn text(&mut self, text: &str) -> &mut Self {
        self.end_tag();
        self.escape(text, false);
        self
    }

    /// Closes the element that is open.
    pub fn close(&mut self) -> &mut Self {
        let Some((name, holds)) = self.open.pop() else { return self };
        if self.is_tag {
            self.out.push_str("/>");
            self.is_tag = false;
        } else {
            if holds {
                self.indent();
            }
            self.out.push_str("</");
            self.out.push_str(name);
            self.out.push('>');
        }
        if self.open.is_empty() {
            self.out.push('\n');
        }
        self
    }

    /// Writes an element that holds text alone.
    pub fn leaf(&mut self, name: &'static str, text: &str) -> &mut Self {
        self.open(name).text(text).close()
    }

    /// The same of one that may be absent.
    pub fn optional(&mut self, name: &'static str, text: Option<&str>) -> &mut Self {
        if let Some(text) = text {
            self.leaf(name, text);
        }
        self
    }

    /// The document, with all that is open closed.
    pub fn finish(mut self) -> String {
        while !self.open.is_empty() {
            self.close();
        }
        self.out
    }

    fn end_tag(&mut self) {
        if self.is_tag {
            self.out.push('>');
            self.is_tag = false;
        }
    }

    fn indent(&mut self) {
        if !self.out.ends_with('\n') {
            self.out.push('\n');
        }
        for _ in 0..self.open.len() {
            self.out.push_str("  ");
        }
    }

    /// Writes text so that it is read again as it is; what may not stand in XML becomes a replacement character.
    fn escape(&mut self, text: &str, is_attribute: bool) {
        for char in text.chars() {
            match char {
                '&' => self.out.push_str("&amp;"),
                '<' => self.out.push_str("&lt;"),
                '>' => self.out.push_str("&gt;"),
                '"' if is_attribute => self.out.push_str("&quot;"),
                '\t' if is_attribute => self.out.push_str("&#9;"),
                '\n' if is_attribute => self.out.push_str("&#10;"),
                '\r' => self.out.push_str("&#13;"),
                char if is_char(char) => self.out.push(char),
                _ => self.out.push('\u{FFFD}'),
            }
        }
    }
}
