//! The files of the model, which are no part of the repository.

use std::path::{Path, PathBuf};

/// The model and its tokenizer.
pub fn files() -> Option<(PathBuf, PathBuf)> {
    let folder = testing::embeddings()?;
    Some((folder.join("model.onnx"), folder.join("tokenizer.json")))
}

/// A file of the tests' own, by its name.
pub fn own(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(name)
}
