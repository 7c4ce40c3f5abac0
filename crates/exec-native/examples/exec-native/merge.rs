//! How long a merge takes: a hundred edits on either side of a real model.
//!
//! `cargo run --profile bench -p exec-native --example exec-native -- merge model.ifc`

use crate::Arguments;
use contract::{
    Adapter, Effect, ModelInput, ModelKind, OpenedModel, Operation, OperationId, Request, Unwatched,
    VersionId, Watch,
};
use exec_native::{NativeAdapter, model_of};
use serde_json::{Value, json};
use std::error::Error;
use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

const EDITS: usize = 100;

fn input(role: &str) -> ModelInput {
    ModelInput::named(role, "m".into(), VersionId::from(role), ModelKind::Ifc)
}

fn request(effect: Effect, name: &str, params: Value, roles: &[&str]) -> Request {
    Request {
        operation_id: OperationId::new(),
        operation: Operation { effect, name: name.into(), params },
        backend: None,
        strict: false,
        models: roles.iter().map(|role| input(role)).collect(),
        files: Vec::new(),
        limits: contract::Limits::default(),
        deadline_ms: 0,
        time_ms: 1_700_000_000_000,
        actor: contract::Actor::default(),
        reasoning: None,
        scratch: None,
    }
}

fn unwatched() -> Arc<dyn Watch> {
    Arc::new(Unwatched)
}

/// A line of edits: every other element of a class renamed, from the first or the second on.
fn edited(
    adapter: &NativeAdapter,
    model: &OpenedModel,
    ids: &[String],
    first: usize,
) -> Result<OpenedModel, Box<dyn Error>> {
    let mut at = model.clone();
    for (n, id) in ids.iter().skip(first).step_by(2).take(EDITS).enumerate() {
        let params =
            json!({ "element_id": id, "parameter_name": "Name", "value": format!("Edit {first}.{n}") });
        let outcome = adapter.run(
            &request(Effect::Modify, "modify_parameter", params, &["model"]),
            &[at],
            &[],
            &unwatched(),
        )?;
        let Some((_, _, next)) = outcome.changes.into_iter().next() else {
            return Err("nothing changed".into());
        };
        at = next;
    }
    Ok(at)
}

pub fn run(mut arguments: Arguments) -> Result<(), Box<dyn Error>> {
    let path = arguments.next().ok_or("give an IFC file")?;
    let adapter = NativeAdapter::default();
    let begun = Instant::now();
    let base = adapter.open(ModelKind::Ifc, Path::new(&path))?;
    let opened = begun.elapsed();
    let ids: Vec<String> = {
        let model = model_of(&base)?;
        let elements =
            model.of_class("IfcBuildingElement").into_iter().chain(model.of_class("IfcBuiltElement"));
        elements.filter_map(|id| model.get(id)?.guid()).collect()
    };
    let begun = Instant::now();
    let (ours, theirs) = (edited(&adapter, &base, &ids, 0)?, edited(&adapter, &base, &ids, 1)?);
    let edits = begun.elapsed();
    let begun = Instant::now();
    let models = [ours, base, theirs];
    let merge = request(Effect::Modify, "merge", json!({ "as_merge": true }), &["model", "base", "theirs"]);
    let outcome = adapter.run(&merge, &models, &[], &unwatched())?;
    let merged = begun.elapsed();
    let bytes = outcome.changes.first().map_or(0, |(_, delta, _)| delta.body.len());
    writeln!(
        std::io::stdout(),
        "opened in {opened:?}; {} edits in {edits:?}; merged in {merged:?}, {bytes} bytes",
        2 * EDITS
    )?;
    Ok(())
}
