//! The messages of a run explained: which kind each is, which objects and fields of the model it speaks of, what to do, and
//! for many kinds the change that does it.
//!
//! Kinds are data (`catalogue.json`): a pattern with named groups, words for people, and the steps of a mend. A message that no
//! pattern knows still gets the objects whose names stand in it. Changes are made by a few kinds of step only ([`mend`]), each of
//! which keeps to what an edit may do; a value that is put in is stated as an assumption with its source.

mod catalogue;
mod find;
mod mend;
mod sorting;
mod spoken;
mod subject;
#[cfg(test)]
mod tests;

pub use mend::{Action, Left, Mended, Mending, ModelChange, mend};
pub use spoken::ObjectSpoken;

use crate::idf::Document;
use crate::results::errors::{ErrorReport, Level};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use spoken::cut;

/// The most objects that are listed for a group of messages.
const OBJECTS: usize = 20;

/// The most messages of a group that are looked through for names.
const LOOKED_THROUGH: usize = 300;

/// The most changes that are put into words for a group of messages.
const WORDS: usize = 10;

/// The most continuation lines that are repeated.
const DETAILS: usize = 4;

/// Messages of one kind, or alike ones of no known kind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Explained {
    /// Their weight.
    pub level: Level,
    /// The first of them.
    pub text: String,
    /// The lines that continue the first, at most four.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub details: Vec<String>,
    /// The number of times they happened in all.
    pub count: u64,
    /// The number of different messages.
    pub messages: u64,
    /// The line of the first in the file, from 1.
    pub line: u32,
    /// The id of the kind; absent if it is none of the catalogue.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// Their meaning, in one sentence; absent for an unknown kind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub meaning: Option<String>,
    /// The remedy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remedy: Option<String>,
    /// True if they only follow from other messages and go when those are mended.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub follows_from_others: bool,
    /// The objects of the model that they speak of, at most twenty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub objects: Vec<ObjectSpoken>,
    /// The number of objects that are not listed; of more than three hundred messages, the first are looked through.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub objects_left_out: usize,
    /// True if [`mend`] would change the model for at least one of them.
    pub mendable: bool,
    /// The changes that it would make, at most ten, and what it would assume.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mend: Vec<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// Every group of messages of a run, the gravest first, with what it means for this model. The model must be the one that was
/// simulated, or a later state of it: objects that are gone are not listed.
pub fn explain(document: &Document, report: &ErrorReport) -> Vec<Explained> {
    let groups = sorting::groups(report);
    let finder = find::Finder::from_document(document);
    let would = mend::mend(document, report, None);
    groups.iter().map(|group| explained(document, &finder, group, would.as_ref().ok())).collect()
}

fn explained(
    document: &Document,
    finder: &find::Finder<'_>,
    group: &sorting::Group<'_>,
    would: Option<&Mending>,
) -> Explained {
    let mut objects: Vec<ObjectSpoken> = Vec::new();
    let mut seen = foldhash::HashSet::default();
    for message in group.messages.iter().take(LOOKED_THROUGH) {
        let told = group.entry.map(|entry| subject::spoken(document, finder, entry, message));
        let named = finder.spoken(message);
        for object in told.into_iter().flatten().chain(named) {
            let alike = (object.object_type.clone(), object.name.clone());
            // what the pattern tells of an object is more than that its name stands there
            if seen.insert(alike) {
                objects.push(object);
            }
        }
    }
    let kind = group.entry.map(|entry| entry.id.as_str());
    let mended: Vec<&Mended> = would
        .map(|would| would.mended.iter().filter(|mended| Some(mended.kind.as_str()) == kind).collect())
        .unwrap_or_default();
    if objects.is_empty() {
        // what a message only counts, its mend names
        let changed = mended.iter().flat_map(|mended| &mended.changes);
        for change in changed.filter(|change| change.action != Action::Added) {
            if seen.insert((change.object_type.clone(), change.name.clone())) {
                objects.push(ObjectSpoken {
                    object_type: change.object_type.clone(),
                    name: change.name.clone(),
                    field: change.field.clone(),
                    value: Some(change.from.clone())
                        .filter(|from| change.field.is_some() && !from.is_empty()),
                });
            }
        }
    }
    let left_out = objects.len().saturating_sub(OBJECTS);
    objects.truncate(OBJECTS);
    let first = group.messages.first();
    Explained {
        level: group.level,
        text: first.map(|message| cut(&message.text)).unwrap_or_default(),
        details: first
            .map(|message| message.details.iter().take(DETAILS).map(|line| cut(line)).collect())
            .unwrap_or_default(),
        count: group.messages.iter().fold(0, |sum: u64, message| sum.saturating_add(message.count)),
        messages: group.messages.len() as u64,
        line: first.map_or(0, |message| message.line),
        kind: kind.map(str::to_owned),
        meaning: group.entry.map(|entry| entry.meaning.clone()),
        remedy: group.entry.map(|entry| entry.remedy.clone()),
        follows_from_others: group.entry.is_some_and(|entry| entry.follows),
        objects,
        objects_left_out: left_out,
        mendable: !mended.is_empty(),
        mend: in_words(&mended),
    }
}

/// The changes of mends in words, and each assumption once.
fn in_words(mended: &[&Mended]) -> Vec<String> {
    let changes: Vec<&ModelChange> = mended.iter().flat_map(|mended| &mended.changes).collect();
    let mut words: Vec<String> = changes.iter().take(WORDS).map(ToString::to_string).collect();
    if let Some(more) = changes.len().checked_sub(WORDS).filter(|more| *more > 0) {
        words.push(format!("and {more} more changes"));
    }
    let mut assumptions: Vec<&String> = mended.iter().flat_map(|mended| &mended.assumptions).collect();
    assumptions.sort_unstable();
    assumptions.dedup();
    words.extend(assumptions.into_iter().take(WORDS).map(|assumption| format!("Assumed: {assumption}")));
    words
}
