//! Sixty-four bytes at a time: which of them are quotes, semicolons and the like, as bit masks (bit n is byte n), and
//! which lie within a string, by the parity of the quotes before them. AVX2 where the processor has it, plain Rust
//! elsewhere; both give the same masks.

/// Bytes in a block.
pub(crate) const BLOCK: usize = 64;

/// What a block holds.
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

/// A way to make masks.
pub(crate) trait Finder {
    /// The masks of the block at `bytes[at..at + 64]`.
    ///
    /// # Safety
    /// 64 bytes must be readable at `bytes`, and the processor must have what the finder needs.
    unsafe fn masks(bytes: *const u8) -> Masks;
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
}

/// AVX2 and carry-less multiplication.
#[cfg(target_arch = "x86_64")]
pub(crate) struct Avx2;

#[cfg(target_arch = "x86_64")]
impl Avx2 {
    /// Whether the processor has what it needs.
    pub fn is_available() -> bool {
        is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("pclmulqdq")
            && is_x86_feature_detected!("popcnt")
            && is_x86_feature_detected!("bmi1")
    }
}

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
