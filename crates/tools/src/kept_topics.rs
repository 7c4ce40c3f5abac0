//! Topics that are kept with the model: a property of the project for each, so that they are versions of the model like every other
//! change, on branches too, and in the file that goes to others. Each tells what was done to it, when and by whom.

use crate::project_properties;
use bcf::{Guid, Stamp, Topic};
use contract::Fault;
use ifc::guid::GuidSource;
use ifc::{Edit, Model};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The property set of the project that holds them.
const SET: &str = "BCF_Topics";

/// A topic with what was done to it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Kept {
    /// The topic, without pictures and documents.
    pub topic: Topic,
    /// The changes, the oldest first.
    pub history: Vec<Entry>,
}

/// Something that was done to a topic.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Entry {
    /// When.
    pub time: String,
    /// Who did it.
    pub by: String,
    /// In words: `status Open → Closed`.
    pub what: String,
}

/// The topics of a model by GUID; what cannot be read as one is passed over.
pub(crate) fn read(model: &Model) -> BTreeMap<Guid, Kept> {
    let texts = project_properties::read(model, SET).into_iter();
    let topics = texts.filter_map(|(_, text)| serde_json::from_str::<Kept>(&text).ok());
    topics.map(|kept| (kept.topic.guid.clone(), kept)).collect()
}

/// Writes topics; those without one are taken out.
pub(crate) fn write(
    edit: &mut Edit,
    guids: &mut GuidSource,
    changes: &[(Guid, Option<Kept>)],
) -> Result<(), Fault> {
    let mut texts = Vec::with_capacity(changes.len());
    for (guid, kept) in changes {
        let text = kept.as_ref().map(serde_json::to_string).transpose();
        texts.push((guid.to_string(), text.map_err(|error| Fault::backend(error.to_string()))?));
    }
    project_properties::write(edit, guids, (SET, "topics"), texts)
}

/// Joins a topic of a file with the one that is kept: comments and viewpoints of both, all else of the one that was changed later.
/// Answers what changed, in words; nothing where all of it was there.
pub(crate) fn join(kept: &mut Topic, other: &Topic) -> Vec<String> {
    let mut what = Vec::new();
    let comments = kept.comments.len();
    for comment in &other.comments {
        match kept.comments.iter_mut().find(|own| own.guid == comment.guid) {
            Some(own) if last(&own.modified, &own.created) < last(&comment.modified, &comment.created) => {
                *own = comment.clone();
                what.push("a comment rewritten".to_owned());
            }
            Some(_) => {}
            None => kept.comments.push(comment.clone()),
        }
    }
    what.extend(more(kept.comments.len() - comments, "comment"));
    let viewpoints = kept.viewpoints.len();
    for viewpoint in &other.viewpoints {
        if kept.viewpoints.iter().all(|own| own.guid != viewpoint.guid) {
            kept.viewpoints.push(viewpoint.clone());
        }
    }
    what.extend(more(kept.viewpoints.len() - viewpoints, "viewpoint"));
    if last(&kept.modified, &kept.created) < last(&other.modified, &other.created) {
        let (comments, viewpoints) =
            (std::mem::take(&mut kept.comments), std::mem::take(&mut kept.viewpoints));
        let before = std::mem::replace(kept, Topic { comments, viewpoints, ..other.clone() });
        what.extend(differences(&before, kept));
    }
    what
}

/// The fields in which two states of a topic differ, in words.
pub(crate) fn differences(before: &Topic, after: &Topic) -> Vec<String> {
    let texts = [
        ("title", &before.title, &after.title),
        ("type", &before.kind, &after.kind),
        ("status", &before.status, &after.status),
        ("priority", &before.priority, &after.priority),
        ("assigned to", &before.assigned_to, &after.assigned_to),
        ("due", &before.due, &after.due),
        ("stage", &before.stage, &after.stage),
    ];
    let words = |text: &Option<String>| text.clone().unwrap_or_else(|| "none".to_owned());
    let changed = texts.into_iter().filter(|(_, before, after)| before != after);
    let mut what: Vec<String> =
        changed.map(|(name, before, after)| format!("{name} {} → {}", words(before), words(after))).collect();
    if before.description != after.description {
        what.push("another description".to_owned());
    }
    if before.labels != after.labels {
        what.push(format!("labels {}", after.labels.join(", ")));
    }
    what
}

fn more(count: usize, name: &str) -> Option<String> {
    (count > 0).then(|| format!("{count} {name}{} more", if count == 1 { "" } else { "s" }))
}

/// The later of two dates, which sort as text while they are of one time zone.
fn last<'s>(modified: &'s Stamp, created: &'s Stamp) -> &'s str {
    modified.date.as_deref().or(created.date.as_deref()).unwrap_or_default()
}
