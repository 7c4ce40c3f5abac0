//! Sixty-four bytes at a time: which of them are quotes, semicolons and the like, as bit masks (bit n is byte n), and
//! which lie within a string, by the parity of the quotes before them. AVX2 where the processor has it, plain Rust
//! elsewhere; both give the same masks. In the same two ways, the class that an instance begins with.

/// Bytes in a block.
pub(crate) const BLOCK: usize = 64;

/// The signs found in one block of bytes, a bit for each byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Masks {
    /// Apostrophes.
    pub quote: u64,
    /// Semicolons.
    pub semicolon: u64,
    /// Slashes, which may begin a comment.
    pub slash: u64,
    /// Equals signs: one to an instance.
    pub equals: u64,
    /// Line feeds.
    pub newline: u64,
    /// Backslashes.
    pub backslash: u64,
    /// Bytes above 127.
    pub high: u64,
    /// Bytes from a quote up to, not including, the next one, as if the block began outside of a string.
    pub quoted: u64,
}

/// Bytes that a class is looked for in.
pub(crate) const WINDOW: usize = 32;

/// The text before the first `(` of a window, the bytes behind it nought.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Word {
    /// Its bytes; 32 where there is no `(`.
    pub length: usize,
    /// Them, eight to a number, the first one lowest.
    pub words: [u64; 4],
}

/// A way to make masks.
pub(crate) trait Finder {
    /// The masks of the block at `bytes[at..at + 64]`.
    ///
    /// # Safety
    /// 64 bytes must be readable at `bytes`, and the processor must have what the finder needs.
    unsafe fn masks(bytes: *const u8) -> Masks;

    /// Reads the word before the first `(`, without a branch on its length, which varies from instance to instance.
    ///
    /// # Safety
    /// The processor must have what the finder needs.
    unsafe fn word(window: &[u8; WINDOW]) -> Word;
}

/// By how many of a number's bytes count: which of its bits do.
const COUNTED: [u64; 9] = {
    let mut masks = [u64::MAX; 9];
    let mut bytes = 0;
    while bytes < 8 {
        masks[bytes] = (1 << (8 * bytes)) - 1;
        bytes += 1;
    }
    masks
};

/// The first `length` bytes of a window.
pub(crate) fn word(window: &[u8; WINDOW], length: usize) -> Word {
    let mut words = [0; 4];
    for ((word, chunk), before) in words.iter_mut().zip(window.as_chunks::<8>().0).zip([0, 8, 16, 24]) {
        let counted = COUNTED.get(length.saturating_sub(before).min(8)).copied().unwrap_or(0);
        *word = u64::from_le_bytes(*chunk) & counted;
    }
    Word { length, words }
}

/// Plain Rust.
pub(crate) struct Plain;

impl Finder for Plain {
    #[expect(clippy::inline_always, reason = "the scan is fast only as one loop")]
    #[inline(always)]
    unsafe fn masks(bytes: *const u8) -> Masks {
        // SAFETY: the caller promises 64 readable bytes
        let block = unsafe { std::slice::from_raw_parts(bytes, BLOCK) };
        let mut masks = Masks::default();
        for (at, byte) in block.iter().enumerate() {
            let bit = 1u64 << at;
            match byte {
                b'\'' => masks.quote |= bit,
                b';' => masks.semicolon |= bit,
                b'/' => masks.slash |= bit,
                b'=' => masks.equals |= bit,
                b'\n' => masks.newline |= bit,
                b'\\' => masks.backslash |= bit,
                0x80.. => masks.high |= bit,
                _ => {}
            }
        }
        let mut parity = masks.quote;
        for shift in [1, 2, 4, 8, 16, 32] {
            parity ^= parity << shift;
        }
        masks.quoted = parity;
        masks
    }

    #[expect(clippy::inline_always, reason = "the scan is fast only as one loop")]
    #[inline(always)]
    unsafe fn word(window: &[u8; WINDOW]) -> Word {
        word(window, window.iter().position(|byte| *byte == b'(').unwrap_or(WINDOW))
    }
}

/// AVX2 and carry-less multiplication.
#[cfg(target_arch = "x86_64")]
pub(crate) struct Avx2;

#[cfg(target_arch = "x86_64")]
impl Avx2 {
    /// True if the processor has what it needs.
    pub fn is_available() -> bool {
        is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("pclmulqdq")
            && is_x86_feature_detected!("popcnt")
            && is_x86_feature_detected!("bmi1")
    }
}

