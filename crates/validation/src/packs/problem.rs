//! Mistakes in packs, each with its line and column, and what was probably meant.

use std::fmt;

/// A mistake in the text of a pack, or in what a caller sets for it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Problem {
    /// The line, from 1; 0 for what stands in no text, as an override.
    pub line: usize,
    /// The column, in characters from 1; 0 for what stands in no text.
    pub column: usize,
    /// The mistake, and what would do.
    pub message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => f.write_str(&self.message),
            _ => write!(f, "line {}, column {}: {}", self.line, self.column, self.message),
        }
    }
}

/// The ending of a message about an unknown word: those that are like it, or all where they are few.
pub(crate) fn instead<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let all: Vec<&str> = known.into_iter().collect();
    let near = ifc_schema::near(word, all.iter().copied(), 3);
    let listed = |words: &[&str]| words.iter().map(|w| format!("`{w}`")).collect::<Vec<_>>().join(", ");
    match (near.is_empty(), all.len()) {
        (false, _) => format!("; did you mean {}?", listed(&near)),
        (true, 1..=12) => format!("; known are {}", listed(&all)),
        _ => String::new(),
    }
}
