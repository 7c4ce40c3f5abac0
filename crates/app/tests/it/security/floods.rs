//! Calls without a key, by the thousand, and what is left of them.

use super::office::Office;
use crate::place::{Place, wait_until};
use crate::wire::request;
use serde_json::Value;
use std::process::Command;

#[test]
pub fn a_flood_without_a_key_leaves_two_entries_in_the_audit_log() {
    let office = Office::open();
    let nobody = office.caller(&[]);
    let path = format!("/bucket/{}", "a".repeat(7_500));
    for _ in 0..300 {
        assert_eq!(nobody.send("GET", &path, b"").status, 401);
    }
    let (_, log, _) = office.admin(&["audit", "export"]);
    let entries: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let refused: Vec<&Value> = entries.iter().filter(|entry| entry["principal"] == "?").collect();
    assert!((1..=3).contains(&refused.len()), "{} entries of 300 calls", refused.len());
    assert!(refused.iter().all(|entry| entry.to_string().len() < 2_000), "{refused:?}");
    let (sound, said, _) = office.admin(&["audit", "verify"]);
    assert!(sound, "{said}");
}

/// A program with a limit to the size of every file that it writes, as on a disk without room.
fn without_room(place: &Place) -> std::process::Child {
    let mut command = Command::new("sh");
    let plain = place.command(&[]);
    command
        .args(["-c", "trap '' XFSZ; ulimit -S -f 2400; exec \"$0\" serve", env!("CARGO_BIN_EXE_pensaer")])
        .current_dir(place.root())
        .envs(plain.get_envs().filter_map(|(name, value)| Some((name, value?))))
        .stderr(std::process::Stdio::null());
    command.spawn().unwrap()
}

#[test]
fn without_an_audit_log_nothing_is_served_and_then_it_goes_on() {
    let place = Place::new();
    let mut server = without_room(&place);
    wait_until("the server is up", || place.running().is_some());
    let address = place.address();
    let ask = || {
        let headers = ["accept: application/json"];
        request(&address, "GET", "/api/models", &headers, b"")
    };
    let mut refused = None;
    for _ in 0..5_000 {
        let answer = ask();
        if answer.status != 200 {
            refused = Some(answer);
            break;
        }
    }
    let refused = refused.expect("the disk is full at some time");
    let fault = refused.json();
    assert_eq!(fault["code"], 1010, "{fault}");
    assert!(fault["message"].as_str().unwrap().contains("audit log"), "{fault}");
    assert_eq!(request(&address, "GET", "/healthz", &[], b"").status, 503);
    let pid = place.daemon_pid().to_string();
    assert!(Command::new("prlimit").args(["--fsize=unlimited", "--pid", &pid]).status().unwrap().success());
    wait_until("there is room again", || ask().status == 200);
    assert_eq!(request(&address, "GET", "/healthz", &[], b"").status, 200);
    let log = String::from_utf8(place.run(&["admin", "audit", "export"]).stdout).unwrap();
    assert!(log.contains("resume_audit"), "the gap is on record");
    assert!(place.run(&["admin", "audit", "verify"]).status.success());
    let _ = Command::new("kill").arg(&pid).status();
    let _ = server.wait();
}
