//! Attributes of the plainest kinds, read without a value between: references, numbers, lists of them. Whatever is written in any
//! other way (typed, omitted, with a comment before a number) is left to [`Cursor::attribute`].

use super::cursor::Cursor;
use crate::Id;

/// The powers of ten that a double holds exactly.
const TENS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19, 1e20, 1e21, 1e22,
];

/// The double nearest to a quotient of two numbers that are not nought, of two equally near ones the even one (IEEE 754,
/// roundTiesToEven).
fn nearest(dividend: u64, divisor: u64) -> f64 {
    let (up, down) = (dividend.leading_zeros(), divisor.leading_zeros());
    // with both at full length the quotient has 63 or 64 bits: ten more than a double, so that the last one can stand for
    // all that follow, and the conversion rounds as it should
    let (long, short) = (u128::from(dividend << up) << 63, u128::from(divisor << down));
    let quotient = (long / short) as u64;
    let is_inexact = u128::from(quotient) * short != long;
    let mantissa = (quotient | u64::from(is_inexact)) as f64;
    let exponent = 1023 - 63 + u64::from(down) - u64::from(up);
    mantissa * f64::from_bits(exponent << 52)
}

impl<'b> Cursor<'b> {
    /// Adds the ids of an attribute that is a reference or a list of references to `ids`; `false`, with whatever was
    /// added, where it is anything else.
    pub fn plain_references(&mut self, ids: &mut Vec<Id>) -> bool {
        let is_list = self.take(b'(');
        loop {
            if !self.take(b'#') {
                return false;
            }
            let Some(id) = self.digits() else { return false };
            ids.push(Id(id));
            if !is_list || self.take(b')') {
                return self.is_between();
            }
            if !self.take(b',') {
                return false;
            }
        }
    }

    /// The id of an attribute that is a reference; `None` where it is anything else.
    pub fn plain_reference(&mut self) -> Option<Id> {
        let id = self.take(b'#').then(|| self.digits())??;
        self.is_between().then_some(Id(id))
    }

