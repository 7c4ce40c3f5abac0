//! Checksums: sixty-four bits that change with every damaged byte, at the speed of memory. No protection against
//! somebody who means to deceive; what an index says of an instance is compared with the file for that.

const PRIME: u64 = 0x9E37_79B9_7F4A_7C15;

/// The checksum of bytes, whose meaning or place `seed` says.
pub(super) fn sum(bytes: &[u8], seed: u64) -> u64 {
    let mut lanes = [seed ^ PRIME, seed.rotate_left(17), seed.rotate_left(31) ^ 1, !seed];
    let mut chunks = bytes.chunks_exact(32);
    for chunk in &mut chunks {
        for (lane, word) in lanes.iter_mut().zip(chunk.chunks_exact(8)) {
            *lane = (lane.rotate_left(29) ^ number(word)).wrapping_mul(PRIME);
        }
    }
    let mut total = bytes.len() as u64 ^ seed;
    for lane in lanes {
        total = (total.rotate_left(23) ^ lane).wrapping_mul(PRIME);
    }
    for rest in chunks.remainder().chunks(8) {
        total = (total.rotate_left(23) ^ number(rest)).wrapping_mul(PRIME);
    }
    total ^ (total >> 29)
}

fn number(bytes: &[u8]) -> u64 {
    let mut word = [0; 8];
    for (to, from) in word.iter_mut().zip(bytes) {
        *to = *from;
    }
    u64::from_le_bytes(word)
}

/// A checksum over places all through a file, its beginning and its end: enough to tell two files apart that are not the
/// same, too little to find a changed byte, which content addresses are for.
pub(super) fn sample(bytes: &[u8]) -> u64 {
    let ends = bytes.len().min(4096);
    let mut total = sum(bytes.get(..ends).unwrap_or_default(), 1);
    total = sum(bytes.get(bytes.len() - ends..).unwrap_or_default(), total);
    for place in 0..64 {
        let at = bytes.len() / 64 * place;
        total = sum(bytes.get(at..(at + 64).min(bytes.len())).unwrap_or_default(), total);
    }
    total ^ bytes.len() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_changed_byte_and_every_lost_one_changes_the_sum() {
        let bytes: Vec<u8> = (0..200u8).collect();
        let whole = sum(&bytes, 7);
        assert_ne!(whole, sum(&bytes, 8));
        for at in 0..bytes.len() {
            let mut other = bytes.clone();
            other[at] ^= 0x10;
            assert_ne!(sum(&other, 7), whole);
            assert_ne!(sum(&bytes[..at], 7), whole);
        }
    }
}
