//! Topics kept with the model: new ones, changes and comments, and those of a BCF file joined with what is there.

use crate::elements::OneOrMore;
use crate::kept_topics::{self, Entry, Kept};
use crate::modelling::iso_time;
use crate::selecting::choose;
use crate::topic_file::TopicFile;
use crate::topics::{RED, Subject};
use crate::validation::import_bcf;
use crate::{IfcCall, Tool};
use bcf::{Comment, Guid, Stamp, Topic, is_date_time};
use contract::{Effect, Fault, FaultCode, FileNeed, NamedFile, Toolset};
use ifc::Id;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Topics of a model at most.
const MOST: usize = 5_000;
/// Topics told.
const TOLD: usize = 50;
/// Changes of one topic that are remembered.
const REMEMBERED: usize = 200;

/// A topic, or what is to change of one.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Change {
    /// Of a topic that is kept; without it a new one.
    guid: Option<String>,
    title: Option<String>,
    description: Option<String>,
    /// Ids or selector of what it is about.
    elements: Option<OneOrMore>,
    r#type: Option<String>,
    /// Such as Open, Closed.
    status: Option<String>,
    priority: Option<String>,
    labels: Option<Vec<String>>,
    assigned_to: Option<String>,
    /// Date and time such as 2026-01-31T12:00:00Z.
    due: Option<String>,
    /// One more comment.
    comment: Option<String>,
}

/// The tool's arguments.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Input {
    /// New topics and changes.
    #[serde(default)]
    topics: Vec<Change>,
    /// Path or bucket key of a BCF file whose topics are kept, too.
    file: Option<String>,
    /// GUIDs of topics that are kept no longer.
    #[serde(default)]
    remove: Vec<String>,
}

/// A topic that was made or changed.
#[derive(Debug, Serialize, JsonSchema)]
struct Told {
    guid: String,
    title: String,
    status: Option<String>,
    /// In words.
    what: String,
}

/// The result.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    added: usize,
    changed: usize,
    /// Topics of the file that were there as they are.
    unchanged: usize,
    removed: usize,
    /// Topics of the model now.
    kept: usize,
    /// The first 50 that were made or changed.
    topics: Vec<Told>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::ifc("keep_topics", Effect::Modify, run)
        .title("Keep issues")
        .file(FileNeed::Named(NamedFile {
            role: import_bcf::FILE.to_owned(),
            parameter: "file".to_owned(),
        }))
        .toolset(Toolset::Exchange)
        .description(
            "Keeps issues with the model: new ones, changes of status, comments, those of a BCF file. list_topics tells them with their history, \
             export_bcf writes them.",
        )
        .example(
            "A question about the walls",
            json!({ "topics": [{ "title": "Which walls carry?", "elements": "IfcWall", "assigned_to": "a@example.com" }] }),
        )
}

fn run(call: &mut IfcCall, input: Input) -> Result<Output, Fault> {
    if input.topics.is_empty() && input.file.is_none() && input.remove.is_empty() {
        return Err(Fault::invalid("topics", "Give `topics`, a `file`, or GUIDs to `remove`."));
    }
    let mut keeping = Keeping {
        known: kept_topics::read(call.edit.model()),
        changes: BTreeMap::new(),
        stamp: Stamp { date: Some(iso_time(call.time_ms)), author: Some(call.actor.principal.clone()) },
        file: TopicFile::new(call, false)?,
        output: Output {
            added: 0,
            changed: 0,
            unchanged: 0,
            removed: 0,
            kept: 0,
            topics: Vec::new(),
            notes: Vec::new(),
        },
    };
    if input.file.is_some() {
        keeping.file_given(call)?;
    }
    for (at, change) in input.topics.into_iter().enumerate() {
        keeping.change(call, at, change)?;
    }
    keeping.remove(&input.remove)?;
    let kept = keeping.known.len();
    if kept > MOST {
        let problem = format!("A model keeps at most {MOST} topics; these would be {kept}.");
        return Err(Fault::new(FaultCode::LimitReached, problem).with("field", "topics"));
    }
    let changes: Vec<(Guid, Option<Kept>)> = keeping.changes.into_iter().collect();
    if !changes.is_empty() {
        kept_topics::write(&mut call.edit, &mut call.guids, &changes)?;
    }
    Ok(Output { kept, ..keeping.output })
}

