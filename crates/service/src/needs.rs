//! The needs of a tool, provided for one call: a folder, further models, files by role.

use crate::call::Call;
use crate::run::Subject;
use contract::{
    Action, Artifact, DocumentationNeed, Fault, FaultCode, FileInput, FileNeed, FileWithin, FurtherModel,
    ModelRecord, ModelUse, Needs, Operation, Source, VersionId, member,
};
use serde_json::Value;
use store::Scratch;

/// The member of an answer that says which model and version the results are of that it tells.
const OF_JOB: &str = "results_of";

/// All that a tool is given beside its arguments and its own model.
#[derive(Default)]
pub(crate) struct Provided {
    models: Vec<(String, ModelRecord, VersionId)>,
    files: Vec<FileInput>,
    /// The model and version that a job was about whose files are among them.
    about: Option<Value>,
    pub(crate) scratch: Option<Scratch>,
}

impl Provided {
    /// The models, the call's own before the others.
    pub(crate) fn subjects<'a>(&'a self, own: Option<(&'a ModelRecord, &'a VersionId)>) -> Vec<Subject<'a>> {
        let own = own.map(|(model, version)| Subject { role: "model", model, version });
        let further = self.models.iter().map(|(role, model, version)| Subject { role, model, version });
        own.into_iter().chain(further).collect()
    }
}

impl Call {
    /// Provides what a tool needs for a call with these parameters of its own.
    pub(crate) async fn provide(&self, needs: &Needs, params: &Value) -> Result<Provided, Fault> {
        let mut provided = Provided::default();
        if needs.scratch {
            provided.scratch = Some(self.scratch()?);
        }
        for need in &needs.models {
            if let Some((model, version)) = self.further_model(need, params).await? {
                provided.models.push((need.role.clone(), model, version));
            }
        }
        for need in &needs.files {
            if let FileNeed::Job(need) = need {
                if !need.beside_when.is_empty() {
                    if let Some((files, job)) = Box::pin(self.files_beside(need, params)).await? {
                        provided.files.extend(files);
                        provided.about = Box::pin(self.subject_of_job(&job)).await;
                    }
                    continue;
                }
                let (files, job) = Box::pin(self.files_of_job(need, params)).await?;
                provided.files.extend(files);
                provided.about = Box::pin(self.subject_of_job(&job)).await;
            } else {
                provided.files.extend(self.files_for(need, params).await?);
            }
        }
        if needs.model == ModelUse::Optional && text(params, needs.instead.as_deref()).is_none() {
            let model = self.session_model(needs.kind(None)).await;
            provided.models.extend(model.map(|(model, version)| ("model".to_owned(), model, version)));
        }
        Ok(provided)
    }

    /// Runs an operation on a model, where it works on one, and what was provided.
    pub(crate) async fn run_provided(
        &self,
        operation: Operation,
        own: Option<(&ModelRecord, &VersionId)>,
        provided: &Provided,
    ) -> Result<Artifact, Fault> {
        let subjects = provided.subjects(own);
        let scratch = provided.scratch.as_ref();
        let mut artifact = self.run_on_files(operation, &subjects, provided.files.clone(), scratch).await?;
        if let (Some(about), Some(members)) = (&provided.about, artifact.result.as_object_mut()) {
            members.insert(OF_JOB.to_owned(), about.clone());
        }
        Ok(artifact)
    }

    /// The model and version that the caller names beside its own; none where it names neither.
    pub(crate) async fn further_model(
        &self,
        need: &FurtherModel,
        params: &Value,
    ) -> Result<Option<(ModelRecord, VersionId)>, Fault> {
        let (id, version) = (text(params, need.id.as_deref()), text(params, Some(&need.version)));
        let model = match (id, version) {
            (None, None) => return Ok(None),
            (Some(id), _) => self.find_model(id).await.map_err(|fault| fault.with("field", &need.id))?,
            (None, Some(_)) => self.model_of_call().await?,
        };
        self.may(Action::Query, &model)?;
        self.opens(&model.model_id)?;
        let version = match version {
            Some(version) => {
                let found = self.version_of(&model.model_id, version).await;
                found.map_err(|fault| fault.with("field", &need.version))?
            }
            None => self.session_position(&model.model_id).await?.head,
        };
        Ok(Some((model, version)))
    }

