//! The graph of a model beside what other tools say of it: findings, files, and states within a call.

use crate::checked::Checked;
use crate::desk::Desk;
use crate::graph_findings::findings;
use crate::opened::{OpenVersion, Unkept};
use crate::{Body, IfcCall, catalogue};
use contract::{Actor, Fault, ModelRef, Unwatched, Watch};
use geometry::Scene;
use geometry::query::Index;
use ifc::Model;
use serde_json::{Value, json};
use spatial::Layout;
use std::sync::Arc;

/// A house of one storey with two rooms that no space states.
fn house() -> Desk {
    let mut desk = Desk::new("IFC4");
    let walls = [
        ("South", [0, 0], [8000, 0]),
        ("East", [8000, 0], [8000, 5000]),
        ("North", [8000, 5000], [0, 5000]),
        ("West", [0, 5000], [0, 0]),
        ("Middle", [4000, 0], [4000, 5000]),
    ];
    for (name, start, end) in walls {
        let wall = json!({ "level_id": "Ground Floor", "start": start, "end": end, "name": name });
        desk.call("create_wall", wall);
    }
    desk
}

fn rows(answer: &Value) -> &Value {
    &answer["rows"]
}

/// A version that keeps its findings and makes everything else anew.
struct Kept(Unkept, Checked);

impl OpenVersion for Kept {
    fn name(&self) -> Option<&ModelRef> {
        None
    }

    fn model(&self) -> &Model {
        self.0.model()
    }

    fn scene(&self, watch: &dyn Watch) -> Result<Arc<Scene>, Fault> {
        self.0.scene(watch)
    }

    fn index(&self, watch: &dyn Watch) -> Result<Arc<Index>, Fault> {
        self.0.index(watch)
    }

    fn layout(&self, watch: &dyn Watch) -> Result<Arc<Layout>, Fault> {
        self.0.layout(watch)
    }

    fn checked(&self) -> Option<&Checked> {
        Some(&self.1)
    }
}

#[test]
fn findings_of_a_version_are_made_once_where_they_are_kept() {
    let desk = house();
    let kept = Kept(Unkept(desk.model.clone()), Checked::default());
    let [first, again] = [(); 2].map(|()| findings(&kept, &Unwatched).unwrap());
    assert!(Arc::ptr_eq(&first, &again));
    let unkept = Unkept(desk.model);
    let [first, again] = [(); 2].map(|()| findings(&unkept, &Unwatched).unwrap());
    assert!(!Arc::ptr_eq(&first, &again));
}

#[test]
fn the_findings_of_a_real_model_are_those_of_the_report() {
    let Some(mut desk) = Desk::open("Duplex_A_20110907.ifc") else { return };
    let report = desk.call("validate_model", json!({ "limit": 200 }));
    let mut expected: Vec<(String, u64)> = report["groups"]
        .as_array()
        .unwrap()
        .iter()
        .map(|group| (group["rule"].as_str().unwrap().to_owned(), group["count"].as_u64().unwrap()))
        .collect();
    assert!(!expected.is_empty(), "{report}");
    expected.sort();
    let sparql = "SELECT ?rule ?kind (COUNT(?f) AS ?n) { ?f a check:Finding ; check:rule ?rule ; check:kind ?kind } GROUP BY ?rule ?kind";
    let told = desk.call("query_graph", json!({ "sparql": sparql, "limit": 1000 }));
    let row = |row: &Value| (row[0].as_str().unwrap().to_owned(), row[2].as_u64().unwrap());
    let mut found: Vec<(String, u64)> = rows(&told).as_array().unwrap().iter().map(row).collect();
    found.sort();
    assert_eq!(found, expected, "{told}");
    // and each is about what the report names first
    let group = report["groups"].as_array().unwrap().iter().find(|group| {
        let id = group["first"][0]["id"].as_str().unwrap_or_default();
        id.len() == 22 && group["count"].as_u64() < Some(500)
    });
    if let Some(group) = group {
        let (finding, id) = (&group["first"][0]["finding"], &group["first"][0]["id"]);
        let finding = finding.as_str().unwrap();
        let sparql = format!("SELECT ?id {{ inst:finding:{finding} check:element/ifc:globalId ?id }}");
        assert_eq!(rows(&desk.call("query_graph", json!({ "sparql": sparql }))), &json!([[id]]), "{group}");
    }
}

#[test]
fn the_whole_graph_is_written_into_a_file() {
    let mut desk = house();
    let told = desk.call("query_graph", json!({ "export": "turtle" }));
    let text = String::from_utf8(desk.file("graph.ttl").to_vec()).unwrap();
    assert_eq!(told["file"]["size"], text.len(), "{told}");
    assert!(text.contains("ifc:name \"South\"") && !text.contains("check:Finding"), "{text}");
    let json_ld = desk.call("query_graph", json!({ "export": "json_ld" }));
    assert_eq!(json_ld["file"]["triple_count"], told["file"]["triple_count"]);
    let parsed: Value = serde_json::from_slice(desk.file("graph.jsonld")).unwrap();
    assert!(parsed.is_object(), "{parsed}");
    for (arguments, field) in [
        (json!({ "export": "turtle", "sparql": "ASK { ?s ?p ?o }" }), "export"),
        (json!({ "terms": "wall", "sparql": "ASK { ?s ?p ?o }" }), "terms"),
        (json!({ "export": "turtle", "limit": 5 }), "limit"),
        (json!({}), "sparql"),
    ] {
        assert_eq!(desk.refuse("query_graph", arguments.clone()).data["field"], field, "{arguments}");
    }
}

#[test]
fn a_state_within_a_call_has_its_own_rooms() {
    let desk = house();
    let tools = catalogue();
    let body = |name: &str| match &tools.iter().find(|tool| tool.spec.name == name).unwrap().body {
        Body::Ifc(body) => Arc::clone(body),
        _ => panic!("{name} is a tool on models"),
    };
    let (query, delete) = (body("query_graph"), body("delete_elements"));
    let sparql = json!({ "sparql": "SELECT (COUNT(?r) AS ?n) { ?r a room:FoundRoom }" });
    let actor = Actor { principal: "modeller".into(), client: None };
    let mut call = IfcCall::new(&desk.model, "operation", 1_795_305_600_000, actor);
    assert_eq!(rows(&query(&mut call, sparql.clone()).unwrap()), &json!([[2]]));
    delete(&mut call, json!({ "element_ids": ["Middle"] })).unwrap();
    assert_eq!(rows(&query(&mut call, sparql).unwrap()), &json!([[1]]));
}
