//! Topics: `markup.bcf` and the files of its folder.

use super::project::made;
use super::view;
use super::words::Words;
use crate::archive::Files;
use crate::guid::Guid;
use crate::problem::Problem;
use crate::topic::{
    Attachment, Comment, Document, DocumentReference, HeaderFile, Snippet, Stamp, Target, Topic, Version,
    Viewpoint,
};
use xml::Element;

/// The topic of a folder; `beside` are the files outside of topics' folders.
pub(super) fn topic(
    version: Version,
    folder: &str,
    mut files: Files,
    beside: &mut Files,
    documents: &mut Vec<Document>,
    problems: &mut Vec<Problem>,
) -> Option<Topic> {
    let name = files.keys().find(|name| name.eq_ignore_ascii_case("markup.bcf"))?.clone();
    let bytes = files.remove(&name)?;
    let file = format!("{folder}/{name}");
    let root = match xml::read(&bytes, &xml::Limits::default()) {
        Ok(root) => root,
        Err(error) => {
            problems.push(Problem { file, place: Some(error.place), message: error.message });
            return None;
        }
    };
    let mut words = Words::new(&file, problems);
    let Some(own) = root.child("Topic") else {
        words.tell(&root, "there is no <Topic>");
        return None;
    };
    let guid = words.guid(own, "Guid").unwrap_or_else(|| {
        words.tell(own, "the topic has no Guid");
        Guid::parse(folder).unwrap_or_else(|| Guid::made_of(&[folder.as_bytes()]))
    });
    let is_3 = version == Version::V3_0;
    let mut topic = Topic { title: Words::text(own, "Title"), ..Topic::new(guid, "") };
    if topic.title.is_none() {
        words.tell(own, "the topic has no Title");
    }
    topic.server_assigned_id = Words::attribute(own, "ServerAssignedId");
    topic.kind = Words::attribute(own, "TopicType");
    topic.status = Words::attribute(own, "TopicStatus");
    let header = root.child("Header");
    let listed = if is_3 { header.and_then(|header| header.child("Files")) } else { header };
    let listed = listed.into_iter().flat_map(|header| header.children_of("File"));
    topic.files = listed.map(|file| header_file(&mut words, file)).collect();
    topic.links = many(own, is_3, "ReferenceLinks", "ReferenceLink");
    topic.priority = Words::text(own, "Priority");
    topic.index = words.whole(own, "Index");
    topic.labels = match (is_3, own.child("Labels")) {
        (true, Some(list)) => Words::texts(list, "Label"),
        _ => Words::texts(own, "Labels"),
    };
    topic.created = stamp(&mut words, own, "CreationDate", "CreationAuthor");
    topic.modified = stamp(&mut words, own, "ModifiedDate", "ModifiedAuthor");
    topic.due = words.date(own, "DueDate");
    topic.assigned_to = Words::text(own, "AssignedTo");
    topic.stage = Words::text(own, "Stage");
    topic.description = Words::text(own, "Description");
    topic.snippet = own.child("BimSnippet").and_then(|snippet| self::snippet(&mut words, snippet));
    for reference in listed_in(own, ["DocumentReferences", "DocumentReference"], "DocumentReference", is_3) {
        let read = if is_3 {
            document_reference(&mut words, reference, documents)
        } else {
            named_document(&mut words, reference, &mut files, beside, documents)
        };
        topic.documents.extend(read);
    }
    let related = listed_in(own, ["RelatedTopics", "RelatedTopic"], "RelatedTopic", is_3);
    topic.related = related.filter_map(|related| words.guid(related, "Guid")).collect();
    let comments = if is_3 { own.child("Comments") } else { Some(&root) };
    let comments = comments.into_iter().flat_map(|list| list.children_of("Comment"));
    topic.comments = comments.filter_map(|comment| self::comment(&mut words, comment)).collect();
    let viewpoints: Vec<&Element> = if is_3 {
        own.child("Viewpoints").into_iter().flat_map(|list| list.children_of("ViewPoint")).collect()
    } else {
        root.children_of("Viewpoints").collect()
    };
    let mut named: Vec<String> = Vec::new();
    for viewpoint in viewpoints {
        let Some(guid) = words.guid(viewpoint, "Guid") else {
            words.tell(viewpoint, "the viewpoint has no Guid");
            continue;
        };
        let index = words.whole(viewpoint, "Index");
        let [view, snapshot] = ["Viewpoint", "Snapshot"].map(|name| Words::text(viewpoint, name));
        let mut file = |name: Option<String>| -> Option<(String, Vec<u8>)> {
            let name = name?;
            let bytes = found(&files, &name).and_then(|name| files.get(&name));
            if bytes.is_none() {
                words.tell(viewpoint, format!("{name} is not in the archive"));
            }
            let bytes = bytes?.clone();
            named.push(name.clone());
            Some((name, bytes))
        };
        let (view, snapshot) = (file(view), file(snapshot));
        let view = view.and_then(|(name, bytes)| {
            view::read(version, &format!("{folder}/{name}"), &bytes, words.problems())
        });
        topic.viewpoints.push(Viewpoint { guid, index, snapshot: snapshot.map(|(_, bytes)| bytes), view });
    }
    // the one viewpoint of older writers is known by its name alone
    if topic.viewpoints.is_empty()
        && let Some(bytes) = files.get("viewpoint.bcfv")
    {
        named.extend(["viewpoint.bcfv", "snapshot.png"].map(str::to_owned));
        let view = view::read(version, &format!("{folder}/viewpoint.bcfv"), bytes, words.problems());
        let guid = Guid::made_of(&[topic.guid.to_string().as_bytes(), b"viewpoint.bcfv"]);
        topic.viewpoints.push(Viewpoint {
            guid,
            index: None,
            snapshot: files.get("snapshot.png").cloned(),
            view,
        });
    }
    for name in named {
        if let Some(name) = found(&files, &name) {
            files.remove(&name);
        }
    }
    topic.attachments = files.into_iter().map(|(name, bytes)| Attachment { name, bytes }).collect();
    Some(topic)
}

