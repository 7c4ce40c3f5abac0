//! Rooms that a change cuts off, said in `sound`.

use super::{host, model, run};
use contract::{Effect, ModelInput};
use exec::Executor;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The ids of elements that a selector names, each with its name.
async fn named(executor: &dyn Executor, at: &ModelInput, selector: &str) -> Vec<(Value, String)> {
    let asked = json!({"selector": selector, "fields": ["Name"], "limit": 200});
    let found = run(executor, Effect::Query, "query_elements", at, asked).await.unwrap().result;
    let rows = found["rows"].as_array().into_iter().flatten();
    rows.map(|row| (row["id"].clone(), row["Name"].as_str().unwrap_or_default().to_owned())).collect()
}

/// The names of the rooms that an answer says are cut off.
fn cut_off(rooms: &[(Value, String)], answer: &Value) -> BTreeSet<String> {
    let findings = answer["sound"].as_array().cloned().unwrap_or_default();
    let mut cut_off = BTreeSet::new();
    for finding in findings.iter().filter(|finding| finding["kind"] == "unreached") {
        let elements = finding["elements"].as_array().unwrap();
        let names = rooms.iter().filter(|(id, _)| elements.contains(id)).map(|(_, name)| name.clone());
        let names: BTreeSet<String> = names.collect();
        assert_eq!(names.len(), elements.len(), "{finding}");
        assert!(names.iter().all(|name| finding["say"].as_str().unwrap().contains(name)), "{finding}");
        cut_off.extend(names);
    }
    cut_off
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_says_which_rooms_of_the_duplex_it_cuts_off() {
    let Some(path) = testing::model("Duplex_A_20110907.ifc") else { return };
    let host = host();
    let executor: &dyn Executor = &host;
    let original = model(&path);
    let rooms = named(executor, &original, "IfcSpace").await;
    let mut all: BTreeSet<String> = BTreeSet::new();
    for class in ["IfcDoor", "IfcWindow", "IfcStair", "IfcWall, location=\"Level 2\""] {
        for (id, name) in named(executor, &original, class).await {
            let gone = json!({"element_ids": [id]});
            let gone = run(executor, Effect::Modify, "delete_elements", &original, gone).await.unwrap();
            let cut_off: Vec<String> = cut_off(&rooms, &gone.result).into_iter().collect();
            if !cut_off.is_empty() {
                all.insert(format!("{} {}", class.trim_start_matches("Ifc"), cut_off.join(" ")));
            }
            assert!(class == "IfcDoor" || class == "IfcStair" || cut_off.is_empty(), "{class} {name}");
        }
    }
    // a bath lies behind a bedroom; upstairs is all that a stair leads to
    let wanted = [
        "Door A104",
        "Door A202",
        "Door A203",
        "Door A204 A205",
        "Door A205",
        "Stair A201 A202 A203 A204 A205",
    ];
    let wanted = wanted.iter().flat_map(|told| [(*told).to_owned(), told.replace(" A", " B")]).collect();
    assert_eq!(all, wanted);
}
