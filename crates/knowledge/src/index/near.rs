//! Words of the index near one that it does not have: misspelt by a letter or two, or cut short.

use super::fields::Fields;
use crate::words::{PART_MARK, as_part};
use tantivy::query::FuzzyTermQuery;
use tantivy::{Searcher, Term};

/// Letters from which one may be wrong.
const ONE_WRONG: usize = 5;
/// Letters from which two may be wrong.
const TWO_WRONG: usize = 9;
/// Letters from which a word may be the beginning of another.
const BEGINNING: usize = 4;
/// Words that are taken in the place of one.
const TAKEN: usize = 6;
/// Words that are looked at.
const LOOKED_AT: usize = 2_000;

/// A word of the index that is near.
#[derive(Debug, Clone, PartialEq)]
pub struct NearWord {
    /// The word, folded.
    pub text: String,
    /// How much it counts beside one that is exact.
    pub weight: f32,
}

/// True if a searched field has the word.
pub fn is_known(searcher: &Searcher, fields: &Fields, word: &str) -> tantivy::Result<bool> {
    for form in [word.to_owned(), as_part(word)] {
        for (field, _) in fields.weighted() {
            if searcher.doc_freq(&Term::from_field_text(field, &form))? > 0 {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// The words near one that the index does not have, nearest first, of the frequent ones first.
pub fn near(searcher: &Searcher, fields: &Fields, word: &str) -> tantivy::Result<Vec<NearWord>> {
    let letters = word.chars().count();
    // who mistypes a number means another
    if letters < BEGINNING || word.chars().all(|sign| sign.is_ascii_digit() || sign == '.') {
        return Ok(Vec::new());
    }
    let distances = if letters >= TWO_WRONG { 2 } else { u8::from(letters >= ONE_WRONG) };
    for distance in 1..=distances {
        let found = misspelt(searcher, fields, word, distance)?;
        if !found.is_empty() {
            return Ok(found);
        }
    }
    begun(searcher, fields, word)
}

fn misspelt(
    searcher: &Searcher,
    fields: &Fields,
    word: &str,
    distance: u8,
) -> tantivy::Result<Vec<NearWord>> {
    let mut found: Vec<(u64, String)> = Vec::new();
    for (field, _) in fields.weighted() {
        let query = FuzzyTermQuery::new(Term::from_field_text(field, word), distance, true);
        for segment in searcher.segment_readers() {
            let inverted = segment.inverted_index(field)?;
            let mut stream = inverted.terms().search(query.automaton()?).into_stream()?;
            let mut looked_at = 0;
            while stream.advance() && looked_at < LOOKED_AT {
                looked_at += 1;
                let count = u64::from(stream.value().doc_freq);
                collect(&mut found, stream.key(), count);
            }
        }
    }
    Ok(best(found, 0.7 / f32::from(distance)))
}

fn begun(searcher: &Searcher, fields: &Fields, word: &str) -> tantivy::Result<Vec<NearWord>> {
    let mut found: Vec<(u64, String)> = Vec::new();
    for (field, _) in fields.weighted() {
        for segment in searcher.segment_readers() {
            let inverted = segment.inverted_index(field)?;
            let mut stream = inverted.terms().range().ge(word.as_bytes()).into_stream()?;
            let mut looked_at = 0;
            while stream.advance() && looked_at < LOOKED_AT && stream.key().starts_with(word.as_bytes()) {
                looked_at += 1;
                let count = u64::from(stream.value().doc_freq);
                collect(&mut found, stream.key(), count);
            }
        }
    }
    Ok(best(found, 0.5))
}

fn collect(found: &mut Vec<(u64, String)>, key: &[u8], count: u64) {
    let Ok(text) = std::str::from_utf8(key) else { return };
    if text.starts_with(PART_MARK) {
        return;
    }
    match found.iter_mut().find(|(_, known)| known == text) {
        Some((known, _)) => *known += count,
        None => found.push((count, text.to_owned())),
    }
}

fn best(mut found: Vec<(u64, String)>, weight: f32) -> Vec<NearWord> {
    found.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    found.into_iter().take(TAKEN).map(|(_, text)| NearWord { text, weight }).collect()
}
