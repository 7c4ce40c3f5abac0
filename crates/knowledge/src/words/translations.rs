//! German words and the English ones by which the same is found. Nearly all that there is to read is in English: a question in German is
//! asked by both.

use super::fold;
use std::collections::HashMap;
use std::sync::OnceLock;
use tantivy::tokenizer::{Language, RawTokenizer, Stemmer, TextAnalyzer, TokenStream};

/// The lines of the list: German words, and English ones.
fn lines() -> impl Iterator<Item = (&'static str, &'static str)> {
    let lines = include_str!("translations.txt").lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| line.split_once('='))
}

/// The German words of the list.
pub fn german() -> impl Iterator<Item = &'static str> {
    lines().flat_map(|(german, _)| german.split(',')).map(str::trim)
}

/// English words by folded German ones, as they are listed and by their stems.
fn known() -> &'static HashMap<String, Vec<&'static str>> {
    static KNOWN: OnceLock<HashMap<String, Vec<&'static str>>> = OnceLock::new();
    KNOWN.get_or_init(|| {
        let mut stemmer =
            TextAnalyzer::builder(RawTokenizer::default()).filter(Stemmer::new(Language::German)).build();
        let mut known: HashMap<String, Vec<&'static str>> = HashMap::new();
        for (german, english) in lines() {
            for word in german.split(',').map(str::trim) {
                let mut forms = vec![fold(word)];
                let lower = word.to_lowercase();
                let mut stream = stemmer.token_stream(&lower);
                if stream.advance() {
                    forms.push(fold(&stream.token().text));
                }
                forms.dedup();
                for form in forms {
                    let own = known.entry(form).or_default();
                    own.extend(
                        english.split_whitespace().filter(|word| !own.contains(word)).collect::<Vec<_>>(),
                    );
                }
            }
        }
        known
    })
}

/// The English words for a word by its forms, of the first form that has some.
pub fn english<'a>(mut forms: impl Iterator<Item = &'a String>) -> Vec<&'static str> {
    forms.find_map(|form| known().get(form)).cloned().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::Words;

    fn told(word: &str) -> Vec<String> {
        let mut words = Words::default();
        let word = words.word(word);
        words.translated(&word).into_iter().map(|forms| forms[0].clone()).collect()
    }

    #[test]
    fn german_words_lead_to_english_ones_in_every_form_and_as_parts() {
        for (german, english) in [
            ("Türen", "door"),
            ("Tuer", "door"),
            ("umbenannt", ""),
            ("umbenennen", "rename"),
            ("Außenwände", "wall"),
            ("Zeitschritte", "timestep"),
            ("Fensterflügel", "window"),
            ("door", ""),
        ] {
            let told = told(german);
            assert!(
                if english.is_empty() { told.is_empty() } else { told.iter().any(|own| own == english) },
                "{german}: {told:?}"
            );
        }
    }

    #[test]
    fn every_line_of_the_list_has_both_sides() {
        assert!(lines().count() > 400);
        for (german, english) in lines() {
            assert!(german.split(',').all(|word| !word.trim().is_empty()), "{german}");
            assert!(english.split_whitespace().count() > 0, "{german}");
            assert!(english.is_ascii(), "{english}");
        }
    }
}
