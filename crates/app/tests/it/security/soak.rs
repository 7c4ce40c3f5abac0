//! Floods and bombs that take minutes; `cargo xtask soak` runs them, and each says what it measured.

use super::office::Office;
use super::sessions::begin;
use serde_json::json;
use std::io::Write as _;
use std::net::TcpStream;

/// The memory of a process that is its own, in kilobytes.
fn memory(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:")).unwrap();
    line.split_whitespace().next().unwrap().parse().unwrap()
}

#[test]
#[ignore = "takes minutes: run by `cargo xtask soak`"]
fn soak_thousands_of_sessions_cost_little_once_they_are_silent() {
    let office = Office::open();
    let people: Vec<_> = (0..20).map(|n| office.somebody(&format!("p{n}"), "house")).collect();
    let all_begin = || {
        for caller in &people {
            begin(caller);
        }
    };
    // the keys are known, and as many are ready as are held ready: each further one is what it costs
    for _ in 0..5 {
        all_begin();
    }
    let pid = office.place.daemon_pid();
    let before = memory(pid);
    for _ in 0..100 {
        all_begin();
    }
    let at_once = memory(pid);
    // six thousand more: those beyond the bounds make room
    for _ in 0..300 {
        all_begin();
    }
    let bounded = memory(pid);
    std::thread::sleep(std::time::Duration::from_secs(90));
    // the allocator gives back what is free when it is asked for something
    for caller in people.iter().cycle().take(1_000) {
        caller.send("GET", "/api/models", b"");
    }
    let silent = memory(pid);
    println!(
        "kB: {before} before, {at_once} with 2,000 sessions, {bounded} after 8,000, {silent} when silent"
    );
    // no more than a few are held ready, whatever the hour: the others are what their clients said of themselves
    for (kilobytes, when) in [(at_once, "new"), (bounded, "after eight thousand"), (silent, "silent")] {
        let each = kilobytes.saturating_sub(before) / 2000;
        assert!(each <= 10, "two thousand sessions, {when}: {each} kB each");
    }
    // what those put aside took is there for the next: as many again, and the process is no larger
    for _ in 0..100 {
        all_begin();
    }
    let again = memory(pid);
    println!("2,000 more after those were silent: {} kB in all", again.saturating_sub(bounded.max(silent)));
    assert!(
        again.saturating_sub(bounded.max(silent)) < 10 * 2000,
        "2,000 sessions after silent ones took {} kB",
        again.saturating_sub(bounded.max(silent))
    );
}

#[test]
#[ignore = "takes minutes: run by `cargo xtask soak`"]
fn soak_a_flood_without_a_key_leaves_the_log_as_it_was() {
    let office = Office::open();
    let nobody = office.caller(&[]);
    let size = || std::fs::metadata(office.place.data().join("pensaer.db")).unwrap().len();
    let before = size();
    let path = format!("/bucket/{}", "a".repeat(7_500));
    let started = std::time::Instant::now();
    let calls = 20_000;
    for _ in 0..calls {
        assert_eq!(nobody.send("GET", &path, b"").status, 401);
    }
    println!(
        "{calls} calls without a key in {:.0} s: the database grew by {} kB",
        started.elapsed().as_secs_f64(),
        (size() - before) >> 10
    );
    assert!(size() - before < 1 << 20);
}

#[test]
#[ignore = "takes minutes: run by `cargo xtask soak`"]
fn soak_bodies_without_a_key_take_no_memory() {
    let office = Office::open();
    let pid = office.place.daemon_pid();
    let before = memory(pid);
    let mut peak = before;
    for path in ["/api/approvals/x", "/bucket/files?name=x.ifc", "/mcp"] {
        let mut stream = TcpStream::connect(&office.address).unwrap();
        let head = format!(
            "POST {path} HTTP/1.1\r\nhost: {}\r\nx-forwarded-for: 192.0.2.7\r\ncontent-type: application/json\r\ncontent-length: 629145600\r\n\r\n",
            office.address
        );
        stream.write_all(head.as_bytes()).unwrap();
        let block = vec![b' '; 1 << 20];
        let mut sent = 0;
        while sent < 600 && stream.write_all(&block).is_ok() {
            sent += 1;
            peak = peak.max(memory(pid));
        }
        println!("{path}: {sent} of 600 MB were taken");
    }
    println!("600 MB without a key three times: {} kB more", peak.saturating_sub(before));
    assert!(peak.saturating_sub(before) < 32 << 10);
}

#[test]
#[ignore = "takes minutes: run by `cargo xtask soak`"]
fn soak_connections_by_the_thousand_stop_nobody() {
    let office = Office::open();
    let ada = office.somebody("ada", "house");
    let mut silent = Vec::new();
    for _ in 0..3_000 {
        silent.extend(TcpStream::connect(&office.address));
    }
    assert_eq!(ada.send("GET", "/healthz", b"").status, 200);
    ada.done("create_project", &json!({"name": "House"}));
    println!("{} silent connections: others are served", silent.len());
}
