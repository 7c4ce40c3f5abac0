//! The documentation indexes that the operator gave, as operations take them.

use crate::call::Call;
use contract::{Fault, FaultCode, FileInput};
use std::path::{Path, PathBuf};

/// The largest index that is read, in bytes.
const LARGEST: u64 = 256 << 20;

impl Call {
    /// The index of a version of a corpus, or of the newest; none where the operator gave none, which is a Fault where nothing else can answer.
    pub(crate) async fn documentation(
        &self,
        role: &str,
        corpus: &str,
        version: Option<&str>,
        is_needed: bool,
    ) -> Result<Option<FileInput>, Fault> {
        let Some(folder) = self.inner.config.documentation.get(corpus) else { return Ok(None) };
        let known = versions(folder);
        let wanted = match version.map(str::trim) {
            // `25.2.0` is `25.2`
            Some(wanted) => known
                .iter()
                .find(|(name, _)| *name == wanted || wanted.strip_prefix(name.as_str()) == Some(".0")),
            None => known.last(),
        };
        let Some((name, path)) = wanted else {
            return match version {
                // the schema's own texts are there all the same
                None => Ok(None),
                Some(_) if !is_needed => Ok(None),
                Some(version) => {
                    let names: Vec<&String> = known.iter().map(|(name, _)| name).collect();
                    let message = format!("There is no documentation of version {version} here.");
                    Err(Fault::new(FaultCode::NotFound, message).with("allowed", names))
                }
            };
        };
        let staged = self.inner.store.stage(path, LARGEST).await?;
        let blob = self.inner.store.adopt(staged).await?;
        let source = self.path_source(&blob.sha256).await?;
        // whoever searches it can say which version it is of
        let media_type = format!("application/json; version={name}");
        Ok(Some(FileInput { role: role.to_owned(), source, sha256: blob.sha256, media_type }))
    }
}

/// The versions of which there is an index, the newest last.
fn versions(folder: &Path) -> Vec<(String, PathBuf)> {
    let mut found: Vec<(Vec<u32>, String, PathBuf)> = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let Some(version) = name.strip_prefix('v') else { continue };
        let Ok(numbers) = version.split('.').map(str::parse).collect::<Result<Vec<u32>, _>>() else {
            continue;
        };
        let index = ["search.json", "search_index.json"]
            .iter()
            .map(|name| entry.path().join(name))
            .find(|path| path.is_file());
        found.extend(index.map(|path| (numbers, version.to_owned(), path)));
    }
    found.sort();
    found.into_iter().map(|(_, version, path)| (version, path)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_version_is_the_last_and_what_is_no_version_is_passed_over() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["v9.6", "v25.2", "v25.10", "drafts", "vx"] {
            std::fs::create_dir(folder.path().join(name)).unwrap();
            std::fs::write(folder.path().join(name).join("search.json"), "{}").unwrap();
        }
        std::fs::create_dir(folder.path().join("v30.1")).unwrap();
        let names: Vec<String> = versions(folder.path()).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["9.6", "25.2", "25.10"]);
        assert!(versions(Path::new("/nowhere")).is_empty());
    }
}
