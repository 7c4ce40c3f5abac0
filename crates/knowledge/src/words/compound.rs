//! German compounds of building: `Feuerwiderstandsklasse` is found by `Feuer`, `Widerstand` and `Klasse`. The parts are those of a
//! list of our own; what is not wholly made of them stays whole, so that no word is cut by chance.

use super::{fold, translations};
use std::collections::HashSet;
use std::sync::OnceLock;

/// The parts that compounds are made of, folded.
pub struct Parts {
    known: HashSet<String>,
    longest: usize,
}

/// The letters that join the parts of a compound.
const JOINTS: [&str; 6] = ["", "s", "n", "en", "es", "er"];
/// Letters of the shortest part.
const SHORTEST: usize = 3;

impl Parts {
    /// The parts of the list.
    pub fn known() -> &'static Self {
        static PARTS: OnceLock<Parts> = OnceLock::new();
        PARTS.get_or_init(|| {
            let listed = include_str!("compound_parts.txt").lines().filter(|line| !line.starts_with('#'));
            let listed = Self::from_known(listed.flat_map(str::split_whitespace).map(fold).collect());
            // what has a translation is found by it as a part, too, unless it is a compound itself
            let translated = translations::german().filter(|word| !word.contains(' ')).map(fold);
            let is_plural = |word: &str| {
                let mut endings = JOINTS.iter().chain(&["e"]);
                endings.any(|ending| word.strip_suffix(*ending).is_some_and(|one| listed.known.contains(one)))
            };
            let simple = translated
                .filter(|word| word.len() > SHORTEST && listed.split(word).is_empty() && !is_plural(word));
            let more: Vec<String> = simple.collect();
            Self::from_known(listed.known.into_iter().chain(more).collect())
        })
    }

    fn from_known(known: HashSet<String>) -> Self {
        let longest = known.iter().map(String::len).max().unwrap_or_default();
        Self { known, longest }
    }

    /// The parts of a folded word, if it is made of two or more; the fewest that do.
    pub fn split(&self, word: &str) -> Vec<String> {
        // from the end: the best division of what begins here, as its number of parts and the end of its first
        let ends = word.len();
        let mut best: Vec<Option<(usize, usize, usize)>> = vec![None; ends + 1];
        if let Some(last) = best.last_mut() {
            *last = Some((0, ends, ends));
        }
        for start in (0..ends).rev() {
            if !word.is_char_boundary(start) {
                continue;
            }
            let mut found: Option<(usize, usize, usize)> = None;
            for end in start + SHORTEST..=ends.min(start + self.longest) {
                if !word.get(start..end).is_some_and(|part| self.known.contains(part)) {
                    continue;
                }
                for joint in JOINTS {
                    let next = end + joint.len();
                    // what joins has something to join to, but for endings of the plural
                    if !word.get(end..).is_some_and(|rest| rest.starts_with(joint)) {
                        continue;
                    }
                    if let Some(Some((count, _, _))) = best.get(next)
                        // of equally many the longer first part: `stutze` and not `stutz`
                        && found.is_none_or(|(fewest, _, _)| *count < fewest)
                    {
                        found = Some((count + 1, end, next));
                    }
                }
            }
            if let Some(place) = best.get_mut(start) {
                *place = found;
            }
        }
        let mut parts = Vec::new();
        let mut at = 0;
        while let Some(Some((_, end, next))) = best.get(at).filter(|_| at < ends) {
            parts.extend(word.get(at..*end).map(str::to_owned));
            at = *next;
        }
        if parts.len() < 2 { Vec::new() } else { parts }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(word: &str, expected: &[&str]) {
        assert_eq!(Parts::known().split(&fold(word)), expected, "{word}");
    }

    #[test]
    fn compounds_are_cut_into_the_fewest_known_parts() {
        check("Brandschutzklasse", &["brand", "schutz", "klasse"]);
        check("Wärmedurchgangskoeffizient", &["warme", "durchgang", "koffizient"]);
        check("Außenwand", &["aussen", "wand"]);
        check("Stahlbetonstützen", &["stahl", "beton", "stutze"]);
        check("Deckenplatte", &["decke", "platte"]);
    }

    #[test]
    fn a_word_that_is_not_wholly_known_stays_whole() {
        check("Wandelhalle", &[]);
        check("Wand", &[]);
        check("properties", &[]);
        check("", &[]);
    }
}
