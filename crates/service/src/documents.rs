//! Collections of documents: objects of the bucket, so that each change is a version that stays, and who may read one is who may read
//! its model, or its maker alone.

use crate::call::Call;
use contract::{
    Action, BoxFuture, Collection, CollectionChanged, Documents, Fault, FaultCode, FileInput, Operation,
    OperationId,
};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use store::{ObjectDraft, ObjectRecord, now_ms};

/// The beginning of the keys of collections.
const PREFIX: &str = "documents/";
/// The media type of a collection.
const MEDIA_TYPE: &str = "application/vnd.pensaer.documents+json";
/// Collections that a caller is shown.
const MOST: usize = 64;
/// Objects that are looked through for them.
const LOOKED_THROUGH: usize = 10_000;
/// How often a change is made on what somebody else wrote meanwhile.
const TRIES: usize = 8;
/// Endings of files that are documents.
const ENDINGS: [&str; 8] = ["md", "markdown", "html", "htm", "txt", "docx", "pdf", "xhtml"];
/// Folders that are gone down into below one another.
const DEPTH: usize = 16;

impl Call {
    /// The objects of the collections that are there for the caller, by their names.
    async fn collection_objects(&self) -> Result<Vec<ObjectRecord>, Fault> {
        let mut found = Vec::new();
        let mut cursor: Option<String> = None;
        for _ in 0..LOOKED_THROUGH / 200 {
            let page = self.inner.store.objects(PREFIX, 200, cursor.as_deref()).await?;
            for object in page.items {
                if object.sha256.is_some() && self.sees_collection(&object).await {
                    found.push(object);
                }
            }
            cursor = page.next_cursor;
            if cursor.is_none() || found.len() >= MOST {
                break;
            }
        }
        found.truncate(MOST);
        found.sort_by(|a, b| name_of(&a.key).cmp(name_of(&b.key)));
        Ok(found)
    }

    async fn sees_collection(&self, object: &ObjectRecord) -> bool {
        match &object.model_id {
            Some(model) => match self.known_model(model).await {
                Ok(model) => self.may(Action::Query, &model).is_ok(),
                Err(_) => false,
            },
            None => object.principal == self.who.principal.name,
        }
    }

    /// The collections that are there for the caller, as files of a role.
    pub(crate) async fn files_of_collections(&self, role: &str) -> Result<Vec<FileInput>, Fault> {
        let mut files = Vec::new();
        for object in self.collection_objects().await? {
            let Some(sha256) = object.sha256 else { continue };
            files.push(FileInput {
                role: role.to_owned(),
                source: self.path_source(&sha256).await?,
                sha256,
                media_type: format!("{MEDIA_TYPE}; key={}; name={}", object.key, name_of(&object.key)),
            });
        }
        Ok(files)
    }

    /// The key of a collection of a model, or of the caller's own.
    fn collection_key(&self, name: &str, model: Option<&str>) -> String {
        if let Some(model) = model {
            return format!("{PREFIX}model/{model}/{name}");
        }
        // principals are called as they like: every sign that a key might not have is told by its number
        let mut own = String::new();
        for byte in self.who.principal.name.bytes() {
            if byte.is_ascii_alphanumeric() || byte == b'-' {
                own.push(char::from(byte));
            } else {
                let _ = write!(own, "_{byte:02x}");
            }
        }
        format!("{PREFIX}own/{own}/{name}")
    }

    async fn changed_collection(
        &self,
        name: &str,
        of_model: Option<&str>,
        operation: Operation,
        field: &str,
        files: &[String],
    ) -> Result<CollectionChanged, Fault> {
        let model = match of_model {
            Some(named) => Some(self.find_model(named).await?),
            None => None,
        };
        if let Some(model) = &model {
            self.may(Action::Create, model)?;
        }
        let mut documents = Vec::new();
        for named in files {
            let record = self.file_given(field, named).await?;
            let file = self.file_input("document".to_owned(), &record).await?;
            // whoever reads it can say which file it is
            let shown = shown_name(&record.name, named);
            documents
                .push(FileInput { media_type: format!("application/octet-stream; name={shown}"), ..file });
        }
        let key = self.collection_key(name, model.as_ref().map(|model| model.model_id.as_str()));
        for _ in 0..TRIES {
            let before = self.inner.store.object(&key, None).await?;
            // an object may be put under any key: what somebody else put here is no part of the caller's documents
            if let Some(other) = &before
                && !self.sees_collection(other).await
            {
                let problem = format!("The collection {name} is somebody else's. Choose another name.");
                return Err(Fault::new(FaultCode::Conflict, problem).with("field", "corpus"));
            }
            let present = before.as_ref().and_then(|before| before.sha256.clone());
            let mut given = documents.clone();
            if let Some(sha256) = present.clone() {
                given.push(FileInput {
                    role: "collection".to_owned(),
                    source: self.path_source(&sha256).await?,
                    sha256,
                    media_type: MEDIA_TYPE.to_owned(),
                });
            }
            let scratch = self.scratch()?;
            let artifact = self.run_on_files(operation.clone(), &[], given, Some(&scratch)).await?;
            let Some(file) = artifact.files.first() else {
                let collection = before.as_ref().filter(|_| present.is_some()).map(collection_of);
                return Ok(CollectionChanged { collection, answer: artifact.result });
            };
            let staged = self.stage_output(file, Some(&scratch)).await?;
            let mut draft = ObjectDraft {
                key: key.clone(),
                version: OperationId::new().0,
                blob: Some(staged.blob().clone()),
                media_type: MEDIA_TYPE.to_owned(),
                principal: self.who.principal.name.clone(),
                time_ms: now_ms(),
                model_id: model.as_ref().map(|model| model.model_id.clone()),
                model_version: model.as_ref().map(|model| model.head.clone()),
            };
            if self.is_dry_run() {
                let collection = Some(Collection {
                    name: name.to_owned(),
                    model: draft.model_id.map(|id| id.to_string()),
                    version: draft.version,
                    time_ms: draft.time_ms,
                    sha256: staged.blob().sha256.clone(),
                });
                return Ok(CollectionChanged { collection, answer: artifact.result });
            }
            self.takes(staged.blob().size)?;
            draft.blob = Some(self.inner.store.adopt(staged).await?);
            let expected = before.map(|before| before.version).unwrap_or_default();
            if let Ok(record) = self.inner.store.put_object(draft, Some(expected)).await? {
                return Ok(CollectionChanged {
                    collection: Some(collection_of(&record)),
                    answer: artifact.result,
                });
            }
        }
        let problem = format!("Others changed the collection {name} again and again. Try again.");
        Err(Fault::new(FaultCode::Conflict, problem))
    }

