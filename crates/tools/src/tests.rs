//! What holds for every tool of the catalogue.

use super::*;
use contract::ModelUse;
use serde_json::{Value, json};
use std::collections::BTreeSet;

#[test]
fn the_catalogue_for_energy_models_has_every_tool_that_works_on_one() {
    let named = |tools: Vec<crate::Tool>| -> BTreeSet<String> {
        let on_models = tools.into_iter().filter(|tool| tool.energy_body().is_some());
        on_models.map(|tool| tool.spec.name).collect()
    };
    let all = named(crate::catalogue());
    assert!(all.contains("add_object"));
    assert_eq!(named(crate::energy_catalogue()), all);
}

#[test]
fn every_tool_has_a_name_of_its_own_and_says_what_it_does() {
    let mut names = BTreeSet::new();
    for tool in catalogue() {
        let name = &tool.spec.name;
        assert!(names.insert(name.clone()), "{name} is there twice");
        assert!(name.chars().all(|c| c.is_ascii_lowercase() || c == '_'), "{name}");
        assert!(!tool.spec.description.is_empty(), "{name} has no description");
        assert!(
            tool.spec.description.len() <= 1200,
            "the description of {name} is too long to be read by every agent"
        );
        assert!(
            tool.spec.effect != contract::Effect::Query || !tool.spec.destructive,
            "{name} destroys by reading"
        );
    }
}

#[test]
fn every_parameter_is_described() {
    let mut bare = Vec::new();
    for tool in catalogue() {
        let properties = tool.spec.input_schema["properties"].as_object().cloned().unwrap_or_default();
        let without = properties.iter().filter(|(_, schema)| !schema["description"].is_string());
        bare.extend(without.map(|(name, _)| format!("{}.{name}", tool.spec.name)));
    }
    assert!(bare.is_empty(), "{bare:?}");
}

#[test]
fn every_example_gives_the_required_parameters_and_no_unknown_ones() {
    for tool in catalogue() {
        let schema = &tool.spec.input_schema;
        for example in &tool.spec.examples {
            let given = example.arguments.as_object().cloned().unwrap_or_default();
            for name in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
                assert!(given.contains_key(name), "{}: {} lacks {name}", tool.spec.name, example.title);
            }
            for name in given.keys() {
                assert!(
                    schema["properties"].get(name).is_some(),
                    "{}: {} has {name}",
                    tool.spec.name,
                    example.title
                );
            }
        }
    }
}

#[test]
fn tools_on_a_model_take_its_id_and_version() {
    for tool in catalogue().into_iter().filter(|tool| tool.spec.needs.model == ModelUse::Current) {
        assert!(tool.spec.input_schema["properties"].get("model_id").is_some(), "{}", tool.spec.name);
    }
}

#[test]
fn an_unknown_parameter_is_refused_with_the_name_that_was_meant() {
    #[derive(serde::Deserialize)]
    struct Input {}
    let known = vec!["thickness".to_owned(), "height".to_owned()];
    let fault = parse::<Input>(json!({ "thicknes": 3 }), &known).map(|_| ()).unwrap_err();
    assert!(fault.message.contains("`thickness`"), "{}", fault.message);
    assert_eq!(fault.data["near_matches"], json!(["thickness"]));
}

#[test]
fn a_wrong_type_is_refused_with_the_path_of_the_field() {
    #[derive(Debug, serde::Deserialize)]
    #[expect(dead_code, reason = "only its shape matters")]
    struct Input {
        points: Vec<[f64; 2]>,
    }
    let fault = parse::<Input>(json!({ "points": [[0, 0], [1, "x"]] }), &["points".to_owned()]).unwrap_err();
    assert_eq!(fault.data["field"], "points[1][1]");
}

#[test]
fn a_parameter_that_is_missing_is_named() {
    #[derive(Debug, serde::Deserialize)]
    #[expect(dead_code, reason = "only its shape matters")]
    struct Input {
        door: Door,
    }
    #[derive(Debug, serde::Deserialize)]
    #[expect(dead_code, reason = "only its shape matters")]
    struct Door {
        width: f64,
    }
    let known = ["door".to_owned()];
    let fault = parse::<Input>(json!({}), &known).unwrap_err();
    assert_eq!(
        (fault.message.as_str(), &fault.data["field"]),
        ("Give `door`; it is missing.", &json!("door"))
    );
    let fault = parse::<Input>(json!({ "door": {} }), &known).unwrap_err();
    assert_eq!(fault.data["field"], "door.width", "{fault}");
}

#[test]
fn a_script_that_is_held_to_reading_is_a_query() {
    let tool = catalogue().into_iter().find(|tool| tool.spec.name == "run_code").unwrap();
    let effect = |arguments: Value| tool.spec.effect_of(&arguments);
    assert_eq!(effect(json!({ "code": "1", "mode": "query" })), contract::Effect::Query);
    for arguments in
        [json!({ "code": "1" }), json!({ "mode": "modify" }), json!({ "mode": ["query"] }), json!(3)]
    {
        assert_eq!(effect(arguments), contract::Effect::Modify);
    }
    let other = catalogue().into_iter().find(|tool| tool.spec.name == "create_wall").unwrap();
    assert_eq!(other.spec.effect_of(&json!({ "mode": "query" })), contract::Effect::Create);
}
