//! Finds the instances of a data section at the speed of memory: id, place and class of each, as columns. It takes
//! well-formed text (comments included) and gives up on anything else, which [`super::thorough`] then reads or explains.
//!
//! A semicolon outside of strings and comments ends a statement. Each statement must begin as an instance does
//! and end in `)`; no line end or semicolon inside a string may be followed by the beginning of an instance; and there
//! must be as many equals signs as instances. A lost quote, bracket or semicolon breaks one of these.

use super::blocks::{BLOCK, Finder, Masks, Plain};
use super::{head, quote};
use crate::columns::{ClassCodes, Columns};

/// The outcome of a scan.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Scanned {
    /// Clean up to a keyword that is no instance (ENDSEC, it should be), whose statement begins here.
    Keyword(usize),
    /// Clean up to the end that was set, which lies between two instances.
    Stop,
    /// Not well-formed, or not at a boundary where it should.
    Unusual,
}

/// The rows found, and whether bytes above 127 were seen (and where first).
pub(crate) struct Found {
    /// The instances.
    pub rows: Columns,
    /// Place of the first byte above 127.
    pub high: Option<usize>,
    /// The way it ended.
    pub end: Scanned,
}

/// Rows to make room for in so many bytes.
pub(crate) fn room(bytes: usize) -> usize {
    bytes / 56
}

