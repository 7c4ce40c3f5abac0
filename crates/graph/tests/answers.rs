//! Questions about real models: the answers are those that IfcOpenShell gives (tests/python/graph_answers.py), and those that a store of
//! triples gives to the same queries over the graph written as Turtle.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails where it stands")]

use contract::Unwatched;
use energy::idf::Document;
use graph::energy::{EnergyDataset, EnergyGraph};
use graph::{Answer, Dataset, Format, Limits, Outcome, Source, export, query};
use ifc::Model;
use oxigraph::io::RdfFormat;
use oxigraph::sparql::{QueryResults, SparqlEvaluator};
use oxigraph::store::Store;
use serde_json::Value;
use std::collections::BTreeMap;
use std::time::Duration;

const BASE: &str = "https://pensaer.local/model/test/";

fn cases() -> BTreeMap<String, Vec<Value>> {
    let cases: Vec<Value> = serde_json::from_str(include_str!("queries.json")).unwrap();
    let mut by_model: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for case in cases {
        by_model.entry(case["model"].as_str().unwrap().to_owned()).or_default().push(case);
    }
    by_model
}

fn open(name: &str) -> Option<Dataset> {
    let path = testing::model(name)?;
    let (model, _) = Model::open(&path, &ifc::Limits::default()).unwrap();
    Some(Dataset::of_model(BASE, model).unwrap())
}

fn limits() -> Limits {
    Limits { rows: 10_000, time: Duration::from_secs(120), ..Limits::default() }
}

/// Rows as they stand in the file of questions: elements by GlobalId, sorted by their text.
fn rows(answer: &Answer) -> Value {
    let Outcome::Rows { rows, .. } = &answer.outcome else {
        return answer.to_json()["answer"].clone();
    };
    let cell = |cell: &Option<oxrdf::Term>| match cell {
        None => Value::Null,
        Some(term) => answer.global_id(term).map_or_else(|| answer.cell(term), Value::from),
    };
    let mut rows: Vec<Value> = rows.iter().map(|row| row.iter().map(cell).collect()).collect();
    rows.sort_by_key(texts);
    rows.into()
}

fn texts(row: &Value) -> Vec<String> {
    let text = |cell: &Value| cell.as_str().map_or_else(|| cell.to_string(), str::to_owned);
    row.as_array().map(|row| row.iter().map(text).collect()).unwrap_or_default()
}

fn same(one: &Value, other: &Value, tolerance: f64) -> bool {
    match (one, other) {
        (Value::Number(a), Value::Number(b)) => {
            let (a, b) = (a.as_f64().unwrap(), b.as_f64().unwrap());
            (a - b).abs() <= tolerance * a.abs().max(b.abs()).max(1e-9)
        }
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b, tolerance))
        }
        _ => one == other,
    }
}

#[test]
fn questions_about_real_models_are_answered_as_ifcopenshell_answers_them() {
    let (mut asked, mut wrong) = (0, Vec::new());
    for (model, cases) in cases() {
        let Some(dataset) = open(&model) else { return };
        for case in cases {
            let answer = query(&dataset, case["sparql"].as_str().unwrap(), &limits(), &Unwatched);
            let found = answer.as_ref().map_or_else(contract::Fault::to_json, rows);
            let mut expected = case["answer"].clone();
            if let Some(rows) = expected.as_array_mut() {
                rows.sort_by_key(texts);
            }
            asked += 1;
            if !same(&found, &expected, case["tolerance"].as_f64().unwrap_or(1e-6)) {
                wrong.push(format!("{}\n  found    {found}\n  expected {expected}", case["name"]));
            }
        }
    }
    assert!(asked >= 30, "{asked} questions");
    assert!(wrong.is_empty(), "{} of {asked} differ:\n{}", wrong.len(), wrong.join("\n"));
}

/// The answer of a store of triples.
fn stored(store: &Store, dataset: &dyn Source, sparql: &str) -> Outcome {
    let mut evaluator = SparqlEvaluator::new();
    for (prefix, namespace) in dataset.prefixes() {
        evaluator = evaluator.with_prefix(prefix, namespace).unwrap();
    }
    match evaluator.parse_query(sparql).unwrap().on_store(store).execute().unwrap() {
        QueryResults::Boolean(truth) => Outcome::Truth(truth),
        QueryResults::Solutions(solutions) => {
            let variables: Vec<String> =
                solutions.variables().iter().map(|v| v.as_str().to_owned()).collect();
            let row = |solution: oxigraph::sparql::QuerySolution| {
                variables.iter().map(|v| solution.get(v.as_str()).cloned()).collect::<Vec<_>>()
            };
            let rows = solutions.map(|solution| row(solution.unwrap())).collect();
            Outcome::Rows { variables: variables.clone(), rows }
        }
        QueryResults::Graph(_) => panic!("no question asks for triples"),
    }
}

