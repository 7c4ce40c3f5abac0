//! The model as an IFC file in the bucket, in its own schema version or in another one.

use crate::model::model_summary;
use crate::{Reply, Tool};
use contract::ops::{Convert, ConvertAnswer, ConvertCounts, ConvertExample, ConvertNote, PlatformOperation};
use contract::{
    Action, BucketFile, Caller, Effect, Fault, FaultCode, Files, ModelUse, Queries, Sessions, Toolset,
    VersionId, Versions,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// The tool's arguments.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Input {
    /// IFC2X3, IFC4 or IFC4X3.
    #[schemars(extend("x-seldom" = true))]
    schema_version: Option<String>,
    /// Model view definition; not written yet, refused.
    #[schemars(extend("x-seldom" = true))]
    mvd: Option<String>,
    /// .ifc on this machine, where nothing is yet; without it a link.
    #[schemars(extend("x-seldom" = true))]
    file_path: Option<String>,
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
}

/// The tool.
pub fn tool() -> Tool {
    Tool::platform("export_ifc", Effect::Query, |platform, input| Box::pin(run(platform, input)))
        .action(Action::Export)
        .title("Export IFC")
        .description(
            "Writes the model as an IFC file, to file_path or as a link. With another schema_version converted; report \
             says what that cannot hold.",
        )
        .toolset(Toolset::Documentation)
        .toolset(Toolset::Code)
        .model(ModelUse::Current)
        .side_effects()
        .example("By name", json!({ "model_id": "Duplex" }))
        .example("To a file", json!({ "file_path": "house-2x3.ifc", "schema_version": "IFC2X3" }))
        .example("For a program that reads IFC2X3", json!({ "schema_version": "IFC2X3" }))
}

async fn run(
    platform: &(impl Caller + Files + Queries + Sessions + Versions + ?Sized),
    input: Input,
) -> Result<Reply<Output>, Fault> {
    if let Some(mvd) = &input.mvd {
        let problem = format!(
            "A file is not checked against or cut to a view definition yet, so that it cannot be written as {mvd}. Leave `mvd` out: the \
             file keeps the one that it names."
        );
        return Err(Fault::new(FaultCode::NotSupported, problem).with("field", "mvd"));
    }
    let model = platform.current_model().await?;
    let version = platform.current_version().await?;
    let own = model_summary::schema_of(&platform.query(model_summary::operation()).await?.result)?;
    let wanted = match &input.schema_version {
        Some(wanted) => family(wanted).ok_or_else(|| unknown(wanted))?,
        None => family(&own).unwrap_or_default(),
    };
    let path = format!("/bucket/{}/{version}", model.model_id);
    let (file, schema_version, converted, report, link) = if family(&own) == Some(wanted) || wanted.is_empty()
    {
        let file = platform.materialise(&model.model_id, &version).await?;
        (file, own, None, Vec::new(), platform.address_of(&path))
    } else {
        let convert = Convert::to(wanted).operation();
        let report = Convert::to(wanted).report().operation();
        let made = Convert::answer(&platform.derived_value(&report.key_on(&version), report).await?)?;
        let file = platform.derived_file(&convert.key_on(&version), convert).await?;
        let report = lines(&made);
        (
            file,
            wanted.to_owned(),
            Some(made.counts),
            report,
            platform.address_of(&format!("{path}?schema={wanted}")),
        )
    };
    let written = match &input.file_path {
        Some(path) => Some(platform.export_file(&file, "file_path", path, "ifc").await?),
        None => None,
    };
    let file_path = written.map(|path| path.display().to_string());
    let is_linked = file_path.is_none();
    let BucketFile { sha256, size, .. } = file;
    let reply = Reply::new(Output { version, schema_version, file_path, sha256, size, converted, report });
    Ok(if is_linked { reply.link("Download", link) } else { reply })
}

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
