//! Lines and areas as the path data of SVG, in millimetres of paper with y downwards.

use crate::region::Area;
use glam::DVec2;
use std::fmt::Write as _;

/// The place of a drawing on its paper.
#[derive(Debug, Clone, Copy)]
pub(super) struct Paper {
    /// The coordinates that lie in the drawing's upper left corner.
    pub(super) corner: DVec2,
    /// Millimetres of paper by metre.
    pub(super) factor: f64,
    /// Millimetres to the left of the drawing and above it.
    pub(super) margin: DVec2,
}

impl Paper {
    /// A point of the plane on paper.
    pub(super) fn at(&self, p: DVec2) -> DVec2 {
        self.margin + (p - self.corner) * DVec2::new(self.factor, -self.factor)
    }

    /// Adds a line to path data; a closed one goes back to its beginning.
    pub(super) fn line(&self, points: &[DVec2], is_closed: bool, into: &mut String) {
        let mut last: Option<[i64; 2]> = None;
        for p in points {
            let [x, y] = self.at(*p).to_array().map(|v| (v * 100.0).round() as i64);
            match last {
                None => _ = write!(into, "M{} {}", Hundredths(x), Hundredths(y)),
                Some(before) if before == [x, y] => continue,
                Some(_) => _ = write!(into, "L{} {}", Hundredths(x), Hundredths(y)),
            }
            last = Some([x, y]);
        }
        if is_closed && last.is_some() {
            into.push('Z');
        }
    }

    /// Adds an area with its holes to path data.
    pub(super) fn area(&self, area: &Area, into: &mut String) {
        area.loops().for_each(|l| self.line(l, true, into));
    }
}

/// A hundredth of a millimetre as a decimal number without trailing noughts.
pub(super) struct Hundredths(pub(super) i64);

impl std::fmt::Display for Hundredths {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (whole, part) = (self.0.unsigned_abs() / 100, self.0.unsigned_abs() % 100);
        if self.0 < 0 {
            f.write_str("-")?;
        }
        match part {
            0 => write!(f, "{whole}"),
            part if part % 10 == 0 => write!(f, "{whole}.{}", part / 10),
            part => write!(f, "{whole}.{part:02}"),
        }
    }
}

/// Text as it may stand in XML, in an element or between quotes.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // other control characters are no characters of XML
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push(' '),
            c => out.push(c),
        }
    }
    out
}
