//! Users' documents: collections that came with a call, each an index of its own, in which only changed documents are indexed again.

use super::Library;
use super::book::Book;
use contract::{Fault, FaultCode, FileInput, FileNeed, Source};
use knowledge::Collection;
use std::sync::Arc;

/// The role of collections.
const ROLE: &str = "documents";

/// The need of the collections that are there for the caller.
pub(crate) fn need() -> FileNeed {
    FileNeed::Collections(ROLE.to_owned())
}

/// A collection of a call.
pub(crate) struct Shelf {
    /// Its name, which is the corpus of its sections.
    pub(crate) name: String,
    /// The key of its object, which no other has.
    key: String,
    file: FileInput,
}

impl Shelf {
    /// The index over it.
    pub(crate) fn index(&self, library: &Library) -> Result<Arc<Book>, Fault> {
        // collections of several owners may be called alike, and are never made of one another: an index remembers words of what it had
        let family = self.key.replace(['/', '\\'], ".");
        library.kept_of(&family, &self.file.sha256, || {
            let unreadable = |why: String| {
                let message = format!("The collection {} cannot be read: {why}.", self.name);
                Fault::new(FaultCode::UnreadableFile, message)
            };
            let bytes = match &self.file.source {
                Source::Path(path) => std::fs::read(path).map_err(|error| unreadable(error.to_string()))?,
                other => {
                    other.inline_bytes().ok_or_else(|| unreadable("it did not come along".to_owned()))?
                }
            };
            let collection = Collection::parse(&bytes).map_err(unreadable)?;
            Ok(collection.sections().cloned().collect())
        })
    }
}

/// The collections among the files of a call.
pub(crate) fn of_call(files: &[FileInput]) -> Vec<Shelf> {
    let own = files.iter().filter(|file| file.role == ROLE);
    own.filter_map(|file| {
        let (key, name) = file.media_type.split_once("; key=")?.1.rsplit_once("; name=")?;
        Some(Shelf { name: name.to_owned(), key: key.to_owned(), file: file.clone() })
    })
    .collect()
}
