//! One call: a request with its models, and what a tool's body or a script does to them in a transaction.

use crate::code::{self, Tools};
use crate::diff;
use crate::held;
use crate::model::NativeModel;
use crate::reach::Reach;
use crate::tiles::SceneCache;
use building::soundness;
use contract::{Delta, Effect, Fault, FaultCode, FileInput, ModelKind, ModelUse, Outcome, Request, Watch};
use exec::files;
use geometry::Scene;
use ifc::psets::templates;
use ifc::{Header, Model, SchemaVersion};
use ifc_compare::DiffEntry;
use serde_json::Value;
use std::collections::BTreeSet;
use std::sync::Arc;
use tools::{IfcBody, IfcCall, Library, MakeFile, Tool};

/// A request and its models, opened.
pub(crate) struct Call<'a> {
    pub(crate) request: &'a Request,
    pub(crate) models: Vec<&'a NativeModel>,
    pub(crate) files: &'a [FileInput],
    pub(crate) library: &'a Arc<Library>,
    /// Bounds on the files it reads.
    pub(crate) limits: &'a ifc::Limits,
    pub(crate) scenes: &'a Arc<SceneCache>,
    pub(crate) watch: &'a Arc<dyn Watch>,
}

/// Returns the outcome of a transaction on `before`: nothing, or a change with its summary.
pub(crate) fn changed(
    before: &NativeModel,
    after: Model,
    delta: &ifc::Delta,
    entries: &[DiffEntry],
) -> Outcome {
    changed_to(before, before.next(after), delta, entries)
}

/// The same, where the next version stands already.
fn changed_to(before: &NativeModel, next: NativeModel, delta: &ifc::Delta, entries: &[DiffEntry]) -> Outcome {
    if delta.is_empty() {
        return Outcome::default();
    }
    let summary = diff::summary(entries, &before.model, &next.model, None);
    let delta = Delta::new(ModelKind::Ifc, delta.encode());
    Outcome {
        changes: vec![("model".to_owned(), delta, next.into_opened())],
        diff_summary: Some(summary),
        ..Outcome::default()
    }
}

/// The change that an edit makes, with an answer that says beside its own whether what it touched is sound; whether rooms are cut off
/// where `reach` is given.
pub(crate) fn committed(
    before: &NativeModel,
    edit: ifc::Edit,
    result: Value,
    reach: Option<Reach<'_>>,
) -> Outcome {
    committed_as_drawn(before, edit, result, reach, None)
}

/// The same, where a scene may have been made on the way to the state that the edit comes to.
fn committed_as_drawn(
    before: &NativeModel,
    edit: ifc::Edit,
    mut result: Value,
    reach: Option<Reach<'_>>,
    drawn: Option<&Scene>,
) -> Outcome {
    let touched: Vec<_> = edit.touched().collect();
    let (after, delta) = edit.finish();
    let mut next = before.next(after);
    if let (Value::Object(answer), false) = (&mut result, delta.is_empty()) {
        let mut known = before.around();
        let is_of_next =
            |scene: &&Scene| scene.model().differing(&next.model).is_some_and(|ids| ids.is_empty());
        if let Some((mut sound, now)) = soundness::look_at_drawn(
            &before.model,
            &next.model,
            &touched,
            &mut known,
            (drawn.filter(is_of_next), validation::constraints::of_change),
        ) {
            if let Some(reach) = reach {
                let disturbed = std::mem::take(&mut sound.disturbed);
                reach.look(before, &next, &disturbed, &mut sound);
            }
            answer.insert("sound".to_owned(), sound.to_json());
            before.keep_around(known);
            next = next.among(now);
        }
    }
    let entries = ifc_compare::diff_of(&before.model, &next.model, touched);
    Outcome { result, ..changed_to(before, next, &delta, &entries) }
}

/// Returns the outcome of a transaction that begins a model: the whole of it, with an answer that says whether it is sound where anything stands
/// in it.
pub(crate) fn begun(edit: ifc::Edit, result: Value, reach: Option<Reach<'_>>) -> Result<Outcome, Fault> {
    let before = NativeModel::of_file(edit.before().clone(), Vec::new());
    let mut outcome = committed(&before, edit, result, reach);
    let Some((_, _, made)) = outcome.changes.pop() else {
        return Err(Fault::backend("The operation made no model."));
    };
    let bytes = NativeModel::from_opened(&made)?.model.to_bytes();
    Ok(Outcome { new_model: Some((ModelKind::Ifc, bytes)), ..outcome })
}

/// Says in a change's summary, and so in its event, which elements were not changed by hand but followed.
pub(crate) fn telling_regenerated(mut outcome: Outcome, again: &BTreeSet<String>) -> Outcome {
    let elements = outcome.diff_summary.iter_mut().flat_map(|summary| &mut summary.elements);
    // one that is new was made, not drawn again
    for element in elements.filter(|element| !element.changes.is_empty() && again.contains(&element.id)) {
        element.changes.insert("regenerated".to_owned(), Value::Bool(true));
    }
    outcome
}

