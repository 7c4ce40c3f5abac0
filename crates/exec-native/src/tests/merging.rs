//! Two branches of one house, made with the tools that ship, joined by `merge`.

use super::*;
use crate::model_of;
use std::collections::BTreeMap;

/// One line of versions.
#[derive(Clone)]
struct Line {
    host: Arc<Host>,
    at: ModelInput,
}

impl Line {
    /// A house with a floor, two walls that meet, and a door in one.
    async fn house(folder: &Path) -> (Self, BTreeMap<&'static str, String>) {
        let host = host();
        let storeys = json!([{"name": "Ground", "elevation": 0}, {"name": "First", "elevation": 3000}]);
        let at = catalogue::project(&host, folder, json!({"name": "House", "storeys": storeys})).await;
        let mut line = Self { host, at };
        let mut ids = BTreeMap::new();
        let floor =
            json!({"boundary_points": [[0, 0], [8000, 0], [8000, 5000], [0, 5000]], "level_id": "Ground"});
        ids.insert("floor", line.make("create_floor", floor, "floor_id").await);
        ids.insert("south", line.wall([0, 0], [7000, 0]).await);
        ids.insert("east", line.wall([7000, 0], [7000, 4000]).await);
        let join = json!({"host_id": ids["east"], "location": {"at": "center"}, "width": 900, "height": 2100,
            "opening_type": "door"});
        ids.insert("door", line.make("create_opening", join, "filling_id").await);
        (line, ids)
    }

    async fn does(&mut self, tool: &str, params: Value) -> Artifact {
        let effect = tools::catalogue().iter().find(|t| t.spec.name == tool).unwrap().spec.effect;
        let made = run(&self.host, effect, tool, &self.at, params).await.unwrap();
        if !made.changes.is_empty() {
            self.at = after(&self.at, &made);
        }
        made
    }

    async fn make(&mut self, tool: &str, params: Value, id: &str) -> String {
        self.does(tool, params).await.result[id].as_str().unwrap().to_owned()
    }

    async fn wall(&mut self, start: [i32; 2], end: [i32; 2]) -> String {
        self.make("create_wall", json!({"start": start, "end": end, "level_id": "Ground"}), "wall_id").await
    }

    async fn asked(&self, tool: &str, params: Value) -> Value {
        run(&self.host, Effect::Query, tool, &self.at, params).await.unwrap().result
    }

    async fn merge(&self, base: &Self, theirs: &Self, params: Value) -> Result<Artifact, Fault> {
        let as_role = |role: &str, line: &Self| ModelInput { role: role.into(), ..line.at.clone() };
        let models = vec![as_role("model", self), as_role("base", base), as_role("theirs", theirs)];
        self.host.run(request(Effect::Modify, "merge", models, params)).await
    }

    /// The version with both changes, which do not conflict.
    async fn joined(&self, base: &Self, theirs: &Self) -> Self {
        let merged = self.merge(base, theirs, json!({})).await.unwrap();
        assert_eq!(merged.result.get("conflicts"), None, "{:#}", merged.result);
        Self { at: after(&self.at, &merged), ..self.clone() }
    }

    async fn conflicts(&self, base: &Self, theirs: &Self) -> Vec<Value> {
        let merged = self.merge(base, theirs, json!({})).await.unwrap();
        assert_eq!(merged.changes, [], "what conflicts changes nothing");
        merged.result["conflicts"].as_array().unwrap_or_else(|| panic!("{:#}", merged.result)).clone()
    }

    async fn quantity(&self, id: &str, name: &str) -> f64 {
        let element = self.asked("get_element", json!({"element_id": id, "include": ["quantities"]})).await;
        let text = element.to_string();
        let mut found = None;
        fn search(value: &Value, name: &str, found: &mut Option<f64>) {
            match value {
                Value::Object(map) => {
                    for (key, member) in map {
                        match member.as_f64().or_else(|| member.get("value")?.as_f64()) {
                            Some(number) if key == name => *found = Some(number),
                            _ => search(member, name, found),
                        }
                    }
                }
                Value::Array(items) => items.iter().for_each(|item| search(item, name, found)),
                _ => {}
            }
        }
        search(&element, name, &mut found);
        found.unwrap_or_else(|| panic!("{name} is not in {text}"))
    }