    /// The text of an attribute that is one and stands as it is meant; `None` where it is anything else, or has to be decoded.
    pub fn plain_text(&mut self) -> Option<&'b [u8]> {
        self.space();
        let rest = self.bytes.get(self.at..)?.strip_prefix(b"'")?;
        let text = rest.get(..memchr::memchr(b'\'', rest)?)?;
        if !text.iter().all(|byte| matches!(byte, b' '..=b'~') && *byte != b'\\') {
            return None;
        }
        self.at += text.len() + 2;
        // a quote that is doubled is one within the text
        (self.peek() != Some(b'\'') && self.is_between()).then_some(text)
    }

    /// The number of an attribute that is one; `None` where it is anything else, or beyond the range of reals.
    pub fn plain_number(&mut self) -> Option<f64> {
        self.space();
        let value = self.decimal()?;
        self.is_between().then_some(value)
    }

    /// The value of an attribute that is `.T.` or `.F.`; `None` where it is anything else.
    pub fn plain_truth(&mut self) -> Option<bool> {
        self.space();
        let value = match self.bytes.get(self.at..self.at + 3)? {
            b".T." => true,
            b".F." => false,
            _ => return None,
        };
        self.at += 3;
        self.is_between().then_some(value)
    }

    /// Puts the members of an attribute that is a list of numbers into `into`; how many there are, or `None` where it is
    /// anything else or has more than there is room for.
    pub fn plain_numbers(&mut self, into: &mut [f64]) -> Option<usize> {
        let count = self.row(into)?;
        self.is_between().then_some(count)
    }

    /// Adds the members of an attribute that is a list of lists of `N` numbers; `false`, with whatever was added, where
    /// it is anything else.
    pub fn plain_rows<const N: usize>(&mut self, rows: &mut Vec<[f64; N]>) -> bool {
        if !self.take(b'(') {
            return false;
        }
        loop {
            let mut row = [0.0; N];
            if self.row(&mut row) != Some(N) {
                return false;
            }
            rows.push(row);
            if self.take(b')') {
                return self.is_between();
            }
            if !self.take(b',') {
                return false;
            }
        }
    }

    fn row(&mut self, into: &mut [f64]) -> Option<usize> {
        if !self.take(b'(') {
            return None;
        }
        let mut count = 0;
        loop {
            self.space();
            *into.get_mut(count)? = self.decimal()?;
            count += 1;
            if self.take(b')') {
                return Some(count);
            }
            if !self.take(b',') {
                return None;
            }
        }
    }

    /// A number: the same one as `number` reads. Where its digits fit a machine word, it is the quotient of them and a power of
    /// ten: of two doubles, if there are so few that both are exact in binary, or of two integers.
    fn decimal(&mut self) -> Option<f64> {
        let start = self.at;
        let negative = match self.peek() {
            Some(b'-') => {
                self.at += 1;
                true
            }
            Some(b'0'..=b'9') => false,
            _ => return self.number().ok()?.as_f64(),
        };
        let mut digits = 0u64;
        let mut count = self.add_digits(&mut digits);
        let mut behind = 0;
        let has_point = self.peek() == Some(b'.');
        if has_point {
            self.at += 1;
            behind = self.add_digits(&mut digits);
            count += behind;
        }
        // an integer beyond 64 bits is none
        let is_done = !matches!(self.peek(), Some(b'.' | b'e' | b'E' | b'+' | b'-'))
            && (has_point || i64::try_from(digits).is_ok());
        // 19 digits are below 2^64; a leading nought counts, which costs nothing but time
        let value = match TENS.get(behind).filter(|_| is_done && (1..=19).contains(&count)) {
            Some(ten) if digits < 1 << f64::MANTISSA_DIGITS => digits as f64 / ten,
            Some(_) => nearest(digits, 10u64.pow(behind as u32)),
            None => {
                self.at = start;
                return self.number().ok()?.as_f64();
            }
        };
        // an integer has no negative nought
        let is_negative = negative && (has_point || digits != 0);
        Some(if is_negative { -value } else { value })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn plain(text: &str) -> Option<f64> {
        Cursor::new(text.as_bytes(), 0).plain_number()
    }

    fn whole(text: &str) -> Option<f64> {
        Cursor::new(text.as_bytes(), 0).attribute(&|_| None).ok()?.as_f64()
    }

    #[test]
    fn text_that_has_to_be_decoded_is_not_plain() {
        let plain = |text: &str| Cursor::new(text.as_bytes(), 0).plain_text().map(<[u8]>::to_vec);
        for (text, expected) in [
            ("'Wall 1',", Some("Wall 1")),
            (" '' )", Some("")),
            ("'Meyer''s'", None),
            ("'Geb\\X2\\00E4\\X0\\ude',", None),
            ("'broken\nover lines',", None),
            ("'never closed", None),
            ("'a' 'b'", None),
            ("IFCLABEL('a'),", None),
            ("$,", None),
        ] {
            assert_eq!(plain(text), expected.map(|text| text.as_bytes().to_vec()), "{text}");
        }
    }

    #[test]
    fn odd_numbers_are_those_of_the_thorough_reading() {
        let odd = [
            "0.",
            "-0.",
            "-0",
            "-000",
            "5",
            "-5",
            "+5.",
            ".5",
            "1.E3",
            "1.5E-300",
            "1.E400",
            "1e",
            "-",
            "-.",
            "1.2.3",
            "1-2",
            "",
            "$",
            "*",
            "123456789012345678",
            "9999999999999999999",
            "0.000000000000000000000000000001",
            "999999999999999.9",
            "1.7976931348623157E308",
            "0.1234567890123456789",
            "9007199254740993.",
        ];
        for text in odd {
            let text = format!("{text},");
            assert_eq!(plain(&text).map(f64::to_bits), whole(&text).map(f64::to_bits), "{text}");
        }
        assert_eq!(plain(" 12.5 )"), Some(12.5));
        assert_eq!(plain("12.5"), None);
        assert_eq!(plain(".T.,"), None);
        let truth = |text: &str| Cursor::new(text.as_bytes(), 0).plain_truth();
        assert_eq!([truth(" .T. ,"), truth(".F.)")], [Some(true), Some(false)]);
        for text in [".U.,", ".T.", ".TRUE.,", "$,", ".T", "", "IFCBOOLEAN(.T.),"] {
            assert_eq!(truth(text), None, "{text}");
        }
    }

    #[test]
    fn lists_are_read_only_where_they_are_plain() {
        let mut three = [0.0; 3];
        let mut read =
            |text: &str| Cursor::new(text.as_bytes(), 0).plain_numbers(&mut three).map(|n| (n, three));
        assert_eq!(read("( 1., -2.5 ,3),"), Some((3, [1.0, -2.5, 3.0])));
        assert_eq!(read("(7.))").map(|(n, _)| n), Some(1));
        for text in ["(1.,2.,3.,4.),", "(1.,$),", "((1.)),", "(1.", "(1.,),", "#5,", "()"] {
            assert_eq!(read(text), None, "{text}");
        }
        let mut rows: Vec<[f64; 2]> = Vec::new();
        assert!(Cursor::new(b"((1.,2.),(3.,4.)),", 0).plain_rows(&mut rows));
        assert_eq!(rows, [[1.0, 2.0], [3.0, 4.0]]);
        assert!(!Cursor::new(b"((1.,2.,3.)),", 0).plain_rows(&mut rows));
        assert!(!Cursor::new(b"((1.)),", 0).plain_rows(&mut rows));
        assert_eq!(Cursor::new(b" #42 ,", 0).plain_reference(), Some(Id(42)));
        assert_eq!(Cursor::new(b"#42(,", 0).plain_reference(), None);
        assert_eq!(Cursor::new(b"$,", 0).plain_reference(), None);
    }

    #[test]
    fn halves_between_two_doubles_go_to_the_even_one() {
        for text in [
            "9007199254740993.",
            "9007199254740995.",
            "1125899906842624.125",
            "1125899906842624.375",
            "0.500000000000000055",
            "1.00000000000000011",
            "9999999999999999999.",
            "0.0000000000000000001",
            "1.9999999999999999999",
        ] {
            let text = format!("{text},");
            assert_eq!(plain(&text).map(f64::to_bits), whole(&text).map(f64::to_bits), "{text}");
        }
    }

    proptest! {
        #[test]
        fn long_decimals_are_those_of_the_thorough_reading(text in "-?[0-9]{0,8}\\.[0-9]{9,19},") {
            prop_assert_eq!(plain(&text).map(f64::to_bits), whole(&text).map(f64::to_bits));
        }

        #[test]
        fn plain_numbers_are_those_of_the_thorough_reading(text in "[-+]?[0-9]{0,18}\\.?[0-9]{0,24}([eE][-+]?[0-9]{1,3})?,") {
            prop_assert_eq!(plain(&text).map(f64::to_bits), whole(&text).map(f64::to_bits));
        }

        #[test]
        fn no_bytes_bring_it_down(bytes in proptest::collection::vec(any::<u8>(), 0..40)) {
            let mut six = [0.0; 6];
            Cursor::new(&bytes, 0).plain_numbers(&mut six);
            Cursor::new(&bytes, 0).plain_rows::<3>(&mut Vec::new());
            Cursor::new(&bytes, 0).plain_reference();
        }
    }
}