/// Scans `bytes[from..to]`, which begins outside of strings and comments, between statements, into columns that are empty.
pub(crate) fn scan(bytes: &[u8], from: usize, to: usize, rows: Columns, codes: &mut ClassCodes) -> Found {
    #[cfg(target_arch = "x86_64")]
    if super::blocks::Avx2::is_available() {
        // SAFETY: the features were just asked for
        return unsafe { scan_avx2(bytes, from, to, rows, codes) };
    }
    scan_with::<Plain>(bytes, from, to, rows, codes)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,pclmulqdq,popcnt,bmi1")]
unsafe fn scan_avx2(bytes: &[u8], from: usize, to: usize, rows: Columns, codes: &mut ClassCodes) -> Found {
    scan_with::<super::blocks::Avx2>(bytes, from, to, rows, codes)
}

struct Scan<'b, 'c> {
    bytes: &'b [u8],
    codes: &'c mut ClassCodes,
    rows: Columns,
    /// The place at which the current statement begins.
    statement: usize,
}

#[expect(clippy::inline_always, reason = "the scan is fast only as one loop")]
#[inline(always)]
pub(crate) fn scan_with<F: Finder>(
    bytes: &[u8],
    from: usize,
    to: usize,
    rows: Columns,
    codes: &mut ClassCodes,
) -> Found {
    let to = to.min(bytes.len());
    let mut scan = Scan { bytes, codes, rows, statement: from };
    let mut high = None;
    let mut equals = 0usize;
    let mut at = from;
    let mut inside = 0u64;
    let mut escaped = 0u64;
    let mut tail = [b' '; BLOCK];
    let end = loop {
        if at >= to {
            let rest = scan.bytes.get(scan.statement..to).unwrap_or_default();
            let between = inside == 0 && rest.iter().all(|b| *b <= b' ');
            break if between { Scanned::Stop } else { Scanned::Unusual };
        }
        let masks: Masks = if at + BLOCK <= to {
            // SAFETY: 64 bytes are there; the finder's features were checked by the caller
            unsafe { F::masks(bytes.as_ptr().add(at)) }
        } else {
            tail.fill(b' ');
            for (to, from) in tail.iter_mut().zip(bytes.get(at..to).unwrap_or_default()) {
                *to = *from;
            }
            // SAFETY: as above, over the padded copy
            unsafe { F::masks(tail.as_ptr()) }
        };
        let quoted = masks.quoted ^ inside;
        let mut keep = u64::MAX;
        let mut next = at + BLOCK;
        let mut next_inside = if quoted >> 63 == 1 { u64::MAX } else { 0 };
        let mut slashes = masks.slash & !quoted;
        while slashes != 0 {
            let bit = slashes.trailing_zeros();
            slashes &= slashes - 1;
            let slash = at + bit as usize;
            if bytes.get(slash + 1) == Some(&b'*') && slash + 1 < to {
                // the block is taken up to the comment, and the scan goes on behind it
                keep = (1u64 << bit) - 1;
                next_inside = 0;
                next = match memchr::memmem::find(bytes.get(slash + 2..to).unwrap_or_default(), b"*/") {
                    Some(found) => slash + 2 + found + 2,
                    None => usize::MAX,
                };
                break;
            }
        }
        if masks.high & keep != 0 && high.is_none() {
            high = Some(at + (masks.high & keep).trailing_zeros() as usize);
        }
        let mut torn = (masks.newline | masks.semicolon) & quoted & keep;
        while torn != 0 {
            let line = at + torn.trailing_zeros() as usize + 1;
            torn &= torn - 1;
            if begins_instance(bytes, line) {
                return Found { rows: scan.rows, high, end: Scanned::Unusual };
            }
        }
        // quotes behind a backslash may be the code of `\S\'`, which the parity knows nothing of
        let mut doubtful = masks.quote & ((masks.backslash << 1) | escaped) & keep;
        while doubtful != 0 {
            let quote = at + doubtful.trailing_zeros() as usize;
            doubtful &= doubtful - 1;
            if quote::is_doubtful(bytes, quote) {
                return Found { rows: scan.rows, high, end: Scanned::Unusual };
            }
        }
        equals += (masks.equals & !quoted & keep).count_ones() as usize;
        let mut semicolons = masks.semicolon & !quoted & keep;
        let mut stop = None;
        while semicolons != 0 {
            let semicolon = at + semicolons.trailing_zeros() as usize;
            semicolons &= semicolons - 1;
            if let Some(end) = scan.statement::<F>(semicolon) {
                // equals signs behind the keyword, in this block, are no instances
                let behind = masks.equals & !quoted & keep & (u64::MAX << (semicolon - at));
                equals -= behind.count_ones() as usize;
                stop = Some(end);
                break;
            }
        }
        if let Some(end) = stop {
            break end;
        }
        if next == usize::MAX {
            break Scanned::Unusual;
        }
        // behind a comment no quote follows a backslash of the same string
        escaped = if keep == u64::MAX { masks.backslash >> 63 } else { 0 };
        inside = next_inside;
        at = next;
    };
    let end = if equals == scan.rows.len() { end } else { Scanned::Unusual };
    Found { rows: scan.rows, high, end }
}

impl Scan<'_, '_> {
    /// Takes the statement that ends at this semicolon; answers how the scan ends, if it ends here.
    #[expect(clippy::inline_always, reason = "the scan is fast only as one loop")]
    #[inline(always)]
    fn statement<F: Finder>(&mut self, semicolon: usize) -> Option<Scanned> {
        let begin = self.statement;
        self.statement = semicolon + 1;
        // SAFETY: the finder's features were checked by the caller
        let near = unsafe { head::near::<F>(self.bytes, begin, semicolon) };
        let near =
            near.and_then(|head| Some((head.start, head.id, self.codes.code_of(head.word, head.class)?)));
        let (start, id, code) = match near {
            Some(head) => head,
            None => match self.far(begin, semicolon) {
                Ok(head) => head,
                Err(end) => return Some(end),
            },
        };
        let is_closed = semicolon > 0 && self.bytes.get(semicolon - 1) == Some(&b')');
        if !(is_closed || head::is_closed(self.bytes.get(start..semicolon).unwrap_or_default())) || id == 0 {
            return Some(Scanned::Unusual);
        }
        if !self.rows.push(id, start, semicolon + 1 - start, code) {
            return Some(Scanned::Unusual);
        }
        None
    }

    /// Place, id and class code of an instance that is written in a less usual way.
    #[cold]
    fn far(&mut self, begin: usize, semicolon: usize) -> Result<(usize, u32, u16), Scanned> {
        let Some(text) = self.bytes.get(begin..semicolon) else { return Err(Scanned::Unusual) };
        let quick = head::quick(text).and_then(|head| Some((head, self.codes.code(head.class)?)));
        let slow = || {
            let head = head::with_blanks(text)?;
            Some((head, self.codes.code(head.class).unwrap_or(ClassCodes::COMPLEX)))
        };
        match quick.or_else(slow) {
            Some((head, _)) if head.class.is_empty() => Err(Scanned::Unusual),
            Some((head, code)) => Ok((begin + head.start, head.id, code)),
            None => Err(keyword(text, begin)),
        }
    }
}

#[cold]
fn keyword(text: &[u8], begin: usize) -> Scanned {
    let mut cursor = super::cursor::Cursor::new(text, 0);
    cursor.space();
    let start = begin + cursor.at();
    if cursor.keyword().eq_ignore_ascii_case(b"ENDSEC") { Scanned::Keyword(start) } else { Scanned::Unusual }
}

/// True if an instance, `#12=`, begins at the line that starts here, or at least within its first hundred bytes:
/// every line is looked at by itself, so the bound keeps the whole linear.
#[cold]
pub(crate) fn begins_instance(bytes: &[u8], line: usize) -> bool {
    let window = bytes.get(line..(line + 100).min(bytes.len())).unwrap_or_default();
    let mut at = 0;
    let byte = |at: usize| window.get(at).copied().unwrap_or(0);
    while matches!(byte(at), b' ' | b'\t' | b'\r') {
        at += 1;
    }
    if byte(at) != b'#' || !byte(at + 1).is_ascii_digit() {
        return false;
    }
    at += 1;
    while byte(at).is_ascii_digit() {
        at += 1;
    }
    while matches!(byte(at), b' ' | b'\t' | b'\r' | b'\n') {
        at += 1;
    }
    byte(at) == b'='
}
