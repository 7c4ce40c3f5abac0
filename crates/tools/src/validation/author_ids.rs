//! Requirements in plain JSON as a valid document of the Information Delivery Specification (IDS 1.0), or such a document made of a model
//! that meets it.

use crate::opened::file_stem;
use crate::requirements::{Asked, Authoring};
use crate::schema_name::SchemaName;
use crate::{IfcCall, Tool};
use contract::{Effect, Fault, Toolset};
use ifc::SchemaVersion;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use validation::ids::{self, Document, Info, Problem};

/// Letters of a document that are answered as text.
const LONGEST: usize = 12_000;
/// Specifications of one document at most.
const MOST: usize = 500;

/// The tool's arguments.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Input {
    /// Each {applies_to: [conditions] or class, must: [conditions], name?, occurs? (optional; required, prohibited)}. A condition is one of class
    /// (with predefined_type?), attribute, property ("Set.Property", type?), material (true: any), classification (its system), part_of
    /// (class, relation?); with value? (one, a list, or {min, max, above, below, pattern, min_length, max_length}; SI units) and, in must,
    /// cardinality? (required; optional, prohibited), instructions?.
    #[schemars(with = "Option<Vec<serde_json::Map<String, serde_json::Value>>>")]
    requirements: Option<Vec<Asked>>,
    /// Instead: an IDS that this model meets.
    #[serde(default)]
    from_model: bool,
    /// Of the file.
    #[schemars(extend("default" = "Requirements"))]
    title: Option<String>,
    /// Address of electronic mail.
    #[schemars(extend("x-seldom" = true))]
    author: Option<String>,
    /// Schemas that it is for: IFC2X3, IFC4, IFC4X3; by default the model's.
    #[schemars(extend("x-seldom" = true))]
    schemas: Option<Vec<SchemaName>>,
}

/// The document.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    specifications: usize,
    requirements: usize,
    /// The text, where it is short; the file has it in any case.
    #[serde(skip_serializing_if = "Option::is_none")]
    ids: Option<String>,
    /// Contradictions with the published property sets.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::ifc("author_ids", Effect::Query, run)
        .title("IDS of requirements")
        .toolset(Toolset::Exchange)
        .makes_files()
        .description(
            "Writes an IDS 1.0 file of requirements, or one that this model meets, to hold others to. check_ids checks it.",
        )
        .example(
            "Fire ratings of external walls",
            json!({ "requirements": [{
                "applies_to": [{ "class": "IfcWall" }, { "property": "Pset_WallCommon.IsExternal", "value": true }],
                "must": [{ "property": "Pset_WallCommon.FireRating", "value": ["EI30", "EI60"] }, { "attribute": "Name" }]
            }] }),
        )
        .example(
            "Doors have names",
            json!({ "requirements": [{ "applies_to": "IfcDoor", "must": { "attribute": "Name" } }] }),
        )
        .example("An IDS that the model meets", json!({ "from_model": true, "title": "As built" }))
}

fn run(call: &mut IfcCall, input: Input) -> Result<Output, Fault> {
    let model = call.edit.model().clone();
    let title = input.title.unwrap_or_else(|| "Requirements".to_owned());
    if title.trim().is_empty() {
        return Err(Fault::invalid("title", "Give `title` some letters, or leave it out."));
    }
    let schemas: Vec<SchemaVersion> = match &input.schemas {
        None => vec![model.schema().version()],
        Some(given) if given.is_empty() => {
            return Err(Fault::invalid("schemas", "Name at least one schema, or leave `schemas` out."));
        }
        Some(given) => SchemaVersion::ALL
            .into_iter()
            .filter(|version| given.iter().any(|name| name.version() == *version))
            .collect(),
    };
    let mut document = match (&input.requirements, input.from_model) {
        (Some(_), true) => {
            return Err(Fault::invalid(
                "from_model",
                "Give either `requirements` or `from_model`, not both.",
            ));
        }
        (None, true) => {
            if schemas != [model.schema().version()] {
                let problem = "An IDS made of the model is for its schema; leave `schemas` out.";
                return Err(Fault::invalid("schemas", problem));
            }
            let document = ids::from_model(&model, &title);
            if document.specifications.is_empty() {
                let problem =
                    "The model has no elements that requirements could be made of; give `requirements`.";
                return Err(Fault::invalid("from_model", problem));
            }
            document
        }
        (Some(asked), false) if (1..=MOST).contains(&asked.len()) => {
            let mut authoring = Authoring::new(&schemas);
            let specifications = asked.iter().enumerate().map(|(at, own)| authoring.specification(at, own));
            let specifications = specifications.collect::<Result<_, _>>()?;
            call.assumed.append(&mut authoring.assumed);
            Document { info: Info { title: title.clone(), ..Info::default() }, specifications }
        }
        (Some(_), false) => {
            return Err(Fault::invalid("requirements", format!("Give from 1 to {MOST} requirements.")));
        }
        (None, false) => {
            let problem = "Give `requirements`, or `from_model` true for an IDS that this model meets.";
            return Err(Fault::invalid("requirements", problem));
        }
    };
    document.info.author = input.author;
    let text = ids::written(&document);
    let reading = ids::read(text.as_bytes())
        .map_err(|problem| Fault::invalid("requirements", format!("{problem}.")))?;
    let audit = reading.document.audit();
    if let Some(problem) = reading.structure.iter().chain(&audit).find(|problem| problem.blocks) {
        let at = document
            .specifications
            .iter()
            .zip(&reading.document.specifications)
            .rev()
            .find(|(_, read)| read.place <= problem.place)
            .map(|(own, _)| format!(" (in \"{}\")", own.name))
            .unwrap_or_default();
        let field = if reading.structure.is_empty() { "requirements" } else { "author" };
        return Err(Fault::invalid(field, format!("{}{at}; {}.", problem.message, problem.remedy)));
    }
    let name = format!("{}.ids", file_stem(&title));
    call.make_file("ids", &name, "application/xml", &mut |out| out.write_all(text.as_bytes()))?;
    Ok(Output {
        specifications: document.specifications.len(),
        requirements: document.specifications.iter().map(|own| own.requirements.len()).sum(),
        notes: notes(&audit),
        ids: (text.chars().count() <= LONGEST).then_some(text),
    })
}

/// Each problem once, with how often it is there.
fn notes(problems: &[Problem]) -> Vec<String> {
    let mut counts: Vec<(String, usize)> = Vec::new();
    for own in problems {
        let text = format!("{}; {}", own.message, own.remedy);
        match counts.iter_mut().find(|(known, _)| *known == text) {
            Some((_, count)) => *count += 1,
            None => counts.push((text, 1)),
        }
    }
    let told = |(text, count): (String, usize)| {
        if count == 1 { format!("{text}.") } else { format!("{text} ({count} times).") }
    };
    let more = counts.len().saturating_sub(20);
    let mut notes: Vec<String> = counts.into_iter().take(20).map(told).collect();
    if more > 0 {
        notes.push(format!("… and {more} more."));
    }
    notes
}
