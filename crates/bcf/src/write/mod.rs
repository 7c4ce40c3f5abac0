//! Archives written, 2.1 and 3.0.

mod markup;
mod project;
mod view;

use crate::archive::pack;
use crate::problem::{Problem, Refused};
use crate::topic::{Archive, Attachment, Topic, Version};
use std::collections::BTreeSet;

/// The documents and files that are written so far, and what the version cannot hold.
struct Writing<'a> {
    version: Version,
    archive: &'a Archive,
    files: Vec<(String, Vec<u8>)>,
    names: BTreeSet<String>,
    problems: Vec<Problem>,
}

impl Writing<'_> {
    fn is_3(&self) -> bool {
        self.version == Version::V3_0
    }

    /// Adds a file; a second one of a name is left out.
    fn add(&mut self, name: String, bytes: Vec<u8>) {
        if self.names.insert(name.to_ascii_lowercase()) {
            self.files.push((name, bytes));
        } else {
            self.tell(&name, "is left out: there is another file of this name");
        }
    }

    fn tell(&mut self, file: &str, message: impl Into<String>) {
        self.problems.push(Problem { file: file.to_owned(), place: None, message: message.into() });
    }
}

/// Writes an archive of a version; what that cannot hold, or asks for beyond what is given, is told beside it.
pub fn write(archive: &Archive, version: Version) -> Result<(Vec<u8>, Vec<Problem>), Refused> {
    if version == Version::V2_0 {
        return Err(Refused("BCF 2.0 is read alone; 2.1 and 3.0 are written".to_owned()));
    }
    let mut writing =
        Writing { version, archive, files: Vec::new(), names: BTreeSet::new(), problems: Vec::new() };
    project::write(&mut writing);
    let mut seen = BTreeSet::new();
    for topic in &archive.topics {
        if !seen.insert(&topic.guid) {
            return Err(Refused(format!("two topics have the GUID {}", topic.guid)));
        }
        self::topic(&mut writing, topic);
    }
    for Attachment { name, bytes } in &archive.files {
        writing.add(name.clone(), bytes.clone());
    }
    Ok((pack(&writing.files)?, writing.problems))
}

fn topic(writing: &mut Writing<'_>, topic: &Topic) {
    let folder = topic.guid.to_string();
    let markup = markup::markup(writing, topic);
    writing.add(format!("{folder}/markup.bcf"), markup.into_bytes());
    for viewpoint in &topic.viewpoints {
        if let Some(view) = &viewpoint.view {
            let (name, picture) = (view_name(viewpoint), viewpoint.snapshot.as_deref());
            let written = view::view(writing, &format!("{folder}/{name}"), &viewpoint.guid, view, picture);
            if let Some(written) = written {
                writing.add(format!("{folder}/{name}"), written.into_bytes());
            }
        }
        if let Some(bytes) = &viewpoint.snapshot {
            writing.add(format!("{folder}/{}", snapshot_name(viewpoint, bytes)), bytes.clone());
        }
    }
    for Attachment { name, bytes } in &topic.attachments {
        writing.add(format!("{folder}/{name}"), bytes.clone());
    }
}

fn view_name(viewpoint: &crate::topic::Viewpoint) -> String {
    format!("Viewpoint_{}.bcfv", viewpoint.guid)
}

fn snapshot_name(viewpoint: &crate::topic::Viewpoint, bytes: &[u8]) -> String {
    let ending = if bytes.starts_with(&[0xFF, 0xD8]) { "jpg" } else { "png" };
    format!("Snapshot_{}.{ending}", viewpoint.guid)
}

/// A text that is more than white space.
fn filled(text: Option<&str>) -> Option<&str> {
    text.filter(|text| !text.trim().is_empty())
}
