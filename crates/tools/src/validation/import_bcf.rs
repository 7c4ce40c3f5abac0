//! A BCF file of another program read: its topics, and which elements of the model they speak of.

use crate::elements::brief;
use crate::opened::file_stem;
use crate::topics::guids_of;
use crate::{IfcCall, Tool, given_file};
use bcf::{Archive, Limits, Problem, Projection, Target, Topic, Version, Viewpoint};
use contract::{Effect, Fault, FaultCode, FileNeed, NamedFile, Toolset};
use ifc::Model;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// The role of the file.
pub(crate) const FILE: &str = "bcf";
/// Bytes of a file at most.
const MAX_BYTES: usize = 256 << 20;
/// Topics of one answer at most.
const MOST: usize = 100;
/// Elements of a topic that are listed.
const LISTED: usize = 20;
/// Letters of a text that are told.
const LETTERS: usize = 600;

/// The tool's arguments.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Input {
    /// Path or bucket key of the file (.bcf, .bcfzip; BCF 2.0 to 3.0).
    #[serde(rename = "file")]
    _file: String,
    /// Their pictures as files.
    #[serde(default)]
    #[schemars(extend("x-seldom" = true))]
    pictures: bool,
    /// Topics at most.
    #[schemars(extend("default" = 20, "minimum" = 1, "maximum" = MOST, "x-seldom" = true))]
    limit: Option<usize>,
    /// `next_cursor` of the answer before.
    #[schemars(extend("x-seldom" = true))]
    cursor: Option<String>,
}

/// A comment.
#[derive(Debug, Serialize, JsonSchema)]
struct Said {
    author: Option<String>,
    date: Option<String>,
    text: String,
}

/// A topic.
#[derive(Debug, Serialize, JsonSchema)]
struct Told {
    guid: String,
    title: String,
    #[serde(skip_serializing_if = "Map::is_empty")]
    #[serde(flatten)]
    fields: Map<String, Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    labels: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    comments: Vec<Said>,
    /// Elements of this model that it selects, colours or shows.
    elements: Vec<Map<String, Value>>,
    /// More of them than are listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    more_elements: Option<usize>,
    /// Elements that this model lacks.
    #[serde(skip_serializing_if = "Option::is_none")]
    not_in_model: Option<usize>,
    /// Where its camera stands and looks, in mm.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    cameras: Vec<Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    documents: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related: Vec<String>,
    pictures: usize,
}

/// The topics. Their texts are data of the file's authors.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    version: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    project: Option<String>,
    total: usize,
    topics: Vec<Told>,
    /// Sayings of the file that are wrong and were passed over.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    problems: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::ifc("import_bcf", Effect::Query, run)
        .title("Issues of a BCF file")
        .file(FileNeed::Named(NamedFile { role: FILE.to_owned(), parameter: "file".to_owned() }))
        .makes_files()
        .toolset(Toolset::Exchange)
        .description("Reads a BCF file: topics, comments, viewpoints, and the elements of this model that they speak of. keep_topics keeps them.")
        .example("A file of the session's folder", json!({ "file": "issues.bcf" }))
}

fn run(call: &mut IfcCall, input: Input) -> Result<Output, Fault> {
    let (version, archive, problems) = given(call)?;
    let start = crate::input::cursor(input.cursor.as_deref())?;
    let limit = crate::input::limit(input.limit, 20, MOST)?;
    let model = call.edit.model().clone();
    let topics: Vec<&Topic> = archive.topics.iter().skip(start).take(limit).collect();
    let told: Vec<Told> = topics.iter().map(|topic| told(&model, &archive, topic)).collect();
    let mut notes = Vec::new();
    let missing: usize = told.iter().filter_map(|topic| topic.not_in_model).sum();
    if missing > 0 && told.iter().all(|topic| topic.elements.is_empty()) {
        let files: BTreeSet<&str> = archive
            .topics
            .iter()
            .flat_map(|topic| &topic.files)
            .filter_map(|file| file.filename.as_deref())
            .collect();
        let named = if files.is_empty() {
            "no model by name".to_owned()
        } else {
            files.into_iter().collect::<Vec<_>>().join(", ")
        };
        notes.push(format!("None of the elements are in this model; the file speaks of {}.", short(&named)));
    }
    if input.pictures {
        for topic in topics {
            for (number, viewpoint) in topic.viewpoints.iter().enumerate() {
                let Some(picture) = &viewpoint.snapshot else { continue };
                let (ending, media_type) = if picture.starts_with(&[0xFF, 0xD8]) {
                    ("jpg", "image/jpeg")
                } else {
                    ("png", "image/png")
                };
                let stem =
                    file_stem(&format!("{} {}", topic.title.as_deref().unwrap_or("topic"), number + 1));
                call.make_file("picture", &format!("{stem}.{ending}"), media_type, &mut |out| {
                    out.write_all(picture)
                })?;
            }
        }
    }
    let next = start + told.len();
    let mut wrong: Vec<String> =
        problems.iter().take(20).map(|problem| short(&format!("{problem}."))).collect();
    if problems.len() > wrong.len() {
        wrong.push(format!("… and {} more.", problems.len() - wrong.len()));
    }
    Ok(Output {
        version: version.to_string(),
        project: archive
            .project
            .as_ref()
            .map(|project| project.name.clone().unwrap_or_else(|| project.id.clone())),
        total: archive.topics.len(),
        next_cursor: (next < archive.topics.len() && !told.is_empty()).then(|| next.to_string()),
        topics: told,
        problems: wrong,
        notes,
    })
}

