//! The port on a machine that others use, too, and the files that its user's server keeps and writes there.

use crate::place::{Foreground, Place};
use crate::wire::{Answer, Stdio, hello, request};
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

/// A server as it is without any setting.
fn plain() -> (Place, Foreground, String) {
    let mut place = Place::new();
    place.open = false;
    let server = place.serve();
    let address = place.address();
    (place, server, address)
}

fn initialize(address: &str, headers: &[&str]) -> Answer {
    let message = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": hello()});
    let mut all = vec!["content-type: application/json", "accept: application/json, text/event-stream"];
    all.extend(headers);
    request(address, "POST", "/mcp", &all, message.to_string().as_bytes())
}

fn house(agent: &mut Stdio) -> Value {
    agent.done("create_project", &json!({"name": "House", "storeys": [{"name": "Ground", "elevation": 0}]}))
}

#[test]
fn the_port_asks_for_the_key_that_only_its_user_can_read() {
    let (place, _server, address) = plain();
    for path in ["/api/models", "/bucket", "/api/approvals"] {
        assert_eq!(request(&address, "GET", path, &[], b"").status, 401, "{path}");
    }
    assert_eq!(request(&address, "POST", "/bucket?name=x.ifc", &[], b"ISO-10303-21;").status, 401);
    let nobody = initialize(&address, &[]);
    assert_eq!(nobody.status, 401);
    assert!(nobody.text().contains("pensaer local-key"), "{}", nobody.text());
    for path in ["/healthz", "/viewer"] {
        assert_eq!(request(&address, "GET", path, &[], b"").status, 200, "{path} says nothing of models");
    }

    let printed = String::from_utf8(place.run(&["local-key"]).stdout).unwrap();
    let key = printed.trim();
    let file = place.data().join("local-key");
    assert_eq!(fs::read_to_string(&file).unwrap().trim(), key);
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    let bearer = format!("authorization: Bearer {key}");
    assert_eq!(initialize(&address, &[&bearer]).status, 200);
    assert_eq!(request(&address, "GET", "/api/models", &[&format!("x-api-key: {key}")], b"").status, 200);
    let passed_on = [bearer.as_str(), "x-forwarded-for: 192.0.2.7"];
    assert_eq!(
        request(&address, "GET", "/api/models", &passed_on, b"").status,
        401,
        "it is good on this machine alone"
    );

    // agents over a pipe need none, and what they are answered leads in
    let mut agent = place.stdio();
    let model = house(&mut agent)["model_id"].as_str().unwrap().to_owned();
    let saved = agent.call("save_model", &json!({}));
    let href = saved["structuredContent"]["links"][0]["href"]
        .as_str()
        .unwrap_or_else(|| panic!("{saved}"))
        .to_owned();
    let at = href.find("/bucket/").unwrap();
    assert_eq!(request(&address, "GET", &href[at..], &[], b"").status, 200, "{href}");
    assert_eq!(request(&address, "DELETE", &href[at..], &[], b"").status, 401);
    let access = href.split_once('?').unwrap().1;
    for other in [format!("/bucket/{model}"), "/api/models".to_owned(), "/bucket".to_owned()] {
        assert_eq!(request(&address, "GET", &format!("{other}?{access}"), &[], b"").status, 401, "{other}");
    }
    let view = agent.done("view_model", &json!({}))["url"].as_str().unwrap().to_owned();
    assert!(view.ends_with(&format!("#key={key}")), "{view}");
    let log = place.run(&["admin", "audit", "export"]);
    assert!(!String::from_utf8(log.stdout).unwrap().contains(key), "the key is not kept in the log");
}

#[test]
fn an_open_port_is_for_a_machine_of_ones_own() {
    let place = Place::new();
    fs::create_dir_all(place.data()).unwrap();
    fs::write(place.data().join("pensaer.toml"), "public-url = 'https://bim.example.org'").unwrap();
    let refused = place.run(&["serve"]);
    let complaint = String::from_utf8(refused.stderr).unwrap();
    assert!(!refused.status.success() && complaint.contains("open-loopback"), "{complaint}");
}

/// Everything in a folder that others may read, write or enter.
fn open_to_others(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = vec![folder.to_owned()];
    while let Some(path) = rest.pop() {
        let about = fs::symlink_metadata(&path).unwrap();
        if about.permissions().mode() & 0o077 != 0 && !about.is_symlink() {
            found.push(format!("{:o} {}", about.permissions().mode(), path.display()));
        }
        if about.is_dir() {
            rest.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        }
    }
    found
}

