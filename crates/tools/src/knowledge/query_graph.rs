//! A model asked by SPARQL, as a graph of Building Topology Ontology, IFC terms, properties and ways.

use crate::opened::OpenVersion;
use crate::{IfcCall, Tool};
use contract::{Effect, Fault, Watch};
use graph::{Dataset, Graph, Limits, Surroundings, Vocabulary, query};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::sync::Arc;

/// The role of the model itself.
const OWN: &str = "model";
/// The role of the other version.
const OTHER: &str = "other";
/// The name of the other version's graph.
const GRAPH: &str = "version:other";
/// The most rows of one answer.
const ROWS: usize = 1_000;
/// Terms that are listed.
const TERMS: usize = 120;
/// Bytes of rows in one answer, about.
const BUDGET: usize = 24_000;

/// The tool's arguments.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Input {
    /// SPARQL 1.1 that reads: SELECT, ASK, CONSTRUCT, DESCRIBE. Prefixes are known.
    sparql: Option<String>,
    /// Without `sparql`: classes and predicates in use whose names contain this; empty lists the commonest.
    terms: Option<String>,
    /// Rows.
    #[schemars(extend("default" = 100, "minimum" = 1, "maximum" = ROWS, "x-seldom" = true))]
    limit: Option<usize>,
    /// Another version, as GRAPH version:other.
    #[schemars(extend("x-seldom" = true))]
    other_version: Option<String>,
}

/// The rows, truth, triples or terms.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct Output {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    variables: Vec<String>,
    /// Of SELECT, a value for each variable; elements as `inst:` and their id.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Vec<Vec<Value>>>")]
    rows: Option<Vec<Value>>,
    /// Of ASK.
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<bool>,
    /// Of CONSTRUCT and DESCRIBE: subject, predicate, object.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Vec<Vec<Value>>>")]
    triples: Option<Vec<Value>>,
    /// Terms in use: name, count, and an example.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "Vec<Vec<Value>>")]
    terms: Vec<Value>,
    /// True where there is more.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    truncated: bool,
    /// Names that nothing in the model has, and the like.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::ifc("query_graph", Effect::Query, run)
        .title("Query graph")
        .description(
            "Asks the model by SPARQL: bot:Space, bot:hasSpace, bot:containsElement, bot:adjacentZone; ifc:IfcWall (subclasses included), \
             ifc:name, ifc:isTypedBy; prop:Pset_WallCommon.FireRating; way:leadsTo, way:door, way:outside; room:floorArea. SI units. \
             `terms` lists what there is.",
        )
        .further_version(OTHER, "other_version")
        .long()
        .example(
            "Rooms by area",
            json!({ "sparql": "SELECT ?name ?area { ?room a bot:Space ; ifc:name ?name ; room:floorArea ?area } ORDER BY DESC(?area) LIMIT 3" }),
        )
        .example("Terms on fire", json!({ "terms": "fire" }))
}

fn run(call: &mut IfcCall, input: Input) -> Result<Output, Fault> {
    let limit = crate::input::limit(input.limit, 100, ROWS)?;
    let mut graphs = vec![graph_of(call, OWN, "version:this")?];
    if input.other_version.is_some() {
        graphs.push(graph_of(call, OTHER, GRAPH)?);
    }
    let dataset = Dataset::new(graphs)?;
    let watch = Arc::clone(&call.watch);
    match (input.sparql.as_deref().map(str::trim), input.terms.as_deref().map(str::trim)) {
        (Some(sparql), None) if !sparql.is_empty() => {
            let limits = Limits { rows: limit, ..Limits::default() };
            Ok(answered(query(&dataset, sparql, &limits, &*watch)?.to_json()))
        }
        (None, Some(part)) => terms(&dataset, part, limit.min(TERMS), &*watch),
        (Some(_), Some(_)) => Err(Fault::invalid("terms", "Give `sparql` or `terms`, not both.")),
        _ => Err(Fault::invalid(
            "sparql",
            "Give a query, such as SELECT ?name { ?wall a ifc:IfcWall ; ifc:name ?name }, or `terms` to see what can be asked.",
        )),
    }
}

/// The graph of a version, whose rooms and shapes are those that its worker keeps.
fn graph_of(call: &IfcCall, role: &str, name: &str) -> Result<Graph, Fault> {
    let version = call
        .versions
        .get(role)
        .ok_or_else(|| Fault::invalid("other_version", "This version did not come with the call."))?;
    let version: Arc<dyn OpenVersion> = Arc::clone(version);
    let model = if role == OWN { call.edit.model().clone() } else { version.model().clone() };
    let watch: Arc<dyn Watch> = Arc::clone(&call.watch);
    let make = move || Ok(Surroundings { layout: version.layout(&*watch)?, index: version.index(&*watch)? });
    // versions of one model share the names of their elements
    Graph::with_surroundings(name, "urn:pensaer:element:", model, Arc::new(make))
}

fn answered(answer: Value) -> Output {
    let Value::Object(mut answer) = answer else { return Output::default() };
    let texts = |value: Option<Value>| -> Vec<String> {
        let Some(Value::Array(list)) = value else { return Vec::new() };
        list.into_iter().filter_map(|text| text.as_str().map(str::to_owned)).collect()
    };
    let list = |value: Option<Value>| match value {
        Some(Value::Array(list)) => Some(list),
        _ => None,
    };
    let mut output = Output {
        variables: texts(answer.remove("variables")),
        rows: list(answer.remove("rows")),
        answer: answer.get("answer").and_then(Value::as_bool),
        triples: list(answer.remove("triples")),
        truncated: answer.get("truncated").and_then(Value::as_bool).unwrap_or(false),
        notes: texts(answer.remove("notes")),
        ..Output::default()
    };
    for rows in [&mut output.rows, &mut output.triples].into_iter().flatten() {
        let mut spent = 0;
        let fits = rows.iter().take_while(|row| {
            spent += row.to_string().len();
            spent <= BUDGET
        });
        let fits = fits.count();
        if fits < rows.len() {
            rows.truncate(fits);
            output.truncated = true;
        }
    }
    output
}

/// The classes and predicates in use, the most frequent first.
fn terms(dataset: &Dataset, part: &str, limit: usize, watch: &dyn Watch) -> Result<Output, Fault> {
    let vocabulary = Vocabulary::of_graph(dataset, 0, watch)?;
    let vocabulary = vocabulary.to_json();
    let part = part.to_lowercase();
    let list = |name: &str| vocabulary.get(name).and_then(Value::as_array).cloned().unwrap_or_default();
    let mut all: Vec<(u64, Value)> = list("classes")
        .into_iter()
        .chain(list("predicates"))
        .filter_map(|term| {
            let name = term.get("name")?.as_str()?;
            let count = term.get("count").and_then(Value::as_u64).unwrap_or(0);
            let is_asked = name.to_lowercase().contains(&part);
            is_asked.then(|| (count, json!([name, count, term.get("example").cloned().unwrap_or_default()])))
        })
        .collect();
    all.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
    let truncated = all.len() > limit;
    let terms: Vec<Value> = all.into_iter().take(limit).map(|(_, term)| term).collect();
    let notes = if terms.is_empty() {
        vec![format!("No class and no predicate in use has {part:?} in its name.")]
    } else {
        Vec::new()
    };
    Ok(Output { terms, truncated, notes, ..Output::default() })
}
