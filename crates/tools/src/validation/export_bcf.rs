//! Issues as a BCF file: of what the caller says, of findings of checks, of clashes, of what differs from an earlier version.

use crate::clashing::{Search, TARGET, clash_guid, kind_word};
use crate::elements::{OneOrMore, label_of};
use crate::kept_topics;
use crate::opened::file_stem;
use crate::report::{self, Family, Level, Requested, State, Wish};
use crate::selecting::choose;
use crate::topic_file::{MEDIA_TYPE, MOST, TopicFile, project_of};
use crate::topics::{AMBER, BLUE, GREEN, RED, Subject, guid_of, header_file};
use crate::validation::check_ids;
use crate::{IfcCall, Tool, rule_packs, waivers};
use bcf::{Comment, Guid, Project, Stamp, Topic, Version, is_date_time};
use contract::{Effect, Fault, FaultCode, FileNeed, NamedFile, Toolset};
use geometry::query::{Interference, Kind};
use geometry::render::{self, Look};
use ifc::{Id, Model};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::sync::Arc;

/// The role of the version to compare with.
const BASE: &str = "diff_base";
/// The families of findings where none is named and nothing is given to hold against.
const USUAL: [Family; 1] = [Family::Constraints];

/// The versions that are written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Written {
    /// 3.0.
    #[default]
    #[serde(rename = "3.0")]
    V3,
    /// 2.1.
    #[serde(rename = "2.1")]
    V2,
}

/// An issue.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Issue {
    title: String,
    description: Option<String>,
    /// Ids or selector of what it is about.
    elements: Option<OneOrMore>,
    /// Such as Clash, Request; Issue by default.
    r#type: Option<String>,
    /// Open by default.
    status: Option<String>,
    priority: Option<String>,
    labels: Option<Vec<String>>,
    assigned_to: Option<String>,
    /// Date and time such as 2026-01-31T12:00:00Z.
    due: Option<String>,
    comments: Option<Vec<String>>,
    /// GUID of the topic; without it one made of the rest, the same each time.
    guid: Option<String>,
}

/// Findings that become topics.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Findings {
    /// As of validate_model; without it those of `ids` and `packs`, else constraints.
    parts: Option<Vec<Family>>,
    /// Path, bucket key or text of an IDS.
    ids: Option<String>,
    packs: Option<Vec<String>>,
    /// The lightest that become topics; warning by default.
    severity_threshold: Option<Level>,
    /// A topic for each rule, not for each finding.
    #[serde(default)]
    by_rule: bool,
}

/// The project that the topics are of.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ProjectInfo {
    id: Option<String>,
    name: Option<String>,
}

/// The tool's arguments.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Input {
    /// Issues of your own.
    #[serde(default)]
    issues: Vec<Issue>,
    /// The topics kept with the model, too.
    #[serde(default)]
    kept: bool,
    /// A topic for each finding of checks, but for those that are waived.
    findings: Option<Findings>,
    /// A topic for each clash that clash_detection finds so.
    clashes: Option<Search>,
    /// Model of the clashes' targets.
    #[schemars(extend("x-seldom" = true))]
    target_model_id: Option<String>,
    /// Its version.
    #[schemars(extend("x-seldom" = true))]
    target_model_version: Option<String>,
    /// Earlier version: topics of what was added, changed and removed since.
    #[schemars(extend("x-seldom" = true))]
    diff_base: Option<String>,
    /// By default that of the model.
    #[schemars(extend("x-seldom" = true))]
    project_info: Option<ProjectInfo>,
    /// Of BCF.
    #[serde(default)]
    version: Written,
    /// A picture with each viewpoint.
    #[schemars(extend("default" = true, "x-seldom" = true))]
    pictures: Option<bool>,
}

/// A topic written.
#[derive(Debug, Serialize, JsonSchema)]
struct Told {
    guid: String,
    title: String,
    /// Elements in its viewpoint.
    elements: usize,
}

