//! A client that says in which folders its user works has files written there, and nowhere else.

use crate::place::Place;
use crate::wire::{Stdio, succeeded};
use serde_json::{Value, json};

/// Calls a tool; the client says its folders when it is asked. Returns the result and how often it was asked.
fn call(client: &mut Stdio, id: u64, tool: &str, arguments: &Value, roots: &Value) -> (Value, usize) {
    let params = json!({"name": tool, "arguments": arguments});
    client.send(&json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}));
    let mut asked = 0;
    loop {
        let message = client.receive();
        if message["method"] == "roots/list" {
            asked += 1;
            let answer = json!({"jsonrpc": "2.0", "id": message["id"], "result": {"roots": roots}});
            client.send(&answer);
        } else if message["id"] == id && message.get("method").is_none() {
            return (message["result"].clone(), asked);
        }
    }
}

#[test]
fn files_go_where_the_client_says_that_its_user_works() {
    let place = Place::new();
    let [work, started] = ["my work", "started here"].map(|name| place.root().join(name));
    for folder in [&work, &started] {
        std::fs::create_dir_all(folder).unwrap();
    }
    let mut command = place.command(&["mcp"]);
    command.current_dir(&started).env_remove("PENSAER_WRITE_DIRS");
    let mut client = Stdio::start(command);
    client.ask(
        "initialize",
        &json!({"protocolVersion": "2025-11-25", "capabilities": {"roots": {}},
                "clientInfo": {"name": "it", "version": "1"}}),
    );
    client.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    let address = format!("file://{}", work.display().to_string().replace(' ', "%20"));
    let roots = json!([{"uri": address, "name": "Work"}, {"uri": "https://example.org/elsewhere"}]);
    let (made, asked) = call(&mut client, 100, "create_project", &json!({"name": "House"}), &roots);
    succeeded("create_project", &made);
    assert_eq!(asked, 0, "who writes no file is not asked");

    let inside = work.join("house.ifc");
    let (saved, asked) = call(&mut client, 101, "save_model", &json!({"file_path": inside}), &roots);
    succeeded("save_model", &saved);
    assert!(asked == 1 && inside.exists());

    let outside = started.join("house.ifc");
    let (refused, _) = call(&mut client, 102, "save_model", &json!({"file_path": outside}), &roots);
    assert_eq!(refused["structuredContent"]["code"], 1003, "{refused}");
    assert!(refused.to_string().contains("my work") && !outside.exists(), "{refused}");

    // one that says none works in the folder that it was started in
    let (saved, _) = call(&mut client, 103, "save_model", &json!({"file_path": outside}), &json!([]));
    succeeded("save_model", &saved);
    assert!(outside.exists());
}
