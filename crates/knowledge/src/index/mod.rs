//! A full-text index over sections, in memory or in a folder.
//!
//! It is changed by document: what has the content that is indexed already costs nothing. A changed index in a folder is a new
//! generation beside the old one (see `generation`). Searching never fails on what is asked: there is no language of queries, only
//! words and phrases in quotes.

mod fields;
mod folder;
mod generation;
mod meaning;
mod near;
mod question;
mod search;
mod snippet;
#[cfg(test)]
mod tests;
mod write;

pub use meaning::{SectionVectors, Unmade};
pub use question::in_english;
pub use search::{Answer, Correction, Filter, Hit, MOST_HITS};
pub use snippet::Snippet;
pub use write::{Changed, fingerprint};

use crate::section::Section;
use crate::words::{Analyzer, TOKENIZER, Words};
use fields::Fields;
use folder::Folder;
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use tantivy::directory::RamDirectory;
use tantivy::schema::IndexRecordOption;
use tantivy::tokenizer::TextAnalyzer;
use tantivy::{IndexReader, IndexSettings, ReloadPolicy, Searcher, Term};

/// Sections that an index may have.
pub const MOST_SECTIONS: usize = 500_000;
/// Bytes that the text of a section may have.
pub const LONGEST_TEXT: usize = 4 << 20;
/// The form of the index: fields, analysis of words. Another one is not read, but built anew.
const FORMAT: u32 = 1;
/// The file of a generation that says which documents are in it.
const DOCUMENTS: &str = "documents.json";

/// The ways in which an index cannot be made, changed or read.
#[derive(Debug, thiserror::Error)]
pub enum IndexError {
    /// The folder holds no index.
    #[error("there is no index in {0}")]
    Absent(PathBuf),
    /// The index was written by another version of the program.
    #[error("the index was written in another form; it has to be built anew")]
    Format,
    /// Two sections have the same address.
    #[error("two sections have the address {0}")]
    Duplicate(String),
    /// A section without address or corpus.
    #[error("a section has no {0}")]
    Nameless(&'static str),
    /// More than an index takes.
    #[error("{0}")]
    TooLarge(String),
    /// Files could not be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The index is damaged, or could not be written.
    #[error("the index: {0}")]
    Inner(#[from] tantivy::TantivyError),
    /// A section that is no JSON.
    #[error("a section in the index: {0}")]
    Json(#[from] serde_json::Error),
}

/// The documents of an index: address to corpus and content.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Documents {
    format: u32,
    documents: BTreeMap<String, DocumentEntry>,
}

/// A document as it was indexed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct DocumentEntry {
    corpus: String,
    /// A hash over its sections.
    hash: String,
    sections: usize,
}

/// Where an index is kept.
#[derive(Debug)]
enum Place {
    Memory(Box<Documents>),
    Folder { folder: PathBuf, generation: PathBuf },
}

/// An index over sections.
pub struct Index {
    tantivy: tantivy::Index,
    reader: IndexReader,
    fields: Fields,
    place: Place,
    words: Mutex<Words>,
}

impl std::fmt::Debug for Index {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Index").field("sections", &self.len()).finish_non_exhaustive()
    }
}

impl Index {
    /// An index in memory.
    pub fn in_memory(sections: Vec<Section>) -> Result<Self, IndexError> {
        let (schema, fields) = Fields::schema();
        let tantivy = tantivy::Index::create(RamDirectory::create(), schema, settings())?;
        register(&tantivy);
        let documents = write::build(&tantivy, &fields, sections)?;
        Self::over(tantivy, fields, Place::Memory(Box::new(documents)))
    }

    /// An index in a folder, written anew; one that is there is replaced when it is whole.
    pub fn create(folder: &Path, sections: Vec<Section>) -> Result<Self, IndexError> {
        let unfinished = generation::Unfinished::begin(folder, None)?;
        let (schema, fields) = Fields::schema();
        let tantivy = tantivy::Index::create(Folder::new(&unfinished.path()), schema, settings())?;
        register(&tantivy);
        let documents = write::build(&tantivy, &fields, sections)?;
        drop(tantivy);
        write::save(&unfinished.path(), &documents)?;
        unfinished.finish()?;
        Self::open(folder)
    }

