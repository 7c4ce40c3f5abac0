//! The files beside topics: project, words, documents.

use super::words::Words;
use crate::archive::Files;
use crate::guid::Guid;
use crate::topic::{Document, Extensions, Project};
use xml::Element;

/// The project of `project.bcfp`.
pub(super) fn project(words: &mut Words<'_>, root: &Element) -> Option<Project> {
    let own = root.child("Project")?;
    let Some(id) = Words::attribute(own, "ProjectId") else {
        words.tell(own, "the project has no ProjectId");
        return None;
    };
    Some(Project { id, name: Words::text(own, "Name") })
}

/// The words of `extensions.xml`, 3.0.
pub(super) fn extensions(words: &mut Words<'_>, root: &Element) -> Extensions {
    if root.name != "Extensions" {
        words.tell(root, format!("the root is <{}>, not <Extensions>", root.name));
    }
    let list =
        |group: &str, name: &str| root.child(group).map(|own| Words::texts(own, name)).unwrap_or_default();
    Extensions {
        types: list("TopicTypes", "TopicType"),
        statuses: list("TopicStatuses", "TopicStatus"),
        priorities: list("Priorities", "Priority"),
        labels: list("TopicLabels", "TopicLabel"),
        users: list("Users", "User"),
        snippet_types: list("SnippetTypes", "SnippetType"),
        stages: list("Stages", "Stage"),
    }
}

/// The words of `extensions.xsd`, 2.0 and 2.1: enumerations of the types that it defines anew.
pub(super) fn schema_extensions(root: &Element) -> Extensions {
    let mut extensions = Extensions::default();
    let types = root.children_of("redefine").flat_map(|own| own.children_of("simpleType"));
    for own in types.chain(root.children_of("simpleType")) {
        let list = match own.attribute("name") {
            Some("TopicType") => &mut extensions.types,
            Some("TopicStatus") => &mut extensions.statuses,
            Some("TopicLabel") => &mut extensions.labels,
            Some("SnippetType") => &mut extensions.snippet_types,
            Some("Priority") => &mut extensions.priorities,
            Some("UserIdType") => &mut extensions.users,
            Some("Stage") => &mut extensions.stages,
            _ => continue,
        };
        let values =
            own.children_of("restriction").flat_map(|restriction| restriction.children_of("enumeration"));
        list.extend(values.filter_map(|value| Words::attribute(value, "value")));
    }
    extensions
}

/// The documents of `documents.xml`, 3.0, with their bytes from the folder `documents`.
pub(super) fn documents(words: &mut Words<'_>, root: &Element, files: &mut Files) -> Vec<Document> {
    let mut found = Vec::new();
    for own in root.child("Documents").into_iter().flat_map(|list| list.children_of("Document")) {
        let Some(written) = Words::attribute(own, "Guid") else {
            words.tell(own, "the document has no Guid");
            continue;
        };
        let Some(guid) = words.guid(own, "Guid") else { continue };
        let is_own = |name: &str| {
            name.strip_prefix("documents/").is_some_and(|file| file.eq_ignore_ascii_case(&written))
        };
        let Some(name) = files.keys().find(|name| is_own(name)).cloned() else {
            words.tell(own, format!("documents/{written} is not in the archive"));
            continue;
        };
        let bytes = files.remove(&name).unwrap_or_default();
        let filename = Words::text(own, "Filename").unwrap_or_else(|| guid.to_string());
        found.push(Document { guid, filename, description: Words::text(own, "Description"), bytes });
    }
    found
}

/// The document that a file of the archive is, in versions that give documents no GUID.
pub(super) fn made(name: &str, bytes: Vec<u8>) -> Document {
    let filename = name.rsplit('/').next().unwrap_or(name).to_owned();
    let guid = Guid::made_of(&[filename.as_bytes(), &bytes]);
    Document { guid, filename, description: None, bytes }
}