    async fn files_for(&self, need: &FileNeed, params: &Value) -> Result<Vec<FileInput>, Fault> {
        match need {
            FileNeed::Documentation(need) => Ok(self.index_for(need, params).await?.into_iter().collect()),
            FileNeed::Job(need) => Ok(Box::pin(self.files_of_job(need, params)).await?.0),
            FileNeed::Named(need) => match text(params, Some(&need.parameter)) {
                // the text of a document itself, where a tool takes that too: no key begins so or has lines
                Some(text) if text.trim_start().starts_with('<') || text.contains('\n') => Ok(Vec::new()),
                Some(named) => {
                    let record = self.file_given(&need.parameter, named).await?;
                    Ok(vec![self.file_input(need.role.clone(), &record).await?])
                }
                None => Ok(Vec::new()),
            },
            FileNeed::Within(need) => match text(params, Some(&need.parameter)) {
                Some(named) => self.file_within(need, named).await,
                None => Ok(Vec::new()),
            },
            FileNeed::Collections(role) => self.files_of_collections(role).await,
            FileNeed::Library(need) => {
                let mut files = Vec::new();
                for named in texts(params, &need.parameter) {
                    files.extend(self.file_of_library(need, named).await?);
                }
                Ok(files)
            }
        }
    }

    /// The file that a key of a TOML file names; none where there is no such key, or no TOML, whose mistake the operation tells.
    async fn file_within(&self, need: &FileWithin, named: &str) -> Result<Vec<FileInput>, Fault> {
        let outer = self.file_given(&need.parameter, named).await?;
        let Source::Path(path) = self.path_source(&outer.sha256).await? else { return Ok(Vec::new()) };
        if outer.size > MOST_NAMING {
            return Ok(Vec::new());
        }
        let read = tokio::fs::read_to_string(&path).await.ok();
        let table = read.and_then(|text| toml::from_str::<toml::Table>(&text).ok());
        let Some(inner) = table.as_ref().and_then(|table| key(table, &need.key)) else {
            return Ok(Vec::new());
        };
        let record = self.file_given(&need.parameter, inner).await?;
        Ok(vec![self.file_input(need.role.clone(), &record).await?])
    }

    async fn index_for(&self, need: &DocumentationNeed, params: &Value) -> Result<Option<FileInput>, Fault> {
        let is_required = need.required.iter().any(|required| required.holds(params));
        let version = text(params, Some(&need.version));
        self.documentation(&need.role, &need.corpus, version, is_required).await.map_err(|fault| {
            if fault.code == FaultCode::NotFound { fault.with("field", &need.version) } else { fault }
        })
    }
}

/// Files that one parameter may name.
const MOST_FILES: usize = 32;
/// Bytes of a file that names others, at most.
const MOST_NAMING: u64 = 1 << 20;

/// A parameter that is a text; dots in its name lead into objects.
fn text<'a>(params: &'a Value, name: Option<&str>) -> Option<&'a str> {
    member(params, name?)?.as_str()
}

/// The texts of a parameter that is one or a list of them, as many as a list may have.
fn texts<'a>(params: &'a Value, name: &str) -> Vec<&'a str> {
    match member(params, name) {
        Some(Value::String(text)) => vec![text],
        Some(Value::Array(list)) => list.iter().filter_map(Value::as_str).take(MOST_FILES).collect(),
        _ => Vec::new(),
    }
}

/// The text of a key of a TOML file; dots in it lead into tables.
fn key<'t>(table: &'t toml::Table, name: &str) -> Option<&'t str> {
    let (last, outer) = match name.rsplit_once('.') {
        Some((outer, last)) => (last, Some(outer)),
        None => (name, None),
    };
    let within = outer
        .map_or(Some(table), |outer| outer.split('.').try_fold(table, |at, part| at.get(part)?.as_table()))?;
    within.get(last)?.as_str()
}

#[cfg(test)]
mod tests {
    use super::{key, text, texts};
    use serde_json::json;

    #[test]
    fn a_dot_in_the_name_of_a_parameter_leads_into_an_object() {
        let params = json!({ "file": "a.idf", "shape": { "mesh": { "file": "b.glb" } } });
        assert_eq!(text(&params, Some("file")), Some("a.idf"));
        assert_eq!(text(&params, Some("shape.mesh.file")), Some("b.glb"));
        assert_eq!(text(&params, Some("shape.box.file")), None);
        assert_eq!(text(&params, None), None);
    }

    #[test]
    fn a_dot_in_the_name_of_a_key_leads_into_a_table() {
        let table = toml::from_str("plain = 'p.ttf'\n[fonts]\nregular = 'a.ttf'\nsize = 3").unwrap();
        assert_eq!(key(&table, "fonts.regular"), Some("a.ttf"));
        assert_eq!(key(&table, "plain"), Some("p.ttf"));
        for absent in ["fonts.bold", "fonts.size", "fonts", "plain.regular", "no.such"] {
            assert_eq!(key(&table, absent), None, "{absent}");
        }
    }

    #[test]
    fn a_parameter_may_name_one_file_or_several() {
        let params = json!({ "one": "a", "findings": { "packs": ["a", 7, "b"] } });
        assert_eq!(texts(&params, "one"), ["a"]);
        assert_eq!(texts(&params, "findings.packs"), ["a", "b"]);
        assert!(texts(&params, "findings").is_empty() && texts(&params, "none").is_empty());
    }
}
