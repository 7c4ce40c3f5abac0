//! Reads values from the bytes of an instance, one token ahead of nothing: what is not asked for is skipped, not
//! decoded. Any bytes may come; what cannot be read is an error with its place, and nesting is bounded.

use super::{quote, text};
use crate::{Id, Value};

/// The most levels that lists and typed values may nest.
const DEPTH: usize = 48;

/// Why a value cannot be read, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unreadable {
    /// Byte position in the slice that was read.
    pub at: usize,
    /// The fault, in words.
    pub message: &'static str,
}

/// The schema's spelling of a type name given in any case, for `Value::Typed`.
pub type Spelling<'a> = &'a dyn Fn(&str) -> Option<&'static str>;

/// A position in bytes.
#[derive(Clone, Copy)]
pub struct Cursor<'b> {
    pub(super) bytes: &'b [u8],
    pub(super) at: usize,
}

/// The number of digits at the beginning of eight bytes, the first in the lowest place, and their value.
#[inline]
fn leading_digits(eight: u64) -> (usize, u64) {
    let values = eight ^ 0x3030_3030_3030_3030;
    // the high bit of each byte that is above 9; what is carried falsifies only bytes behind the first of them
    let others = (values.wrapping_add(0x7676_7676_7676_7676) | values) & 0x8080_8080_8080_8080;
    let count = others.trailing_zeros() / 8;
    // noughts before, what is no digit gone; then pairs, fours and all eight are joined
    let Some(ones) = values.checked_shl(64 - 8 * count) else { return (0, 0) };
    let tens = (ones & 0x0f0f_0f0f_0f0f_0f0f).wrapping_mul(10 * 0x100 + 1) >> 8;
    let hundreds = (tens & 0x00ff_00ff_00ff_00ff).wrapping_mul(100 * 0x1_0000 + 1) >> 16;
    let all = (hundreds & 0x0000_ffff_0000_ffff).wrapping_mul(10_000 * 0x1_0000_0000 + 1) >> 32;
    (count as usize, all)
}

/// Powers of ten by how many digits come next; as many as make an index certain.
const POWERS: [u64; 16] = {
    let mut powers = [1; 16];
    let mut i = 1;
    while i < 16 {
        powers[i] = powers[i - 1] * 10;
        i += 1;
    }
    powers
};

impl<'b> Cursor<'b> {
    /// A cursor before the byte at this place.
    pub fn new(bytes: &'b [u8], at: usize) -> Self {
        Self { bytes, at }
    }

    /// The place in the bytes.
    pub fn at(&self) -> usize {
        self.at
    }

    /// The next byte.
    #[inline]
    pub fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn ahead(&self, by: usize) -> Option<u8> {
        self.bytes.get(self.at + by).copied()
    }

    /// Goes on by so many bytes, to the end at most.
    pub fn advance(&mut self, by: usize) {
        self.at = (self.at + by).min(self.bytes.len());
    }

    /// Skips blanks, line ends, other control characters and comments.
    #[inline]
    pub fn space(&mut self) {
        // between most tokens there is nothing
        if self.peek().is_some_and(|byte| byte <= b' ' || byte == b'/') {
            self.blanks();
        }
    }

    fn blanks(&mut self) {
        while let Some(byte) = self.peek() {
            if byte <= b' ' {
                self.at += 1;
            } else if byte == b'/' && self.ahead(1) == Some(b'*') {
                self.at = match memchr::memmem::find(self.bytes.get(self.at + 2..).unwrap_or_default(), b"*/")
                {
                    Some(end) => self.at + 2 + end + 2,
                    None => self.bytes.len(),
                };
            } else {
                break;
            }
        }
    }

    /// Takes a byte if it comes next, blanks before it skipped.
    #[inline]
    pub fn take(&mut self, byte: u8) -> bool {
        self.space();
        let found = self.peek() == Some(byte);
        if found {
            self.at += 1;
        }
        found
    }

