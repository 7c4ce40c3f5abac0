//! Archives read.

mod markup;
mod project;
mod view;
mod words;

use crate::archive::{Files, Limits, shown, unpack};
use crate::problem::{Problem, Refused};
use crate::topic::{Archive, Attachment, Version};
use std::collections::BTreeMap;
use words::Words;
use xml::Element;

/// Reads an archive; what is wrong in it is told beside what could be read.
pub fn read(bytes: &[u8], limits: &Limits) -> Result<(Version, Archive, Vec<Problem>), Refused> {
    let mut files = unpack(bytes, limits)?;
    let mut problems = Vec::new();
    let version = version(&mut files, &mut problems)?;
    let mut archive = Archive::default();
    if let Some((name, root)) = taken(&mut files, "project.bcfp", &mut problems) {
        archive.project = project::project(&mut Words::new(&name, &mut problems), &root);
    }
    if version == Version::V3_0 {
        if let Some((name, root)) = taken(&mut files, "extensions.xml", &mut problems) {
            archive.extensions = project::extensions(&mut Words::new(&name, &mut problems), &root);
        }
        if let Some((name, root)) = taken(&mut files, "documents.xml", &mut problems) {
            archive.documents = project::documents(&mut Words::new(&name, &mut problems), &root, &mut files);
        }
    } else if let Some(bytes) = files.get("extensions.xsd") {
        // a schema that is none is kept as a file like others
        if let Ok(root) = xml::read(bytes, &xml::Limits::default()) {
            archive.extensions = project::schema_extensions(&root);
            files.remove("extensions.xsd");
        }
    }
    let mut folders: BTreeMap<String, Files> = BTreeMap::new();
    let mut beside = Files::new();
    let topics: Vec<String> = files.keys().filter_map(|name| markup_folder(name)).collect();
    for (name, bytes) in files {
        match name.split_once('/') {
            Some((folder, rest)) if topics.iter().any(|topic| topic == folder) => {
                folders.entry(folder.to_owned()).or_default().insert(rest.to_owned(), bytes);
            }
            _ => {
                beside.insert(name, bytes);
            }
        }
    }
    for (folder, own) in folders {
        if let Some(topic) =
            markup::topic(version, &folder, own, &mut beside, &mut archive.documents, &mut problems)
        {
            archive.topics.push(topic);
        }
    }
    archive.topics.sort_by(|a, b| a.guid.cmp(&b.guid));
    archive.documents.sort_by(|a, b| a.guid.cmp(&b.guid));
    archive.documents.dedup_by(|a, b| a.guid == b.guid);
    archive.files = beside.into_iter().map(|(name, bytes)| Attachment { name, bytes }).collect();
    Ok((version, archive, problems))
}

/// The folder of a topic, by the name of its markup.
fn markup_folder(name: &str) -> Option<String> {
    let (folder, rest) = name.split_once('/')?;
    rest.eq_ignore_ascii_case("markup.bcf").then(|| folder.to_owned())
}

/// The version that an archive says it is of.
fn version(files: &mut Files, problems: &mut Vec<Problem>) -> Result<Version, Refused> {
    let Some((_, root)) = taken(files, "bcf.version", problems) else {
        let why = match problems.first() {
            Some(problem) => problem.to_string(),
            None => "it has no file bcf.version".to_owned(),
        };
        return Err(Refused(format!("this is no BCF archive: {why}")));
    };
    match root.attribute("VersionId").unwrap_or_default().trim() {
        "2.0" => Ok(Version::V2_0),
        "2.1" => Ok(Version::V2_1),
        "3.0" => Ok(Version::V3_0),
        other => Err(Refused(format!("BCF of version `{}` is not read; 2.0, 2.1 and 3.0 are", shown(other)))),
    }
}

/// Takes a file out of an archive and reads it as XML.
fn taken(files: &mut Files, name: &str, problems: &mut Vec<Problem>) -> Option<(String, Element)> {
    let name = files.keys().find(|own| own.eq_ignore_ascii_case(name))?.clone();
    let bytes = files.remove(&name)?;
    match xml::read(&bytes, &xml::Limits::default()) {
        Ok(root) => Some((name, root)),
        Err(error) => {
            problems.push(Problem { file: name, place: Some(error.place), message: error.message });
            None
        }
    }
}
