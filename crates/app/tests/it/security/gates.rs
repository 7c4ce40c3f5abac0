//! Changes that more than one gate holds up: a gate that asks little never opens one that asks more.

use super::office::{Caller, Office, wall};
use serde_json::{Value, json};

/// Walls go to `chief`; an earlier gate, on any two elements, goes to `junior`, and trusts the person at the client.
fn gates(rank_of_walls: u32) -> String {
    format!(
        r#"
[[roles.junior.grants]]
actions = ["query", "approve"]
[[roles.chief.grants]]
actions = ["query", "approve"]
[principals.pam]
roles = ["chief"]
[principals.ada]
roles = ["junior"]
person = "jon"

[[gates]]
name = "some"
actions = ["delete"]
elements = 2
approvers = ["junior"]
elicitation = true

[[gates]]
name = "walls"
actions = ["delete"]
classes = ["IfcWall"]
rank = {rank_of_walls}
approvers = ["chief"]
expires-hours = 1
"#
    )
}

/// Two walls that wait to be deleted: the Fault, the model's id and who asked.
fn waiting(office: &Office) -> (Value, String, Caller) {
    let ada = office.somebody("ada", "house");
    let (model, element) = ada.house("House");
    let other = ada.done("create_wall", &wall(&model, "Ground", 2000));
    let ids = json!([element, other["wall_id"]]);
    (ada.refused("delete_elements", &json!({"element_ids": ids, "model_id": model})), model, ada)
}

/// The names of the gates that an approval lists, those that decide marked.
fn listed(approval: &Value) -> Vec<String> {
    let name = |gate: &Value| {
        let decides = if gate["decides"] == true { "!" } else { "" };
        format!("{}{decides}", gate["gate"].as_str().unwrap())
    };
    let mut names: Vec<String> = approval["gates"].as_array().unwrap().iter().map(name).collect();
    names.sort();
    names
}

#[test]
pub fn all_gates_that_hold_up_a_change_are_asked_and_none_opens_another() {
    let office = Office::with("", &gates(0));
    let (fault, model, ada) = waiting(&office);
    assert_eq!(listed(&fault["data"]), ["deleting!", "some!", "walls!"], "{fault}");
    assert_ne!(fault["data"]["in_person"], true, "one of them trusts nobody at the client: {fault}");
    let path = format!("/api/approvals/{}", fault["data"]["approval_id"].as_str().unwrap());
    let yes = json!({"decision": "approve"});
    let alone = [office.somebody("jun", "junior"), office.somebody("cleo", "chief")];
    for (caller, gate) in alone.iter().zip(["`walls`", "`some`"]) {
        let answer = caller.post(&path, &yes);
        assert_eq!(answer.status, 403, "{}", answer.text());
        assert!(answer.json()["message"].as_str().unwrap().contains(gate), "{}", answer.text());
    }
    let walls =
        || ada.done("query_elements", &json!({"model_id": model, "selector": "IfcWall"}))["total"].clone();
    assert_eq!(walls(), 2);
    let (_, said, _) = office.admin(&["policy", "check"]);
    assert!(said.contains("both `some` and `walls`"), "what no role decides on alone is told: {said}");
    let kept = ada.send("GET", "/api/approvals", b"").json();
    assert_eq!(listed(&kept["approvals"][0]), ["deleting!", "some!", "walls!"], "{kept}");
    let both = office.somebody("pam", "junior");
    let answer = both.post(&path, &yes);
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert_eq!(walls(), 0);
}

#[test]
pub fn the_strictest_gate_says_who_decides() {
    let office = Office::with("", &gates(1));
    let (fault, _, _) = waiting(&office);
    assert_eq!(listed(&fault["data"]), ["deleting", "some", "walls!"], "{fault}");
    assert_eq!(
        (&fault["data"]["gate"], &fault["data"]["may_decide"]),
        (&json!("walls"), &json!(["chief"])),
        "{fault}"
    );
    assert_ne!(fault["data"]["in_person"], true, "{fault}");
    let path = format!("/api/approvals/{}", fault["data"]["approval_id"].as_str().unwrap());
    let yes = json!({"decision": "approve"});
    assert_eq!(office.somebody("jun", "junior").post(&path, &yes).status, 403);
    let answer = office.somebody("cleo", "chief").post(&path, &yes);
    assert_eq!(answer.status, 200, "{}", answer.text());
}

#[test]
pub fn who_may_not_delete_deletes_no_branch() {
    let office = Office::with(
        "",
        "[[roles.drafter.grants]]\nactions = [\"query\", \"create\", \"modify\"]\nmodels = [\"House*\"]\n",
    );
    let (model, _) = office.somebody("ada", "house").house("House");
    let drafter = office.somebody("dan", "drafter");
    drafter.done("create_branch", &json!({"name": "variant", "model_id": model}));
    let fault = drafter.refused("delete_branch", &json!({"name": "variant", "model_id": model}));
    assert_eq!(fault["code"], 1003, "{fault}");
}
