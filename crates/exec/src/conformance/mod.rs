//! What every executor and every adapter behind it has to do, as a suite that any of them can be held against: the shape of
//! the contract, the protocol for versions, statelessness, the truth of deltas, and that a failure harms nobody else.
//!
//! The subject brings a file and operations that make sense on it. What the results of operations mean is judged by whoever
//! brings the subject, on the version that an operation made (see [`Meaning`]): no adapter is named here.

mod endpoint;
mod platform;

pub use endpoint::check_endpoint;

use crate::Executor;
use contract::{
    Actor, Artifact, Delta, Effect, Fault, FaultCode, Limits, ModelId, ModelInput, ModelKind, Operation,
    OperationId, Request, Source, VersionId, json_sha256,
};
use serde_json::json;
use std::path::{Path, PathBuf};

/// Says what is wrong with the version that an operation made, given its answer and its delta's bytes.
pub type Judge = Box<dyn Fn(&Artifact, &[u8]) -> Result<(), String> + Send + Sync>;

/// An operation on the subject's file, and what it has to come to. Left out where the executor does not claim it.
pub struct Meaning {
    /// The outcome to check, as a sentence.
    pub check: String,
    /// The operation; it changes the model.
    pub operation: Operation,
    /// The judge of the outcome.
    pub judge: Judge,
}

/// The model and the operations that the suite works with.
pub struct Subject {
    /// The kind of model.
    pub kind: ModelKind,
    /// A whole file of that kind that the executor may read.
    pub file: PathBuf,
    /// A file that is not of that kind, though it is named as one.
    pub unreadable: PathBuf,
    /// A query whose answer shows what `change` changes.
    pub query: Operation,
    /// An operation that changes the model and may be run on its own result again.
    pub change: Operation,
    /// True if the executor is on another machine: files come within requests, and are not to be named by their paths.
    pub elsewhere: bool,
    /// Further operations, each with its judge.
    pub meanings: Vec<Meaning>,
}

/// One check, and what is wrong if it failed.
#[derive(Debug, Clone)]
pub struct Finding {
    /// The thing checked, as a sentence.
    pub check: String,
    /// The problem; `None` if there is none.
    pub problem: Option<String>,
    /// Why it was not checked; `None` if it was.
    pub skipped: Option<String>,
}

/// Runs the whole suite. An executor conforms if no finding has a problem.
pub async fn check(executor: &dyn Executor, subject: &Subject) -> Vec<Finding> {
    let suite = match Suite::new(executor, subject) {
        Ok(suite) => suite,
        Err(problem) => return vec![finding("the subject can be read".into(), Err(problem))],
    };
    let checks = [
        ("the info lists each operation once, with its effect and a schema hash", suite.info().await),
        ("an operation that nobody resolves is not supported", suite.unknown_operation().await),
        ("an operation sent with another effect than its own is refused", suite.wrong_effect().await),
        ("a manifest says what was run, on what, for whom", suite.manifest().await),
        ("a repeated change makes the identical delta", suite.repeat().await),
        ("base and delta make the version that the change made", suite.versions().await),
        ("a version that is not open is asked for with its sources", suite.not_open().await),
        ("a damaged delta is refused", suite.damaged_delta().await),
        ("deltas that lead elsewhere are refused", suite.wrong_version().await),
        (
            "a file of another kind is unreadable, and a file that is not there is not found",
            suite.bad_files().await,
        ),
        ("an answer larger than its limit is refused", suite.result_limit().await),
        ("a call past its deadline is not run", suite.late().await),
        ("calls at the same time do not disturb each other", suite.together().await),
        ("a call that fails leaves nothing behind", suite.failure().await),
        ("an answer depends on nothing that was asked before", suite.stateless().await),
    ];
    let mut findings: Vec<Finding> =
        checks.into_iter().map(|(check, result)| finding(check.to_owned(), result)).collect();
    findings.extend(suite.platform_operations().await);
    for meaning in &subject.meanings {
        findings.push(suite.meaning(meaning).await);
    }
    findings
}

fn finding(check: String, result: Result<(), String>) -> Finding {
    Finding { check, problem: result.err(), skipped: None }
}

struct Suite<'a> {
    executor: &'a dyn Executor,
    subject: &'a Subject,
    file: Source,
    unreadable: Source,
}

type Checked = Result<(), String>;

fn ensure(holds: bool, otherwise: impl FnOnce() -> String) -> Checked {
    if holds { Ok(()) } else { Err(otherwise()) }
}

/// The call ended as this fault and no other.
fn expect_fault(answer: Result<Artifact, Fault>, codes: &[FaultCode]) -> Result<Fault, String> {
    match answer {
        Err(fault) if codes.contains(&fault.code) && !fault.message.is_empty() => Ok(fault),
        Err(fault) => Err(format!("expected a fault {codes:?}, got {:?}: {fault}", fault.code)),
        Ok(_) => Err(format!("expected a fault {codes:?}, got an artifact")),
    }
}

