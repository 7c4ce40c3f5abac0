//! An executor for tests: a model is a text, a delta the lines it gains and loses. It keeps opened versions as a real one
//! does, and forgets them when told.

use async_trait::async_trait;
use contract::{
    Artifact, Change, Delta, DiffRaw, DiffSummary, EntityRef, Fault, FaultCode, FileOut, HostInfo, Manifest,
    ModelInput, ModelKind, OperationId, Progress, Request, Source, VersionId,
};
use exec::Executor;
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

type Lines = Vec<String>;

#[derive(Default)]
pub(super) struct LinesExecutor {
    open: Mutex<HashMap<VersionId, Lines>>,
    pub(super) runs: AtomicUsize,
    pub(super) opened_from_sources: AtomicUsize,
    /// Waits this long inside every change, so that others come in between.
    pub(super) delay_ms: AtomicUsize,
    /// True while somebody waits for what never ends.
    pub(super) waiting: AtomicBool,
}

/// Says that nobody waits any more.
struct OnDrop<'a>(&'a AtomicBool);

impl Drop for OnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(false, Ordering::SeqCst);
    }
}

impl LinesExecutor {
    pub(super) fn forget(&self) {
        self.open.lock().unwrap().clear();
    }

    fn lines(&self, input: &ModelInput) -> Result<Lines, Fault> {
        if let Some(lines) = self.open.lock().unwrap().get(&input.version) {
            return Ok(lines.clone());
        }
        let Some(Source::Path(base)) = &input.base else {
            return Err(Fault::new(FaultCode::VersionNotOpen, "not open"));
        };
        self.opened_from_sources.fetch_add(1, Ordering::SeqCst);
        let text = std::fs::read_to_string(base).map_err(|error| Fault::backend(error.to_string()))?;
        let mut lines: Lines = text.lines().map(str::to_owned).collect();
        let mut version = input.base_version.clone().unwrap();
        for source in &input.deltas {
            let bytes = match source {
                Source::Path(path) => std::fs::read(path).unwrap(),
                inline => inline.inline_bytes().unwrap(),
            };
            lines = applied(&lines, &bytes);
            version = VersionId::of_delta(&version, &bytes);
        }
        assert_eq!(version, input.version, "the sources lead to the version asked for");
        self.open.lock().unwrap().insert(version, lines.clone());
        Ok(lines)
    }

    /// Lines join as a set; two that begin alike up to `=` are two values of one thing.
    fn merge(&self, request: &Request, models: &[Lines], artifact: &mut Artifact) {
        let of = |role: &str| {
            let at = request.models.iter().position(|input| input.role == role).unwrap();
            (&request.models[at], &models[at])
        };
        let ((input, ours), (_, base), (their_input, theirs)) = (of("model"), of("base"), of("theirs"));
        let params = &request.operation.params;
        let gained =
            |lines: &Lines| -> Lines { lines.iter().filter(|line| !base.contains(line)).cloned().collect() };
        let mut after: Lines =
            ours.iter().filter(|line| theirs.contains(line) || !base.contains(line)).cloned().collect();
        let mut conflicts = Vec::new();
        for line in gained(theirs) {
            let rival = gained(ours).into_iter().find(|other| *other != line && key(other) == key(&line));
            let side = params["resolve"].get(key(&line)).or(params["resolve"].get("*"));
            match (rival, side.and_then(Value::as_str)) {
                (Some(rival), None) => conflicts.push(json!({
                    "key": key(&line), "message": format!("{rival} or {line}"), "about": {}, "kind": "attribute",
                    "attribute": "line", "base": null, "ours": rival, "theirs": line,
                    "choose": {"ours": rival, "theirs": line},
                })),
                (Some(_), Some("ours")) => {}
                (rival, _) => {
                    after.retain(|other| Some(other) != rival.as_ref() && *other != line);
                    after.push(line);
                }
            }
        }
        if !conflicts.is_empty() {
            artifact.result = json!({ "conflicts": conflicts, "count": conflicts.len() });
            return;
        }
        after.sort();
        let merged = (params["as_merge"] == true).then(|| their_input.version.clone());
        let (wanted, comes_to) = (delta(base, theirs), delta(ours, &after));
        artifact.result = json!({ "ids": [[0, 1, 0]], "same_effect": wanted == comes_to, "effects": {} });
        if let Some(merged) = merged {
            let plain = Delta::decode(&comes_to).unwrap();
            let bytes = Delta { merged: Some(merged), ..plain }.encode();
            self.keep(input, &bytes, &after, artifact);
            artifact.diff_summary = Some(summary(ours, &after));
        } else {
            self.changed(input, ours, &after, artifact);
        }
    }

