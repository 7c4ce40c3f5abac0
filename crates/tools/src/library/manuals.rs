//! Manuals that the operator gave or a back end brought, as indexes of documentation: files that came with a call.

use super::Library;
use super::book::Book;
use contract::{Condition, DocumentationNeed, Fault, FaultCode, FileInput, FileNeed, Source};
use energy::docs;
use knowledge::corpora::catalogue::documentation;
use knowledge::corpora::names::{ENERGYPLUS, IFCOPENSHELL};
use std::sync::Arc;

/// The role of the manuals of EnergyPlus.
const ROLE: &str = "docs";
/// The role of the API of IfcOpenShell.
const API: &str = "api";

/// The need of the manuals of EnergyPlus, of the version that this parameter names; a call for which that holds cannot do without.
pub(crate) fn need(version: &str, required: Vec<Condition>) -> FileNeed {
    FileNeed::Documentation(DocumentationNeed {
        role: ROLE.to_owned(),
        corpus: ENERGYPLUS.to_owned(),
        version: version.to_owned(),
        required,
    })
}

/// The need of the API of the IfcOpenShell that is installed.
pub(crate) fn api() -> FileNeed {
    FileNeed::Documentation(DocumentationNeed {
        role: API.to_owned(),
        corpus: IFCOPENSHELL.to_owned(),
        version: String::new(),
        required: Vec::new(),
    })
}

/// The manuals that came with a call.
pub(crate) struct Manuals {
    pub(crate) index: Arc<Book>,
    /// The version of the program that they are of, where their sender says so.
    pub(crate) version: String,
}

/// The manuals of EnergyPlus among the files of a call; none where the operator gave none.
pub(crate) fn of_call(library: &Library, files: &[FileInput]) -> Result<Option<Manuals>, Fault> {
    of_role(library, files, ROLE, ENERGYPLUS)
}

/// The API of IfcOpenShell among the files of a call; none where it is not installed.
pub(crate) fn api_of_call(library: &Library, files: &[FileInput]) -> Result<Option<Manuals>, Fault> {
    of_role(library, files, API, IFCOPENSHELL)
}

fn of_role(
    library: &Library,
    files: &[FileInput],
    role: &str,
    corpus: &str,
) -> Result<Option<Manuals>, Fault> {
    let Some(file) = files.iter().find(|file| file.role == role) else { return Ok(None) };
    let version = file.media_type.split_once("version=").map_or("", |own| own.1).to_owned();
    let index = library.kept(&format!("{corpus}-manuals-{}", file.sha256), || {
        let unreadable = |why: String| {
            Fault::new(FaultCode::UnreadableFile, format!("The documentation index cannot be read: {why}."))
        };
        let Source::Path(path) = &file.source else {
            return Err(unreadable("it did not come as a file of this machine".to_owned()));
        };
        let bytes = std::fs::read(path).map_err(|error| unreadable(error.to_string()))?;
        let sections = docs::parse(&bytes).map_err(unreadable)?.into_iter();
        let sections = sections.map(|own| (own.location, own.title, own.path, own.tags, own.text));
        let versions: Vec<String> = Some(version.clone()).filter(|own| !own.is_empty()).into_iter().collect();
        Ok(documentation(corpus, &versions, sections))
    })?;
    Ok(Some(Manuals { index, version }))
}
