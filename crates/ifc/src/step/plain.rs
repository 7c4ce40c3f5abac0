//! Attributes of the plainest kinds, read without a value between: references, numbers, lists of them. Whatever is written in any
//! other way (typed, omitted, with a comment before a number) is left to [`Cursor::attribute`].

use super::cursor::Cursor;
use crate::Id;

/// The powers of ten that a double holds exactly.
const TENS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19, 1e20, 1e21, 1e22,
];

impl Cursor<'_> {
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

    /// The number of an attribute that is one; `None` where it is anything else, or beyond the range of reals.
    pub fn plain_number(&mut self) -> Option<f64> {
        self.space();
        let value = self.decimal()?;
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

    /// A number: the same one as `number` reads. Where digits and exponent are so few that both are exact in binary, their
    /// product or quotient is the nearest number, and nothing needs to be looked up.
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
        let (mut digits, mut count, mut behind) = (0u64, 0u32, 0usize);
        let mut point = false;
        while let Some(byte) = self.peek() {
            match byte {
                b'0'..=b'9' => {
                    digits = digits.wrapping_mul(10).wrapping_add(u64::from(byte - b'0'));
                    count += u32::from(digits > 0);
                    behind += usize::from(point);
                }
                b'.' if !point => point = true,
                _ => break,
            }
            self.at += 1;
        }
        let is_done = !matches!(self.peek(), Some(b'.' | b'e' | b'E' | b'+' | b'-'));
        let has_digits = self.at > start + usize::from(negative) + usize::from(point);
        match TENS.get(behind) {
            Some(ten) if is_done && has_digits && count <= 15 => {
                let value = digits as f64 / ten;
                Some(if negative { -value } else { value })
            }
            _ => {
                self.at = start;
                self.number().ok()?.as_f64()
            }
        }
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
    fn odd_numbers_are_those_of_the_thorough_reading() {
        let odd = [
            "0.",
            "-0.",
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

    proptest! {
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
