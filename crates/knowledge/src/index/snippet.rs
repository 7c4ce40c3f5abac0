//! The place of a text that answers a question best: bounded, and cut between words.

use super::near::NearWord;
use super::question::AskedWord;
use crate::words::{chunks, fold};
use serde::{Deserialize, Serialize};

/// Letters that a snippet has about.
const LENGTH: usize = 280;
/// Letters that stand before the first word that is asked for.
const BEFORE: usize = 40;
/// Bytes of a text that are looked through.
const LOOKED_THROUGH: usize = 64 << 10;

/// A piece of a text.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Snippet {
    /// The piece, its blanks as single ones; `…` where the text goes on.
    pub text: String,
    /// The byte of the section's text that it begins at.
    pub start: usize,
    /// The byte of the section's text that it ends before.
    pub end: usize,
}

/// The beginnings and pieces of words that answer a question, each with the word of the question that it is for.
#[derive(Debug, Default)]
pub struct Needles {
    forms: Vec<(usize, String)>,
    words: usize,
}

impl Needles {
    /// Takes a word of the question.
    pub fn add(&mut self, asked: &AskedWord, near: &[NearWord]) {
        let mut groups: Vec<Vec<&String>> = vec![asked.word.whole.iter().chain(&asked.word.stems).collect()];
        groups.extend(asked.word.parts.iter().chain(&asked.word.humps).map(|forms| forms.iter().collect()));
        if let Some(first) = groups.first_mut() {
            first.extend(near.iter().map(|word| &word.text));
            first.extend(asked.english.iter().flatten());
        }
        for group in groups {
            let fit = |form: &&String| form.len() >= 2 && !matches!(form.as_str(), "ifc" | "pset" | "qto");
            self.forms.extend(group.into_iter().filter(fit).map(|form| (self.words, form.clone())));
            self.words += 1;
        }
    }

    /// The words of the question that a folded word of a text answers.
    fn answered<'a>(&'a self, folded: &'a str) -> impl Iterator<Item = usize> + 'a {
        let fits = |form: &str| folded.starts_with(form) || (form.len() >= 4 && folded.contains(form));
        self.forms.iter().filter(move |(_, form)| fits(form)).map(|(word, _)| *word)
    }
}

/// The piece of a text in which most of the words stand.
pub fn cut(text: &str, needles: &Needles) -> Snippet {
    let mut end = text.len().min(LOOKED_THROUGH);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let looked_through = text.get(..end).unwrap_or_default();
    // where a word begins that is asked for, and by which
    let mut found: Vec<(usize, usize)> = Vec::new();
    for place in chunks(looked_through) {
        let Some(chunk) = looked_through.get(place.clone()) else { continue };
        found.extend(needles.answered(&fold(chunk)).map(|word| (place.start, word)));
    }
    let from = densest(&found).map_or(0, |first| first.saturating_sub(BEFORE));
    piece(text, from)
}

/// The first of the places among which most different words stand within a snippet.
fn densest(found: &[(usize, usize)]) -> Option<usize> {
    let mut best: Option<(usize, usize, usize)> = None;
    for (index, (start, _)) in found.iter().enumerate() {
        let within = || found.iter().skip(index).take_while(|(at, _)| *at < start + LENGTH - BEFORE).take(64);
        let mut different: Vec<usize> = within().map(|(_, word)| *word).collect();
        different.sort_unstable();
        different.dedup();
        let count = (different.len(), within().count());
        if best.is_none_or(|(words, all, _)| count > (words, all)) {
            best = Some((count.0, count.1, *start));
        }
    }
    best.map(|(_, _, start)| start)
}

fn piece(text: &str, from: usize) -> Snippet {
    let boundary = |at: usize| {
        let mut at = at.min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    // forward to the beginning of a word, unless it is a beginning already
    let mut start = boundary(from);
    if start > 0 {
        let rest = text.get(start..).unwrap_or_default();
        let blank = rest.char_indices().take(BEFORE).find(|(_, sign)| sign.is_whitespace());
        start += blank.map_or(0, |(at, sign)| at + sign.len_utf8());
    }
    let mut end = boundary(start + LENGTH);
    if end < text.len() {
        let inside = text.get(start..end).unwrap_or_default();
        let goes_on =
            text.get(end..).and_then(|rest| rest.chars().next()).is_some_and(|sign| !sign.is_whitespace());
        if goes_on && let Some(blank) = inside.rfind(char::is_whitespace).filter(|blank| *blank > 0) {
            end = start + blank;
        }
    }
    let piece = text.get(start..end).unwrap_or_default();
    let words: Vec<&str> = piece.split_whitespace().collect();
    let mut shown = words.join(" ");
    if start > 0 && !shown.is_empty() {
        shown.insert(0, '…');
    }
    if text.get(end..).is_some_and(|rest| !rest.trim().is_empty()) {
        shown.push('…');
    }
    Snippet { text: shown, start, end }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn needles(words: &[&str]) -> Needles {
        Needles {
            forms: words.iter().map(|word| (*word).to_owned()).enumerate().collect(),
            words: words.len(),
        }
    }

    #[test]
    fn a_name_of_two_words_answers_both() {
        let text = format!("thermal {}ThermalTransmittance", "x ".repeat(400));
        assert!(cut(&text, &needles(&["thermal", "transmittance"])).text.contains("ThermalTransmittance"));
    }

    #[test]
    fn the_piece_with_most_words_is_taken_and_no_word_is_cut() {
        let text = format!(
            "{} The fire rating of a wall stands here. {}",
            "Word ".repeat(100),
            "other words ".repeat(100)
        );
        let snippet = cut(&text, &needles(&["fire", "wall"]));
        assert!(snippet.text.contains("fire rating of a wall"), "{snippet:?}");
        assert!(snippet.text.starts_with("…Word") && snippet.text.ends_with('…'));
        let inside = &text[snippet.start..snippet.end];
        assert!(inside.len() <= LENGTH);
        assert!(text.as_bytes()[snippet.end] == b' ' && text.as_bytes()[snippet.start - 1] == b' ');
    }

    #[test]
    fn a_short_text_is_shown_whole_and_an_empty_one_is_empty() {
        assert_eq!(
            cut("Die Wand", &needles(&["wand"])),
            Snippet { text: "Die Wand".to_owned(), start: 0, end: 8 }
        );
        assert_eq!(cut("", &Needles::default()), Snippet::default());
        let long = "ä".repeat(1_000);
        let snippet = cut(&long, &Needles::default());
        assert!(snippet.end <= LENGTH && long.is_char_boundary(snippet.end));
    }
}
