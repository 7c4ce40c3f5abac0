//! Space boundaries on their way to an energy model: of a file that has those we write EnergyPlus is given the same model as of one
//! without.

use contract::{Actor, Effect};
use ifc::{Limits, Model, Referrers};
use serde_json::{Value, json};
use tools::{Body, IfcCall};

/// Models whose energy model is made from shapes alone, so that what boundaries say may not change it.
const MODELS: [&str; 4] =
    ["3rooms_with_SB.ifc", "AC20-FZK-Haus.ifc", "Duplex_A_20110907.ifc", "ExampleHOM.ifc"];

fn written(model: &Model, level: &str) -> Model {
    let tools = tools::catalogue();
    let tool = tools.iter().find(|tool| tool.spec.name == "create_space_boundaries").unwrap();
    assert_eq!(tool.spec.effect, Effect::Create);
    let Body::Ifc(body) = &tool.body else { panic!("a tool on IFC models") };
    let actor = Actor { principal: "modeller".into(), client: None };
    let mut call = IfcCall::new(model, "boundaries", 1_795_305_600_000, actor);
    body(&mut call, json!({ "level": level })).unwrap();
    call.edit.finish().0
}

/// The members in which two documents differ.
fn differing(a: &Value, b: &Value, path: &str, into: &mut Vec<String>) {
    match (a, b) {
        (Value::Object(one), Value::Object(other)) => {
            for key in one.keys().chain(other.keys().filter(|key| !one.contains_key(*key))) {
                let none = Value::Null;
                let [a, b] = [one, other].map(|map| map.get(key).unwrap_or(&none));
                differing(a, b, &format!("{path}/{key}"), into);
            }
        }
        _ if a != b => into.push(format!("{path}: {a} / {b}")),
        _ => {}
    }
}

#[test]
fn an_energy_model_is_the_same_with_the_boundaries_that_are_written() {
    for name in MODELS {
        let Some(path) = testing::model(name) else { return };
        let (stated, _) = Model::open(&path, &Limits::default()).unwrap();
        let mut edit = stated.edit();
        edit.remove_all(&stated.of_class("IfcRelSpaceBoundary"), Referrers::Cascade).unwrap();
        let without = edit.finish().0;
        let with = written(&written(&without, "first"), "second");
        let [a, b] = [&without, &with].map(|m| thermal::convert(m, &thermal::Options::default()).unwrap());
        assert!(a.counts.stated_boundaries == 0 && b.counts.stated_boundaries > 20, "{name}");
        let mut found = Vec::new();
        differing(&a.epjson, &b.epjson, "", &mut found);
        assert!(
            found.is_empty(),
            "{name}: {} of {}\n{}",
            found.len(),
            b.counts.stated_boundaries,
            found.join("\n")
        );
    }
}