    /// The index that a folder holds, to be read; it stays as it is when others change it.
    pub fn open(folder: &Path) -> Result<Self, IndexError> {
        let absent = || IndexError::Absent(folder.to_owned());
        let mut generation = generation::current(folder)?.ok_or_else(absent)?;
        for _ in 0..8 {
            match Self::open_generation(folder, &generation) {
                Ok(index) => return Ok(index),
                // a writer may have replaced it while it was being opened
                Err(error) => {
                    let newer = generation::current(folder)?.ok_or_else(absent)?;
                    if newer == generation {
                        return Err(error);
                    }
                    generation = newer;
                }
            }
        }
        Self::open_generation(folder, &generation)
    }

    fn open_generation(folder: &Path, generation: &Path) -> Result<Self, IndexError> {
        write::load(generation)?;
        let (schema, fields) = Fields::schema();
        let tantivy = tantivy::Index::open(Folder::new(generation))?;
        if tantivy.schema() != schema {
            return Err(IndexError::Format);
        }
        register(&tantivy);
        let place = Place::Folder { folder: folder.to_owned(), generation: generation.to_owned() };
        Self::over(tantivy, fields, place)
    }

    fn over(tantivy: tantivy::Index, fields: Fields, place: Place) -> Result<Self, IndexError> {
        // no thread that watches: an index that changes is opened anew
        let reader = tantivy.reader_builder().reload_policy(ReloadPolicy::Manual).try_into()?;
        Ok(Self { tantivy, reader, fields, place, words: Mutex::default() })
    }

    /// The folder that it is in; none of one in memory.
    pub fn folder(&self) -> Option<&Path> {
        match &self.place {
            Place::Memory(_) => None,
            Place::Folder { folder, .. } => Some(folder),
        }
    }

    /// The number of sections.
    pub fn len(&self) -> usize {
        usize::try_from(self.searcher().num_docs()).unwrap_or(usize::MAX)
    }

    /// True if there are no sections.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A section by its exact address.
    pub fn section(&self, location: &str) -> Result<Option<Section>, IndexError> {
        Ok(self.sections_with(Term::from_field_text(self.fields.location, location))?.into_iter().next())
    }

    /// The sections of a document, by its address, in the order in which they were given.
    pub fn sections_of(&self, document: &str) -> Result<Vec<Section>, IndexError> {
        self.sections_with(Term::from_field_text(self.fields.document, document))
    }

    fn sections_with(&self, term: Term) -> Result<Vec<Section>, IndexError> {
        let searcher = self.searcher();
        let mut found = Vec::new();
        for segment in searcher.segment_readers() {
            let inverted = segment.inverted_index(term.field())?;
            let Some(mut postings) = inverted.read_postings(&term, IndexRecordOption::Basic)? else {
                continue;
            };
            let store = segment.get_store_reader(1)?;
            let mut at = tantivy::DocSet::doc(&postings);
            while at != tantivy::TERMINATED {
                if !segment.is_deleted(at) {
                    found.extend(self.fields.section(&store.get(at)?));
                }
                at = tantivy::DocSet::advance(&mut postings);
            }
        }
        Ok(found)
    }

    /// The corpora, with the number of their documents and sections.
    pub fn corpora(&self) -> Result<BTreeMap<String, (usize, usize)>, IndexError> {
        let mut corpora: BTreeMap<String, (usize, usize)> = BTreeMap::new();
        for entry in self.documents()?.documents.into_values() {
            let counts = corpora.entry(entry.corpus).or_default();
            counts.0 += 1;
            counts.1 += entry.sections;
        }
        Ok(corpora)
    }

    /// The addresses of the documents of a corpus.
    pub fn documents_of(&self, corpus: &str) -> Result<Vec<String>, IndexError> {
        let all = self.documents()?.documents.into_iter();
        Ok(all.filter(|(_, entry)| entry.corpus == corpus).map(|(location, _)| location).collect())
    }

    fn documents(&self) -> Result<Documents, IndexError> {
        match &self.place {
            Place::Memory(documents) => Ok(documents.as_ref().clone()),
            Place::Folder { generation, .. } => write::load(generation),
        }
    }

    fn searcher(&self) -> Searcher {
        self.reader.searcher()
    }
}

fn settings() -> IndexSettings {
    // compressing needs no thread of its own: a confined process may have few
    IndexSettings { docstore_compress_dedicated_thread: false, ..IndexSettings::default() }
}

fn register(tantivy: &tantivy::Index) {
    tantivy.tokenizers().register(TOKENIZER, TextAnalyzer::from(Analyzer::default()));
}
