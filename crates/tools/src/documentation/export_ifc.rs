//! The model as a file in the bucket or on this machine: IFC in its own schema version or in another one, joined with other models, cut to a
//! view definition or to some elements, split, or in a format of other programs.

use crate::model::model_summary;
use crate::{Reply, Tool};
use contract::ops::{
    Convert, ConvertAnswer, ConvertCounts, ConvertExample, ConvertNote, Export, ExportPart, ExportedWith,
    PlatformOperation,
};
use contract::{
    Action, BucketFile, Caller, Effect, Fault, FaultCode, Files, ModelUse, Queries, Sessions, Toolset,
    VersionId, Versions,
};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// The formats of a file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
enum Format {
    /// STEP text.
    #[default]
    Ifc,
    /// Zipped.
    IfcZip,
    /// Binary glTF.
    Glb,
    /// As text.
    Gltf,
    /// With MTL, zipped.
    Obj,
    /// Rooms with their surfaces, for energy programs.
    GbXml,
    /// Tables of everything, zipped.
    Csv,
    /// The same.
    Parquet,
}

impl Format {
    fn name(self) -> &'static str {
        match self {
            Self::Ifc => "ifc",
            Self::IfcZip => "ifczip",
            Self::Glb => "glb",
            Self::Gltf => "gltf",
            Self::Obj => "obj",
            Self::GbXml => "gbxml",
            Self::Csv => "csv",
            Self::Parquet => "parquet",
        }
    }
}

/// The ways to split a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
enum Split {
    Storey,
    Discipline,
}

/// The sites, buildings and storeys of several models that become one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
enum Joining {
    /// Of one name or GlobalId.
    #[default]
    Name,
    /// And storeys of one height.
    Elevation,
    /// None.
    Apart,
}

/// The tool's arguments.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Input {
    /// IFC2X3, IFC4 or IFC4X3.
    #[schemars(extend("x-seldom" = true))]
    schema_version: Option<String>,
    /// Cut to what it allows: reference, design transfer, coordination 2.0.
    #[schemars(extend("x-seldom" = true))]
    mvd: Option<String>,
    #[serde(default)]
    #[schemars(extend("x-seldom" = true))]
    format: Format,
    /// Only these elements, with all that they need.
    #[schemars(extend("x-seldom" = true))]
    selector: Option<String>,
    /// A file for each, in one archive.
    #[schemars(extend("x-seldom" = true))]
    split: Option<Split>,
    /// Models joined to it, by id or name, also `name@version`.
    #[serde(default)]
    #[schemars(extend("x-seldom" = true))]
    with: Vec<String>,
    /// Storeys of those that become one.
    #[serde(default)]
    #[schemars(extend("x-seldom" = true))]
    joining: Joining,
    /// On this machine, where nothing is yet; without it a link.
    #[schemars(extend("x-seldom" = true))]
    file_path: Option<String>,
}

impl Input {
    /// The export that is asked for; none of a model as it is, or only in another schema version.
    fn export(&self, name: &str) -> Option<Export> {
        let is_plain = self.format == Format::Ifc
            && self.mvd.is_none()
            && self.selector.is_none()
            && self.split.is_none()
            && self.with.is_empty();
        (!is_plain).then(|| Export {
            format: self.format.name().to_owned(),
            schema_version: self.schema_version.clone(),
            mvd: self.mvd.clone(),
            selector: self.selector.clone(),
            split: self
                .split
                .map(|split| if split == Split::Storey { "storey" } else { "discipline" }.to_owned()),
            name: name.to_owned(),
            joining: match self.joining {
                Joining::Elevation if !self.with.is_empty() => Some("elevation".to_owned()),
                Joining::Apart if !self.with.is_empty() => Some("apart".to_owned()),
                _ => None,
            },
        })
    }
}

/// A model that was joined to it.
#[derive(Debug, Serialize, JsonSchema)]
struct With {
    name: String,
    version: VersionId,
    #[serde(flatten)]
    told: ExportedWith,
}

/// The file.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    /// Version that was written.
    version: VersionId,
    schema_version: String,
    /// In full.
    #[serde(skip_serializing_if = "Option::is_none")]
    file_path: Option<String>,
    sha256: String,
    /// Bytes.
    size: u64,
    /// The number of instances that came over, of a conversion.
    #[serde(skip_serializing_if = "Option::is_none")]
    converted: Option<ConvertCounts>,
    /// The parts that the target cannot hold: what is lost first, then what became something near, then what it needs besides.
    report: Vec<String>,
    /// The files of an archive, with the number of their products.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    parts: Vec<ExportPart>,
    /// The models that were joined to it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    with: Vec<With>,
    /// Chosen elements that no storey contains.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    without_place: Vec<String>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::platform("export_ifc", Effect::Query, |platform, input| Box::pin(run(platform, input)))
        .action(Action::Export)
        .title("Export")
        .description(
            "Writes the model to file_path or as a link: IFC, also in another schema_version, joined, cut to a view or elements; \
             or for other programs. report: what that cannot hold.",
        )
        .toolset(Toolset::Documentation)
        .toolset(Toolset::Code)
        .model(ModelUse::Current)
        .side_effects()
        .example("By name", json!({ "model_id": "Duplex" }))
        .example("To a file", json!({ "file_path": "house-2x3.ifc", "schema_version": "IFC2X3" }))
        .example("For a program that reads IFC2X3", json!({ "schema_version": "IFC2X3" }))
        .example("Two models as one", json!({ "with": ["Structure"] }))
        .example("Walls for a viewer", json!({ "format": "glb", "selector": "IfcWall" }))
}