#[test]
fn what_is_kept_and_copied_is_its_owners_alone_and_what_is_saved_is_as_its_owner_has_it() {
    let place = Place::new();
    fs::create_dir_all(place.data()).unwrap();
    fs::set_permissions(place.data(), fs::Permissions::from_mode(0o755)).unwrap();
    let mut agent = place.stdio();
    house(&mut agent);
    agent.done("save_model", &json!({"file_path": "house.ifc"}));
    agent.done("run_code", &json!({"code": "1 + 1"}));
    assert_eq!(open_to_others(place.data()), Vec::<String>::new());
    let copy = place.root().join("copy");
    fs::create_dir(&copy).unwrap();
    fs::set_permissions(&copy, fs::Permissions::from_mode(0o755)).unwrap();
    assert!(place.run(&["admin", "backup", "--to", copy.to_str().unwrap()]).status.success());
    assert_eq!(open_to_others(&copy), Vec::<String>::new());
    let saved = fs::metadata(place.root().join("house.ifc")).unwrap().permissions().mode() & 0o777;
    fs::write(place.root().join("usual"), b"").unwrap();
    let usual = fs::metadata(place.root().join("usual")).unwrap().permissions().mode() & 0o777;
    assert_eq!(saved, usual, "a file for its owner's other programs");
}

#[test]
fn files_are_written_below_the_clients_folder_and_never_over_what_is_no_model() {
    let place = Place::new();
    let work = place.root().join("work");
    fs::create_dir_all(work.join(".hidden")).unwrap();
    fs::create_dir_all(place.root().join("elsewhere")).unwrap();
    std::os::unix::fs::symlink(place.root().join("elsewhere"), work.join("link")).unwrap();
    let mut command = place.command(&["mcp"]);
    command.current_dir(&work).env_remove("PENSAER_WRITE_DIRS");
    let mut agent = Stdio::start(command);
    agent.initialize();
    house(&mut agent);
    let settings = work.join("notes.ifc");
    fs::write(&settings, "export PATH=/usr/bin\n").unwrap();
    let refused = |agent: &mut Stdio, tool: &str, field: &str, path: &str| {
        let answer = agent.call(tool, &json!({field: path, "overwrite": true}));
        let answer = if answer["isError"] == true { answer } else { agent.call(tool, &json!({field: path})) };
        assert_eq!(answer["isError"], true, "{tool} {path}: {answer}");
        answer["structuredContent"]["message"].as_str().unwrap().to_owned()
    };
    let outside = place.root().join("elsewhere/house.ifc");
    for path in [
        outside.to_str().unwrap(),
        "../elsewhere/house.ifc",
        "link/house.ifc",
        ".bashrc.ifc",
        ".hidden/house.ifc",
        place.data().join("house.ifc").to_str().unwrap(),
        "notes.ifc",
        "authorized_keys",
        ".bashrc",
    ] {
        refused(&mut agent, "save_model", "file_path", path);
    }
    assert_eq!(fs::read_to_string(&settings).unwrap(), "export PATH=/usr/bin\n");
    assert_eq!(fs::read_dir(place.root().join("elsewhere")).unwrap().count(), 0);
    let says = refused(&mut agent, "save_model", "file_path", outside.to_str().unwrap());
    assert!(says.contains("write-dirs"), "{says}");
    for path in [outside.to_str().unwrap(), ".hidden/house.ifc"] {
        refused(&mut agent, "export_ifc", "file_path", path);
    }
    agent.done("save_model", &json!({"file_path": "house.ifc"}));
    agent.done("save_model", &json!({"file_path": "house.ifc", "overwrite": true}));
}

#[test]
fn a_file_that_is_no_model_is_not_quoted_and_nothing_of_it_is_kept() {
    let place = Place::new();
    let secret = "TOPSECRETPASSWORD1234567890";
    let mut agent = place.stdio();
    for (name, content) in [
        ("key.ifc", format!("{secret}\n")),
        ("key.idf", format!("{secret}\n")),
        ("key.idf", format!("{secret},\n {secret};\n")),
        ("key.epJSON", format!("{{\"{secret}\": {{\"{secret}\": 1}}}}")),
        ("key.epJSON", format!("{{\"name\": \"{secret}\"")),
        ("key.ifc", format!("\0\u{1}{secret}")),
        ("key.idf", format!("Version,25.2;\0\u{1}{secret}")),
    ] {
        fs::write(place.root().join(name), content).unwrap();
        let answer = agent.call("load_model", &json!({"file_path": name}));
        assert_eq!(answer["isError"], true, "{name}: {answer}");
        assert!(!answer.to_string().contains("SECRET"), "{name}: {answer}");
    }
    let key = place.root().join("id_ed25519");
    fs::write(&key, secret).unwrap();
    let answer = agent.call("convert_osm_to_idf", &json!({"osm_path": key, "output_path": "out.idf"}));
    assert_eq!(answer["isError"], true, "{answer}");
    let listed = agent.done("list_files", &json!({}));
    assert_eq!(listed["files"], json!([]), "{listed}");
}
