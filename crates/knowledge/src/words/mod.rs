//! Words as they are indexed and asked for: each as it is written, by its English stem, by its German stem, and by the words that
//! it is put together from. A question's language is not known, so that texts and questions are told both ways alike.

mod compound;
mod fold;
mod split;
mod tokens;
mod translations;

pub use fold::fold;
pub use split::{LONGEST, chunks, humps};
pub use tokens::{Analyzer, TOKENIZER};

use compound::Parts;
use foldhash::HashMap;
use std::sync::{Arc, OnceLock};
use tantivy::tokenizer::{Language, Stemmer, TextAnalyzer, TokenStream};

/// A word of a text or of a question, with all that it is found by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// Folded, whole; first without, then with what names are begun with: `wallcommon` beside `pset_wallcommon`.
    pub whole: Vec<String>,
    /// Its stems, where they differ from it.
    pub stems: Vec<String>,
    /// The words that an identifier is made of, one after the other, each with its stems.
    pub humps: Vec<Vec<String>>,
    /// The words that a compound is put together from, each with its stems.
    pub parts: Vec<Vec<String>>,
}

/// Cuts words, and keeps what it found of those that come again and again.
#[derive(Clone)]
pub struct Words {
    english: TextAnalyzer,
    german: TextAnalyzer,
    known: HashMap<String, Arc<Word>>,
}

/// Words that are kept; beyond, all are forgotten and kept anew.
const KEPT: usize = 60_000;
/// Letters from which a word is tried as a compound.
const COMPOUND: usize = 8;

impl Default for Words {
    fn default() -> Self {
        Self {
            english: stemmer(Language::English),
            german: stemmer(Language::German),
            known: HashMap::default(),
        }
    }
}

fn stemmer(language: Language) -> TextAnalyzer {
    TextAnalyzer::builder(tantivy::tokenizer::RawTokenizer::default()).filter(Stemmer::new(language)).build()
}

impl Words {
    /// Analyses a word: all that it is found by.
    pub fn word(&mut self, chunk: &str) -> Arc<Word> {
        if let Some(word) = self.known.get(chunk) {
            return Arc::clone(word);
        }
        let word = Arc::new(self.analyze(chunk));
        if self.known.len() >= KEPT {
            self.known.clear();
        }
        self.known.insert(chunk.to_owned(), Arc::clone(&word));
        word
    }

    fn analyze(&mut self, chunk: &str) -> Word {
        let whole = fold(chunk);
        let mut humps: Vec<Vec<String>> = Vec::new();
        let places = split::humps(chunk);
        if places.len() > 1 {
            humps = places
                .iter()
                .filter_map(|place| chunk.get(place.clone()))
                .map(|hump| self.forms(hump))
                .collect();
        }
        let mut wholes = vec![whole.clone()];
        for prefix in ["ifc", "pset_", "qto_", "penum_"] {
            if let Some(rest) = whole.strip_prefix(prefix).filter(|rest| rest.len() >= 3) {
                wholes.push(rest.to_owned());
            }
        }
        let mut stems = Vec::new();
        let mut parts = Vec::new();
        if places.len() <= 1 {
            // a name of the schema has no stem, what follows its prefix has
            stems = match wholes.get(1).cloned() {
                Some(rest) => self.forms(&rest),
                None => self.forms(chunk),
            };
            stems.retain(|stem| !wholes.contains(stem));
            if whole.chars().count() >= COMPOUND {
                // its last part may have an ending: `Zeitschritte`
                let ends = std::iter::once(&whole).chain(&stems);
                let found = ends.map(|form| Parts::known().split(form)).find(|found| !found.is_empty());
                parts = found.into_iter().flatten().map(|part| self.forms(&part)).collect();
            }
        }
        Word { whole: wholes, stems, humps, parts }
    }

    /// The English words for a German one, each with its stems: for the whole, or for the parts of a compound.
    pub fn translated(&mut self, word: &Word) -> Vec<Vec<String>> {
        let mut found = translations::english(word.whole.iter().chain(&word.stems));
        if found.is_empty() {
            found = word.parts.iter().flat_map(|part| translations::english(part.iter())).collect();
        }
        found.sort_unstable();
        found.dedup();
        found.into_iter().map(|english| self.forms(english)).collect()
    }

    /// A word folded, and its stems.
    fn forms(&mut self, word: &str) -> Vec<String> {
        let lower = word.to_lowercase();
        let mut forms = vec![fold(word)];
        for stemmer in [&mut self.english, &mut self.german] {
            let mut stream = stemmer.token_stream(&lower);
            if stream.advance() {
                let stem = fold(&stream.token().text);
                if !stem.is_empty() && !forms.contains(&stem) {
                    forms.push(stem);
                }
            }
        }
        forms
    }
}

/// The mark before a word that is only a part of a compound: `Geschoss` in `Geschossflächenzahl` says less than by itself.
pub const PART_MARK: char = '~';

/// A word as it is indexed where it is a part of a compound.
pub fn as_part(form: &str) -> String {
    format!("{PART_MARK}{form}")
}

/// True if a folded word says nothing by itself: articles, prepositions, words of questions.
pub fn is_stop_word(folded: &str) -> bool {
    static WORDS: OnceLock<std::collections::HashSet<String>> = OnceLock::new();
    WORDS
        .get_or_init(|| include_str!("stop_words.txt").split_whitespace().map(fold).collect())
        .contains(folded)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_found_by_its_stems_in_both_languages() {
        let mut words = Words::default();
        let mut meet = |a: &str, b: &str| {
            let all =
                |word: &Word| -> Vec<String> { word.whole.iter().chain(&word.stems).cloned().collect() };
            let (a, b) = (all(&words.word(a)), all(&words.word(b)));
            a.iter().any(|form| b.contains(form))
        };
        for (a, b) in [
            ("walls", "wall"),
            ("Wände", "Wand"),
            ("Türen", "Tuer"),
            ("Stützen", "Stütze"),
            ("properties", "property"),
            ("Treppen", "Treppe"),
            ("ratings", "rating"),
            ("Geschosse", "Geschoss"),
        ] {
            assert!(meet(a, b), "{a} {b}");
        }
        assert!(!meet("wall", "slab"));
    }

    #[test]
    fn an_identifier_is_found_whole_and_by_its_words() {
        let word = Words::default().word("IfcWallStandardCase");
        assert_eq!(word.whole, ["ifcwallstandardcase", "wallstandardcase"]);
        let humps: Vec<&str> = word.humps.iter().map(|forms| forms[0].as_str()).collect();
        assert_eq!(humps, ["ifc", "wall", "standard", "case"]);
    }

    #[test]
    fn a_compound_is_found_by_its_parts() {
        let word = Words::default().word("Feuerwiderstandsklasse");
        let parts: Vec<&str> = word.parts.iter().map(|forms| forms[0].as_str()).collect();
        assert_eq!(parts, ["feuer", "widerstand", "klasse"]);
    }

    #[test]
    fn words_of_questions_are_stop_words() {
        for word in ["welche", "how", "the", "für", "what"] {
            assert!(is_stop_word(&fold(word)), "{word}");
        }
        assert!(!is_stop_word("wall"));
    }
}
