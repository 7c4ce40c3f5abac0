//! EXPRESS text cut into tokens (ISO 10303-11, clause 7). Any text may come; what is no token is an error with its
//! place.

use std::fmt;

/// Text that is not EXPRESS, or a name that the schema does not have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyntaxError {
    /// Byte position in the text.
    pub at: usize,
    /// The fault, in words.
    pub message: String,
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at byte {}: {}", self.at, self.message)
    }
}

impl std::error::Error for SyntaxError {}

/// One token.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Token<'t> {
    /// A keyword or a name, spelt as in the text.
    Word(&'t str),
    /// A whole number.
    Integer(i64),
    /// A real number.
    Real(f64),
    /// A string, decoded.
    Text(String),
    /// The digits of a binary, `101` of `%101`.
    Binary(&'t str),
    /// An operator or a sign of punctuation.
    Sign(&'static str),
}

/// Operators and signs, longer ones before those that they begin with.
const SIGNS: [&str; 32] = [
    ":<>:", ":=:", "<=", ">=", "<>", "<*", ":=", "||", "**", "+", "-", "*", "/", "<", ">", "=", "(", ")",
    "[", "]", "{", "}", ",", ";", ":", ".", "\\", "|", "?", "@", "!", "&",
];

/// Cuts a text into tokens, each with its place.
pub(super) fn tokens(text: &str) -> Result<Vec<(usize, Token<'_>)>, SyntaxError> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let blank = rest.len() - rest.trim_start().len();
        if blank > 0 {
            at += blank;
        } else if let Some(inside) = rest.strip_prefix("(*") {
            at += 2 + inside.find("*)").map_or(inside.len(), |end| end + 2);
        } else if rest.starts_with("--") {
            at += rest.find('\n').unwrap_or(rest.len());
        } else {
            let (token, length) = token(rest).map_err(|message| SyntaxError { at, message })?;
            found.push((at, token));
            at += length;
        }
    }
    Ok(found)
}

fn token(rest: &str) -> Result<(Token<'_>, usize), String> {
    let first = rest.as_bytes().first().copied().unwrap_or_default();
    match first {
        b'A'..=b'Z' | b'a'..=b'z' => {
            let word = leading(rest, |b| b.is_ascii_alphanumeric() || b == b'_');
            Ok((Token::Word(word), word.len()))
        }
        b'0'..=b'9' => number(rest),
        b'\'' => string(rest),
        b'"' => encoded(rest),
        b'%' => {
            let digits = leading(rest.get(1..).unwrap_or_default(), |b| matches!(b, b'0' | b'1'));
            Ok((Token::Binary(digits), digits.len() + 1))
        }
        _ => match SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            Some(sign) => Ok((Token::Sign(sign), sign.len())),
            None => Err(format!("{:?} has no meaning in EXPRESS", rest.chars().next().unwrap_or_default())),
        },
    }
}

fn leading(text: &str, keep: impl Fn(u8) -> bool) -> &str {
    let end = text.bytes().position(|b| !keep(b)).unwrap_or(text.len());
    text.get(..end).unwrap_or_default()
}

/// `12`, `1.`, `1.5E-3`; a whole number beyond 64 bits becomes a real.
fn number(rest: &str) -> Result<(Token<'_>, usize), String> {
    let digits = leading(rest, |b| b.is_ascii_digit()).len();
    let mut length = digits;
    if rest.as_bytes().get(length) == Some(&b'.') {
        length += 1 + leading(rest.get(length + 1..).unwrap_or_default(), |b| b.is_ascii_digit()).len();
        if matches!(rest.as_bytes().get(length), Some(b'e' | b'E')) {
            let behind = rest.get(length + 1..).unwrap_or_default();
            let sign = usize::from(behind.starts_with(['+', '-']));
            let exponent = leading(behind.get(sign..).unwrap_or_default(), |b| b.is_ascii_digit()).len();
            if exponent > 0 {
                length += 1 + sign + exponent;
            }
        }
    }
    let text = rest.get(..length).unwrap_or_default();
    if length == digits
        && let Ok(whole) = text.parse()
    {
        return Ok((Token::Integer(whole), length));
    }
    match text.parse::<f64>() {
        Ok(real) if real.is_finite() => Ok((Token::Real(real), length)),
        _ => Err(format!("{text} is beyond the range of reals")),
    }
}

/// `'it''s'`
fn string(rest: &str) -> Result<(Token<'_>, usize), String> {
    let mut text = String::new();
    let mut at = 1;
    loop {
        let behind = rest.get(at..).unwrap_or_default();
        let Some(end) = behind.find('\'') else { return Err("a string is not closed".to_owned()) };
        text.push_str(behind.get(..end).unwrap_or_default());
        at += end + 1;
        if rest.as_bytes().get(at) != Some(&b'\'') {
            return Ok((Token::Text(text), at));
        }
        text.push('\'');
        at += 1;
    }
}

/// `"0000795E"`: eight hexadecimal digits a character (7.5.4).
fn encoded(rest: &str) -> Result<(Token<'_>, usize), String> {
    let digits = leading(rest.get(1..).unwrap_or_default(), |b| b.is_ascii_hexdigit());
    if rest.as_bytes().get(digits.len() + 1) != Some(&b'"') || !digits.len().is_multiple_of(8) {
        return Err("an encoded string has eight hexadecimal digits for each character".to_owned());
    }
    let text: Option<String> = (0..digits.len() / 8)
        .map(|n| u32::from_str_radix(digits.get(n * 8..n * 8 + 8)?, 16).ok().and_then(char::from_u32))
        .collect();
    let text = text.ok_or("an encoded string has a number that is no character")?;
    Ok((Token::Text(text), digits.len() + 2))
}