/// The name of a file of a folder, by whatever case.
fn found(files: &Files, name: &str) -> Option<String> {
    let name = name.replace('\\', "/");
    let name = name.trim_start_matches("./");
    if files.contains_key(name) {
        return Some(name.to_owned());
    }
    files.keys().find(|own| own.eq_ignore_ascii_case(name)).cloned()
}

fn many(own: &Element, is_3: bool, group: &str, name: &str) -> Vec<String> {
    let list = if is_3 { own.child(group) } else { Some(own) };
    list.map(|list| Words::texts(list, name)).unwrap_or_default()
}

/// The elements of a list: in 3.0 within a group, before it side by side, in 2.0 by the group's name.
fn listed_in<'e>(
    own: &'e Element,
    names: [&'static str; 2],
    name: &'static str,
    is_3: bool,
) -> Box<dyn Iterator<Item = &'e Element> + 'e> {
    if is_3 {
        return Box::new(own.children_of(names[0]).flat_map(move |list| list.children_of(name)));
    }
    Box::new(own.children.iter().filter(move |child| names.contains(&child.name.as_str())))
}

fn stamp(words: &mut Words<'_>, own: &Element, date: &str, author: &str) -> Stamp {
    Stamp { date: words.date(own, date), author: Words::text(own, author) }
}

fn header_file(words: &mut Words<'_>, file: &Element) -> HeaderFile {
    HeaderFile {
        project: Words::attribute(file, "IfcProject"),
        spatial_element: Words::attribute(file, "IfcSpatialStructureElement"),
        is_external: words.truth(file, "IsExternal", true),
        filename: Words::text(file, "Filename"),
        date: words.date(file, "Date"),
        reference: Words::text(file, "Reference"),
    }
}

fn snippet(words: &mut Words<'_>, own: &Element) -> Option<Snippet> {
    let [reference, schema] = ["Reference", "ReferenceSchema"].map(|name| Words::text(own, name));
    let kind = Words::attribute(own, "SnippetType");
    let (Some(kind), Some(reference), Some(schema)) = (kind, reference, schema) else {
        words.tell(own, "the snippet needs SnippetType, Reference and ReferenceSchema");
        return None;
    };
    Some(Snippet { kind, is_external: words.truth(own, "IsExternal", false), reference, schema })
}

/// A reference of 3.0.
fn document_reference(
    words: &mut Words<'_>,
    own: &Element,
    documents: &[Document],
) -> Option<DocumentReference> {
    let target = match (Words::text(own, "DocumentGuid"), Words::text(own, "Url")) {
        (Some(guid), _) => {
            let guid = Guid::parse(&guid).unwrap_or_else(|| Guid::made_of(&[guid.as_bytes()]));
            if !documents.iter().any(|document| document.guid == guid) {
                words.tell(own, format!("the document {guid} is not in the archive"));
                return None;
            }
            Target::Document(guid)
        }
        (None, Some(url)) => Target::Url(url),
        (None, None) => {
            words.tell(own, "the reference names neither a document nor an address");
            return None;
        }
    };
    Some(DocumentReference {
        guid: words.guid(own, "Guid"),
        target,
        description: Words::text(own, "Description"),
    })
}

/// A reference of 2.0 and 2.1: an address, or a file by its path from the topic's folder.
fn named_document(
    words: &mut Words<'_>,
    own: &Element,
    files: &mut Files,
    beside: &mut Files,
    documents: &mut Vec<Document>,
) -> Option<DocumentReference> {
    let Some(reference) = Words::text(own, "ReferencedDocument") else {
        words.tell(own, "the reference names no document");
        return None;
    };
    let (guid, description) = (words.guid(own, "Guid"), Words::text(own, "Description"));
    if words.truth(own, "IsExternal", false) || reference.contains("://") {
        return Some(DocumentReference { guid, target: Target::Url(reference), description });
    }
    let path = reference.replace('\\', "/");
    let taken = match path.strip_prefix("../") {
        Some(path) => {
            let known =
                documents.iter().find(|document| document.filename == path).map(|known| known.guid.clone());
            if let Some(guid_of) = known.filter(|_| !beside.contains_key(path)) {
                return Some(DocumentReference { guid, target: Target::Document(guid_of), description });
            }
            found(beside, path).and_then(|name| Some((name.clone(), beside.remove(&name)?)))
        }
        None => found(files, &path).and_then(|name| Some((name.clone(), files.remove(&name)?))),
    };
    let Some((name, bytes)) = taken else {
        words.tell(own, format!("the document {reference} is not in the archive"));
        return Some(DocumentReference { guid, target: Target::Url(reference), description });
    };
    let document = made(&name, bytes);
    let target = Target::Document(document.guid.clone());
    documents.push(document);
    Some(DocumentReference { guid, target, description })
}

fn comment(words: &mut Words<'_>, own: &Element) -> Option<Comment> {
    let Some(guid) = words.guid(own, "Guid") else {
        words.tell(own, "the comment has no Guid");
        return None;
    };
    Some(Comment {
        guid,
        created: stamp(words, own, "Date", "Author"),
        modified: stamp(words, own, "ModifiedDate", "ModifiedAuthor"),
        text: Words::text(own, "Comment"),
        viewpoint: own.child("Viewpoint").and_then(|viewpoint| words.guid(viewpoint, "Guid")),
    })
}