    async fn count(&self, class: &str) -> u64 {
        self.asked("query_elements", json!({"selector": class})).await["total"].as_u64().unwrap()
    }

    /// Checks that the model holds together: read from its own bytes without a problem.
    async fn is_sound(&self) {
        let mut request = request(Effect::Query, "materialise", vec![self.at.clone()], Value::Null);
        let folder = tempfile::tempdir().unwrap();
        request.scratch = Some(folder.path().display().to_string());
        let written = self.host.run(request).await.unwrap();
        let Source::Path(path) = &written.files[0].source else { panic!("a path") };
        let opened = adapter().open(ModelKind::Ifc, Path::new(path)).unwrap();
        assert_eq!(ifc_check::dangling(model_of(&opened).unwrap()), []);
    }
}

#[tokio::test]
async fn floors_added_on_both_sides_give_one_total() {
    let folder = tempfile::tempdir().unwrap();
    let (base, _) = Line::house(folder.path()).await;
    let (mut ours, mut theirs) = (base.clone(), base.clone());
    for (line, x) in [(&mut ours, 10_000), (&mut theirs, 20_000)] {
        let points = json!([[x, 0], [x + 1000, 0], [x + 1000, 1000], [x, 1000]]);
        line.does("create_floor", json!({"boundary_points": points, "level_id": "Ground"})).await;
    }
    let joined = ours.joined(&base, &theirs).await;
    assert_eq!(joined.count("IfcSlab").await, 3);
    let storey = joined.asked("query_elements", json!({"selector": "IfcBuildingStorey, Name=Ground"})).await;
    let id = storey["rows"][0]["id"].as_str().or(storey["elements"][0]["id"].as_str());
    let id = id.unwrap_or_else(|| panic!("{storey}")).to_owned();
    assert!((joined.quantity(&id, "GrossFloorArea").await - 42.0).abs() < 1e-6);
    joined.is_sound().await;
    // the other way round it is the same building
    let turned = theirs.joined(&base, &ours).await;
    assert!((turned.quantity(&id, "GrossFloorArea").await - 42.0).abs() < 1e-6);
}

#[tokio::test]
async fn openings_cut_into_one_wall_by_both_sides_are_both_subtracted() {
    let folder = tempfile::tempdir().unwrap();
    let (base, ids) = Line::house(folder.path()).await;
    let before = base.quantity(&ids["south"], "NetSideArea").await;
    let (mut ours, mut theirs) = (base.clone(), base.clone());
    for (line, along) in [(&mut ours, 1500), (&mut theirs, 5000)] {
        let window = json!({"host_id": ids["south"], "location": {"along": along}, "width": 1000, "height": 1000,
            "opening_type": "window"});
        line.does("create_opening", window).await;
    }
    let joined = ours.joined(&base, &theirs).await;
    assert_eq!(joined.count("IfcWindow").await, 2);
    assert!((joined.quantity(&ids["south"], "NetSideArea").await - (before - 2.0)).abs() < 1e-6);
    joined.is_sound().await;
}

