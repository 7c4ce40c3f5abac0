//! The adapter over our own IFC kernel: the tools whose bodies run on a model, and the operations that the platform itself
//! needs on models.
//!
//! A model is opened once and never changes; an operation works on a transaction over it, and what that comes to is a
//! delta and the next model. An operation that fails leaves nothing behind, because nothing was written anywhere.
//!
//! Beside the tools, these operations are resolved here:
//!
//! | operation | effect | models | parameters | answer |
//! | --- | --- | --- | --- | --- |
//! | `run_code` | modify | model | `code`, `language`, `mode` | what the script came to (see `code`) |
//! | `materialise` | query | model | `packed` = false, `time_ms` = the request's | the whole file, or an ifcZIP with it, as the file `model` (in the request's scratch folder, else inline) |
//! | `unpack` | query | (the file `archive`) | | the IFC file in an ifcZIP, as the file `model` |
//! | `convert` | query | model | `schema_version`, `report_only` = false | the whole file in another schema version, as the file `model`, and what that cannot hold |
//! | `diff` | query | base, target | `detail` = `raw` (default) or `summary` | `diff_summary` and, for `raw`, `diff_raw` |
//! | `restore` | modify | model, target | | the change that makes `model` what `target` is |
//! | `merge` | modify | model, base, theirs | `resolve` = {} (a side, `ours` or `theirs`, by key of a conflict; `*` for the others), `compare_effect` = false, `as_merge` = false, `model_ids` and `theirs_ids` (answers of earlier merges since `base`) | the change that adds to `model` what leads from `base` to `theirs`; or, with no change, `conflicts`, or `unknown_conflicts` of `resolve`; with `compare_effect` whether it does the same there (`same_effect`, else `effects`); `ids` for merges to come |
//! | `inspect` | query | model | `accept_problems` = false | schema, counts, header, problems; a file whose content is in doubt is a Fault |
//! | `outline` | query | model | | the whole tree of the model, for viewers |
//! | `tileset` | query | model | | the list of the model's tiles, as a 3D Tiles tileset |
//! | `tile` | query | model | `key` | the GLB, as the file `tile` |
//! | `energy_model` | create | model (and the files `weather` and `design_days`, if given) | `zoning` = `space`, `constructions` = `auto` or `default` | a new EnergyPlus model; its name, zones, assumptions and findings, the spaces' GlobalIds by zone (`elements`), all of it in the file `report` |

mod code;
mod convert;
mod diff;
mod energy_model;
mod energy_results;
mod inspect;
mod known;
mod merge;
mod model;
mod operations;
mod outline;
mod run;
#[cfg(test)]
mod tests;
mod tiles;
mod unreadable;

use contract::{
    Adapter, AdapterInfo, Delta, DiffRaw, Fault, FileInput, ModelKind, OpenedModel, OperationInfo, Outcome,
    Request, ToolSpec, Watch,
};
use model::NativeModel;
use operations::Own;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tools::{Body, Tool};

/// The kernel's model behind one that a native adapter opened, for adapters that build on this one.
pub fn model_of(opened: &OpenedModel) -> Result<&ifc::Model, Fault> {
    Ok(&NativeModel::of(opened)?.model)
}

/// What an edit of a model comes to, as an operation that made it would return it.
pub fn committed(before: &OpenedModel, edit: ifc::Edit) -> Result<Outcome, Fault> {
    Ok(run::committed(NativeModel::of(before)?, edit))
}

/// Whether a class is another or descends from it, in any of the schemas; no class that none of them knows is anything.
pub fn is_a(class: &str, ancestor: &str) -> bool {
    ifc::SchemaVersion::ALL
        .into_iter()
        .map(ifc::SchemaVersion::schema)
        .any(|schema| schema.entity(class).is_some_and(|class| class.is_a(schema, ancestor)))
}

/// What is new in a model that begins: all that it holds, in a few lines.
pub fn summary_of_new(model: &ifc::Model) -> contract::DiffSummary {
    let blank = ifc::Model::blank(model.schema().version(), ifc::Header::new("", ""));
    diff::summary(&ifc_compare::diff(&blank, model), &blank, model)
}

/// The adapter over our own IFC kernel.
pub struct NativeAdapter {
    tools: code::Tools,
    /// The description of `run_code`, if the catalogue has it.
    script: Option<ToolSpec>,
    limits: ifc::Limits,
    indexes: Option<PathBuf>,
    shelf: tiles::Shelf,
}

