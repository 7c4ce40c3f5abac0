//! Clashes by groups, bonds, matrices and versions.

use crate::desk::{Desk, text};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// A long beam through three walls, and two walls elsewhere that cross; a grid of 4 m.
fn site() -> Desk {
    let mut desk = Desk::new("IFC4");
    desk.call("create_level", json!({ "name": "Upper Floor", "elevation": 3000 }));
    desk.call(
        "create_grid",
        json!({
            "x": { "spacing": 4000, "count": 7, "names": ["A", "B", "C", "D", "E", "F", "G"] },
            "y": { "spacing": 4000, "count": 2, "names": ["1", "2"] }
        }),
    );
    for x in [1000, 5000, 9000] {
        desk.call("create_wall", wall([x, 0], [x, 3000], "Ground Floor"));
    }
    desk.call(
        "create_beam",
        json!({
            "start": [0, 1500, 2000], "end": [10000, 1500, 2000], "level_id": "Ground Floor", "width": 100, "depth": 200,
            "name": "Beam A"
        }),
    );
    desk.call("create_wall", wall([20000, 0], [24000, 0], "Upper Floor"));
    desk.call("create_wall", wall([22000, -2000], [22000, 2000], "Upper Floor"));
    desk
}

fn wall(start: [i32; 2], end: [i32; 2], level: &str) -> Value {
    json!({ "start": start, "end": end, "height": 2500, "thickness": 200, "level_id": level })
}

fn ask(more: &Value) -> Value {
    let mut arguments = json!({ "source_category": "walls", "target_category": "IfcWall, IfcBeam" });
    arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    arguments
}

fn counts(found: &Value) -> BTreeMap<String, u64> {
    let groups = found["groups"].as_array().unwrap().iter();
    groups.map(|group| (text(&group["name"]), group["count"].as_u64().unwrap())).collect()
}

fn named(pairs: &[(&str, u64)]) -> BTreeMap<String, u64> {
    pairs.iter().map(|(name, count)| ((*name).to_owned(), *count)).collect()
}

#[test]
fn clashes_are_grouped_by_classes_elements_storeys_grid_lines_and_heaps() {
    let mut desk = site();
    let mut by = |group: &str| desk.call("clash_detection", ask(&json!({ "group_by": group })));
    let found = by("class");
    assert_eq!(found["total"], 4, "{found}");
    assert_eq!(counts(&found), named(&[("IfcWall × IfcBeam", 3), ("IfcWall × IfcWall", 1)]));
    let found = by("storey");
    assert_eq!(counts(&found), named(&[("Ground Floor", 3), ("Upper Floor", 1)]));
    let found = by("grid");
    let grid = counts(&found);
    assert_eq!(grid.values().sum::<u64>(), 4);
    assert_eq!(grid.len(), 4, "{grid:?}");
    assert!(grid.keys().all(|name| name.contains(" / ")), "{grid:?}");
    assert_eq!(counts(&by("cluster")).len(), 4);
    let found = by("element");
    assert_eq!(found["group_count"], 2, "{found}");
    assert_eq!(
        (&found["groups"][0]["count"], &found["groups"][0]["element"]["name"]),
        (&json!(3), &json!("Beam A"))
    );
    let wide = desk.call("clash_detection", ask(&json!({ "group_by": "cluster", "reach": 4500 })));
    let sizes: Vec<u64> = counts(&wide).into_values().collect();
    assert_eq!(BTreeSet::from_iter(sizes), BTreeSet::from([1, 3]), "{wide}");
}

#[test]
fn a_model_without_a_grid_is_one_group_and_a_reach_without_clusters_is_refused() {
    let mut desk = Desk::new("IFC4");
    desk.call("create_wall", wall([0, 0], [4000, 0], "Ground Floor"));
    desk.call("create_wall", wall([2000, -2000], [2000, 2000], "Ground Floor"));
    let refused =
        |desk: &mut Desk, more: Value| text(&desk.refuse("clash_detection", ask(&more)).data["field"]);
    let all = desk.call("clash_detection", ask(&json!({ "group_by": "grid" })));
    assert_eq!((counts(&all), all["notes"].as_array().unwrap().len()), (named(&[("none", 1)]), 1), "{all}");
    assert_eq!(refused(&mut desk, json!({ "reach": 500 })), "reach");
    assert_eq!(refused(&mut desk, json!({ "group_by": "cluster", "reach": 0 })), "reach");
    assert_eq!(refused(&mut desk, json!({ "matrix": "disciplines" })), "matrix");
    let none = desk.refuse("clash_detection", json!({}));
    assert_eq!(none.data["field"], "source_category");
}

