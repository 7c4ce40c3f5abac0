//! The adapter with the tools that ship.

use super::workers::pool;
use super::*;
use contract::FaultCode;

#[test]
fn every_tool_on_a_model_is_an_operation_with_a_name_of_its_own() {
    let info = NativeAdapter::default().info();
    let mut names: Vec<&str> = info.operations.iter().map(|operation| operation.name.as_str()).collect();
    names.sort_unstable();
    let listed = names.len();
    names.dedup();
    assert_eq!(names.len(), listed, "a tool has the name of an operation of the adapter's own");
    let on_ifc = |tool: &&tools::Tool| matches!(tool.body, tools::Body::Ifc(_) | tools::Body::Adapter);
    for tool in tools::catalogue().iter().filter(on_ifc) {
        let operation = info.operations.iter().find(|operation| operation.name == tool.spec.name).unwrap();
        assert_eq!(operation.effect, tool.spec.effect, "{}", tool.spec.name);
    }
}

/// A new model, and the file it was put in.
pub(super) async fn project(executor: &dyn Executor, folder: &Path, params: Value) -> ModelInput {
    let mut create = request(Effect::Create, "create_project", Vec::new(), params);
    create.scratch = Some(folder.display().to_string());
    let artifact = executor.run(create).await.unwrap();
    let file = artifact.changes[0].file.as_ref().unwrap();
    let Source::Path(path) = &file.source else { panic!("a path") };
    let bytes = std::fs::read(path).unwrap();
    assert_eq!((contract::sha256_hex(&bytes), bytes.len() as u64), (file.sha256.clone(), file.size));
    model(Path::new(path))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_house_is_made_changed_and_asked_about_through_a_worker() {
    let folder = tempfile::tempdir().unwrap();
    let pool = pool();
    let executor = pool.as_ref();
    for schema in ["IFC2X3", "IFC4", "IFC4X3"] {
        let storeys = json!([{"name": "Ground Floor", "elevation": 0}]);
        let params = json!({"name": "House", "schema": schema, "storeys": storeys});
        let empty = project(executor, folder.path(), params).await;

        let wall = json!({"start": [0, 0], "end": [7000, 0], "level_id": "Ground Floor", "name": "South"});
        let made = run(executor, Effect::Create, "create_wall", &empty, wall).await.unwrap();
        let summary = made.diff_summary.clone().unwrap();
        assert_eq!(summary.storeys, ["Ground Floor"], "{schema}");
        assert!(
            summary.elements.iter().any(|element| element.name.as_deref() == Some("South")),
            "{summary:?}"
        );
        assert_eq!(made.event_type.as_deref(), Some("WallCreated"));
        let walled = after(&empty, &made);

        let window = json!({
            "host_id": made.result["wall_id"], "location": {"at": "center"}, "width": 1200, "height": 1200,
            "opening_type": "window"
        });
        let made_window = run(executor, Effect::Create, "create_opening", &walled, window).await.unwrap();
        let summary = made_window.diff_summary.clone().unwrap();
        assert_eq!(summary.added.get("IfcWindow"), Some(&1), "{schema}: {summary:?}");
        assert!(summary.modified.keys().any(|class| class.starts_with("IfcWall")), "its host: {summary:?}");
        let glazed = after(&walled, &made_window);

        let inspected = run(executor, Effect::Query, "inspect", &glazed, Value::Null).await.unwrap().result;
        assert!(inspected["schema"].as_str().unwrap().starts_with(schema), "{inspected}");
        assert_eq!(inspected["problem_count"], 0, "{schema}: {inspected}");

        let delete = json!({"element_ids": [made.result["wall_id"]]});
        let deleted = run(executor, Effect::Modify, "delete_elements", &glazed, delete).await.unwrap();
        let summary = deleted.diff_summary.clone().unwrap();
        assert_eq!(summary.removed.get("IfcWindow"), Some(&1), "{schema}: {summary:?}");
        let base = ModelInput { role: "base".into(), ..empty };
        let target = ModelInput { role: "target".into(), ..after(&glazed, &deleted) };
        let diff =
            executor.run(request(Effect::Query, "diff", vec![base, target], Value::Null)).await.unwrap();
        let summary = diff.diff_summary.unwrap();
        let left: Vec<_> = summary
            .added
            .keys()
            .filter(|class| !class.ends_with("Type") && !class.ends_with("Style"))
            .collect();
        assert!(left.is_empty() && summary.removed.is_empty(), "{schema}: {summary:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_arguments_of_a_tool_that_ships_name_the_parameter() {
    let folder = tempfile::tempdir().unwrap();
    let (host, params) =
        (host(), json!({"name": "House", "storeys": [{"name": "Ground Floor", "elevation": 0}]}));
    let input = project(&host, folder.path(), params).await;
    let check = async |effect, tool: &str, params: Value, code, field: &str| {
        let fault = run(&host, effect, tool, &input, params.clone()).await.unwrap_err();
        assert_eq!(fault.code, code, "{tool} {params}: {fault}");
        if !field.is_empty() {
            assert_eq!(fault.data.get("field"), Some(&json!(field)), "{tool} {params}: {fault}");
        }
        assert!(fault.message.len() > 20, "{fault}");
    };
    let invalid = FaultCode::InvalidParams;
    let wall = |start: Value, level: &str| json!({"start": start, "end": [7000, 0], "level_id": level});
    check(Effect::Create, "create_wall", wall(json!("origin"), "Ground Floor"), invalid, "start").await;
    check(Effect::Create, "create_wall", wall(json!([0, "x"]), "Ground Floor"), invalid, "start[1]").await;
    check(Effect::Create, "create_wall", wall(json!([0, 0]), "Attic"), FaultCode::ElementNotFound, "").await;
    check(Effect::Create, "create_wall", wall(json!([7000, 0]), "Ground Floor"), invalid, "").await;
    let unknown = json!({"element_ids": ["3ZvctVUKr0kugbFTf53O9L"]});
    check(Effect::Modify, "delete_elements", unknown, FaultCode::ElementNotFound, "").await;
}

/// The exported text of a version.
async fn text(executor: &dyn Executor, input: &ModelInput) -> String {
    let artifact = run(executor, Effect::Query, "materialise", input, Value::Null).await.unwrap();
    String::from_utf8(artifact.files[0].source.inline_bytes().unwrap()).unwrap()
}

/// `#12` of a line that begins an instance.
fn id_of(line: &str) -> Option<u64> {
    line.strip_prefix('#')?.split(['=', ' ']).next()?.parse().ok()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_duplex_is_changed_and_every_other_line_stays_as_it_was() {
    let Some(models) = testing::data("models") else { return };
    let path = models.join("Duplex_A_20110907.ifc");
    let pool = pool();
    let executor = pool.as_ref();
    let original = model(&path);
    let doors = json!({"selector": "IfcDoor, location=\"Level 1\"", "fields": ["Name"]});
    let doors = run(executor, Effect::Query, "query_elements", &original, doors).await.unwrap().result;
    let door = doors["rows"][0]["id"].clone();
    assert!(door.is_string(), "{doors}");

    let rename = json!({"element_id": door, "parameter_name": "Name", "value": "Front door"});
    let renamed = run(executor, Effect::Modify, "modify_parameter", &original, rename).await.unwrap();
    let summary = renamed.diff_summary.clone().unwrap();
    assert_eq!(summary.modified.get("IfcDoor"), Some(&1), "{summary:?}");
    assert_eq!(
        (summary.properties[0].property.as_str(), &summary.properties[0].after),
        ("Name", &json!("Front door"))
    );
    assert_eq!(summary.storeys, ["Level 1"]);
    let v1 = after(&original, &renamed);

    let set = json!({"element_ids": [door], "pset": "Pset_DoorCommon", "properties": {"FireRating": "T30"}});
    let rated = run(executor, Effect::Modify, "set_properties", &v1, set).await.unwrap();
    let summary = rated.diff_summary.clone().unwrap();
    assert_eq!(summary.modified.values().sum::<u64>(), 1, "only that door: {summary:?}");
    let rating = summary.properties.iter().find(|change| change.property == "Pset_DoorCommon.FireRating");
    assert_eq!(rating.unwrap().after, json!("T30"));
    let v2 = after(&v1, &rated);

    let walls = json!({"selector": "IfcWallStandardCase, location=\"Level 1\"", "sort": "-PSet_Revit_Dimensions.Length"});
    let walls = run(executor, Effect::Query, "query_elements", &v2, walls).await.unwrap().result;
    let wall = walls["rows"][0]["id"].clone();
    let delete = json!({"element_ids": [wall]});
    let deleted = run(executor, Effect::Modify, "delete_elements", &v2, delete).await.unwrap();
    let v3 = after(&v2, &deleted);
    assert_eq!(deleted.diff_summary.clone().unwrap().removed.get("IfcWallStandardCase"), Some(&1));

    let (base, target) = (
        ModelInput { role: "base".into(), ..original.clone() },
        ModelInput { role: "target".into(), ..v3.clone() },
    );
    let diff = executor.run(request(Effect::Query, "diff", vec![base, target], Value::Null)).await.unwrap();
    let raw = diff.diff_raw.unwrap();
    let touched: std::collections::BTreeSet<u64> = raw
        .removed
        .iter()
        .map(|entity| entity.id)
        .chain(raw.modified.iter().map(|change| change.entity.id))
        .collect();
    let before = std::fs::read_to_string(&path).unwrap();
    let after_text = text(executor, &v3).await;
    let kept: std::collections::BTreeSet<&str> = after_text.lines().collect();
    // a file that was changed says in its header when and by what it was written
    let is_kept =
        |line: &&str| id_of(line).map_or(!line.starts_with("FILE_NAME("), |id| !touched.contains(&id));
    for line in before.lines().filter(is_kept) {
        assert!(kept.contains(line), "changed or lost: {line}");
    }

    let target = ModelInput { role: "target".into(), ..v2.clone() };
    let undone =
        executor.run(request(Effect::Modify, "restore", vec![v3.clone(), target], Value::Null)).await;
    let v4 = after(&v3, &undone.unwrap());
    let base = ModelInput { role: "base".into(), ..v2 };
    let target = ModelInput { role: "target".into(), ..v4 };
    let nothing =
        executor.run(request(Effect::Query, "diff", vec![base, target], Value::Null)).await.unwrap();
    assert!(nothing.diff_summary.unwrap().is_empty());
}
