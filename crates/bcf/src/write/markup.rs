//! Topics: `markup.bcf`.

use super::{Writing, filled, snapshot_name, view, view_name};
use crate::dates::is_date_time;
use crate::topic::{Comment, DocumentReference, HeaderFile, Snippet, Target, Topic, Viewpoint};
use xml::Writer;

/// Stands where a version asks for words that nobody gave.
const UNTITLED: &str = "Untitled";
const UNKNOWN: &str = "unknown";
const ISSUE: &str = "Issue";
const OPEN: &str = "Open";
const LONG_AGO: &str = "1970-01-01T00:00:00Z";

pub(super) fn markup(writing: &mut Writing<'_>, topic: &Topic) -> String {
    let is_3 = writing.is_3();
    let mut writer = Writer::default();
    writer.open("Markup");
    if !topic.files.is_empty() {
        writer.open("Header");
        if is_3 {
            writer.open("Files");
        }
        topic.files.iter().for_each(|file| header_file(&mut writer, file, is_3));
        if is_3 {
            writer.close();
        }
        writer.close();
    }
    self::topic(writing, &mut writer, topic);
    if !is_3 {
        topic.comments.iter().for_each(|own| comment(writing, &mut writer, topic, own));
        topic.viewpoints.iter().for_each(|own| viewpoint(writing, &mut writer, "Viewpoints", own));
    }
    writer.finish()
}

fn header_file(writer: &mut Writer, file: &HeaderFile, is_3: bool) {
    let is_guid = |guid: &&str| guid.len() == 22;
    writer.open("File");
    writer.optional_attribute("IfcProject", file.project.as_deref().filter(is_guid));
    writer.optional_attribute("IfcSpatialStructureElement", file.spatial_element.as_deref().filter(is_guid));
    writer.attribute(external(is_3), truth(file.is_external));
    writer.optional("Filename", filled(file.filename.as_deref()));
    writer.optional("Date", file.date.as_deref().filter(|date| is_date_time(date)));
    writer.optional("Reference", filled(file.reference.as_deref()));
    writer.close();
}

fn external(is_3: bool) -> &'static str {
    if is_3 { "IsExternal" } else { "isExternal" }
}

fn truth(value: bool) -> &'static str {
    if value { "true" } else { "false" }
}

/// A value that a version asks for, or what stands in its place, which is told.
fn due<'v>(
    writing: &mut Writing<'_>,
    topic: &Topic,
    name: &str,
    value: Option<&'v str>,
    else_: &'v str,
) -> &'v str {
    if let Some(value) = filled(value) {
        return value;
    }
    let file = format!("{}/markup.bcf", topic.guid);
    writing.tell(&file, format!("{name} is missing, and written as `{else_}`"));
    else_
}

fn topic(writing: &mut Writing<'_>, writer: &mut Writer, topic: &Topic) {
    let is_3 = writing.is_3();
    writer.open("Topic").attribute("Guid", &topic.guid.to_string());
    if is_3 {
        writer.optional_attribute("ServerAssignedId", filled(topic.server_assigned_id.as_deref()));
        writer.attribute("TopicType", due(writing, topic, "TopicType", topic.kind.as_deref(), ISSUE));
        writer.attribute("TopicStatus", due(writing, topic, "TopicStatus", topic.status.as_deref(), OPEN));
    } else {
        if topic.server_assigned_id.is_some() {
            writing.tell(&format!("{}/markup.bcf", topic.guid), "ServerAssignedId is left out: 2.1 has none");
        }
        writer.optional_attribute("TopicType", filled(topic.kind.as_deref()));
        writer.optional_attribute("TopicStatus", filled(topic.status.as_deref()));
    }
    let each = |writer: &mut Writer, group, name, list: &[String]| {
        let list: Vec<&String> = list.iter().filter(|text| !text.trim().is_empty()).collect();
        if is_3 && !list.is_empty() {
            writer.open(group);
        }
        for text in &list {
            writer.leaf(name, text);
        }
        if is_3 && !list.is_empty() {
            writer.close();
        }
    };
    each(writer, "ReferenceLinks", "ReferenceLink", &topic.links);
    writer.leaf("Title", due(writing, topic, "Title", topic.title.as_deref(), UNTITLED));
    writer.optional("Priority", filled(topic.priority.as_deref()));
    writer.optional("Index", topic.index.map(|index| index.to_string()).as_deref());
    each(writer, "Labels", if is_3 { "Label" } else { "Labels" }, &topic.labels);
    let date = topic.created.date.as_deref().filter(|date| is_date_time(date));
    writer.leaf("CreationDate", due(writing, topic, "CreationDate", date, LONG_AGO));
    writer.leaf(
        "CreationAuthor",
        due(writing, topic, "CreationAuthor", topic.created.author.as_deref(), UNKNOWN),
    );
    writer.optional("ModifiedDate", topic.modified.date.as_deref().filter(|date| is_date_time(date)));
    writer.optional("ModifiedAuthor", filled(topic.modified.author.as_deref()));
    writer.optional("DueDate", topic.due.as_deref().filter(|date| is_date_time(date)));
    writer.optional("AssignedTo", filled(topic.assigned_to.as_deref()));
    writer.optional("Stage", filled(topic.stage.as_deref()));
    writer.optional("Description", filled(topic.description.as_deref()));
    if let Some(snippet) = &topic.snippet {
        self::snippet(writer, snippet, is_3);
    }
    group(writer, is_3, "DocumentReferences", topic.documents.is_empty(), |writer| {
        topic.documents.iter().for_each(|own| document(writing, writer, topic, own));
    });
    group(writer, is_3, "RelatedTopics", topic.related.is_empty(), |writer| {
        for guid in &topic.related {
            writer.open("RelatedTopic").attribute("Guid", &guid.to_string()).close();
        }
    });
    if is_3 {
        group(writer, true, "Comments", topic.comments.is_empty(), |writer| {
            topic.comments.iter().for_each(|own| comment(writing, writer, topic, own));
        });
        group(writer, true, "Viewpoints", topic.viewpoints.is_empty(), |writer| {
            topic.viewpoints.iter().for_each(|own| viewpoint(writing, writer, "ViewPoint", own));
        });
    }
    writer.close();
}

