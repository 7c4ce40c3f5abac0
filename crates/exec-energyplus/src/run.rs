//! One call: a tool's body on a copy of the model, or one of this adapter's own operations.

use crate::operations::Own;
use crate::simulate::Simulator;
use crate::{EnergyModel, bad_delta, telling};
use contract::{Delta, Effect, Fault, FileInput, ModelKind, ModelUse, Outcome, Request, Source, Watch};
use energy::idf::{self, Document, Format};
use energy::results::Results;
use energy::schema::Schema;
use exec::files;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;
use tools::{EnergyBody, EnergyCall, Tool};

/// Problems of a file that are listed; the others are counted.
const LISTED: usize = 10;

/// A request and its models, opened.
pub(crate) struct Call<'a> {
    pub(crate) request: &'a Request,
    pub(crate) models: Vec<&'a EnergyModel>,
    pub(crate) files: &'a [FileInput],
    pub(crate) watch: &'a Arc<dyn Watch>,
}

#[derive(Deserialize, Default, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum Written {
    #[default]
    Idf,
    EpJson,
}

impl From<Written> for Format {
    fn from(written: Written) -> Self {
        match written {
            Written::Idf => Self::Idf,
            Written::EpJson => Self::EpJson,
        }
    }
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
struct NewParams {
    #[serde(default)]
    format: Written,
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    version: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ObjectParams {
    object_type: String,
    name: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ReferencesParams {
    name: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ZoneResultsParams {
    zones: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MaterialiseParams {
    #[serde(default)]
    output_format: Option<Written>,
    /// A file of EnergyPlus carries no time; it is taken because files of other kinds do.
    #[serde(default, rename = "time_ms")]
    _time_ms: Option<u64>,
}

/// What became of a model: nothing, or a change with its summary.
pub(crate) fn changed(before: &EnergyModel, after: Document) -> Result<Outcome, Fault> {
    let delta = after.delta_from(&before.document)?;
    if delta.is_empty() {
        return Ok(Outcome::default());
    }
    let summary = idf::summary(&idf::diff(&before.document, &after));
    let delta = Delta::new(ModelKind::EnergyPlus, delta.encode());
    Ok(Outcome {
        changes: vec![("model".to_owned(), delta, before.next(after).into_opened())],
        diff_summary: Some(summary),
        ..Outcome::default()
    })
}

/// A model that was nowhere before.
pub(crate) fn begun(document: &Document, result: Value) -> Result<Outcome, Fault> {
    let blank = Document::new(document.format(), document.shared_schema());
    Ok(Outcome {
        result,
        diff_summary: Some(idf::summary(&idf::diff(&blank, document))),
        new_model: Some((ModelKind::EnergyPlus, document.to_bytes(document.format())?)),
        ..Outcome::default()
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

    pub(crate) fn params<T: DeserializeOwned>(&self) -> Result<T, Fault> {
        let params = match &self.request.operation.params {
            Value::Null => json!({}),
            params => params.clone(),
        };
        serde_path_to_error::deserialize(params).map_err(|error| {
            let path = error.path().to_string();
            Fault::invalid(&path, format!("{}: {}.", self.request.operation.name, error.inner()))
        })
    }

    /// Runs a tool's body. What it returns counts only together with what it did to its copy: an error drops both.
    pub(crate) fn tool(&self, tool: &Tool, body: &EnergyBody) -> Result<Outcome, Fault> {
        let before = match tool.spec.model {
            ModelUse::Current => Some(self.model("model")?),
            ModelUse::New | ModelUse::None | ModelUse::Schema | ModelUse::Docs | ModelUse::Results => None,
        };
        let blank = || {
            // of such a model only the version counts
            let spoken = if tool.spec.model == ModelUse::New { None } else { self.model("model").ok() };
            let schema = spoken.map_or_else(Schema::built_in, |model| model.document.shared_schema());
            Document::new(Format::Idf, schema)
        };
        let make_file = |role: &str, name: &str, media_type: &str, write: tools::WriteFile<'_>| {
            // the folder may be shared with other requests; the name that people see is the plain one
            let in_folder = files::name(self.request, name);
            let file = files::out_with(self.request, role, in_folder, media_type, write)?;
            Ok(contract::FileOut { name: name.to_owned(), ..file })
        };
        let mut call = EnergyCall {
            document: before.map_or_else(blank, |model| model.document.clone()),
            files: self.files,
            made: Vec::new(),
            make_file: &make_file,
            time_ms: self.request.time_ms,
            event: None,
            watch: Arc::clone(self.watch),
        };
        let result = body(&mut call, self.request.operation.params.clone())?;
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
            (_, None) => begun(&call.document, Value::Null)?,
            (_, Some(before)) => changed(before, call.document)?,
        };
        Ok(Outcome { result, event_type, files, ..outcome })
    }

    /// Runs one of this adapter's own operations.
    pub(crate) fn own(&self, operation: Own, simulator: Option<&Simulator>) -> Result<Outcome, Fault> {
        match operation {
            Own::NewEnergyModel => {
                let NewParams { format, name, version } = self.params()?;
                let version = version.unwrap_or_else(|| Schema::built_in().short_version().to_owned());
                let Some(schema) = Schema::exactly(&version) else {
                    let known: Vec<String> = Schema::versions().collect();
                    let version: String = version.chars().take(40).collect();
                    return Err(Fault::new(
                        contract::FaultCode::NotSupported,
                        format!(
                            "New models are of EnergyPlus {}; {version:?} is not made here.",
                            known.join(", ")
                        ),
                    )
                    .with("field", "version")
                    .with("allowed", known));
                };
                let name = name.unwrap_or_else(|| "New model".to_owned());
                let (document, _) = Document::open(beginning(&name, schema.short_version()).as_bytes())?;
                let (document, _) = Document::open(&document.to_bytes(format.into())?)?;
                let result = json!({"version": document.schema().version(), "objects": document.len()});
                begun(&document, result)
            }
            Own::Materialise => {
                let params: MaterialiseParams = self.params()?;
                let document = &self.model("model")?.document;
                let format = params.output_format.map_or(document.format(), Format::from);
                let media_type = match format {
                    Format::Idf => "text/plain",
                    Format::EpJson => "application/json",
                };
                let name = files::name(self.request, &format!("model.{}", format.extension()));
                let bytes = document.to_bytes(format)?;
                let file = files::out(self.request, "model", name, media_type, &bytes)?;
                Ok(Outcome { result: json!({"size": file.size}), files: vec![file], ..Outcome::default() })
            }
            Own::Diff => {
                let DiffParams { detail } = self.params()?;
                let raw = idf::diff(&self.model("base")?.document, &self.model("target")?.document);
                let diff_summary = Some(idf::summary(&raw));
                let diff_raw = matches!(detail, Detail::Raw).then_some(raw);
                Ok(Outcome { diff_raw, diff_summary, ..Outcome::default() })
            }
            Own::Restore => {
                let (model, target) = (self.model("model")?, self.model("target")?);
                let delta = target.document.delta_from(&model.document)?;
                let after = model.document.apply(&delta).map_err(bad_delta)?;
                changed(model, after)
            }
            Own::Merge => {
                let models = [self.model("base")?, self.model("model")?, self.model("theirs")?];
                crate::merge::run(self.request, models, &self.params()?)
            }
            Own::ReadWeather => crate::weather::read(self.request, self.files),
            Own::Summary => {
                let result = telling::summary(&self.model("model")?.document);
                Ok(Outcome { result, ..Outcome::default() })
            }
            Own::Object => {
                let ObjectParams { object_type, name } = self.params()?;
                let result = telling::object(&self.model("model")?.document, &object_type, &name)?;
                Ok(Outcome { result, ..Outcome::default() })
            }
            Own::References => {
                let ReferencesParams { name } = self.params()?;
                let result = telling::references(&self.model("model")?.document, &name)?;
                Ok(Outcome { result, ..Outcome::default() })
            }
            Own::Inspect => Ok(Outcome { result: inspect(self.model("model")?), ..Outcome::default() }),
            Own::ZoneResults => {
                let ZoneResultsParams { zones } = self.params()?;
                let file = self.files.iter().find(|file| file.role == "results");
                let Some(Source::Path(path)) = file.map(|file| &file.source) else {
                    return Err(Fault::invalid(
                        "files",
                        "zone_results needs the file \"results\", by its path.",
                    ));
                };
                let numbers = Results::open(Path::new(path))?.zone_numbers(&zones)?;
                Ok(Outcome { result: json!(numbers), ..Outcome::default() })
            }
            Own::Simulate => self.simulate(installed(simulator)?),
            Own::Migrate => self.migrate(installed(simulator)?),
            Own::ConvertOsm => self.convert_osm(installed(simulator)?),
        }
    }
}

fn installed(simulator: Option<&Simulator>) -> Result<&Simulator, Fault> {
    simulator.ok_or_else(|| {
        Fault::new(
            contract::FaultCode::NotSupported,
            "This worker has no EnergyPlus beside it. Its programs run on the back end energyplus.",
        )
    })
}

/// A new model: what EnergyPlus demands of every one.
fn beginning(name: &str, version: &str) -> String {
    // a comma or a semicolon would end the value
    let name: String =
        name.chars().filter(|c| !matches!(c, ',' | ';' | '!' | '\n' | '\r')).take(100).collect();
    format!(
        "Version,{version};\n\nSimulationControl,\n  No,  !- Do Zone Sizing Calculation\n  No,  !- Do System Sizing \
         Calculation\n  No,  !- Do Plant Sizing Calculation\n  No,  !- Run Simulation for Sizing Periods\n  Yes; !- Run \
         Simulation for Weather File Run Periods\n\nBuilding,\n  {name}, !- Name\n  0,  !- North Axis {{deg}}\n  Suburbs; !- \
         Terrain\n\nTimestep,6;\n\nGlobalGeometryRules,\n  UpperLeftCorner, !- Starting Vertex Position\n  \
         Counterclockwise, !- Vertex Entry Direction\n  World; !- Coordinate System\n"
    )
}

fn inspect(model: &EnergyModel) -> Value {
    let document = &model.document;
    let count = |type_name: &str| document.of_type(type_name).count();
    let schema = format!("EnergyPlus {}", document.version().unwrap_or("of no version"));
    let own = document.schema().short_version();
    let read_by_own = document.version().is_none_or(|version| {
        let found = Schema::of(version);
        found.remark.is_none() && found.schema.short_version() == own
    });
    let schema = if read_by_own { schema } else { format!("{schema}, read by the schema of {own}") };
    let mut answer = json!({
        "schema": schema,
        "format": document.format().extension(),
        "instances": document.len(),
        "classes": document.types().len(),
        "zones": count("Zone"),
        "surfaces": count("BuildingSurface:Detailed"),
        "problem_count": model.problems.len(),
    });
    if !model.problems.is_empty() {
        let listed: Vec<_> = model.problems.iter().take(LISTED).collect();
        answer["problems"] = json!(listed);
    }
    answer
}
