//! The role that a name says: by the words in it, or by the form of ISO 13567.

use super::Role;
use super::vocabulary::{Sense, VOCABULARY};
use std::sync::LazyLock;
use unicode_normalization::char::decompose_canonical;

/// A name in small letters without accents.
pub(crate) fn folded(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for letter in name.chars().flat_map(char::to_lowercase) {
        match letter {
            'æ' => out.push_str("ae"),
            'đ' | 'ð' => out.push('d'),
            'ı' => out.push('i'),
            'ł' => out.push('l'),
            'ø' => out.push('o'),
            'œ' => out.push_str("oe"),
            'ß' => out.push_str("ss"),
            '\u{300}'..='\u{36f}' => {}
            _ => out.push(plain(letter)),
        }
    }
    out
}

/// A letter of the Latin or the Greek alphabet without its accents; any other as it is, for `й` is no `и`.
fn plain(letter: char) -> char {
    let mut first = None;
    decompose_canonical(letter, |part| {
        first.get_or_insert(part);
    });
    first.filter(|first| matches!(first, 'a'..='z' | 'α'..='ω')).unwrap_or(letter)
}

/// The words of a name: parted by signs, and where letters end and digits begin.
fn words(folded: &str) -> Vec<&str> {
    folded.split(|char: char| !char.is_alphabetic()).filter(|word| !word.is_empty()).collect()
}

/// A thing that names may say, with the words for it: those that may be part of a name, and those that stand alone.
struct Row(Sense, Vec<&'static str>, Vec<&'static str>);

/// The rows in the order in which they are looked for.
static ROWS: LazyLock<Vec<Row>> = LazyLock::new(|| {
    let mut rows: Vec<Row> = Vec::new();
    for (sense, parts, whole) in VOCABULARY {
        let own = rows.iter().position(|row| row.0 == *sense).unwrap_or(rows.len());
        if own == rows.len() {
            rows.push(Row(*sense, Vec::new(), Vec::new()));
        }
        if let Some(row) = rows.get_mut(own) {
            row.1.extend(parts.split(", ").filter(|part| !part.is_empty()));
            row.2.extend(whole.split_whitespace());
        }
    }
    rows.sort_by_key(|row| row.0);
    rows
});

/// The role that a name says.
pub fn role(name: &str) -> Role {
    if let Some(role) = iso13567(name) {
        return role;
    }
    let folded = folded(name);
    let words = words(&folded);
    let said = ROWS.iter().find(|Row(_, parts, whole)| {
        parts.iter().any(|part| holds(&folded, &words, part)) || words.iter().any(|word| whole.contains(word))
    });
    said.map_or(Role::Unknown, |row| row.0.role())
}

/// The role of what a hatch lies in, by the rest of its layer's name: `A-WALL-PATT` is of walls, `HATCH` may be of anything.
pub(crate) fn hatched(name: &str) -> Role {
    if iso13567(name).is_some() {
        let bytes = name.as_bytes();
        return match bytes.get(2..4) {
            Some(b"21" | b"22") => Role::Wall,
            Some(b"--" | b"__") => Role::Unknown,
            _ => Role::Other,
        };
    }
    let folded = folded(name);
    let rest: Vec<&str> = words(&folded)
        .into_iter()
        .filter(|word| {
            !ROWS.iter().any(|Row(own, parts, whole)| {
                *own == Sense::Hatch && (whole.contains(word) || parts.iter().any(|part| word.contains(part)))
            })
        })
        .collect();
    role(&rest.join(" "))
}

/// True if a name holds a word: short ones at the beginning or end of one of its words alone, since `furn` is no `outdoor`.
fn holds(folded: &str, words: &[&str], part: &str) -> bool {
    if part.contains([' ', '-', '_']) || !part.is_ascii() {
        return folded.contains(part);
    }
    words.iter().any(|word| {
        let is_far = matches!(*word, "outdoor" | "indoor" | "indoors" | "outdoors");
        !is_far && (word.starts_with(part) || word.ends_with(part) || (part.len() > 5 && word.contains(part)))
    })
}

