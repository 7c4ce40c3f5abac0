//! Something in the store that is not as it was written: what it is, and what was found again in its place.

use crate::sql::mend::WholeRow;
use crate::sql::tables::Table;
use contract::VersionId;
use std::path::PathBuf;

/// Something that is not as it was written.
#[derive(Debug)]
pub struct Finding {
    /// The problem in a sentence that names what is damaged.
    pub problem: String,
    /// How it can be brought back, and from where.
    pub remedy: Option<String>,
    /// True if [`Store::repair`] brings it back.
    pub is_mendable: bool,
    pub(crate) about: About,
    pub(crate) mended: Option<Mended>,
}

/// The subject of a finding, as far as something can be brought back.
#[derive(Debug, Clone)]
pub(crate) enum About {
    /// The audit log.
    Log,
    /// A row, the hash that it should have, and the marks of its columns.
    Row { table: &'static Table, key: String, sha256: String, marks: String },
    /// The delta in a version's row.
    Delta { version: VersionId, parent: Option<VersionId> },
    /// A blob.
    Blob(String),
    /// Models and refs, as against the log of events.
    Projection,
    /// Anything else.
    Other,
}

/// Something found again, or that can be made again.
#[derive(Debug, Clone)]
pub(crate) enum Mended {
    Row(WholeRow),
    Delta(VersionId, Vec<u8>),
    Blob(String, PathBuf),
    /// A blob that is made again when it is asked for, once nothing names the damaged one.
    Forgotten(String),
}

impl Finding {
    pub(crate) fn new(problem: String, about: About) -> Self {
        Self { problem, remedy: None, is_mendable: false, about, mended: None }
    }

    /// A finding of whoever looks at more than the store does, such as whether a version opens.
    pub fn told(problem: String, remedy: Option<String>) -> Self {
        Self { remedy, ..Self::new(problem, About::Other) }
    }

    /// Takes in what was found again, and where.
    pub(crate) fn found_again(&mut self, mended: Mended, remedy: String) {
        (self.remedy, self.mended, self.is_mendable) = (Some(remedy), Some(mended), true);
    }
}
