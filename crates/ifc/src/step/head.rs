//! The beginning of an instance, `#12=IFCWALL(`: its id and class.

use super::cursor::Cursor;

/// The head of an instance within its statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Head<'b> {
    /// Where its `#` stands in the slice.
    pub start: usize,
    /// The number behind the `#`.
    pub id: u32,
    /// The class as written; empty for a complex instance.
    pub class: &'b [u8],
    /// Where the `(` stands.
    pub open: usize,
}

/// Reads the head of the instance that begins in `bytes`, behind any blanks and comments.
#[inline]
pub(crate) fn read(bytes: &[u8]) -> Option<Head<'_>> {
    let mut at = 0;
    // line ends between instances; anything else is for the cursor
    while bytes.get(at).is_some_and(|b| matches!(b, b'\n' | b'\r')) {
        at += 1;
    }
    if bytes.get(at) == Some(&b'#') {
        if let Some(head) = plain(bytes, at) {
            return Some(head);
        }
    }
    with_blanks(bytes)
}

/// `#12=IFCWALL(` or `#12= IFCWALL(`, as nearly every program writes it.
#[inline]
fn plain(bytes: &[u8], start: usize) -> Option<Head<'_>> {
    let mut at = start + 1;
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
    while bytes.get(at).is_some_and(|b| b.is_ascii_uppercase() || b.is_ascii_digit()) {
        at += 1;
    }
    if at == name || bytes.get(at) != Some(&b'(') {
        return None;
    }
    Some(Head { start, id: u32::try_from(id).ok()?, class: bytes.get(name..at)?, open: at })
}

/// With blanks, comments, lower case or a complex instance.
#[cold]
fn with_blanks(bytes: &[u8]) -> Option<Head<'_>> {
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
}
