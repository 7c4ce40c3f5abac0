//! How an index is made and changed: documents whose content is indexed already are left alone.

use super::fields::Fields;
use super::folder::Folder;
use super::generation::Unfinished;
use super::{
    DOCUMENTS, DocumentEntry, Documents, FORMAT, Index, IndexError, LONGEST_TEXT, MOST_SECTIONS, Place,
};
use crate::section::Section;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, HashSet};
use std::fmt::Write as _;
use std::io;
use std::path::Path;
use tantivy::indexer::IndexWriterOptions;
use tantivy::{IndexWriter, Term};

/// Bytes that are gathered in memory before they are written.
const BUDGET: usize = 64 << 20;

/// The documents that a change touched.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Changed {
    /// Documents that were not there before.
    pub added: usize,
    /// Documents whose content is another.
    pub updated: usize,
    /// Documents that are no longer there.
    pub removed: usize,
    /// Documents that were given as they are.
    pub unchanged: usize,
}

impl Changed {
    /// True if the index stays as it is.
    pub fn is_empty(&self) -> bool {
        self.added + self.updated + self.removed == 0
    }
}

/// Sections by document, in the order given within each.
type Grouped = BTreeMap<String, Vec<Section>>;

/// The work to be done on an index.
struct Plan {
    changed: Changed,
    write: Vec<Section>,
    /// Documents that go, or are written anew.
    delete: Vec<String>,
    documents: Documents,
}

impl Index {
    /// Takes the documents of these sections, each whole, in the place of what was there under their addresses, and removes others
    /// by address.
    pub fn update(&mut self, sections: Vec<Section>, removed: &[String]) -> Result<Changed, IndexError> {
        let plan = plan(self.documents()?, group(sections)?, removed)?;
        self.carry_out(plan)
    }

    /// Takes these sections as the whole of a corpus: documents of it that have none are removed.
    pub fn replace_corpus(&mut self, corpus: &str, sections: Vec<Section>) -> Result<Changed, IndexError> {
        let grouped = group(sections)?;
        let mut gone = self.documents_of(corpus)?;
        gone.retain(|document| !grouped.contains_key(document));
        let plan = plan(self.documents()?, grouped, &gone)?;
        self.carry_out(plan)
    }

    fn carry_out(&mut self, plan: Plan) -> Result<Changed, IndexError> {
        if plan.changed.is_empty() {
            return Ok(plan.changed);
        }
        match &mut self.place {
            Place::Memory(documents) => {
                apply(&self.tantivy, &self.fields, &plan.delete, &plan.write)?;
                **documents = plan.documents;
                self.reader.reload()?;
            }
            Place::Folder { folder, generation } => {
                let unfinished = Unfinished::begin(folder, Some(generation))?;
                // the list of documents is a second name of the old one until here
                std::fs::remove_file(unfinished.path().join(DOCUMENTS))?;
                let tantivy = tantivy::Index::open(Folder::new(&unfinished.path()))?;
                super::register(&tantivy);
                apply(&tantivy, &self.fields, &plan.delete, &plan.write)?;
                drop(tantivy);
                save(&unfinished.path(), &plan.documents)?;
                unfinished.finish()?;
                let folder = folder.clone();
                *self = Self::open(&folder)?;
            }
        }
        Ok(plan.changed)
    }
}

fn plan(before: Documents, grouped: Grouped, removed: &[String]) -> Result<Plan, IndexError> {
    let mut plan =
        Plan { changed: Changed::default(), write: Vec::new(), delete: Vec::new(), documents: before };
    for document in removed {
        if !grouped.contains_key(document) && plan.documents.documents.remove(document).is_some() {
            plan.changed.removed += 1;
            plan.delete.push(document.clone());
        }
    }
    for (document, sections) in grouped {
        let entry = entry(&sections)?;
        match plan.documents.documents.get(&document) {
            Some(known) if *known == entry => {
                plan.changed.unchanged += 1;
                continue;
            }
            Some(_) => {
                plan.changed.updated += 1;
                plan.delete.push(document.clone());
            }
            None => plan.changed.added += 1,
        }
        plan.documents.documents.insert(document, entry);
        plan.write.extend(sections);
    }
    let count: usize = plan.documents.documents.values().map(|entry| entry.sections).sum();
    if count > MOST_SECTIONS {
        return Err(IndexError::TooLarge(format!(
            "{count} sections are more than an index takes ({MOST_SECTIONS})"
        )));
    }
    Ok(plan)
}

