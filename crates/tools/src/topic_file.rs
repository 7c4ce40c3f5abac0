//! A BCF file in the making: topics with their viewpoints, of whatever issues come from, and the archive that they become.

use crate::IfcCall;
use crate::elements::label_of;
use crate::modelling::iso_time;
use crate::report::{Found, Issue, Level, grouped};
use crate::topics::{RED, Subject, guid_of, header_file, view_picture, viewpoint};
use bcf::{Archive, Guid, HeaderFile, Project, Stamp, Topic, Version};
use contract::Fault;
use geometry::Scene;
use ifc::{Id, Model};
use std::sync::Arc;

/// Topics of one file at most.
pub(crate) const MOST: usize = 500;
/// Elements in the viewpoint of one topic at most.
const MOST_ELEMENTS: usize = 1000;
/// Findings whose words are told in the description of one topic.
const TOLD: usize = 40;
/// The media type of a file.
pub(crate) const MEDIA_TYPE: &str = "application/zip";

/// A rule, its title and findings with their ids.
type OfRule<'f> = (&'f str, Option<&'f str>, Vec<(&'f str, &'f Issue)>);

/// Topics that are being made.
pub(crate) struct TopicFile {
    /// Who makes them, and when.
    pub stamp: Stamp,
    /// The model's file.
    pub file: HeaderFile,
    /// The project's GlobalId: what is loaded anew, or lies in another place, has the same topics.
    pub project: String,
    /// The shapes of the model.
    pub scene: Arc<Scene>,
    /// The topics made so far.
    pub topics: Vec<Topic>,
    /// Sentences on what was left out.
    pub notes: Vec<String>,
    with_pictures: bool,
}

impl TopicFile {
    /// A file about the model of a call, without topics.
    pub fn new(call: &IfcCall, with_pictures: bool) -> Result<Self, Fault> {
        let name = call.version("model")?.name().cloned();
        Ok(Self {
            stamp: Stamp { date: Some(iso_time(call.time_ms)), author: Some(call.actor.principal.clone()) },
            file: header_file(call.edit.model(), name.as_ref()),
            project: guid_of_project(call.edit.model()),
            scene: call.scene()?,
            with_pictures,
            topics: Vec::new(),
            notes: Vec::new(),
        })
    }

    /// An open topic of this file, as it begins.
    pub fn topic(&self, guid: Guid, title: &str, kind: &str) -> Topic {
        Topic {
            kind: Some(kind.to_owned()),
            status: Some("Open".to_owned()),
            files: vec![self.file.clone()],
            created: self.stamp.clone(),
            ..Topic::new(guid, title)
        }
    }

    /// Gives a topic a viewpoint of its elements and keeps it.
    pub fn keep(&mut self, call: &IfcCall, mut topic: Topic, subjects: &[Subject<'_>]) -> Result<(), Fault> {
        let guid = Guid::made_of(&[topic.guid.to_string().as_bytes(), b"viewpoint"]);
        topic.viewpoints.extend(viewpoint(call, guid.clone(), subjects, self.with_pictures)?);
        if !topic.viewpoints.is_empty() {
            topic.comments.iter_mut().for_each(|comment| comment.viewpoint = Some(guid.clone()));
        }
        self.topics.push(topic);
        Ok(())
    }

    /// The GUID of an issue that somebody says: made of its title and elements, the same each time.
    pub fn guid_of_issue(&self, model: &Model, title: &str, elements: &[Id]) -> Guid {
        let mut parts = vec![self.project.clone(), title.to_owned()];
        parts.extend(elements.iter().filter_map(|id| guid_of(model, *id)));
        let parts: Vec<&[u8]> = parts.iter().map(String::as_bytes).collect();
        Guid::made_of(&parts)
    }

    /// Adds a topic as it was kept; pictures are drawn of its viewpoints.
    pub fn kept(&mut self, call: &IfcCall, mut topic: Topic) -> Result<(), Fault> {
        if self.with_pictures {
            for viewpoint in &mut topic.viewpoints {
                viewpoint.snapshot = view_picture(call, &self.scene, viewpoint)?;
            }
        }
        self.topics.push(topic);
        Ok(())
    }

    /// Adds a topic for each finding, or for each rule.
    pub fn findings(&mut self, call: &IfcCall, found: &Found, by_rule: bool) -> Result<(), Fault> {
        let grouped = grouped(found);
        let room = MOST.saturating_sub(self.topics.len());
        // one rule has findings of several weights, and one topic, as heavy as the heaviest
        let mut whole: Vec<OfRule<'_>> = Vec::new();
        for group in grouped.groups {
            match whole.iter_mut().find(|(rule, ..)| by_rule && *rule == group.rule) {
                Some((.., issues)) => issues.extend(group.issues),
                None => whole.push((group.rule, group.title, group.issues)),
            }
        }
        let total = if by_rule { whole.len() } else { found.issues.len() };
        if total > room {
            let more = total - room;
            self.notes.push(format!("{more} of {total} topics are left out: a file holds {MOST}."));
        }
        if total == 0 {
            self.notes.push("Nothing was found.".to_owned());
        }
        let topics: Vec<OfRule<'_>> = if by_rule {
            whole
        } else {
            let single = |(rule, title, issues): (_, _, Vec<_>)| {
                issues.into_iter().map(move |issue| (rule, title, vec![issue]))
            };
            whole.into_iter().flat_map(single).collect()
        };
        for (number, (rule, title, issues)) in topics.into_iter().take(room).enumerate() {
            if !call.watch.at(number as u64, total.min(room) as u64) {
                return Err(Fault::given_up("drawing pictures"));
            }
            self.of_issues(call, rule, title, &issues, by_rule)?;
        }
        Ok(())
    }

