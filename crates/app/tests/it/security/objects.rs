//! Objects that belong to a model, and those who would take them to another.

use super::office::Office;
use serde_json::json;

/// May look at the house, and do anything with towers.
const ONLOOKER: &str = r#"
[[roles.onlooker.grants]]
actions = ["query", "export"]
models = ["House*"]
[[roles.onlooker.grants]]
actions = ["query", "create", "modify", "delete", "export"]
models = ["Tower*"]
"#;

#[test]
pub fn an_object_is_taken_away_from_a_model_only_by_those_who_may_delete_there() {
    let office = Office::with("", ONLOOKER);
    let (ada, eve, tom) = (
        office.somebody("ada", "house"),
        office.somebody("eve", "onlooker"),
        office.somebody("tom", "tower"),
    );
    let ((house, _), (tower, _)) = (ada.house("House"), eve.house("Tower"));
    let at = |model: &str| format!("/bucket/objects/plans/ground.txt?model_id={model}");
    let plain = "/bucket/objects/plans/ground.txt";
    let made = ada.send_as("PUT", &at(&house), "text/plain", b"the house");
    assert_eq!(made.status, 201, "{}", made.text());
    let first = made.json()["version"].as_str().unwrap().to_owned();

    for path in [at(&tower), plain.to_owned()] {
        let taken = eve.send_as("PUT", &path, "text/plain", b"mine now");
        assert_eq!((taken.status, &taken.json()["code"]), (403, &json!(1003)), "{path}: {}", taken.text());
    }
    assert_eq!(
        tom.send_as("PUT", &at(&tower), "text/plain", b"mine now").status,
        404,
        "it is not there for him"
    );
    assert_eq!(eve.send("DELETE", plain, b"").status, 403);
    let kept = ada.send("GET", plain, b"");
    assert_eq!((kept.status, kept.text().as_str()), (200, "the house"));

    // who may do both moves it, and its past stays with those who may see where that was
    let mover = office.somebody("root", "admin");
    assert_eq!(mover.send_as("PUT", &at(&tower), "text/plain", b"the tower").status, 201);
    assert_eq!(tom.send("GET", plain, b"").text(), "the tower");
    let old = tom.send("GET", &format!("{plain}?version={first}"), b"");
    assert_eq!(old.status, 404, "{}", old.text());
    let versions = tom.send("GET", &format!("{plain}?versions=1"), b"").json();
    assert_eq!(versions["versions"].as_array().unwrap().len(), 1, "{versions}");
    assert_eq!(ada.send("GET", plain, b"").status, 404, "it is no longer hers");
}

#[test]
pub fn a_tile_is_given_out_through_a_model_that_has_it() {
    let office = Office::with("", ONLOOKER);
    let (ada, tom) = (office.somebody("ada", "house"), office.somebody("tom", "tower"));
    let ((house, _), (tower, _)) = (ada.house("House"), tom.house("Tower"));
    // of another shape than anything in the tower
    ada.done("create_wall", &serde_json::json!({"start": [0, 9000], "end": [7123, 9000], "level_id": "Ground", "model_id": house}));
    let tiles = ada.send("GET", &format!("/api/models/{house}/versions/head/tileset.json"), b"").text();
    let keys: Vec<&str> = tiles
        .split(".glb")
        .filter_map(|part| part.rsplit(['/', '"']).next())
        .filter(|key| key.len() > 20)
        .collect();
    assert!(!keys.is_empty(), "{tiles}");
    let mut hers = 0;
    for key in keys {
        let path = |model: &str| format!("/api/models/{model}/versions/head/tiles/{key}.glb");
        assert_eq!(ada.send("GET", &path(&house), b"").status, 200, "{key}");
        let taken = tom.send("GET", &path(&tower), b"");
        hers += u32::from(taken.status == 404);
    }
    assert!(hers > 0, "what only the house has is not given out through the tower");
}
