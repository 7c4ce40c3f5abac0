//! Two gateways, one PostgreSQL, one folder of blobs. One gateway is killed (-9) under load: whatever its clients were told
//! is there, what they were not told they ask for again at the other, and every wall is there once.

use crate::cluster::Cluster;
use crate::place::Place;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

const CLIENTS: usize = 6;
const WALLS: usize = 5;

/// Makes a wall, at the other gateway if this one is gone, with the same key.
fn make(gateways: [&Place; 2], gone: &AtomicBool, model: &Value, name: &str, at: (usize, usize)) -> String {
    let (x, y) = (at.1 * 4000, at.0 * 3000);
    let arguments = json!({
        "model_id": model, "level_id": "Ground", "start": [x, y], "end": [x + 3500, y], "name": name,
        "idempotency_key": name,
    });
    for _ in 0..40 {
        let place = gateways[if gone.load(Ordering::SeqCst) { 1 } else { at.0 % 2 }];
        let output = place.run(&["call", "create_wall", "--json", &arguments.to_string()]);
        if output.status.success() {
            let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
            return answer["wall_id"].as_str().unwrap().to_owned();
        }
    }
    panic!("{name} was never made")
}

#[test]
fn two_gateways_share_a_database_and_what_the_killed_one_acknowledged_is_there() {
    let Some(cluster) = Cluster::start() else { return };
    let blobs = tempfile::tempdir().unwrap();
    let database = cluster.schema().0;
    let bucket = format!("file://{}", blobs.path().display());
    let (one, other) = (Place::sharing(&database, &bucket), Place::sharing(&database, &bucket));
    let house = one
        .call("create_project", &json!({"name": "House", "storeys": [{"name": "Ground", "elevation": 0}]}));
    let model = &house["model_id"];
    other.call("list_versions", &json!({"model_id": model}));
    let victim = one.daemon_pid().to_string();
    let (gone, made) = (AtomicBool::new(false), AtomicUsize::new(0));
    let walls: BTreeMap<String, String> = std::thread::scope(|scope| {
        let (one, other, gone, made) = (&one, &other, &gone, &made);
        let clients: Vec<_> = (0..CLIENTS)
            .map(|client| {
                scope.spawn(move || {
                    let wall = |nth| {
                        let name = format!("Wall {client}.{nth}");
                        let id = make([one, other], gone, model, &name, (client, nth));
                        made.fetch_add(1, Ordering::SeqCst);
                        (name, id)
                    };
                    (0..WALLS).map(wall).collect::<Vec<_>>()
                })
            })
            .collect();
        while made.load(Ordering::SeqCst) < CLIENTS {
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        gone.store(true, Ordering::SeqCst);
        assert!(Command::new("kill").args(["-9", &victim]).status().unwrap().success());
        clients.into_iter().flat_map(|client| client.join().unwrap()).collect()
    });
    // The one that was killed comes back and sees the same.
    for place in [&other, &one] {
        let rows = place.call(
            "query_elements",
            &json!({
            "model_id": model, "selector": "IfcWall", "fields": ["GlobalId", "Name"], "limit": 200}),
        );
        let text = rows.to_string();
        assert_eq!(rows["total"], CLIENTS * WALLS, "{text}");
        for (name, id) in &walls {
            assert!(text.contains(id.as_str()), "{name} is missing: {text}");
            assert_eq!(text.matches(&format!("\"{name}\"")).count(), 1, "{name} is there twice: {text}");
        }
        let versions = place.call("list_versions", &json!({"model_id": model, "limit": 200}));
        let versions = versions["versions"].as_array().or(versions["items"].as_array()).map(Vec::len);
        assert_eq!(versions, Some(CLIENTS * WALLS + 1));
    }
}
