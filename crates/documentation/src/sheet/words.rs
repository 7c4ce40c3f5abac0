//! The words that stand on sheets beside those of drawings, by language.

use std::collections::BTreeMap;
use std::sync::LazyLock;

const TEXT: &str = include_str!("../../templates/words.toml");

type Languages = BTreeMap<String, BTreeMap<String, String>>;

static WORDS: LazyLock<Languages> = LazyLock::new(|| toml::from_str(TEXT).unwrap_or_default());

/// The words of one language; of English where there are none of it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Words(Option<&'static BTreeMap<String, String>>);

impl Words {
    pub fn new(language: &str) -> Words {
        Words(WORDS.get(language).or_else(|| WORDS.get("en")))
    }

    /// The word for a key; the key itself, readable, where there is none.
    pub fn get(self, key: &str) -> String {
        self.known(key).map_or_else(|| readable(key), str::to_owned)
    }

    fn known(self, key: &str) -> Option<&'static str> {
        self.0?.get(key).map(String::as_str)
    }

    /// All keys with their words.
    #[cfg(test)]
    pub fn all(self) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.0.into_iter().flatten().map(|(key, word)| (key.as_str(), word.as_str()))
    }
}

/// The name of a thing as words: `acoustic_board` is `Acoustic board`.
fn readable(key: &str) -> String {
    let words = key.replace('_', " ").to_lowercase();
    let mut chars = words.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_has_every_word() {
        let english: Vec<&String> = WORDS["en"].keys().collect();
        assert!(english.len() > 30);
        for (language, words) in WORDS.iter() {
            assert_eq!(words.keys().collect::<Vec<_>>(), english, "{language}");
            assert!(words.values().all(|word| !word.is_empty()), "{language}");
        }
        let style = crate::style::Style::standard().unwrap();
        assert!(style.words.keys().all(|language| WORDS.contains_key(language)));
        // hatches of the shipped style have their words; air is not told
        let words = Words::new("de");
        assert!(style.hatches.keys().all(|hatch| hatch == "air" || words.known(hatch).is_some()));
        assert_eq!(
            (words.get("legend"), Words::new("xx").get("acoustic_board")),
            ("Legende".into(), "Acoustic board".into())
        );
    }
}
