//! Text of SVG: numbers, colours, escaping.

use crate::page::Colour;
use glam::DVec2;

/// Text that grows.
pub(super) struct Out(pub(super) String);

impl Out {
    pub(super) fn raw(&mut self, text: &str) -> &mut Self {
        self.0.push_str(text);
        self
    }

    /// Writes text so that it is read again as it is, without characters that XML cannot hold.
    pub(super) fn escaped(&mut self, text: &str) -> &mut Self {
        for char in text.chars() {
            match char {
                '&' => self.0.push_str("&amp;"),
                '<' => self.0.push_str("&lt;"),
                '>' => self.0.push_str("&gt;"),
                '"' => self.0.push_str("&quot;"),
                '\t' | '\n' | '\r' => self.0.push(' '),
                '\u{FFFE}' | '\u{FFFF}' => {}
                char if char.is_control() => {}
                char => self.0.push(char),
            }
        }
        self
    }

    pub(super) fn attribute(&mut self, name: &str, value: &str) -> &mut Self {
        self.raw(" ").raw(name).raw("=\"").escaped(value).raw("\"")
    }

    /// Writes an attribute that is a length in mm.
    pub(super) fn length(&mut self, name: &str, value: f64) -> &mut Self {
        self.raw(" ").raw(name).raw("=\"").number(value).raw("\"")
    }

    /// Writes a number at 0.01.
    pub(super) fn number(&mut self, value: f64) -> &mut Self {
        self.decimal::<2>(value)
    }

    /// Writes a number with so many decimals at most, without noughts that say nothing.
    pub(super) fn decimal<const DECIMALS: u32>(&mut self, value: f64) -> &mut Self {
        let scale = 10_u64.pow(DECIMALS);
        let scaled = (value * scale as f64).round();
        // what is no number becomes zero here; nothing that holds one comes this far
        let scaled = scaled as i64;
        let (whole, mut part) = (scaled.unsigned_abs() / scale, scaled.unsigned_abs() % scale);
        let mut digits = [0_u8; 32];
        let mut at = digits.len();
        let mut put = |byte: u8| {
            at -= 1;
            if let Some(place) = digits.get_mut(at) {
                *place = byte;
            }
        };
        if part > 0 {
            let mut places = DECIMALS;
            while part.is_multiple_of(10) {
                part /= 10;
                places -= 1;
            }
            for _ in 0..places {
                put(b'0' + (part % 10) as u8);
                part /= 10;
            }
            put(b'.');
        }
        if whole > 0 || scaled.unsigned_abs().is_multiple_of(scale) {
            let mut rest = whole;
            loop {
                put(b'0' + (rest % 10) as u8);
                rest /= 10;
                if rest == 0 {
                    break;
                }
            }
        }
        if scaled < 0 {
            put(b'-');
        }
        let text = digits.get(at..).and_then(|digits| std::str::from_utf8(digits).ok());
        self.0.push_str(text.unwrap_or("0"));
        self
    }

    pub(super) fn point(&mut self, point: DVec2) -> &mut Self {
        self.number(point.x);
        // a minus parts numbers as well as a space does
        if (point.y * 100.0).round() >= 0.0 {
            self.0.push(' ');
        }
        self.number(point.y)
    }

    /// Writes a colour, and its opacity where it is not whole.
    pub(super) fn colour(&mut self, name: &str, colour: Colour) -> &mut Self {
        const HEX: &[u8; 16] = b"0123456789abcdef";
        let digit = |n: u8| HEX.get(usize::from(n)).map_or('0', |digit| char::from(*digit));
        let [red, green, blue, opacity] = colour;
        self.raw(" ").raw(name).raw("=\"#");
        let is_short = [red, green, blue].iter().all(|part| part >> 4 == part & 15);
        for part in [red, green, blue] {
            self.0.push(digit(part >> 4));
            if !is_short {
                self.0.push(digit(part & 15));
            }
        }
        self.raw("\"");
        if opacity < 255 {
            self.raw(" ").raw(name).raw("-opacity=\"").decimal::<3>(f64::from(opacity) / 255.0).raw("\"");
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_rounded() {
        let said = |value: f64| Out(String::new()).number(value).0.clone();
        for (value, text) in [
            (0.0, "0"),
            (-0.001, "0"),
            (0.005, ".01"),
            (-0.5, "-.5"),
            (1.0, "1"),
            (10.0, "10"),
            (100.1, "100.1"),
            (-12.345, "-12.35"),
            (0.07, ".07"),
            (1e6, "1000000"),
            (f64::NAN, "0"),
            (f64::INFINITY, "92233720368547758.07"),
        ] {
            assert_eq!(said(value), text, "{value}");
        }
        assert_eq!(Out(String::new()).point(DVec2::new(1.5, -0.25)).0, "1.5-.25");
        assert_eq!(Out(String::new()).point(DVec2::new(1.5, -0.001)).0, "1.5 0");
        assert_eq!(Out(String::new()).decimal::<5>(0.333_333_33).0, ".33333");
    }

    #[test]
    fn colours_are_short_and_say_their_opacity() {
        assert_eq!(Out(String::new()).colour("fill", [255, 255, 255, 255]).0, " fill=\"#fff\"");
        assert_eq!(
            Out(String::new()).colour("fill", [18, 0, 255, 51]).0,
            " fill=\"#1200ff\" fill-opacity=\".2\""
        );
    }
}