#[tokio::test]
async fn one_attribute_changed_by_both_conflicts_unless_it_is_to_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let (base, ids) = Line::house(folder.path()).await;
    let named = async |name: &str| {
        let mut line = base.clone();
        let params = json!({"element_id": ids["south"], "parameter_name": "Name", "value": name});
        line.does("modify_parameter", params).await;
        line
    };
    let (ours, same, theirs) = (named("Süd").await, named("Süd").await, named("South").await);
    assert_eq!(ours.merge(&base, &same, json!({})).await.unwrap().changes, [], "it is there already");
    let conflicts = ours.conflicts(&base, &theirs).await;
    let [conflict] = conflicts.as_slice() else { panic!("{conflicts:#?}") };
    assert_eq!(
        [&conflict["kind"], &conflict["attribute"], &conflict["ours"], &conflict["theirs"]],
        ["attribute", "Name", "Süd", "South"]
    );
    assert_eq!(conflict["about"]["id"], ids["south"].as_str());
    let key = conflict["key"].as_str().unwrap();
    let resolved = ours.merge(&base, &theirs, json!({"resolve": {key: "theirs"}})).await.unwrap();
    let resolved = Line { at: after(&ours.at, &resolved), ..ours.clone() };
    let element = resolved.asked("get_element", json!({"element_id": ids["south"]})).await;
    assert!(element.to_string().contains("South"), "{element}");
    let all = ours.merge(&base, &theirs, json!({"resolve": {"*": "ours"}})).await.unwrap();
    assert_eq!(all.changes, []);
    let wrong = json!({"resolve": {"*": "ours", "nothing:Name": "theirs"}});
    let wrong = ours.merge(&base, &theirs, wrong).await.unwrap();
    assert_eq!(wrong.result["unknown_conflicts"], json!(["nothing:Name"]));
}

#[tokio::test]
async fn one_property_changed_by_both_conflicts_and_two_properties_do_not() {
    let folder = tempfile::tempdir().unwrap();
    let (mut base, ids) = Line::house(folder.path()).await;
    let set = |properties: Value| json!({"element_ids": [ids["south"]], "pset": "Pset_WallCommon", "properties": properties});
    base.does("set_properties", set(json!({"FireRating": "F30", "AcousticRating": "A"}))).await;
    let (mut ours, mut theirs, mut other) = (base.clone(), base.clone(), base.clone());
    ours.does("set_properties", set(json!({"FireRating": "F60"}))).await;
    theirs.does("set_properties", set(json!({"FireRating": "F90"}))).await;
    other.does("set_properties", set(json!({"AcousticRating": "B"}))).await;
    let conflicts = ours.conflicts(&base, &theirs).await;
    let [conflict] = conflicts.as_slice() else { panic!("{conflicts:#?}") };
    assert_eq!(
        [&conflict["kind"], &conflict["property"], &conflict["base"], &conflict["ours"], &conflict["theirs"]],
        ["property", "Pset_WallCommon.FireRating", "F30", "F60", "F90"]
    );
    let joined = ours.joined(&base, &other).await;
    let element =
        joined.asked("get_element", json!({"element_id": ids["south"], "include": ["psets"]})).await;
    let text = element.to_string();
    assert!(text.contains("F60") && text.contains("\"B\""), "{text}");
}

#[tokio::test]
async fn a_host_deleted_while_a_door_was_added_in_it_is_a_conflict_with_both_ways_out() {
    let folder = tempfile::tempdir().unwrap();
    let (base, ids) = Line::house(folder.path()).await;
    let (mut ours, mut theirs) = (base.clone(), base.clone());
    ours.does("delete_elements", json!({"element_ids": [ids["south"]]})).await;
    let door = json!({"host_id": ids["south"], "location": {"along": 2000}, "width": 900, "height": 2100,
        "opening_type": "door", "name": "New door"});
    theirs.does("create_opening", door).await;
    let conflicts = ours.conflicts(&base, &theirs).await;
    let about_wall: Vec<_> = conflicts.iter().filter(|c| c["about"]["id"] == ids["south"].as_str()).collect();
    assert_eq!(about_wall.len(), 1, "{conflicts:#?}");
    assert_eq!(
        (&about_wall[0]["kind"], &about_wall[0]["ours"]["removed"]),
        (&json!("removed"), &json!(true))
    );
    assert!(about_wall[0]["theirs"].to_string().contains("IfcRelVoidsElement"), "{:#}", about_wall[0]);
    for (side, walls, doors) in [("ours", 1, 1), ("theirs", 2, 2)] {
        let resolved = ours.merge(&base, &theirs, json!({"resolve": {"*": side}})).await.unwrap();
        let mut line = ours.clone();
        if !resolved.changes.is_empty() {
            line.at = after(&ours.at, &resolved);
        }
        assert_eq!(line.count("IfcWall").await, walls, "{side}");
        line.is_sound().await;
        // where the wall is gone its new door is either gone, too, or stands free: never an opening without a host
        assert!(line.count("IfcDoor").await >= doors, "{side}");
        assert_eq!(line.count("IfcOpeningElement").await, doors, "{side}");
    }
}