/// 32 bytes that count and 32 that do not: read from 32 less a length on, as many count.
#[cfg(target_arch = "x86_64")]
const FIRST: [u8; 2 * WINDOW] = {
    let mut bytes = [0; 2 * WINDOW];
    let mut at = 0;
    while at < WINDOW {
        bytes[at] = u8::MAX;
        at += 1;
    }
    bytes
};

#[cfg(target_arch = "x86_64")]
impl Finder for Avx2 {
    #[inline(always)]
    unsafe fn masks(bytes: *const u8) -> Masks {
        use std::arch::x86_64::{
            _mm_clmulepi64_si128, _mm_cvtsi128_si64, _mm_set_epi64x, _mm_set1_epi8, _mm256_cmpeq_epi8,
            _mm256_loadu_si256, _mm256_movemask_epi8, _mm256_set1_epi8,
        };
        // SAFETY: the caller promises 64 readable bytes and the features; loads are unaligned ones
        unsafe {
            let low = _mm256_loadu_si256(bytes.cast());
            let high = _mm256_loadu_si256(bytes.add(32).cast());
            macro_rules! equal {
                ($byte:expr) => {{
                    let wanted = _mm256_set1_epi8($byte as i8);
                    let a = _mm256_movemask_epi8(_mm256_cmpeq_epi8(low, wanted)) as u32;
                    let b = _mm256_movemask_epi8(_mm256_cmpeq_epi8(high, wanted)) as u32;
                    u64::from(a) | (u64::from(b) << 32)
                }};
            }
            let quote = equal!(b'\'');
            let sign_low = _mm256_movemask_epi8(low) as u32;
            let sign_high = _mm256_movemask_epi8(high) as u32;
            let product = _mm_clmulepi64_si128::<0>(_mm_set_epi64x(0, quote as i64), _mm_set1_epi8(-1));
            Masks {
                quote,
                semicolon: equal!(b';'),
                slash: equal!(b'/'),
                equals: equal!(b'='),
                newline: equal!(b'\n'),
                backslash: equal!(b'\\'),
                high: u64::from(sign_low) | (u64::from(sign_high) << 32),
                quoted: _mm_cvtsi128_si64(product) as u64,
            }
        }
    }

    #[inline(always)]
    unsafe fn word(window: &[u8; WINDOW]) -> Word {
        use std::arch::x86_64::{
            _mm256_and_si256, _mm256_cmpeq_epi8, _mm256_loadu_si256, _mm256_movemask_epi8, _mm256_set1_epi8,
            _mm256_storeu_si256,
        };
        let mut words = [0; 4];
        // SAFETY: the caller promises the features; the window has 32 bytes, and 32 less a length of at most 32 lies within
        // the table of 64 with 32 bytes behind it
        let length = unsafe {
            let bytes = _mm256_loadu_si256(window.as_ptr().cast());
            let open = _mm256_movemask_epi8(_mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(b'(' as i8))) as u32;
            let length = open.trailing_zeros() as usize;
            let counted = _mm256_loadu_si256(FIRST.as_ptr().add(WINDOW - length).cast());
            _mm256_storeu_si256(words.as_mut_ptr().cast(), _mm256_and_si256(bytes, counted));
            length
        };
        Word { length, words }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[cfg(target_arch = "x86_64")]
        #[test]
        fn both_finders_see_the_same(
            bytes in proptest::collection::vec(
                prop_oneof![Just(b'\''), Just(b';'), Just(b'/'), Just(b'='), Just(b'\n'), Just(b'\\'), any::<u8>()], BLOCK),
        ) {
            if Avx2::is_available() {
                // SAFETY: the vector has 64 bytes and the features are there
                let (plain, wide) = unsafe { (Plain::masks(bytes.as_ptr()), Avx2::masks(bytes.as_ptr())) };
                prop_assert_eq!(plain, wide);
            }
        }

        #[cfg(target_arch = "x86_64")]
        #[test]
        fn both_finders_read_the_same_word(
            bytes in proptest::collection::vec(prop_oneof![8 => Just(b'A'), 1 => Just(b'('), 1 => any::<u8>()], WINDOW),
        ) {
            if Avx2::is_available() {
                let window = bytes.first_chunk().unwrap();
                // SAFETY: the features are there
                let (plain, wide) = unsafe { (Plain::word(window), Avx2::word(window)) };
                prop_assert_eq!(plain, wide);
            }
        }
    }

    #[test]
    fn a_string_is_masked_from_its_opening_quote_to_before_its_closing_one() {
        let mut block = [b' '; BLOCK];
        block[3] = b'\'';
        block[7] = b'\'';
        // SAFETY: 64 bytes
        let masks = unsafe { Plain::masks(block.as_ptr()) };
        assert_eq!(masks.quoted, 0b111_1000);
    }
}
