//! Sections by what they mean: the vectors of an index's sections, and those of them that are nearest to the vector of a question.
//!
//! A vector is kept under the address of its section and a hash of the text that it was made of, so that only what changed is made again.

use super::search::{Filter, conditions};
use super::{Index, IndexError};
use crate::section::Section;
use crate::vectors::Vectors;
use crate::words::{chunks, humps};
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use tantivy::collector::DocSetCollector;
use tantivy::query::BooleanQuery;
use tantivy::{DocAddress, Searcher};

/// Characters of a section's text of which its vector is made, beside its titles. What a section is about it says at its beginning; longer
/// texts take longer and mean less and less.
const LONGEST: usize = 260;
/// The cosine from which on a section is near to a question at all: what has nothing to do with it, and letters that mean nothing, stay below.
const NEAR: f32 = 0.22;
/// The mark of a section without a vector.
const NONE: u32 = u32::MAX;

/// A text of which a vector is to be made, and the key under which that is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unmade {
    /// The key.
    pub key: String,
    /// The text.
    pub text: String,
}

/// The vectors of an index's sections, by the places of these in it.
#[derive(Debug)]
pub struct SectionVectors {
    vectors: Vectors,
    /// For each segment and each section in it the place of its vector.
    places: Vec<Vec<u32>>,
    sections: usize,
    found: usize,
}

impl SectionVectors {
    /// The number of sections of the index.
    pub fn sections(&self) -> usize {
        self.sections
    }

    /// The number of sections that have a vector.
    pub fn found(&self) -> usize {
        self.found
    }
}

/// The text of which the vector of a section is made: its titles from the last on, in words, and the beginning of its text.
fn text_of(section: &Section) -> String {
    let mut text = in_words(&section.title);
    // names of classes above say little to a model of language
    for above in section.path.iter().rev().filter(|above| above.contains(' ')) {
        let _ = write!(text, ", {above}");
    }
    text.push_str(". ");
    let words = section.text.split_whitespace().flat_map(|word| [" ", word]).skip(1);
    text.extend(words.flat_map(str::chars).take(LONGEST));
    text
}

/// A title whose names are cut into words: `Pset_DoorCommon door common`.
fn in_words(title: &str) -> String {
    let mut words = String::new();
    for chunk in chunks(title).filter_map(|place| title.get(place)) {
        let parts = humps(chunk);
        if parts.len() > 1 {
            let parts = parts.into_iter().filter_map(|part| chunk.get(part));
            let parts = parts.filter(|part| !["Ifc", "Pset", "Qto"].contains(part));
            for part in parts {
                let _ = write!(words, " {}", part.to_lowercase());
            }
        }
    }
    format!("{title}{words}")
}

fn key(section: &Section, text: &str) -> String {
    let hash = Sha256::digest(text);
    let mut key = String::new();
    for byte in hash.iter().take(8) {
        let _ = write!(key, "{byte:02x}");
    }
    key.push(' ');
    key.push_str(&section.location);
    key
}

impl Index {
    /// The vectors of its sections among these, and the texts of those sections that have none there. Vectors of what is no section any more
    /// are left out.
    pub fn with_vectors(&self, mut vectors: Vectors) -> Result<(SectionVectors, Vec<Unmade>), IndexError> {
        let searcher = self.searcher();
        let (mut unmade, mut keys) = (Vec::new(), Vec::new());
        for (segment, reader) in searcher.segment_readers().iter().enumerate() {
            let store = reader.get_store_reader(1)?;
            for at in (0..reader.max_doc()).filter(|at| !reader.is_deleted(*at)) {
                let Some(section) = self.fields.section(&store.get(at)?) else { continue };
                let text = text_of(&section);
                let key = key(&section, &text);
                if vectors.contains(&key) {
                    keys.push((segment, at, key));
                } else {
                    unmade.push(Unmade { key, text });
                }
            }
        }
        if keys.len() < vectors.len() {
            let wanted: std::collections::HashSet<&str> = keys.iter().map(|own| own.2.as_str()).collect();
            vectors.retain(|key| wanted.contains(key));
        }
        let found = keys.len();
        let mut places: Vec<Vec<u32>> =
            searcher.segment_readers().iter().map(|reader| vec![NONE; reader.max_doc() as usize]).collect();
        for (segment, at, key) in keys {
            let place = vectors.place(&key).and_then(|place| u32::try_from(place).ok());
            let own = places.get_mut(segment).and_then(|places| places.get_mut(at as usize));
            if let (Some(place), Some(own)) = (place, own) {
                *own = place;
            }
        }
        Ok((SectionVectors { vectors, places, sections: found + unmade.len(), found }, unmade))
    }

    /// The sections whose vectors are nearest to one, nearest first.
    pub(super) fn nearest(
        &self,
        searcher: &Searcher,
        vectors: &SectionVectors,
        question: &[f32],
        filter: &Filter,
        limit: usize,
    ) -> Result<Vec<DocAddress>, IndexError> {
        let place = |address: &DocAddress| {
            let places = vectors.places.get(address.segment_ord as usize)?;
            places.get(address.doc_id as usize).copied().filter(|place| *place != NONE)
        };
        let marked = |address: DocAddress| place(&address).map(|place| (place as usize, address));
        let conditions = conditions(&self.fields, filter);
        let nearest = if conditions.is_empty() {
            let all = vectors.places.iter().enumerate().flat_map(|(segment, places)| {
                (0..places.len() as u32).map(move |at| DocAddress::new(segment as u32, at))
            });
            vectors.vectors.nearest_of(question, limit, all.filter_map(marked))
        } else {
            let wanted = searcher.search(&BooleanQuery::new(conditions), &DocSetCollector)?;
            vectors.vectors.nearest_of(question, limit, wanted.into_iter().filter_map(marked))
        };
        // a question without direction is near to nothing
        let nearest = nearest.unwrap_or_default().into_iter().filter(|(_, cosine)| *cosine >= NEAR);
        Ok(nearest.map(|(address, _)| address).collect())
    }
}
