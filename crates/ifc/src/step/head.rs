//! The beginning of an instance, `#12=IFCWALL(`: its id and class.

use super::blocks::{Finder, WINDOW, Word};
use super::cursor::Cursor;

/// The head of an instance within its statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Head<'b> {
    /// The place of its `#` in the slice.
    pub start: usize,
    /// The number behind the `#`.
    pub id: u32,
    /// The class as written; empty for a complex instance.
    pub class: &'b [u8],
    /// The place of the `(`.
    pub open: usize,
}

/// Reads the head of the instance that begins in `bytes`, behind any blanks and comments.
pub(crate) fn read(bytes: &[u8]) -> Option<Head<'_>> {
    quick(bytes).filter(|head| is_keyword(head.class)).or_else(|| with_blanks(bytes))
}

/// Returns the place of the `(` in the text of an instance, which begins with its `#` and whose class is known to be written with so
/// many letters; `None` where anything but one blank stands between.
#[inline]
pub(crate) fn list(text: &[u8], letters: usize) -> Option<usize> {
    let digits = text.get(1..)?.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let mut at = 1 + digits;
    if text.get(at) != Some(&b'=') {
        return None;
    }
    at += 1;
    at += usize::from(text.get(at) == Some(&b' '));
    // with a letter the class begins: in a comment there may be anything
    let begins = text.get(at)?.is_ascii_alphabetic();
    (begins && text.get(at + letters) == Some(&b'(')).then_some(at + letters)
}

/// True if a class is written with letters, digits and `_` alone.
pub(crate) fn is_keyword(class: &[u8]) -> bool {
    !class.is_empty() && class.iter().all(|b| b.is_ascii_alphanumeric() || *b == b'_')
}

/// Reads a head that has at most one blank, between `=` and class. The class ends at the first `(`: whether it is a
/// keyword is for the caller to check, who may know it already.
#[expect(clippy::inline_always, reason = "the scan is fast only as one loop")]
#[inline(always)]
pub(crate) fn quick(bytes: &[u8]) -> Option<Head<'_>> {
    let mut at = 0;
    // line ends between instances; anything else is for the cursor
    while bytes.get(at).is_some_and(|b| matches!(b, b'\n' | b'\r')) {
        at += 1;
    }
    if bytes.get(at) != Some(&b'#') {
        return None;
    }
    let start = at;
    at += 1;
    let mut id = 0u64;
    while let Some(digit) = bytes.get(at).map(|b| b.wrapping_sub(b'0')).filter(|d| *d < 10) {
        id = id * 10 + u64::from(digit);
        at += 1;
        if at - start > 11 {
            return None;
        }
    }
    if at == start + 1 || bytes.get(at) != Some(&b'=') {
        return None;
    }
    at += 1;
    if bytes.get(at) == Some(&b' ') {
        at += 1;
    }
    let name = at;
    at = parenthesis(bytes, at)?;
    let class = bytes.get(name..at)?;
    Some(Head { start, id: u32::try_from(id).ok()?, class, open: at })
}

/// A head as the scan reads it, where the class is short and its `(` near.
pub(crate) struct Near<'b> {
    /// The place of the `#`.
    pub start: usize,
    pub id: u32,
    /// The class.
    pub class: &'b [u8],
    /// The name, as the finder read it.
    pub word: Word,
}

/// [`quick`] over the instance that begins at `begin` in a file and ends before `end`, without branches on the class's
/// length: bytes behind the instance are looked at, and do not count.
///
/// # Safety
/// The processor must have what the finder needs.
#[expect(clippy::inline_always, reason = "the scan is fast only as one loop")]
#[inline(always)]
pub(crate) unsafe fn near<F: Finder>(bytes: &[u8], begin: usize, end: usize) -> Option<Near<'_>> {
    let mut at = begin;
    while bytes.get(at).is_some_and(|b| matches!(b, b'\n' | b'\r')) {
        at += 1;
    }
    if bytes.get(at) != Some(&b'#') {
        return None;
    }
    let start = at;
    at += 1;
    let mut id = 0u64;
    while let Some(digit) = bytes.get(at).map(|b| b.wrapping_sub(b'0')).filter(|d| *d < 10) {
        id = id * 10 + u64::from(digit);
        at += 1;
        if at - start > 11 {
            return None;
        }
    }
    if at == start + 1 || bytes.get(at) != Some(&b'=') {
        return None;
    }
    at += 1;
    at += usize::from(bytes.get(at) == Some(&b' '));
    let window = bytes.get(at..)?.first_chunk::<WINDOW>()?;
    // SAFETY: the caller promises what the finder needs
    let word = unsafe { F::word(window) };
    let length = word.length;
    // no class at all is a complex instance
    if length == 0 || length >= WINDOW || at + length >= end {
        return None;
    }
    Some(Near { start, id: u32::try_from(id).ok()?, class: window.get(..length)?, word })
}

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGHS: u64 = 0x8080_8080_8080_8080;

