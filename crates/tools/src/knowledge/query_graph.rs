//! A model asked by SPARQL: a building as a graph of Building Topology Ontology, IFC terms, properties, ways and findings; an EnergyPlus
//! model as one of its objects, findings and results. Or the whole graph as a file.

use crate::answer_room::fit;
use crate::energy_results::{database, errors};
use crate::graph_findings;
use crate::opened::{Edited, OpenVersion};
use crate::simulation::results_beside;
use crate::{EnergyCall, IfcCall, Tool, WriteFile, parse};
use contract::{Condition, Effect, Fault, Server, Watch};
use graph::energy::{EnergyDataset, EnergyGraph, RunResults};
use graph::{
    Answer, Asked, Dataset, Graph, Limits, Outcome, Source, Surroundings, Vocabulary, export, query,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::io;
use std::sync::Arc;

/// The role of the model itself.
const OWN: &str = "model";
/// The role of the other version.
const OTHER: &str = "other";
/// The name of the model's own graph.
const GRAPH: &str = "version:this";
/// The name of the other version's graph.
const OTHER_GRAPH: &str = "version:other";
/// The most rows of one answer.
const ROWS: usize = 1_000;
/// Terms that are listed.
const TERMS: usize = 120;
/// Bytes of rows in one answer, about.
const BUDGET: usize = 24_000;

/// The form of a file of triples.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
enum Export {
    Turtle,
    JsonLd,
}

impl Export {
    fn format(self) -> graph::Format {
        match self {
            Self::Turtle => graph::Format::Turtle,
            Self::JsonLd => graph::Format::JsonLd,
        }
    }

    /// Name and media type of the file.
    fn file(self) -> (&'static str, &'static str) {
        match self {
            Self::Turtle => ("graph.ttl", "text/turtle"),
            Self::JsonLd => ("graph.jsonld", "application/ld+json"),
        }
    }
}

/// The tool's arguments.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Input {
    /// SELECT, ASK, CONSTRUCT or DESCRIBE; prefixes are known.
    sparql: Option<String>,
    /// Instead: terms in use with this in their names; empty: the commonest.
    terms: Option<String>,
    /// Instead: the whole graph as a file.
    #[schemars(extend("x-seldom" = true))]
    export: Option<Export>,
    /// Rows.
    #[schemars(extend("default" = 100, "minimum" = 1, "maximum" = ROWS, "x-seldom" = true))]
    limit: Option<usize>,
    /// Another version, as GRAPH version:other.
    #[schemars(extend("x-seldom" = true))]
    other_version: Option<String>,
    /// Another model by id or name, as GRAPH version:other; `other_version` is then one of it.
    #[schemars(extend("x-seldom" = true))]
    other_model: Option<String>,
}

/// The parameters that a call of the tool's own may have.
const KNOWN: [&str; 6] = ["sparql", "terms", "export", "limit", "other_version", "other_model"];