async fn run(
    platform: &(impl Caller + Files + Queries + Sessions + Versions + ?Sized),
    input: Input,
) -> Result<Reply<Output>, Fault> {
    let model = platform.current_model().await?;
    let version = platform.current_version().await?;
    let own = model_summary::schema_of(&platform.query(model_summary::operation()).await?.result)?;
    let wanted = match &input.schema_version {
        Some(wanted) => Some(family(wanted).ok_or_else(|| unknown(wanted))?),
        None => None,
    };
    let path = format!("/bucket/{}/{version}", model.model_id);
    let mut output = Output {
        version: version.clone(),
        schema_version: own.clone(),
        file_path: None,
        sha256: String::new(),
        size: 0,
        converted: None,
        report: Vec::new(),
        parts: Vec::new(),
        with: Vec::new(),
        without_place: Vec::new(),
    };
    let stem = model.name.strip_suffix(".ifc").unwrap_or(&model.name);
    let mut ending = "ifc";
    let input = Input { schema_version: wanted.map(str::to_owned), ..input };
    let (file, link) = if let Some(export) = input.export(stem) {
        ending = export.kind().0;
        let made = platform.derived(export.operation(), &input.with).await?;
        let told = Export::answer(&made.answer)?;
        output.schema_version = told.schema_version;
        output.report = told.changes;
        if told.more_changes > 0 {
            output.report.push(format!("… and {} more kinds of change", told.more_changes));
        }
        output.parts = told.parts;
        output.without_place = told.loose;
        let further: Vec<String> =
            made.further.iter().map(|(model, version)| format!("{}@{version}", model.model_id)).collect();
        let models = made.further.into_iter().zip(told.with);
        output.with =
            models.map(|((model, version), told)| With { name: model.name, version, told }).collect();
        (made.file, platform.address_of(&format!("{path}?{}", query(&export, &further.join(",")))))
    } else if let Some(wanted) = wanted.filter(|wanted| family(&own) != Some(wanted)) {
        let derived = platform.derived(Convert::to(wanted).operation(), &[]).await?;
        let made = Convert::answer(&derived.answer)?;
        output.report = lines(&made);
        output.converted = Some(made.counts);
        wanted.clone_into(&mut output.schema_version);
        (derived.file, platform.address_of(&format!("{path}?schema={wanted}")))
    } else {
        (platform.materialise(&model.model_id, &version).await?, platform.address_of(&path))
    };
    let written = match &input.file_path {
        Some(path) => Some(platform.export_file(&file, "file_path", path, ending).await?),
        None => None,
    };
    output.file_path = written.map(|path| path.display().to_string());
    let is_linked = output.file_path.is_none();
    let BucketFile { sha256, size, .. } = file;
    (output.sha256, output.size) = (sha256, size);
    let reply = Reply::new(output);
    Ok(if is_linked { reply.link("Download", link) } else { reply })
}

/// The export as the bucket's address has it.
fn query(export: &Export, with: &str) -> String {
    let with = Some(with.to_owned()).filter(|with| !with.is_empty());
    let parts = [
        ("format", Some(&export.format)),
        ("schema", export.schema_version.as_ref()),
        ("mvd", export.mvd.as_ref()),
        ("selector", export.selector.as_ref()),
        ("split", export.split.as_ref()),
        ("with", with.as_ref()),
        ("joining", export.joining.as_ref()),
    ];
    let part = |(name, value): (&str, Option<&String>)| {
        Some(format!("{name}={}", utf8_percent_encode(value?, UNRESERVED)))
    };
    parts.into_iter().filter_map(part).collect::<Vec<_>>().join("&")
}

/// Everything but the unreserved characters of RFC 3986, 2.3.
const UNRESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// Lines that an answer carries.
const LINES: usize = 60;

/// The notes of a conversion as lines, those on mere renaming left out.
fn lines(made: &ConvertAnswer) -> Vec<String> {
    let lost = made.notes.iter().filter(|note| note.outcome != "mapped");
    let mut lines: Vec<String> = lost.map(line).collect();
    let more = lines.len().saturating_sub(LINES);
    lines.truncate(LINES);
    if more > 0 {
        lines.push(format!("… and {more} more kinds of loss"));
    }
    lines.extend(added(made));
    lines
}

/// The instances made because the target needs them, which is more than the model had.
fn added(made: &ConvertAnswer) -> Option<String> {
    let counts = made.made.iter().map(|(class, count)| format!("{count} {class}")).collect::<Vec<_>>();
    (!counts.is_empty()).then(|| format!("added because {} needs it: {}", made.to, counts.join(", ")))
}

fn line(note: &ConvertNote) -> String {
    let ConvertNote { class, outcome, reason, count, examples } = note;
    let example = match examples.first() {
        Some(ConvertExample { global_id: Some(guid), .. }) => format!(" (such as {guid})"),
        Some(ConvertExample { id, .. }) => format!(" (such as #{id})"),
        None => String::new(),
    };
    format!("{count} {class} {outcome}: {reason}{example}")
}

fn unknown(wanted: &str) -> Fault {
    Fault::new(
        FaultCode::NotSupported,
        format!("{wanted} is not written here; choose IFC2X3, IFC4 or IFC4X3."),
    )
    .with("field", "schema_version")
    .with("allowed", ["IFC2X3", "IFC4", "IFC4X3"])
}

/// `IFC4X3` and `IFC4X3_ADD2` are one schema here.
fn family(text: &str) -> Option<&'static str> {
    let upper = text.trim().to_ascii_uppercase();
    let is_named = |rest: &str| rest.is_empty() || rest.starts_with('_');
    ["IFC2X3", "IFC4X3", "IFC4"].into_iter().find(|name| upper.strip_prefix(name).is_some_and(is_named))
}
