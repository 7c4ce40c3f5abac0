//! A collection of users' documents, read: what is kept of it, and how it changes. A document whose name and content are there already is
//! not read again.

use crate::read::{LARGEST_FILE, read};
use crate::section::Section;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The form in which a collection is written.
const FORM: u32 = 1;
/// Bytes that a collection may have when it is written.
pub const LARGEST_COLLECTION: usize = 512 << 20;
/// Documents that a collection may have.
pub const MOST_DOCUMENTS: usize = 20_000;

/// A collection.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Collection {
    form: u32,
    /// The documents, by their names.
    pub documents: BTreeMap<String, Kept>,
}

/// A document of a collection.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kept {
    /// SHA-256 of the file that was read, in hexadecimal.
    pub sha256: String,
    /// Who gave it.
    pub by: String,
    /// Its pages, where it has pages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pages: Option<u32>,
    /// Parts of it that were not read, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// Its parts.
    pub sections: Vec<Section>,
}

/// A file that is to become a document.
#[derive(Debug, Clone, Copy)]
pub struct Given<'a> {
    /// The name that it is to have in the collection.
    pub name: &'a str,
    /// SHA-256 of its content, in hexadecimal.
    pub sha256: &'a str,
    /// Its content.
    pub bytes: &'a [u8],
}

/// The fate of a document that was given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Became {
    /// It is new.
    Added,
    /// It stands in the place of another state of it.
    Updated,
    /// It was there as it is.
    Unchanged,
}

impl Became {
    /// Its word in answers.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Updated => "updated",
            Self::Unchanged => "unchanged",
        }
    }
}

impl Collection {
    /// Reads one that was written; a reason where it is none.
    pub fn parse(bytes: &[u8]) -> Result<Self, String> {
        if bytes.len() > LARGEST_COLLECTION {
            return Err(format!("a collection of more than {} MB is not read", LARGEST_COLLECTION >> 20));
        }
        let collection: Self =
            serde_json::from_slice(bytes).map_err(|error| format!("this is no collection: {error}"))?;
        if collection.form == FORM {
            Ok(collection)
        } else {
            Err(format!("a collection of the form {} is not read here", collection.form))
        }
    }

    /// Writes it; a reason where it is too large.
    pub fn write(&self) -> Result<Vec<u8>, String> {
        let whole = Self { form: FORM, documents: self.documents.clone() };
        let bytes = serde_json::to_vec(&whole).map_err(|error| error.to_string())?;
        if bytes.len() > LARGEST_COLLECTION {
            return Err(format!(
                "the collection would have more than {} MB: begin another one",
                LARGEST_COLLECTION >> 20
            ));
        }
        Ok(bytes)
    }

    /// Takes a file in as a document of a corpus; a reason where it is none, or where there are too many.
    pub fn add(
        &mut self,
        corpus: &str,
        tags: &[String],
        by: &str,
        given: Given<'_>,
    ) -> Result<Became, String> {
        let known = self.documents.get(given.name);
        let has_tags = |kept: &Kept| kept.sections.iter().all(|section| section.tags == tags);
        if known.is_some_and(|kept| kept.sha256 == given.sha256 && has_tags(kept)) {
            return Ok(Became::Unchanged);
        }
        if known.is_none() && self.documents.len() >= MOST_DOCUMENTS {
            return Err(format!("a collection has at most {MOST_DOCUMENTS} documents: begin another one"));
        }
        if given.bytes.len() > LARGEST_FILE {
            return Err(format!("a document of more than {} MB is not read", LARGEST_FILE >> 20));
        }
        let document = read(given.name, given.bytes).map_err(|problem| problem.to_string())?;
        let mut sections = document.sections(corpus);
        for section in &mut sections {
            section.tags = tags.to_vec();
        }
        let kept = Kept {
            sha256: given.sha256.to_owned(),
            by: by.to_owned(),
            pages: document.pages,
            notes: document.notes,
            sections,
        };
        let before = self.documents.insert(given.name.to_owned(), kept);
        Ok(if before.is_some() { Became::Updated } else { Became::Added })
    }

    /// The parts of all documents, in the order of their names.
    pub fn sections(&self) -> impl Iterator<Item = &Section> {
        self.documents.values().flat_map(|kept| &kept.sections)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given<'a>(name: &'a str, sha256: &'a str, text: &'a str) -> Given<'a> {
        Given { name, sha256, bytes: text.as_bytes() }
    }

    #[test]
    fn a_document_is_read_once_and_again_when_it_is_another() {
        let mut own = Collection::default();
        let add =
            |own: &mut Collection, sha256, text| own.add("notes", &[], "ada", given("a.md", sha256, text));
        assert_eq!(add(&mut own, "1", "# Doors\n\nOak."), Ok(Became::Added));
        // the hash alone says that nothing changed
        assert_eq!(add(&mut own, "1", "# never read"), Ok(Became::Unchanged));
        assert_eq!(add(&mut own, "2", "# Doors\n\nAsh."), Ok(Became::Updated));
        let again = Collection::parse(&own.write().unwrap()).unwrap();
        let sections: Vec<&Section> = again.sections().collect();
        assert_eq!(
            (sections[0].location.as_str(), sections[0].text.as_str()),
            ("documents/notes/a.md#doors", "Ash.")
        );
        let tags = ["fire".to_owned()];
        let tagged = own.add("notes", &tags, "ada", given("a.md", "2", "# Doors\n\nAsh."));
        assert_eq!(tagged, Ok(Became::Updated));
    }

    #[test]
    fn what_is_no_document_leaves_the_collection_as_it_is() {
        let mut own = Collection::default();
        for (name, text) in
            [("a.docx", "no archive"), ("b.pdf", "no pdf"), ("c.bin", "\0\0\0\u{1}"), ("d.md", "")]
        {
            assert!(own.add("notes", &[], "ada", given(name, "1", text)).is_err(), "{name}");
        }
        assert!(own.documents.is_empty());
        for bytes in [&b""[..], b"[]", b"{\"form\": 2, \"documents\": {}}", b"{\"form\": 1}"] {
            assert!(Collection::parse(bytes).is_err(), "{bytes:?}");
        }
    }
}