impl<'a> Suite<'a> {
    fn new(executor: &'a dyn Executor, subject: &'a Subject) -> Result<Self, String> {
        let source = |path: &Path| -> Result<Source, String> {
            if !subject.elsewhere {
                return Ok(Source::Path(path.display().to_string()));
            }
            let bytes = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
            Ok(Source::inline(&bytes))
        };
        let (file, unreadable) = (source(&subject.file)?, source(&subject.unreadable)?);
        Ok(Self { executor, subject, file, unreadable })
    }

    fn base(&self) -> ModelInput {
        let version = VersionId::from("c0".repeat(32));
        ModelInput {
            role: "model".into(),
            id: ModelId::from("conformance"),
            version: version.clone(),
            kind: self.subject.kind,
            base: Some(self.file.clone()),
            base_version: Some(version),
            deltas: Vec::new(),
        }
    }

    /// The base with a delta on top.
    fn after(&self, delta: &[u8]) -> ModelInput {
        let mut input = self.base();
        input.version = VersionId::of_delta(&input.version, delta);
        input.deltas.push(Source::inline(delta));
        input
    }

    fn request(operation: &Operation, model: ModelInput) -> Request {
        Request {
            operation_id: OperationId::from("conformance-1"),
            operation: operation.clone(),
            backend: None,
            strict: false,
            models: vec![model],
            files: Vec::new(),
            limits: Limits::default(),
            deadline_ms: 0,
            time_ms: 1_700_000_000_000,
            actor: Actor { principal: "conformance".into(), client: None },
            reasoning: Some("to see whether it conforms".into()),
            scratch: None,
        }
    }

    async fn query(&self, model: ModelInput) -> Result<Artifact, Fault> {
        self.executor.run(Self::request(&self.subject.query, model)).await
    }

    /// Runs the change on the base and answers its delta's bytes.
    async fn change(&self) -> Result<Vec<u8>, String> {
        let artifact = self.executor.run(Self::request(&self.subject.change, self.base())).await;
        self.delta_of(&artifact.map_err(|fault| fault.to_string())?)
    }

    fn delta_of(&self, artifact: &Artifact) -> Result<Vec<u8>, String> {
        let [change] = artifact.changes.as_slice() else {
            return Err(format!("expected one change, got {}", artifact.changes.len()));
        };
        ensure(change.role == "model", || format!("it changed the role {:?}", change.role))?;
        let bytes =
            change.delta.as_ref().and_then(Source::inline_bytes).ok_or("the delta is not in the answer")?;
        let delta = Delta::decode(&bytes).map_err(|error| error.to_string())?;
        ensure(delta.kind == self.subject.kind, || "the delta is of another kind".into())?;
        Ok(bytes)
    }

    async fn info(&self) -> Checked {
        let info = self.executor.info().await.map_err(|fault| fault.to_string())?;
        ensure(!info.program.is_empty() && !info.version.is_empty(), || {
            "the program has no name or version".into()
        })?;
        ensure(!info.adapters.is_empty(), || "there is no adapter".into())?;
        for adapter in &info.adapters {
            let mut names: Vec<&str> =
                adapter.operations.iter().map(|operation| operation.name.as_str()).collect();
            names.sort_unstable();
            names.dedup();
            ensure(names.len() == adapter.operations.len(), || {
                format!("{} lists a name twice", adapter.name)
            })?;
            for operation in &adapter.operations {
                let hash = &operation.schema_sha256;
                let sound = hash.len() == 64 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
                ensure(sound, || format!("{} has no schema hash", operation.name))?;
            }
        }
        for wanted in [&self.subject.query, &self.subject.change] {
            let listed = info.adapters.iter().flat_map(|adapter| &adapter.operations);
            let mut listed = listed.filter(|operation| operation.name == wanted.name);
            ensure(listed.any(|operation| operation.effect == wanted.effect), || {
                format!("{} is not listed", wanted.name)
            })?;
        }
        Ok(())
    }

    async fn unknown_operation(&self) -> Checked {
        let unknown =
            Operation { effect: Effect::Query, name: "no_such_operation".into(), params: json!({}) };
        let answer = self.executor.run(Self::request(&unknown, self.base())).await;
        expect_fault(answer, &[FaultCode::NotSupported]).map(drop)
    }

    async fn wrong_effect(&self) -> Checked {
        for (operation, effect) in
            [(&self.subject.query, Effect::Modify), (&self.subject.change, Effect::Query)]
        {
            let wrong = Operation { effect, ..operation.clone() };
            let answer = self.executor.run(Self::request(&wrong, self.base())).await;
            expect_fault(answer, &[FaultCode::InvalidParams])?;
        }
        Ok(())
    }

