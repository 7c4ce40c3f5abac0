mod across;
mod document;
mod epjson;
mod text;
mod versions;

use super::*;
use crate::schema::Schema;
use std::path::PathBuf;

/// A document from the text form; what was read past is told by line.
fn read(text: &str) -> (Document, Vec<String>) {
    let (document, problems) = Document::open(text.as_bytes()).unwrap();
    (document, problems.iter().map(|problem| format!("{}: {:?}", problem.line, problem.code)).collect())
}

/// The types and values of a document, an object a line.
fn listed(document: &Document) -> String {
    let lines = document.objects().map(|object| {
        let values: Vec<&str> = object.values().collect();
        format!("{}|{}", object.type_name(), values.join("|"))
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The prototype models, where the tests have them.
fn prototypes() -> Vec<PathBuf> {
    let Some(folder) = testing::prototypes() else { return Vec::new() };
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = files.filter(|path| path.extension().is_some_and(|e| e == "idf")).collect();
    files.sort();
    assert!(!files.is_empty(), "the folder of prototypes is empty");
    files
}

fn schema() -> std::sync::Arc<Schema> {
    Schema::built_in()
}
