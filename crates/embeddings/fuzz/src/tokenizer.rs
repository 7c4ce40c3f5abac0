//! Any bytes are a list of word pieces or are refused with a reason on one line; then the model is asked for, which is none.

use embeddings::{Embedder, Error};

/// One input.
pub fn run(bytes: &[u8]) {
    match Embedder::read(&[], bytes) {
        Err(Error::Tokenizer(told)) => assert!(!told.is_empty() && !told.contains('\n')),
        Err(Error::Model(_)) => {}
        Err(other) => panic!("a list is refused as one: {other}"),
        Ok(_) => panic!("no bytes are no model"),
    }
}
