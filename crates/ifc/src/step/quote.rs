//! Finds the end of a string. Apostrophes in it are doubled, and so the next single one closes it: but for `\S\'`, in which
//! ISO 10303-21 (clause 6.4.3.3) lets the apostrophe stand alone as a code of the upper half of a page.
//!
//! Programs disagree over that one. Some double the apostrophe there as well, and some write a path as it stands
//! (`'D:\PLANS\'`), so that its end looks like the directive. Behind a string only a comma or a parenthesis may follow: the
//! reading of the standard is taken where that holds, else the plain one where it holds there. How far either is looked
//! for is bounded, so that a hostile file still costs one pass.

/// The distance behind a doubtful apostrophe up to which both readings are followed.
const WINDOW: usize = 256;

/// A string's end, as far as it can be told at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Close {
    /// Its closing quote stands here.
    At(usize),
    /// A `\S\'` is in it: see [`doubtful`].
    Doubtful,
    /// Nowhere in these bytes.
    Nowhere,
}

/// The place of the quote that closes the string opened at `open`.
pub fn closing(bytes: &[u8], open: usize) -> Option<usize> {
    match quick(bytes, open) {
        Close::At(at) => Some(at),
        Close::Doubtful => doubtful(bytes, open),
        Close::Nowhere => None,
    }
}

/// Returns the end of a string, where a `\S\'` is left to the caller.
#[inline]
pub(crate) fn quick(bytes: &[u8], open: usize) -> Close {
    let mut at = open + 1;
    loop {
        let Some(found) = memchr::memchr(b'\'', bytes.get(at..).unwrap_or_default()) else {
            return Close::Nowhere;
        };
        at += found;
        if is_doubtful(bytes, at) {
            return Close::Doubtful;
        }
        if bytes.get(at + 1) != Some(&b'\'') {
            return Close::At(at);
        }
        at += 2;
    }
}

/// True if `\S\` stands before the quote at this place.
#[inline]
pub(crate) fn is_doubtful(bytes: &[u8], quote: usize) -> bool {
    quote >= 3
        && bytes.get(quote - 1) == Some(&b'\\')
        && matches!(bytes.get(quote - 3..quote - 1), Some([b'\\', b'S' | b's']))
}

/// The closing quote of a string that may hold a `\S\'`.
#[cold]
pub(crate) fn doubtful(bytes: &[u8], open: usize) -> Option<usize> {
    let first = (open + 1..bytes.len())
        .find(|at| bytes.get(*at) == Some(&b'\'') && is_doubtful(bytes, *at))
        .unwrap_or(open);
    let window = bytes.get(..first.saturating_add(WINDOW).min(bytes.len())).unwrap_or_default();
    let standard = standard(window, open + 1);
    if standard.is_some_and(|at| is_followed_well(bytes, at)) {
        return standard;
    }
    let plain = plain(window, open + 1);
    if plain.is_some_and(|at| is_followed_well(bytes, at)) {
        return plain;
    }
    standard.or_else(|| self::standard(bytes, open + 1))
}

/// True if a comma or a parenthesis comes behind the quote, as behind every string there must.
pub(crate) fn is_followed_well(bytes: &[u8], quote: usize) -> bool {
    let mut cursor = super::cursor::Cursor::new(bytes, quote + 1);
    // comments are not followed through: a long one must not be read once for every string
    while cursor.peek().is_some_and(|byte| byte <= b' ') && cursor.at() - quote < WINDOW {
        cursor.advance(1);
    }
    matches!(cursor.peek(), Some(b',' | b')' | b'/'))
}

/// The first quote that closes if directives are taken as the standard has them.
fn standard(bytes: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    loop {
        match bytes.get(at..)? {
            [b'\\', b'S' | b's', b'\\', _, ..] => at += 4,
            [b'\\', b'\\', ..] | [b'\'', b'\'', ..] => at += 2,
            [b'\'', ..] => return Some(at),
            [_, ..] => at += 1,
            [] => return None,
        }
    }
}

/// The first quote that closes if no directive takes one.
fn plain(bytes: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    loop {
        at += memchr::memchr(b'\'', bytes.get(at..)?)?;
        if bytes.get(at + 1) != Some(&b'\'') {
            return Some(at);
        }
        at += 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::step::text::decode;

    /// Reads the string that `text` begins with: its value, and what is left.
    fn check(text: &str, value: &str, rest: &str) {
        let close = closing(text.as_bytes(), 0).unwrap();
        assert_eq!(decode(&text.as_bytes()[1..close]), value, "{text}");
        assert_eq!(&text[close + 1..], rest, "{text}");
    }

    #[test]
    fn an_apostrophe_behind_s_does_not_close_the_string() {
        check(r"'\S\'abc','x')", "\u{a7}abc", ",'x')");
        check(r"'\S\'',$)", "\u{a7}", ",$)");
        check(r"'\S\'''',$)", "\u{a7}'", ",$)");
        check(r"'\S\'\S\'' )", "\u{a7}\u{a7}", " )");
    }

    #[test]
    fn an_apostrophe_doubled_behind_s_is_one() {
        check(r"'\S\''abc','x')", "\u{a7}abc", ",'x')");
    }

    #[test]
    fn a_path_that_ends_like_the_directive_ends_there() {
        check(r"'D:\S\',$,'x')", r"D:\S\", ",$,'x')");
        check(r"'D:\\S\\','x')", r"D:\S\", ",'x')");
        check(r"'D:\PLANS\','x')", r"D:\PLANS\", ",'x')");
    }

    #[test]
    fn doubtful_strings_without_end_cost_one_pass() {
        for text in [r"\S\'a", r"\S\'", r",\S\'", r"\S\''", r"\S\'),'"] {
            let text = text.repeat(200_000);
            let mut at = 0;
            while let Some(close) = closing(text.as_bytes(), at) {
                at = close + 1;
            }
        }
    }
}
