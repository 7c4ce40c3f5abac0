//! Documents of callers, read into a collection: files of strangers, in a process that has nothing to lose.

use crate::operations::Resolve;
use crate::run::Call;
use contract::ops::{DocumentRead, DocumentsRead, NotRead, PlatformOperation, ReadDocuments};
use contract::{Fault, FaultCode, FileInput, Outcome, Source};
use exec::files::Destination;
use knowledge::{Collection, Given};

/// The role of the collection.
const COLLECTION: &str = "collection";
/// The role of a document.
const DOCUMENT: &str = "document";
/// The media type of a collection.
const MEDIA_TYPE: &str = "application/json";

impl Resolve for ReadDocuments {
    fn resolve(self, call: &Call<'_>) -> Result<Outcome, Fault> {
        let before = call.files.iter().find(|file| file.role == COLLECTION);
        let mut collection = match before {
            Some(file) => Collection::parse(&bytes_of(file)?)
                .map_err(|why| Fault::new(FaultCode::UnreadableFile, format!("The collection: {why}.")))?,
            None => Collection::default(),
        };
        let unchanged = collection.clone();
        let mut answer = DocumentsRead::default();
        for name in &self.remove {
            match collection.documents.remove(name) {
                Some(kept) => answer.documents.push(DocumentRead {
                    name: name.clone(),
                    what: "removed".to_owned(),
                    sections: kept.sections.len(),
                    pages: kept.pages,
                    notes: Vec::new(),
                }),
                None => answer.not_read.push(NotRead {
                    name: name.clone(),
                    why: "no document of the collection is called so".to_owned(),
                }),
            }
        }
        let files: Vec<&FileInput> = call.files.iter().filter(|file| file.role == DOCUMENT).collect();
        for (at, file) in files.iter().enumerate() {
            if !call.watch.at(at as u64, files.len() as u64) {
                return Err(Fault::given_up(Self::NAME));
            }
            let name = file.media_type.split_once("name=").map_or("document", |own| own.1);
            let bytes = bytes_of(file)?;
            let given = Given { name, sha256: &file.sha256, bytes: &bytes };
            match collection.add(&self.corpus, &self.tags, &self.by, given) {
                Ok(became) => {
                    let kept = collection.documents.get(name).cloned().unwrap_or_default();
                    answer.documents.push(DocumentRead {
                        name: name.to_owned(),
                        what: became.as_str().to_owned(),
                        sections: kept.sections.len(),
                        pages: kept.pages,
                        notes: kept.notes,
                    });
                }
                Err(why) => answer.not_read.push(NotRead { name: name.to_owned(), why }),
            }
        }
        answer.count = collection.documents.len();
        answer.sections = collection.sections().count();
        let mut outcome = Outcome::default();
        if collection != unchanged {
            let bytes =
                collection.write().map_err(|why| Fault::new(FaultCode::LimitReached, format!("{why}.")))?;
            let place = Destination::from_request(call.request);
            let made = place.make(COLLECTION, "collection.json", MEDIA_TYPE, |to| to.write_all(&bytes))?;
            outcome.files.push(made);
        }
        outcome.result = Self::outcome(answer)?.result;
        Ok(outcome)
    }
}

fn bytes_of(file: &FileInput) -> Result<Vec<u8>, Fault> {
    let unreadable =
        |why: String| Fault::new(FaultCode::UnreadableFile, format!("A file cannot be read: {why}."));
    match &file.source {
        Source::Path(path) => std::fs::read(path).map_err(|error| unreadable(error.to_string())),
        other => other.inline_bytes().ok_or_else(|| unreadable("it did not come along".to_owned())),
    }
}