#[test]
fn what_is_new_still_there_and_resolved_since_a_version_is_told() {
    let mut desk = site();
    let before = desk.model.clone();
    let first = desk.call("clash_detection", ask(&json!({})));
    let of_first: Vec<&Value> =
        first["clashes"].as_array().unwrap().iter().filter(|c| c["b"]["name"] == "Beam A").collect();
    let gone = text(&of_first[0]["id"]);
    let wall_gone = text(&of_first[0]["a"]["id"]);
    desk.call("delete_elements", json!({ "element_ids": [wall_gone] }));
    desk.call("create_wall", wall([3000, 0], [3000, 3000], "Ground Floor"));
    let found = desk.beside("clash_detection", "since", &before, ask(&json!({ "since": "v1" })));
    let since = &found["since"];
    assert_eq!(
        (&since["new"], &since["active"], &since["resolved"]),
        (&json!(1), &json!(3), &json!(1)),
        "{found}"
    );
    assert_eq!(since["gone"][0]["id"], gone.as_str());
    let statuses: Vec<String> =
        found["clashes"].as_array().unwrap().iter().map(|clash| text(&clash["status"])).collect();
    assert_eq!(statuses.iter().filter(|status| *status == "new").count(), 1);
    assert_eq!(statuses.iter().filter(|status| *status == "active").count(), 3);
    // an unchanged model: nothing new, nothing gone
    let same = desk.model.clone();
    let found = desk.beside("clash_detection", "since", &same, ask(&json!({ "since": "v2" })));
    assert_eq!(found["since"], json!({ "new": 0, "active": 4, "resolved": 0 }));
}

#[test]
fn what_is_bound_is_listed_where_its_bond_is_not_ignored() {
    let mut desk = Desk::new("IFC4");
    let wall = text(&desk.call("create_wall", wall([0, 0], [4000, 0], "Ground Floor"))["wall_id"]);
    let opening = json!({
        "host_id": wall, "location": { "along": 2000 }, "width": 900, "height": 2100, "opening_type": "door"
    });
    desk.call("create_opening", opening);
    let ask = |ignore: &Value| {
        json!({
            "source_category": "walls", "target_category": "doors", "mode": "clearance", "clearance": 10, "ignore": ignore
        })
    };
    let left_out = desk.call("clash_detection", ask(&json!(["hosted"])));
    assert_eq!((&left_out["total"], &left_out["bound"]), (&json!(0), &json!({ "filling": 1 })), "{left_out}");
    let listed = desk.call("clash_detection", ask(&json!(["joined", "space"])));
    assert_eq!((&listed["total"], &listed["clashes"][0]["bond"]), (&json!(1), &json!("filling")), "{listed}");
}

#[test]
fn a_matrix_is_looked_through_row_by_row_and_each_pair_is_told_once() {
    let mut desk = site();
    let rows = json!([
        { "source_category": "walls", "target_category": "beams", "tolerance": 5 },
        { "source_category": "ducts", "target_category": "pipes" },
        { "source_category": "walls", "target_category": "IfcWall, IfcBeam" }
    ]);
    let found = desk.call("clash_detection", json!({ "matrix": rows }));
    let totals: Vec<&Value> = found["rows"].as_array().unwrap().iter().map(|row| &row["total"]).collect();
    assert_eq!(totals, [&json!(3), &json!(0), &json!(1)], "{found}");
    assert!(found["rows"][1]["note"].is_string());
    assert_eq!(found["total"], 4);
    let rows: BTreeSet<u64> =
        found["clashes"].as_array().unwrap().iter().map(|clash| clash["row"].as_u64().unwrap()).collect();
    assert_eq!(rows, BTreeSet::from([0, 2]));
    let found = desk.call("clash_detection", json!({ "matrix": "disciplines" }));
    assert_eq!(found["total"], 3, "walls against structure: {found}");
    let wrong = desk.refuse("clash_detection", json!({ "matrix": [{ "source_category": "walls" }] }));
    assert!(wrong.message.contains("matrix"), "{wrong}");
}

#[test]
fn of_what_lies_within_another_and_what_goes_through_it_only_the_first_is_inside() {
    let mut desk = site();
    desk.call(
        "create_beam",
        json!({
            "start": [1000, 500, 1000], "end": [1000, 900, 1000], "level_id": "Ground Floor", "width": 50, "depth": 50,
            "name": "Bar"
        }),
    );
    let found = desk.call("clash_detection", ask(&json!({ "mode": "inside" })));
    assert_eq!(found["total"], 1, "{found}");
    assert_eq!(
        (&found["clashes"][0]["kind"], &found["clashes"][0]["b"]["name"]),
        (&json!("contains"), &json!("Bar"))
    );
}