/// The one thing that a call asks for.
enum Wish<'i> {
    Ask(&'i str),
    Terms(&'i str),
    Export(Export),
}

/// The rows, truth, triples, terms, or the file.
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
    /// Terms in use: name, count, an example, and the unit where there is one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "Vec<Vec<Value>>")]
    terms: Vec<Value>,
    /// The file of the graph.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<Made>,
    /// True where there is more.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    truncated: bool,
    /// Names that nothing in the model has, and the like.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

/// A file that was made; the link leads to it.
#[derive(Debug, Serialize, JsonSchema)]
struct Made {
    name: String,
    /// Bytes.
    size: u64,
    triple_count: u64,
}

/// The tool.
pub fn tool() -> Tool {
    let speaks_of_results = vec![Condition::contains("sparql", "result"), Condition::given("terms")];
    Tool::ifc("query_graph", Effect::Query, run)
        .title("Query graph")
        .description(
            "Asks the model by SPARQL, in SI units: bot:Space, bot:hasSpace, bot:containsElement; ifc:IfcWall, ifc:name, ifc:isTypedBy; \
             prop:Pset_WallCommon.FireRating; way:leadsTo, way:door; room:floorArea; check:Finding. EnergyPlus: ep:Zone, ep:zone_name, \
             ep:refersTo; result:EndUse. `terms` lists more.",
        )
        .any_kind()
        .also_on(Server::Energy)
        .with_energy(of_energy_model)
        .further_model(OTHER, "other_model", "other_version")
        .file(results_beside(speaks_of_results))
        .makes_files()
        .long()
        .example(
            "Rooms by area",
            json!({ "sparql": "SELECT ?name ?area { ?room a bot:Space ; ifc:name ?name ; room:floorArea ?area } ORDER BY DESC(?area) LIMIT 3" }),
        )
        .example("Terms on fire", json!({ "terms": "fire" }))
        .example(
            "Findings of the checks by rule",
            json!({ "sparql": "SELECT ?rule (COUNT(?f) AS ?n) { ?f a check:Finding ; check:rule ?rule } GROUP BY ?rule" }),
        )
        .example("The whole graph as Turtle", json!({ "export": "turtle" }))
}

impl Input {
    /// The one thing that is asked for.
    fn wish(&self) -> Result<Wish<'_>, Fault> {
        let sparql = self.sparql.as_deref().map(str::trim).filter(|sparql| !sparql.is_empty());
        match (sparql, self.terms.as_deref().map(str::trim), self.export) {
            (Some(sparql), None, None) => Ok(Wish::Ask(sparql)),
            (None, Some(part), None) => Ok(Wish::Terms(part)),
            (None, None, Some(export)) => Ok(Wish::Export(export)),
            (None, None, None) => Err(Fault::invalid(
                "sparql",
                "Give a query, such as SELECT ?name { ?wall a ifc:IfcWall ; ifc:name ?name }, `terms` to see what can be asked, or \
                 `export` for a file.",
            )),
            (_, Some(_), None) => Err(one_alone("terms")),
            _ => Err(one_alone("export")),
        }
    }

    fn has_other(&self) -> bool {
        self.other_version.is_some() || self.other_model.is_some()
    }

    /// Refuses what would do nothing.
    fn check(&self, wish: &Wish<'_>) -> Result<(), Fault> {
        let idle = |name: &str, with: &str| {
            Err(Fault::invalid(name, format!("`{name}` does nothing beside `{with}`. Leave it out.")))
        };
        match wish {
            Wish::Export(_) if self.limit.is_some() => idle("limit", "export"),
            Wish::Export(_) if self.other_version.is_some() => idle("other_version", "export"),
            Wish::Export(_) if self.other_model.is_some() => idle("other_model", "export"),
            Wish::Terms(_) if self.other_version.is_some() => idle("other_version", "terms"),
            Wish::Terms(_) if self.other_model.is_some() => idle("other_model", "terms"),
            _ => Ok(()),
        }
    }
}

fn one_alone(field: &str) -> Fault {
    Fault::invalid(field, "Give one of `sparql`, `terms` and `export`, and leave the others out.")
}

fn run(call: &mut IfcCall, input: Input) -> Result<Output, Fault> {
    let wish = input.wish()?;
    input.check(&wish)?;
    let mut graphs = vec![graph_of(call, OWN, GRAPH)?];
    if input.has_other() {
        graphs.push(graph_of(call, OTHER, OTHER_GRAPH)?);
    }
    let dataset = Dataset::new(graphs)?;
    let watch = Arc::clone(&call.watch);
    answered(&dataset, &wish, input.limit, &*watch, &mut |name, media_type, write| {
        call.make_file("graph", name, media_type, write)?;
        Ok(call.made.last().map_or(0, |made| made.size))
    })
}

fn of_energy_model(call: &mut EnergyCall<'_>, arguments: Value) -> Result<Value, Fault> {
    let input: Input = parse(arguments, &KNOWN.map(str::to_owned))?;
    let wish = input.wish()?;
    input.check(&wish)?;
    let mut notes = Vec::new();
    // the files of a run come along where the query speaks of results and there was one
    let results = if call.files.iter().any(|file| file.role == "results") {
        if errors(call).is_some_and(|report| report.summary(1).fatal > 0) {
            notes.push(
                "The latest simulation ended on a fatal error; what it wrote before is of little use."
                    .to_owned(),
            );
        }
        let zones: Vec<String> = call.document.of_type("Zone").map(|zone| zone.name().to_owned()).collect();
        Some(RunResults::read(&database(call)?, &zones)?)
    } else {
        None
    };
    let mut graphs = vec![EnergyGraph::new(GRAPH, call.document.clone()).with_results(results)];
    if input.has_other() {
        let other = call.further.get(OTHER).ok_or_else(absent)?;
        graphs.push(EnergyGraph::new(OTHER_GRAPH, other.clone()));
    }
    let dataset = EnergyDataset::new(graphs)?;
    let watch = Arc::clone(&call.watch);
    let mut output = answered(&dataset, &wish, input.limit, &*watch, &mut |name, media_type, write| {
        let file = (call.make_file)("graph", name, media_type, write)?;
        let size = file.size;
        call.made.push(file);
        Ok(size)
    })?;
    output.notes.splice(0..0, notes);
    serde_json::to_value(output)
        .map_err(|error| Fault::backend(format!("The answer cannot be written: {error}.")))
}

fn absent() -> Fault {
    Fault::invalid("other_model", "A model of another kind has no graph beside this one.")
}

