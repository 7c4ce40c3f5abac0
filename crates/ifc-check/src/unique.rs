//! Members of an aggregate that come twice. Members are the same where ISO 10303-11 has instances equal: the same
//! instance, or the same value as it is written.

use ifc::step::Cursor;

/// Returns the places, from the `(` of the list, of the members that have stood before, in the order of the text. Takes time in
/// proportion to the text, times its logarithm.
pub(super) fn repeated(list: &[u8]) -> Vec<usize> {
    let mut members: Vec<(&[u8], usize)> = Vec::new();
    let mut cursor = Cursor::new(list, 1);
    loop {
        cursor.space();
        let start = cursor.at();
        if cursor.skip_value().is_err() {
            break;
        }
        let member = list.get(start..cursor.at()).unwrap_or_default().trim_ascii_end();
        members.push((without_zeros(member), start));
        if !cursor.take(b',') {
            break;
        }
    }
    members.sort_unstable();
    let mut found: Vec<usize> = members
        .windows(2)
        .filter_map(|pair| match pair {
            [(a, _), (b, at)] if a == b => Some(*at),
            _ => None,
        })
        .collect();
    found.sort_unstable();
    found
}

/// A reference without the zeros before its number.
fn without_zeros(member: &[u8]) -> &[u8] {
    let Some(mut digits) = member.strip_prefix(b"#") else { return member };
    while let [b'0', rest @ ..] = digits {
        digits = rest;
    }
    digits
}

#[cfg(test)]
mod tests {
    use super::repeated;

    #[test]
    fn members_that_come_twice_are_found_where_they_stand_again() {
        assert!(repeated(b"(#3,#1,#2)").is_empty());
        assert_eq!(repeated(b"(#3,#1,#3,#1)"), [7, 10]);
        assert_eq!(repeated(b"(#3, #03 )"), [5]);
        assert_eq!(repeated(b"('a','b','a')"), [9]);
        assert_eq!(repeated(b"((1,2),(2,1),(1,2))"), [13]);
        assert!(repeated(b"()").is_empty());
    }
}