    fn of_issues(
        &mut self,
        call: &IfcCall,
        rule: &str,
        title: Option<&str>,
        issues: &[(&str, &Issue)],
        by_rule: bool,
    ) -> Result<(), Fault> {
        let model = call.edit.model();
        let Some((id, first)) = issues.first() else { return Ok(()) };
        let name = title.map_or_else(|| rule.to_owned(), |title| format!("{title} ({rule})"));
        let about = first.elements.first().filter(|id| model.contains(**id)).map(|id| label_of(model, *id));
        let title = match (by_rule, about) {
            (true, _) => format!("{name}: {}", issues.len()),
            (false, Some(about)) => format!("{name}: {about}"),
            (false, None) => name,
        };
        // a rule has one topic, whatever it finds; a finding's id is its rule and elements
        let own: &str = if by_rule { rule } else { id };
        let guid = self.free_guid(own);
        let mut topic = self.topic(guid, &title, "Issue");
        topic.description = Some(in_words(issues));
        topic.labels = vec![first.kind.0.to_owned(), first.level.as_str().to_owned()];
        topic.priority = Some(priority(first.level).to_owned());
        let mut elements: Vec<Id> = Vec::new();
        for id in issues.iter().flat_map(|(_, issue)| &issue.elements) {
            if elements.len() < MOST_ELEMENTS && model.contains(*id) && !elements.contains(id) {
                elements.push(*id);
            }
        }
        let scene = Arc::clone(&self.scene);
        let elements = elements.into_iter().map(|id| (id, RED)).collect();
        self.keep(call, topic, &[Subject { scene: &scene, elements }])
    }

    /// The GUID of a finding's topic. Two findings of a rule may be on the same elements, such as two hits of one door.
    fn free_guid(&self, finding: &str) -> Guid {
        let parts = [&b"finding"[..], self.project.as_bytes(), finding.as_bytes()];
        let mut guid = Guid::made_of(&parts);
        let mut number = 1_u32;
        while self.topics.iter().any(|topic| topic.guid == guid) {
            number += 1;
            guid = Guid::made_of(&[parts[0], parts[1], parts[2], &number.to_le_bytes()]);
        }
        guid
    }

    /// The archive and its bytes, with what could not be said in that version.
    pub fn written(
        &mut self,
        project: Option<Project>,
        version: Version,
    ) -> Result<(Archive, Vec<u8>), Fault> {
        let archive = Archive { project, topics: std::mem::take(&mut self.topics), ..Archive::default() };
        let (bytes, problems) =
            bcf::write(&archive, version).map_err(|error| Fault::backend(format!("{error}.")))?;
        let angle = "FieldOfView";
        // the pictures are drawn at 32 degrees, which 2.1 does not know: its readers see a little more around
        self.notes.extend(
            problems.iter().filter(|problem| !problem.message.starts_with(angle)).map(|p| format!("{p}.")),
        );
        if problems.iter().any(|problem| problem.message.starts_with(angle)) {
            self.notes.push(
                "BCF 2.1 knows no cameras narrower than 45°: other programs show more around than the pictures."
                    .to_owned(),
            );
        }
        Ok((archive, bytes))
    }
}

/// The project of a model, as topics name it.
pub(crate) fn project_of(model: &Model) -> Option<Project> {
    let own = model.of_class("IfcProject").into_iter().next()?;
    Some(Project { id: guid_of(model, own)?, name: model.get(own)?.name() })
}

/// The GlobalId of the model's project; empty where there is none.
fn guid_of_project(model: &Model) -> String {
    project_of(model).map(|project| project.id).unwrap_or_default()
}

/// The priority of a topic about a finding.
fn priority(level: Level) -> &'static str {
    match level {
        Level::Error => "Major",
        Level::Warning => "Normal",
        Level::Notice => "Minor",
    }
}

fn in_words(issues: &[(&str, &Issue)]) -> String {
    let sentence = |(_, issue): &(&str, &Issue)| {
        let clause = issue.clause.as_ref().map(|clause| format!("{clause}: ")).unwrap_or_default();
        let suggestion = issue.suggestion.as_ref().map(|own| format!(" {own}")).unwrap_or_default();
        format!("{clause}{}{suggestion}", issue.message)
    };
    let mut lines: Vec<String> = issues.iter().take(TOLD).map(sentence).collect();
    if issues.len() > TOLD {
        lines.push(format!("… and {} more.", issues.len() - TOLD));
    }
    lines.join("\n")
}
