//! The adapter over IfcOpenShell: operations are resolved by a Python program beside this one (`backends/ifcopenshell`),
//! everything else (opening, versions, deltas, differences, whole files) by our own kernel.
//!
//! The cut between the two: Python runs an operation on a copy of the model that dies with the call, and tells the STEP lines
//! of the instances that it added and changed, and the ids of those it removed. That is all that is believed of it, and not
//! before it is parsed and checked against the schema here, as an edit of our own model like any other. So a version is what
//! the history says, whoever made it; the encoding of deltas has one home; and what foreign code answers is bytes.
//!
//! Python holds each version that is in use open in a process of its own (a zygote, see `zygote.py`), for as long as the
//! version is held here.

mod changes;
mod opened;
pub mod package;
mod python;
#[cfg(test)]
mod tests;

pub use python::Backend;

use changes::CallAnswer;
use contract::{
    Adapter, AdapterInfo, Delta, Effect, EventType, Fault, FaultCode, FileInput, ModelKind, OpenedModel,
    OperationInfo, Outcome, Request, ToolSpec, Watch,
};
use exec_native::NativeAdapter;
use opened::OpenVersion;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// The time in ms that a call may run where it says nothing about it.
const WALL_MS: u64 = 600_000;
/// The operation that runs an agent's script, and how long one may run, as on our own kernel.
const RUN_CODE: &str = "run_code";
const SCRIPT_WALL: Duration = Duration::from_secs(30);

/// The adapter over IfcOpenShell. Operations that Python does not resolve are left to our own kernel, but for a tool that a call asks of
/// IfcOpenShell by name: that is refused.
pub struct IfcOpenShellAdapter {
    native: NativeAdapter,
    backend: Arc<Backend>,
    /// The names of all tools, which callers know; what the platform asks for by itself is none.
    tools: BTreeSet<String>,
}

impl IfcOpenShellAdapter {
    /// An adapter over a Python program that runs, and our own kernel.
    pub fn new(backend: Arc<Backend>, native: NativeAdapter) -> Self {
        let tools = tools::catalogue().into_iter().map(|tool| tool.spec.name).collect();
        Self { native, backend, tools }
    }

    /// Runs an operation in Python.
    fn in_python(
        &self,
        request: &Request,
        held: Option<&Arc<OpenVersion>>,
        watch: &dyn Watch,
    ) -> Result<Outcome, Fault> {
        let operation = &request.operation;
        let wall_ms = match request.limits.wall_ms {
            0 => WALL_MS,
            given => given.min(WALL_MS),
        };
        let wall = Duration::from_millis(wall_ms);
        let left = exec::time_left(request.deadline_ms);
        let wall = if operation.name == RUN_CODE {
            // in time to say what happened
            left.map_or(wall, |left| left.mul_f64(0.9).min(wall)).min(SCRIPT_WALL)
        } else {
            left.map_or(wall, |left| left.min(wall))
        };
        let call = json!({
            "do": "run",
            "operation": operation.name,
            "params": operation.params,
            "operation_id": request.operation_id,
            "time_ms": request.time_ms,
            "actor": request.actor,
            "limits": {
                "memory_bytes": request.limits.memory_bytes,
                "wall_ms": wall.as_millis() as u64,
                "result_bytes": request.limits.result_bytes,
            },
        });
        watch.begins("running in IfcOpenShell");
        let lease = held.map(|held| held.lease(&self.backend)).transpose()?;
        let control = lease.as_deref().unwrap_or(self.backend.control());
        let answer = python::ask(control, &call, wall, &operation.name, watch)?;
        let told = CallAnswer::read(answer, &operation.name)?;
        // what stands in the adapter after a script ran is the script's word
        let event =
            if operation.name == RUN_CODE { Some(String::from(EventType::CodeRun)) } else { told.event };
        let event_type = event.filter(|_| operation.effect != Effect::Query);
        let Some(held) = held else {
            let text =
                told.text.ok_or_else(|| Fault::backend(format!("{} answered no model.", operation.name)))?;
            let diff_summary = Some(exec_native::summary_of_new(&changes::check_file(&text)?));
            let new_model = Some((ModelKind::Ifc, text.into_bytes()));
            return Ok(Outcome {
                result: told.result,
                new_model,
                event_type,
                diff_summary,
                ..Outcome::default()
            });
        };
        if told.changes.is_empty() || operation.effect == Effect::Query {
            if !told.changes.is_empty() {
                return Err(Fault::backend(format!(
                    "{} is a query but changed the model; what it changed was dropped.",
                    operation.name
                )));
            }
            return Ok(Outcome { result: told.result, event_type, ..Outcome::default() });
        }
        let edit = changes::edit(held.model()?, &told.changes)?;
        let outcome = exec_native::committed(held.native(), edit, told.result)?;
        let changes = outcome
            .changes
            .into_iter()
            .map(|(role, delta, after)| (role, delta, OpenVersion::after(held, after)));
        Ok(Outcome { event_type, changes: changes.collect(), ..outcome })
    }
}

