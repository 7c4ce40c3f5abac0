//! The adapter over EnergyPlus models: the tools whose bodies run on one, and what the platform needs of a model to keep, compare
//! and show it.
//!
//! Beside the tools it resolves operations of `contract::ops` and `energy::ops`; their types say what they take and answer.
//! `simulate`, `migrate` and `convert_osm` are there only where EnergyPlus is, and somebody who starts its programs.

mod file;
mod installed;
mod merge;
mod migrate;
mod new_model;
mod openstudio;
mod operations;
mod programs;
mod run;
mod simulate;
mod telling;
mod versions;
mod weather;
mod zones;

use contract::{
    Adapter, AdapterInfo, Delta, Fault, FileInput, ModelKind, OpenedModel, Outcome, Request, Watch,
};
use energy::idf::{self, Document, Problem};
pub use installed::{OPENSTUDIO, OpenStudio, Simulator};
pub use migrate::{Transition, transitions};
use operations::Resolved;
pub use simulate::{programs, version_of};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use tools::{EnergyBody, Library, Tool};

/// One version of an EnergyPlus model.
struct EnergyModel {
    document: Document,
    /// The problems found in opening its file; the same for every version over it.
    problems: Arc<[Problem]>,
}

impl EnergyModel {
    fn from_opened(opened: &OpenedModel) -> Result<&Self, Fault> {
        opened
            .inner
            .downcast_ref()
            .ok_or_else(|| Fault::backend("This model was opened by another adapter. Nothing was run."))
    }

    /// A later version over the same file.
    fn next(&self, document: Document) -> Self {
        Self { document, problems: Arc::clone(&self.problems) }
    }

    fn into_opened(self) -> OpenedModel {
        let weight = self.document.weight();
        OpenedModel { inner: Arc::new(self), weight }
    }
}

/// The adapter over EnergyPlus models.
pub struct EnergyAdapter {
    tools: BTreeMap<String, (Tool, EnergyBody)>,
    operations: Vec<Resolved>,
    simulator: Option<Simulator>,
    library: Arc<Library>,
}

impl Default for EnergyAdapter {
    fn default() -> Self {
        Self::new(tools::energy_catalogue())
    }
}

impl EnergyAdapter {
    /// An adapter that resolves those of these tools whose bodies run on an EnergyPlus model.
    pub fn new(tools: Vec<Tool>) -> Self {
        let on_models = tools.into_iter().filter_map(|tool| {
            let body = Arc::clone(tool.energy_body()?);
            Some((tool.spec.name.clone(), (tool, body)))
        });
        let library = Arc::default();
        Self { tools: on_models.collect(), operations: operations::all(), simulator: None, library }
    }

    /// Adds EnergyPlus, so that the adapter simulates.
    #[must_use]
    pub fn with_simulator(self, simulator: Simulator) -> Self {
        Self { simulator: Some(simulator), ..self }
    }

    /// The same with what there is to read.
    #[must_use]
    pub fn with_library(self, library: Arc<Library>) -> Self {
        Self { library, ..self }
    }

    /// The operations that it resolves beside the tools.
    fn operations(&self) -> impl Iterator<Item = &Resolved> {
        let has_programs = self.simulator.is_some();
        self.operations.iter().filter(move |operation| has_programs || !operation.needs_programs)
    }
}

/// A delta that does not fit its model, or is damaged inside.
fn bad_delta(error: idf::DeltaError) -> Fault {
    Fault::backend(format!("A version of this model cannot be made from its history: {error}."))
}

impl Adapter for EnergyAdapter {
    fn info(&self) -> AdapterInfo {
        let of_tools = self.tools.values().map(|(tool, _)| tool.spec.operation_info());
        let others = self.operations().map(|operation| operation.info.clone());
        AdapterInfo {
            name: "energyplus".into(),
            version: env!("CARGO_PKG_VERSION").into(),
            kinds: vec![ModelKind::EnergyPlus],
            operations: of_tools.chain(others).collect(),
            languages: Vec::new(),
        }
    }

    fn open(&self, _: ModelKind, file: &Path) -> Result<OpenedModel, Fault> {
        let bytes = std::fs::read(file).map_err(|error| {
            Fault::new(contract::FaultCode::NotFound, format!("The file cannot be read: {error}."))
        })?;
        let (document, problems) = Document::open(&bytes)?;
        Ok(EnergyModel { document, problems: problems.into() }.into_opened())
    }

    fn apply(&self, model: &OpenedModel, delta: &Delta) -> Result<OpenedModel, Fault> {
        let before = EnergyModel::from_opened(model)?;
        let delta = idf::Delta::decode(&delta.body).map_err(bad_delta)?;
        let after = before.document.apply(&delta).map_err(bad_delta)?;
        Ok(before.next(after).into_opened())
    }

    fn run(
        &self,
        request: &Request,
        models: &[OpenedModel],
        files: &[FileInput],
        watch: &Arc<dyn Watch>,
    ) -> Result<Outcome, Fault> {
        let models = models.iter().map(EnergyModel::from_opened).collect::<Result<Vec<_>, _>>()?;
        let library = &*self.library;
        let call = run::Call { request, models, files, library, simulator: self.simulator.as_ref(), watch };
        let name = request.operation.name.as_str();
        if let Some((tool, body)) = self.tools.get(name) {
            return call.tool(tool, body);
        }
        // one that lacks its programs is found, too: it says what is missing
        match self.operations.iter().find(|operation| operation.info.name == name) {
            Some(operation) => (operation.run)(&call),
            None => Err(Fault::new(
                contract::FaultCode::NotSupported,
                format!("The EnergyPlus adapter does not resolve {name:?}."),
            )),
        }
    }
}

#[cfg(test)]
mod conformance_tests;
#[cfg(test)]
mod fake_programs;
#[cfg(test)]
mod results_tests;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tools_tests;
