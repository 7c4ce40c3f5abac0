//! A question as words and phrases. There is no language of queries: whatever is typed is words, and what stands in quotes is a phrase.

use crate::words::{LONGEST, Word, Words, chunks, fold, is_stop_word};
use std::sync::Arc;

/// Bytes of a question that are read.
const LONGEST_QUESTION: usize = 4_000;
/// Words of a question that count.
const MOST_WORDS: usize = 32;
/// Words of a phrase that count.
const LONGEST_PHRASE: usize = 12;

/// A word that is asked for.
#[derive(Debug, Clone)]
pub struct AskedWord {
    /// As it was written.
    pub written: String,
    /// All that it is found by.
    pub word: Arc<Word>,
    /// The English words for it, where it is German, each with its stems.
    pub english: Vec<Vec<String>>,
}

impl AskedWord {
    /// True of a name of the schema or of a program: with capitals within, `_` or digits among letters.
    pub fn is_identifier(&self) -> bool {
        let digits = self.written.contains(|sign: char| sign.is_ascii_digit());
        let letters = self.written.contains(char::is_alphabetic);
        self.word.humps.len() > 1 || self.written.contains('_') || (digits && letters)
    }
}

/// A question.
#[derive(Debug, Clone, Default)]
pub struct Question {
    /// Its words, each once; those of phrases as well.
    pub words: Vec<AskedWord>,
    /// The phrases in quotes, folded word for word.
    pub phrases: Vec<Vec<String>>,
    /// The whole, folded, without quotes: perhaps a name.
    pub whole: String,
}

impl Question {
    /// Reads a question; any text is one.
    pub fn read(text: &str, words: &mut Words) -> Self {
        let mut end = text.len().min(LONGEST_QUESTION);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let text = text.get(..end).unwrap_or_default();
        let is_quote = |sign: char| matches!(sign, '"' | '“' | '”' | '„' | '«' | '»');
        let mut question = Self {
            whole: fold(text.trim_matches(|sign: char| sign.is_whitespace() || is_quote(sign))),
            ..Self::default()
        };
        let mut stopped = Vec::new();
        let pieces: Vec<&str> = text.split(is_quote).collect();
        for (at, piece) in pieces.iter().enumerate() {
            // a quote that nothing closes is none
            let quoted = at % 2 == 1 && at + 1 < pieces.len();
            let mut phrase = Vec::new();
            for place in chunks(piece) {
                let Some(chunk) = piece.get(place).filter(|chunk| chunk.len() <= LONGEST * 2) else {
                    continue;
                };
                let word = words.word(chunk);
                if quoted {
                    phrase.extend(steps(&word));
                }
                let english = words.translated(&word);
                let asked = AskedWord { written: chunk.to_owned(), word, english };
                let folded = asked.word.whole.first().cloned().unwrap_or_default();
                if is_stop_word(&folded) {
                    stopped.push(asked);
                } else if !question.words.iter().any(|known| known.word == asked.word)
                    && question.words.len() < MOST_WORDS
                {
                    question.words.push(asked);
                }
            }
            phrase.truncate(LONGEST_PHRASE);
            if phrase.len() > 1 {
                question.phrases.push(phrase);
            }
        }
        // a question of nothing but small words asks for them
        if question.words.is_empty() {
            stopped.truncate(MOST_WORDS);
            question.words = stopped;
        }
        question
    }
}

/// A question in English words, for a model that knows no other language: German words by their English ones, those without by themselves,
/// small ones left out. A question without German words stays as it is.
pub fn in_english(text: &str) -> String {
    let question = Question::read(text, &mut Words::default());
    if question.words.iter().all(|word| word.english.is_empty()) {
        return text.to_owned();
    }
    let words = question.words.iter().flat_map(|word| {
        let english = word.english.iter().filter_map(|forms| forms.first());
        let own = Some(&word.written).filter(|_| word.english.is_empty());
        english.chain(own).map(String::as_str)
    });
    words.collect::<Vec<_>>().join(" ")
}

/// The words of a word in the order in which they are indexed.
fn steps(word: &Word) -> Vec<String> {
    if word.humps.is_empty() {
        return word.whole.first().cloned().into_iter().collect();
    }
    word.humps.iter().filter_map(|forms| forms.first().cloned()).collect()
}