    fn documents_below(&self, field: &str, folder: &str, most: usize) -> Result<Option<Vec<String>>, Fault> {
        // a name that is no path of this caller's may be a key or an upload
        let Ok(path) = self.local_path(field, folder) else { return Ok(None) };
        if !path.is_dir() {
            return Ok(None);
        }
        let whole = path.canonicalize().unwrap_or_else(|_| path.clone());
        if self.inner.config.own_folders.iter().any(|own| whole.starts_with(own)) {
            let problem = format!("{} is this server's own folder.", path.display());
            return Err(Fault::new(FaultCode::PermissionDenied, problem).with("field", field));
        }
        let mut found = Vec::new();
        below(&path, DEPTH, most, &mut found);
        if found.len() > most {
            let problem = format!("{} has more than {most} documents. Name folders in it.", path.display());
            return Err(Fault::new(FaultCode::LimitReached, problem).with("field", field));
        }
        found.sort();
        Ok(Some(found.into_iter().map(|path| path.display().to_string()).collect()))
    }
}

/// The documents in a folder and those below it; hidden ones and links are passed over.
fn below(folder: &Path, depth: usize, most: usize, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let is_hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
        let Ok(kind) = entry.file_type() else { continue };
        if is_hidden || found.len() > most {
            continue;
        }
        let path = entry.path();
        if kind.is_dir() && depth > 0 {
            below(&path, depth - 1, most, found);
        } else if kind.is_file() {
            let ending = path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
            if ending.is_some_and(|ending| ENDINGS.contains(&ending.as_str())) {
                found.push(path);
            }
        }
    }
}

/// The name of a document: that of its file, with the folder that it was named in, so that two of one name stay apart.
fn shown_name(name: &str, named: &str) -> String {
    let mut parts =
        named.rsplit(['/', '\\']).filter(|part| !part.is_empty() && *part != "." && *part != "..");
    let last = parts.next().unwrap_or(name);
    let shown = match parts.next() {
        Some(folder) if last == name => format!("{folder}/{name}"),
        _ => name.to_owned(),
    };
    shown.chars().map(|sign| if sign.is_control() { ' ' } else { sign }).take(200).collect()
}

/// The name of the collection under a key.
fn name_of(key: &str) -> &str {
    key.rsplit('/').next().unwrap_or(key)
}

fn collection_of(record: &ObjectRecord) -> Collection {
    Collection {
        name: name_of(&record.key).to_owned(),
        model: record.model_id.as_ref().map(ToString::to_string),
        version: record.version.clone(),
        time_ms: record.time_ms,
        sha256: record.sha256.clone().unwrap_or_default(),
    }
}

impl Documents for Call {
    fn collections(&self) -> BoxFuture<'_, Result<Vec<Collection>, Fault>> {
        Box::pin(async move { Ok(self.collection_objects().await?.iter().map(collection_of).collect()) })
    }

    fn documents_in<'a>(
        &'a self,
        field: &'a str,
        folder: &'a str,
        most: usize,
    ) -> BoxFuture<'a, Result<Option<Vec<String>>, Fault>> {
        Box::pin(async move { self.documents_below(field, folder, most) })
    }

    fn change_collection<'a>(
        &'a self,
        name: &'a str,
        of_model: Option<&'a str>,
        operation: Operation,
        field: &'a str,
        files: &'a [String],
    ) -> BoxFuture<'a, Result<CollectionChanged, Fault>> {
        Box::pin(self.changed_collection(name, of_model, operation, field, files))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_is_called_as_its_file_with_its_folder() {
        assert_eq!(shown_name("fire.md", "/projects/standards/fire.md"), "standards/fire.md");
        assert_eq!(shown_name("fire.md", "fire.md"), "fire.md");
        assert_eq!(shown_name("fire.md", "./fire.md"), "fire.md");
        assert_eq!(shown_name("fire.md", "0198-key/other"), "fire.md");
    }

    #[test]
    fn documents_of_a_folder_are_found_below_it_and_hidden_ones_are_not() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(folder.path().join("a/b")).unwrap();
        std::fs::create_dir_all(folder.path().join(".git")).unwrap();
        for name in ["one.md", "a/two.PDF", "a/b/three.docx", "a/model.ifc", ".git/four.md", ".five.md"] {
            std::fs::write(folder.path().join(name), "x").unwrap();
        }
        let mut found = Vec::new();
        below(folder.path(), DEPTH, 100, &mut found);
        let mut names: Vec<&str> =
            found.iter().map(|path| path.file_name().unwrap().to_str().unwrap()).collect();
        names.sort_unstable();
        assert_eq!(names, ["one.md", "three.docx", "two.PDF"]);
    }
}
