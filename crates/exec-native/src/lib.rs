//! The adapter over our own IFC kernel: the tools whose bodies run on a model, and the operations that the platform itself
//! needs on models.
//!
//! A model is opened once and never changes; an operation works on a transaction over it, and what that comes to is a
//! delta and the next model. An operation that fails leaves nothing behind, because nothing was written anywhere.
//!
//! Beside the tools it resolves the operations of `contract::ops` on IFC models, and of `energy::ops` those on buildings;
//! their types say what they take and answer. `run_code` and `run_batch` are tools whose bodies are here (see `code`).

mod code;
mod convert;
mod diff;
mod documents;
mod energy_model;
mod energy_results;
mod export;
mod file;
mod held;
mod inspect;
mod known;
mod merge;
mod model;
mod operations;
mod outline;
mod overlay;
mod reach;
mod restore;
mod run;
#[cfg(test)]
mod tests;
mod tiles;
mod tileset;
mod unreadable;

use contract::{
    Adapter, AdapterInfo, Delta, Fault, FileInput, ModelKind, OpenedModel, Outcome, Request, ToolSpec, Watch,
};
use model::NativeModel;
use operations::Resolved;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tools::{Body, Library, Tool};

/// The kernel's model behind one that a native adapter opened, for adapters that build on this one.
pub fn model_of(opened: &OpenedModel) -> Result<&ifc::Model, Fault> {
    Ok(&NativeModel::from_opened(opened)?.model)
}

/// Returns the outcome of an edit of a model, as an operation that made it and answers this would return it.
pub fn committed(before: &OpenedModel, edit: ifc::Edit, result: serde_json::Value) -> Result<Outcome, Fault> {
    Ok(run::committed(NativeModel::from_opened(before)?, edit, result, None))
}

/// True if a class is another or descends from it, in any of the schemas; no class that none of them knows is anything.
pub fn is_a(class: &str, ancestor: &str) -> bool {
    ifc::SchemaVersion::ALL
        .into_iter()
        .map(ifc::SchemaVersion::schema)
        .any(|schema| schema.entity(class).is_some_and(|class| class.is_a(schema, ancestor)))
}

/// Returns the summary of a new model: all that it holds, in a few lines.
pub fn summary_of_new(model: &ifc::Model) -> contract::DiffSummary {
    let blank = ifc::Model::blank(model.schema().version(), ifc::Header::new("", ""));
    diff::summary(&ifc_compare::diff(&blank, model), &blank, model, None)
}

/// The adapter over our own IFC kernel.
pub struct NativeAdapter {
    tools: code::Tools,
    /// The descriptions of `run_code` and `run_batch`, if the catalogue has them.
    own: Vec<ToolSpec>,
    /// The names of all tools that are resolved elsewhere.
    others: BTreeSet<String>,
    limits: ifc::Limits,
    indexes: Option<PathBuf>,
    scenes: Arc<tiles::SceneCache>,
    operations: Vec<Resolved>,
    library: Arc<Library>,
}

impl Default for NativeAdapter {
    fn default() -> Self {
        Self::new(tools::catalogue())
    }
}

impl NativeAdapter {
    /// An adapter that resolves those of these tools whose bodies run on an IFC model.
    pub fn new(tools: Vec<Tool>) -> Self {
        let (mut own, mut others) = (Vec::new(), BTreeSet::new());
        let mut on_models = code::Tools::new();
        for tool in tools {
            match &tool.body {
                Body::Ifc(body) => {
                    let body = body.clone();
                    on_models.insert(tool.spec.name.clone(), (tool, body));
                }
                Body::Adapter if [code::NAME, code::batch::NAME].contains(&tool.spec.name.as_str()) => {
                    others.insert(tool.spec.name.clone());
                    own.push(tool.spec);
                }
                Body::Adapter | Body::Energy(_) | Body::Platform(_) => {
                    others.insert(tool.spec.name);
                }
            }
        }
        Self {
            tools: on_models,
            own,
            others,
            limits: ifc::Limits::default(),
            indexes: None,
            scenes: Arc::default(),
            operations: operations::all(),
            library: Arc::default(),
        }
    }

    /// True for a tool whose body is here, if the catalogue has it.
    fn resolves(&self, name: &str) -> bool {
        self.own.iter().any(|spec| spec.name == name)
    }

    /// The same with a folder in which it keeps indexes of large files that it has opened.
    #[must_use]
    pub fn with_indexes(mut self, folder: PathBuf) -> Self {
        self.indexes = Some(folder);
        self
    }

    /// The same with what there is to read.
    #[must_use]
    pub fn with_library(mut self, library: Arc<Library>) -> Self {
        self.library = library;
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
        let specs = self.tools.values().map(|(tool, _)| &tool.spec).chain(&self.own);
        let others = self.operations.iter().map(|operation| operation.info.clone());
        AdapterInfo {
            name: "native".into(),
            version: env!("CARGO_PKG_VERSION").into(),
            kinds: vec![ModelKind::Ifc],
            operations: specs.map(ToolSpec::operation_info).chain(others).collect(),
            languages: self.resolves(code::NAME).then(|| "python".to_owned()).into_iter().collect(),
        }
    }

    fn open(&self, _: ModelKind, file: &Path) -> Result<OpenedModel, Fault> {
        let (model, problems) = known::open(file, self.indexes.as_deref(), &self.limits)
            .map_err(|error| unreadable::cannot_open(&error))?;
        Ok(NativeModel::of_file(model, problems).into_opened())
    }

    fn apply(&self, model: &OpenedModel, delta: &Delta) -> Result<OpenedModel, Fault> {
        let before = NativeModel::from_opened(model)?;
        let body = ifc::Delta::decode(&delta.body).map_err(|error| unreadable::bad_delta(&error))?;
        let after = before.model.apply(&body).map_err(|error| unreadable::bad_delta(&error))?;
        Ok(before.next(after).into_opened())
    }

    fn run(
        &self,
        request: &Request,
        models: &[OpenedModel],
        files: &[FileInput],
        watch: &Arc<dyn Watch>,
    ) -> Result<Outcome, Fault> {
        let models = models.iter().map(NativeModel::from_opened).collect::<Result<Vec<_>, _>>()?;
        let library = &self.library;
        let call =
            run::Call { request, models, files, library, limits: &self.limits, scenes: &self.scenes, watch };
        let name = request.operation.name.as_str();
        if let Some((tool, body)) = self.tools.get(name) {
            return call.tool(tool, body);
        }
        if name == code::NAME && self.resolves(name) {
            return call.code(&self.tools);
        }
        if name == code::batch::NAME && self.resolves(name) {
            return call.batch(&self.tools, &self.others);
        }
        match self.operations.iter().find(|operation| operation.info.name == name) {
            Some(operation) => (operation.run)(&call),
            None => Err(Fault::new(
                contract::FaultCode::NotSupported,
                format!("The native adapter does not resolve {name:?}."),
            )),
        }
    }
}