    async fn manifest(&self) -> Checked {
        let request = Self::request(&self.subject.query, self.base());
        let artifact = self.executor.run(request.clone()).await.map_err(|fault| fault.to_string())?;
        let manifest = artifact.manifest;
        ensure(manifest.operation_id == request.operation_id, || "another operation id".into())?;
        ensure(manifest.tool == request.operation.name, || "another tool".into())?;
        ensure(manifest.actor == request.actor && manifest.reasoning == request.reasoning, || {
            "another actor".into()
        })?;
        ensure(manifest.params_sha256 == json_sha256(&request.operation.params), || {
            "another parameter hash".into()
        })?;
        let inputs =
            manifest.inputs.iter().map(|input| (&input.role, &input.model.id, input.model.version.as_ref()));
        let expected = request.models.iter().map(|model| (&model.role, &model.id, Some(&model.version)));
        ensure(inputs.eq(expected), || "other inputs".into())?;
        ensure(artifact.changes.is_empty(), || "a query changed something".into())?;
        ensure(!manifest.adapter.is_empty() && manifest.started_ms > 0, || "no adapter or time".into())
    }

    async fn repeat(&self) -> Checked {
        let first = self.change().await?;
        let second = self.change().await?;
        ensure(first == second, || "the second run made another delta".into())
    }

    async fn versions(&self) -> Checked {
        let before = self.query(self.base()).await.map_err(|fault| fault.to_string())?;
        let delta = self.change().await?;
        let after = self.query(self.after(&delta)).await.map_err(|fault| fault.to_string())?;
        ensure(before.result != after.result, || "the query does not see the change".into())?;
        let again = self.query(self.base()).await.map_err(|fault| fault.to_string())?;
        ensure(before.result == again.result, || "the base changed under the change".into())
    }

    async fn not_open(&self) -> Checked {
        let mut unknown = self.base();
        unknown.version = VersionId::from("0f".repeat(32));
        (unknown.base, unknown.base_version) = (None, None);
        expect_fault(self.query(unknown).await, &[FaultCode::VersionNotOpen]).map(drop)
    }

    async fn damaged_delta(&self) -> Checked {
        let mut delta = self.change().await?;
        if let Some(byte) = delta.get_mut(15) {
            *byte ^= 1;
        }
        expect_fault(
            self.query(self.after(&delta)).await,
            &[FaultCode::BackendFailed, FaultCode::UnreadableFile],
        )?;
        let short = delta.get(..delta.len() / 2).unwrap_or_default();
        expect_fault(
            self.query(self.after(short)).await,
            &[FaultCode::BackendFailed, FaultCode::UnreadableFile],
        )?;
        self.query(self.base()).await.map(drop).map_err(|fault| format!("afterwards: {fault}"))
    }

    async fn wrong_version(&self) -> Checked {
        let delta = self.change().await?;
        let mut input = self.after(&delta);
        input.version = VersionId::from("1e".repeat(32));
        expect_fault(self.query(input).await, &[FaultCode::InvalidParams]).map(drop)
    }

    async fn bad_files(&self) -> Checked {
        let at = |base: Source, version: &str| {
            let version = VersionId::from(version.repeat(32));
            ModelInput {
                version: version.clone(),
                base: Some(base),
                base_version: Some(version),
                ..self.base()
            }
        };
        expect_fault(self.query(at(self.unreadable.clone(), "2d")).await, &[FaultCode::UnreadableFile])?;
        // a service elsewhere does not even say whether a path is there
        let codes: &[FaultCode] = if self.subject.elsewhere {
            &[FaultCode::PermissionDenied, FaultCode::NotSupported]
        } else {
            &[FaultCode::NotFound]
        };
        let nowhere = Source::Path("/nonexistent/model".to_owned());
        expect_fault(self.query(at(nowhere, "3c")).await, codes)?;
        self.query(self.base()).await.map(drop).map_err(|fault| format!("afterwards: {fault}"))
    }

    async fn result_limit(&self) -> Checked {
        let mut request = Self::request(&self.subject.query, self.base());
        request.limits.result_bytes = 1;
        expect_fault(self.executor.run(request).await, &[FaultCode::LimitReached]).map(drop)
    }

    async fn late(&self) -> Checked {
        let mut request = Self::request(&self.subject.query, self.base());
        request.deadline_ms = 1;
        expect_fault(self.executor.run(request).await, &[FaultCode::Cancelled]).map(drop)
    }

