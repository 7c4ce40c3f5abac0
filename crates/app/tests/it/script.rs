//! `run_code` through the door that agents use.

use crate::place::Place;
use crate::wire::Stdio;
use serde_json::{Value, json};

const HOUSE: &str = r#"
corners = [[0, 0], [9000, 0], [9000, 7000], [0, 7000]]
for i in range(4):
    w = adapter.create_wall(start=corners[i], end=corners[(i + 1) % 4], level_id="Ground", name=f"W{i}")
    adapter.create_opening(host_id=w, location={"at": "center"}, width=1200, height=1200, opening_type="window")
[len(adapter.select("IfcWall")), len(adapter.select("IfcWindow"))]
"#;

fn house(place: &Place) -> Stdio {
    let mut agent = place.stdio();
    let storeys = json!([{"name": "Ground", "elevation": 0}]);
    agent.done("create_project", &json!({"name": "House", "storeys": storeys}));
    agent
}

/// A call that goes on until it is given up, or meets a limit.
const ENDLESS: &str = "for i in range(9000):\n    adapter.validate_model()";

fn count(agent: &mut Stdio) -> Value {
    agent.done("run_code", &json!({"code": "len(adapter.select('IfcWall'))", "mode": "query"}))["value"]
        .clone()
}

#[test]
fn a_storey_of_walls_with_windows_is_one_version_and_undo_takes_all_of_it_back() {
    let place = Place::new();
    let mut agent = house(&place);
    let preview = agent.done("run_code", &json!({"code": HOUSE, "dry_run": true}));
    assert_eq!(
        (&preview["status"], &preview["changes"]["added"]["IfcWall"]),
        (&json!("preview"), &json!(4)),
        "{preview}"
    );
    assert_eq!(count(&mut agent), 0);
    let versions =
        |agent: &mut Stdio| agent.done("list_versions", &json!({}))["versions"].as_array().map(Vec::len);
    let before = versions(&mut agent);
    let call = json!({"code": HOUSE, "idempotency_key": "house", "reasoning": "the outer walls"});
    let made = agent.done("run_code", &call);
    assert_eq!((&made["status"], &made["value"]), (&json!("modified"), &json!([4, 4])), "{made}");
    assert_eq!(made["changes"]["added"]["IfcWindow"], 4, "{made}");
    assert_eq!(versions(&mut agent), before.map(|count| count + 1));
    // a retry is answered and not run again
    assert_eq!(agent.done("run_code", &call)["model_version"], made["model_version"]);
    assert_eq!(count(&mut agent), 4);
    assert!(agent.done("get_audit_log", &json!({})).to_string().contains("run_code"));
    agent.done("undo", &json!({}));
    assert_eq!(count(&mut agent), 0);
    assert_eq!(versions(&mut agent).unwrap_or(0), before.unwrap_or(0) + 2);
}

#[test]
fn scripts_that_mean_harm_are_cut_change_nothing_and_the_next_call_is_served() {
    let place = Place::new();
    let mut agent = house(&place);
    let edit = "adapter.create_wall(start=[0,0], end=[5000,0], level_id='Ground')\n";
    for (code, expected) in [
        ("x = []\nwhile True: x.append('a' * 1000)", "memory"),
        ("10**10**9", "memory"),
        ("def f(): f()\nf()", "recursion"),
        ("while True: print('x' * 10000)", "output"),
        ("while True: create_wall([0,0],[1000,0],'Ground')\n", "calls time"),
        ("open('/etc/passwd').read()", ""),
        ("import subprocess", ""),
        ("import socket", ""),
        ("import os\nos.kill(1, 9)", ""),
        ("1 / 0", ""),
    ] {
        let answer = agent.call("run_code", &json!({"code": format!("{edit}{code}")}));
        assert_eq!(answer["isError"], true, "{code}: {answer}");
        let fault = &answer["structuredContent"];
        let limit = fault["data"]["limit"].as_str().unwrap_or_default();
        assert!(limit.is_empty() == expected.is_empty() && expected.contains(limit), "{code}: {fault}");
        assert_eq!(count(&mut agent), 0, "{code}");
    }
}

#[test]
fn a_client_is_told_how_far_a_call_is_and_cancels_it_without_loss_to_others() {
    let place = Place::new();
    let mut agent = house(&place);
    let params = json!({
        "name": "run_code",
        "arguments": {"code": ENDLESS, "mode": "query"},
        "_meta": {"progressToken": "how far"}
    });
    agent.send(&json!({"jsonrpc": "2.0", "id": "long", "method": "tools/call", "params": params}));
    let mut last = 0.0;
    for _ in 0..2 {
        let told = agent.receive();
        assert_eq!(told["method"], "notifications/progress", "{told}");
        let told = &told["params"];
        assert_eq!(told["progressToken"], "how far");
        assert!(told["progress"].as_f64().is_some_and(|now| now > last), "{told}");
        last = told["progress"].as_f64().unwrap_or_default();
        assert!(told["message"].as_str().is_some_and(|text| !text.is_empty()), "{told}");
    }
    agent.send(
        &json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "long"}}),
    );
    agent.send(&json!({"jsonrpc": "2.0", "id": "next", "method": "tools/call",
        "params": {"name": "model_summary", "arguments": {}}}));
    let answer = loop {
        let message = agent.receive();
        if message["method"] != "notifications/progress" {
            break message;
        }
    };
    assert_eq!((&answer["id"], &answer["result"]["isError"]), (&json!("next"), &json!(false)), "{answer}");
    // the call that was given up is written down by itself, beside the next one
    let mut log = String::new();
    for _ in 0..200 {
        log = agent.done("get_audit_log", &json!({})).to_string();
        if log.contains("cancelled") {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    panic!("{log}");
}