/// Sections by document; refused where one cannot be addressed.
fn group(sections: Vec<Section>) -> Result<Grouped, IndexError> {
    let mut known: HashSet<String> = HashSet::with_capacity(sections.len());
    let mut grouped = Grouped::new();
    for section in sections {
        if section.location.is_empty() {
            return Err(IndexError::Nameless("address"));
        }
        if section.corpus.is_empty() {
            return Err(IndexError::Nameless("corpus"));
        }
        if section.text.len() > LONGEST_TEXT {
            return Err(IndexError::TooLarge(format!("the text of {} is too long", section.location)));
        }
        if !known.insert(section.location.clone()) {
            return Err(IndexError::Duplicate(section.location));
        }
        grouped.entry(section.document().to_owned()).or_default().push(section);
    }
    Ok(grouped)
}

/// A hash over sections, of 32 hexadecimal digits.
pub fn fingerprint(sections: &[Section]) -> Result<String, IndexError> {
    let mut digest = Sha256::new();
    for section in sections {
        digest.update(serde_json::to_vec(section)?);
        digest.update([0]);
    }
    let mut hash = String::with_capacity(32);
    for byte in digest.finalize().iter().take(16) {
        let _ = write!(hash, "{byte:02x}");
    }
    Ok(hash)
}

fn entry(sections: &[Section]) -> Result<DocumentEntry, IndexError> {
    let corpus = sections.first().map(|section| section.corpus.clone()).unwrap_or_default();
    Ok(DocumentEntry { corpus, hash: fingerprint(sections)?, sections: sections.len() })
}

/// Writes the first sections of an index, and tells its documents.
pub fn build(
    tantivy: &tantivy::Index,
    fields: &Fields,
    sections: Vec<Section>,
) -> Result<Documents, IndexError> {
    let before = Documents { format: FORMAT, documents: BTreeMap::new() };
    let plan = plan(before, group(sections)?, &[])?;
    apply(tantivy, fields, &[], &plan.write)?;
    Ok(plan.documents)
}

fn apply(
    tantivy: &tantivy::Index,
    fields: &Fields,
    delete: &[String],
    write: &[Section],
) -> Result<(), IndexError> {
    // one thread that indexes, one that merges: in the order given, and few enough for a confined process
    let options = IndexWriterOptions::builder()
        .num_worker_threads(1)
        .num_merge_threads(1)
        .memory_budget_per_thread(BUDGET)
        .build();
    let mut writer: IndexWriter = tantivy.writer_with_options(options)?;
    for document in delete {
        writer.delete_term(Term::from_field_text(fields.document, document));
    }
    for section in write {
        writer.add_document(fields.document(section)?)?;
    }
    writer.commit()?;
    writer.wait_merging_threads()?;
    Ok(())
}

/// Writes the list of documents into the folder of a generation.
pub fn save(generation: &Path, documents: &Documents) -> Result<(), IndexError> {
    std::fs::write(generation.join(DOCUMENTS), serde_json::to_vec(documents)?)?;
    Ok(())
}

/// The list of documents of a generation.
pub fn load(generation: &Path) -> Result<Documents, IndexError> {
    let bytes = std::fs::read(generation.join(DOCUMENTS)).map_err(|error| {
        if error.kind() == io::ErrorKind::NotFound {
            IndexError::Absent(generation.to_owned())
        } else {
            IndexError::Io(error)
        }
    })?;
    let documents: Documents = serde_json::from_slice(&bytes)?;
    if documents.format == FORMAT { Ok(documents) } else { Err(IndexError::Format) }
}
