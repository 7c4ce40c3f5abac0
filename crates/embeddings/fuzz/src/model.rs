//! Any bytes but those of the model are refused with a reason: none of them are a file that a fuzzer could make up.

use embeddings::{Embedder, Error};

/// A list of the marks alone.
const TOKENIZER: &[u8] = br#"{"model": {"vocab": {"[UNK]": 0, "[CLS]": 1, "[SEP]": 2}}}"#;

/// One input.
pub fn run(bytes: &[u8]) {
    match Embedder::read(bytes, TOKENIZER) {
        Err(Error::Model(told)) => assert!(!told.is_empty()),
        Err(other) => panic!("a model is refused as one: {other}"),
        Ok(_) => panic!("these bytes are no model"),
    }
}
