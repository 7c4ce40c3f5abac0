//! Strings as ISO 10303-21 writes them: a backslash begins a control directive (6.4.3) or is doubled. Reading takes a
//! lone one as it stands, for many programs write paths so; here it is told.

/// True if every backslash of a string, raw between its quotes, is doubled or begins a whole directive.
#[inline]
pub(super) fn is_well_formed(raw: &[u8]) -> bool {
    memchr::memchr(b'\\', raw).is_none() || directives_are_whole(raw)
}

#[cold]
fn directives_are_whole(raw: &[u8]) -> bool {
    let mut rest = raw;
    while let Some(at) = memchr::memchr(b'\\', rest) {
        rest = rest.get(at..).unwrap_or_default();
        let taken = match rest {
            [_, b'\\', ..] => 2,
            // any character of the basic alphabet; an apostrophe may be doubled
            [_, b'S', b'\\', b'\'', b'\'', ..] => 5,
            [_, b'S', b'\\', b' '..=b'~', ..] | [_, b'P', b'A'..=b'I', b'\\', ..] => 4,
            // print control directives
            [_, b'N' | b'F', b'\\', ..] => 3,
            [_, b'X', b'\\', high, low, ..] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => 5,
            [_, b'X', b'2', b'\\', codes @ ..] => match wide(codes, 4) {
                Some(length) => 4 + length,
                None => return false,
            },
            [_, b'X', b'4', b'\\', codes @ ..] => match wide(codes, 8) {
                Some(length) => 4 + length,
                None => return false,
            },
            _ => return false,
        };
        rest = rest.get(taken..).unwrap_or_default();
    }
    true
}

/// Bytes of groups of hexadecimal digits and the `\X0\` behind them.
fn wide(codes: &[u8], digits: usize) -> Option<usize> {
    let length = codes.iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
    let ends = codes.get(length..)?.starts_with(b"\\X0\\");
    (ends && length % digits == 0).then_some(length + 4)
}

#[cfg(test)]
mod tests {
    use super::is_well_formed;

    #[test]
    fn a_backslash_is_doubled_or_begins_a_directive() {
        for sound in [
            "",
            "abc",
            r"C:\\path",
            r"\X2\00E400F6\X0\",
            r"\X\E4",
            r"\S\d",
            r"abc\S\'def",
            r"\PB\\S\d",
            r"\X4\0001F600\X0\",
            r"a\N\b",
        ] {
            assert!(is_well_formed(sound.as_bytes()), "{sound}");
        }
        for wrong in
            [r"C:\path", r"W\xc3\xa4nd", "\\", r"\X2\00E4", r"\X2\00E\X0\", r"\X\G0", r"\PZ\", r"\X0\"]
        {
            assert!(!is_well_formed(wrong.as_bytes()), "{wrong}");
        }
    }
}
