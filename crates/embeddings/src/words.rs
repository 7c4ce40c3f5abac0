//! Texts as numbers of word pieces, as the models of the family BERT cut them where they do not tell capitals from small letters: cleaned,
//! without accents, in small letters, apart at spaces and punctuation, each word into the longest pieces that are known.
//!
//! Of `tokenizer.json` only the list of pieces is read. How texts are cut follows from the model, and stands here.

use crate::error::{Error, reason};
use serde::Deserialize;
use std::collections::HashMap;
use unicode_normalization::UnicodeNormalization;
use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory};

/// The most word pieces of a text that the model looks at, its marks of begin and end among them; what follows is cut off, as
/// sentence-transformers does.
pub const LONGEST: usize = 256;
/// The most characters of a word that is cut; a longer one is as if it were unknown.
const LONGEST_WORD: usize = 100;
/// The beginning of a piece that is not the first of its word.
const INNER: &str = "##";

const UNKNOWN: &str = "[UNK]";
const BEGIN: &str = "[CLS]";
const END: &str = "[SEP]";

#[derive(Deserialize)]
struct File {
    model: Pieces,
}

#[derive(Deserialize)]
struct Pieces {
    vocab: HashMap<String, u32>,
}

/// The pieces that are known, by what they are at the begin of a word and within.
pub struct Words {
    first: HashMap<Box<str>, u32>,
    inner: HashMap<Box<str>, u32>,
    unknown: u32,
    begin: u32,
    end: u32,
}

impl Words {
    /// Reads `tokenizer.json`.
    pub fn read(bytes: &[u8]) -> Result<Self, Error> {
        let file: File = serde_json::from_slice(bytes).map_err(|error| Error::Tokenizer(reason(&error)))?;
        let pieces = file.model.vocab;
        let mark = |name: &str| {
            let number = pieces.get(name).copied();
            number.ok_or_else(|| Error::Tokenizer(format!("it has no piece `{name}`")))
        };
        let (unknown, begin, end) = (mark(UNKNOWN)?, mark(BEGIN)?, mark(END)?);
        let (mut first, mut inner) = (HashMap::new(), HashMap::new());
        for (piece, number) in pieces {
            match piece.strip_prefix(INNER) {
                Some(piece) => inner.insert(piece.into(), number),
                None => first.insert(piece.into(), number),
            };
        }
        Ok(Self { first, inner, unknown, begin, end })
    }

    /// The numbers of a text's pieces; an error where there is nothing between the marks of begin and end. `at` is the place of the text
    /// among others.
    pub fn pieces(&self, at: usize, text: &str) -> Result<Vec<u32>, Error> {
        let mut pieces = vec![self.begin];
        for word in words(text) {
            self.cut(&word, &mut pieces);
            if pieces.len() >= LONGEST {
                break;
            }
        }
        if pieces.len() == 1 {
            return Err(Error::NoWords { at });
        }
        pieces.truncate(LONGEST - 1);
        pieces.push(self.end);
        Ok(pieces)
    }

    /// Adds the pieces of a word: the longest that is known from its begin on, then the longest from there; the one for what is unknown
    /// where any part is.
    fn cut(&self, word: &str, pieces: &mut Vec<u32>) {
        let before = pieces.len();
        let mut rest = word;
        if word.chars().count() > LONGEST_WORD {
            pieces.push(self.unknown);
            return;
        }
        while !rest.is_empty() {
            let known = if rest.len() == word.len() { &self.first } else { &self.inner };
            let ends = rest.char_indices().map(|(at, letter)| at + letter.len_utf8());
            let longest = ends.rev().find_map(|end| {
                let (piece, after) = rest.split_at_checked(end)?;
                known.get(piece).map(|number| (*number, after))
            });
            let Some((number, after)) = longest else {
                pieces.truncate(before);
                pieces.push(self.unknown);
                return;
            };
            pieces.push(number);
            rest = after;
        }
    }
}

/// The words of a text in small letters without accents; marks of punctuation and Chinese characters are words of their own.
fn words(text: &str) -> impl Iterator<Item = String> {
    let clean = text.chars().filter(|letter| !says_nothing(*letter)).nfd();
    let plain = clean.filter(|letter| letter.general_category() != GeneralCategory::NonspacingMark);
    let mut letters = plain.flat_map(char::to_lowercase).peekable();
    std::iter::from_fn(move || {
        while letters.next_if(|letter| letter.is_whitespace()).is_some() {}
        let first = letters.next()?;
        let mut word = String::from(first);
        if !stands_alone(first) {
            while let Some(letter) =
                letters.next_if(|letter| !letter.is_whitespace() && !stands_alone(*letter))
            {
                word.push(letter);
            }
        }
        Some(word)
    })
}

/// True for control characters and the like, that are left out.
fn says_nothing(letter: char) -> bool {
    if matches!(letter, '\t' | '\n' | '\r') {
        return false;
    }
    letter == '\u{fffd}' || letter.general_category_group() == GeneralCategoryGroup::Other
}

fn stands_alone(letter: char) -> bool {
    letter.is_ascii_punctuation()
        || letter.general_category_group() == GeneralCategoryGroup::Punctuation
        || is_chinese(letter)
}

/// True for the blocks of Chinese characters that BERT's makers list.
fn is_chinese(letter: char) -> bool {
    matches!(letter,
        '\u{4e00}'..='\u{9fff}' | '\u{3400}'..='\u{4dbf}' | '\u{20000}'..='\u{2a6df}' | '\u{2a700}'..='\u{2b73f}'
        | '\u{2b740}'..='\u{2b81f}' | '\u{2b920}'..='\u{2ceaf}' | '\u{f900}'..='\u{faff}' | '\u{2f800}'..='\u{2fa1f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str) -> Vec<u32> {
        let pieces = r###"{"model": {"vocab": {"[UNK]": 0, "[CLS]": 1, "[SEP]": 2, "wall": 3, "##s": 4, "door": 5, "##way": 6,
            ".": 7, "cafe": 8, "墙": 9, "d": 10, "##oo": 11, "[": 12}}}"###;
        Words::read(pieces.as_bytes()).unwrap().pieces(0, text).unwrap()
    }

    #[test]
    fn words_are_cut_into_the_longest_pieces_that_are_known() {
        assert_eq!(cut("Walls."), [1, 3, 4, 7, 2]);
        assert_eq!(cut("doorway  DOOR\tdoo"), [1, 5, 6, 5, 10, 11, 2]);
        assert_eq!(cut("doorx door"), [1, 0, 5, 2]);
        assert_eq!(cut("Café"), [1, 8, 2]);
        assert_eq!(cut("墙墙wall\u{200b}s"), [1, 9, 9, 3, 4, 2]);
        // no text makes marks of its own
        assert_eq!(cut("[CLS"), [1, 12, 0, 2]);
        assert_eq!(cut(&"wall".repeat(26)), [1, 0, 2]);
        assert_eq!(cut(&"wall ".repeat(300)).len(), LONGEST);
    }

    #[test]
    fn a_list_without_the_marks_is_refused() {
        assert!(matches!(Words::read(br#"{"model": {"vocab": {"[UNK]": 0}}}"#), Err(Error::Tokenizer(_))));
    }
}
