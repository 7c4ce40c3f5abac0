//! Yeses that are forged, come twice or come from the one who asked.

use super::office::{Caller, Office, wall};
use serde_json::json;

/// A wall that waits to be deleted: who asked, the approval's id, the model's.
fn waiting(office: &Office) -> (Caller, String, String) {
    let ada = office.somebody("ada", "house");
    let (model, element) = ada.house("House");
    ada.done("create_wall", &wall(&model, "Ground", 2000));
    let fault = ada.refused("delete_elements", &json!({"element_ids": [element], "model_id": model}));
    assert_eq!((&fault["code"], &fault["data"]["gate"]), (&json!(1004), &json!("deleting")), "{fault}");
    assert_eq!(fault["data"]["changes"]["removed"]["IfcWall"], 1, "{fault}");
    let id = fault["data"]["approval_id"].as_str().unwrap().to_owned();
    (ada, id, model)
}

fn walls(caller: &Caller, model: &str) -> u64 {
    let summary = caller.done("query_elements", &json!({"model_id": model, "selector": "IfcWall"}));
    summary["total"].as_u64().or(summary["count"].as_u64()).unwrap_or_else(|| panic!("{summary}"))
}

#[test]
pub fn a_yes_cannot_be_forged() {
    let office = Office::open();
    let (ada, id, model) = waiting(&office);
    let path = format!("/api/approvals/{id}");
    let yes = json!({"decision": "approve"});
    let again = office.somebody("ada", "admin");
    let viewer = office.somebody("eve", "viewer");
    let stranger = office.somebody("tom", "tower");
    let mut dressed = viewer.clone();
    dressed.headers.extend(["x-forwarded-user: root".into(), "x-pensaer-principal: root".into()]);
    for (who, caller, status) in [
        ("who asked", &ada, 403),
        ("who asked, with another key and every role", &again, 403),
        ("somebody who may only look", &viewer, 403),
        ("somebody who says to be another", &dressed, 403),
        ("another tenant", &stranger, 403),
        ("nobody", &office.caller(&[]), 401),
    ] {
        let answer = caller.post(&path, &yes);
        assert_eq!(answer.status, status, "{who}: {}", answer.text());
    }
    let admin = office.somebody("root", "admin");
    assert_eq!(admin.post("/api/approvals/nothing", &yes).status, 404);
    assert_eq!(admin.post(&path, &json!({"decision": "maybe"})).status, 400);
    assert!(admin.post(&path, &json!({"decision": "approve", "as": "ben"})).status >= 400);
    assert_eq!(walls(&ada, &model), 2, "the wall still stands");
    let listed = admin.send("GET", "/api/approvals", b"").json();
    assert_eq!(
        (&listed["approvals"][0]["approval_id"], &listed["approvals"][0]["status"]),
        (&json!(id), &json!("pending"))
    );
}

#[test]
fn a_yes_counts_once_and_commits_what_was_shown() {
    let office = Office::open();
    let (ada, id, model) = waiting(&office);
    ada.done("create_wall", &wall(&model, "Ground", 4000));
    let approver = office.somebody("ben", "approver");
    let decided = approver
        .done("decide_approval", &json!({"approval_id": id, "decision": "approve", "comment": "fine"}));
    assert_eq!((&decided["status"], &decided["approval"]["decided_by"]), (&json!("approved"), &json!("ben")));
    assert_eq!(decided["changes"]["removed"]["IfcWall"], 1, "{decided}");
    assert_eq!(walls(&ada, &model), 2, "one was deleted, on a head that another had moved");
    for decision in ["approve", "reject"] {
        let answer = approver.post(&format!("/api/approvals/{id}"), &json!({"decision": decision}));
        assert_eq!((answer.status, &answer.json()["code"]), (409, &json!(1007)));
    }
    let versions = ada.done("list_versions", &json!({"model_id": model, "limit": 1}));
    assert_eq!(versions["versions"][0]["author"], "ada", "{versions}");
}

#[test]
fn a_no_by_the_command_line_keeps_the_record() {
    let office = Office::open();
    let (ada, id, model) = waiting(&office);
    let (done, said, complaint) =
        office.admin(&["approvals", "decide", &id, "reject", "--comment", "still needed"]);
    assert!(done, "{said} {complaint}");
    let (_, listed, _) = office.admin(&["approvals", "list", "--all"]);
    assert!(listed.contains("rejected") && listed.contains("still needed"), "{listed}");
    assert_eq!(walls(&ada, &model), 2);
}
