//! Keys that are none, wrong, late or taken back, and keys that are good for something else.

use super::office::{Office, wall};
use crate::place::Place;
use serde_json::json;
use std::fs;

#[test]
fn who_shows_no_key_or_one_that_does_not_hold_is_let_in_nowhere() {
    let office = Office::open();
    let good = office.key("ada", "author");
    let late = office.key("ada", "author");
    let gone = office.key("ada", "author");
    let id = |key: &str| key.split('_').nth(1).unwrap().to_owned();
    assert!(office.admin(&["key", "revoke", &id(&gone)]).0);
    expire(&office.place, &id(&late));
    let wrong = format!("psk_{}_{}", id(&good), "A".repeat(43));
    for (credential, says) in [
        (None, "does not know who calls"),
        (Some(wrong.as_str()), "not known"),
        (Some("psk_000000000000_x"), "not known"),
        (Some("anything"), "not known"),
        (Some(""), "not known"),
        (Some(late.as_str()), "expired"),
        (Some(gone.as_str()), "revoked"),
    ] {
        for header in ["authorization: Bearer ", "x-api-key: "] {
            let line = credential.map(|key| format!("{header}{key}"));
            let caller = office.caller(&line.iter().map(String::as_str).collect::<Vec<_>>());
            let answers = [
                caller.initialize(),
                caller.mcp("list_models", &json!({})),
                caller.send("GET", "/api/models", b""),
                caller.send("GET", "/bucket", b""),
                caller.send("GET", "/api/approvals", b""),
                caller.send("POST", "/bucket?name=x.ifc", b"ISO-10303-21;"),
            ];
            for answer in answers {
                assert_eq!(answer.status, 401, "{credential:?}: {}", answer.text());
                assert!(answer.header("www-authenticate").unwrap().starts_with("Bearer"));
                let fault = answer.json();
                assert_eq!(fault["code"], 1015);
                assert!(fault["message"].as_str().unwrap().contains(says), "{credential:?}: {fault}");
            }
        }
    }
    let caller = office.caller(&[&format!("x-api-key: {good}")]);
    assert_eq!(caller.initialize().status, 200);
    assert_eq!(caller.done("whoami", &json!({}))["name"], "ada");
    let (_, listed, _) = office.admin(&["key", "list"]);
    assert!(
        listed.contains("revoked") && listed.contains("expired") && listed.contains("89 days left"),
        "{listed}"
    );
    assert!(!listed.contains("argon2") && !listed.contains(good.rsplit('_').next().unwrap()), "{listed}");
}

/// Sets the end of a key's time into the past, as only time itself can do otherwise.
fn expire(place: &Place, id: &str) {
    let database = rusqlite::Connection::open(place.data().join("pensaer.db")).unwrap();
    let changed = database.execute(
        "UPDATE api_keys SET record = json_set(record, '$.expires_ms', 1000) WHERE key_id = ?1",
        [id],
    );
    assert_eq!(changed.unwrap(), 1);
}

#[test]
fn a_key_that_is_rotated_is_followed_by_one_that_is_alike() {
    let office = Office::open();
    let old = office.key("ada", "house");
    let (done, new, complaint) = office.admin(&["key", "rotate", &old]);
    assert!(done, "{complaint}");
    assert_eq!(office.caller(&[&format!("x-api-key: {old}")]).initialize().status, 401);
    let who = office.caller(&[&format!("x-api-key: {new}")]).done("whoami", &json!({}));
    assert_eq!((&who["name"], &who["roles"][0]), (&json!("ada"), &json!("house")));
}

#[test]
pub fn a_model_of_another_tenant_is_not_there_by_any_door() {
    let office = Office::open();
    let (ada, tom) = (office.somebody("ada", "house"), office.somebody("tom", "tower"));
    let (model, element) = ada.house("House");
    for (tool, arguments) in [
        ("model_summary", json!({"model_id": model})),
        ("model_summary", json!({"model_id": "House"})),
        ("get_element", json!({"model_id": model, "element_id": element})),
        ("create_wall", wall(&model, "Ground", 500)),
        ("save_model", json!({"model_id": model})),
        ("undo", json!({"model_id": model})),
        ("get_audit_log", json!({"model_id": model})),
        ("view_model", json!({"model_id": model})),
    ] {
        let fault = tom.refused(tool, &arguments);
        assert_eq!(fault["code"], 1005, "{tool}: {fault}");
    }
    for path in [
        format!("/bucket/{model}"),
        format!("/bucket/{model}/head"),
        format!("/api/models/{model}/versions"),
        format!("/api/models/{model}/versions/head/tree"),
        format!("/api/models/{model}/versions/head/tileset.json"),
    ] {
        assert_eq!(ada.send("GET", &path, b"").status, 200, "{path}");
        let answer = tom.send("GET", &path, b"");
        assert_eq!((answer.status, &answer.json()["code"]), (404, &json!(1005)), "{path}");
    }
    assert_eq!(tom.done("list_models", &json!({}))["models"], json!([]));
    let put = tom.send("PUT", &format!("/bucket/{model}?name=x.ifc"), b"ISO-10303-21;");
    assert_eq!(put.status, 404, "{}", put.text());
    let log = tom.done("get_audit_log", &json!({"limit": 200}));
    assert!(log["entries"].as_array().unwrap().iter().all(|entry| entry["principal"] == "tom"), "{log}");
}

