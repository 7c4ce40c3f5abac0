//! The documentation index of a call, parsed once for each index.

use crate::EnergyCall;
use contract::{Condition, DocumentationNeed, Fault, FaultCode, FileNeed, Source};
use energy::docs::Index;
use std::sync::{Arc, Mutex, PoisonError};

/// The index that was used last, by the hash of its bytes: it is large, and the same for all.
static LAST: Mutex<Option<(String, Arc<Index>)>> = Mutex::new(None);

/// The corpus of documentation that EnergyPlus' manuals are.
pub const MANUALS: &str = "energyplus";
/// The role of the index.
const ROLE: &str = "docs";

/// The need of an index of EnergyPlus' manuals, of the version that this parameter names; a call for which that holds cannot do
/// without.
pub fn manuals(version: &str, required: Condition) -> FileNeed {
    FileNeed::Documentation(DocumentationNeed {
        role: ROLE.to_owned(),
        corpus: MANUALS.to_owned(),
        version: version.to_owned(),
        required: vec![required],
    })
}

/// The version of EnergyPlus that the index is of, where its sender says so.
pub fn version_of_index<'a>(call: &'a EnergyCall<'_>) -> Option<&'a str> {
    let file = call.files.iter().find(|file| file.role == ROLE)?;
    Some(file.media_type.split_once("version=")?.1)
}

/// The index that came with the call; none where the operator gave none.
pub fn index(call: &EnergyCall<'_>) -> Result<Option<Arc<Index>>, Fault> {
    let Some(file) = call.files.iter().find(|file| file.role == ROLE) else { return Ok(None) };
    let last = LAST.lock().unwrap_or_else(PoisonError::into_inner).clone();
    if let Some((_, index)) = last.filter(|(sha256, _)| *sha256 == file.sha256) {
        return Ok(Some(index));
    }
    let unreadable = |why: String| {
        Fault::new(FaultCode::UnreadableFile, format!("The documentation index cannot be read: {why}."))
    };
    let Source::Path(path) = &file.source else {
        return Err(unreadable("it did not come as a file of this machine".to_owned()));
    };
    let bytes = std::fs::read(path).map_err(|error| unreadable(error.to_string()))?;
    let index = Arc::new(Index::parse(&bytes).map_err(unreadable)?);
    *LAST.lock().unwrap_or_else(PoisonError::into_inner) = Some((file.sha256.clone(), Arc::clone(&index)));
    Ok(Some(index))
}
