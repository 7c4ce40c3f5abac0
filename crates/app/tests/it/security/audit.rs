//! An audit log that was tampered with: by who can write to the database, without the program's knowing.

use super::office::Office;
use crate::place::Place;
use rusqlite::Connection;
use serde_json::{Value, json};

/// A place with a few entries, its daemon ended.
fn written() -> Place {
    let place = Place::new();
    for name in ["A", "B", "C"] {
        place.call("create_project", &json!({"name": name}));
    }
    place.end_daemon();
    place
}

pub fn verify(place: &Place, more: &[&str]) -> (bool, String) {
    let output = place.run(&[&["admin", "audit", "verify"], more].concat());
    let text = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8(text).unwrap())
}

/// Tampers as somebody does who has the file and knows SQLite.
fn tamper(place: &Place, sql: &str) {
    let database = Connection::open(place.data().join("pensaer.db")).unwrap();
    database.execute_batch("DROP TRIGGER audit_is_not_changed; DROP TRIGGER audit_is_not_removed;").unwrap();
    database.execute_batch(sql).unwrap();
}

#[test]
fn every_way_to_tamper_with_the_log_is_found() {
    for (how, sql, says) in [
        ("changed", "UPDATE audit SET entry = replace(entry, 'create_project', 'list_models') WHERE sequence = 2", "entry 2"),
        ("removed", "DELETE FROM audit WHERE sequence = 2", "entry 2"),
        ("moved", "UPDATE audit SET sequence = -2 WHERE sequence = 2; UPDATE audit SET sequence = 2 WHERE sequence = 3;
                   UPDATE audit SET sequence = 3 WHERE sequence = -2", "entry 2"),
        ("cut off", "DELETE FROM audit WHERE sequence > 1", "cut off after 1"),
        ("emptied", "DELETE FROM audit", "cut off after 0"),
    ] {
        let place = written();
        let (good, said) = verify(&place, &[]);
        assert!(good && said.contains("entries hold"), "{said}");
        tamper(&place, sql);
        let (good, said) = verify(&place, &[]);
        assert!(!good && said.contains(says), "{how}: {said}");
    }
}

#[test]
fn a_head_noted_elsewhere_shows_a_log_that_was_written_anew() {
    let (one, other) = (written(), written());
    let (_, said) = verify(&one, &[]);
    let head = said.trim().rsplit(' ').next().unwrap().to_owned();
    assert!(verify(&one, &["--head", &head]).0);
    // whole in itself, with its own heads beside it, and not the log that was there
    let (good, said) = verify(&other, &["--head", &head]);
    assert!(!good && said.contains("another than the one noted"), "{said}");
}

#[test]
fn the_log_is_exported_in_order_without_secrets() {
    let office = Office::open();
    let ada = office.somebody("ada", "house");
    let key = ada.headers[0].rsplit(' ').next().unwrap().to_owned();
    let secret = "postgresql://bim:hunter2@db.example.org/x";
    ada.refused("load_model", &json!({"file_path": secret, "reasoning": format!("with {key}")}));
    let (done, lines, complaint) = office.admin(&["audit", "export"]);
    assert!(done, "{complaint}");
    let entries: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let order: Vec<u64> = entries.iter().map(|entry| entry["sequence"].as_u64().unwrap()).collect();
    assert_eq!(order, (1..=entries.len() as u64).collect::<Vec<_>>());
    assert!(entries.iter().any(|entry| entry["tool"] == "load_model" && entry["principal"] == "ada"));
    assert!(entries.iter().any(|entry| entry["tool"] == "admin key create"));
    // the secret itself may have the sign that parts it from the key's id
    for gone in ["hunter2", key.splitn(3, '_').nth(2).unwrap(), "argon2"] {
        assert!(!lines.contains(gone), "{gone} in {lines}");
    }
}