#[tokio::test]
async fn a_wall_moved_by_both_conflicts_and_walls_moved_by_one_each_do_not() {
    let folder = tempfile::tempdir().unwrap();
    let (base, ids) = Line::house(folder.path()).await;
    let moved = async |who: &str, by: [i32; 3]| {
        let mut line = base.clone();
        line.does("move_elements", json!({"element_ids": [ids[who]], "by": by})).await;
        line
    };
    let (ours, theirs) = (moved("floor", [0, 1000, 0]).await, moved("floor", [0, 2000, 0]).await);
    let conflicts = ours.conflicts(&base, &theirs).await;
    let [conflict] = conflicts.as_slice() else { panic!("{conflicts:#?}") };
    assert_eq!((&conflict["kind"], &conflict["about"]["id"]), (&json!("moved"), &json!(ids["floor"])));
    assert_eq!(conflict["theirs"]["moved_by_mm"], json!([0.0, 2000.0, 0.0]));
    let other = moved("door", [0, 300, 0]).await;
    ours.joined(&base, &other).await.is_sound().await;
}

#[tokio::test]
async fn different_walls_edited_and_a_storey_renamed_go_together() {
    let folder = tempfile::tempdir().unwrap();
    let (base, ids) = Line::house(folder.path()).await;
    let (mut ours, mut theirs) = (base.clone(), base.clone());
    let set = |id: &str, name: &str, value: Value| json!({"element_id": id, "parameter_name": name, "value": value});
    ours.does("modify_parameter", set(&ids["south"], "height", json!(2500))).await;
    // walls that meet are cut at each other's corners: either side draws both anew
    theirs.does("modify_parameter", set(&ids["east"], "height", json!(2800))).await;
    theirs.wall([0, 4000], [7000, 4000]).await;
    let storeys = ours.asked("query_elements", json!({"selector": "IfcBuildingStorey, Name=Ground"})).await;
    let storey = storeys["rows"][0]["id"].as_str().or(storeys["elements"][0]["id"].as_str()).unwrap();
    ours.does("modify_parameter", set(storey, "Name", json!("Erdgeschoss"))).await;
    let joined = ours.joined(&base, &theirs).await;
    assert!((joined.quantity(&ids["south"], "Height").await - 2.5).abs() < 1e-9);
    assert!((joined.quantity(&ids["east"], "Height").await - 2.8).abs() < 1e-9);
    // corners are cut as those of walls of 2500, 2800 and 3000 mm: the higher runs through, the other stops at its face
    for (line, turned) in [(&joined, false), (&theirs.joined(&base, &ours).await, true)] {
        let [south, east] = [&ids["south"], &ids["east"]];
        assert!((line.quantity(south, "NetFootprintArea").await - 6.9 * 0.2).abs() < 1e-9, "{turned}");
        assert!((line.quantity(east, "NetFootprintArea").await - 4.0 * 0.2).abs() < 1e-9, "{turned}");
        line.is_sound().await;
    }
    let tree = joined.asked("query_elements", json!({"selector": "IfcWall, location=Erdgeschoss"})).await;
    assert_eq!(tree["total"], 3, "{tree}");
    joined.is_sound().await;
}

