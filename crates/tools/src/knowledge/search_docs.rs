//! Documentation searched, by words and by meaning: the standard, the rules, EnergyPlus, the tools and guides.

use crate::energy_results::{BUDGET, fit};
use crate::library::{self, Asked, Searched};
use crate::{EnergyCall, IfcCall, Tool, parse};
use contract::{Condition, Effect, Fault, Server};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The tool's arguments.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Input {
    /// Words, English or German.
    #[schemars(extend("x-seldom" = true))]
    query: String,
    /// Of IFC or EnergyPlus; without it the model's.
    #[schemars(extend("x-seldom" = true))]
    version: Option<String>,
    /// Only this document or group.
    #[schemars(extend("x-seldom" = true))]
    tags: Option<String>,
    /// `energyplus`, `ifc`, `rules`, `tools`, `documents`, `all`, …
    corpus: Option<String>,
    /// At most 20.
    #[schemars(extend("default" = 5, "minimum" = 1, "maximum" = 20, "x-seldom" = true))]
    limit: Option<usize>,
    /// Instead of passages, whole sections in so many characters: what a task needs.
    #[schemars(extend("minimum" = SHORTEST, "maximum" = LONGEST, "x-seldom" = true))]
    max_length: Option<usize>,
}

/// Bounds of the characters of whole sections.
const SHORTEST: usize = 500;
const LONGEST: usize = 16_000;

/// The parameters that a call of the tool's own may have.
const KNOWN: [&str; 6] = ["query", "version", "tags", "corpus", "limit", "max_length"];

/// A section.
#[derive(Debug, Serialize, JsonSchema)]
struct Hit {
    /// For get_doc_section.
    location: String,
    title: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    path: Vec<String>,
    /// Where the words stand in it; the whole with `max_length`.
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    page: Option<u32>,
    /// 1 is the best.
    score: f64,
}

/// The sections, the best first.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    query: String,
    /// The corpora that were searched.
    corpora: Vec<String>,
    /// Of EnergyPlus.
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<String>,
    /// `words`; `words and meaning` where `pensaer backend install embeddings` was done.
    by: &'static str,
    count: usize,
    results: Vec<Hit>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notices: Vec<String>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::ifc("search_docs", Effect::Query, of_building)
        .any_kind()
        .also_on(Server::Energy)
        .with_energy(of_energy_model)
        .description("Searches IFC, rules, EnergyPlus, tools, your documents. get_doc_section reads on.")
        .in_terms_of_model("version")
        .file(library::collections())
        .file(library::api())
        .file(library::manuals("version", vec![Condition::is("corpus", "docs")]))
        .example(
            "On infiltration",
            json!({"query": "infiltration air changes per hour", "corpus": "energyplus"}),
        )
        .example(
            "A property by its German name",
            json!({"query": "Feuerwiderstandsklasse einer Tür", "corpus": "ifc"}),
        )
        .example("The tool for a task", json!({"query": "door schedule as a spreadsheet", "corpus": "tools"}))
        .example(
            "What a task needs",
            json!({"query": "fire ratings of the doors on the way out", "max_length": 4000}),
        )
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
    let query = input.query.trim();
    if query.is_empty() {
        return Err(Fault::invalid("query", "Give at least one word."));
    }
    let limit = crate::input::limit(input.limit, 5, 20)?;
    let tags: Vec<String> =
        input.tags.iter().map(|tag| tag.trim().to_owned()).filter(|tag| !tag.is_empty()).collect();
    if let Some(length) = input.max_length {
        if input.limit.is_some() {
            return Err(Fault::invalid("limit", "Give `limit` or `max_length`, not both."));
        }
        let length = crate::input::bounded("max_length", Some(length), length, [SHORTEST, LONGEST])?;
        return packed(asked, input, query, &tags, length);
    }
    let found = asked.shelves(input.corpus.as_deref(), &tags)?;
    let mut searched = library::search(asked.library, &found.indexes, query, limit)?;
    let mut notices = found.notices;
    notices.extend(told(&mut searched));
    let by = by(&searched);
    let mut results: Vec<Hit> = searched
        .found
        .into_iter()
        .map(|found| Hit {
            location: library::told(&found.hit.location).to_owned(),
            title: found.hit.title,
            path: found.hit.path,
            text: found.hit.snippet.text,
            page: found.hit.page,
            score: (found.share * 1e3).round() / 1e3,
        })
        .collect();
    if results.is_empty() && !tags.is_empty() {
        notices.push("Leave `tags` out to search all sections.".to_owned());
    }
    if results.iter().any(|hit| hit.location.starts_with(library::OF_USERS)) {
        notices.push(library::QUOTED.to_owned());
    }
    fit(&mut results, BUDGET);
    Ok(Output {
        query: query.to_owned(),
        corpora: found.corpora,
        version: found.energyplus,
        by,
        count: results.len(),
        results,
        notices,
    })
}

/// Words on a search: vectors that are missing, words that nothing has.
fn told(searched: &mut Searched) -> Vec<String> {
    let mut notices: Vec<String> = searched.notice.take().into_iter().collect();
    for correction in std::mem::take(&mut searched.corrections) {
        let written = correction.written;
        notices.push(match correction.taken.as_slice() {
            [] => format!("Nothing has the word {written:?}."),
            taken => format!("Nothing has the word {written:?}: {} was asked for.", taken.join(", ")),
        });
    }
    notices
}

fn packed(
    asked: &Asked<'_>,
    input: &Input,
    query: &str,
    tags: &[String],
    length: usize,
) -> Result<Output, Fault> {
    let mut pack = library::packed(asked, query, input.corpus.as_deref(), tags, length)?;
    let mut notices = pack.notices;
    notices.extend(told(&mut pack.searched));
    let hit = |own: library::Packed| Hit {
        location: library::told(&own.section.location).to_owned(),
        title: own.section.title,
        path: own.section.path,
        text: if own.is_cut { format!("{} …", own.section.text) } else { own.section.text },
        page: own.section.page,
        score: (own.share * 1e3).round() / 1e3,
    };
    let results: Vec<Hit> = pack.sections.into_iter().map(hit).collect();
    if results.iter().any(|hit| hit.location.starts_with(library::OF_USERS)) {
        notices.push(library::QUOTED.to_owned());
    }
    Ok(Output {
        query: query.to_owned(),
        corpora: pack.corpora,
        version: None,
        by: by(&pack.searched),
        count: results.len(),
        results,
        notices,
    })
}

/// The ways in which a search was done.
fn by(searched: &Searched) -> &'static str {
    if searched.by_meaning { "words and meaning" } else { "words" }
}
