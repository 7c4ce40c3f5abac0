//! The reasons for which no vectors come.

use std::path::PathBuf;

/// The reason for which a model is not taken, or texts get no vectors.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file could not be read.
    #[error("cannot read {}: {reason}", path.display())]
    File {
        /// Its path.
        path: PathBuf,
        /// The reason, as the system says it.
        reason: std::io::Error,
    },
    /// A file larger than any of its kind.
    #[error("{} has more than {most} bytes", path.display())]
    LargeFile {
        /// Its path.
        path: PathBuf,
        /// The most that is read.
        most: u64,
    },
    /// A file that is no model in ONNX, or one whose weights are not those expected.
    #[error("this is not the model's file: {0}")]
    Model(String),
    /// A file that is no tokenizer.
    #[error("this is no tokenizer: {0}")]
    Tokenizer(String),
    /// Model and tokenizer that can be computed, and are those of another model.
    #[error("these files are not those of {expected}: a known text gets another vector")]
    OtherModel {
        /// The model that is wanted.
        expected: &'static str,
    },
    /// More texts than are taken at once.
    #[error("{found} texts at once; at most {most} are taken")]
    TooMany {
        /// The number of texts.
        found: usize,
        /// The most that are taken.
        most: usize,
    },
    /// A text that is longer than is taken.
    #[error("text {at} has {found} characters; at most {most} are taken")]
    TooLong {
        /// Its place among the texts, from 0.
        at: usize,
        /// Its length in characters.
        found: usize,
        /// The most that are taken.
        most: usize,
    },
    /// A text of spaces and control characters alone, which means nothing that another could be near to.
    #[error("text {at} has no words")]
    NoWords {
        /// Its place among the texts, from 0.
        at: usize,
    },
    /// A word piece of the tokenizer that the model does not know.
    #[error("the model has no word piece {0}")]
    UnknownPiece(u32),
    /// A vector whose numbers are none, or all 0.
    #[error("the model makes a vector without direction")]
    NoDirection,
}

/// The most characters of what a library says that are passed on.
const LONGEST_REASON: usize = 300;

/// Words of a library about an error, on one line and not too many: they may quote what was read.
pub fn reason(error: &dyn std::fmt::Display) -> String {
    // alternate: an error of `anyhow` then tells its causes
    let told = format!("{error:#}");
    let words = told.split_whitespace().collect::<Vec<_>>().join(" ");
    if words.chars().count() <= LONGEST_REASON {
        return words;
    }
    words.chars().take(LONGEST_REASON).chain(['…']).collect()
}