    /// A keyword: letters, digits, `_`, `-`, and the `!` of user-defined ones; empty if there is none.
    pub fn keyword(&mut self) -> &'b [u8] {
        let start = self.at;
        while self.peek().is_some_and(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'!')) {
            self.at += 1;
        }
        self.bytes.get(start..self.at).unwrap_or_default()
    }

    /// Digits as a number; `None` if there are none or it is beyond 32 bits.
    pub fn digits(&mut self) -> Option<u32> {
        let start = self.at;
        let mut value = 0;
        match self.add_digits(&mut value) {
            0 => None,
            1..=19 => u32::try_from(value).ok(),
            // more than fit, unless noughts come first
            _ => {
                let digits = self.bytes.get(start..self.at).unwrap_or_default();
                digits.iter().try_fold(0_u32, |v, d| v.checked_mul(10)?.checked_add(u32::from(d - b'0')))
            }
        }
    }

    /// Adds the digits that come next to those of a number before them, and answers how many there are. Beyond 19 the number is
    /// none.
    #[inline]
    pub(super) fn add_digits(&mut self, number: &mut u64) -> usize {
        let start = self.at;
        let mut rest = self.bytes.get(start..).unwrap_or_default();
        while let Some((eight, behind)) = rest.split_first_chunk() {
            let (count, value) = leading_digits(u64::from_le_bytes(*eight));
            *number = number.wrapping_mul(POWERS[count & 15]).wrapping_add(value);
            self.at += count;
            if count < 8 {
                return self.at - start;
            }
            rest = behind;
        }
        for digit in rest.iter().map(|byte| byte.wrapping_sub(b'0')).take_while(|digit| *digit < 10) {
            *number = number.wrapping_mul(10).wrapping_add(u64::from(digit));
            self.at += 1;
        }
        self.at - start
    }

    fn error<T>(&self, message: &'static str) -> Result<T, Unreadable> {
        Err(Unreadable { at: self.at, message })
    }

    /// The string whose opening quote comes next, raw between its quotes.
    fn quoted(&mut self) -> Result<&'b [u8], Unreadable> {
        let opening = self.at;
        let Some(close) = quote::closing(self.bytes, opening) else {
            self.at = self.bytes.len();
            return Err(Unreadable { at: opening, message: "a string is not closed" });
        };
        self.at = close + 1;
        Ok(self.bytes.get(opening + 1..close).unwrap_or_default())
    }

    /// Passes a string or one other byte that is neither blank nor in a comment; `false` at the end.
    pub fn token(&mut self) -> bool {
        self.space();
        match self.peek() {
            None => false,
            Some(b'\'') => {
                let _ = self.quoted();
                true
            }
            Some(_) => {
                self.at += 1;
                true
            }
        }
    }

    /// Skips one value: to the `,` or `)` behind it.
    pub fn skip_value(&mut self) -> Result<(), Unreadable> {
        let mut depth = 0usize;
        loop {
            match self.peek() {
                None => return self.error("the attributes end without )"),
                Some(b'\'') => {
                    self.quoted()?;
                }
                Some(b'(') => {
                    depth += 1;
                    self.at += 1;
                }
                Some(b')') => {
                    if depth == 0 {
                        return Ok(());
                    }
                    depth -= 1;
                    self.at += 1;
                }
                Some(b',') if depth == 0 => return Ok(()),
                Some(b'/') => {
                    let before = self.at;
                    self.space();
                    if self.at == before {
                        self.at += 1;
                    }
                }
                Some(_) => self.at += 1,
            }
        }
    }

    /// True if what comes next ends an attribute.
    pub(super) fn is_between(&mut self) -> bool {
        self.space();
        matches!(self.peek(), Some(b',' | b')'))
    }

    /// Reads one attribute: a value, to the `,` or `)` behind it.
    pub fn attribute(&mut self, spelling: Spelling<'_>) -> Result<Value, Unreadable> {
        let value = self.value(spelling)?;
        if self.is_between() { Ok(value) } else { self.error("a value needs , or ) behind it") }
    }

    /// Reads one value.
    pub fn value(&mut self, spelling: Spelling<'_>) -> Result<Value, Unreadable> {
        self.nested(spelling, 0)
    }

    fn nested(&mut self, spelling: Spelling<'_>, depth: usize) -> Result<Value, Unreadable> {
        if depth > DEPTH {
            return self.error("values nest too deep");
        }
        self.space();
        match self.peek() {
            None => self.error("a value is missing"),
            Some(b'$') => {
                self.at += 1;
                Ok(Value::Null)
            }
            Some(b'*') => {
                self.at += 1;
                Ok(Value::Derived)
            }
            Some(b'\'') => self.quoted().map(|raw| Value::Text(text::decode(raw))),
            Some(b'#') => {
                self.at += 1;
                match self.digits() {
                    Some(id) => Ok(Value::Ref(Id(id))),
                    None => self.error("a reference needs a number of at most 32 bits behind its #"),
                }
            }
            Some(b'(') => {
                self.at += 1;
                let mut members = Vec::new();
                if self.take(b')') {
                    return Ok(Value::List(members));
                }
                loop {
                    members.push(self.nested(spelling, depth + 1)?);
                    if self.take(b',') {
                        continue;
                    }
                    if self.take(b')') {
                        return Ok(Value::List(members));
                    }
                    return self.error("a list needs , or ) here");
                }
            }
            Some(b'.') if !self.ahead(1).is_some_and(|b| b.is_ascii_digit()) => self.enumeration(),
            Some(b'"') => self.binary(),
            Some(b'0'..=b'9' | b'+' | b'-' | b'.') => self.number(),
            Some(b'A'..=b'Z' | b'a'..=b'z' | b'_' | b'!') => {
                let name = String::from_utf8_lossy(self.keyword()).into_owned();
                if !self.take(b'(') {
                    return self.error("a type name needs ( behind it");
                }
                let inner = self.nested(spelling, depth + 1)?;
                if !self.take(b')') {
                    return self.error("a typed value needs ) here");
                }
                let name = spelling(&name).map_or_else(|| name.to_ascii_uppercase(), str::to_owned);
                Ok(Value::Typed(name, Box::new(inner)))
            }
            Some(_) => self.error("no value can begin like this"),
        }
    }

    fn enumeration(&mut self) -> Result<Value, Unreadable> {
        self.at += 1;
        let item = self.keyword();
        if item.is_empty() || self.peek() != Some(b'.') {
            return self.error("an enumeration item needs its name between dots");
        }
        self.at += 1;
        Ok(match item {
            b"T" | b"t" => Value::Boolean(true),
            b"F" | b"f" => Value::Boolean(false),
            b"U" | b"u" => Value::Unknown,
            _ => Value::Enum(String::from_utf8_lossy(item).to_ascii_uppercase()),
        })
    }

    fn binary(&mut self) -> Result<Value, Unreadable> {
        self.at += 1;
        let start = self.at;
        while self.peek().is_some_and(|b| b.is_ascii_hexdigit()) {
            self.at += 1;
        }
        if self.peek() != Some(b'"') {
            return self.error("a binary holds hexadecimal digits between double quotes");
        }
        let digits = self.bytes.get(start..self.at).unwrap_or_default();
        self.at += 1;
        Ok(Value::Binary(String::from_utf8_lossy(digits).into_owned()))
    }

    pub(super) fn number(&mut self) -> Result<Value, Unreadable> {
        let start = self.at;
        let mut real = false;
        while let Some(byte) = self.peek() {
            match byte {
                b'0'..=b'9' | b'+' | b'-' => {}
                b'.' | b'e' | b'E' => real = true,
                _ => break,
            }
            self.at += 1;
        }
        let digits =
            std::str::from_utf8(self.bytes.get(start..self.at).unwrap_or_default()).unwrap_or_default();
        let wrong = Unreadable { at: start, message: "not a number" };
        if real {
            let value: f64 = digits.parse().map_err(|_| wrong.clone())?;
            return if value.is_finite() {
                Ok(Value::Real(value))
            } else {
                Err(Unreadable { at: start, message: "a number beyond the range of reals" })
            };
        }
        digits.parse().map(Value::Integer).map_err(|_| wrong)
    }
}
