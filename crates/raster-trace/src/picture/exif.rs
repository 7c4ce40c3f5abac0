//! The orientation that a camera wrote (Exif 2.3, tag 274), and pictures turned by it.

use crate::grid::Grid;

/// The orientation in an Exif block, 1 to 8; 1 is upright, and what is said where nothing can be read.
pub(super) fn orientation(block: &[u8]) -> u8 {
    read(block.strip_prefix(b"Exif\0\0").unwrap_or(block)).filter(|own| (1..=8).contains(own)).unwrap_or(1)
}

fn read(tiff: &[u8]) -> Option<u8> {
    let little = match tiff.get(..4)? {
        b"II*\0" => true,
        b"MM\0*" => false,
        _ => return None,
    };
    let short = |at: usize| -> Option<usize> {
        let bytes: [u8; 2] = tiff.get(at..at.checked_add(2)?)?.try_into().ok()?;
        Some(usize::from(if little { u16::from_le_bytes(bytes) } else { u16::from_be_bytes(bytes) }))
    };
    let long = |at: usize| -> Option<usize> {
        let bytes: [u8; 4] = tiff.get(at..at.checked_add(4)?)?.try_into().ok()?;
        usize::try_from(if little { u32::from_le_bytes(bytes) } else { u32::from_be_bytes(bytes) }).ok()
    };
    let directory = long(4)?;
    let entries = short(directory)?;
    for n in 0..entries {
        let at = directory.checked_add(2 + n * 12)?;
        // a SHORT, in the first two bytes of the value
        if short(at)? == 0x0112 && short(at + 2)? == 3 {
            return u8::try_from(short(at + 8)?).ok();
        }
    }
    None
}

/// Turns and mirrors a picture so that it is upright.
pub(super) fn turn(from: Grid<[u8; 3]>, orientation: u8) -> Grid<[u8; 3]> {
    if !(2..=8).contains(&orientation) {
        return from;
    }
    let is_across = orientation >= 5;
    let (width, height) = if is_across { (from.height, from.width) } else { (from.width, from.height) };
    let mut to = Grid::new(width, height);
    let (last_x, last_y) = (from.width.saturating_sub(1), from.height.saturating_sub(1));
    for y in 0..height {
        for x in 0..width {
            let (u, v) = match orientation {
                2 => (last_x - x, y),
                3 => (last_x - x, last_y - y),
                4 => (x, last_y - y),
                5 => (y, x),
                6 => (y, last_y - x),
                7 => (last_x - y, last_y - x),
                _ => (last_x - y, x),
            };
            to.set(x as i64, y as i64, from.at(u as i64, v as i64));
        }
    }
    to
}

#[cfg(test)]
mod tests {
    use super::{orientation, turn};
    use crate::grid::Grid;

    fn block(order: [u8; 4], value: u8) -> Vec<u8> {
        let little = order[0] == b'I';
        let word = |n: u16| if little { n.to_le_bytes() } else { n.to_be_bytes() };
        let long = |n: u32| if little { n.to_le_bytes() } else { n.to_be_bytes() };
        let mut out = b"Exif\0\0".to_vec();
        out.extend(order);
        out.extend(long(8));
        out.extend(word(1));
        out.extend(word(0x0112));
        out.extend(word(3));
        out.extend(long(1));
        out.extend(word(u16::from(value)));
        out.extend([0, 0]);
        out
    }

    #[test]
    fn the_orientation_is_read_in_both_byte_orders() {
        assert_eq!(orientation(&block(*b"II*\0", 6)), 6);
        assert_eq!(orientation(&block(*b"MM\0*", 8)), 8);
        assert_eq!(orientation(&block(*b"MM\0*", 9)), 1);
        let whole = block(*b"II*\0", 6);
        for length in 0..whole.len() - 4 {
            assert_eq!(orientation(&whole[..length]), 1, "{length}");
        }
    }

    #[test]
    fn a_directory_far_away_is_no_orientation() {
        let mut own = block(*b"II*\0", 6);
        own[10..14].copy_from_slice(&u32::MAX.to_le_bytes());
        assert_eq!(orientation(&own), 1);
    }

    #[test]
    fn each_orientation_brings_the_first_pixel_to_its_place() {
        // stored 3 across, 2 down
        let from = Grid { width: 3, height: 2, data: (0..6).map(|n| [n, 0, 0]).collect::<Vec<_>>() };
        let rows = |own: u8| -> Vec<u8> { turn(from.clone(), own).data.iter().map(|c| c[0]).collect() };
        assert_eq!(rows(1), [0, 1, 2, 3, 4, 5]);
        assert_eq!(rows(2), [2, 1, 0, 5, 4, 3]);
        assert_eq!(rows(3), [5, 4, 3, 2, 1, 0]);
        assert_eq!(rows(4), [3, 4, 5, 0, 1, 2]);
        assert_eq!(rows(5), [0, 3, 1, 4, 2, 5]);
        assert_eq!(rows(6), [3, 0, 4, 1, 5, 2]);
        assert_eq!(rows(7), [5, 2, 4, 1, 3, 0]);
        assert_eq!(rows(8), [2, 5, 1, 4, 0, 3]);
    }
}
