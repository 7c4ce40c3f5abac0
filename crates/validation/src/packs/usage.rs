//! The usage of rooms, told by the words of the file: a vocabulary of usages with the words, in several languages, that each is known by.
//!
//! A room is what its long name says, else its object type, its name, its stated occupancy, its classification, and what properties named as
//! a category say, in this order. Of several words the longest counts, so that a stair hall is a stair and no hall. A pack may add usages and words.

use ifc::psets;
use ifc::relations::Links;
use spatial::Room;

/// The shared vocabulary.
const SHARED: &str = include_str!("../../packs/usages.toml");
/// Words of fewer letters count only by themselves.
const SHORT: usize = 5;
/// Words of fewer letters count only where another word begins or ends with them.
const LONG: usize = 7;

/// Usages with the words that they are known by, in lower case.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Vocabulary {
    words: Vec<(String, String)>,
}

impl Vocabulary {
    /// The shared vocabulary: what every pack can name.
    pub fn shared() -> Self {
        let mut vocabulary = Self::default();
        let (table, _) = toml::de::DeTable::parse_recoverable(SHARED);
        for (usage, words) in table.get_ref() {
            let words = words.get_ref().as_array().into_iter().flat_map(|list| list.iter());
            for word in words.filter_map(|word| word.get_ref().as_str()) {
                vocabulary.add(usage.get_ref(), word);
            }
        }
        vocabulary
    }

    /// Adds a word to a usage, which may be new; a word that was known goes over to it.
    pub fn add(&mut self, usage: &str, word: &str) {
        let word = word.trim().to_lowercase();
        self.words.retain(|(_, known)| *known != word);
        self.words.push((usage.to_owned(), word));
    }

    /// The usages, each once.
    pub fn usages(&self) -> Vec<&str> {
        let mut all: Vec<&str> = self.words.iter().map(|(usage, _)| usage.as_str()).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The usage that a text tells, by its longest word.
    pub fn of_text(&self, text: &str) -> Option<&str> {
        let text = text.to_lowercase();
        let found = self.words.iter().filter(|(_, word)| says(&text, word));
        found.max_by_key(|(_, word)| word.chars().count()).map(|(usage, _)| usage.as_str())
    }

    /// The usage of a room, if anything tells it.
    pub fn usage(&self, links: &Links<'_>, room: &Room) -> Option<String> {
        let told = |text: &str| self.of_text(text).map(str::to_owned);
        let Some(space) = room.space() else { return told(&room.long_name).or_else(|| told(&room.name)) };
        let model = links.model();
        let instance = model.get(space)?;
        let own = [Some(room.long_name.clone()), instance.text("ObjectType"), Some(room.name.clone())];
        own.into_iter()
            .flatten()
            .find_map(|text| told(&text))
            .or_else(|| stated(links, space, is_occupancy).iter().find_map(|text| told(text)))
            .or_else(|| classified(links, space).iter().find_map(|text| told(text)))
            .or_else(|| stated(links, space, is_category).iter().find_map(|text| told(text)))
    }
}

/// Returns true if a text has a word: anywhere where it is long, at an end of one of its words, or by itself where it is short.
fn says(text: &str, word: &str) -> bool {
    let length = word.chars().count();
    // words of Chinese and Japanese stand side by side
    if length >= LONG || word.contains(' ') || word.chars().all(|c| c >= '\u{2E80}') {
        return text.contains(word);
    }
    let mut parts = text.split(|c: char| !(c.is_alphanumeric() || word.contains(c)));
    parts.any(|part| {
        let plain = part.trim_end_matches(|c: char| c.is_ascii_digit());
        plain == word || (length >= SHORT && (plain.starts_with(word) || plain.ends_with(word)))
    })
}

fn is_occupancy(name: &str) -> bool {
    name.eq_ignore_ascii_case("OccupancyType")
}

fn is_category(name: &str) -> bool {
    let name = name.to_lowercase();
    name.contains("category") || name.contains("omniclass") || name.contains("uniclass")
}

/// The texts of a space's properties with such names.
fn stated(links: &Links<'_>, space: ifc::Id, is_wanted: fn(&str) -> bool) -> Vec<String> {
    let sets = psets::merged(links, space);
    let all = sets.into_iter().flat_map(|set| set.properties);
    all.filter(|p| is_wanted(&p.name)).filter_map(|p| super::value::text(&p.value)).collect()
}

/// The names of a space's classifications.
fn classified(links: &Links<'_>, space: ifc::Id) -> Vec<String> {
    let references = links.classifications_of(space);
    references.into_iter().filter_map(|id| links.model().get(id)?.name()).collect()
}

#[cfg(test)]
mod tests {
    use super::Vocabulary;

    #[test]
    fn rooms_are_known_by_their_longest_word_in_several_languages() {
        let words = Vocabulary::shared();
        let told = [
            ("Living Room", "living"),
            ("Bathroom 1", "bathroom"),
            ("Schlafzimmer", "bedroom"),
            ("Treppenhaus", "stair"),
            ("Stair hall", "stair"),
            ("WC", "bathroom"),
            ("wc2", "bathroom"),
            ("Flur", "circulation"),
            ("OFFICE 204", "office"),
            ("次卧", "bedroom"),
            ("Коридор", "circulation"),
            ("С/У", "bathroom"),
            ("13-85 21 11: Stairway", "stair"),
        ];
        for (text, usage) in told {
            assert_eq!(words.of_text(text), Some(usage), "{text}");
        }
        assert_eq!(words.of_text("Room"), None);
        assert_eq!(words.of_text("A102"), None);
        assert_eq!(words.of_text("Wcx"), None);
        assert_eq!(words.of_text("Collaboration"), None);
    }

    #[test]
    fn a_pack_adds_words_of_its_own() {
        let mut words = Vocabulary::shared();
        words.add("sauna", "Steam bath");
        assert_eq!(words.of_text("steam bath"), Some("sauna"));
        assert!(words.usages().contains(&"sauna"));
    }
}