#[test]
fn a_grant_is_held_against_what_a_call_really_touched() {
    let office = Office::open();
    let admin = office.somebody("root", "admin");
    let (model, element) = admin.house("House");
    let ground = office.somebody("gil", "ground");
    ground.done("create_wall", &wall(&model, "Ground", 1000));
    let upper = ground.refused("create_wall", &wall(&model, "Upper", 1000));
    assert_eq!(upper["code"], 1003, "{upper}");
    assert!(upper["message"].as_str().unwrap().contains("Upper"), "{upper}");
    // the parameters say nothing of a slab or a storey; what came of them does
    let floor = json!({"boundary_points": [[0, 0], [3000, 0], [3000, 3000], [0, 3000]],
        "level_id": "Ground", "model_id": model});
    let fault = ground.refused("create_floor", &floor);
    assert_eq!(fault["code"], 1003, "{fault}");
    let removed = ground.refused("delete_elements", &json!({"element_ids": [element], "model_id": model}));
    assert_eq!(removed["code"], 1003, "{removed}");
    let versions = admin.done("list_versions", &json!({"model_id": model}));
    assert_eq!(versions["versions"].as_array().unwrap().len(), 3, "nothing of what was refused is there");
}

#[test]
fn who_calls_too_often_waits_and_http_says_how_long() {
    let office = Office::open();
    let slow = office.somebody("sam", "slow");
    for _ in 0..3 {
        assert_eq!(slow.send("GET", "/api/models", b"").status, 200);
    }
    let answer = slow.send("GET", "/api/models", b"");
    assert_eq!((answer.status, &answer.json()["code"]), (429, &json!(1009)));
    let wait: u64 = answer.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=60).contains(&wait), "{wait}");
    let fault = slow.refused("list_models", &json!({}));
    assert_eq!(fault["code"], 1009);
    assert!(fault["data"]["retry_after_ms"].as_u64().unwrap() > 0, "{fault}");
    assert_eq!(office.somebody("tim", "house").send("GET", "/api/models", b"").status, 200);
}

#[test]
fn a_network_is_not_served_before_it_is_said_who_may_come_in() {
    let place = Place::new();
    fs::create_dir_all(place.data()).unwrap();
    fs::write(place.data().join("pensaer.toml"), "hosts = ['bim.example.org']").unwrap();
    let serve = || place.command(&["serve"]).env("PENSAER_LISTEN", "0.0.0.0:0").output().unwrap();
    let refused = serve();
    let complaint = String::from_utf8(refused.stderr).unwrap();
    assert!(!refused.status.success() && complaint.contains("pensaer admin key create"), "{complaint}");
}

#[test]
fn a_policy_that_does_not_hold_together_is_served_by_nobody() {
    let place = Place::new();
    let path = place.root().join("policy.toml");
    fs::write(&path, "[local]\nroles = ['boss']\n").unwrap();
    let path = path.to_str().unwrap();
    for arguments in [vec!["serve", "--policy", path], vec!["admin", "policy", "check", "--policy", path]] {
        let refused = place.run(&arguments);
        let complaint = String::from_utf8(refused.stderr).unwrap();
        assert!(
            !refused.status.success() && complaint.contains("line 2: there is no role `boss`"),
            "{complaint}"
        );
    }
}

#[test]
fn a_decision_is_explained_with_the_rule_that_made_it() {
    let office = Office::open();
    let test = |arguments: &[&str]| office.admin(&[&["policy", "test"], arguments].concat());
    let wall = ["--principal", "x", "--role", "ground", "--tool", "create_wall", "--elements", "1"];
    let (yes, said, _) = test(&[&wall[..], &["--storey", "Ground"]].concat());
    assert!(yes && said.contains("role ground, the grant in line"), "{said}");
    let (yes, said, _) = test(&[&wall[..], &["--storey", "Roof"]].concat());
    assert!(!yes && said.contains("denied") && said.contains("Roof"), "{said}");
    let delete = ["--principal", "x", "--role", "author", "--tool", "delete_elements", "--elements", "1"];
    let (yes, said, _) = test(&delete);
    assert!(!yes && said.contains("gate `deleting`"), "{said}");
}