/// The file.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    version: Written,
    total: usize,
    /// The first 50.
    topics: Vec<Told>,
    pictures: usize,
    bytes: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::ifc("export_bcf", Effect::Query, run)
        .title("Issues as BCF")
        .further_model(TARGET, "target_model_id", "target_model_version")
        .further_version(BASE, "diff_base")
        .file(FileNeed::Named(NamedFile {
            role: check_ids::FILE.to_owned(),
            parameter: "findings.ids".to_owned(),
        }))
        .file(rule_packs::need("findings.packs"))
        .makes_files()
        .toolset(Toolset::Exchange)
        .long()
        .description(
            "Writes issues, findings, clashes or version differences as a BCF file: topics with viewpoints, pictures and comments for other programs.",
        )
        .example(
            "An issue about two walls",
            json!({ "issues": [{ "title": "Which of these carries?", "elements": "IfcWall", "assigned_to": "a@example.com" }] }),
        )
        .example("What constraints find, by rule", json!({ "findings": { "parts": ["constraints"], "by_rule": true } }))
        .example(
            "Clashes of walls and slabs, for older programs",
            json!({ "clashes": { "source_category": "walls", "target_category": "IfcSlab" }, "version": "2.1" }),
        )
}

fn run(call: &mut IfcCall, input: Input) -> Result<Output, Fault> {
    let is_named = input.target_model_id.is_some() || input.target_model_version.is_some();
    if is_named && input.clashes.is_none() {
        return Err(Fault::invalid(
            "clashes",
            "`target_model_id` says what to clash with: give `clashes`, too.",
        ));
    }
    let is_asked =
        input.clashes.is_some() || input.findings.is_some() || input.diff_base.is_some() || input.kept;
    if input.issues.is_empty() && !is_asked {
        let problem = "Give `issues` of your own, `findings` or `clashes` to look for, `diff_base` to compare with, or `kept`.";
        return Err(Fault::invalid("issues", problem));
    }
    if input.issues.len() > MOST {
        return Err(Fault::invalid("issues", format!("A file holds at most {MOST} topics; write several.")));
    }
    let mut writing = TopicFile::new(call, input.pictures.unwrap_or(true))?;
    for (number, issue) in input.issues.into_iter().enumerate() {
        writing.issue(call, number, issue)?;
    }
    if input.kept {
        kept(call, &mut writing)?;
    }
    if let Some(findings) = &input.findings {
        sought(call, findings, &mut writing)?;
    }
    if let Some(search) = &input.clashes {
        writing.clashes(call, search, is_named)?;
    }
    if input.diff_base.is_some() {
        writing.differences(call)?;
    }
    let mut seen = std::collections::BTreeSet::new();
    if let Some(twice) = writing.topics.iter().find(|topic| !seen.insert(topic.guid.clone())) {
        let title = twice.title.clone().unwrap_or_default();
        return Err(Fault::invalid(
            "issues",
            format!("Two of them are the same topic: {title} ({}).", twice.guid),
        ));
    }
    let model = call.edit.model();
    let project = project(model, input.project_info);
    let title = project.as_ref().and_then(|project| project.name.clone()).unwrap_or_default();
    let version = if input.version == Written::V3 { Version::V3_0 } else { Version::V2_1 };
    let (archive, bytes) = writing.written(project, version)?;
    let stem = file_stem(&format!("issues {title}"));
    call.make_file("bcf", &format!("{stem}.bcf"), MEDIA_TYPE, &mut |out| out.write_all(&bytes))?;
    let elements = |topic: &Topic| -> usize {
        let views = topic.viewpoints.iter().filter_map(|own| own.view.as_ref()?.components.as_ref());
        views.map(|components| components.selection.len()).sum()
    };
    let told = |topic: &Topic| Told {
        guid: topic.guid.to_string(),
        title: topic.title.clone().unwrap_or_default(),
        elements: elements(topic),
    };
    Ok(Output {
        version: input.version,
        total: archive.topics.len(),
        topics: archive.topics.iter().take(50).map(told).collect(),
        pictures: archive.topics.iter().flat_map(|t| &t.viewpoints).filter(|v| v.snapshot.is_some()).count(),
        bytes: bytes.len(),
        notes: writing.notes,
    })
}

/// The project of the topics: as given, else the model's.
fn project(model: &Model, given: Option<ProjectInfo>) -> Option<Project> {
    let own = project_of(model);
    let (id, name) = given.map_or((None, None), |given| (given.id, given.name));
    let id = id.or_else(|| Some(own.as_ref()?.id.clone()))?;
    let name = name.or_else(|| own?.name);
    Some(Project { id, name })
}

/// Adds the topics that are kept with the model.
fn kept(call: &IfcCall, writing: &mut TopicFile) -> Result<(), Fault> {
    let all = kept_topics::read(call.edit.model());
    if all.is_empty() {
        writing.notes.push("No topic is kept with the model.".to_owned());
    }
    let room = MOST.saturating_sub(writing.topics.len());
    if all.len() > room {
        writing.notes.push(format!("{} kept topics are left out: a file holds {MOST}.", all.len() - room));
    }
    all.into_values().take(room).try_for_each(|kept| writing.kept(call, kept.topic))
}

