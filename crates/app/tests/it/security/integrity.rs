//! A database and files that were damaged or tampered with, by one flipped bit or with care: what `fsck --deep` names, what `--repair`
//! brings back, and what a signed checkpoint shows.

use super::audit::verify;
use super::office::{Office, wall};
use crate::place::Place;
use rusqlite::Connection;
use rusqlite::types::Value as Cell;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

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

/// A place with a few entries and no daemon, and a signed checkpoint of it outside: the checkpoint, the public key.
fn checkpointed() -> (Place, PathBuf, PathBuf) {
    let place = Place::new();
    for name in ["A", "B", "C"] {
        place.call("create_project", &json!({"name": name}));
    }
    place.end_daemon();
    let (key, file) = (place.root().join("key"), place.root().join("checkpoint.json"));
    let text = |path: &PathBuf| path.to_str().unwrap().to_owned();
    assert!(place.run(&["admin", "audit", "checkpoint", "--new-key", &text(&key)]).status.success());
    let taken = place.run(&["admin", "audit", "checkpoint", "--key", &text(&key), "--out", &text(&file)]);
    assert!(taken.status.success(), "{}", String::from_utf8_lossy(&taken.stderr));
    (place, file, key.with_extension("pub"))
}

/// Verifies against a checkpoint.
fn against(place: &Place, file: &Path, public: &Path) -> (bool, String) {
    verify(place, &["--checkpoint", file.to_str().unwrap(), "--public-key", public.to_str().unwrap()])
}

#[test]
fn a_log_written_anew_with_right_hashes_is_found_with_a_checkpoint() {
    let (place, file, public) = checkpointed();
    place.call("create_project", &json!({"name": "D"}));
    place.end_daemon();
    let (good, said) = against(&place, &file, &public);
    assert!(good && said.contains("signed with the key that was given"), "{said}");

    let database = Connection::open(place.data().join("pensaer.db")).unwrap();
    database.execute_batch("DROP TRIGGER audit_is_not_changed; DROP TRIGGER audit_is_not_removed;").unwrap();
    let mut entries = database.prepare("SELECT sequence, entry FROM audit ORDER BY sequence").unwrap();
    let entries: Vec<(i64, String)> =
        entries.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap().map(Result::unwrap).collect();
    let mut previous = store::GENESIS.to_owned();
    for (sequence, text) in entries {
        let mut entry: Value = serde_json::from_str(&text).unwrap();
        entry["arguments"] = json!({"name": "nothing of note"});
        let text = contract::canonical_json(&entry);
        previous = store::chain_hash(&previous, &text);
        let change = "UPDATE audit SET entry = ?1, hash = ?2 WHERE sequence = ?3";
        database.execute(change, rusqlite::params![text, previous, sequence]).unwrap();
    }
    // who holds the folder has the heads beside the database, too
    fs::remove_file(place.data().join("audit-heads")).unwrap();
    let (good, said) = verify(&place, &[]);
    assert!(good, "it holds in itself: {said}");
    let (good, said) = fsck(&place, &["--deep"]);
    assert!(good, "it holds in itself: {said}");
    let (good, said) = against(&place, &file, &public);
    assert!(!good && said.contains("the log was written anew"), "{said}");

    database.execute("DELETE FROM audit WHERE sequence > 1", []).unwrap();
    let (good, said) = against(&place, &file, &public);
    assert!(!good && said.contains("the log was cut off after 1"), "{said}");
}

#[test]
fn a_checkpoint_that_is_forged_of_another_key_or_of_another_database_is_refused() {
    let (place, file, public) = checkpointed();
    let (other, of_other, key_of_other) = checkpointed();
    let (good, said) = against(&place, &of_other, &public);
    assert!(!good && said.contains("not with that of"), "{said}");
    let (good, said) = against(&place, &of_other, &key_of_other);
    assert!(!good && said.contains("it is of the database"), "{said}");

    let mut forged: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    forged["sequence"] = json!(1);
    fs::write(&file, forged.to_string()).unwrap();
    let (good, said) = against(&place, &file, &public);
    assert!(!good && said.contains("changed after it was signed, or forged"), "{said}");
    forged.as_object_mut().unwrap().remove("signature");
    fs::write(&file, forged.to_string()).unwrap();
    let (good, said) = against(&place, &file, &public);
    assert!(!good && said.contains("is not signed"), "{said}");
    fs::write(&file, "{}").unwrap();
    let (good, said) = against(&place, &file, &public);
    assert!(!good && said.contains("no checkpoint of an audit log"), "{said}");
    drop(other);
}
