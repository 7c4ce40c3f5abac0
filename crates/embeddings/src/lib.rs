//! Vectors of texts by the model all-MiniLM-L6-v2, computed on the processor in one thread.
//!
//! [`Embedder`] opens a model (ONNX) and its tokenizer and makes a vector of length 1 of each text; texts whose vectors point the same
//! way mean similar things. Nothing is fetched, nothing is kept: who asks keeps the vectors, with the hash of the model's file beside
//! them, as those of different files are not to be compared.
//!
//! The model knows English. Of other languages it knows shapes of words and little meaning.

mod arithmetic;
mod error;
mod network;
mod onnx;
mod weights;
mod words;

pub use error::Error;

use network::Network;
use sha2::{Digest, Sha256};
use std::io::Read;
use std::path::Path;
use words::Words;

/// The name of the model.
pub const MODEL: &str = "all-MiniLM-L6-v2";
/// The numbers of a vector.
pub const DIMENSIONS: usize = 384;
/// The most texts at once.
pub const MOST_TEXTS: usize = 256;
/// The most characters of a text. The model sees its first 256 word pieces, which are seldom more than 2,000.
pub const LONGEST_TEXT: usize = 8_000;

/// The most bytes of a model's file; the one that is expected has 23 million.
const LARGEST_MODEL: u64 = 64 << 20;
/// The most bytes of a tokenizer's file.
const LARGEST_TOKENIZER: u64 = 16 << 20;
/// The most word pieces that are computed together: enough to keep the processor busy, few enough to keep memory small.
const BATCH: usize = 1_024;

/// A text, and the first numbers of its vector as `tests/reference.py` computes it, by which the model is known again.
const KNOWN: (&str, [f32; 8]) = (
    "The wall stands on the ground floor.",
    [0.0289, 0.0218, -0.0664, -0.0323, -0.003, 0.0088, -0.0583, 0.0677],
);
/// The most by which such a number may be off where weights are rounded.
const KNOWN_WITHIN: f32 = 0.01;

/// A model and its tokenizer, opened.
pub struct Embedder {
    network: Network,
    words: Words,
    sha256: String,
}

impl Embedder {
    /// Opens a model (ONNX) and its tokenizer (`tokenizer.json`), and sees that they are those of all-MiniLM-L6-v2.
    pub fn open(model: &Path, tokenizer: &Path) -> Result<Self, Error> {
        let tokenizer = read(tokenizer, LARGEST_TOKENIZER)?;
        Self::read(&read(model, LARGEST_MODEL)?, &tokenizer)
    }

    /// Reads a model and its tokenizer from the bytes of their files.
    pub fn read(model: &[u8], tokenizer: &[u8]) -> Result<Self, Error> {
        let words = Words::read(tokenizer)?;
        let sha256 = format!("{:x}", Sha256::digest(model));
        let network = Network::read(model)?;
        let opened = Self { network, words, sha256 };
        opened.is_known()?;
        Ok(opened)
    }

    /// The SHA-256 of the model's file, in hexadecimal digits.
    pub fn sha256(&self) -> &str {
        &self.sha256
    }

    /// The vectors of texts, in their order, each of length 1. Texts are cut at 256 word pieces.
    pub fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, Error> {
        if texts.len() > MOST_TEXTS {
            return Err(Error::TooMany { found: texts.len(), most: MOST_TEXTS });
        }
        // all are looked at before any is computed, so that a refusal comes at once
        for (at, text) in texts.iter().enumerate() {
            let found = text.chars().count();
            if found > LONGEST_TEXT {
                return Err(Error::TooLong { at, found, most: LONGEST_TEXT });
            }
        }
        let pieces: Vec<Vec<u32>> = texts
            .iter()
            .enumerate()
            .map(|(at, text)| self.words.pieces(at, text))
            .collect::<Result<_, _>>()?;
        let mut vectors = Vec::new();
        let mut rest = pieces.as_slice();
        while !rest.is_empty() {
            let mut sum = 0;
            let together = rest.iter().take_while(|text| {
                sum += text.len();
                sum <= BATCH
            });
            // a text by itself is never too long
            let (batch, after) = rest.split_at(together.count().max(1));
            let batch: Vec<&[u32]> = batch.iter().map(Vec::as_slice).collect();
            vectors.extend(self.network.vectors(&batch)?);
            rest = after;
        }
        Ok(vectors)
    }

    /// Refuses files that compute something, but not the vectors of this model.
    fn is_known(&self) -> Result<(), Error> {
        let other = Error::OtherModel { expected: MODEL };
        let (text, numbers) = KNOWN;
        let vectors = self.embed(&[text])?;
        let Some(vector) = vectors.first().filter(|vector| vector.len() == DIMENSIONS) else {
            return Err(other);
        };
        let is_near = vector.iter().zip(numbers).all(|(found, known)| (found - known).abs() < KNOWN_WITHIN);
        if is_near { Ok(()) } else { Err(other) }
    }
}

/// Reads a file of bounded size.
fn read(path: &Path, most: u64) -> Result<Vec<u8>, Error> {
    let failed = |reason| Error::File { path: path.to_owned(), reason };
    let file = std::fs::File::open(path).map_err(failed)?;
    let mut bytes = Vec::new();
    // not by what the file says of its size: a device says nothing
    file.take(most + 1).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > most {
        return Err(Error::LargeFile { path: path.to_owned(), most });
    }
    Ok(bytes)
}
