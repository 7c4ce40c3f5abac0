//! One call: a tool's body in a transaction, or one of this adapter's own operations.

use crate::code::{self, Tools};
use crate::diff;
use crate::inspect::inspect;
use crate::model::NativeModel;
use crate::operations::Own;
use crate::tiles::Shelf;
use contract::{
    Delta, Effect, Fault, FileInput, FileOut, ModelKind, ModelUse, Outcome, Request, Source, Watch,
};
use exec::files;
use geometry::Scene;
use ifc::{Header, Model, SchemaVersion};
use ifc_compare::DiffEntry;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::io::{self, BufReader};
use std::sync::Arc;
use tools::{IfcBody, IfcCall, Tool};

/// A request and its models, opened.
pub(crate) struct Call<'a> {
    pub(crate) request: &'a Request,
    pub(crate) models: Vec<&'a NativeModel>,
    pub(crate) files: &'a [FileInput],
    /// Bounds on the files it reads.
    pub(crate) limits: &'a ifc::Limits,
    pub(crate) shelf: &'a Shelf,
    pub(crate) watch: &'a Arc<dyn Watch>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "lowercase")]
enum Detail {
    #[default]
    Raw,
    Summary,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DiffParams {
    #[serde(default)]
    detail: Detail,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MaterialiseParams {
    #[serde(default)]
    packed: bool,
    /// The time that the file is to name; that of the request, if none is given.
    #[serde(default)]
    time_ms: Option<u64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ConvertParams {
    schema_version: SchemaVersion,
    #[serde(default)]
    report_only: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct InspectParams {
    #[serde(default)]
    accept_problems: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TileParams {
    key: String,
}

/// What came of a transaction on `before`: nothing, or a change with its summary.
pub(crate) fn changed(
    before: &NativeModel,
    after: Model,
    delta: &ifc::Delta,
    entries: &[DiffEntry],
) -> Outcome {
    if delta.is_empty() {
        return Outcome::default();
    }
    let summary = diff::summary(entries, &before.model, &after);
    let delta = Delta::new(ModelKind::Ifc, delta.encode());
    Outcome {
        changes: vec![("model".to_owned(), delta, before.next(after).into_opened())],
        diff_summary: Some(summary),
        ..Outcome::default()
    }
}

/// The change that an edit makes.
pub(crate) fn committed(before: &NativeModel, edit: ifc::Edit) -> Outcome {
    let touched: Vec<_> = edit.touched().collect();
    let (after, delta) = edit.finish();
    let entries = ifc_compare::diff_of(&before.model, &after, touched);
    changed(before, after, &delta, &entries)
}

impl<'a> Call<'a> {
    /// The model that the request calls `role`.
    fn model(&self, role: &str) -> Result<&'a NativeModel, Fault> {
        let named = self.request.models.iter().zip(&self.models).find(|(input, _)| input.role == role);
        named.map(|(_, model)| *model).ok_or_else(|| {
            Fault::invalid(
                "models",
                format!("{} needs a model with the role {role:?}.", self.request.operation.name),
            )
            .with("role", role)
        })
    }

    /// Runs a script on the model.
    pub(crate) fn code(&self, tools: &Tools) -> Result<Outcome, Fault> {
        code::run(self, self.model("model")?, tools)
    }

    fn params<T: DeserializeOwned>(&self) -> Result<T, Fault> {
        let params = match &self.request.operation.params {
            Value::Null => json!({}),
            params => params.clone(),
        };
        serde_path_to_error::deserialize(params).map_err(|error| {
            let path = error.path().to_string();
            Fault::invalid(&path, format!("{}: {}.", self.request.operation.name, error.inner()))
                .with("field", path)
        })
    }

    /// Runs a tool's body. What it returns counts only together with its transaction: an error drops both.
    pub(crate) fn tool(&self, tool: &Tool, body: &IfcBody) -> Result<Outcome, Fault> {
        let request = self.request;
        let is_new = tool.spec.model == ModelUse::New;
        let blank = is_new.then(|| {
            let model = Model::blank(SchemaVersion::Ifc4, Header::new("model.ifc", ""));
            NativeModel::of_file(model, Vec::new())
        });
        let before = match &blank {
            Some(blank) => blank,
            None => self.model("model")?,
        };
        let id = request.operation_id.as_str();
        let call = IfcCall::new(&before.model, id, request.time_ms, request.actor.clone());
        let mut call = call.watched(self.watch);
        let result = body(&mut call, request.operation.params.clone())?;
        let event_type = call.event.take().or_else(|| tool.event.clone()).map(String::from);
        if tool.spec.effect == Effect::Query {
            if !call.edit.is_empty() {
                return Err(Fault::backend(format!(
                    "{} is a query but changed the model; what it changed was dropped.",
                    tool.spec.name
                )));
            }
            return Ok(Outcome { result, ..Outcome::default() });
        }
        if is_new {
            let begun = call.edit.before().clone();
            let (after, _) = call.edit.finish();
            let entries = ifc_compare::diff(&begun, &after);
            return Ok(Outcome {
                result,
                event_type,
                diff_summary: Some(diff::summary(&entries, &begun, &after)),
                new_model: Some((ModelKind::Ifc, after.to_bytes())),
                ..Outcome::default()
            });
        }
        Ok(Outcome { result, event_type, ..committed(before, call.edit) })
    }

    /// The scene of a model.
    fn scene(&self, native: &NativeModel) -> Result<Arc<Scene>, Fault> {
        let go_on = |done: usize, total: usize| self.watch.at(done as u64, total as u64);
        let began = || self.watch.begins("making the scene");
        let scene = self.shelf.scene(&native.model, &native.tiles, &began, &go_on);
        scene.ok_or_else(|| Fault::given_up(&self.request.operation.name))
    }

    /// Takes the IFC file out of the archive that came with the request.
    fn unpack(&self) -> Result<FileOut, Fault> {
        let archive = self.files.iter().find(|file| file.role == "archive");
        let Some(Source::Path(path)) = archive.map(|file| &file.source) else {
            return Err(Fault::invalid(
                "files",
                "unpack needs a file with the role \"archive\", by its path.",
            ));
        };
        let unreadable = |error: ifc::OpenError| crate::unreadable::cannot_open(&error);
        let archive = std::fs::File::open(path)
            .map_err(|source| unreadable(ifc::OpenError::Io { path: path.clone(), source }))?;
        let mut refused = None;
        let name = files::name(self.request, "model.ifc");
        let file = files::out_with(self.request, "model", name, "application/x-step", |out| {
            match ifc::archive::unpack(BufReader::new(archive), self.limits, out) {
                Ok(_) => Ok(()),
                Err(error) => {
                    refused = Some(error);
                    Err(io::Error::other("the archive is refused"))
                }
            }
        });
        match refused {
            Some(error) => Err(unreadable(error)),
            None => file,
        }
    }

    /// Runs one of this adapter's own operations.
    pub(crate) fn own(&self, operation: Own) -> Result<Outcome, Fault> {
        match operation {
            Own::Materialise => {
                let MaterialiseParams { packed, time_ms } = self.params()?;
                let model = &self.model("model")?.model;
                let time = tools::iso_time(time_ms.unwrap_or(self.request.time_ms));
                let file = if packed {
                    let name = files::name(self.request, "model.ifczip");
                    files::out_with(self.request, "model", name, "application/zip", |out| {
                        ifc::archive::pack("model.ifc", model.weight(), out, |out| model.write_at(&time, out))
                    })?
                } else {
                    let name = files::name(self.request, "model.ifc");
                    files::out_with(self.request, "model", name, "application/x-step", |out| {
                        model.write_at(&time, out)
                    })?
                };
                Ok(Outcome { result: json!({"size": file.size}), files: vec![file], ..Outcome::default() })
            }
            Own::Unpack => {
                let file = self.unpack()?;
                Ok(Outcome { result: json!({"size": file.size}), files: vec![file], ..Outcome::default() })
            }
            Own::Convert => {
                let ConvertParams { schema_version, report_only } = self.params()?;
                let (converted, result) =
                    crate::convert::convert(&self.model("model")?.model, schema_version)?;
                if report_only {
                    return Ok(Outcome { result, ..Outcome::default() });
                }
                let name = files::name(self.request, &format!("{schema_version}.ifc"));
                let time = tools::iso_time(self.request.time_ms);
                let file = files::out_with(self.request, "model", name, "application/x-step", |out| {
                    converted.write_at(&time, out)
                })?;
                Ok(Outcome { result, files: vec![file], ..Outcome::default() })
            }
            Own::Diff => {
                let DiffParams { detail } = self.params()?;
                let (base, target) = (&self.model("base")?.model, &self.model("target")?.model);
                let entries = ifc_compare::diff(base, target);
                let diff_raw = matches!(detail, Detail::Raw).then(|| diff::raw(&entries));
                let diff_summary = Some(diff::summary(&entries, base, target));
                Ok(Outcome { diff_raw, diff_summary, ..Outcome::default() })
            }
            Own::Restore => {
                let (model, target) = (self.model("model")?, &self.model("target")?.model);
                let delta = ifc::Delta::between(&model.model, target);
                let after =
                    model.model.apply(&delta).map_err(|error| crate::unreadable::bad_delta(&error))?;
                let entries = ifc_compare::diff(&model.model, &after);
                Ok(changed(model, after, &delta, &entries))
            }
            Own::Merge => {
                let (base, ours, theirs) = (self.model("base")?, self.model("model")?, self.model("theirs")?);
                crate::merge::merge(self.request, base, ours, theirs, &self.params()?)
            }
            Own::EnergyModel => {
                let params = self.params()?;
                let model = &self.model("model")?.model;
                crate::energy_model::make(self.request, model, self.files, &params, self.watch)
            }
            Own::EnergyResults => {
                let params = self.params()?;
                let before = self.model("model")?;
                let id = self.request.operation_id.as_str();
                let actor = self.request.actor.clone();
                let mut call = IfcCall::new(&before.model, id, self.request.time_ms, actor);
                let result = crate::energy_results::write(&mut call, &params)?;
                Ok(Outcome { result, ..committed(before, call.edit) })
            }
            Own::Inspect => {
                let InspectParams { accept_problems } = self.params()?;
                let result = inspect(self.model("model")?, accept_problems)?;
                Ok(Outcome { result, ..Outcome::default() })
            }
            Own::Outline => {
                let result = crate::outline::outline(&self.model("model")?.model);
                Ok(Outcome { result, ..Outcome::default() })
            }
            Own::Tileset => {
                let native = self.model("model")?;
                let scene = self.scene(native)?;
                Ok(Outcome { result: scene.tileset().to_3d_tiles(), ..Outcome::default() })
            }
            Own::Tile => {
                let TileParams { key } = self.params()?;
                let native = self.model("model")?;
                let scene = self.scene(native)?;
                let glb = scene.glb(&key).ok_or_else(|| {
                    Fault::new(
                        contract::FaultCode::NotFound,
                        format!("This version has no tile {key}. Its tileset lists those it has."),
                    )
                    .with("key", &key)
                })?;
                let name = files::name(self.request, &format!("{key}.glb"));
                let file = files::out(self.request, "tile", name, "model/gltf-binary", &glb)?;
                Ok(Outcome { result: json!({"size": file.size}), files: vec![file], ..Outcome::default() })
            }
        }
    }
}
