//! What is wrong with an archive.

use std::fmt;
use xml::Place;

/// Something that a file says and may not, or that a version cannot hold; the rest was read or written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The file within the archive.
    pub file: String,
    /// The place in it, where one is known.
    pub place: Option<Place>,
    /// In words, without a full stop.
    pub message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place {
            Some(place) => write!(f, "{}, {place}: {}", self.file, self.message),
            None => write!(f, "{}: {}", self.file, self.message),
        }
    }
}

/// The reason why an archive is not read or written at all, without a full stop.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Refused(pub String);
