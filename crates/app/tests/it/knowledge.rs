//! What the standard says of classes, and what a model says as a graph.

use crate::place::Place;
use crate::wire::Stdio;
use serde_json::{Value, json};

/// A house of two rooms with a door between them and one to the outside, and its version.
fn house(agent: &mut Stdio) -> Value {
    let storeys = json!([{"name": "Ground", "elevation": 0}]);
    agent.done("create_project", &json!({"name": "House", "storeys": storeys}));
    let walls = [
        ("South", [0, 0], [8000, 0]),
        ("East", [8000, 0], [8000, 5000]),
        ("North", [8000, 5000], [0, 5000]),
        ("West", [0, 5000], [0, 0]),
        ("Middle", [4000, 0], [4000, 5000]),
    ];
    for (name, start, end) in walls {
        agent.done("create_wall", &json!({"level_id": "Ground", "start": start, "end": end, "name": name}));
    }
    for (host, name) in [("South", "Front door"), ("Middle", "Inner door")] {
        let place = json!({"fraction": 0.25});
        let door = json!({"host_id": host, "location": place, "width": 900, "height": 2100, "opening_type": "door", "name": name});
        agent.done("create_opening", &door);
    }
    let mut version = Value::Null;
    for (name, side) in [("Kitchen", "West"), ("Living", "East")] {
        let walls = json!(["South", "Middle", "North", side]);
        let room = json!({"level_id": "Ground", "walls": walls, "name": name});
        version = agent.done("create_space", &room)["model_version"].clone();
    }
    version
}

#[test]
fn a_model_is_asked_by_sparql_beside_another_version_of_it() {
    let place = Place::new();
    let mut agent = place.stdio();
    let version = house(&mut agent);
    let ask = |agent: &mut Stdio, sparql: &str| agent.done("query_graph", &json!({"sparql": sparql}));
    let names = ask(
        &mut agent,
        "SELECT ?name { ?wall a ifc:IfcElement ; ifc:name ?name FILTER(?name != \"\") } ORDER BY ?name",
    );
    let names: Vec<&str> =
        names["rows"].as_array().unwrap().iter().map(|row| row[0].as_str().unwrap()).collect();
    for name in ["East", "Front door", "Inner door", "Middle", "North", "South", "West"] {
        assert!(names.contains(&name), "{names:?}");
    }
    let ways = ask(
        &mut agent,
        "SELECT ?door { ?room a bot:Space ; ifc:name \"Living\" ; way:leadsTo ?other ; way:door ?d . ?other ifc:name \"Kitchen\" . ?d ifc:name ?door }",
    );
    assert_eq!(ways["rows"], json!([["Inner door"]]), "{ways}");
    let out = ask(&mut agent, "ASK { ?room a bot:Space ; ifc:name \"Living\" ; way:leadsTo+ way:outside }");
    assert_eq!(out["answer"], true, "{out}");
    // a name that nothing has is told, not answered by silence
    let silent = ask(&mut agent, "SELECT ?x { ?x prop:Pset_WallCommon.FireRatin ?y }");
    assert_eq!(silent["rows"], json!([]));
    assert!(silent["notes"][0].as_str().unwrap().contains("FireRatin"), "{silent}");
    let refused = agent.call("query_graph", &json!({"sparql": "DELETE WHERE { ?x ?y ?z }"}));
    assert_eq!(refused["isError"], true, "{refused}");
    let terms = agent.done("query_graph", &json!({"terms": "door"}));
    assert!(terms["terms"].to_string().contains("IfcDoor"), "{terms}");
    // the other version is a graph of its own
    agent.done("delete_elements", &json!({"element_ids": ["Inner door"]}));
    let sparql = "SELECT ?name { GRAPH <version:other> { ?door a ifc:IfcDoor ; ifc:name ?name } FILTER NOT EXISTS { ?door a ifc:IfcDoor } }";
    let gone = agent.done("query_graph", &json!({"sparql": sparql, "other_version": version}));
    assert_eq!(gone["rows"], json!([["Inner door"]]), "{gone}");
}

#[test]
fn classes_types_and_sets_are_described_with_and_without_a_model() {
    let place = Place::new();
    let mut agent = place.stdio();
    let door = agent.done("describe_class", &json!({"name": "ifcdoor"}));
    assert_eq!(door["name"], "IfcDoor");
    assert_eq!(door["versions"], json!(["IFC2X3", "IFC4", "IFC4X3"]));
    let about = door["about"].as_str().unwrap();
    for part in ["OverallHeight: IfcPositiveLengthMeasure", "Pset_DoorCommon", "From IFC2X3 to IFC4"] {
        assert!(about.contains(part), "{part}: {about}");
    }
    assert!(door.get("in_model").is_none(), "{door}");
    let old = agent.done("describe_class", &json!({"name": "IfcDoor", "schema": "IFC2X3"}));
    assert!(!old["about"].as_str().unwrap().contains("OperationType:"), "{old}");
    let refused = agent.call("describe_class", &json!({"name": "IfcRoad", "schema": "IFC4"}));
    assert!(refused["structuredContent"]["message"].as_str().unwrap().contains("IFC4X3"), "{refused}");
    let wrong = agent.call("describe_class", &json!({"name": "IfcDor"}));
    assert_eq!(wrong["structuredContent"]["data"]["near"][0], "IfcDoor", "{wrong}");
    let rating = agent.done("describe_class", &json!({"name": "Feuerwiderstandsklasse"}));
    let rating = rating["about"].as_str().unwrap();
    assert!(rating.contains("FireRating"), "{rating}");
    house(&mut agent);
    let door = agent.done("describe_class", &json!({"name": "IfcDoor"}));
    assert_eq!(
        (door["in_model"].clone(), door["example"]["class"].clone()),
        (json!(2), json!("IfcDoor")),
        "{door}"
    );
    assert!(["Front door", "Inner door"].contains(&door["example"]["Name"].as_str().unwrap()), "{door}");
}