impl Adapter for IfcOpenShellAdapter {
    fn info(&self) -> AdapterInfo {
        let own = self.native.info();
        let known = tools::catalogue();
        let mut operations: Vec<OperationInfo> = self
            .backend
            .operations()
            .iter()
            .map(|(name, about)| {
                let spec = known.iter().map(|tool| &tool.spec).find(|spec| spec.name == *name);
                let unlisted =
                    || OperationInfo::new(name, about.effect, &json!(name), &json!("ifcopenshell"));
                let info = spec.map_or_else(unlisted, ToolSpec::operation_info);
                OperationInfo { effect: about.effect, ..info }
            })
            .collect();
        let rest = own.operations.into_iter().filter(|operation| !self.backend.resolves(&operation.name));
        operations.extend(rest);
        AdapterInfo {
            name: "ifcopenshell".into(),
            version: self.backend.version().into(),
            kinds: vec![ModelKind::Ifc],
            operations,
            languages: vec!["python".into()],
        }
    }

    fn open(&self, kind: ModelKind, file: &Path) -> Result<OpenedModel, Fault> {
        Ok(OpenVersion::of_file(self.native.open(kind, file)?, file))
    }

    fn apply(&self, model: &OpenedModel, delta: &Delta) -> Result<OpenedModel, Fault> {
        let held = OpenVersion::from_opened(model)?;
        Ok(OpenVersion::after(held, self.native.apply(held.native(), delta)?))
    }

    fn run(
        &self,
        request: &Request,
        models: &[OpenedModel],
        files: &[FileInput],
        watch: &Arc<dyn Watch>,
    ) -> Result<Outcome, Fault> {
        let name = request.operation.name.as_str();
        let held = models.iter().map(OpenVersion::from_opened).collect::<Result<Vec<_>, _>>()?;
        if let Some(about) = self.backend.operation(name) {
            if about.new_model {
                return self.in_python(request, None, watch.as_ref());
            }
            let at = request.models.iter().position(|model| model.role == "model");
            let Some(held) = at.and_then(|at| held.get(at)) else {
                return Err(Fault::invalid(
                    "models",
                    format!("{name} needs a model with the role \"model\"."),
                )
                .with("role", "model"));
            };
            return self.in_python(request, Some(held), watch.as_ref());
        }
        if request.strict && (request.operation.effect != Effect::Query || self.tools.contains(name)) {
            return Err(not_resolved(name, self.backend.operations().keys().map(String::as_str)));
        }
        let natives: Vec<OpenedModel> = held.iter().map(|held| held.native().clone()).collect();
        let outcome = self.native.run(request, &natives, files, watch)?;
        let of_role = |role: &str| {
            let at = request.models.iter().position(|model| model.role == role);
            at.and_then(|at| held.get(at)).ok_or_else(|| {
                Fault::new(FaultCode::BackendFailed, format!("{name} changed a model that was not given."))
            })
        };
        let mut changes = Vec::with_capacity(outcome.changes.len());
        for (role, delta, after) in outcome.changes {
            let after = OpenVersion::after(of_role(&role)?, after);
            changes.push((role, delta, after));
        }
        Ok(Outcome { changes, ..outcome })
    }
}

/// A member of an answer that has to be there.
fn member(answer: &mut Value, name: &str) -> Value {
    answer.get_mut(name).map(Value::take).unwrap_or_default()
}

/// The Fault for a tool that was asked of IfcOpenShell by name and that its Python does not resolve.
fn not_resolved<'a>(name: &str, resolved: impl Iterator<Item = &'a str>) -> Fault {
    let resolved: Vec<&str> = resolved.collect();
    let message = format!(
        "IfcOpenShell's back end does not resolve {name}. Leave out `backend` to have it done by our own kernel; IfcOpenShell does {}.",
        resolved.join(", ")
    );
    Fault::new(FaultCode::NotSupported, message)
        .with("operation", name)
        .with("backend", "ifcopenshell")
        .with("allowed", resolved)
}
