//! Documents of users, kept to be searched.

use crate::library::CORPORA;
use crate::{Reply, Tool};
use contract::ops::{DocumentsRead, NotRead, PlatformOperation, ReadDocuments};
use contract::{Caller, Documents, Effect, Fault, FaultCode};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Files of one call.
const MOST: usize = 1_000;
/// Documents that an answer tells.
const TOLD: usize = 100;
/// Letters of a collection's name.
const LONGEST: usize = 40;
/// The collection where none is named.
const USUAL: &str = "own";
/// Names that mean something else where a corpus is named.
const TAKEN: [&str; 4] = ["all", "schema", "docs", "documents"];

/// The tool's arguments.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Input {
    /// Paths of files or folders, uploads, bucket keys: Markdown, HTML, text, DOCX, PDF.
    #[serde(default)]
    files: Vec<String>,
    /// The collection, as search_docs names it: small letters, digits, `-`.
    #[schemars(extend("default" = USUAL))]
    corpus: Option<String>,
    /// search_docs can ask for one.
    #[serde(default)]
    tags: Vec<String>,
    /// A model, by id or name: for all who may read it. Without it for you alone.
    readers_of: Option<String>,
    /// Names of documents to take out.
    #[serde(default)]
    remove: Vec<String>,
}

/// The fate of the documents.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    corpus: String,
    /// `caller`, or the model whose readers may read it.
    readers: String,
    /// This state of the collection; none where nothing is in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<String>,
    /// Documents and sections of the collection now.
    count: usize,
    sections: usize,
    added: usize,
    updated: usize,
    unchanged: usize,
    removed: usize,
    /// The first hundred that are not as they were: name, sections, pages, what was not read of them.
    documents: Vec<contract::ops::DocumentRead>,
    not_read: Vec<NotRead>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::platform("add_documents", Effect::Create, |platform, input| Box::pin(run(platform, input)))
        .any_kind()
        .idempotent()
        .description(
            "Keeps documents so that search_docs finds them: files and folders, each in parts; unchanged ones are not read again.",
        )
        .example("A file that was sent", json!({"files": ["notes.md"], "corpus": "standards", "tags": ["fire"]}))
}

async fn run(platform: &(impl Caller + Documents + ?Sized), input: Input) -> Result<Reply<Output>, Fault> {
    let corpus = name_of(input.corpus.as_deref())?;
    if input.files.is_empty() && input.remove.is_empty() {
        return Err(Fault::invalid("files", "Give `files`, or names of documents to `remove`."));
    }
    let mut files: Vec<String> = Vec::new();
    for named in &input.files {
        match platform.documents_in("files", named, MOST).await? {
            Some(found) if found.is_empty() => {
                let problem = format!("{named} has no Markdown, HTML, text, DOCX or PDF.");
                return Err(Fault::new(FaultCode::NotFound, problem).with("field", "files"));
            }
            Some(found) => files.extend(found),
            None => files.push(named.clone()),
        }
        if files.len() > MOST {
            let problem = format!("These are more than {MOST} files. Give folders one after the other.");
            return Err(Fault::new(FaultCode::LimitReached, problem).with("field", "files"));
        }
    }
    let tags: Vec<String> =
        input.tags.iter().map(|tag| tag.trim().to_owned()).filter(|tag| !tag.is_empty()).collect();
    let operation = ReadDocuments {
        corpus: corpus.clone(),
        tags,
        remove: input.remove,
        by: platform.principal().name.clone(),
    };
    let changed = platform
        .change_collection(&corpus, input.readers_of.as_deref(), operation.operation(), "files", &files)
        .await?;
    let read: DocumentsRead = ReadDocuments::answer(&changed.answer)?;
    let count = |what: &str| read.documents.iter().filter(|own| own.what == what).count();
    let (added, updated, unchanged, removed) =
        (count("added"), count("updated"), count("unchanged"), count("removed"));
    let mut documents = read.documents;
    documents.retain(|own| own.what != "unchanged" || !own.notes.is_empty());
    documents.truncate(TOLD);
    let mut not_read = read.not_read;
    not_read.truncate(TOLD);
    let version = changed.collection.as_ref().map(|own| own.version.clone());
    let readers = changed.collection.and_then(|own| own.model).unwrap_or_else(|| "caller".to_owned());
    Ok(Reply::new(Output {
        corpus,
        readers,
        version,
        count: read.count,
        sections: read.sections,
        added,
        updated,
        unchanged,
        removed,
        documents,
        not_read,
    })
    .status(if added + updated + removed > 0 { "kept" } else { "unchanged" }))
}

/// The name of a collection.
fn name_of(given: Option<&str>) -> Result<String, Fault> {
    let Some(name) = given.map(str::trim).filter(|name| !name.is_empty()) else {
        return Ok(USUAL.to_owned());
    };
    let is_name = name.len() <= LONGEST
        && name.starts_with(|sign: char| sign.is_ascii_lowercase())
        && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
    if !is_name {
        let problem = format!(
            "A collection is called by at most {LONGEST} small letters, digits and `-`, a letter first."
        );
        return Err(Fault::invalid("corpus", problem));
    }
    if CORPORA.contains(&name) || TAKEN.contains(&name) {
        let problem = format!("`{name}` is a corpus of the program. Choose another name.");
        return Err(Fault::invalid("corpus", problem));
    }
    Ok(name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::name_of;

    #[test]
    fn a_collection_has_a_plain_name_of_its_own() {
        assert_eq!(name_of(None).unwrap(), "own");
        assert_eq!(name_of(Some(" fire-2 ")).unwrap(), "fire-2");
        for name in ["Fire", "a/b", "../x", "2fire", "ifc", "documents", "ä", &"a".repeat(41)] {
            assert!(name_of(Some(name)).is_err(), "{name}");
        }
    }
}
