//! What was damaged, found again and proven: a delta by the id of its version, a row by the hash that the audit log has of it. One
//! flipped bit is looked for by flipping each in turn, which a copy elsewhere is not needed for.

use crate::database::Cell;
use crate::sql::tables::{Table, mark_of_cell};
use contract::VersionId;

/// The most bytes that are hashed to find one bit.
const EFFORT: usize = 1 << 32;

/// The delta that a version was made of, if one flipped bit is all that is wrong with it; with the byte that was changed.
pub(crate) fn delta(version: &VersionId, parent: &VersionId, damaged: &[u8]) -> Option<(Vec<u8>, usize)> {
    let mut bytes = damaged.to_vec();
    let at = flipped(&mut bytes, |bytes| VersionId::of_delta(parent, bytes) == *version)?;
    Some((bytes, at))
}

/// The row with this hash and these marks, if one flipped bit in one column is all that is wrong with it; with the column's name.
pub(crate) fn row(
    table: &Table,
    damaged: &[Cell],
    (sha256, marks): (&str, &str),
) -> Option<(Vec<Cell>, &'static str)> {
    let is_other =
        |at: &usize| damaged.get(*at).is_some_and(|cell| mark_of_cell(cell) != Table::mark(marks, *at));
    let mut others = (0..table.columns.len()).filter(is_other);
    // more than one column cannot come of one bit
    let (Some(at), None) = (others.next(), others.next()) else { return None };
    let wanted = Table::mark(marks, at);
    let mut cells = damaged.to_vec();
    let mut is_it = |cell: Cell| {
        if mark_of_cell(&cell) != wanted {
            return false;
        }
        if let Some(place) = cells.get_mut(at) {
            *place = cell;
        }
        table.hash(&cells).sha256 == sha256
    };
    let found = match damaged.get(at)? {
        Cell::Text(text) => {
            let mut bytes = text.clone().into_bytes();
            let is_text = |bytes: &[u8]| match std::str::from_utf8(bytes) {
                Ok(text) => is_it(Cell::Text(text.to_owned())),
                Err(_) => false,
            };
            flipped(&mut bytes, is_text).is_some()
        }
        Cell::Integer(number) => (0..64).any(|bit| is_it(Cell::Integer(number ^ (1 << bit)))),
        Cell::Null | Cell::Blob(_) | Cell::Other => false,
    };
    let name = table.columns.get(at).copied()?;
    found.then_some((cells, name))
}

/// Flips one bit after the other until `is_it`; the byte in which that one is. Gives up where that would take long.
fn flipped(bytes: &mut [u8], mut is_it: impl FnMut(&[u8]) -> bool) -> Option<usize> {
    if bytes.len().saturating_mul(bytes.len()).saturating_mul(8) > EFFORT {
        return None;
    }
    for at in 0..bytes.len() {
        for bit in 0..8 {
            if let Some(byte) = bytes.get_mut(at) {
                *byte ^= 1 << bit;
            }
            if is_it(bytes) {
                return Some(at);
            }
            if let Some(byte) = bytes.get_mut(at) {
                *byte ^= 1 << bit;
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sql::tables::REFS;

    #[test]
    fn one_bit_of_a_delta_is_found_again_and_two_are_not() {
        let parent = VersionId::from("p");
        let whole = b"WALL('a',3000)".to_vec();
        let version = VersionId::of_delta(&parent, &whole);
        let mut damaged = whole.clone();
        damaged[5] ^= 16;
        assert_eq!(delta(&version, &parent, &damaged), Some((whole, 5)));
        damaged[6] ^= 1;
        assert_eq!(delta(&version, &parent, &damaged), None);
    }

    #[test]
    fn one_bit_of_a_row_is_found_again_in_text_and_in_numbers() {
        let text = |text: &str| Cell::Text(text.into());
        let whole = vec![text("m"), text("main"), text("v1"), Cell::Integer(1000)];
        let hashed = REFS.hash(&whole);
        let known = (hashed.sha256.as_str(), hashed.columns.as_str());
        let mut damaged = whole.clone();
        damaged[2] = text("w1");
        assert_eq!(row(&REFS, &damaged, known), Some((whole.clone(), "version_id")));
        damaged.clone_from(&whole);
        damaged[3] = Cell::Integer(744);
        assert_eq!(row(&REFS, &damaged, known), Some((whole.clone(), "changed_ms")));
        damaged[2] = text("w1");
        assert_eq!(row(&REFS, &damaged, known), None);
    }
}
