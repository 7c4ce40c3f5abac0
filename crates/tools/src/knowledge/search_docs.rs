//! Documentation by words.

use crate::documentation_index::{index, manuals, version_of_index};
use crate::energy_objects::schema_of;
use crate::energy_results::{BUDGET, fit};
use crate::{EnergyCall, Tool};
use contract::{Condition, Effect, Fault, Server};
use energy::docs::{Section, section};
use energy::schema::Schema;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Characters of a section that a hit shows.
const SHOWN: usize = 200;

/// The tool's arguments.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Input {
    /// Words.
    #[schemars(extend("x-seldom" = true))]
    query: String,
    /// Version of EnergyPlus; without it the model's.
    #[schemars(extend("x-seldom" = true))]
    version: Option<String>,
    /// Only this document or group.
    #[schemars(extend("x-seldom" = true))]
    tags: Option<String>,
    /// Only the schema, or only the manuals.
    corpus: Option<Corpus>,
    /// At most 20.
    #[schemars(extend("default" = 5, "minimum" = 1, "maximum" = 20, "x-seldom" = true))]
    limit: Option<usize>,
}

/// The documents to search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Corpus {
    /// Types of objects with their fields.
    Schema,
    /// The documentation that the operator gave.
    Docs,
}

/// A section.
#[derive(Debug, Serialize, JsonSchema)]
struct Hit {
    /// For get_doc_section.
    location: String,
    title: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    path: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tags: Vec<String>,
    /// Its beginning.
    text: String,
    /// 1 is the best of its kind.
    score: f64,
}

/// The sections, the best first.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    query: String,
    version: String,
    count: usize,
    results: Vec<Hit>,
    #[serde(skip_serializing_if = "Option::is_none")]
    notice: Option<String>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::energy("search_docs", Effect::Query, run)
        .also_on(Server::Energy)
        .description("EnergyPlus documentation by words: object types, fields, notes, manuals. get_doc_section reads on.")
        .in_terms_of_model("version")
        .file(manuals("version", Condition::is("corpus", "docs")))
        .example("On infiltration", json!({"query": "infiltration air changes per hour"}))
}

fn run(call: &mut EnergyCall<'_>, input: Input) -> Result<Output, Fault> {
    if input.query.trim().is_empty() {
        return Err(Fault::invalid("query", "Give at least one word."));
    }
    let limit = crate::input::limit(input.limit, 5, 20)?;
    let tag = input.tags.as_deref().map(str::trim).filter(|tag| !tag.is_empty());
    let index = index(call)?;
    let mut hits: Vec<Hit> = Vec::new();
    let mut notice = None;
    let schema = match schema_of(&call.document, input.version.as_deref()) {
        Ok(schema) => Some(schema),
        // manuals of a version may be given whose schema is not here
        Err(fault) if index.is_none() || input.corpus == Some(Corpus::Schema) => return Err(fault),
        Err(_) => None,
    };
    if let Some(schema) = schema.as_deref().filter(|_| input.corpus != Some(Corpus::Docs)) {
        let found = schema.search(&input.query, if tag.is_some() { 1_000 } else { limit });
        let best = found.first().map_or(1.0, |hit| hit.score);
        let found = found.into_iter().map(|hit| hit_of(&section(schema, hit.object), hit.score / best));
        hits.extend(
            found
                .filter(|hit| tag.is_none_or(|tag| hit.tags.iter().any(|own| own.eq_ignore_ascii_case(tag))))
                .take(limit),
        );
    }
    let own = schema.as_deref().map(Schema::short_version);
    match &index {
        Some(index) if input.corpus != Some(Corpus::Schema) => {
            let found = index.search(&input.query, tag, limit);
            let best = found.first().map_or(1.0, |(score, _)| *score);
            hits.extend(found.into_iter().map(|(score, section)| hit_of(section, score / best)));
            let other = version_of_index(call).filter(|of_index| own.is_some_and(|own| own != *of_index));
            notice = other.map(|other| format!("The manuals searched are of EnergyPlus {other}."));
        }
        None if input.corpus == Some(Corpus::Docs) => {
            notice = Some("No manuals of this version are given here (setting docs_dir); corpus=schema has the schema's own texts.".to_owned());
        }
        _ => {}
    }
    hits.sort_by(|a, b| b.score.total_cmp(&a.score));
    hits.truncate(limit);
    fit(&mut hits, BUDGET);
    let version = own.map(str::to_owned).or(input.version).unwrap_or_default();
    Ok(Output { query: input.query, version, count: hits.len(), results: hits, notice })
}

fn hit_of(section: &Section, score: f64) -> Hit {
    Hit {
        location: section.location.clone(),
        title: section.title.clone(),
        path: section.path.clone(),
        tags: section.tags.clone(),
        text: section.text.chars().take(SHOWN).collect(),
        score: (score * 1e4).round() / 1e4,
    }
}