impl<'a> Call<'a> {
    /// The model that the request calls `role`.
    pub(crate) fn model(&self, role: &str) -> Result<&'a NativeModel, Fault> {
        let named = self.request.models.iter().zip(&self.models).find(|(input, _)| input.role == role);
        named.map(|(_, model)| *model).ok_or_else(|| {
            Fault::invalid(
                "models",
                format!("{} needs a model with the role {role:?}.", self.request.operation.name),
            )
            .with("role", role)
        })
    }

    /// The models of a role that several may have.
    pub(crate) fn models_of(&self, role: &'a str) -> impl Iterator<Item = &'a NativeModel> {
        let named = self.request.models.iter().zip(&self.models);
        named.filter(move |(input, _)| input.role == role).map(|(_, model)| *model)
    }

    /// Scenes and who watches, to look at rooms with.
    pub(crate) fn reach(&self) -> Reach<'a> {
        Reach { scenes: self.scenes, watch: self.watch }
    }

    /// Runs a script on the model.
    pub(crate) fn code(&self, tools: &Tools) -> Result<Outcome, Fault> {
        code::run(self, self.model("model")?, tools)
    }

    /// Runs several tools as one change, of the model or, where none comes along, of a new one.
    pub(crate) fn batch(&self, tools: &Tools, others: &BTreeSet<String>) -> Result<Outcome, Fault> {
        let model = if self.request.models.is_empty() { None } else { Some(self.model("model")?) };
        code::batch::run(self, model, tools, others)
    }

    /// Runs a tool's body. What it returns counts only together with its transaction: an error drops both.
    pub(crate) fn tool(&self, tool: &Tool, body: &IfcBody) -> Result<Outcome, Fault> {
        let request = self.request;
        let uses = tool.spec.needs.model_of(&request.operation.params);
        // what reads a model where there is one finds an empty one where there is none
        let is_absent =
            uses == ModelUse::Optional && request.models.iter().all(|model| model.role != "model");
        let is_new = uses == ModelUse::New;
        let blank = (is_new || is_absent).then(|| {
            let model = Model::blank(SchemaVersion::Ifc4, Header::new("model.ifc", ""));
            NativeModel::of_file(model, Vec::new())
        });
        let before = match &blank {
            Some(blank) => blank,
            None => self.model("model")?,
        };
        let id = request.operation_id.as_str();
        let call = IfcCall::new(&before.model, id, request.time_ms, request.actor.clone());
        let mut call = call
            .watched(self.watch)
            .reading(self.library)
            .with_versions(held::versions(request, &self.models, self.scenes))
            .making(self.maker());
        call.files = self.files.to_vec();
        let params = &request.operation.params;
        let result = body(&mut call, params.clone())
            .map_err(|fault| about_term(fault, params, call.edit.model().schema()))?;
        let event_type = call.event.take().or_else(|| tool.event.clone()).map(String::from);
        let files = std::mem::take(&mut call.made);
        if tool.spec.effect == Effect::Query {
            if !call.edit.is_empty() {
                return Err(Fault::backend(format!(
                    "{} is a query but changed the model; what it changed was dropped.",
                    tool.spec.name
                )));
            }
            return Ok(Outcome { result, files, ..Outcome::default() });
        }
        if is_new {
            return Ok(Outcome { files, event_type, ..begun(call.edit, result, Some(self.reach()))? });
        }
        let again = std::mem::take(&mut call.regenerated);
        let draft = call.take_layout();
        let drawn = draft.as_ref().map(|(scene, _)| Arc::clone(scene));
        if let Some((scene, layout)) = draft {
            self.scenes.keep_draft(scene, layout);
        }
        let outcome = committed_as_drawn(before, call.edit, result, Some(self.reach()), drawn.as_deref());
        Ok(telling_regenerated(Outcome { event_type, files, ..outcome }, &again))
    }

    /// Makes files where the request wants them.
    pub(crate) fn maker(&self) -> Arc<MakeFile<'static>> {
        let place = files::Destination::from_request(self.request);
        Arc::new(move |role, name, media_type, write| place.make(role, name, media_type, write))
    }

    /// The scene of a model.
    pub(crate) fn scene(&self, native: &NativeModel) -> Result<Arc<Scene>, Fault> {
        let go_on = |done: usize, total: usize| self.watch.at(done as u64, total as u64);
        let began = || self.watch.begins("making the scene");
        let scene = self.scenes.scene(&native.model, &native.tiles, &began, &go_on);
        scene.ok_or_else(|| Fault::given_up(&self.request.operation.name))
    }
}

/// A Fault about a class or standard set that a call names, with the section of the documentation on that.
fn about_term(fault: Fault, params: &Value, schema: &ifc::Schema) -> Fault {
    if fault.code != FaultCode::InvalidParams || fault.data.contains_key("section") {
        return fault;
    }
    let text = |name: &str| params.get(name).and_then(Value::as_str);
    let class = text("ifc_class").and_then(|class| schema.entity(class)).map(|entity| entity.name);
    let set = text("pset").and_then(|set| templates::all(schema.version()).find(|own| own.name == set));
    match class.or(set.map(|set| set.name)) {
        Some(term) => fault.with("section", format!("ifc/{term}")),
        None => fault,
    }
}