#[tokio::test]
async fn a_prepared_change_is_asked_whether_it_still_does_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let (base, ids) = Line::house(folder.path()).await;
    let (mut head, mut prepared) = (base.clone(), base.clone());
    let window = json!({"host_id": ids["south"], "location": {"along": 5000}, "width": 1000, "height": 1000,
        "opening_type": "window"});
    prepared.does("create_opening", window).await;
    // walls and openings elsewhere, also in the same wall: what it does stays the same
    head.wall([0, 9000], [7000, 9000]).await;
    let other = json!({"host_id": ids["south"], "location": {"along": 1500}, "width": 1000, "height": 1000,
        "opening_type": "window"});
    head.does("create_opening", other).await;
    let merged = head.merge(&base, &prepared, json!({"compare_effect": true})).await.unwrap();
    assert_eq!(merged.result["same_effect"], true, "{:#}", merged.result);
    // the storey was raised: the window would come to be elsewhere
    let storeys = head.asked("query_elements", json!({"selector": "IfcBuildingStorey, Name=Ground"})).await;
    let storey = storeys["rows"][0]["id"].as_str().or(storeys["elements"][0]["id"].as_str()).unwrap();
    let raise = json!({"element_id": storey, "parameter_name": "elevation", "value": 500});
    head.does("modify_parameter", raise).await;
    let merged = head.merge(&base, &prepared, json!({"compare_effect": true})).await.unwrap();
    assert_eq!(merged.result["same_effect"], false, "{:#}", merged.result);
    assert!(merged.result["effects"]["now_also"].to_string().contains("added at"), "{:#}", merged.result);
}

#[tokio::test]
async fn versions_that_met_meet_again_in_either_direction() {
    let folder = tempfile::tempdir().unwrap();
    let (base, ids) = Line::house(folder.path()).await;
    let set = |id: &str, name: &str, value: Value| json!({"element_id": id, "parameter_name": name, "value": value});
    let (mut main, mut side) = (base.clone(), base.clone());
    let on_main = main.wall([0, 9000], [5000, 9000]).await;
    let on_side = side.wall([0, 20_000], [5000, 20_000]).await;
    let first = side.clone();
    let met = main.merge(&base, &side, json!({"as_merge": true})).await.unwrap();
    main.at = after(&main.at, &met);
    // both go on, also with what came from the other side, and meet again: the base is what was merged
    main.does("modify_parameter", set(&on_side, "Name", json!("Named on main"))).await;
    side.does("modify_parameter", set(&on_side, "height", json!(2222))).await;
    let later = side.wall([0, 30_000], [5000, 30_000]).await;
    let params = json!({"as_merge": true, "model_ids": [met.result["ids"]]});
    let again = main.merge(&first, &side, params).await.unwrap();
    assert_eq!(again.result.get("conflicts"), None, "{:#}", again.result);
    main.at = after(&main.at, &again);
    main.is_sound().await;
    assert_eq!(main.count("IfcWall").await, 5);
    assert!((main.quantity(&on_side, "Height").await - 2.222).abs() < 1e-9);
    let named = main.asked("query_elements", json!({"selector": "IfcWall, Name=\"Named on main\""})).await;
    assert_eq!(named["total"], 1, "{named}");
    // and the other way: the side takes main in, whose base is the side's own head
    let head = side.clone();
    side.does("modify_parameter", set(&later, "Name", json!("Named on side"))).await;
    let params = json!({"as_merge": true, "theirs_ids": [again.result["ids"]]});
    let back = side.merge(&head, &main, params).await.unwrap();
    assert_eq!(back.result.get("conflicts"), None, "{:#}", back.result);
    side.at = after(&side.at, &back);
    side.is_sound().await;
    assert_eq!(side.count("IfcWall").await, 5);
    for name in ["Named on main", "Named on side"] {
        let selector = json!({"selector": format!("IfcWall, Name=\"{name}\"")});
        assert_eq!(side.asked("query_elements", selector).await["total"], 1, "{name}");
    }
    side.does("delete_elements", json!({"element_ids": [on_main, ids["south"]]})).await;
    side.is_sound().await;
}

