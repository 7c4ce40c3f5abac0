//! Many clients on one storey at once: every wall is there, none conflicts.

use crate::place::Place;
use crate::wire::Http;
use serde_json::{Value, json};
use std::collections::BTreeSet;

const CLIENTS: usize = 8;
const WALLS: usize = 6;

/// Each client's walls stand on a row of their own.
fn wall(model: &Value, client: usize, nth: usize) -> Value {
    let (x, y) = (nth * 4000, client * 3000);
    json!({"model_id": model, "level_id": "Ground", "start": [x, y], "end": [x + 3500, y], "name": format!("Wall {client}.{nth}")})
}

fn check(place: &Place, model: &Value, ids: &BTreeSet<String>) {
    assert_eq!(ids.len(), CLIENTS * WALLS, "every call made a wall of its own");
    let rows = place.call(
        "query_elements",
        &json!({
        "model_id": model, "selector": "IfcWall", "fields": ["GlobalId", "Name"], "limit": 200}),
    );
    let text = rows.to_string();
    assert_eq!(rows["total"], CLIENTS * WALLS, "{text}");
    for id in ids {
        assert!(text.contains(id.as_str()), "{id} is missing: {text}");
    }
    let versions = place.call("list_versions", &json!({"model_id": model, "limit": 200}));
    assert_eq!(
        versions["versions"].as_array().or(versions["items"].as_array()).map(Vec::len),
        Some(CLIENTS * WALLS + 1)
    );
}

/// A place with a house to build in.
fn house() -> (Place, Value) {
    let place = Place::new();
    let house = place
        .call("create_project", &json!({"name": "House", "storeys": [{"name": "Ground", "elevation": 0}]}));
    let model = house["model_id"].clone();
    (place, model)
}

/// The ids of the walls that so many clients make at once, so many each. `open` connects one, and answers how it makes a wall.
fn at_once<Make: FnMut(&Value) -> Value>(
    clients: usize,
    walls: usize,
    model: &Value,
    open: impl Fn() -> Make + Sync,
) -> BTreeSet<String> {
    let open = &open;
    std::thread::scope(|scope| {
        let clients: Vec<_> = (0..clients)
            .map(|client| {
                scope.spawn(move || {
                    let mut make = open();
                    let id = |made: Value| made["wall_id"].as_str().unwrap().to_owned();
                    (0..walls).map(|nth| id(make(&wall(model, client, nth)))).collect::<Vec<_>>()
                })
            })
            .collect();
        clients.into_iter().flat_map(|client| client.join().unwrap()).collect()
    })
}

#[test]
fn eight_clients_over_stdio_lose_nothing() {
    let (place, model) = house();
    let ids = at_once(CLIENTS, WALLS, &model, || {
        let mut agent = place.stdio();
        move |wall| agent.done("create_wall", wall)
    });
    check(&place, &model, &ids);
}

#[test]
fn eight_clients_over_http_lose_nothing() {
    let (place, model) = house();
    let address = place.address();
    let ids = at_once(CLIENTS, WALLS, &model, || {
        let mut agent = Http::open(&address, "/mcp/geometry");
        move |wall| agent.done("create_wall", wall)
    });
    check(&place, &model, &ids);
}

#[test]
fn a_hundred_clients_make_a_wall_each_on_one_storey() {
    let (place, model) = house();
    let address = place.address();
    let ids = at_once(100, 1, &model, || {
        let mut agent = Http::open(&address, "/mcp/geometry");
        move |wall| agent.done("create_wall", wall)
    });
    assert_eq!(ids.len(), 100);
    let query = json!({"model_id": model, "selector": "IfcWall", "fields": ["GlobalId"], "limit": 200});
    let rows = place.call("query_elements", &query);
    assert_eq!(rows["total"], 100);
    let there = rows["rows"].to_string();
    assert!(ids.iter().all(|id| there.contains(id.as_str())));
    // every call is a version, each on the one before: none was lost, none stands beside
    let versions = place.call("list_versions", &json!({"model_id": model, "limit": 200}));
    assert_eq!(versions["versions"].as_array().unwrap().len(), 101);
}