/// Adds the topics of findings.
fn sought(call: &IfcCall, findings: &Findings, writing: &mut TopicFile) -> Result<(), Fault> {
    let is_given = findings.ids.is_some() || findings.packs.is_some();
    let wish = Wish {
        parts: findings.parts.as_deref(),
        ids: findings.ids.as_deref(),
        packs: findings.packs.as_deref(),
        usual: if is_given { &[] } else { &USUAL },
        within: "findings.",
    };
    let mut found = report::found(State::Now(call), &Requested::new(call, &wish)?)?;
    let waived = found.waive(call.edit.model()).len();
    if waived > 0 {
        writing.notes.push(format!("{waived} waived findings have no topic."));
    }
    let threshold = findings.severity_threshold.unwrap_or(Level::Warning);
    found.issues.retain(|(_, issue)| issue.level <= threshold);
    writing.findings(call, &found, findings.by_rule)
}

impl TopicFile {
    fn issue(&mut self, call: &IfcCall, number: usize, issue: Issue) -> Result<(), Fault> {
        let field = |name: &str| format!("issues[{number}].{name}");
        if issue.title.trim().is_empty() {
            return Err(Fault::invalid(&field("title"), "An issue needs a title."));
        }
        if let Some(due) = issue.due.as_ref().filter(|due| !is_date_time(due)) {
            let problem = format!("`{due}` is no date and time; write it as 2026-01-31T12:00:00Z.");
            return Err(Fault::invalid(&field("due"), problem));
        }
        let elements = match issue.elements {
            Some(elements) => choose(call.edit.model(), &field("elements"), &elements.list())?,
            None => Vec::new(),
        };
        let guid = if let Some(text) = &issue.guid {
            let problem = format!("`{text}` is no GUID such as 8ac9822a-761a-4deb-9f39-f61286acbf6a.");
            Guid::parse(text).ok_or_else(|| Fault::invalid(&field("guid"), problem))?
        } else {
            self.guid_of_issue(call.edit.model(), &issue.title, &elements)
        };
        let comments = issue.comments.unwrap_or_default().into_iter().enumerate();
        let comments = comments.map(|(number, text)| Comment {
            guid: Guid::made_of(&[guid.to_string().as_bytes(), &number.to_le_bytes(), text.as_bytes()]),
            created: self.stamp.clone(),
            modified: Stamp::default(),
            text: Some(text),
            viewpoint: None,
        });
        let kind = issue.r#type.unwrap_or_else(|| "Issue".to_owned());
        let mut topic = self.topic(guid.clone(), &issue.title, &kind);
        topic.comments = comments.collect();
        topic.status = issue.status.or(topic.status);
        topic.description = issue.description;
        topic.priority = issue.priority;
        topic.labels = issue.labels.unwrap_or_default();
        topic.assigned_to = issue.assigned_to;
        topic.due = issue.due;
        let scene = Arc::clone(&self.scene);
        let elements = elements.into_iter().map(|id| (id, RED)).collect();
        self.keep(call, topic, &[Subject { scene: &scene, elements }])
    }

    fn clashes(&mut self, call: &IfcCall, search: &Search, is_named: bool) -> Result<(), Fault> {
        let found = search.run(call, is_named)?;
        self.notes.extend(found.notes.iter().cloned());
        let target = found.target_model(call);
        let (scene, other) = match &found.other {
            Some(other) => {
                let file = header_file(other.model(), other.name());
                (other.scene(call.watch.as_ref())?, Some(file))
            }
            None => (Arc::clone(&self.scene), None),
        };
        let all = found.clashes.found.iter();
        let mut named: Vec<(String, _)> = all
            .map(|clash| (clash_guid(call.edit.model(), &target, &clash.pair).to_string(), clash))
            .collect();
        let waived = waivers::take(call.edit.model(), &mut named).len();
        if waived > 0 {
            self.notes.push(format!("{waived} waived clashes have no topic."));
        }
        let room = MOST - self.topics.len();
        let total = named.len();
        if total > room {
            self.notes.push(format!(
                "{} clashes of {total} are left out: a file holds {MOST} topics.",
                total - room
            ));
        }
        if total == 0 {
            self.notes.push("There is no clash.".to_owned());
        }
        let own = Arc::clone(&self.scene);
        for (number, (_, clash)) in named.into_iter().take(room).enumerate() {
            let pair = &clash.pair;
            if !call.watch.at(number as u64, total.min(room) as u64) {
                return Err(Fault::given_up("export_bcf"));
            }
            let (a, b) = (label_of(call.edit.model(), pair.a), label_of(&target, pair.b));
            let guid = clash_guid(call.edit.model(), &target, pair);
            let mut topic = self.topic(guid, &format!("{a} × {b}"), "Clash");
            topic.description = Some(in_words(pair));
            topic.labels = vec![kind_word(&pair.kind).to_owned()];
            topic.files.extend(other.clone());
            let subjects = if other.is_some() {
                vec![
                    Subject { scene: &own, elements: vec![(pair.a, RED)] },
                    Subject { scene: &scene, elements: vec![(pair.b, BLUE)] },
                ]
            } else {
                vec![Subject { scene: &own, elements: vec![(pair.a, RED), (pair.b, BLUE)] }]
            };
            self.keep(call, topic, &subjects)?;
        }
        Ok(())
    }

