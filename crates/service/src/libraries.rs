//! Libraries: files of a kind that tools take by name, such as packs of rules. The operator puts them into a folder; callers send their
//! own, as uploads. It refuses to read them: what is in one is for the tool that takes it.

use crate::call::Call;
use contract::{Fault, FileInput, LibraryFile, LibraryNeed};
use std::collections::BTreeSet;
use std::path::Path;

/// The largest file of a library that is given to an operation, in bytes.
const LARGEST: u64 = 64 << 20;
/// Files of a library's folder that are looked at.
const IN_FOLDER: usize = 1000;
/// Pages of the caller's files that are looked through.
const PAGES: usize = 8;
/// Files of such a page.
const PAGE: u32 = 500;

impl Call {
    /// The files of a library with these endings: those of its folder by their names, then the caller's, the latest first.
    pub(crate) async fn files_of_library(
        &self,
        library: &str,
        endings: &[&str],
    ) -> Result<Vec<LibraryFile>, Fault> {
        let folder = self.inner.config.libraries.get(library);
        let mut found = folder.map(|folder| in_folder(folder, endings)).unwrap_or_default();
        let mut seen = BTreeSet::new();
        let mut cursor: Option<String> = None;
        for _ in 0..PAGES {
            let page = self.own_files(PAGE, cursor.as_deref()).await?;
            for file in page.items {
                if has_ending(&file.name, endings) && seen.insert(file.name.clone()) {
                    let path = self.inner.store.blob_file(&file.sha256).await?;
                    found.push(LibraryFile { name: file.name, key: Some(file.key), path, size: file.size });
                }
            }
            cursor = page.next_cursor;
            if cursor.is_none() {
                break;
            }
        }
        Ok(found)
    }

    /// The file of a library that a caller means by a name without ending, as an operation takes it; none where no file is called so.
    pub(crate) async fn file_of_library(
        &self,
        need: &LibraryNeed,
        named: &str,
    ) -> Result<Option<FileInput>, Fault> {
        let endings: Vec<&str> = need.endings.iter().map(String::as_str).collect();
        let files = self.files_of_library(&need.library, &endings).await?;
        let Some(file) = files.into_iter().find(|file| plain(stem(&file.name)) == plain(named)) else {
            // no name, but a path or key
            let record = match self.found_file(named).await? {
                Some(record) => record,
                None if has_ending(named, &endings) => self.file_given(&need.parameter, named).await?,
                None => return Ok(None),
            };
            let name = named.rsplit(['/', '\\']).next().unwrap_or(named);
            let media_type = format!("text/plain; name={name}");
            return Ok(Some(FileInput { media_type, ..self.file_input(need.role.clone(), &record).await? }));
        };
        let sha256 = if let Some(key) = &file.key {
            self.inner.store.file(key).await?.map(|record| record.sha256)
        } else {
            let staged = self.inner.store.stage(&file.path, LARGEST).await?;
            Some(self.inner.store.adopt(staged).await?.sha256)
        };
        let Some(sha256) = sha256 else { return Ok(None) };
        let source = self.path_source(&sha256).await?;
        // whoever reads it can say which file it is
        let media_type = format!("text/plain; name={}", file.name);
        Ok(Some(FileInput { role: need.role.clone(), source, sha256, media_type }))
    }
}

/// The files of a folder with these endings, by their names; none of a folder that is not there.
fn in_folder(folder: &Path, endings: &[&str]) -> Vec<LibraryFile> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten().take(IN_FOLDER) {
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = entry.path();
        let size = std::fs::metadata(&path).ok().filter(std::fs::Metadata::is_file).map(|own| own.len());
        if let Some(size) = size.filter(|_| has_ending(&name, endings) && !name.starts_with('.')) {
            found.push(LibraryFile { name, key: None, path, size });
        }
    }
    found.sort_by(|a, b| a.name.cmp(&b.name));
    found
}

fn has_ending(name: &str, endings: &[&str]) -> bool {
    let own = Path::new(name).extension().map(|own| own.to_string_lossy().to_ascii_lowercase());
    own.is_some_and(|own| endings.contains(&own.as_str()))
}

/// A file's name without its ending.
fn stem(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// The letters and digits of a name, in small letters.
fn plain(name: &str) -> String {
    name.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_lists_the_files_of_its_kinds_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["b.rules", "A.RULES", "permit.ids", "notes.txt", ".hidden.rules", "rules"] {
            std::fs::write(folder.path().join(name), "x").unwrap();
        }
        std::fs::create_dir(folder.path().join("folder.rules")).unwrap();
        let found = in_folder(folder.path(), &["rules", "ids"]);
        let names: Vec<&str> = found.iter().map(|file| file.name.as_str()).collect();
        assert_eq!(names, ["A.RULES", "b.rules", "permit.ids"]);
        assert!(found.iter().all(|file| file.key.is_none() && file.size == 1));
        assert!(in_folder(Path::new("/nowhere"), &["rules"]).is_empty());
    }

    #[test]
    fn a_name_is_that_of_a_file_without_its_ending_however_it_is_written() {
        assert_eq!(plain(stem("Our Office 2.rules")), plain("our-office-2"));
        assert_ne!(plain(stem("office.v2.rules")), plain("office"));
    }
}
