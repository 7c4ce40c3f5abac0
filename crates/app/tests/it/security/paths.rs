//! Every parameter of every tool that may name a file, filled with paths that lead elsewhere.

use super::office::Office;
use serde_json::{Value, json};

const CANARY: &str = "canary-4711";

/// True if a parameter may name a file, by its name or by its description.
fn names_a_file(name: &str, schema: &Value) -> bool {
    let text = schema.to_string().contains("\"string\"");
    text && ["file", "path", "key", "upload", "folder", "url", "output"]
        .iter()
        .any(|word| name.contains(word))
        && name != "idempotency_key"
        && name != "output_format"
        && name != "key_value"
        && !name.contains("profile")
}

#[test]
fn no_parameter_of_any_tool_leads_out_of_the_bucket() {
    let office = Office::open();
    let admin = office.somebody("mallory", "admin");
    let (model, element) = admin.house("House");
    let energy = admin.done("new_model", &json!({"kind": "energyplus"}));
    let canary = office.place.root().join("canary.ifc");
    std::fs::write(&canary, CANARY).unwrap();
    let listed = office.place.run(&["tools", "--json"]);
    let tools: Vec<Value> = serde_json::from_slice(&listed.stdout).unwrap();
    let mut tried = 0;
    for tool in &tools {
        let name = tool["name"].as_str().unwrap();
        let schema = &tool["input_schema"];
        let Some(properties) = schema["properties"].as_object() else { continue };
        for (parameter, _) in properties.iter().filter(|(name, schema)| names_a_file(name, schema)) {
            for hostile in [
                canary.to_str().unwrap().to_owned(),
                "/etc/passwd".to_owned(),
                "../../../../../../etc/passwd".to_owned(),
                "..%2f..%2fetc%2fpasswd".to_owned(),
                "~/.ssh/id_rsa".to_owned(),
                "file:///etc/passwd".to_owned(),
                "..\\..\\windows\\win.ini".to_owned(),
                "a\0b.ifc".to_owned(),
                format!("{}/../../canary.ifc", office.place.data().display()),
                "x".repeat(5000),
            ] {
                let example = tool["examples"].get(0).map(|example| example["arguments"].clone());
                let mut arguments = example.filter(Value::is_object).unwrap_or_else(|| json!({}));
                for other in ["file_path", "upload_name", "bucket_key"] {
                    arguments.as_object_mut().unwrap().remove(other);
                }
                if properties.contains_key("model_id") {
                    let is_energy = tool["server"] == "energy";
                    arguments["model_id"] =
                        if is_energy { energy["model_id"].clone() } else { model.as_str().into() };
                }
                arguments[parameter] = hostile.as_str().into();
                let result = admin.call(name, &arguments);
                assert_eq!(result["isError"], true, "{name}.{parameter} = {hostile}: {result}");
                let fault = &result["structuredContent"];
                let code = fault["code"].as_i64().unwrap();
                assert!(
                    [1003, 1012, 1013, 1014, -32602].contains(&code),
                    "{name}.{parameter} = {hostile}: {fault}"
                );
                let text = result.to_string();
                assert!(!text.contains(CANARY) && !text.contains("root:"), "{name}.{parameter}: {text}");
                tried += 1;
            }
        }
    }
    assert!(tried >= 40, "only {tried}: the parameters are called something else by now");
    assert_eq!(std::fs::read_to_string(&canary).unwrap(), CANARY);
    assert!(admin.done("get_element", &json!({"model_id": model, "element_id": element})).is_object());
}

#[test]
fn no_address_leads_out_of_the_bucket() {
    let office = Office::open();
    let admin = office.somebody("mallory", "admin");
    for path in [
        "/bucket/../../etc/passwd",
        "/bucket/files/../../../etc/passwd",
        "/bucket/files/..%2f..%2f..%2fetc/passwd",
        "/bucket/files/x/%2e%2e%2fpasswd",
        "/bucket/%2e%2e/head",
        "/bucket/signed/..%2f..%2fpensaer.db?until=99999999999&signature=00",
        "/bucket/signed/x?until=99999999999&signature=",
        "/viewer/../../Cargo.toml",
        "/viewer/%2e%2e/%2e%2e/Cargo.toml",
        "/api/models/%2e%2e/versions",
    ] {
        let answer = admin.send("GET", path, b"");
        assert!((400..500).contains(&answer.status), "{path}: {}", answer.status);
        let text = String::from_utf8_lossy(&answer.body);
        assert!(!text.contains("root:") && !text.contains("[workspace]"), "{path}: {text}");
    }
}
