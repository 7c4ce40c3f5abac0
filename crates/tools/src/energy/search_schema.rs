//! Types of objects by what they are about.

use crate::energy_objects::schema_of;
use crate::{EnergyCall, Tool};
use contract::{Effect, Fault};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Characters of a memo that are shown; describe_object_type has all.
const MEMO: usize = 110;
/// Fields of a type that are shown.
const FIELDS: usize = 3;

/// The tool's arguments.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Input {
    /// Words, such as `heat recovery effectiveness`.
    #[schemars(extend("x-seldom" = true))]
    query: String,
    /// Version of EnergyPlus; without it the model's.
    #[schemars(extend("x-seldom" = true))]
    version: Option<String>,
    /// At most as many.
    #[schemars(extend("default" = 10, "minimum" = 1, "maximum" = 50, "x-seldom" = true))]
    limit: Option<usize>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Found {
    object_type: String,
    group: String,
    memo: String,
    /// Fields in which the words occur, the best first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fields: Vec<String>,
}

/// The types, the best first.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    version: String,
    types: Vec<Found>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::energy("search_schema", Effect::Query, run)
        .description("EnergyPlus object types whose name, memo, fields, notes or units answer to the words, best first.")
        .in_terms_of_model("version")
        .example("What models infiltration", json!({"query": "infiltration air changes", "limit": 3}))
}

fn run(call: &mut EnergyCall<'_>, input: Input) -> Result<Output, Fault> {
    let schema = &*schema_of(&call.document, input.version.as_deref())?;
    if input.query.trim().is_empty() {
        return Err(Fault::invalid("query", "Give at least one word."));
    }
    let hits = schema.search(&input.query, crate::input::limit(input.limit, 10, 50)?);
    let types = hits.into_iter().map(|hit| Found {
        object_type: hit.object.name.to_string(),
        group: hit.object.group.to_string(),
        memo: beginning(&hit.object.memo),
        fields: hit.fields.iter().take(FIELDS).map(|field| field.key.to_string()).collect(),
    });
    Ok(Output { version: schema.version().to_owned(), types: types.collect() })
}

/// The beginning of a memo, to a whole word.
fn beginning(memo: &str) -> String {
    if memo.chars().count() <= MEMO {
        return memo.to_owned();
    }
    let cut: String = memo.chars().take(MEMO).collect();
    let whole = cut.rsplit_once(' ').map_or(cut.as_str(), |(whole, _)| whole);
    format!("{whole} …")
}
