//! One section of the documentation, whole or in parts.

use crate::library::{self, Asked};
use crate::{EnergyCall, IfcCall, Tool, parse};
use contract::{Effect, Fault, FaultCode, Server};
use energy::docs;
use knowledge::corpora::names::ENERGYPLUS;
use knowledge::{Filter, Section};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Characters that one answer has at most: an answer stays within what is passed on.
const MOST: usize = 15_000;
/// Addresses that are told where none is called so.
const NEAR: usize = 5;

/// The tool's arguments.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Input {
    /// As search_docs answers it.
    location: String,
    /// Version of EnergyPlus; without it the model's.
    #[schemars(extend("x-seldom" = true))]
    version: Option<String>,
    /// Characters.
    #[schemars(extend("default" = 8000, "minimum" = 1, "maximum" = MOST, "x-seldom" = true))]
    max_length: Option<usize>,
    /// Characters to skip.
    #[schemars(extend("x-seldom" = true))]
    offset: Option<usize>,
}

/// The parameters that a call of the tool's own may have.
const KNOWN: [&str; 4] = ["location", "version", "max_length", "offset"];

/// The section.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    location: String,
    title: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    path: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tags: Vec<String>,
    text: String,
    /// Of EnergyPlus.
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<String>,
    /// Of IFC: those that it is true for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    versions: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    page: Option<u32>,
    truncated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    notice: Option<&'static str>,
    /// The offset at which the rest begins.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_offset: Option<usize>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::ifc("get_doc_section", Effect::Query, of_building)
        .any_kind()
        .also_on(Server::Energy)
        .with_energy(of_energy_model)
        .description("One section that search_docs found, or `schema/` and an EnergyPlus type.")
        .in_terms_of_model("version")
        .file(library::collections())
        .file(library::api())
        .file(library::manuals("version", Vec::new()))
        .example("On a type", json!({"location": "schema/ZoneInfiltration:DesignFlowRate"}))
        .example("On a class", json!({"location": "ifc/IfcDoor", "max_length": 600}))
}

fn of_building(call: &mut IfcCall, input: Input) -> Result<Output, Fault> {
    let asked = Asked {
        library: &call.library,
        files: &call.files,
        document: None,
        version: input.version.as_deref(),
    };
    run(&asked, &input)
}

fn of_energy_model(call: &mut EnergyCall<'_>, arguments: Value) -> Result<Value, Fault> {
    let input: Input = parse(arguments, &KNOWN.map(str::to_owned))?;
    let asked = Asked {
        library: call.library,
        files: call.files,
        document: Some(&call.document),
        version: input.version.as_deref(),
    };
    serde_json::to_value(run(&asked, &input)?)
        .map_err(|error| Fault::backend(format!("The answer cannot be written: {error}.")))
}

fn run(asked: &Asked<'_>, input: &Input) -> Result<Output, Fault> {
    let length = crate::input::bounded("max_length", input.max_length, 8_000, [1, MOST])?;
    let location = library::told(input.location.trim());
    let found = match location.strip_prefix(docs::SCHEMA) {
        Some(name) => of_type(asked, name)?,
        None => of_index(asked, location)?,
    };
    let Some(found) = found else { return Err(unknown(asked, location)?) };
    let skip = input.offset.unwrap_or(0);
    let text: String = found.text.chars().skip(skip).take(length).collect();
    let end = skip + text.chars().count();
    let truncated = found.text.chars().nth(end).is_some();
    let is_of_energyplus = found.corpus == ENERGYPLUS;
    Ok(Output {
        location: library::told(&found.location).to_owned(),
        title: found.title,
        path: found.path,
        tags: found.tags,
        text,
        version: if is_of_energyplus { found.versions.first().cloned() } else { None },
        versions: if is_of_energyplus { Vec::new() } else { found.versions },
        page: found.page,
        truncated,
        notice: found.location.starts_with(library::OF_USERS).then_some(library::QUOTED),
        next_offset: truncated.then_some(end),
    })
}

/// The section on a type of EnergyPlus, in the version that is meant.
fn of_type(asked: &Asked<'_>, name: &str) -> Result<Option<Section>, Fault> {
    let schema = asked.schema()?;
    Ok(schema.get(name).map(|about| {
        let own = docs::section(&schema, about);
        Section {
            corpus: ENERGYPLUS.to_owned(),
            location: own.location,
            title: own.title,
            path: own.path,
            tags: own.tags,
            text: own.text,
            versions: vec![schema.short_version().to_owned()],
            ..Section::default()
        }
    }))
}

fn of_index(asked: &Asked<'_>, location: &str) -> Result<Option<Section>, Fault> {
    let indexes = asked.indexes()?;
    for address in library::meant(location) {
        if let Some(found) = library::section(&indexes, &address)? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// The Fault of an address that nothing has, with those near it.
fn unknown(asked: &Asked<'_>, location: &str) -> Result<Fault, Fault> {
    let near: Vec<String> = if let Some(name) = location.strip_prefix(docs::SCHEMA) {
        let schema = asked.schema()?;
        schema.near(name, NEAR).into_iter().map(|name| format!("{}{name}", docs::SCHEMA)).collect()
    } else {
        // the last part of an address is most often a name
        let name = location.rsplit(['/', '#']).next().unwrap_or(location);
        let corpus = location.split('/').next().filter(|corpus| library::CORPORA.contains(corpus));
        let filter = Filter { corpora: corpus.map(str::to_owned).into_iter().collect(), ..Filter::default() };
        let shelves: Vec<_> = asked.indexes()?.into_iter().map(|index| (index, filter.clone())).collect();
        let searched = library::search(asked.library, &shelves, name, NEAR)?;
        searched.found.into_iter().map(|found| library::told(&found.hit.location).to_owned()).collect()
    };
    let shown: String = location.chars().take(200).collect();
    let message = format!("There is no section {shown:?}. Use search_docs to find one.");
    Ok(Fault::new(FaultCode::NotFound, message).with("field", "location").with("near_matches", near))
}
