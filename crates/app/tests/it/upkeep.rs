//! `pensaer admin fsck`, `gc`, `backup` and `restore`, beside a server that runs.

use crate::place::Place;
use serde_json::json;

fn told(place: &Place, arguments: &[&str]) -> String {
    let output = place.run(arguments);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{arguments:?}: {text}{}", String::from_utf8_lossy(&output.stderr));
    text
}

#[test]
fn a_copy_made_while_agents_work_is_a_whole_house_elsewhere() {
    let place = Place::new();
    let storeys = json!([{"name": "Ground", "elevation": 0}]);
    place.call("create_project", &json!({"name": "House", "storeys": storeys}));
    for x in 0..3 {
        place.call(
            "create_wall",
            &json!({"start": [0, x * 1000], "end": [5000, x * 1000], "level_id": "Ground"}),
        );
    }
    let copy = place.root().join("copy");
    let copy = copy.to_str().unwrap();
    told(&place, &["admin", "backup", "--to", copy]);
    place.call("create_wall", &json!({"start": [0, 0], "end": [0, 5000], "level_id": "Ground"}));
    assert!(told(&place, &["admin", "fsck", "--deep"]).contains("all is well"));
    assert!(told(&place, &["admin", "gc", "--dry-run"]).contains("would go"));

    let other = Place::new();
    told(&other, &["admin", "restore", "--from", copy]);
    assert!(told(&other, &["admin", "fsck", "--deep"]).contains("all is well"));
    let walls = other.call("query_elements", &json!({"model_id": "House", "selector": "IfcWall"}));
    assert_eq!(walls["total"], 3, "{walls}");
    let taken = other.run(&["admin", "restore", "--from", copy]);
    assert!(!taken.status.success(), "a store is there already");
}

#[test]
fn damage_is_found_and_named() {
    let place = Place::new();
    place.call("create_project", &json!({"name": "House", "storeys": [{"name": "Ground", "elevation": 0}]}));
    place.end_daemon();
    let blobs = place.data().join("blobs");
    let folder = std::fs::read_dir(&blobs).unwrap().flatten().find(|f| f.file_name().len() == 2).unwrap();
    let blob = std::fs::read_dir(folder.path()).unwrap().flatten().next().unwrap();
    std::fs::write(blob.path(), "nothing").unwrap();
    let output = place.run(&["admin", "fsck", "--deep"]);
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("is damaged") && text.contains(&*blob.file_name().to_string_lossy()), "{text}");
}
