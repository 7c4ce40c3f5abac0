//! A model written for other programs.

use crate::held;
use crate::operations::Resolve;
use crate::run::Call;
use contract::ops::{Export, ExportAnswer, ExportPart, ExportedWith, PlatformOperation};
use contract::{Fault, FaultCode, Outcome};
use exchange::{Asker, ExchangeError, Format, Joining, Merged, Merging, Split, View};
use exec::files;
use geometry::Scene;
use ifc::{Model, SchemaVersion};
use serde::Deserialize as _;
use serde::de::IntoDeserializer as _;
use serde::de::value::Error;
use std::sync::Arc;

/// Kinds of change that an answer carries; the rest is counted.
const CHANGES: usize = 200;
/// Elements without a place in the building that are named.
const LOOSE: usize = 50;
/// Joined storeys and differences that are named of each further model.
const JOINED: usize = 60;

impl Resolve for Export {
    fn resolve(self, call: &Call<'_>) -> Result<Outcome, Fault> {
        let model = call.model("model")?.model.clone();
        let format = Format::named(&self.format).ok_or_else(|| {
            let names: Vec<&str> = Format::NAMES.iter().map(|(name, _)| *name).collect();
            let message = format!("`{}` is no format; choose of {}.", self.format, names.join(", "));
            Fault::invalid("format", message).with("allowed", names)
        })?;
        let split = self.split.as_deref().map(split).transpose()?;
        let joining = self.joining.as_deref().map_or(Ok(Joining::default()), joining)?;
        let others: Vec<Model> = call.models_of("with").map(|with| with.model.clone()).collect();
        let is_as_given = self.schema_version.is_none();
        let (model, mut changes) = converted(&self, model)?;
        let asked = exchange::Export {
            name: self.name.clone(),
            time: tools::iso_time(call.request.time_ms),
            format,
            view: self.mvd.clone(),
            selector: self.selector.clone(),
            split,
            // the same models become the same file
            merging: Merging { joining, seed: format!("{}/{}", self.name, others.len()) },
        };
        let versions = held::versions(call.request, &call.models, call.scenes);
        let scene = || match versions.get("model").filter(|_| is_as_given) {
            Some(held) => held.scene(&**call.watch).ok(),
            None => Some(Arc::new(Scene::from_model(&model))),
        };
        call.watch.begins("writing the file");
        let asker = Asker { scene: &scene, wanted: &|| call.watch.wanted() };
        let made = exchange::export(&model, &others, &asked, asker).map_err(|error| refused(&error))?;
        let view = self.mvd.as_deref().map(View::named).transpose().map_err(|error| refused(&error))?;
        let schema = view.map_or(model.schema().version(), |view| view.schema);
        changes.extend(made.report.lines());
        let more_changes = changes.len().saturating_sub(CHANGES) as u64;
        changes.truncate(CHANGES);
        let part = |(name, products): (String, usize)| ExportPart { name, products: products as u64 };
        let answer = ExportAnswer {
            schema_version: schema.to_string(),
            changes,
            more_changes,
            parts: made.parts.into_iter().map(part).collect(),
            loose: made.loose.into_iter().take(LOOSE).collect(),
            with: made.merge.into_iter().flat_map(|merge| merge.models).map(with).collect(),
        };
        let outcome = Self::outcome(answer)?;
        let (ending, media_type) = self.kind();
        let name = files::name(call.request, &format!("export.{ending}"));
        let bytes = &made.file.bytes;
        let file = files::out_with(call.request, "model", name, media_type, |out| out.write_all(bytes))?;
        Ok(Outcome { files: vec![file], ..outcome })
    }
}

/// The part that a further model has, with lists to a bound.
fn with(merged: Merged) -> ExportedWith {
    let named = |list: Vec<String>| list.into_iter().take(JOINED).collect();
    ExportedWith {
        objects: merged.objects as u64,
        joined: named(merged.joined),
        renamed: merged.renamed.len() as u64,
        converted: merged.converted as u64,
        differences: named(merged.differences),
    }
}

fn joining(word: &str) -> Result<Joining, Fault> {
    match word {
        "name" => Ok(Joining::Name),
        "elevation" => Ok(Joining::Elevation),
        "apart" => Ok(Joining::Apart),
        other => Err(Fault::invalid(
            "joining",
            format!("`{other}` is no way to join storeys; choose of name, elevation, apart."),
        )),
    }
}

fn split(word: &str) -> Result<Split, Fault> {
    match word {
        "storey" => Ok(Split::Storey),
        "discipline" => Ok(Split::Discipline),
        other => Err(Fault::invalid(
            "split",
            format!("`{other}` is no way to split; choose of storey, discipline."),
        )),
    }
}

/// The model in the schema version that is asked for, with what that could not hold.
fn converted(asked: &Export, model: Model) -> Result<(Model, Vec<String>), Fault> {
    let Some(named) = &asked.schema_version else { return Ok((model, Vec::new())) };
    let to = SchemaVersion::deserialize(named.as_str().into_deserializer())
        .map_err(|error: Error| Fault::invalid("schema_version", format!("{error}.")))?;
    if let Some(mvd) = &asked.mvd {
        let view = View::named(mvd).map_err(|error| refused(&error))?;
        if view.schema != to {
            let message =
                format!("{} is a part of {}: leave schema_version out, or say that.", view.name, view.schema);
            return Err(Fault::invalid("schema_version", message));
        }
        return Ok((model, Vec::new()));
    }
    if model.schema().version() == to {
        return Ok((model, Vec::new()));
    }
    let (converted, report) = ifc_convert::convert(&model, to)
        .map_err(|error| Fault::backend(format!("The model cannot be converted to {to}: {error}.")))?;
    let lost = report.notes.iter().filter(|note| !matches!(note.outcome.as_str(), "kept" | "mapped"));
    let line = |note: &ifc_convert::Note| {
        format!("{} {} {}: {}", note.count, note.class, note.outcome.as_str(), note.reason)
    };
    Ok((converted, lost.map(line).collect()))
}

fn refused(error: &ExchangeError) -> Fault {
    let message = format!("The model cannot be written so: {error}.");
    match error {
        ExchangeError::GivenUp => Fault::given_up("writing the file"),
        ExchangeError::UnknownView { .. } | ExchangeError::Unfit { .. } => Fault::invalid("mvd", message),
        ExchangeError::Selector(_) | ExchangeError::UnknownClass { .. } | ExchangeError::Empty(_) => {
            Fault::invalid("selector", message)
        }
        ExchangeError::Nothing(_) | ExchangeError::Conflict(_) => Fault::invalid("format", message),
        ExchangeError::TooLarge(_) => Fault::new(FaultCode::LimitReached, message).with("field", "format"),
        ExchangeError::Projects(_) => Fault::constraint(message),
        _ => Fault::backend(message),
    }
}