#[tokio::test]
async fn a_merge_that_adds_nothing_is_a_version_with_two_parents_all_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let (base, ids) = Line::house(folder.path()).await;
    let rename = json!({"element_id": ids["south"], "parameter_name": "Name", "value": "Same"});
    let (mut ours, mut theirs) = (base.clone(), base.clone());
    ours.does("modify_parameter", rename.clone()).await;
    theirs.does("modify_parameter", rename).await;
    let merged = ours.merge(&base, &theirs, json!({"as_merge": true})).await.unwrap();
    let bytes = merged.changes[0].delta.as_ref().and_then(Source::inline_bytes).unwrap();
    assert_eq!(contract::Delta::decode(&bytes).unwrap().merged, Some(theirs.at.version.clone()));
    ours.at = after(&ours.at, &merged);
    ours.is_sound().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn space_boundaries_after_a_merge_are_those_of_the_joined_building() {
    let folder = tempfile::tempdir().unwrap();
    let (mut base, ids) = Line::house(folder.path()).await;
    let north = base.wall([7000, 4000], [0, 4000]).await;
    let west = base.wall([0, 4000], [0, 0]).await;
    let room =
        json!({"walls": [ids["south"], ids["east"], north, west], "level_id": "Ground", "name": "Room"});
    base.make("create_space", room, "space_id").await;
    for level in ["first", "second"] {
        base.does("create_space_boundaries", json!({ "level": level })).await;
    }
    let (mut ours, mut theirs) = (base.clone(), base.clone());
    // either side has its own boundary for what it cuts into one wall, and theirs another room
    let window = |at: i32| json!({"host_id": ids["south"], "location": {"along": at}, "width": 900, "height": 1000, "opening_type": "window"});
    ours.does("create_opening", window(1000)).await;
    theirs.does("create_opening", window(4000)).await;
    let thicker = json!({"element_id": north, "parameter_name": "thickness", "value": 400});
    let moved = theirs.does("modify_parameter", thicker).await;
    assert!(moved.result["space_boundaries"]["changed"].as_u64().unwrap() > 3, "{:#}", moved.result);
    for (one, other) in [(&ours, &theirs), (&theirs, &ours)] {
        let merged = one.joined(&base, other).await;
        merged.is_sound().await;
        for level in ["first", "second"] {
            let mut again = merged.clone();
            let anew = again.does("create_space_boundaries", json!({ "level": level })).await.result;
            assert!(anew["unchanged"].as_u64().unwrap() >= 9, "{anew}");
            for number in ["created", "changed", "removed"] {
                assert_eq!(anew[number], 0, "{anew}");
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wall_that_one_side_takes_away_goes_though_the_other_drew_the_boundaries_of_its_room_anew() {
    let folder = tempfile::tempdir().unwrap();
    let (mut base, ids) = Line::house(folder.path()).await;
    let north = base.wall([7000, 4000], [0, 4000]).await;
    let west = base.wall([0, 4000], [0, 0]).await;
    let middle = base.wall([3500, 0], [3500, 4000]).await;
    for (walls, name) in [
        ([&ids["south"], &middle, &north, &west], "West"),
        ([&ids["south"], &ids["east"], &north, &middle], "East"),
    ] {
        base.make("create_space", json!({"walls": walls, "level_id": "Ground", "name": name}), "space_id")
            .await;
    }
    base.does("create_space_boundaries", json!({ "level": "second" })).await;
    let walls = base.count("IfcWall").await;
    let (mut ours, mut theirs) = (base.clone(), base.clone());
    let lower = json!({"element_id": "West", "parameter_name": "height", "value": 2500});
    let changed = ours.does("modify_parameter", lower).await;
    assert!(changed.result["space_boundaries"]["changed"].as_u64().unwrap() > 0, "{:#}", changed.result);
    theirs.does("delete_elements", json!({"element_ids": [middle]})).await;
    for (one, other) in [(&ours, &theirs), (&theirs, &ours)] {
        assert_eq!(one.joined(&base, other).await.count("IfcWall").await, walls - 1);
    }
}
