//! Services held against the contract: our own on a socket and behind a gate, and the worked example of docs/adapters.md.

use crate::place::{Place, wait_until};
use crate::wire::request;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

/// A process that ends with the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A house of one wall as a file, and the ids of its storey and wall.
fn house(place: &Place) -> (PathBuf, String) {
    place.call("create_project", &json!({"name": "House", "storeys": [{"name": "Ground", "elevation": 0}]}));
    let wall = json!({"start": [0, 0], "end": [4000, 0], "level_id": "Ground"});
    let wall = place.call("create_wall", &wall)["wall_id"].as_str().unwrap().to_owned();
    let list = request(&place.address(), "GET", "/bucket", &[], b"").json();
    let text = request(&place.address(), "GET", list["models"][0]["href"].as_str().unwrap(), &[], b"").text();
    let file = place.root().join("house.ifc");
    std::fs::write(&file, text).unwrap();
    (file, wall)
}

fn conformance(place: &Place, url: &str, file: &Path, more: &[&str]) -> (Output, String) {
    let mut command = place.command(&["exec", "conformance", url, "--file"]);
    let output = command.arg(file).args(more).env("PENSAER_EXEC_TOKEN", "open sesame").output().unwrap();
    let said =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    (output, said)
}

#[test]
fn our_own_worker_and_service_conform_and_do_what_operations_say() {
    let place = Place::new();
    let (file, _) = house(&place);
    let socket = place.root().join("worker");
    let read = place.root().display().to_string();
    let mut command = place.command(&["exec", "--socket", "worker", "--read", &read]);
    let _worker = Running(command.stderr(Stdio::null()).spawn().unwrap());
    wait_until("the worker listens", || socket.exists());
    let (output, said) = conformance(&place, &format!("unix:{}", socket.display()), &file, &[]);
    assert!(output.status.success() && said.contains("0 failed, 0 skipped"), "{said}");

    let mut command = place.command(&["exec", "--workers", "1"]);
    command.env("PENSAER_LISTEN", "127.0.0.1:0").env("PENSAER_EXEC_TOKEN", "open sesame");
    let mut service = Running(command.stderr(Stdio::piped()).spawn().unwrap());
    let mut line = String::new();
    BufReader::new(service.0.stderr.take().unwrap()).read_line(&mut line).unwrap();
    let url = line.split_whitespace().find(|word| word.starts_with("http://")).unwrap();
    let (output, said) = conformance(&place, url, &file, &[]);
    assert!(output.status.success() && said.contains("0 failed, 0 skipped"), "{said}");
}

#[test]
fn our_own_worker_conforms_on_energy_models_in_either_format() {
    let place = Place::new();
    let text = place.root().join("box.idf");
    std::fs::write(&text, include_str!("box.idf")).unwrap();
    let epjson = place.root().join("box.epJSON");
    let mut agent = place.stdio();
    agent.done("load_model", &json!({"file_path": text}));
    agent.done("save_model", &json!({"file_path": epjson}));
    let read = place.root().display().to_string();
    // a worker for each, since the suite calls the version of either file by one name
    for (name, file) in [("text", &text), ("json", &epjson)] {
        let socket = place.root().join(name);
        let mut command = place.command(&["exec", "--socket", name, "--read", &read]);
        let _worker = Running(command.stderr(Stdio::null()).spawn().unwrap());
        wait_until("the worker listens", || socket.exists());
        let (output, said) = conformance(&place, &format!("unix:{}", socket.display()), file, &[]);
        assert!(output.status.success() && said.contains("0 failed, 0 skipped"), "{said}");
        assert!(said.contains("ok       rename_object gives a zone another name"), "{said}");
    }
}

#[test]
fn the_example_adapter_conforms_and_its_deltas_are_understood_here() {
    let place = Place::new();
    let (file, wall) = house(&place);
    let token = place.root().join("token");
    std::fs::write(&token, "open sesame").unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../backends/example/adapter.py");
    let Some(python) = testing::program("python3") else { return };
    let mut command = Command::new(python);
    command.arg(script).args(["--listen", "127.0.0.1:0", "--token-file"]).arg(&token);
    let mut example = Running(command.stdout(Stdio::piped()).spawn().unwrap());
    let mut line = String::new();
    BufReader::new(example.0.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let url = line.trim().rsplit(' ').next().unwrap();
    let change = format!("rename_element {}", json!({"element_id": wall, "name": "Müller's wall"}));
    let own = ["--query", "list_elements {\"class\": \"IfcWall\"}", "--change", &change];
    let (output, said) = conformance(&place, url, &file, &own);
    assert!(output.status.success() && said.contains("0 failed"), "{said}");
    assert!(said.contains("skipped") && said.contains("create_wall is not claimed"), "{said}");

    // the same change over the wire, put over the same file by our own kernel
    let base = "c0".repeat(32);
    let call = |url: &str, effect: &str, name: &str, params: Value, model: Value| {
        let body = json!({"operation_id": "1", "operation": {"effect": effect, "name": name, "params": params},
            "models": [model], "time_ms": 1});
        let address = url.strip_prefix("http://").unwrap();
        let headers = ["authorization: Bearer open sesame"];
        let answer = request(address, "POST", &format!("/{effect}"), &headers, body.to_string().as_bytes());
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.json()
    };
    let bytes = base64(&std::fs::read(&file).unwrap());
    let model = json!({"role": "model", "id": "m", "kind": "ifc", "version": base, "base_version": base,
        "base": {"inline": bytes}});
    let renamed = json!({"element_id": wall, "name": "Müller's wall"});
    let made = call(url, "modify", "rename_element", renamed, model.clone());
    let delta = &made["changes"][0]["delta"];
    let mut command = place.command(&["exec", "--workers", "1"]);
    command.env("PENSAER_LISTEN", "127.0.0.1:0").env("PENSAER_EXEC_TOKEN", "open sesame");
    let mut service = Running(command.stderr(Stdio::piped()).spawn().unwrap());
    let mut line = String::new();
    BufReader::new(service.0.stderr.take().unwrap()).read_line(&mut line).unwrap();
    let ours = line.split_whitespace().find(|word| word.starts_with("http://")).unwrap();
    let mut after = model;
    after["deltas"] = json!([delta]);
    after["version"] = version_after(&base, delta["inline"].as_str().unwrap()).into();
    let found = call(ours, "query", "get_element", json!({"element_id": wall}), after);
    assert_eq!(found["result"]["name"], "Müller's wall", "{found}");
}

/// With the shell's own tools: nothing of ours is to judge ours.
fn piped(script: &str, input: &[u8]) -> String {
    use std::io::Write;
    let mut command = Command::new("python3");
    let mut child =
        command.args(["-c", script]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap().trim().to_owned()
}

fn base64(bytes: &[u8]) -> String {
    piped("import sys,base64; print(base64.b64encode(sys.stdin.buffer.read()).decode())", bytes)
}

fn version_after(parent: &str, delta: &str) -> String {
    let script = "import sys,base64,hashlib; parent,delta=sys.stdin.read().split(); \
        print(hashlib.sha256(b'delta\\0'+parent.encode()+b'\\0'+base64.b64decode(delta)).hexdigest())";
    piped(script, format!("{parent} {delta}").as_bytes())
}
