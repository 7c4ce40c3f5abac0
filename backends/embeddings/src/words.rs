//! Texts as numbers of word pieces, as the models of the family BERT cut them where they do not tell capitals from small letters.
//!
//! Of `tokenizer.json` only the list of pieces is read. How texts are cut follows from the model, and stands here: the file asks for other
//! lengths than the model's makers do, and the library takes some damaged files for a reason to end the program.

use crate::error::{Error, reason};
use ahash::AHashMap;
use serde::Deserialize;
use tokenizers::models::wordpiece::WordPiece;
use tokenizers::normalizers::BertNormalizer;
use tokenizers::pre_tokenizers::bert::BertPreTokenizer;
use tokenizers::processors::bert::BertProcessing;
use tokenizers::{AddedToken, Tokenizer, TruncationParams};

/// The most word pieces of a text that the model looks at, its marks of begin and end among them; what follows is cut off, as
/// sentence-transformers does.
pub const LONGEST: usize = 256;

/// Pieces that stand for no part of a word: filling, a word that cannot be cut, begin, end, and a word that is left out.
const SPECIAL: [&str; 5] = ["[PAD]", UNKNOWN, BEGIN, END, "[MASK]"];
const UNKNOWN: &str = "[UNK]";
const BEGIN: &str = "[CLS]";
const END: &str = "[SEP]";

#[derive(Deserialize)]
struct File {
    model: Pieces,
}

#[derive(Deserialize)]
struct Pieces {
    vocab: AHashMap<String, u32>,
}

/// A tokenizer that cuts and never fills up.
pub struct Words(Tokenizer);

impl Words {
    /// Reads `tokenizer.json`.
    pub fn read(bytes: &[u8]) -> Result<Self, Error> {
        let file: File = serde_json::from_slice(bytes).map_err(|error| Error::Tokenizer(reason(&error)))?;
        let pieces = file.model.vocab;
        let mark = |name: &str| match pieces.get(name) {
            Some(number) => Ok((name.to_owned(), *number)),
            None => Err(Error::Tokenizer(format!("it has no piece `{name}`"))),
        };
        for name in SPECIAL {
            mark(name)?;
        }
        let marks = BertProcessing::new(mark(END)?, mark(BEGIN)?);
        made(pieces, marks).map(Self).map_err(|error| Error::Tokenizer(reason(&error)))
    }

    /// The numbers of a text's pieces; an error where there is nothing between the marks of begin and end. `at` is the place of the text
    /// among others.
    pub fn pieces(&self, at: usize, text: &str) -> Result<Vec<u32>, Error> {
        let encoding =
            self.0.encode_fast(text, true).map_err(|error| Error::Pieces { at, reason: reason(&error) })?;
        // at least one between the two
        if encoding.len() < 3 {
            return Err(Error::NoWords { at });
        }
        Ok(encoding.get_ids().to_vec())
    }
}

fn made(pieces: AHashMap<String, u32>, marks: BertProcessing) -> tokenizers::Result<Tokenizer> {
    let cut = WordPiece::builder().vocab(pieces).unk_token(UNKNOWN.into()).build()?;
    let mut tokenizer = Tokenizer::new(cut);
    tokenizer.with_normalizer(Some(BertNormalizer::default()))?;
    tokenizer.with_pre_tokenizer(Some(BertPreTokenizer));
    tokenizer.with_post_processor(Some(marks));
    tokenizer.add_special_tokens(SPECIAL.map(|name| AddedToken::from(name, true)))?;
    tokenizer
        .with_truncation(Some(TruncationParams { max_length: LONGEST, ..TruncationParams::default() }))?;
    Ok(tokenizer)
}
