//! Mends a model by the messages of a run: each kind of the catalogue says by which steps, and only what the message leaves no
//! doubt about is changed. All changes together are one later state of the document.
//!
//! What is not done: a value is never made up in silence (what is put in comes from the message, from the schema or from the program's own
//! defaults, and is stated as an assumption), a name is only replaced by one that is near and the only near one, and an object that
//! others refer to is not removed.

mod corners;
mod fields;
mod layers;
mod names;
mod objects;
mod schedule;
mod steps;
mod work;

pub use work::{Action, ModelChange};

use super::catalogue::{Catalogue, Entry, Groups};
use crate::idf::Document;
use crate::results::errors::{ErrorReport, Level, Message};
use contract::{Fault, FaultCode};
use foldhash::{HashMap, HashSet};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use work::Work;

/// The most messages that one call mends; a run that has more is run again after it.
const MENDED: usize = 1_000;

/// The most messages that are listed as left.
const LEFT: usize = 200;

/// A message that was mended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Mended {
    /// The id of its kind.
    pub kind: String,
    /// Its text.
    pub message: String,
    /// Its line in the file, from 1.
    pub line: u32,
    /// The changes.
    pub changes: Vec<ModelChange>,
    /// Things taken for granted, with their source.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub assumptions: Vec<String>,
}

/// A message that could not be mended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Left {
    /// Its weight.
    pub level: Level,
    /// The id of its kind; absent if it is none of the catalogue.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// Its text.
    pub message: String,
    /// Its line in the file, from 1.
    pub line: u32,
    /// Why it is left, and what to do.
    pub why: String,
}

/// A model after its mends.
#[derive(Debug, Clone)]
pub struct Mending {
    /// The model, changed.
    pub document: Document,
    /// The messages that were mended.
    pub mended: Vec<Mended>,
    /// Those that were not; each kind that no mend is known for is told once.
    pub left: Vec<Left>,
    /// The number of messages that are not listed as left.
    pub left_out: usize,
}

/// Mends what messages of the wanted kinds (ids of the catalogue; none = all) tell of. The document stays as it is; the answer holds the
/// changed one. A kind that does not exist is a fault.
pub fn mend(document: &Document, report: &ErrorReport, wanted: Option<&[String]>) -> Result<Mending, Fault> {
    let catalogue = Catalogue::shared();
    if let Some(unknown) = wanted
        .and_then(|wanted| wanted.iter().find(|id| !catalogue.entries().iter().any(|entry| entry.id == **id)))
    {
        let ids = catalogue.entries().iter().map(|entry| entry.id.as_str());
        let near = crate::schema::nearest(unknown, ids, 3);
        let message = format!(
            "There is no kind of message `{unknown}`. The kinds of a run are in its explained messages."
        );
        return Err(Fault::new(FaultCode::InvalidParams, message)
            .with("field", "wanted")
            .with("near_matches", near));
    }
    let mut mending =
        Mending { document: document.clone(), mended: Vec::new(), left: Vec::new(), left_out: 0 };
    let mut work = Work::new(document.clone());
    // the program says some things once for every hour or zone
    let mut done: HashMap<(&str, Groups), bool> = HashMap::default();
    let mut told: HashSet<&str> = HashSet::default();
    for message in &report.messages {
        let entry = catalogue.kind(message);
        let is_wanted = wanted.is_none_or(|wanted| entry.is_some_and(|entry| wanted.contains(&entry.id)));
        if !is_wanted || entry.is_some_and(|entry| entry.follows) {
            continue;
        }
        let Some(entry) = entry else {
            mending.leave(
                None,
                message,
                "No kind of the catalogue: read the message and the objects that it names.",
            );
            continue;
        };
        if entry.mend.is_empty() {
            if told.insert(entry.id.as_str()) {
                mending.leave(Some(entry), message, &entry.remedy);
            }
            continue;
        }
        mending.take(&mut work, entry, message, catalogue, &mut done);
    }
    mending.document = work.into_document();
    Ok(mending)
}

impl Mending {
    fn take<'a>(
        &mut self,
        work: &mut Work,
        entry: &'a Entry,
        message: &Message,
        catalogue: &Catalogue,
        done: &mut HashMap<(&'a str, Groups), bool>,
    ) {
        let mut mended = Mended {
            kind: entry.id.clone(),
            message: super::spoken::cut(&message.text),
            line: message.line,
            changes: Vec::new(),
            assumptions: Vec::new(),
        };
        let mut reason = None;
        for groups in catalogue.groups(entry, message) {
            if done.len() >= MENDED {
                reason = Some(format!(
                    "Only {MENDED} messages are mended at once: run the model again and mend the rest."
                ));
                break;
            }
            if done.contains_key(&(entry.id.as_str(), groups.clone())) {
                continue;
            }
            let outcome = steps::carry_out(work, entry, &groups);
            mended.changes.append(&mut work.changes);
            mended.assumptions.append(&mut work.assumptions);
            if let Err(why) = &outcome {
                reason = reason.or(Some(why.clone()));
            }
            done.insert((entry.id.as_str(), groups), outcome.is_ok());
        }
        if !mended.changes.is_empty() {
            self.mended.push(mended);
        }
        if let Some(why) = reason {
            self.leave(Some(entry), message, &why);
        }
    }

    fn leave(&mut self, entry: Option<&Entry>, message: &Message, why: &str) {
        if self.left.len() >= LEFT {
            self.left_out += 1;
            return;
        }
        self.left.push(Left {
            level: message.level,
            kind: entry.map(|entry| entry.id.clone()),
            message: super::spoken::cut(&message.text),
            line: message.line,
            why: why.to_owned(),
        });
    }
}
