//! Files that a model reads values from, such as those of `Schedule:File`. A run sees none but those that came with its request:
//! they are put into a folder of their own below the run's, and the copy of the model that is run names them there.

use super::folder::RunFolder;
use contract::{Fault, FaultCode, FileInput, with_missing_files};
use energy::edit::Fields;
use energy::idf::{Document, Handle};
use std::collections::BTreeMap;

/// The folder for them.
const FOLDER: &str = "files";
/// Files of one model.
const MOST: usize = 50;
/// Types with the field that names a file of values. What a program would be loaded from is not among them.
const FIELDS: [(&str, &str); 7] = [
    ("Schedule:File", "file_name"),
    ("Schedule:File:Shading", "file_name"),
    ("Table:Lookup", "external_file_name"),
    ("Table:IndependentVariable", "external_file_name"),
    ("Construction:WindowDataFile", "file_name"),
    ("Coil:DX:ASHRAE205:Performance", "representation_file_name"),
    ("Chiller:Electric:ASHRAE205", "representation_file_name"),
];

/// The model as it is run, with the files that it reads in the run's folder; a Fault names those that did not come.
pub(super) fn placed(
    document: &Document,
    files: &[FileInput],
    folder: &RunFolder,
) -> Result<Document, Fault> {
    let mut wanted: BTreeMap<String, Vec<(Handle, &str)>> = BTreeMap::new();
    for (class, field) in FIELDS {
        for object in document.of_type(class) {
            if let Some(name) = object.get(field).map(str::trim).filter(|name| !name.is_empty()) {
                wanted.entry(name.to_owned()).or_default().push((object.handle(), field));
            }
        }
    }
    if wanted.len() > MOST {
        let problem = format!("The model reads {} files; a run takes at most {MOST}.", wanted.len());
        return Err(Fault::new(FaultCode::LimitReached, problem));
    }
    let given = |name: &str| files.iter().find(|file| file.role.strip_prefix("file:") == Some(name));
    let missing: Vec<&String> = wanted.keys().filter(|name| given(name).is_none()).collect();
    if !missing.is_empty() {
        let names: Vec<&str> = missing.iter().map(|name| last_part(name)).collect();
        let problem = format!(
            "The model reads values from files that are not among yours: {}. Send each under that name (store_files, or an \
             upload), then run it again.",
            names.join(", ")
        );
        return Err(with_missing_files(Fault::new(FaultCode::NotFound, problem), missing));
    }
    let mut placed = document.clone();
    for (at, (name, readers)) in wanted.iter().enumerate() {
        let Some(file) = given(name) else { continue };
        if at == 0 {
            folder.add(FOLDER)?;
        }
        // two paths may end alike
        let place = format!("{FOLDER}/{at}-{}", plain(last_part(name)));
        folder.take(file, &place)?;
        for (handle, field) in readers {
            let fields = Fields::from_iter([((*field).to_owned(), place.clone().into())]);
            placed.update(*handle, &fields)?;
        }
    }
    Ok(placed)
}

/// The last part of a path as any system writes one.
fn last_part(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// A name in which nothing means anything to a file system or to a model's text.
fn plain(name: &str) -> String {
    let kept = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_') { c } else { '_' };
    name.chars().take(80).map(kept).collect()
}