    fn keep(&self, input: &ModelInput, bytes: &[u8], after: &Lines, artifact: &mut Artifact) {
        let version = VersionId::of_delta(&input.version, bytes);
        self.open.lock().unwrap().insert(version, after.clone());
        artifact.changes.push(Change {
            role: input.role.clone(),
            kind: ModelKind::Ifc,
            delta: Some(Source::inline(bytes)),
            file: None,
        });
    }

    fn changed(&self, input: &ModelInput, before: &Lines, after: &Lines, artifact: &mut Artifact) {
        if before == after {
            return;
        }
        let bytes = delta(before, after);
        assert_eq!(&applied(before, &bytes), after);
        self.keep(input, &bytes, after, artifact);
        artifact.diff_summary = Some(summary(before, after));
    }
}

/// Returns the name of a line: the part before its `=`, otherwise all of it.
fn key(line: &str) -> &str {
    line.split('=').next().unwrap_or(line)
}

fn delta(before: &Lines, after: &Lines) -> Vec<u8> {
    let lost: Vec<_> = before.iter().filter(|line| !after.contains(line)).collect();
    let gained: Vec<_> = after.iter().filter(|line| !before.contains(line)).collect();
    let body = serde_json::to_vec(&json!({ "lost": lost, "gained": gained })).unwrap();
    Delta::new(ModelKind::Ifc, body).encode()
}

fn applied(lines: &Lines, bytes: &[u8]) -> Lines {
    let delta: Value = serde_json::from_slice(&Delta::decode(bytes).unwrap().body).unwrap();
    let named = |name: &str| -> Lines { serde_json::from_value(delta[name].clone()).unwrap() };
    let lost = named("lost");
    let mut lines: Lines = lines.iter().filter(|line| !lost.contains(line)).cloned().collect();
    lines.extend(named("gained"));
    lines.sort();
    lines
}

fn summary(before: &Lines, after: &Lines) -> DiffSummary {
    let count = |a: &Lines, b: &Lines| a.iter().filter(|line| !b.contains(line)).count() as u64;
    let by_class = |n: u64| BTreeMap::from_iter((n > 0).then(|| ("Line".to_owned(), n)));
    let (added, removed) = (count(after, before), count(before, after));
    DiffSummary {
        added: by_class(added),
        removed: by_class(removed),
        instances: added + removed,
        ..Default::default()
    }
}

fn write(request: &Request, role: &str, name: &str, text: &str) -> FileOut {
    let path = Path::new(request.scratch.as_ref().unwrap()).join(name);
    std::fs::write(&path, text).unwrap();
    FileOut {
        role: role.into(),
        name: name.into(),
        source: Source::Path(path.display().to_string()),
        sha256: String::new(),
        size: text.len() as u64,
        media_type: "text/plain".into(),
    }
}

