//! Topics and what belongs to them, as no version alone says them.

use crate::guid::Guid;
use crate::view::View;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A version of the format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Version {
    /// 2.0, which is read alone.
    V2_0,
    /// 2.1.
    V2_1,
    /// 3.0.
    V3_0,
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::V2_0 => "2.0",
            Self::V2_1 => "2.1",
            Self::V3_0 => "3.0",
        })
    }
}

/// An archive of topics.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Archive {
    /// The project that all topics are of.
    pub project: Option<Project>,
    /// The words that topics may be described by.
    pub extensions: Extensions,
    /// The documents within.
    pub documents: Vec<Document>,
    /// The topics, by their GUIDs.
    pub topics: Vec<Topic>,
    /// Files beside the topics that nothing speaks of, such as models.
    pub files: Vec<Attachment>,
}

/// A project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Project {
    /// Its id, mostly a GUID.
    pub id: String,
    /// Its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// The words that are offered for topics.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Extensions {
    /// Types of topics.
    pub types: Vec<String>,
    /// Their statuses.
    pub statuses: Vec<String>,
    /// Their priorities.
    pub priorities: Vec<String>,
    /// Their labels.
    pub labels: Vec<String>,
    /// People.
    pub users: Vec<String>,
    /// Types of snippets.
    pub snippet_types: Vec<String>,
    /// Stages.
    pub stages: Vec<String>,
}

/// A file within an archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attachment {
    /// Its name, within its folder.
    pub name: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// A document within an archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// Its GUID; made of name and bytes where the version knows none.
    pub guid: Guid,
    /// Its file name.
    pub filename: String,
    /// In words.
    pub description: Option<String>,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// When, and by whom.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Stamp {
    /// xs:dateTime.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// Mostly an e-mail address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
}

/// A topic: something to be talked of, and settled.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Topic {
    /// Its GUID.
    pub guid: Guid,
    /// The id that a server gave it; 3.0 alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server_assigned_id: Option<String>,
    /// Its type, such as Clash.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// Its status, such as Open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    /// The model files that it speaks of.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<HeaderFile>,
    /// Addresses.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<String>,
    /// Its title.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Its priority.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub priority: Option<String>,
    /// Its place in the order of topics.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub index: Option<i32>,
    /// Labels.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub labels: Vec<String>,
    /// Made.
    #[serde(default)]
    pub created: Stamp,
    /// Last changed.
    #[serde(default)]
    pub modified: Stamp,
    /// xs:dateTime by which it is to be settled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub due: Option<String>,
    /// Who is to settle it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assigned_to: Option<String>,
    /// The stage of the project.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stage: Option<String>,
    /// In words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// A piece of data of an agreed schema.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub snippet: Option<Snippet>,
    /// Documents.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub documents: Vec<DocumentReference>,
    /// Topics that belong to it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub related: Vec<Guid>,
    /// Comments, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub comments: Vec<Comment>,
    /// Viewpoints, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub viewpoints: Vec<Viewpoint>,
    /// Other files of its folder, such as snippets and bitmaps.
    #[serde(skip)]
    pub attachments: Vec<Attachment>,
}

impl Topic {
    /// A topic with a title, and nothing else.
    pub fn new(guid: Guid, title: &str) -> Self {
        Self {
            guid,
            server_assigned_id: None,
            kind: None,
            status: None,
            files: Vec::new(),
            links: Vec::new(),
            title: Some(title.to_owned()),
            priority: None,
            index: None,
            labels: Vec::new(),
            created: Stamp::default(),
            modified: Stamp::default(),
            due: None,
            assigned_to: None,
            stage: None,
            description: None,
            snippet: None,
            documents: Vec::new(),
            related: Vec::new(),
            comments: Vec::new(),
            viewpoints: Vec::new(),
            attachments: Vec::new(),
        }
    }
}

/// A model file that a topic speaks of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeaderFile {
    /// GlobalId of its IfcProject.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    /// GlobalId of a part of its spatial structure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spatial_element: Option<String>,
    /// True if it is not in the archive.
    pub is_external: bool,
    /// Its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub filename: Option<String>,
    /// xs:dateTime of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// Its address or path.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
}

/// A piece of data of an agreed schema.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Snippet {
    /// Its type.
    pub kind: String,
    /// True if `reference` is an address, false if it is a file of the topic.
    pub is_external: bool,
    /// Its address, or the name of a file among the topic's attachments.
    pub reference: String,
    /// The address of its schema.
    pub schema: String,
}

/// A document that a topic names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DocumentReference {
    /// The GUID of the reference.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guid: Option<Guid>,
    /// Where it is.
    pub target: Target,
    /// In words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}

/// Where a document is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Target {
    /// Within the archive, by its GUID.
    Document(Guid),
    /// At an address.
    Url(String),
}

/// A comment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Comment {
    /// Its GUID.
    pub guid: Guid,
    /// Made.
    #[serde(default)]
    pub created: Stamp,
    /// Last changed.
    #[serde(default)]
    pub modified: Stamp,
    /// Its text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The viewpoint that it speaks of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub viewpoint: Option<Guid>,
}

/// A view of the models, kept with a topic.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Viewpoint {
    /// Its GUID.
    pub guid: Guid,
    /// Its place in the order of viewpoints.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub index: Option<i32>,
    /// A picture, PNG or JPEG.
    #[serde(skip)]
    pub snapshot: Option<Vec<u8>>,
    /// The camera, and the elements that it sees.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub view: Option<View>,
}