/// The role of a layer by ISO 13567-2: agent in two characters, element in six by CI/SfB, presentation in two.
fn iso13567(name: &str) -> Option<Role> {
    let bytes = name.as_bytes();
    let (head, element, kind) = (bytes.get(..2)?, bytes.get(2..8)?, bytes.get(8)?);
    let is_form = bytes.len() <= 16
        && head.first()?.is_ascii_alphabetic()
        && element.iter().all(|byte| byte.is_ascii_digit() || *byte == b'-' || *byte == b'_')
        && kind.is_ascii_uppercase();
    if !is_form {
        return None;
    }
    match kind {
        b'H' => return Some(Role::Hatch),
        b'T' | b'J' | b'K' | b'U' => return Some(Role::Text),
        b'D' => return Some(Role::Dimension),
        b'G' => return Some(Role::Grid),
        b'B' | b'V' => return Some(Role::Sheet),
        _ => {}
    }
    Some(match element.get(..2)? {
        b"21" | b"22" => Role::Wall,
        b"31" => Role::Window,
        b"32" => Role::Door,
        b"24" => Role::Stair,
        b"28" => Role::Column,
        b"74" => Role::Sanitary,
        [b'7' | b'8', _] => Role::Furniture,
        b"--" | b"__" => return None,
        _ => Role::Other,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_of_many_languages_have_their_roles() {
        for (name, own) in [
            ("A-WALL-FULL", Role::Wall),
            ("A-WALL-PATT", Role::Hatch),
            ("A-WALL-IDEN", Role::Text),
            ("A-21----E1", Role::Wall),
            ("A-21----H-", Role::Hatch),
            ("A-32----E4", Role::Door),
            ("A-------D-", Role::Dimension),
            ("WÄNDE_tragend", Role::Wall),
            ("Wand", Role::Wall),
            ("MURS PORTEURS", Role::Wall),
            ("CLOISONS", Role::Wall),
            ("PAREDES", Role::Wall),
            ("Muros", Role::Wall),
            ("DUVAR", Role::Wall),
            ("VÄGG", Role::Wall),
            ("YTTERVÄGGAR", Role::Wall),
            ("Стены", Role::Wall),
            ("перегородки", Role::Wall),
            ("墙体", Role::Wall),
            ("壁", Role::Wall),
            ("벽체", Role::Wall),
            ("ŚCIANY", Role::Wall),
            ("Ściana nośna", Role::Wall),
            ("wall_ext", Role::Wall),
            ("TÜREN", Role::Door),
            ("Tür", Role::Door),
            ("PORTES", Role::Door),
            ("Puertas", Role::Door),
            ("KAPI", Role::Door),
            ("DÖRRAR", Role::Door),
            ("Двери", Role::Door),
            ("门", Role::Door),
            ("DRZWI", Role::Door),
            ("FENSTER", Role::Window),
            ("Fenêtres", Role::Window),
            ("VENTANAS", Role::Window),
            ("окна", Role::Window),
            ("PENCERE", Role::Window),
            ("窓", Role::Window),
            ("A-GLAZ-CURT", Role::Window),
            ("Möbel", Role::Furniture),
            ("MOBILIARIO", Role::Furniture),
            ("A-FURN", Role::Furniture),
            ("Bemaßung", Role::Dimension),
            ("COTAS", Role::Dimension),
            ("Raumnamen", Role::Text),
            ("TREPPE", Role::Stair),
            ("ACHSEN", Role::Grid),
            ("S-GRID", Role::Grid),
            ("0", Role::Unknown),
            ("Layer1", Role::Unknown),
            ("wall-cut", Role::Wall),
            ("Defpoints", Role::Sheet),
            ("outdoor", Role::Unknown),
        ] {
            assert_eq!(role(name), own, "{name}");
        }
    }

    #[test]
    fn words_of_the_vocabulary_can_be_met() {
        for Row(sense, parts, whole) in ROWS.iter() {
            for word in parts.iter().chain(whole) {
                assert_eq!(&folded(word), word, "{sense:?}");
                assert_ne!(role(word), Role::Unknown, "{word}");
            }
        }
    }
}