impl Default for NativeAdapter {
    fn default() -> Self {
        Self::new(tools::catalogue())
    }
}

impl NativeAdapter {
    /// An adapter that resolves those of these tools whose bodies run on an IFC model.
    pub fn new(tools: Vec<Tool>) -> Self {
        let mut script = None;
        let mut on_models = code::Tools::new();
        for tool in tools {
            match &tool.body {
                Body::Ifc(body) => {
                    let body = body.clone();
                    on_models.insert(tool.spec.name.clone(), (tool, body));
                }
                Body::Adapter if tool.spec.name == code::NAME => script = Some(tool.spec),
                Body::Adapter | Body::Energy(_) | Body::Platform(_) => {}
            }
        }
        let (limits, shelf) = (ifc::Limits::default(), tiles::Shelf::default());
        Self { tools: on_models, script, limits, indexes: None, shelf }
    }

    /// The same with a folder in which it keeps indexes of large files that it has opened.
    #[must_use]
    pub fn with_indexes(mut self, folder: PathBuf) -> Self {
        self.indexes = Some(folder);
        self
    }

    /// The same with other bounds on the files it reads.
    #[must_use]
    pub fn with_limits(mut self, limits: ifc::Limits) -> Self {
        self.limits = limits;
        self
    }
}

impl Adapter for NativeAdapter {
    fn info(&self) -> AdapterInfo {
        let specs = self.tools.values().map(|(tool, _)| &tool.spec).chain(&self.script);
        let of_tools = specs.map(|spec| OperationInfo {
            name: spec.name.clone(),
            effect: spec.effect,
            schema_sha256: exec::schema_sha256(&spec.input_schema, &spec.output_schema),
        });
        AdapterInfo {
            name: "native".into(),
            version: env!("CARGO_PKG_VERSION").into(),
            kinds: vec![ModelKind::Ifc],
            operations: of_tools.chain(Own::ALL.into_iter().map(Own::info)).collect(),
            languages: self.script.iter().map(|_| "python".to_owned()).collect(),
        }
    }

    fn open(&self, _: ModelKind, file: &Path) -> Result<OpenedModel, Fault> {
        let (model, problems) = known::open(file, self.indexes.as_deref(), &self.limits)
            .map_err(|error| unreadable::cannot_open(&error))?;
        Ok(NativeModel::of_file(model, problems).into_opened())
    }

    fn apply(&self, model: &OpenedModel, delta: &Delta) -> Result<OpenedModel, Fault> {
        let before = NativeModel::of(model)?;
        let body = ifc::Delta::decode(&delta.body).map_err(|error| unreadable::bad_delta(&error))?;
        let after = before.model.apply(&body).map_err(|error| unreadable::bad_delta(&error))?;
        Ok(before.next(after).into_opened())
    }

    fn materialise(&self, model: &OpenedModel, out: &mut dyn io::Write) -> Result<(), Fault> {
        let written = NativeModel::of(model)?.model.write(out);
        written.map_err(|error| Fault::backend(format!("The file could not be written: {error}.")))
    }

    fn diff(&self, before: &OpenedModel, after: &OpenedModel) -> Result<DiffRaw, Fault> {
        Ok(diff::raw(&ifc_compare::diff(&NativeModel::of(before)?.model, &NativeModel::of(after)?.model)))
    }

    fn delta(&self, before: &OpenedModel, after: &OpenedModel) -> Result<Delta, Fault> {
        let delta = ifc::Delta::between(&NativeModel::of(before)?.model, &NativeModel::of(after)?.model);
        Ok(Delta::new(ModelKind::Ifc, delta.encode()))
    }

    fn run(
        &self,
        request: &Request,
        models: &[OpenedModel],
        files: &[FileInput],
        watch: &Arc<dyn Watch>,
    ) -> Result<Outcome, Fault> {
        let models = models.iter().map(NativeModel::of).collect::<Result<Vec<_>, _>>()?;
        let call = run::Call { request, models, files, limits: &self.limits, shelf: &self.shelf, watch };
        let name = request.operation.name.as_str();
        if let Some((tool, body)) = self.tools.get(name) {
            return call.tool(tool, body);
        }
        if name == code::NAME && self.script.is_some() {
            return call.code(&self.tools);
        }
        match Own::of_name(name) {
            Some(operation) => call.own(operation),
            None => Err(Fault::new(
                contract::FaultCode::NotSupported,
                format!("The native adapter does not resolve {name:?}."),
            )),
        }
    }
}
