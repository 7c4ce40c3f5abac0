//! Files that are not those of the model: each is refused.

use crate::needs;
use embeddings::{Embedder, Error};
use std::path::Path;

/// The refusal of a model's bytes, or of a tokenizer's.
fn refused(model: &[u8], tokenizer: &[u8]) -> Error {
    let folder = tempfile::tempdir().unwrap();
    let (a, b) = (folder.path().join("model.onnx"), folder.path().join("tokenizer.json"));
    std::fs::write(&a, model).unwrap();
    std::fs::write(&b, tokenizer).unwrap();
    Embedder::open(&a, &b).err().expect("it is refused")
}

#[test]
fn a_model_that_is_cut_short_is_refused() {
    let Some((model, tokenizer)) = needs::files() else { return };
    let (model, tokenizer) = (std::fs::read(model).unwrap(), std::fs::read(tokenizer).unwrap());
    for end in [0, 1, 2, 100, 10_000, model.len() / 2, model.len() - 100_000, model.len() - 1] {
        let error = refused(&model[..end], &tokenizer);
        assert!(matches!(error, Error::Model(_)), "{end}: {error}");
    }
}

#[test]
fn a_file_that_is_another_one_is_refused() {
    let Some((model, tokenizer)) = needs::files() else { return };
    let (model_bytes, tokenizer_bytes) = (std::fs::read(&model).unwrap(), std::fs::read(&tokenizer).unwrap());
    let is_model = |error: Error| assert!(matches!(error, Error::Model(_)), "{error}");
    is_model(refused(b"this is no model", &tokenizer_bytes));
    is_model(refused(&tokenizer_bytes, &tokenizer_bytes));
    is_model(refused(&[0xff; 4_096], &tokenizer_bytes));
    for bytes in
        [b"".as_slice(), b"{}", b"null", b"\xff\xfe", &model_bytes[..1_000_000], &tokenizer_bytes[..10_000]]
    {
        let error = refused(&model_bytes, bytes);
        assert!(matches!(error, Error::Tokenizer(_)), "{error}");
    }
    let nowhere = Path::new("no such file");
    assert!(matches!(Embedder::open(nowhere, &tokenizer), Err(Error::File { .. })));
    assert!(matches!(Embedder::open(&model, nowhere), Err(Error::File { .. })));
    // a folder
    assert!(matches!(Embedder::open(model.parent().unwrap(), &tokenizer), Err(Error::File { .. })));
}

#[test]
fn a_device_without_end_is_refused() {
    let Some((model, _)) = needs::files() else { return };
    let endless = Path::new("/dev/zero");
    if endless.exists() {
        assert!(matches!(Embedder::open(&model, endless), Err(Error::LargeFile { .. })));
    }
}

#[test]
fn a_model_or_tokenizer_that_computes_something_else_is_refused() {
    let Some((model, tokenizer)) = needs::files() else { return };
    let tokenizer = std::fs::read_to_string(tokenizer).unwrap();
    let model = std::fs::read(model).unwrap();
    // two words change their places
    let swapped = tokenizer
        .replace("\"wall\":", "\"*\":")
        .replace("\"yeah\":", "\"wall\":")
        .replace("\"*\":", "\"yeah\":");
    assert_ne!(swapped, tokenizer);
    let error = refused(&model, swapped.as_bytes());
    assert!(matches!(error, Error::OtherModel { .. }), "{error}");
    // a word that the model has not
    let beyond = tokenizer.replace("\"wall\":2813", "\"wall\":40000");
    assert_ne!(beyond, tokenizer);
    let error = refused(&model, beyond.as_bytes());
    assert!(matches!(error, Error::UnknownPiece(40_000)), "{error}");
    // weights that are others
    let mut other = model;
    let half = other.len() / 2;
    for byte in &mut other[half..half + 6_000_000] {
        *byte = byte.wrapping_add(64);
    }
    let error = refused(&other, tokenizer.as_bytes());
    assert!(matches!(error, Error::OtherModel { .. } | Error::Model(_)), "{error}");
}