#[async_trait]
impl Executor for LinesExecutor {
    async fn run(&self, request: Request) -> Result<Artifact, Fault> {
        self.runs.fetch_add(1, Ordering::SeqCst);
        let mut artifact = Artifact {
            manifest: Manifest {
                operation_id: request.operation_id.clone(),
                tool: request.operation.name.clone(),
                adapter: "lines".into(),
                adapter_version: "1".into(),
                inputs: vec![],
                params_sha256: String::new(),
                started_ms: 0,
                duration_us: 0,
                actor: request.actor.clone(),
                reasoning: None,
                sandbox: Vec::new(),
            },
            changes: vec![],
            files: vec![],
            result: Value::Null,
            diff_summary: None,
            diff_raw: None,
            event_type: None,
        };
        let models = request.models.iter().map(|m| self.lines(m)).collect::<Result<Vec<_>, _>>()?;
        let params = &request.operation.params;
        match request.operation.name.as_str() {
            "create_project" => {
                let file = write(&request, "new", "new.ifc", "first\n");
                artifact.result = json!({ "project": params["name"] });
                artifact.changes.push(Change {
                    role: "new".into(),
                    kind: ModelKind::Ifc,
                    delta: None,
                    file: Some(file),
                });
            }
            "add_line" => {
                tokio::time::sleep(Duration::from_millis(self.delay_ms.load(Ordering::SeqCst) as u64)).await;
                // As GlobalIds do, the line's id derives from the operation alone.
                let line = format!("{} {}", params["text"].as_str().unwrap(), request.operation_id);
                let mut after = models[0].clone();
                after.push(line.clone());
                after.sort();
                self.changed(&request.models[0], &models[0], &after, &mut artifact);
                artifact.result = json!({ "line_id": line, "before": models[0].len() });
                artifact.event_type = Some("ElementCreated".into());
            }
            "beside" => {
                let target = request.models.iter().position(|model| model.role == "target");
                artifact.result = json!({
                    "own": models[0],
                    "target": target.map(|at| models[at].clone()),
                    "files": request.files.iter().map(|file| file.role.clone()).collect::<Vec<_>>(),
                    "scratch": request.scratch.is_some(),
                });
            }
            // looks at the models, and makes a picture of them; on wish it never ends
            "study" if params["wait"] == true => {
                self.waiting.store(true, Ordering::SeqCst);
                let _here = OnDrop(&self.waiting);
                std::future::pending::<()>().await;
            }
            "study" => {
                let seen: Vec<usize> = models.iter().map(Vec::len).collect();
                artifact.files.push(write(&request, "picture", "study.png", &format!("{seen:?}")));
                artifact.result = json!({ "seen": seen });
            }
            "leave_it" => artifact.result = json!({ "looked_at": models[0].len() }),
            "die" => return Err(Fault::backend("The worker died. Nothing was committed.")),
            "lines" => artifact.result = json!({ "lines": models[0] }),
            "report" => artifact.files.push(write(&request, "report", "report.txt", &models[0].join(","))),
            "escape" => artifact.files.push(FileOut {
                role: "report".into(),
                name: "passwd".into(),
                source: Source::Path("/etc/passwd".into()),
                sha256: String::new(),
                size: 0,
                media_type: "text/plain".into(),
            }),
            "model_summary" | "inspect" => {
                if models[0].iter().any(|line| line.contains("BROKEN")) {
                    return Err(Fault::new(FaultCode::UnreadableFile, "Line 1 is broken."));
                }
                artifact.result = json!({ "schema": "IFC4", "lines": models[0].len() });
            }
            "materialise" => {
                let packed = if params["format"] == "ifczip" { "PK\x03\x04" } else { "" };
                let text = packed.to_owned() + &models[0].join("\n") + "\n";
                artifact.files.push(write(&request, "model", "model.ifc", &text));
            }
            "unpack" => {
                let Source::Path(path) = &request.files[0].source else { panic!("a path") };
                let text = std::fs::read_to_string(path).unwrap();
                let text = text.strip_prefix("PK\x03\x04").unwrap();
                artifact.files.push(write(&request, "model", "model.ifc", text));
            }
            "diff" => {
                artifact.diff_summary = Some(summary(&models[0], &models[1]));
                let added = models[1].iter().filter(|line| !models[0].contains(line)).map(|line| EntityRef {
                    id: 1,
                    global_id: None,
                    class: "Line".into(),
                    name: Some(line.clone()),
                });
                artifact.diff_raw = Some(DiffRaw { added: added.collect(), ..DiffRaw::default() });
            }
            "set_line" => {
                let line = params["text"].as_str().unwrap().to_owned();
                let mut after: Lines =
                    models[0].iter().filter(|other| key(other) != key(&line)).cloned().collect();
                after.push(line);
                after.sort();
                self.changed(&request.models[0], &models[0], &after, &mut artifact);
            }
            "merge" => self.merge(&request, &models, &mut artifact),
            "restore" => self.changed(&request.models[0], &models[0], &models[1], &mut artifact),
            other => return Err(Fault::new(FaultCode::NotSupported, format!("no {other} here"))),
        }
        Ok(artifact)
    }

    async fn progress(&self, _: &OperationId) -> Option<Progress> {
        let is_waiting = self.waiting.load(Ordering::SeqCst);
        is_waiting.then(|| Progress { step: 1, what: "studying".into(), done: 1, total: Some(4) })
    }

    async fn info(&self) -> Result<HostInfo, Fault> {
        Ok(HostInfo {
            program: "lines".into(),
            version: "1".into(),
            adapters: vec![],
            sandbox: contract::Sandbox::default(),
        })
    }
}