/// Questions about an energy model of a small office.
const OF_ENERGY_MODEL: [&str; 7] = [
    "SELECT ?zone ?n { ?s a ep:BuildingSurface:Detailed ; ep:zone_name/ep:name ?zone ; ep:name ?n }",
    "SELECT ?c (COUNT(?s) AS ?n) { ?s ep:construction_name ?c } GROUP BY ?c",
    "SELECT ?c ?k { ?c a ep:Construction ; ep:refersTo/ep:conductivity ?k FILTER(?k > 0.1) }",
    "SELECT ?list ?name { ?list ep:equipment ?g . ?g ep:groupNumber 1 ; ep:zone_equipment_name/ep:name ?name }",
    "SELECT ?t (COUNT(?x) AS ?n) { ?x a ?t } GROUP BY ?t",
    "SELECT ?n { ?x ep:refersTo+ ?z . ?z a ep:Zone ; ep:name ?zone . ?x ep:name ?n } ORDER BY ?n",
    "SELECT ?p ?u { ?p qudt:unit ?u . ?s ?p ?o }",
];

#[test]
fn a_store_of_the_triples_of_an_energy_model_gives_the_same_answers() {
    let Some(folder) = testing::prototypes() else { return };
    let bytes = std::fs::read(folder.join("ASHRAE901_OfficeSmall_STD2019_Denver.idf")).unwrap();
    let (document, _) = Document::open(&bytes).unwrap();
    let dataset = EnergyDataset::new(vec![EnergyGraph::new("version:this", document)]).unwrap();
    let mut turtle = Vec::new();
    let count = export(&dataset, 0, Format::Turtle, &mut turtle, &Unwatched).unwrap();
    let store = Store::new().unwrap();
    store.load_from_reader(RdfFormat::Turtle, turtle.as_slice()).unwrap();
    assert_eq!(store.len().unwrap() as u64, count, "every triple is written once");
    for sparql in OF_ENERGY_MODEL {
        let own = query(&dataset, sparql, &limits(), &Unwatched).unwrap();
        assert!(!own.outcome.is_empty(), "{sparql}");
        let other = Answer { outcome: stored(&store, &dataset, sparql), ..own.clone() };
        let (own, other) = (rows(&own), rows(&other));
        assert!(same(&own, &other, 1e-9), "{sparql}\n  view  {own}\n  store {other}");
    }
}

#[test]
fn a_store_of_the_written_triples_gives_the_same_answers() {
    for (model, cases) in cases() {
        let Some(dataset) = open(&model) else { return };
        let mut turtle = Vec::new();
        let count = export(&dataset, 0, Format::Turtle, &mut turtle, &Unwatched).unwrap();
        let store = Store::new().unwrap();
        store.load_from_reader(RdfFormat::Turtle, turtle.as_slice()).unwrap();
        assert_eq!(store.len().unwrap() as u64, count, "every triple is written once");
        for case in cases {
            let sparql = case["sparql"].as_str().unwrap();
            let own = query(&dataset, sparql, &limits(), &Unwatched).unwrap();
            // its parser knows one dot in a name
            let outcome = stored(&store, &dataset, &sparql.replace("Color.", "Color\\."));
            let other = Answer { outcome, ..own.clone() };
            let (own, other) = (rows(&own), rows(&other));
            assert!(same(&own, &other, 1e-9), "{}\n  view  {own}\n  store {other}", case["name"]);
        }
    }
}

#[test]
fn the_same_model_gives_the_same_bytes_and_both_formats_the_same_triples() {
    let Some(dataset) = open("Niedri.ifc") else { return };
    let written = |dataset: &Dataset, format| {
        let mut bytes = Vec::new();
        export(dataset, 0, format, &mut bytes, &Unwatched).unwrap();
        bytes
    };
    let turtle = written(&dataset, Format::Turtle);
    assert!(turtle == written(&open("Niedri.ifc").unwrap(), Format::Turtle));
    let triples = |format, bytes: &[u8]| {
        let store = Store::new().unwrap();
        store.load_from_reader(format, bytes).unwrap();
        let mut lines: Vec<String> = store.iter().map(|quad| quad.unwrap().to_string()).collect();
        lines.sort();
        lines
    };
    let json = written(&dataset, Format::JsonLd);
    let profile = RdfFormat::JsonLd { profile: oxigraph::io::JsonLdProfileSet::empty() };
    assert_eq!(triples(RdfFormat::Turtle, &turtle), triples(profile, &json));
}
