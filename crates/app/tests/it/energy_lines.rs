//! Energy models in several lines: branches merged, and changes that wait for somebody else's yes, as with any model.

use crate::place::Place;
use crate::security::office::{Caller, Office};
use crate::wire::Stdio;
use serde_json::{Value, json};

const HOUSE: &str = "Version,25.2;\n\n! kept as it is\nZone,\n  Core,  !- Name\n  0;     !- Direction of Relative North {deg}\n\n\
    Material:NoMass,M,Rough,1;\nConstruction,C,M;\nSchedule:Constant,Spare,,1;\n";

fn zones(agent: &mut Stdio, version: &str) -> Vec<String> {
    let asked = json!({"object_type": "Zone", "model_version": version, "include_all_fields": true});
    let found = agent.done("list_objects", &asked);
    let mut names: Vec<String> = found["objects"]
        .as_array()
        .unwrap_or_else(|| panic!("{found}"))
        .iter()
        .map(|zone| zone["name"].as_str().unwrap().to_owned())
        .collect();
    names.sort();
    names
}

#[test]
fn what_two_lines_of_an_energy_model_did_is_merged_and_both_at_one_value_is_a_conflict() {
    let place = Place::new();
    std::fs::write(place.root().join("house.idf"), HOUSE).unwrap();
    let mut agent = place.stdio();
    agent.done("load_model", &json!({"file_path": "house.idf"}));
    agent.done("create_branch", &json!({"name": "variant"}));
    agent.done("add_object", &json!({"object_type": "Zone", "name": "Annex"}));
    let turned = json!({"direction_of_relative_north": 30});
    agent.done("update_object", &json!({"object_type": "Zone", "name": "Core", "fields": turned}));
    agent.done("switch_branch", &json!({"name": "main"}));
    assert_eq!(zones(&mut agent, "main"), ["Core"]);
    agent.done("add_object", &json!({"object_type": "Zone", "name": "Attic"}));
    agent.done(
        "rename_object",
        &json!({"object_type": "Material:NoMass", "old_name": "M", "new_name": "Board"}),
    );
    let merged = agent.done("merge_branch", &json!({"source": "variant"}));
    assert_eq!(merged["status"], "merged", "{merged}");
    assert_eq!(zones(&mut agent, "main"), ["Annex", "Attic", "Core"]);
    assert_eq!(zones(&mut agent, "variant"), ["Annex", "Core"]);
    agent.done("save_model", &json!({"file_path": "merged.idf"}));
    let text = std::fs::read_to_string(place.root().join("merged.idf")).unwrap();
    assert!(text.contains("! kept as it is") && text.contains("30"), "{text}");
    assert!(text.matches("Board").count() == 2, "{text}");
    // both at one value
    for (branch, turn) in [("main", 45), ("variant", 60)] {
        let fields = json!({"direction_of_relative_north": turn});
        let edit = json!({"object_type": "Zone", "name": "Core", "fields": fields, "model_version": branch});
        agent.done("update_object", &edit);
    }
    let refused = agent.call("merge_branch", &json!({"source": "variant"}));
    assert_eq!(refused["structuredContent"]["code"], 1007, "{refused}");
    agent.done("merge_branch", &json!({"source": "variant", "resolve": {"*": "theirs"}}));
    agent.done("save_model", &json!({"file_path": "theirs.idf"}));
    assert!(std::fs::read_to_string(place.root().join("theirs.idf")).unwrap().contains("60"));
}

fn count(caller: &Caller, model: &Value, object_type: &str) -> Value {
    caller.done("list_objects", &json!({"model_id": model, "object_type": object_type}))["total"].clone()
}

#[test]
fn a_change_of_an_energy_model_that_a_gate_holds_is_committed_as_it_was_shown_by_somebody_elses_yes() {
    let office = Office::open();
    let ada = office.somebody("ada", "house");
    let root = office.somebody("root", "admin");
    let contract::Source::Inline(data) = contract::Source::inline(HOUSE.as_bytes()) else {
        panic!("not inline")
    };
    ada.done("store_files", &json!({"files": [{"name": "House.idf", "data": data}]}));
    let model = ada.done("load_model", &json!({"upload_name": "House.idf"}))["model_id"].clone();
    let remove = json!({"model_id": model, "object_type": "Schedule:Constant", "name": "Spare"});
    let fault = ada.refused("remove_object", &remove);
    assert_eq!((&fault["code"], &fault["data"]["gate"]), (&json!(1004), &json!("deleting")), "{fault}");
    let removed = fault["data"]["changes"]["removed"].clone();
    assert_eq!(removed, json!({"Schedule:Constant": 1}), "{fault}");
    assert_eq!(count(&root, &model, "Schedule:Constant"), 1);
    // an edit that no gate holds goes on meanwhile
    ada.done("add_object", &json!({"model_id": model, "object_type": "Zone", "name": "Annex"}));
    let path = format!("/api/approvals/{}", fault["data"]["approval_id"].as_str().unwrap());
    let yes = json!({"decision": "approve", "comment": "it is used nowhere"});
    assert_eq!(ada.post(&path, &yes).status, 403, "nobody approves their own");
    let done = root.post(&path, &yes);
    assert_eq!(done.status, 200, "{}", done.text());
    assert_eq!(count(&ada, &model, "Schedule:Constant"), 0);
    assert_eq!((count(&ada, &model, "Zone"), count(&ada, &model, "Material:NoMass")), (json!(2), json!(1)));
    let versions = ada.done("list_versions", &json!({"model_id": model, "limit": 5}));
    let newest = &versions["versions"][0];
    assert_eq!(
        (&newest["tool"], &newest["author"], &newest["instances"]),
        (&json!("remove_object"), &json!("ada"), &json!(1)),
        "{versions}"
    );
    assert!(root.post(&path, &yes).status >= 400, "a yes counts once");
    let log = root.done("get_audit_log", &json!({"model_id": model, "limit": 50})).to_string();
    assert!(log.contains("decide_approval") && log.contains("ada"), "{log}");
}
