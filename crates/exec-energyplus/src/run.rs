//! One call: a request with its models, and what a tool's body does to a copy of one.

use crate::EnergyModel;
use crate::installed::Simulator;
use contract::{Delta, Effect, Fault, FaultCode, FileInput, ModelKind, ModelUse, Outcome, Request, Watch};
use energy::idf::{self, Document, Format};
use energy::schema::Schema;
use exec::files;
use serde_json::Value;
use std::sync::Arc;
use tools::{EnergyBody, EnergyCall, Library, Tool};

/// A request and its models, opened.
pub(crate) struct Call<'a> {
    pub(crate) request: &'a Request,
    pub(crate) models: Vec<&'a EnergyModel>,
    pub(crate) files: &'a [FileInput],
    pub(crate) library: &'a Library,
    pub(crate) simulator: Option<&'a Simulator>,
    pub(crate) watch: &'a Arc<dyn Watch>,
}

/// The outcome of a change to a model: nothing, or a change with its summary.
pub(crate) fn changed(before: &EnergyModel, after: Document) -> Result<Outcome, Fault> {
    let delta = after.delta_from(&before.document)?;
    if delta.is_empty() {
        return Ok(Outcome::default());
    }
    let summary = idf::summary(&idf::diff(&before.document, &after), None);
    let delta = Delta::new(ModelKind::EnergyPlus, delta.encode());
    Ok(Outcome {
        changes: vec![("model".to_owned(), delta, before.next(after).into_opened())],
        diff_summary: Some(summary),
        ..Outcome::default()
    })
}

/// Adds a model that was nowhere before to an outcome.
pub(crate) fn begun(document: &Document, outcome: Outcome) -> Result<Outcome, Fault> {
    let blank = Document::new(document.format(), document.shared_schema());
    Ok(Outcome {
        diff_summary: Some(idf::summary(&idf::diff(&blank, document), None)),
        new_model: Some((ModelKind::EnergyPlus, document.to_bytes(document.format())?)),
        ..outcome
    })
}

impl<'a> Call<'a> {
    /// The model that the request calls `role`.
    pub(crate) fn model(&self, role: &str) -> Result<&'a EnergyModel, Fault> {
        let named = self.request.models.iter().zip(&self.models).find(|(input, _)| input.role == role);
        named.map(|(_, model)| *model).ok_or_else(|| {
            Fault::invalid(
                "models",
                format!("{} needs a model with the role {role:?}.", self.request.operation.name),
            )
            .with("role", role)
        })
    }

    /// Runs a tool's body. What it returns counts only together with what it did to its copy: an error drops both.
    pub(crate) fn tool(&self, tool: &Tool, body: &EnergyBody) -> Result<Outcome, Fault> {
        let model_use = tool.spec.needs.model;
        let before = if model_use == ModelUse::Current { Some(self.model("model")?) } else { None };
        let blank = || {
            // of such a model only the version counts
            let spoken = if model_use == ModelUse::New { None } else { self.model("model").ok() };
            let schema = spoken.map_or_else(Schema::built_in, |model| model.document.shared_schema());
            Document::new(Format::Idf, schema)
        };
        let place = files::Destination::from_request(self.request);
        let make_file = |role: &str, name: &str, media_type: &str, write: tools::WriteFile<'_>| {
            place.make(role, name, media_type, write)
        };
        let further = self.request.models.iter().zip(&self.models).filter(|(input, _)| input.role != "model");
        let mut call = EnergyCall {
            document: before.map_or_else(blank, |model| model.document.clone()),
            further: further.map(|(input, model)| (input.role.clone(), model.document.clone())).collect(),
            files: self.files,
            library: self.library,
            made: Vec::new(),
            make_file: &make_file,
            time_ms: self.request.time_ms,
            event: None,
            watch: Arc::clone(self.watch),
        };
        let params = &self.request.operation.params;
        let result =
            body(&mut call, params.clone()).map_err(|fault| about_type(fault, params, &call.document))?;
        let event_type = call.event.take().or_else(|| tool.event.clone()).map(String::from);
        let files = std::mem::take(&mut call.made);
        let outcome = match (tool.spec.effect, before) {
            (Effect::Query, None) => Outcome::default(),
            (Effect::Query, Some(before)) => {
                if !call.document.delta_from(&before.document)?.is_empty() {
                    return Err(Fault::backend(format!(
                        "{} is a query but changed the model; what it changed was dropped.",
                        tool.spec.name
                    )));
                }
                Outcome::default()
            }
            (_, None) => begun(&call.document, Outcome::default())?,
            (_, Some(before)) => changed(before, call.document)?,
        };
        Ok(Outcome { result, event_type, files, ..outcome })
    }

    /// The installed EnergyPlus; a Fault where there is none.
    pub(crate) fn simulator(&self) -> Result<&'a Simulator, Fault> {
        self.simulator.ok_or_else(|| {
            Fault::new(
                contract::FaultCode::NotSupported,
                "This worker has no EnergyPlus beside it. Its programs run on the back end energyplus.",
            )
        })
    }
}

/// A Fault about an object of a type, with the section of the documentation on that type.
fn about_type(fault: Fault, params: &Value, document: &Document) -> Fault {
    let named = params.get("object_type").and_then(Value::as_str);
    match named.and_then(|named| document.schema().get(named)) {
        Some(about) if fault.code == FaultCode::InvalidParams => {
            fault.with("section", format!("schema/{}", about.name))
        }
        _ => fault,
    }
}