/// Topics that are being changed.
struct Keeping {
    known: BTreeMap<Guid, Kept>,
    changes: BTreeMap<Guid, Option<Kept>>,
    stamp: Stamp,
    file: TopicFile,
    output: Output,
}

impl Keeping {
    fn keep(&mut self, mut kept: Kept, what: &[String]) {
        let (time, by) = (self.stamp.date.clone(), self.stamp.author.clone());
        let entry =
            Entry { time: time.unwrap_or_default(), by: by.unwrap_or_default(), what: what.join("; ") };
        if self.output.topics.len() < TOLD {
            self.output.topics.push(Told {
                guid: kept.topic.guid.to_string(),
                title: kept.topic.title.clone().unwrap_or_default(),
                status: kept.topic.status.clone(),
                what: entry.what.clone(),
            });
        }
        kept.history.push(entry);
        let more = kept.history.len().saturating_sub(REMEMBERED);
        kept.history.drain(..more);
        self.changes.insert(kept.topic.guid.clone(), Some(kept.clone()));
        self.known.insert(kept.topic.guid.clone(), kept);
    }

    /// Joins the topics of a file with those that are kept.
    fn file_given(&mut self, call: &IfcCall) -> Result<(), Fault> {
        let (_, archive, problems) = import_bcf::given(call)?;
        let (mut pictures, mut documents) = (0, archive.documents.len());
        for mut topic in archive.topics {
            pictures += topic.viewpoints.iter().filter(|own| own.snapshot.is_some()).count();
            documents += topic.attachments.len();
            // pictures are drawn anew when the topics are written
            topic.viewpoints.iter_mut().for_each(|own| own.snapshot = None);
            topic.attachments.clear();
            let Some(mut kept) = self.known.get(&topic.guid).cloned() else {
                self.output.added += 1;
                self.keep(Kept { topic, history: Vec::new() }, &["read from a file".to_owned()]);
                continue;
            };
            let what = kept_topics::join(&mut kept.topic, &topic);
            if what.is_empty() {
                self.output.unchanged += 1;
            } else {
                self.output.changed += 1;
                self.keep(kept, &what);
            }
        }
        if documents > 0 {
            let note = format!(
                "{documents} documents and files beside topics are not kept; they stay in the BCF file."
            );
            self.output.notes.push(note);
        }
        if pictures > 0 {
            let note =
                format!("{pictures} pictures are not kept; export_bcf draws them anew from the viewpoints.");
            self.output.notes.push(note);
        }
        self.output.notes.extend(problems.iter().take(5).map(|problem| format!("{problem}.")));
        Ok(())
    }

    fn change(&mut self, call: &IfcCall, at: usize, change: Change) -> Result<(), Fault> {
        let field = |name: &str| format!("topics[{at}].{name}");
        if let Some(due) = change.due.as_ref().filter(|due| !is_date_time(due)) {
            let problem = format!("`{due}` is no date and time; write it as 2026-01-31T12:00:00Z.");
            return Err(Fault::invalid(&field("due"), problem));
        }
        let is_blank = |text: &Option<String>| text.as_ref().is_some_and(|text| text.trim().is_empty());
        if is_blank(&change.title) || (change.title.is_none() && change.guid.is_none()) {
            return Err(Fault::invalid(&field("title"), "A topic needs a title."));
        }
        let elements = match &change.elements {
            Some(elements) => Some(choose(call.edit.model(), &field("elements"), &elements.clone().list())?),
            None => None,
        };
        let (mut kept, is_new) = match &change.guid {
            Some(text) => (self.known_one(&field("guid"), text)?, false),
            None => (self.made(call, &change, elements.as_deref().unwrap_or_default(), at)?, true),
        };
        let before = kept.topic.clone();
        self.set(call, &mut kept.topic, change, elements)?;
        let mut what = kept_topics::differences(&before, &kept.topic);
        if kept.topic.comments.len() > before.comments.len() {
            what.push("1 comment more".to_owned());
        }
        if kept.topic.viewpoints != before.viewpoints && !is_new {
            what.push("other elements".to_owned());
        }
        if is_new {
            self.output.added += 1;
            self.keep(kept, &["made".to_owned()]);
        } else if what.is_empty() {
            self.output.unchanged += 1;
        } else {
            kept.topic.modified = self.stamp.clone();
            self.output.changed += 1;
            self.keep(kept, &what);
        }
        Ok(())
    }

