//! Numbers, lengths and maps as SVG writes them.

use glam::{DAffine2, DVec2};

/// The rest of a list of numbers and letters.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scan<'a>(&'a str);

impl<'a> Scan<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self(text)
    }

    /// True at the end, blanks passed over.
    pub(super) fn is_end(&mut self) -> bool {
        self.blanks();
        self.0.is_empty()
    }

    fn blanks(&mut self) {
        self.0 = self.0.trim_start_matches([' ', '\t', '\r', '\n', ',']);
    }

    /// The next character, if it is a letter.
    pub(super) fn letter(&mut self) -> Option<char> {
        self.blanks();
        let char = self.0.chars().next().filter(char::is_ascii_alphabetic)?;
        self.0 = self.0.get(1..).unwrap_or_default();
        Some(char)
    }

    /// The next number: `-.5`, `1.5e3`; two may stand without a blank where the second begins with a sign or a point.
    pub(super) fn number(&mut self) -> Option<f64> {
        self.blanks();
        let bytes = self.0.as_bytes();
        let digits = |from: usize| bytes.iter().skip(from).take_while(|byte| byte.is_ascii_digit()).count();
        let is = |at: usize, of: &[u8]| bytes.get(at).is_some_and(|byte| of.contains(byte));
        let mut at = usize::from(is(0, b"+-"));
        let whole = digits(at);
        at += whole;
        let mut parts = 0;
        if is(at, b".") {
            parts = digits(at + 1);
            at += 1 + parts;
        }
        if whole + parts == 0 {
            return None;
        }
        if is(at, b"eE") {
            let sign = usize::from(is(at + 1, b"+-"));
            let power = digits(at + 1 + sign);
            // `1em` is no power
            if power > 0 {
                at += 1 + sign + power;
            }
        }
        let (own, rest) = (self.0.get(..at)?, self.0.get(at..)?);
        let value = own.parse::<f64>().ok().filter(|value| value.is_finite())?;
        self.0 = rest;
        Some(value)
    }

    /// The next flag of an arc, which need no blank after it.
    pub(super) fn flag(&mut self) -> Option<bool> {
        self.blanks();
        let is_set = match self.0.as_bytes().first()? {
            b'0' => false,
            b'1' => true,
            _ => return None,
        };
        self.0 = self.0.get(1..).unwrap_or_default();
        Some(is_set)
    }

    /// The next two numbers.
    pub(super) fn point(&mut self) -> Option<DVec2> {
        Some(DVec2::new(self.number()?, self.number()?))
    }

    /// The rest of the text.
    pub(super) fn rest(self) -> &'a str {
        self.0
    }
}

/// User units to a mm where nothing else is said: a pixel is 1/96 of an inch.
pub(super) const PIXEL: f64 = 25.4 / 96.0;

/// A length in user units, which are pixels; none for percentages and units that depend on something else.
pub(super) fn length(text: &str) -> Option<f64> {
    let mut scan = Scan::new(text.trim());
    let value = scan.number()?;
    let pixels = match scan.rest().trim() {
        "" | "px" => 1.0,
        "mm" => 96.0 / 25.4,
        "cm" => 960.0 / 25.4,
        "in" => 96.0,
        "pt" => 96.0 / 72.0,
        "pc" => 16.0,
        _ => return None,
    };
    Some(value * pixels)
}

/// The map of a `transform`; none where it is none.
pub(super) fn transform(text: &str) -> Option<DAffine2> {
    let mut map = DAffine2::IDENTITY;
    let mut rest = text.trim_matches([' ', '\t', '\r', '\n', ',']);
    while !rest.is_empty() {
        let (name, after) = rest.split_once('(')?;
        let (inside, after) = after.split_once(')')?;
        let mut scan = Scan::new(inside);
        let mut numbers = Vec::new();
        while !scan.is_end() {
            numbers.push(scan.number()?);
        }
        map *= match (name.trim(), numbers.as_slice()) {
            ("matrix", &[a, b, c, d, e, f]) => DAffine2::from_cols_array(&[a, b, c, d, e, f]),
            ("translate", &[x]) => DAffine2::from_translation(DVec2::new(x, 0.0)),
            ("translate", &[x, y]) => DAffine2::from_translation(DVec2::new(x, y)),
            ("scale", &[both]) => DAffine2::from_scale(DVec2::splat(both)),
            ("scale", &[x, y]) => DAffine2::from_scale(DVec2::new(x, y)),
            ("rotate", &[angle]) => DAffine2::from_angle(angle.to_radians()),
            ("rotate", &[angle, x, y]) => {
                let about = DVec2::new(x, y);
                DAffine2::from_translation(about)
                    * DAffine2::from_angle(angle.to_radians())
                    * DAffine2::from_translation(-about)
            }
            ("skewX", &[angle]) => {
                DAffine2::from_cols_array(&[1.0, 0.0, angle.to_radians().tan(), 1.0, 0.0, 0.0])
            }
            ("skewY", &[angle]) => {
                DAffine2::from_cols_array(&[1.0, angle.to_radians().tan(), 0.0, 1.0, 0.0, 0.0])
            }
            _ => return None,
        };
        rest = after.trim_start_matches([' ', '\t', '\r', '\n', ',']);
    }
    map.is_finite().then_some(map)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stand_close() {
        let mut scan = Scan::new(" 1-.5.25,1e3 -2.E1 7em");
        let numbers: Vec<f64> = std::iter::from_fn(|| scan.number()).collect();
        assert_eq!(numbers, [1.0, -0.5, 0.25, 1000.0, -20.0, 7.0]);
        assert_eq!(scan.rest(), "em");
        assert_eq!(
            (Scan::new("-").number(), Scan::new("1e999").number(), Scan::new("é").letter()),
            (None, None, None)
        );
        let mut flags = Scan::new("0110");
        assert_eq!(
            [flags.flag(), flags.flag(), flags.flag(), flags.flag(), flags.flag()],
            [Some(false), Some(true), Some(true), Some(false), None]
        );
    }

    #[test]
    fn lengths_have_units() {
        assert_eq!(
            (length("25.4mm"), length(" 2 "), length("1in"), length("3%"), length("2em")),
            (Some(96.0), Some(2.0), Some(96.0), None, None)
        );
    }

    #[test]
    fn maps_apply_from_the_right() {
        let map = transform("translate(10,20) rotate(90) scale(2)").unwrap();
        assert!((map.transform_point2(DVec2::X) - DVec2::new(10.0, 22.0)).length() < 1e-9);
        let about = transform("rotate(180 5 5)").unwrap();
        assert!((about.transform_point2(DVec2::ZERO) - DVec2::splat(10.0)).length() < 1e-9);
        for bad in ["turn(1)", "rotate(1", "scale()", "matrix(1 2 3)", "scale(1e300) scale(1e300)"] {
            assert!(transform(bad).is_none(), "{bad}");
        }
        assert_eq!(transform(""), Some(DAffine2::IDENTITY));
    }
}
