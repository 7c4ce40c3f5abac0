//! A small adapter for the tests of host and pool: a model is the lines of a text file, a delta is lines to append.

use crate::{Host, HostConfig};
use contract::{
    Adapter, AdapterInfo, Delta, Effect, Fault, FaultCode, FileInput, ModelId, ModelInput, ModelKind,
    OpenedModel, Operation, OperationId, OperationInfo, Outcome, Request, Source, VersionId, Watch,
};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// An adapter over lines of text, which counts the files it opened, the deltas it applied, and the work it ended that nobody wanted.
#[derive(Default)]
pub(crate) struct Lines {
    pub(crate) opened: AtomicUsize,
    pub(crate) applied: AtomicUsize,
    pub(crate) given_up: AtomicUsize,
}

fn lines(model: &OpenedModel) -> &Vec<String> {
    model.inner.downcast_ref().expect("a model of this adapter")
}

fn model(lines: Vec<String>) -> OpenedModel {
    let weight = lines.iter().map(|line| line.len() as u64).sum();
    OpenedModel { inner: Arc::new(lines), weight }
}

impl Adapter for Lines {
    fn info(&self) -> AdapterInfo {
        let operations = [
            ("count", Effect::Query),
            ("append", Effect::Create),
            ("touch", Effect::Modify),
            ("sleep", Effect::Query),
            ("work", Effect::Query),
            ("panic", Effect::Modify),
            ("abort", Effect::Modify),
            ("flood", Effect::Query),
        ];
        AdapterInfo {
            name: "lines".into(),
            version: "1".into(),
            kinds: vec![ModelKind::Ifc],
            operations: operations
                .into_iter()
                .map(|(name, effect)| OperationInfo {
                    name: name.into(),
                    effect,
                    schema_sha256: "0".repeat(64),
                })
                .collect(),
            languages: Vec::new(),
        }
    }

    fn open(&self, _: ModelKind, file: &Path) -> Result<OpenedModel, Fault> {
        self.opened.fetch_add(1, Ordering::SeqCst);
        let text = std::fs::read_to_string(file)
            .map_err(|error| Fault::new(FaultCode::UnreadableFile, format!("line 1: {error}")))?;
        Ok(model(text.lines().map(str::to_owned).collect()))
    }

    fn apply(&self, base: &OpenedModel, delta: &Delta) -> Result<OpenedModel, Fault> {
        self.applied.fetch_add(1, Ordering::SeqCst);
        let added = String::from_utf8_lossy(&delta.body).into_owned();
        Ok(model(lines(base).iter().cloned().chain([added]).collect()))
    }

    fn run(
        &self,
        request: &Request,
        models: &[OpenedModel],
        _: &[FileInput],
        watch: &Arc<dyn Watch>,
    ) -> Result<Outcome, Fault> {
        let params = &request.operation.params;
        let result = match request.operation.name.as_str() {
            "count" => json!({"lines": models.first().map_or(0, |model| lines(model).len())}),
            "append" => {
                let body =
                    params["text"].as_str().ok_or_else(|| Fault::invalid("text", "Give a text."))?.into();
                let delta = Delta::new(ModelKind::Ifc, body);
                let after = self.apply(&models[0], &delta)?;
                self.applied.fetch_sub(1, Ordering::SeqCst);
                let changes = vec![("model".to_owned(), delta, after)];
                return Ok(Outcome { changes, result: json!({"ok": true}), ..Outcome::default() });
            }
            "sleep" => {
                std::thread::sleep(Duration::from_millis(params["ms"].as_u64().unwrap_or(0)));
                json!({"slept": true})
            }
            // goes on until nobody wants it any more
            "work" => {
                watch.begins("working");
                let total = params["total"].as_u64().unwrap_or(0);
                let mut done = 0;
                while watch.at(done, total) {
                    std::thread::sleep(Duration::from_millis(1));
                    done += 1;
                }
                self.given_up.fetch_add(1, Ordering::SeqCst);
                return Err(Fault::given_up("work"));
            }
            "panic" => panic!("line {} is not there", 7),
            "abort" => std::process::abort(),
            "flood" => Value::String("x".repeat(1 << 20)),
            _ => Value::Null,
        };
        Ok(Outcome { result, ..Outcome::default() })
    }
}

/// A host of one such adapter, and the adapter.
pub(crate) fn host(config: HostConfig) -> (Arc<Host>, Arc<Lines>) {
    let adapter = Arc::new(Lines::default());
    (Host::new(vec![Arc::clone(&adapter) as Arc<dyn Adapter>], config), adapter)
}

/// A file of three lines.
pub(crate) fn file() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("base.txt");
    std::fs::write(&path, "one\ntwo\nthree").expect("a file");
    (folder, path)
}

/// An operation without a model.
pub(crate) fn operation(effect: Effect, name: &str, params: Value) -> Request {
    Request {
        operation_id: OperationId::new(),
        operation: Operation { effect, name: name.into(), params },
        backend: None,
        strict: false,
        models: Vec::new(),
        files: Vec::new(),
        limits: contract::Limits::default(),
        deadline_ms: 0,
        time_ms: 1,
        actor: contract::Actor::default(),
        reasoning: None,
        scratch: None,
    }
}

/// The version of the file itself.
pub(crate) fn base_version() -> VersionId {
    VersionId::from("b".repeat(64))
}

/// A model at its file's version.
pub(crate) fn at_base(path: &Path) -> ModelInput {
    ModelInput {
        role: "model".into(),
        id: ModelId::from("m"),
        version: base_version(),
        kind: ModelKind::Ifc,
        base: Some(Source::Path(path.display().to_string())),
        base_version: Some(base_version()),
        deltas: Vec::new(),
    }
}

/// A model some deltas after its file's version.
pub(crate) fn after(path: &Path, texts: &[&str]) -> ModelInput {
    let mut input = at_base(path);
    for text in texts {
        let bytes = Delta::new(ModelKind::Ifc, text.as_bytes().to_vec()).encode();
        input.version = VersionId::of_delta(&input.version, &bytes);
        input.deltas.push(Source::inline(&bytes));
    }
    input
}

/// An operation on a model.
pub(crate) fn on(input: ModelInput, effect: Effect, name: &str, params: Value) -> Request {
    Request { models: vec![input], ..operation(effect, name, params) }
}
