//! A mapped index file, seen as numbers. The only place of the kernel that looks at bytes as something else.

use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::Path;

/// Unsigned numbers as the file has them, least byte first.
pub(super) trait Word: Copy {}
impl Word for u16 {}
impl Word for u32 {}
impl Word for u64 {}

/// The mapped file.
pub(super) struct Map {
    map: memmap2::Mmap,
}

impl Map {
    pub fn open(path: &Path) -> io::Result<Self> {
        if cfg!(target_endian = "big") {
            return Err(io::Error::from(io::ErrorKind::Unsupported));
        }
        let file = File::open(path)?;
        // SAFETY: index files are written beside their name, renamed into place, and never changed after that
        let map = unsafe { memmap2::Mmap::map(&file) }?;
        Ok(Self { map })
    }

    pub fn len(&self) -> usize {
        self.map.len()
    }

    pub fn bytes(&self, range: Range<usize>) -> Option<&[u8]> {
        self.map.get(range)
    }

    /// The numbers in a range of bytes; `None` if it lies outside, unevenly, or between two numbers.
    pub fn words<T: Word>(&self, range: Range<usize>) -> Option<&[T]> {
        let bytes = self.map.get(range)?;
        // SAFETY: `Word` is implemented for unsigned numbers alone, of which every pattern of bits is one
        let (before, words, behind) = unsafe { bytes.align_to::<T>() };
        (before.is_empty() && behind.is_empty()).then_some(words)
    }
}