/// The graph of a version, whose rooms, shapes and findings are those that its worker keeps.
fn graph_of(call: &IfcCall, role: &str, name: &str) -> Result<Graph, Fault> {
    let version = Arc::clone(call.versions.get(role).ok_or_else(absent)?);
    let version: Arc<dyn OpenVersion> = if role == OWN && !call.edit.is_empty() {
        Arc::new(Edited::new(version, call.edit.model().clone()))
    } else {
        version
    };
    let model = version.model().clone();
    let (watch, again): (Arc<dyn Watch>, Arc<dyn Watch>) = (Arc::clone(&call.watch), Arc::clone(&call.watch));
    let checked = Arc::clone(&version);
    let make = move || Ok(Surroundings { layout: version.layout(&*watch)?, index: version.index(&*watch)? });
    // versions of one model share the names of their elements
    let graph = Graph::with_surroundings(name, "urn:pensaer:element:", model, Arc::new(make))?;
    Ok(graph.with_findings(Arc::new(move || graph_findings::findings(&*checked, &*again))))
}

/// Makes a file of this name and media type, and returns its size.
type MakeGraphFile<'a> = &'a mut dyn FnMut(&str, &str, WriteFile<'_>) -> Result<u64, Fault>;

fn answered(
    dataset: &dyn Source,
    wish: &Wish<'_>,
    limit: Option<usize>,
    watch: &dyn Watch,
    make: MakeGraphFile<'_>,
) -> Result<Output, Fault> {
    let limit = crate::input::limit(limit, 100, ROWS)?;
    match wish {
        Wish::Ask(sparql) => {
            let limits = Limits { rows: limit, ..Limits::default() };
            Ok(told(query(dataset, sparql, &limits, watch)?))
        }
        Wish::Terms(part) => terms(dataset, part, limit.min(TERMS), watch),
        Wish::Export(format) => exported(dataset, *format, watch, make),
    }
}

fn told(answer: Answer) -> Output {
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

/// The whole graph of the version as a file.
fn exported(
    dataset: &dyn Source,
    format: Export,
    watch: &dyn Watch,
    make: MakeGraphFile<'_>,
) -> Result<Output, Fault> {
    let (name, media_type) = format.file();
    let mut written: Option<Result<u64, Fault>> = None;
    let made = make(name, media_type, &mut |out| {
        let outcome = export(dataset, 0, format.format(), out, watch);
        let is_done = outcome.is_ok();
        written = Some(outcome);
        if is_done { Ok(()) } else { Err(io::ErrorKind::Interrupted.into()) }
    });
    let triple_count = match written {
        Some(outcome) => outcome?,
        None => 0,
    };
    let file = Made { name: name.to_owned(), size: made?, triple_count };
    Ok(Output { file: Some(file), ..Output::default() })
}

/// The classes and predicates in use, the most frequent first.
fn terms(dataset: &dyn Source, part: &str, limit: usize, watch: &dyn Watch) -> Result<Output, Fault> {
    let wanted = part.to_lowercase();
    // findings and results take time to make: they are looked at where they are named, or nothing else has such a name
    let named = Asked { findings: wanted.starts_with("check"), results: wanted.starts_with("result") };
    let mut found = terms_within(dataset, &wanted, named, watch)?;
    if found.is_empty() && named == Asked::default() {
        found = terms_within(dataset, &wanted, Asked { findings: true, results: true }, watch)?;
    }
    found.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
    let truncated = found.len() > limit;
    let terms: Vec<Value> = found.into_iter().take(limit).map(|(_, term)| term).collect();
    let notes = if terms.is_empty() {
        vec![format!("No class and no predicate in use has {part:?} in its name.")]
    } else {
        Vec::new()
    };
    Ok(Output { terms, truncated, notes, ..Output::default() })
}

/// The terms whose names contain a text, each with its count.
fn terms_within(
    dataset: &dyn Source,
    wanted: &str,
    asked: Asked,
    watch: &dyn Watch,
) -> Result<Vec<(u64, Value)>, Fault> {
    let vocabulary = Vocabulary::of_graph(dataset, 0, asked, watch)?;
    let classes = vocabulary.classes.iter().map(|used| (&used.name, used.count, &used.example, None));
    let predicates =
        vocabulary.predicates.iter().map(|used| (&used.name, used.count, &used.example, used.unit.as_ref()));
    let named = classes.chain(predicates).filter(|(name, ..)| name.to_lowercase().contains(wanted));
    let term = |(name, count, example, unit): (&String, u64, &String, Option<&String>)| {
        let mut term = vec![json!(name), json!(count), json!(example)];
        term.extend(unit.map(|unit| json!(unit)));
        (count, Value::from(term))
    };
    Ok(named.map(term).collect())
}
