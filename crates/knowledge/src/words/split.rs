//! Texts cut into words: where a word stands, and which words an identifier is made of (`IfcWallStandardCase`, `Pset_WallCommon`,
//! `FireRating`).

use std::ops::Range;

/// Letters of the longest word that is kept; what is longer is data, not a word.
pub const LONGEST: usize = 64;

/// The places of the words of a text: letters, digits and `_`, and `.` between digits.
pub fn chunks(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut signs = text.char_indices().peekable();
    let mut start: Option<usize> = None;
    let mut last = ' ';
    std::iter::from_fn(move || {
        while let Some((at, sign)) = signs.next() {
            let next_digit = || {
                text.get(at + 1..).and_then(|rest| rest.chars().next()).is_some_and(|c| c.is_ascii_digit())
            };
            let inside = sign.is_alphanumeric()
                || sign == '_'
                || (sign == '.' && start.is_some() && last.is_ascii_digit() && next_digit());
            last = sign;
            if inside {
                start.get_or_insert(at);
                if signs.peek().is_none() {
                    return start.take().map(|from| from..text.len());
                }
            } else if let Some(from) = start.take() {
                return Some(from..at);
            }
        }
        None
    })
}

/// The places of the words within an identifier: at `_`, before a capital that follows a small letter or a digit, and before the
/// last capital of several that a small letter follows (`HVACZone`). One place for a plain word.
pub fn humps(chunk: &str) -> Vec<Range<usize>> {
    let signs: Vec<(usize, char)> = chunk.char_indices().collect();
    let mut parts = Vec::new();
    let mut start = 0;
    for (index, (at, sign)) in signs.iter().enumerate() {
        let before = index.checked_sub(1).and_then(|before| signs.get(before)).map(|(_, sign)| *sign);
        let after = signs.get(index + 1).map(|(_, sign)| *sign);
        if *sign == '_' {
            if start < *at {
                parts.push(start..*at);
            }
            start = at + 1;
        } else if sign.is_uppercase()
            && start < *at
            && (before.is_some_and(char::is_lowercase)
                || (before.is_some_and(char::is_uppercase) && after.is_some_and(char::is_lowercase)))
        {
            parts.push(start..*at);
            start = *at;
        }
    }
    if start < chunk.len() {
        parts.push(start..chunk.len());
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_chunks(text: &str, expected: &[&str]) {
        let found: Vec<&str> = chunks(text).map(|place| &text[place]).collect();
        assert_eq!(found, expected, "{text}");
    }

    fn check_humps(chunk: &str, expected: &[&str]) {
        let found: Vec<&str> = humps(chunk).into_iter().map(|place| &chunk[place]).collect();
        assert_eq!(found, expected, "{chunk}");
    }

    #[test]
    fn texts_are_cut_at_what_is_no_letter_and_numbers_keep_their_point() {
        check_chunks("U-Wert 0.24 W/(m²K).", &["U", "Wert", "0.24", "W", "m²K"]);
        check_chunks("Pset_WallCommon.FireRating", &["Pset_WallCommon", "FireRating"]);
        check_chunks("…Tür", &["Tür"]);
        check_chunks("", &[]);
        check_chunks("25.2.", &["25.2"]);
    }

    #[test]
    fn identifiers_are_cut_at_their_capitals() {
        check_humps("IfcWallStandardCase", &["Ifc", "Wall", "Standard", "Case"]);
        check_humps("Pset_WallCommon", &["Pset", "Wall", "Common"]);
        check_humps("HVACZone", &["HVAC", "Zone"]);
        check_humps("IFC4X3", &["IFC4X3"]);
        check_humps("__a_", &["a"]);
        check_humps("Wand", &["Wand"]);
        check_humps("ÖffnungsArt", &["Öffnungs", "Art"]);
    }
}
