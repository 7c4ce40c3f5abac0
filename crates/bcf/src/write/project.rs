//! The files beside topics: version, project, words, documents.

use super::{Writing, filled};
use crate::topic::{Archive, Extensions};
use xml::Writer;

pub(super) fn write(writing: &mut Writing<'_>) {
    let is_3 = writing.is_3();
    let archive = writing.archive;
    let mut version = Writer::default();
    version.open("Version").attribute("VersionId", &writing.version.to_string());
    if !is_3 {
        version.leaf("DetailedVersion", &writing.version.to_string());
    }
    writing.add("bcf.version".to_owned(), version.finish().into_bytes());
    if let Some(project) = project(archive, is_3) {
        writing.add("project.bcfp".to_owned(), project.into_bytes());
    }
    let words = words(archive);
    if is_3 {
        writing.add("extensions.xml".to_owned(), extensions(&words).into_bytes());
        if !archive.documents.is_empty() {
            writing.add("documents.xml".to_owned(), documents(archive).into_bytes());
        }
    } else {
        writing.add("extensions.xsd".to_owned(), schema(&words).into_bytes());
    }
    for document in &archive.documents {
        let name = if is_3 { format!("documents/{}", document.guid) } else { document.filename.clone() };
        writing.add(name, document.bytes.clone());
    }
}

fn project(archive: &Archive, is_3: bool) -> Option<String> {
    let mut writer = Writer::default();
    let own = archive.project.as_ref();
    if is_3 && own.is_none() {
        return None;
    }
    writer.open(if is_3 { "ProjectInfo" } else { "ProjectExtension" });
    if let Some(project) = own {
        writer.open("Project").attribute("ProjectId", &project.id);
        writer.optional("Name", filled(project.name.as_deref()));
        writer.close();
    }
    if !is_3 {
        writer.leaf("ExtensionSchema", "extensions.xsd");
    }
    Some(writer.finish())
}

/// The words that are offered, with those that topics use.
fn words(archive: &Archive) -> Extensions {
    let mut words = archive.extensions.clone();
    let add = |list: &mut Vec<String>, word: Option<&String>| {
        if let Some(word) = word.filter(|word| !word.trim().is_empty())
            && !list.contains(word)
        {
            list.push(word.clone());
        }
    };
    for topic in &archive.topics {
        add(&mut words.types, topic.kind.as_ref());
        add(&mut words.statuses, topic.status.as_ref());
        add(&mut words.priorities, topic.priority.as_ref());
        add(&mut words.stages, topic.stage.as_ref());
        add(&mut words.snippet_types, topic.snippet.as_ref().map(|snippet| &snippet.kind));
        for label in &topic.labels {
            add(&mut words.labels, Some(label));
        }
        for user in [&topic.assigned_to, &topic.created.author, &topic.modified.author] {
            add(&mut words.users, user.as_ref());
        }
    }
    words
}

fn extensions(words: &Extensions) -> String {
    let mut writer = Writer::default();
    writer.open("Extensions");
    for (group, name, list) in [
        ("TopicTypes", "TopicType", &words.types),
        ("TopicStatuses", "TopicStatus", &words.statuses),
        ("Priorities", "Priority", &words.priorities),
        ("TopicLabels", "TopicLabel", &words.labels),
        ("Users", "User", &words.users),
        ("SnippetTypes", "SnippetType", &words.snippet_types),
        ("Stages", "Stage", &words.stages),
    ] {
        writer.open(group);
        for word in list {
            writer.leaf(name, word);
        }
        writer.close();
    }
    writer.finish()
}

/// The words as the schema that 2.1 asks for: the types of markup.xsd defined anew.
fn schema(words: &Extensions) -> String {
    let mut writer = Writer::default();
    writer.open("xs:schema").attribute("xmlns:xs", "http://www.w3.org/2001/XMLSchema");
    writer.open("xs:redefine").attribute("schemaLocation", "markup.xsd");
    for (name, list) in [
        ("TopicType", &words.types),
        ("TopicStatus", &words.statuses),
        ("TopicLabel", &words.labels),
        ("SnippetType", &words.snippet_types),
        ("Priority", &words.priorities),
        ("UserIdType", &words.users),
        ("Stage", &words.stages),
    ] {
        if list.is_empty() {
            continue;
        }
        writer.open("xs:simpleType").attribute("name", name);
        writer.open("xs:restriction").attribute("base", name);
        for word in list {
            writer.open("xs:enumeration").attribute("value", word).close();
        }
        writer.close().close();
    }
    writer.finish()
}

fn documents(archive: &Archive) -> String {
    let mut writer = Writer::default();
    writer.open("DocumentInfo").open("Documents");
    for document in &archive.documents {
        writer.open("Document").attribute("Guid", &document.guid.to_string());
        writer.leaf("Filename", filled(Some(&document.filename)).unwrap_or("document"));
        writer.optional("Description", filled(document.description.as_deref()));
        writer.close();
    }
    writer.finish()
}