    fn known_one(&self, field: &str, text: &str) -> Result<Kept, Fault> {
        let guid = Guid::parse(text).ok_or_else(|| {
            Fault::invalid(
                field,
                format!("`{text}` is no GUID such as 8ac9822a-761a-4deb-9f39-f61286acbf6a."),
            )
        })?;
        self.known.get(&guid).cloned().ok_or_else(|| {
            let problem = format!("No topic {guid} is kept; list_topics tells those that are. A new one is given without `guid`.");
            Fault::new(FaultCode::NotFound, problem).with("field", field)
        })
    }

    /// A new topic, with a GUID made of its title and elements, so that what is said twice is there once.
    fn made(&self, call: &IfcCall, change: &Change, elements: &[Id], at: usize) -> Result<Kept, Fault> {
        let title = change.title.clone().unwrap_or_default();
        let guid = self.file.guid_of_issue(call.edit.model(), &title, elements);
        if self.known.contains_key(&guid) {
            let problem = format!(
                "The topic '{title}' about these elements is kept already: give its `guid`, {guid}, to change it."
            );
            return Err(Fault::new(FaultCode::Conflict, problem).with("field", format!("topics[{at}].title")));
        }
        Ok(Kept { topic: self.file.topic(guid, &title, "Issue"), history: Vec::new() })
    }

    fn set(
        &mut self,
        call: &IfcCall,
        topic: &mut Topic,
        change: Change,
        elements: Option<Vec<Id>>,
    ) -> Result<(), Fault> {
        let Change { title, description, r#type, status, priority, labels, assigned_to, due, .. } = change;
        for (own, given) in [
            (&mut topic.title, title),
            (&mut topic.description, description),
            (&mut topic.kind, r#type),
            (&mut topic.status, status),
            (&mut topic.priority, priority),
            (&mut topic.assigned_to, assigned_to),
            (&mut topic.due, due),
        ] {
            if given.is_some() {
                *own = given;
            }
        }
        if let Some(labels) = labels {
            topic.labels = labels;
        }
        if let Some(elements) = elements {
            let scene = Arc::clone(&self.file.scene);
            let elements = elements.into_iter().map(|id| (id, RED)).collect();
            let mut made = topic.clone();
            made.viewpoints.clear();
            self.file.keep(call, made, &[Subject { scene: &scene, elements }])?;
            topic.viewpoints = self.file.topics.pop().map(|made| made.viewpoints).unwrap_or_default();
        }
        if let Some(text) = change.comment {
            let number = topic.comments.len().to_le_bytes();
            let guid = Guid::made_of(&[topic.guid.to_string().as_bytes(), &number, text.as_bytes()]);
            let viewpoint = topic.viewpoints.first().map(|own| own.guid.clone());
            let (created, modified) = (self.stamp.clone(), Stamp::default());
            topic.comments.push(Comment { guid, created, modified, text: Some(text), viewpoint });
        }
        Ok(())
    }

    fn remove(&mut self, guids: &[String]) -> Result<(), Fault> {
        let wanted: BTreeSet<&String> = guids.iter().collect();
        for text in wanted {
            let guid = self.known_one("remove", text)?.topic.guid;
            self.known.remove(&guid);
            self.changes.insert(guid, None);
            self.output.removed += 1;
        }
        Ok(())
    }
}
