//! Names that EnergyPlus takes: ASCII, without the signs that end a field or begin a comment, at most eighty letters, and never two
//! that differ in letter case alone.

use std::collections::HashSet;

/// The longest name.
const LONGEST: usize = 80;

/// A name as EnergyPlus takes it; what is left of one in a script without Latin letters may be empty.
pub(crate) fn legal(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for c in name.chars() {
        match c {
            'ä' | 'æ' => out.push_str("ae"),
            'ö' | 'œ' | 'ø' => out.push_str("oe"),
            'ü' => out.push_str("ue"),
            'Ä' | 'Æ' => out.push_str("Ae"),
            'Ö' | 'Ø' => out.push_str("Oe"),
            'Ü' => out.push_str("Ue"),
            'ß' => out.push_str("ss"),
            'à' | 'á' | 'â' | 'ã' | 'å' => out.push('a'),
            'è' | 'é' | 'ê' | 'ë' => out.push('e'),
            'ì' | 'í' | 'î' | 'ï' => out.push('i'),
            'ò' | 'ó' | 'ô' | 'õ' => out.push('o'),
            'ù' | 'ú' | 'û' => out.push('u'),
            'ç' => out.push('c'),
            'ñ' => out.push('n'),
            ',' | ';' | '!' | ':' | '"' | '\'' | '\\' => out.push('_'),
            c if c.is_ascii_graphic() || c == ' ' => out.push(c),
            c if c.is_whitespace() => out.push(' '),
            c if c.is_alphanumeric() => out.push('_'),
            _ => {}
        }
    }
    let mut out = out.split_whitespace().collect::<Vec<_>>().join(" ");
    out.truncate(LONGEST);
    out.trim().to_owned()
}

/// The names given out so far.
#[derive(Debug, Default)]
pub(crate) struct Names {
    taken: HashSet<String>,
}

impl Names {
    /// A legal name that nothing else has: the one asked for, or the same with a number.
    pub fn unique(&mut self, wanted: &str) -> String {
        let base = legal(wanted);
        let base = if base.is_empty() { "Unnamed".to_owned() } else { base };
        let mut name = base.clone();
        let mut number = 1;
        while !self.taken.insert(name.to_ascii_uppercase()) {
            number += 1;
            name = format!("{base} {number}");
        }
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_loses_what_would_end_the_field_and_never_occurs_twice() {
        let mut names = Names::default();
        assert_eq!(names.unique("Küche, Süd!"), "Kueche_ Sued_");
        assert_eq!(names.unique("KUECHE_ SUED_"), "KUECHE_ SUED_ 2");
        assert_eq!(names.unique("  "), "Unnamed");
        assert!(names.unique(&"x".repeat(300)).len() <= LONGEST);
    }
}
