//! A database and files that were damaged or tampered with, by one flipped bit or with care: what `fsck --deep` names, and what
//! `--repair` brings back.

use super::audit::verify;
use super::office::{Office, wall};
use crate::place::Place;
use rusqlite::Connection;
use rusqlite::types::Value as Cell;
use serde_json::json;
use std::fs;

/// A place with a house of two walls, a wall that waits to be deleted, and a decision against it; its server goes on.
fn furnished() -> (Office, String) {
    let office = Office::open();
    let ada = office.somebody("ada", "house");
    let (model, element) = ada.house("House");
    ada.done("create_wall", &wall(&model, "Ground", 2000));
    let held = ada.refused("delete_elements", &json!({"element_ids": [element], "model_id": model}));
    let ben = office.somebody("ben", "approver");
    let no = json!({"approval_id": held["data"]["approval_id"], "decision": "reject", "comment": "it stands well"});
    ben.done("decide_approval", &no);
    let database = database(&office.place);
    for table in ["audit", "events"] {
        let unlock = format!("DROP TRIGGER {table}_is_not_changed; DROP TRIGGER {table}_is_not_removed;");
        database.execute_batch(&unlock).unwrap();
    }
    (office, model)
}

fn database(place: &Place) -> Connection {
    let database = Connection::open(place.data().join("pensaer.db")).unwrap();
    database.execute_batch("PRAGMA foreign_keys = OFF").unwrap();
    database
}

fn fsck(place: &Place, more: &[&str]) -> (bool, String) {
    let output = place.run(&[&["admin", "fsck"], more].concat());
    let text = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    (output.status.success(), text)
}

/// Flips one bit in the middle of a value.
fn flip(place: &Place, table: &str, column: &str, of: &str) {
    let database = database(place);
    let read = format!("SELECT {column} FROM {table} WHERE {of}");
    let flipped = match database.query_row(&read, [], |row| row.get::<_, Cell>(0)).unwrap() {
        Cell::Integer(number) => Cell::Integer(number ^ 1),
        Cell::Text(text) => {
            let mut bytes = text.into_bytes();
            let middle = bytes.len() / 2;
            bytes[middle] ^= 1;
            Cell::Text(String::from_utf8(bytes).unwrap())
        }
        Cell::Blob(mut bytes) => {
            let middle = bytes.len() / 2;
            bytes[middle] ^= 1;
            Cell::Blob(bytes)
        }
        other => panic!("{table}.{column} is {other:?}"),
    };
    let write = format!("UPDATE {table} SET {column} = ?1 WHERE {of}");
    assert_eq!(database.execute(&write, [flipped]).unwrap(), 1, "{write}");
}

fn head(place: &Place, model: &str) -> String {
    let sql = "SELECT version_id FROM refs WHERE model_id = ?1";
    database(place).query_row(sql, [model], |row| row.get(0)).unwrap()
}

#[test]
fn one_flipped_bit_anywhere_is_found_and_named() {
    let (office, model) = furnished();
    let place = &office.place;
    let (good, said) = fsck(place, &["--deep"]);
    assert!(good && said.contains("all is well; 1 head opens"), "{said}");
    let version = head(place, &model);
    let of_version = format!("version_id = '{version}' AND tool = 'create_wall'");
    let named = format!("version {version} of model {model}");
    for (table, column, of, says) in [
        (
            "versions",
            "delta",
            of_version.as_str(),
            vec![named.clone(), "in the column delta) is damaged".into(), "does not open".into()],
        ),
        ("versions", "manifest", &of_version, vec![format!("{named} was changed: its column manifest")]),
        ("versions", "summary", &of_version, vec![format!("{named} was changed: its column summary")]),
        ("events", "actor", &of_version, vec![format!("of model {model} was changed: its column actor")]),
        ("events", "params_sha256", &of_version, vec!["was changed: its column params_sha256".into()]),
        (
            "approvals",
            "record",
            "status = 'rejected'",
            vec!["approval ".into(), "was changed: its column record".into()],
        ),
        ("audit", "principal", "sequence = 4", vec!["audit entry 4: its column principal".into()]),
        (
            "audit",
            "model_id",
            "tool = 'create_wall' AND sequence = (SELECT max(sequence) FROM audit WHERE tool = 'create_wall')",
            vec!["its column model_id".to_owned()],
        ),
    ] {
        flip(place, table, column, of);
        let (good, said) = fsck(place, &["--deep"]);
        assert!(!good, "{table}.{column}: {said}");
        for says in says {
            assert!(said.contains(&says), "{table}.{column}: {says} in {said}");
        }
        flip(place, table, column, of);
    }
    let (good, said) = fsck(place, &["--deep"]);
    assert!(good, "{said}");

    let sql = "SELECT file_sha256 FROM versions WHERE file_sha256 IS NOT NULL";
    let blob: String = database(place).query_row(sql, [], |row| row.get(0)).unwrap();
    let file = place.data().join("blobs").join(&blob[..2]).join(&blob[2..]);
    let mut bytes = fs::read(&file).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&file, &bytes).unwrap();
    let (good, said) = fsck(place, &["--deep"]);
    assert!(!good && said.contains(&format!("blob {blob} is damaged: file of version")), "{said}");
    bytes[middle] ^= 1;
    fs::write(&file, &bytes).unwrap();

    database(place).execute("DELETE FROM versions WHERE version_id = ?1", [&version]).unwrap();
    let (good, said) = fsck(place, &["--deep"]);
    assert!(!good && said.contains(&format!("{named} is gone; audit entry")), "{said}");
}

#[test]
fn what_was_damaged_is_brought_back_if_it_can_be_proven() {
    let (office, model) = furnished();
    let place = &office.place;
    let copy = place.root().join("copy");
    let copy = copy.to_str().unwrap();
    assert!(place.run(&["admin", "backup", "--to", copy]).status.success());
    let of_version = format!("version_id = '{}' AND tool = 'create_wall'", head(place, &model));
    flip(place, "versions", "delta", &of_version);
    flip(place, "events", "actor", &of_version);
    let (good, said) = fsck(place, &["--deep"]);
    assert!(!good && said.matches("`--repair` brings it back").count() == 2, "{said}");
    let (good, said) = fsck(place, &["--deep", "--repair"]);
    assert!(good && said.contains("2 were brought back") && said.contains("all is well"), "{said}");
    database(place).execute(&format!("UPDATE versions SET delta = X'0102' WHERE {of_version}"), []).unwrap();
    let (good, said) = fsck(place, &["--deep", "--repair"]);
    assert!(
        !good && said.contains("a copy may have it") && said.contains("1 version, this one, does not open"),
        "{said}"
    );
    let (good, said) = fsck(place, &["--deep", "--repair", "--copy", copy]);
    assert!(good && said.contains("1 was brought back") && said.contains("it is in the copy"), "{said}");
    let (good, said) = verify(place, &[]);
    assert!(good, "{said}");
}
