//! The checksum of a delta: CRC-32 (ISO 3309, polynomial 0x04C11DB7 reflected), which notices every damage of up to
//! four bytes in a row. It also tells which byte is damaged where only one is: each position turns the same fault into
//! another difference of checksums, and stepping the difference back from the end finds the position it began at.

const POLYNOMIAL: u32 = 0xEDB8_8320;

/// The change that each byte makes to a checksum, by which [`damage`] goes back.
const TABLE: [u32; 256] = {
    let mut table = [0u32; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut sum = byte as u32;
        let mut bit = 0;
        while bit < 8 {
            sum = if sum & 1 == 1 { (sum >> 1) ^ POLYNOMIAL } else { sum >> 1 };
            bit += 1;
        }
        table[byte] = sum;
        byte += 1;
    }
    table
};

fn entry(byte: u8) -> u32 {
    TABLE.get(usize::from(byte)).copied().unwrap_or_default()
}

/// The checksum of these bytes.
pub(super) fn checksum(bytes: &[u8]) -> u32 {
    crc32fast::hash(bytes)
}

/// Returns the place at which bytes differ from those that had this checksum; none if they have it. Behind the last byte if more than one
/// of them differs or the checksum itself does.
pub(super) fn damage(bytes: &[u8], expected: u32) -> Option<usize> {
    let mut difference = checksum(bytes) ^ expected;
    if difference == 0 {
        return None;
    }
    // every entry of the table has another high byte, so the byte that was shifted in can be told from it
    let mut top = [0u8; 256];
    for byte in 0..=255u8 {
        if let Some(slot) = top.get_mut((entry(byte) >> 24) as usize) {
            *slot = byte;
        }
    }
    let by_top = |word: u32| top.get((word >> 24) as usize).copied().unwrap_or_default();
    for at in (0..bytes.len()).rev() {
        let fault = by_top(difference);
        if fault != 0 && entry(fault) == difference {
            return Some(at);
        }
        // one byte earlier: undo the shift by the byte that comes behind
        difference = ((difference ^ entry(fault)) << 8) | u32::from(fault);
    }
    Some(bytes.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_the_usual_one() {
        assert_eq!(checksum(b"123456789"), 0xCBF4_3926);
        assert_eq!(checksum(b""), 0);
    }

    #[test]
    fn a_damaged_byte_is_found() {
        let whole: Vec<u8> = (0..200u32).map(|n| (n * 37) as u8).collect();
        let sum = checksum(&whole);
        assert_eq!(damage(&whole, sum), None);
        for at in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[at] ^= (at as u8) | 1;
            assert_eq!(damage(&damaged, sum), Some(at));
        }
        assert_eq!(damage(&whole, sum ^ 0x0101_0000), Some(200));
    }
}
