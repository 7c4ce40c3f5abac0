//! Workers that are killed while clients edit: what was acknowledged is there, once, and no call hangs.

use crate::place::{Place, is_alive};
use crate::wire::Stdio;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

const CLIENTS: usize = 8;
/// Walls that each makes, and as many more as it takes until enough workers have died.
const WALLS: usize = 6;
const KILLED: usize = 12;
/// Tries of one call; each may meet a worker that is killed under it.
const TRIES: usize = 200;
/// The shortest time between two rounds of killing.
const SHORTEST: Duration = Duration::from_millis(60);

/// The processes that a process started.
fn children(of: u32) -> Vec<String> {
    let listed = Command::new("ps").args(["-o", "pid=", "--ppid", &of.to_string()]).output().unwrap();
    String::from_utf8_lossy(&listed.stdout).split_whitespace().map(str::to_owned).collect()
}

/// Makes a wall, asking again with the same key whenever the call was lost with its worker.
fn make(agent: &mut Stdio, model: &Value, name: &str, client: usize, nth: usize) -> String {
    let (x, y) = (nth * 4000, client * 3000);
    let arguments = json!({
        "model_id": model, "level_id": "Ground", "start": [x, y], "end": [x + 3500, y], "name": name,
        "idempotency_key": name,
    });
    for _ in 0..TRIES {
        let answer = agent.call("create_wall", &arguments);
        if answer["isError"] != true {
            return answer["structuredContent"]["wall_id"].as_str().unwrap().to_owned();
        }
        let said = answer["structuredContent"].to_string();
        assert!(said.contains("nothing was committed") || said.contains("Nothing was"), "{said}");
        std::thread::sleep(Duration::from_millis(20));
    }
    panic!("{name} was never made");
}

#[test]
fn what_eight_clients_were_told_is_there_once_however_many_workers_die() {
    let place = Place::new();
    let house = place
        .call("create_project", &json!({"name": "House", "storeys": [{"name": "Ground", "elevation": 0}]}));
    let model = &house["model_id"];
    let daemon = place.daemon_pid();
    let (over, killed, told) = (AtomicBool::new(false), AtomicUsize::new(0), AtomicUsize::new(0));
    let made: BTreeMap<String, String> = std::thread::scope(|scope| {
        let (place, over, killed, told) = (&place, &over, &killed, &told);
        scope.spawn(move || {
            let (mut pause, mut before) = (SHORTEST, 0);
            while !over.load(Ordering::Relaxed) {
                for worker in children(daemon) {
                    let done = Command::new("kill").args(["-9", &worker]).status();
                    killed.fetch_add(usize::from(done.is_ok_and(|s| s.success())), Ordering::Relaxed);
                }
                std::thread::sleep(pause);
                // a worker needs time to begin, how much depends on the machine: where nobody was told anything, the next ones live
                // longer, else shorter
                let now = told.load(Ordering::Relaxed);
                pause = if now == before { pause * 2 } else { SHORTEST.max(pause / 2) };
                before = now;
            }
        });
        let clients: Vec<_> = (0..CLIENTS)
            .map(|client| {
                scope.spawn(move || {
                    let mut agent = place.stdio();
                    let wall = |nth| {
                        if nth >= WALLS {
                            std::thread::sleep(Duration::from_millis(100));
                        }
                        let name = format!("Wall {client}.{nth}");
                        let id = make(&mut agent, model, &name, client, nth);
                        told.fetch_add(1, Ordering::Relaxed);
                        (name, id)
                    };
                    let goes_on = |nth: &usize| *nth < WALLS || killed.load(Ordering::Relaxed) < KILLED;
                    (0..60).take_while(goes_on).map(wall).collect::<Vec<_>>()
                })
            })
            .collect();
        // the killing ends also where a client failed
        let ended: Vec<_> = clients.into_iter().map(std::thread::ScopedJoinHandle::join).collect();
        over.store(true, Ordering::Relaxed);
        ended.into_iter().flat_map(Result::unwrap).collect()
    });
    assert!(killed.load(Ordering::Relaxed) >= KILLED, "too few died to tell anything");

    let rows = place.call(
        "query_elements",
        &json!({"model_id": model, "selector": "IfcWall", "fields": ["GlobalId", "Name"], "limit": 500}),
    );
    assert_eq!(rows["total"], made.len(), "none is missing, none is there twice: {rows}");
    let text = rows.to_string();
    for (name, id) in &made {
        assert_eq!(text.matches(&format!("\"id\":\"{id}\"")).count(), 1, "{id}: {text}");
        assert_eq!(text.matches(&format!("\"{name}\"")).count(), 1, "{name}: {text}");
    }
    let (mut versions, mut cursor) = (0, Value::Null);
    loop {
        let page =
            place.call("list_versions", &json!({"model_id": model, "limit": 100, "cursor": cursor.as_str()}));
        versions += page["versions"].as_array().map_or(0, Vec::len);
        cursor = page["next_cursor"].clone();
        if cursor.is_null() {
            break;
        }
    }
    assert_eq!(versions, made.len() + 1);

    let workers = children(daemon);
    place.end_daemon();
    for worker in workers {
        assert!(!is_alive(&worker), "worker {worker} outlived the server");
    }
}
