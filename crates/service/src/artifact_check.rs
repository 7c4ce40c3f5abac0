//! What an execution service answers is data of low trust: a worker may have been taken over by what it opened. What the gateway
//! knows itself is not taken from it, and what only it can say is bounded before anything is kept or passed on.

use contract::{
    Actor, Artifact, DiffSummary, Fault, FaultCode, Manifest, ManifestInput, ModelRef, OperationId, Request,
};
use std::collections::BTreeMap;

/// Characters of a name: of an adapter, a class, a storey, a property.
const NAME: usize = 1_000;
/// Classes, storeys, elements and properties that a summary lists.
const LISTED: usize = 5_000;
/// Files that one operation makes.
const FILES: usize = 10_000;
/// Models that one operation changes or makes.
const CHANGES: usize = 64;
/// Elements and instances of one change: more than any file holds.
const MOST: u64 = 1 << 40;

/// The part of a request that the gateway knows beside its answer.
pub(crate) struct Asked {
    operation_id: OperationId,
    operation: String,
    inputs: Vec<ManifestInput>,
    actor: Actor,
    reasoning: Option<String>,
}

impl Asked {
    pub(crate) fn from_request(request: &Request) -> Self {
        let inputs = request.models.iter().map(|input| ManifestInput {
            role: input.role.clone(),
            model: ModelRef { id: input.id.clone(), version: Some(input.version.clone()) },
        });
        Self {
            operation_id: request.operation_id.clone(),
            operation: request.operation.name.clone(),
            inputs: inputs.collect(),
            actor: request.actor.clone(),
            reasoning: request.reasoning.clone(),
        }
    }

    /// The artifact with what is known in the place of what is said, or the Fault `BackendFailed` that names what cannot be.
    pub(crate) fn checked(self, mut artifact: Artifact) -> Result<Artifact, Fault> {
        if let Err(what) = sound(&artifact, &self.inputs) {
            return Err(Fault::new(
                FaultCode::BackendFailed,
                format!("The answer to {} was not taken: {what}. Nothing was committed.", self.operation),
            )
            .with("operation", &self.operation));
        }
        let Manifest { adapter, adapter_version, params_sha256, started_ms, duration_us, sandbox, .. } =
            artifact.manifest;
        artifact.manifest = Manifest {
            operation_id: self.operation_id,
            tool: self.operation,
            adapter,
            adapter_version,
            inputs: self.inputs,
            params_sha256,
            started_ms,
            duration_us,
            actor: self.actor,
            reasoning: self.reasoning,
            sandbox,
        };
        Ok(artifact)
    }
}

/// Characters of a Fault's message.
const MESSAGE: usize = 4_000;
/// Bytes of a Fault's data.
const DATA: usize = 64 << 10;

/// A Fault of an execution service as far as it is one to pass on: only the gateway itself asks for approval, or says who is known.
pub(crate) fn fault_of_service(mut fault: Fault) -> Fault {
    if matches!(fault.code, FaultCode::ApprovalRequired | FaultCode::Unauthenticated) {
        fault.code = FaultCode::BackendFailed;
    }
    for member in ["in_person", "approval_id"] {
        fault.data.remove(member);
    }
    let is_plain = |c: &char| !c.is_control() || *c == '\n' || *c == '\t';
    fault.message = fault.message.chars().filter(is_plain).take(MESSAGE).collect();
    if serde_json::to_vec(&fault.data).map_or(usize::MAX, |text| text.len()) > DATA {
        fault.data = serde_json::Map::from_iter([("cut".to_owned(), serde_json::Value::Bool(true))]);
    }
    fault
}

/// Finds what an artifact says that cannot be so.
fn sound(artifact: &Artifact, inputs: &[ManifestInput]) -> Result<(), String> {
    let Manifest { adapter, adapter_version, params_sha256, sandbox, .. } = &artifact.manifest;
    for (what, text) in [("the adapter's name", adapter), ("the adapter's version", adapter_version)] {
        plain(what, text)?;
    }
    if params_sha256.len() > 64 || !params_sha256.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Err("the hash of the parameters is none".into());
    }
    few("walls of a sandbox", sandbox.len(), 100)?;
    sandbox.iter().try_for_each(|wall| plain("a wall of the sandbox", wall))?;
    few("changes", artifact.changes.len(), CHANGES)?;
    few("files", artifact.files.len(), FILES)?;
    for change in &artifact.changes {
        if change.role != "new" && !inputs.iter().any(|input| input.role == change.role) {
            return Err("it changes a model that was not given".into());
        }
    }
    for file in &artifact.files {
        plain("a file's role", &file.role)?;
        plain("a file's name", &file.name)?;
        if !file.media_type.is_empty() && !crate::files::is_media_type(&file.media_type) {
            return Err("a file's media type is none".into());
        }
    }
    artifact.diff_summary.as_ref().map_or(Ok(()), summary)
}

fn summary(summary: &DiffSummary) -> Result<(), String> {
    for counts in [&summary.added, &summary.removed, &summary.modified] {
        counted(counts)?;
    }
    if summary.instances > MOST || summary.elsewhere > MOST {
        return Err("it counts more than there can be".into());
    }
    few("elements", summary.elements.len(), LISTED)?;
    few("storeys", summary.storeys.len(), LISTED)?;
    few("properties", summary.properties.len(), LISTED)?;
    for element in &summary.elements {
        plain("an element's id", &element.id)?;
        plain("an element's class", &element.class)?;
        few("changes of an element", element.changes.len(), 100)?;
    }
    summary.properties.iter().try_for_each(|change| plain("an element's id", &change.id))
}

