//! Links that need no key: what they lead to, for how long, and what nobody gets by them.

use super::office::{Caller, Office};
use crate::wire::{Answer, request};
use serde_json::{Value, json};

/// The path of a link.
fn path(office: &Office, link: &Value) -> String {
    let url = link["url"].as_str().unwrap();
    let (_, path) =
        url.split_once(&office.address).unwrap_or_else(|| panic!("{url} is not at {}", office.address));
    path.to_owned()
}

/// A request of somebody elsewhere without a key.
fn stranger(office: &Office, method: &str, path: &str, body: &[u8]) -> Answer {
    office.caller(&[]).send(method, path, body)
}

fn is_refused(answer: &Answer) {
    assert_eq!((answer.status, &answer.json()["code"]), (403, &json!(1003)), "{}", answer.text());
}

#[test]
fn a_link_to_a_model_needs_no_key_and_leads_to_that_version_alone() {
    let office = Office::open();
    let ada = office.somebody("ada", "house");
    let (model, _) = ada.house("House");
    let before = ada.send("GET", &format!("/bucket/{model}/head"), b"").text();
    let link = ada.done("get_download_link", &json!({"model_id": model, "expires_seconds": 60}));
    ada.done("create_wall", &super::office::wall(&model, "Ground", 5000));

    let got = stranger(&office, "GET", &path(&office, &link), b"");
    assert_eq!(got.status, 200, "{}", got.text());
    assert_eq!(got.text(), before);
    assert!(got.header("content-disposition").unwrap().contains("House.ifc"));
    let part = request(&office.address, "GET", &path(&office, &link), &["range: bytes=0-12"], b"");
    assert_eq!((part.status, part.text().as_str()), (206, "ISO-10303-21;"));

    // nothing else: not the model, not another secret, not a file in its place
    assert_eq!(stranger(&office, "GET", &format!("/bucket/{model}/head"), b"").status, 401);
    let other = path(&office, &link).replace(['0', '1', '2'], "3");
    is_refused(&stranger(&office, "GET", &other, b""));
    is_refused(&stranger(&office, "GET", "/bucket/links/x", b""));
    is_refused(&stranger(&office, "PUT", &path(&office, &link), b"ISO-10303-21;"));

    // it is written down who made it and that it was followed
    let root = office.somebody("root", "admin");
    let audit = root.done("get_audit_log", &json!({"limit": 50}));
    let entries = audit["entries"].as_array().unwrap();
    let by = |tool: &str| {
        entries.iter().filter(|entry| entry["tool"] == tool && entry["principal"] == "ada").count()
    };
    assert_eq!((by("get_download_link"), by("follow_link")), (1, 2), "{audit}");
    let secret = path(&office, &link).rsplit('/').next().unwrap().to_owned();
    assert!(!audit.to_string().contains(&secret));
}

#[test]
fn a_link_holds_as_long_as_it_says_and_is_made_by_those_who_may() {
    let office = Office::open();
    let ada = office.somebody("ada", "house");
    let (model, _) = ada.house("House");
    let link = ada.done("get_download_link", &json!({"model_id": model, "expires_seconds": 1}));
    std::thread::sleep(std::time::Duration::from_millis(1100));
    is_refused(&stranger(&office, "GET", &path(&office, &link), b""));

    let long = ada.refused("get_download_link", &json!({"model_id": model, "expires_seconds": 604_801}));
    assert_eq!(long["code"], -32602, "{long}");
    let tom = office.somebody("tom", "tower");
    let foreign = tom.refused("get_download_link", &json!({"model_id": model}));
    assert_eq!(foreign["code"], 1005, "{foreign}");
    let may_not = [
        ("viewer", "get_upload_link", json!({"name": "x.ifc"})),
        ("ground", "get_download_link", json!({"model_id": model})),
    ];
    for (role, tool, arguments) in may_not {
        let refused = office.somebody("ben", role).refused(tool, &arguments);
        assert_eq!(refused["code"], 1003, "{role} {tool}: {refused}");
    }
}

#[test]
fn a_link_for_a_file_takes_one_of_its_size_for_its_maker_alone() {
    let office = Office::open();
    let ada = office.somebody("ada", "author");
    let (model, _) = ada.house("House");
    let file = ada.send("GET", &format!("/bucket/{model}/head"), b"").body;
    let ask = |caller: &Caller, bytes: usize| {
        caller
            .done("get_upload_link", &json!({"name": "Sent.ifc", "max_bytes": bytes, "expires_seconds": 60}))
    };
    let small = ask(&ada, file.len() - 1);
    let refused = stranger(&office, "PUT", &path(&office, &small), &file);
    assert_eq!((refused.status, &refused.json()["code"]), (413, &json!(1009)), "{}", refused.text());
    assert_eq!(stranger(&office, "PUT", &path(&office, &small), b"").status, 400);

    let link = ask(&ada, file.len());
    is_refused(&stranger(&office, "GET", &path(&office, &link), b""));
    let sent = stranger(&office, "PUT", &path(&office, &link), &file);
    assert_eq!(sent.status, 201, "{}", sent.text());
    assert_eq!(sent.json()["upload_name"], "Sent.ifc");
    is_refused(&stranger(&office, "PUT", &path(&office, &link), &file));

    let loaded = ada.done("load_model", &json!({"upload_name": "Sent.ifc"}));
    assert_eq!(loaded["name"], "Sent");
    let ben = office.somebody("ben", "author");
    let foreign = ben.refused("load_model", &json!({"upload_name": "Sent.ifc"}));
    assert_eq!(foreign["code"], 1014, "{foreign}");
    for name in ["../x.ifc", "a/b.ifc", "", "x\r\ny: z.ifc"] {
        let refused = ada.refused("get_upload_link", &json!({"name": name}));
        assert_eq!(refused["code"], -32602, "{name:?}: {refused}");
    }
}