    /// Topics of what was added, changed and removed since another version.
    fn differences(&mut self, call: &IfcCall) -> Result<(), Fault> {
        let before = call.version(BASE)?;
        let name =
            before.name().and_then(|name| name.version.as_ref().map(ToString::to_string)).unwrap_or_default();
        let (old, new) = (before.scene(call.watch.as_ref())?, Arc::clone(&self.scene));
        let items = render::of_changes(&old, &new);
        let of_look = |colour| -> Vec<Id> {
            items.iter().filter(|item| item.look == Look::Colour(colour)).map(|item| item.element).collect()
        };
        let groups = [
            ("added", render::ADDED, GREEN, &new),
            ("changed", render::CHANGED, AMBER, &new),
            ("removed", render::REMOVED, RED, &old),
        ];
        let mut is_same = true;
        for (word, look, colour, scene) in groups {
            let elements = of_look(look);
            if elements.is_empty() {
                continue;
            }
            is_same = false;
            if self.topics.len() >= MOST {
                let problem =
                    format!("A file holds at most {MOST} topics; write the difference into one of its own.");
                return Err(Fault::new(FaultCode::LimitReached, problem).with("field", "diff_base"));
            }
            let parts: Vec<String> = elements.iter().filter_map(|id| guid_of(scene.model(), *id)).collect();
            let mut bytes: Vec<&[u8]> = vec![word.as_bytes(), self.project.as_bytes(), name.as_bytes()];
            bytes.extend(parts.iter().map(String::as_bytes));
            let s = if elements.len() == 1 { "" } else { "s" };
            let title = format!("{} element{s} {word} since version {name}", elements.len());
            let mut topic = self.topic(Guid::made_of(&bytes), &title, "Change");
            let labels: Vec<String> =
                elements.iter().take(40).map(|id| label_of(scene.model(), *id)).collect();
            topic.description = Some(labels.join("\n"));
            topic.labels = vec![word.to_owned()];
            // what is gone is seen among what is left
            let elements: Vec<(Id, _)> = elements.into_iter().map(|id| (id, colour)).collect();
            let mut subjects = vec![Subject { scene, elements }];
            if word == "removed" {
                subjects.push(Subject { scene: &new, elements: Vec::new() });
            }
            self.keep(call, topic, &subjects)?;
        }
        if is_same {
            self.notes.push("Nothing that is drawn differs between the two versions; diff_versions tells what differs in properties alone.".to_owned());
        }
        Ok(())
    }
}

/// A clash as people say it.
fn in_words(pair: &Interference) -> String {
    let mm = |metres: f64| format!("{} mm", (metres * 1e4).round() / 10.0);
    let litres = |cubic: f64| format!("{} l", (cubic * 1e4).round() / 10.0);
    let [x, y, z] = pair.place.to_array().map(|metres| (metres * 1000.0).round());
    let what = match pair.kind {
        Kind::Hard { depth, volume: Some(volume) } => {
            format!("They share {} and go {} into each other", litres(volume), mm(depth))
        }
        Kind::Hard { depth, volume: None } => format!("They go {} into each other", mm(depth)),
        Kind::Duplicate { .. } => "The same shape is there twice".to_owned(),
        Kind::Inside { volume } => format!("The first lies within the second, with {}", litres(volume)),
        Kind::Contains { volume } => format!("The second lies within the first, with {}", litres(volume)),
        Kind::Touching { .. } => "They touch".to_owned(),
        Kind::Clearance { distance } => format!("They are {} apart", mm(distance)),
    };
    format!("{what}, at {x}, {y}, {z} mm.")
}