fn counted(counts: &BTreeMap<String, u64>) -> Result<(), String> {
    few("classes", counts.len(), LISTED)?;
    for (class, count) in counts {
        plain("a class", class)?;
        if *count > MOST {
            return Err("it counts more than there can be".into());
        }
    }
    Ok(())
}

/// Refuses what is too long for a name, or would begin a line of its own wherever it is written.
fn plain(what: &str, text: &str) -> Result<(), String> {
    if text.chars().nth(NAME).is_some() {
        return Err(format!("{what} has more than {NAME} characters"));
    }
    if text.contains(char::is_control) {
        return Err(format!("{what} has control characters"));
    }
    Ok(())
}

fn few(what: &str, count: usize, most: usize) -> Result<(), String> {
    if count > most { Err(format!("it has {count} {what}, more than {most}")) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use contract::{Change, FileOut, ModelKind, NamedElement, Source};

    fn asked() -> Asked {
        Asked {
            operation_id: OperationId("op".into()),
            operation: "create_wall".into(),
            inputs: Vec::new(),
            actor: Actor { principal: "ada".into(), client: None },
            reasoning: Some("why".into()),
        }
    }

    fn artifact() -> Artifact {
        Artifact {
            manifest: Manifest {
                operation_id: OperationId("another".into()),
                tool: "delete_elements".into(),
                adapter: "native".into(),
                adapter_version: "1".into(),
                inputs: Vec::new(),
                params_sha256: "ab".into(),
                started_ms: 1,
                duration_us: 2,
                actor: Actor { principal: "root".into(), client: None },
                reasoning: None,
                sandbox: vec!["seccomp".into()],
            },
            changes: Vec::new(),
            files: Vec::new(),
            result: serde_json::Value::Null,
            diff_summary: None,
            diff_raw: None,
            event_type: None,
        }
    }

    #[test]
    fn what_is_known_is_not_taken_from_a_worker() {
        let manifest = asked().checked(artifact()).unwrap().manifest;
        assert_eq!((manifest.operation_id.as_str(), manifest.tool.as_str()), ("op", "create_wall"));
        assert_eq!((manifest.actor.principal.as_str(), manifest.reasoning.as_deref()), ("ada", Some("why")));
        assert_eq!((manifest.adapter.as_str(), manifest.started_ms), ("native", 1));
    }

    #[test]
    fn a_service_asks_for_no_approval() {
        let forged = Fault::new(FaultCode::ApprovalRequired, format!("yes?\u{7}{}", "!".repeat(10_000)))
            .with("in_person", true)
            .with("approval_id", "another change")
            .with("field", "code");
        let fault = fault_of_service(forged);
        assert_eq!(fault.code, FaultCode::BackendFailed);
        assert_eq!(fault.data.keys().collect::<Vec<_>>(), ["field"]);
        assert!(fault.message.len() == MESSAGE && fault.message.starts_with("yes?!"));
        let large = Fault::new(FaultCode::Conflict, "x").with("list", vec![0; 100_000]);
        assert_eq!(fault_of_service(large).data["cut"], true);
    }

    #[test]
    fn what_cannot_be_is_refused() {
        let summary = |change: fn(&mut DiffSummary)| {
            let mut summary = DiffSummary::default();
            change(&mut summary);
            Artifact { diff_summary: Some(summary), ..artifact() }
        };
        let file = |name: &str, media_type: &str| Artifact {
            files: vec![FileOut {
                role: "out".into(),
                name: name.into(),
                source: Source::inline(b"x"),
                sha256: String::new(),
                size: 1,
                media_type: media_type.into(),
            }],
            ..artifact()
        };
        let mut wordy = artifact();
        wordy.manifest.adapter = "native\nSet-Cookie: a".into();
        let stranger = Change { role: "other".into(), kind: ModelKind::Ifc, delta: None, file: None };
        for (wrong, says) in [
            (wordy, "control characters"),
            (Artifact { changes: vec![stranger], ..artifact() }, "not given"),
            (file("a\nb", "text/plain"), "control characters"),
            (file("a", "text/plain\r\nX: y"), "media type"),
            (
                summary(|summary| summary.added = [("IfcWall".into(), u64::MAX)].into()),
                "more than there can be",
            ),
            (
                summary(|summary| summary.removed = [("I".repeat(5_000), 1)].into()),
                "more than 1000 characters",
            ),
            (summary(|summary| summary.instances = u64::MAX), "more than there can be"),
            (summary(|summary| summary.storeys = vec![String::new(); LISTED + 1]), "storeys"),
            (
                summary(|summary| {
                    summary.elements.push(NamedElement {
                        id: "a\rb".into(),
                        class: "IfcWall".into(),
                        name: None,
                        changes: BTreeMap::new(),
                    });
                }),
                "control characters",
            ),
        ] {
            let fault = asked().checked(wrong).unwrap_err();
            assert!(fault.message.contains(says), "{says}: {fault}");
        }
    }
}
