//! Objects by a word in their names or values.

use crate::energy_objects::{BUDGET, type_of};
use crate::{EnergyCall, Tool};
use contract::{Effect, Fault};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// The tool's arguments.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Input {
    /// Parts of a name or value.
    #[schemars(extend("x-seldom" = true))]
    query: String,
    /// Only objects of this type.
    #[schemars(extend("x-seldom" = true))]
    object_type: Option<String>,
    /// At most as many.
    #[schemars(extend("default" = 20, "minimum" = 1, "maximum" = 500, "x-seldom" = true))]
    limit: Option<usize>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Found {
    object_type: String,
    name: String,
    /// The field it occurs in, and its value; neither where it is in the name.
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<String>,
}

/// Objects whose name answers first, then those with a value that does.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    objects: Vec<Found>,
    total: usize,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::energy("search_objects", Effect::Query, run)
        .description("Objects of the model with all these words in their name, or in one of their values; names first.")
        .example("Whatever is called attic", json!({"query": "attic"}))
}

/// A text in lower case, with a space for each of the marks that stand between words.
fn plain(text: &str) -> String {
    let mark = |c: char| if c == '_' || c == '-' || c == '*' || c.is_whitespace() { ' ' } else { c };
    text.chars().map(mark).collect::<String>().to_lowercase()
}

fn run(call: &mut EnergyCall<'_>, input: Input) -> Result<Output, Fault> {
    let document = &call.document;
    let query = plain(&input.query);
    let words: Vec<&str> = query.split(' ').filter(|word| !word.is_empty()).collect();
    if words.is_empty() {
        return Err(Fault::invalid("query", "Give a part of a name or value."));
    }
    if let Some(name) = &input.object_type {
        type_of(document.schema(), name)?;
    }
    let limit = crate::input::limit(input.limit, 20, 500)?;
    let mut found = Vec::new();
    for object in document.objects() {
        if input
            .object_type
            .as_ref()
            .is_some_and(|wanted| !wanted.trim().eq_ignore_ascii_case(object.type_name()))
        {
            continue;
        }
        let hit = object.fields().find(|field| {
            let value = plain(field.value);
            words.iter().all(|word| value.contains(word))
        });
        found.extend(hit.map(|hit| (hit.position > 0 || !object.is_named(), object, hit)));
    }
    found.sort_by_key(|(by_value, _, _)| *by_value);
    let total = found.len();
    let mut spent = 0;
    let objects = found.into_iter().take(limit).map(|(by_value, object, hit)| Found {
        object_type: object.type_name().to_owned(),
        name: object.label(),
        field: by_value.then(|| hit.name()),
        value: by_value.then(|| hit.value.to_owned()),
    });
    let within = objects.take_while(|row| {
        let value = row.value.as_ref().map_or(0, String::len);
        spent += row.object_type.len() + row.name.len() + value + 80;
        spent < BUDGET
    });
    Ok(Output { objects: within.collect(), total })
}