/// Returns the place of the next `(`, eight bytes at a time.
#[expect(clippy::inline_always, reason = "the scan is fast only as one loop")]
#[inline(always)]
fn parenthesis(bytes: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    while let Some(chunk) = bytes.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
        // bytes that are the parenthesis become nought, and the lowest nought is found exactly
        let word = u64::from_le_bytes(*chunk) ^ (ONES * u64::from(b'('));
        let found = word.wrapping_sub(ONES) & !word & HIGHS;
        if found != 0 {
            return Some(at + found.trailing_zeros() as usize / 8);
        }
        at += 8;
    }
    let rest = bytes.get(at..)?;
    Some(at + rest.iter().position(|b| *b == b'(')?)
}

/// True if the text of an instance, without its `;`, ends in `)`, blanks and comments left aside.
#[inline]
pub(crate) fn is_closed(text: &[u8]) -> bool {
    match text.iter().rposition(|b| *b > b' ') {
        Some(last) if text.get(last) == Some(&b'/') => {
            let mut cursor = Cursor::new(text, 0);
            let mut closed = false;
            // what comes last before the comment can only be told from the beginning
            while cursor.token() {
                closed = text.get(cursor.at() - 1) == Some(&b')');
            }
            closed
        }
        Some(last) => text.get(last) == Some(&b')'),
        None => false,
    }
}

/// With blanks, comments, lower case or a complex instance.
#[cold]
pub(crate) fn with_blanks(bytes: &[u8]) -> Option<Head<'_>> {
    let mut cursor = Cursor::new(bytes, 0);
    cursor.space();
    let start = cursor.at();
    if !cursor.take(b'#') {
        return None;
    }
    let id = cursor.digits()?;
    if !cursor.take(b'=') {
        return None;
    }
    cursor.space();
    let class = cursor.keyword();
    cursor.space();
    if cursor.peek() != Some(b'(') {
        return None;
    }
    Some(Head { start, id, class, open: cursor.at() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::step::blocks::Plain;

    #[test]
    fn a_near_head_is_the_same_as_a_quick_one() {
        for name in [
            "A",
            "IFCWALL",
            "IFCWALLX",
            "IFCRELDEFINESBYPROPERTIES",
            "IFCRELASSIGNSTOGROUPBYFACTO12",
            "((",
            "",
        ] {
            for text in
                [format!("#12={name}("), format!("\r\n#4294967295= {name}('')"), format!("#7= {name}")]
            {
                let padded = format!("{text};((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((");
                // SAFETY: plain Rust needs nothing
                let near = unsafe { near::<Plain>(padded.as_bytes(), 0, text.len()) };
                let near = near.map(|n| (n.start, n.id, n.class.to_vec()));
                let quick = quick(text.as_bytes()).filter(|q| !q.class.is_empty());
                assert_eq!(near, quick.map(|q| (q.start, q.id, q.class.to_vec())), "{text}");
            }
        }
        // SAFETY: as above
        let short = unsafe { near::<Plain>(b"#1=IFCWALL(", 0, 11) };
        assert!(short.is_none(), "nothing is read behind the end of the bytes");
    }

    #[test]
    fn a_list_is_found_where_the_whole_head_says_or_not_at_all() {
        for text in ["#12=IFCWALL('(')", "#12= IfcWall(", "#00012=IFCWALL()"] {
            assert_eq!(list(text.as_bytes(), 7), read(text.as_bytes()).map(|head| head.open), "{text}");
        }
        for text in [
            "#12=IFCWALL (",
            "#12 =IFCWALL(",
            "#12=  IFCWALL(",
            "#12=/*345*/(IFCWALL(",
            "#1=/*34(*/IFCWALL(",
            "#",
            "",
            "#1",
            "#1=",
            "#1=IFC",
        ] {
            assert_eq!(list(text.as_bytes(), 7), None, "{text}");
        }
    }

    fn check(text: &str, expect: Option<(u32, &str, usize)>) {
        let head = read(text.as_bytes()).map(|h| (h.id, std::str::from_utf8(h.class).unwrap(), h.open));
        assert_eq!(head, expect, "{text}");
    }

    #[test]
    fn heads_are_read_as_programs_write_them() {
        check("#12=IFCWALL($)", Some((12, "IFCWALL", 11)));
        check("\r\n#12= IFCWALL($)", Some((12, "IFCWALL", 14)));
        check("\n #12 = ifcWall ($)", Some((12, "ifcWall", 16)));
        check("/* a; b */ #1\n=\nIFCWALL\n(", Some((1, "IFCWALL", 24)));
        check("#4294967295=A(", Some((4294967295, "A", 13)));
        check("#4294967296=A(", None);
        check("#=A(", None);
        check("#1=(A()B())", Some((1, "", 3)));
        check("ENDSEC", None);
    }

    #[test]
    fn a_comment_behind_the_last_parenthesis_does_not_open_the_instance() {
        for text in ["#1=A($)", "#1=A($) /* b */", "#1=A($)/**/ /* ; ' */\n", "#1=A('/*')/* ) */"] {
            assert!(is_closed(text.as_bytes()), "{text}");
        }
        for text in ["#1=A($", "#1=A($/* ) */", "#1=A('x)*/", "#1=A($)/", ""] {
            assert!(!is_closed(text.as_bytes()), "{text}");
        }
    }
}