/// Writes a list, within an element of its own where the version has one.
fn group(
    writer: &mut Writer,
    is_grouped: bool,
    name: &'static str,
    is_empty: bool,
    write: impl FnOnce(&mut Writer),
) {
    if is_empty {
        return;
    }
    if is_grouped {
        writer.open(name);
    }
    write(writer);
    if is_grouped {
        writer.close();
    }
}

fn snippet(writer: &mut Writer, snippet: &Snippet, is_3: bool) {
    writer.open("BimSnippet").attribute("SnippetType", &snippet.kind);
    writer.attribute(external(is_3), truth(snippet.is_external));
    writer.leaf("Reference", &snippet.reference).leaf("ReferenceSchema", &snippet.schema);
    writer.close();
}

fn document(writing: &mut Writing<'_>, writer: &mut Writer, topic: &Topic, own: &DocumentReference) {
    let is_3 = writing.is_3();
    let guid = own.guid.as_ref().map(ToString::to_string);
    let description = filled(own.description.as_deref());
    writer.open("DocumentReference");
    if is_3 {
        let made = || {
            let target = format!("{:?}", own.target);
            crate::Guid::made_of(&[topic.guid.to_string().as_bytes(), target.as_bytes()]).to_string()
        };
        writer.attribute("Guid", &guid.unwrap_or_else(made));
        match &own.target {
            Target::Document(guid) => writer.leaf("DocumentGuid", &guid.to_string()),
            Target::Url(url) => writer.leaf("Url", url),
        };
    } else {
        writer.optional_attribute("Guid", guid.as_deref());
        match &own.target {
            Target::Document(guid) => {
                let document = writing.archive.documents.iter().find(|document| document.guid == *guid);
                writer.attribute("isExternal", "false");
                let path = document.map(|document| format!("../{}", document.filename));
                writer.optional("ReferencedDocument", path.as_deref());
            }
            Target::Url(url) => {
                writer.attribute("isExternal", "true").leaf("ReferencedDocument", url);
            }
        }
    }
    writer.optional("Description", description).close();
}

fn comment(writing: &mut Writing<'_>, writer: &mut Writer, topic: &Topic, own: &Comment) {
    writer.open("Comment").attribute("Guid", &own.guid.to_string());
    let date = own.created.date.as_deref().filter(|date| is_date_time(date));
    writer.leaf("Date", due(writing, topic, "Date of a comment", date, LONG_AGO));
    writer.leaf("Author", due(writing, topic, "Author of a comment", own.created.author.as_deref(), UNKNOWN));
    if writing.is_3() {
        writer.optional("Comment", filled(own.text.as_deref()));
    } else {
        writer.leaf("Comment", own.text.as_deref().unwrap_or_default());
    }
    if let Some(viewpoint) = &own.viewpoint {
        writer.open("Viewpoint").attribute("Guid", &viewpoint.to_string()).close();
    }
    writer.optional("ModifiedDate", own.modified.date.as_deref().filter(|date| is_date_time(date)));
    writer.optional("ModifiedAuthor", filled(own.modified.author.as_deref()));
    writer.close();
}

fn viewpoint(writing: &mut Writing<'_>, writer: &mut Writer, name: &'static str, own: &Viewpoint) {
    let can_hold = own.view.as_ref().is_some_and(|own| view::can_hold(writing, own));
    writer.open(name).attribute("Guid", &own.guid.to_string());
    writer.optional("Viewpoint", can_hold.then(|| view_name(own)).as_deref());
    writer.optional("Snapshot", own.snapshot.as_ref().map(|bytes| snapshot_name(own, bytes)).as_deref());
    writer.optional("Index", own.index.map(|index| index.to_string()).as_deref());
    writer.close();
}
