//! Calls without a key, by the thousand, and what is left of them.

use super::office::Office;
use serde_json::Value;

#[test]
fn a_flood_without_a_key_leaves_two_entries_in_the_audit_log() {
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
