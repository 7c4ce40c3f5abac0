//! A model asked by SPARQL, as a graph of Building Topology Ontology, IFC terms, properties and ways.

use crate::answer_room::fit;
use crate::opened::OpenVersion;
use crate::{IfcCall, Tool};
use contract::{Effect, Fault, Watch};
use graph::{Answer, Dataset, Graph, Limits, Outcome, Surroundings, Vocabulary, query};
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
            Ok(answered(query(&dataset, sparql, &limits, &*watch)?))
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

fn answered(answer: Answer) -> Output {
    let table = answer.table();
    let mut output = Output { truncated: answer.is_truncated, notes: answer.notes, ..Output::default() };
    match answer.outcome {
        Outcome::Rows { variables, .. } => {
            output.variables = variables;
            output.rows = Some(table);
        }
        Outcome::Truth(truth) => output.answer = Some(truth),
        Outcome::Triples(_) => output.triples = Some(table),
    }
    for rows in [&mut output.rows, &mut output.triples].into_iter().flatten() {
        output.truncated |= fit(rows, BUDGET) > 0;
    }
    output
}

/// The classes and predicates in use, the most frequent first.
fn terms(dataset: &Dataset, part: &str, limit: usize, watch: &dyn Watch) -> Result<Output, Fault> {
    let vocabulary = Vocabulary::of_graph(dataset, 0, watch)?;
    let wanted = part.to_lowercase();
    let classes = vocabulary.classes.iter().map(|used| (&used.name, used.count, &used.example));
    let predicates = vocabulary.predicates.iter().map(|used| (&used.name, used.count, &used.example));
    let mut found: Vec<_> =
        classes.chain(predicates).filter(|(name, ..)| name.to_lowercase().contains(&wanted)).collect();
    found.sort_by_key(|(_, count, _)| std::cmp::Reverse(*count));
    let truncated = found.len() > limit;
    let terms: Vec<Value> = found.into_iter().take(limit).map(|term| json!(term)).collect();
    let notes = if terms.is_empty() {
        vec![format!("No class and no predicate in use has {part:?} in its name.")]
    } else {
        Vec::new()
    };
    Ok(Output { terms, truncated, notes, ..Output::default() })
}