    async fn together(&self) -> Checked {
        let alone = self.query(self.base()).await.map_err(|fault| fault.to_string())?;
        let delta = self.change().await?;
        let changed = self.query(self.after(&delta)).await.map_err(|fault| fault.to_string())?;
        for _ in 0..4 {
            let after = || self.query(self.after(&delta));
            let (a, b, c, d) =
                tokio::join!(self.query(self.base()), after(), after(), self.query(self.base()));
            for (answer, expected) in [(a, &alone), (b, &changed), (c, &changed), (d, &alone)] {
                let answer = answer.map_err(|fault| fault.to_string())?;
                ensure(answer.result == expected.result, || "it answers otherwise among others".into())?;
            }
        }
        Ok(())
    }

    /// A call with parameters that cannot be right, and the same again: the model is as it was, and so is the next change.
    async fn failure(&self) -> Checked {
        let before = self.change().await?;
        let wrong = json!({"no_such_parameter": 1});
        let wrong = Operation { params: wrong, ..self.subject.change.clone() };
        for _ in 0..2 {
            let answer = self.executor.run(Self::request(&wrong, self.base())).await;
            expect_fault(answer, &[FaultCode::InvalidParams])?;
        }
        let after = self.change().await?;
        ensure(before == after, || "the change is another one after a call that failed".into())
    }

    /// Later versions, other models and other operations in between do not change what a version answers.
    async fn stateless(&self) -> Checked {
        let first = self.query(self.base()).await.map_err(|fault| fault.to_string())?;
        let delta = self.change().await?;
        self.query(self.after(&delta)).await.map_err(|fault| fault.to_string())?;
        let mut other = self.base();
        other.id = ModelId::from("conformance-other");
        other.version = VersionId::from("4b".repeat(32));
        other.base_version = Some(other.version.clone());
        let elsewhere = self.query(other).await.map_err(|fault| fault.to_string())?;
        ensure(elsewhere.result == first.result, || {
            "the same file answers otherwise as another model".into()
        })?;
        let again = self.query(self.base()).await.map_err(|fault| fault.to_string())?;
        ensure(again.result == first.result, || "it answers otherwise than at first".into())?;
        let repeated = self.change().await?;
        ensure(repeated == delta, || "the change is another one than at first".into())
    }

    async fn meaning(&self, meaning: &Meaning) -> Finding {
        let wanted = &meaning.operation;
        let info = self.executor.info().await;
        let listed = info.iter().flat_map(|info| &info.adapters).flat_map(|adapter| &adapter.operations);
        let claimed = listed.into_iter().any(|one| one.name == wanted.name && one.effect == wanted.effect);
        if !claimed {
            let skipped = Some(format!("{} is not claimed", wanted.name));
            return Finding { check: meaning.check.clone(), problem: None, skipped };
        }
        let answer = self.executor.run(Self::request(wanted, self.base())).await;
        let judged = answer.map_err(|fault| fault.to_string()).and_then(|artifact| {
            let delta = self.delta_of(&artifact)?;
            (meaning.judge)(&artifact, &delta)
        });
        finding(meaning.check.clone(), judged)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::HostConfig;
    use crate::testing::{file, host};

    #[tokio::test]
    async fn the_host_itself_conforms() {
        let (folder, file) = file();
        let unreadable = folder.path().join("bytes.txt");
        std::fs::write(&unreadable, [0xff, 0xfe, 0x00]).unwrap();
        let operation = |effect, name: &str, params| Operation { effect, name: name.into(), params };
        let subject = Subject {
            kind: ModelKind::Ifc,
            file,
            unreadable,
            query: operation(Effect::Query, "count", json!({})),
            change: operation(Effect::Create, "append", json!({"text": "four"})),
            elsewhere: false,
            meanings: vec![
                Meaning {
                    check: "a line that is appended is there".into(),
                    operation: operation(Effect::Create, "append", json!({"text": "five"})),
                    judge: Box::new(|_, delta| {
                        let body = Delta::decode(delta).map_err(|error| error.to_string())?.body;
                        ensure(body == b"five", || "another line".into())
                    }),
                },
                Meaning {
                    check: "a wall stands".into(),
                    operation: operation(Effect::Create, "create_wall", json!({})),
                    judge: Box::new(|_, _| Err("there is none".into())),
                },
            ],
        };
        for finding in check(&host(HostConfig::default()).0, &subject).await {
            assert_eq!(finding.problem, None, "{}", finding.check);
            let why = finding.skipped.as_deref().unwrap_or_default();
            let is_of_platform = ["inspect", "materialise", "diff", "restore", "merge"]
                .iter()
                .any(|name| why == format!("{name} is not claimed"));
            assert_eq!(
                !why.is_empty(),
                finding.check == "a wall stands" || is_of_platform,
                "{}",
                finding.check
            );
        }
    }
}
