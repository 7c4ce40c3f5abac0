//! The words of a text as tantivy indexes them. All forms of a word stand at one position, so that phrases are found in any form; the
//! words of an identifier stand one after the other, so that "fire rating" is found in `FireRating`.

use super::{LONGEST, Words, as_part, chunks};
use std::ops::Range;
use tantivy::tokenizer::{Token, TokenStream, Tokenizer};

/// The name that fields call the analysis by.
pub const TOKENIZER: &str = "building";

/// Cuts texts into words with all their forms.
#[derive(Clone, Default)]
pub struct Analyzer {
    words: Words,
    tokens: Vec<Token>,
}

/// The words of one text, one after the other.
pub struct Tokens<'a> {
    tokens: &'a mut [Token],
    /// One more than the place of the current one.
    at: usize,
}

impl Tokenizer for Analyzer {
    type TokenStream<'a> = Tokens<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> Tokens<'a> {
        let Self { words, tokens } = self;
        tokens.clear();
        let mut position = 0;
        for place in chunks(text) {
            let Some(chunk) = text.get(place.clone()) else { continue };
            if chunk.len() > LONGEST * 2 {
                position += 1;
                continue;
            }
            let word = words.word(chunk);
            let mut add = |text: &String, position: usize| tokens.push(token(text, &place, position));
            for form in word.whole.iter().chain(&word.stems) {
                add(form, position);
            }
            for form in word.parts.iter().flatten() {
                add(&as_part(form), position);
            }
            for (step, forms) in word.humps.iter().enumerate() {
                for form in forms {
                    add(form, position + step);
                }
            }
            position += word.humps.len().max(1);
        }
        Tokens { tokens, at: 0 }
    }
}

fn token(text: &str, place: &Range<usize>, position: usize) -> Token {
    Token {
        offset_from: place.start,
        offset_to: place.end,
        position,
        text: text.to_owned(),
        position_length: 1,
    }
}

impl TokenStream for Tokens<'_> {
    fn advance(&mut self) -> bool {
        self.at += 1;
        self.at <= self.tokens.len()
    }

    #[expect(clippy::indexing_slicing, reason = "tantivy asks for a token only after it advanced to one")]
    fn token(&self) -> &Token {
        &self.tokens[self.at - 1]
    }

    #[expect(clippy::indexing_slicing, reason = "tantivy asks for a token only after it advanced to one")]
    fn token_mut(&mut self) -> &mut Token {
        &mut self.tokens[self.at - 1]
    }
}
