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

#[test]
fn other_files_are_no_models_whatever_they_are_called() {
    let refused = |bytes: &[u8]| Document::open(bytes).unwrap_err().to_string();
    let prose = b"Dear all, please find the model attached; it runs, mostly.\nRegards, A. N. Other;";
    assert!(
        refused(prose).contains("none of its 2 objects are of a type that EnergyPlus has"),
        "{}",
        refused(prose)
    );
    assert!(
        refused(prose).contains("the first that is not stands in line 1") && !refused(prose).contains("Dear")
    );
    assert!(refused(b"\x7fELF\x02\x01\x01\0\0\0,;").contains("byte 8 is a zero"));
    assert!(refused(b"{\"name\": {\"a\": {}}, \"scripts\": {\"b\": {}}}").contains("no EnergyPlus model"));
    assert!(refused(b"<html><body>Not found, sorry;</body></html>").contains("no EnergyPlus model"));
    // one that has some objects of another age is one still
    assert!(Document::open(b"Version,25.2;Zone,Z;Zone,Y;Skylight Of Old,x;").is_ok());
}