/// The archive of the file that came with a call.
pub(crate) fn given(call: &IfcCall) -> Result<(Version, Archive, Vec<Problem>), Fault> {
    let Some(bytes) = given_file::bytes(call, FILE, "file", MAX_BYTES)? else {
        return Err(Fault::invalid("file", "`file` is the path or bucket key of a BCF file."));
    };
    bcf::read(&bytes, &Limits::default()).map_err(|error| {
        Fault::new(FaultCode::UnreadableFile, format!("`file`: {error}.")).with("field", "file")
    })
}

/// A text of a stranger, shortened.
fn short(text: &str) -> String {
    let mut letters = text.chars();
    let kept: String = letters.by_ref().take(LETTERS).collect();
    if letters.next().is_some() { kept + "…" } else { kept }
}

fn told(model: &Model, archive: &Archive, topic: &Topic) -> Told {
    let mut fields = Map::new();
    for (name, value) in [
        ("type", &topic.kind),
        ("status", &topic.status),
        ("priority", &topic.priority),
        ("assigned_to", &topic.assigned_to),
        ("due", &topic.due),
        ("stage", &topic.stage),
        ("author", &topic.created.author),
        ("date", &topic.created.date),
        ("description", &topic.description),
    ] {
        if let Some(value) = value {
            fields.insert(name.to_owned(), json!(short(value)));
        }
    }
    let guids: BTreeSet<&str> = topic.viewpoints.iter().flat_map(guids_of).collect();
    let (mut found, mut missing) = (Vec::new(), 0);
    for guid in guids {
        match model.by_guid(guid) {
            Some(id) => found.push(brief(model, id)),
            None => missing += 1,
        }
    }
    let more_elements = found.len().saturating_sub(LISTED);
    found.truncate(LISTED);
    let comments = topic.comments.iter().map(|comment| Said {
        author: comment.created.author.clone(),
        date: comment.created.date.clone(),
        text: short(comment.text.as_deref().unwrap_or_default()),
    });
    let documents = topic.documents.iter().map(|document| match &document.target {
        Target::Url(url) => short(url),
        Target::Document(guid) => {
            let known = archive.documents.iter().find(|known| known.guid == *guid);
            known.map_or_else(|| guid.to_string(), |known| short(&known.filename))
        }
    });
    Told {
        guid: topic.guid.to_string(),
        title: short(topic.title.as_deref().unwrap_or_default()),
        fields,
        labels: topic.labels.iter().map(|label| short(label)).collect(),
        comments: comments.collect(),
        elements: found,
        more_elements: (more_elements > 0).then_some(more_elements),
        not_in_model: (missing > 0).then_some(missing),
        cameras: topic.viewpoints.iter().filter_map(camera).collect(),
        documents: documents.chain(topic.links.iter().map(|link| short(link))).collect(),
        related: topic.related.iter().map(ToString::to_string).collect(),
        pictures: topic.viewpoints.iter().filter(|viewpoint| viewpoint.snapshot.is_some()).count(),
    }
}

fn camera(viewpoint: &Viewpoint) -> Option<Value> {
    let camera = viewpoint.view.as_ref()?.camera?;
    let mm = |point: [f64; 3]| point.map(|metres| (metres * 1000.0).round());
    let thousandth = |direction: [f64; 3]| direction.map(|part| (part * 1000.0).round() / 1000.0);
    let mut told = json!({ "point": mm(camera.eye.point), "direction": thousandth(camera.eye.direction) });
    match camera.projection {
        Projection::Perspective(angle) => told["field_of_view"] = json!((angle * 10.0).round() / 10.0),
        Projection::Orthogonal(height) => told["height"] = json!((height * 1000.0).round()),
    }
    Some(told)
}
