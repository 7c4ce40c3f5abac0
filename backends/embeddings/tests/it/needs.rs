//! The files of the model, which are no part of the repository.

use std::path::{Path, PathBuf};

/// The environment variables that make a test fail that lacks the model, as in the crate `testing` of the main workspace.
const REQUIRE: [&str; 2] = ["CI", "PENSAER_REQUIRE_ALL"];
/// The variable that names the folder.
const FOLDER: &str = "PENSAER_TEST_EMBEDDINGS";

/// `model.onnx` and `tokenizer.json` of the folder that the environment names; none if it names none that has both, after a line that
/// says so.
pub fn files() -> Option<(PathBuf, PathBuf)> {
    let folder = std::env::var_os(FOLDER).map(PathBuf::from);
    let files = folder.map(|folder| (folder.join("model.onnx"), folder.join("tokenizer.json")));
    let files = files.filter(|(model, tokenizer)| model.is_file() && tokenizer.is_file());
    if files.is_none() {
        let told = format!(
            "set {FOLDER} to a folder with model.onnx and tokenizer.json, from the packages of tests/python/embeddings.txt"
        );
        let is_set = |name: &&str| {
            std::env::var(name).is_ok_and(|value| !matches!(value.as_str(), "" | "0" | "false"))
        };
        assert!(!REQUIRE.iter().any(is_set), "{told}");
        eprintln!("skipped: {told}");
    }
    files
}

/// A file of the tests' own, by its name.
pub fn own(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(name)
}
