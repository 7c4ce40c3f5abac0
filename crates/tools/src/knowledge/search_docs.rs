//! Documentation by words: the standard, the rules, EnergyPlus, the tools and guides.

use crate::energy_results::{BUDGET, fit};
use crate::library::{self, Asked};
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
    /// `energyplus`, `ifc`, `rules`, `tools`, `guides`, `documents`, `all`, …
    corpus: Option<String>,
    /// At most 20.
    #[schemars(extend("default" = 5, "minimum" = 1, "maximum" = 20, "x-seldom" = true))]
    limit: Option<usize>,
}

/// The parameters that a call of the tool's own may have.
const KNOWN: [&str; 5] = ["query", "version", "tags", "corpus", "limit"];

/// A section.
#[derive(Debug, Serialize, JsonSchema)]
struct Hit {
    /// For get_doc_section.
    location: String,
    title: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    path: Vec<String>,
    /// Where the words stand in it.
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
        .description("Documentation by words: IFC, rules, EnergyPlus, tools, your documents. get_doc_section reads on.")
        .in_terms_of_model("version")
        .file(library::collections())
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
    let found = asked.shelves(input.corpus.as_deref(), &tags)?;
    let (hits, corrections) = library::search(&found.indexes, query, limit)?;
    let mut notices = found.notices;
    for correction in corrections {
        let written = correction.written;
        notices.push(match correction.taken.as_slice() {
            [] => format!("Nothing has the word {written:?}."),
            taken => format!("Nothing has the word {written:?}: {} was asked for.", taken.join(", ")),
        });
    }
    let mut results: Vec<Hit> = hits
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
        count: results.len(),
        results,
        notices,
    })
}
