//! Line numbers of places in a file.

use rayon::prelude::*;

/// Line ends counted by pieces of the file.
pub(crate) struct Lines {
    /// Line ends before each piece.
    before: Vec<usize>,
    /// The byte that ends lines: a line feed, or in files that have none a carriage return.
    end: u8,
}

const PIECE: usize = 1 << 16;

impl Lines {
    pub fn new(bytes: &[u8]) -> Self {
        let end = if memchr::memchr(b'\n', bytes).is_some() { b'\n' } else { b'\r' };
        let counts: Vec<usize> =
            bytes.par_chunks(PIECE).map(|piece| memchr::memchr_iter(end, piece).count()).collect();
        let mut total = 0;
        let before = counts
            .into_iter()
            .map(|count| {
                total += count;
                total - count
            })
            .collect();
        Self { before, end }
    }

    /// The line of a place, from 1.
    pub fn line(&self, bytes: &[u8], at: usize) -> usize {
        let at = at.min(bytes.len());
        let piece = (at / PIECE).min(self.before.len().saturating_sub(1));
        let before = self.before.get(piece).copied().unwrap_or(0);
        let rest = bytes.get(piece * PIECE..at).unwrap_or_default();
        before + memchr::memchr_iter(self.end, rest).count() + 1
    }

    /// Line and column of a place, both from 1.
    pub fn place(&self, bytes: &[u8], at: usize) -> (usize, usize) {
        let at = at.min(bytes.len());
        let start = memchr::memrchr(self.end, bytes.get(..at).unwrap_or_default()).map_or(0, |end| end + 1);
        (self.line(bytes, at), at - start + 1)
    }
}
