//! The adapter over EnergyPlus models: the tools whose bodies run on one, and what the platform needs of a model to keep, compare
//! and show it.
//!
//! | operation | effect | models | parameters | answer |
//! | --- | --- | --- | --- | --- |
//! | `new_energy_model` | create | | `format` = `idf` or `epjson`, `name`, `version` = 25.2 | a model with the objects that every model needs |
//! | `materialise` | query | model | `output_format` = that of the model | the whole file, as the file `model` |
//! | `diff` | query | base, target | `detail` = `raw` (default) or `summary` | `diff_summary` and, for `raw`, `diff_raw` |
//! | `restore` | modify | model, target | | the change that makes `model` what `target` is |
//! | `merge` | modify | model, base, theirs | as of the native adapter | the change that adds to `model` what leads from `base` to `theirs`, or `conflicts` |
//! | `inspect` | query | model | | version, format, counts, problems of the file |
//! | `read_weather` | query | (the file `archive` or `weather`) | | a summary of the weather; of an archive the files `weather`, `design_days`, `statistics` |
//! | `simulate` | query | model | `design_day`, `annual`, `readvars`, `seconds`; the file `weather` | how the run ended, and its files |
//! | `energy_summary` | query | model | | objects by type and group |
//! | `energy_object` | query | model | `object_type`, `name` | one object with its fields |
//! | `energy_references` | query | model | `name` | who refers to it, and to whom it refers |
//!
//! | `migrate` | modify | model | `target_version`, `program_folder`, `keep` | the change that brings the model up, by which steps |
//! | `convert_osm` | create | (the file `osm`) | `allow_newer_versions` | an EnergyPlus model of one of OpenStudio |
//! | `zone_results` | query | (the file `results`) | `zones` | numbers of a run by zone |
//!
//! `simulate`, `migrate` and `convert_osm` are there only where EnergyPlus is, and somebody who starts its programs.

mod merge;
mod migrate;
mod openstudio;
mod operations;
mod programs;
mod run;
mod simulate;
mod telling;
mod weather;

use contract::{
    Adapter, AdapterInfo, Delta, DiffRaw, Fault, FileInput, ModelKind, OpenedModel, OperationInfo, Outcome,
    Request, Watch,
};
use energy::idf::{self, Document, Problem};
pub use migrate::{Transition, transitions};
pub use openstudio::{OPENSTUDIO, OpenStudio};
use operations::Own;
pub use simulate::{Simulator, programs, version_of};
use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::sync::Arc;
use tools::{EnergyBody, Tool};

/// One version of an EnergyPlus model.
struct EnergyModel {
    document: Document,
    /// What opening its file found; the same for every version over it.
    problems: Arc<[Problem]>,
}

impl EnergyModel {
    fn of(opened: &OpenedModel) -> Result<&Self, Fault> {
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
    simulator: Option<Simulator>,
}

impl Default for EnergyAdapter {
    fn default() -> Self {
        Self::new(tools::catalogue())
    }
}

impl EnergyAdapter {
    /// An adapter that resolves those of these tools whose bodies run on an EnergyPlus model.
    pub fn new(tools: Vec<Tool>) -> Self {
        let on_models = tools.into_iter().filter_map(|tool| {
            let body = Arc::clone(tool.energy_body()?);
            Some((tool.spec.name.clone(), (tool, body)))
        });
        Self { tools: on_models.collect(), simulator: None }
    }

    /// The same with EnergyPlus, so that it simulates.
    #[must_use]
    pub fn with_simulator(self, simulator: Simulator) -> Self {
        Self { simulator: Some(simulator), ..self }
    }

    /// The operations that it resolves beside the tools.
    fn own(&self) -> impl Iterator<Item = Own> {
        Own::ALL.into_iter().filter(|own| !own.needs_programs() || self.simulator.is_some())
    }
}

/// A delta that does not fit its model, or is damaged inside.
fn bad_delta(error: idf::DeltaError) -> Fault {
    Fault::backend(format!("A version of this model cannot be made from its history: {error}."))
}

impl Adapter for EnergyAdapter {
    fn info(&self) -> AdapterInfo {
        let of_tools = self.tools.values().map(|(tool, _)| OperationInfo {
            name: tool.spec.name.clone(),
            effect: tool.spec.effect,
            schema_sha256: exec::schema_sha256(&tool.spec.input_schema, &tool.spec.output_schema),
        });
        AdapterInfo {
            name: "energyplus".into(),
            version: env!("CARGO_PKG_VERSION").into(),
            kinds: vec![ModelKind::EnergyPlus],
            operations: of_tools.chain(self.own().map(Own::info)).collect(),
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
        let before = EnergyModel::of(model)?;
        let delta = idf::Delta::decode(&delta.body).map_err(bad_delta)?;
        let after = before.document.apply(&delta).map_err(bad_delta)?;
        Ok(before.next(after).into_opened())
    }

    fn materialise(&self, model: &OpenedModel, out: &mut dyn io::Write) -> Result<(), Fault> {
        let document = &EnergyModel::of(model)?.document;
        let bytes = document.to_bytes(document.format())?;
        out.write_all(&bytes)
            .map_err(|error| Fault::backend(format!("The file could not be written: {error}.")))
    }

    fn diff(&self, before: &OpenedModel, after: &OpenedModel) -> Result<DiffRaw, Fault> {
        Ok(idf::diff(&EnergyModel::of(before)?.document, &EnergyModel::of(after)?.document))
    }

    fn delta(&self, before: &OpenedModel, after: &OpenedModel) -> Result<Delta, Fault> {
        let delta = EnergyModel::of(after)?.document.delta_from(&EnergyModel::of(before)?.document)?;
        Ok(Delta::new(ModelKind::EnergyPlus, delta.encode()))
    }

    fn run(
        &self,
        request: &Request,
        models: &[OpenedModel],
        files: &[FileInput],
        watch: &Arc<dyn Watch>,
    ) -> Result<Outcome, Fault> {
        let models = models.iter().map(EnergyModel::of).collect::<Result<Vec<_>, _>>()?;
        let call = run::Call { request, models, files, watch };
        let name = request.operation.name.as_str();
        if let Some((tool, body)) = self.tools.get(name) {
            return call.tool(tool, body);
        }
        match Own::of_name(name) {
            Some(operation) => call.own(operation, self.simulator.as_ref()),
            None => Err(Fault::new(
                contract::FaultCode::NotSupported,
                format!("The EnergyPlus adapter does not resolve {name:?}."),
            )),
        }
    }
}

#[cfg(test)]
mod playing;
#[cfg(test)]
mod results_tests;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tools_tests;
