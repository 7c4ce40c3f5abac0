//! Tags of DXF: pairs of a group code and a value, each on a line of its own.

use std::fmt::Write as _;

/// Tags that grow.
#[derive(Debug, Default)]
pub(super) struct Tags(pub(super) String);

/// The number of an object.
pub(super) type Handle = u32;

impl Tags {
    /// Writes a text, which is one line and taken as it stands.
    pub(super) fn text(&mut self, code: u16, value: &str) -> &mut Self {
        self.code(code);
        self.0.push_str(value);
        self.0.push('\n');
        self
    }

    /// Writes a whole number.
    pub(super) fn whole(&mut self, code: u16, value: i64) -> &mut Self {
        self.code(code);
        // writing to text does not fail
        let _ = writeln!(self.0, "{value}");
        self
    }

    /// Writes a number at 1e-6, with a decimal point.
    pub(super) fn real(&mut self, code: u16, value: f64) -> &mut Self {
        self.code(code);
        let start = self.0.len();
        let rounded = (value * 1e6).round() / 1e6;
        let _ = write!(self.0, "{:.6}", if rounded == 0.0 { 0.0 } else { rounded });
        let kept = self.0.trim_end_matches('0').len().max(start);
        self.0.truncate(kept);
        self.0.push_str(if self.0.ends_with('.') { "0\n" } else { "\n" });
        self
    }

    /// Writes the number of an object.
    pub(super) fn handle(&mut self, code: u16, value: Handle) -> &mut Self {
        self.code(code);
        let _ = writeln!(self.0, "{value:X}");
        self
    }

    /// Writes a point of the plane, by the codes of x and y.
    pub(super) fn point(&mut self, code: u16, point: glam::DVec2) -> &mut Self {
        self.real(code, point.x).real(code + 10, point.y)
    }

    /// Writes a point at no height.
    pub(super) fn place(&mut self, code: u16, point: glam::DVec2) -> &mut Self {
        self.point(code, point).real(code + 20, 0.0)
    }

    fn code(&mut self, code: u16) {
        let _ = writeln!(self.0, "{code:>3}");
    }
}

/// Words as they stand in one line: no control characters, and nothing that is read as a code for another character.
pub(super) fn words(words: &str) -> String {
    let mut line = String::with_capacity(words.len());
    for char in words.chars() {
        match char {
            // a caret begins a control character, two percent signs a code, a backslash with U+ a character
            '^' => line.push_str("^ "),
            '%' if line.ends_with('%') => {
                line.pop();
                line.push_str("%%037%%037");
            }
            '\\' => line.push_str("\\U+005C"),
            char if char.is_control() || matches!(char, '\u{2028}' | '\u{2029}') => line.push(' '),
            char => line.push(char),
        }
    }
    line
}

/// A name as tables take it: without the characters that AutoCAD refuses, of 200 at most.
pub(super) fn name(name: &str) -> String {
    let is_refused = |char: char| char.is_control() || "<>/\\\":;?*|,=`".contains(char);
    let kept: String =
        name.trim().chars().take(200).map(|char| if is_refused(char) { '_' } else { char }).collect();
    if kept.is_empty() { "_".into() } else { kept }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_lines() {
        let mut tags = Tags::default();
        tags.text(0, "LINE").handle(5, 255).real(40, 1.5).real(41, -0.000_000_1).real(42, 12.0).whole(70, -3);
        assert_eq!(tags.0, "  0\nLINE\n  5\nFF\n 40\n1.5\n 41\n0.0\n 42\n12.0\n 70\n-3\n");
    }

    #[test]
    fn words_and_names_stand_in_one_line_as_they_are() {
        assert_eq!(words("a\nb\u{0}^c 5 % %%d \\U+0041"), "a b ^ c 5 % %%037%%037d \\U+005CU+0041");
        assert_eq!(words("⌀ Ä"), "⌀ Ä");
        assert_eq!((name("Door: <1>*|"), name(" ")), ("Door_ _1___".into(), "_".into()));
    }
}
