//! `run_batch` with the tools that ship: what steps make together, how they refer to each other, and what is refused.

use super::catalogue::project;
use super::*;
use contract::FaultCode;

async fn house(folder: &Path) -> (Arc<Host>, ModelInput) {
    let host = host();
    let params = json!({"name": "House", "storeys": [{"name": "Ground", "elevation": 0}]});
    let model = project(&host, folder, params).await;
    (host, model)
}

async fn batch(host: &Arc<Host>, model: &ModelInput, steps: Value) -> Result<Artifact, Fault> {
    run(host, Effect::Modify, "run_batch", model, json!({ "steps": steps })).await
}

fn wall(name: &str, y: f64) -> Value {
    json!({"tool": "create_wall", "as": name, "arguments": {"start": [0, y], "end": [6000, y], "level_id": "Ground", "name": name}})
}

#[tokio::test(flavor = "multi_thread")]
async fn steps_are_one_change_and_later_ones_name_what_earlier_ones_made() {
    let folder = tempfile::tempdir().unwrap();
    let (host, empty) = house(folder.path()).await;
    let steps = json!([
        wall("south", 0.0),
        {"tool": "create_opening", "arguments": {"host_id": "$south", "location": {"at": "center"}, "width": 1200,
            "height": 1200, "opening_type": "window"}},
        wall("north", 4000.0),
        {"tool": "set_properties", "arguments": {"element_ids": ["$south.wall_id", "$3"], "pset": "Pset_WallCommon",
            "properties": {"FireRating": "REI 60"}}},
        {"tool": "query_elements", "as": "rated", "arguments": {"selector": "IfcWall, Pset_WallCommon.FireRating=\"REI 60\""}},
    ]);
    let made = batch(&host, &empty, steps.clone()).await.unwrap();
    assert_eq!((made.changes.len(), made.event_type.as_deref()), (1, Some("BatchRun")));
    let summary = made.diff_summary.clone().unwrap();
    assert_eq!((summary.added.get("IfcWall"), summary.added.get("IfcWindow")), (Some(&2), Some(&1)));
    assert_eq!(made.result["sound"], true, "{}", made.result);
    let told = made.result["steps"].as_array().unwrap();
    let names: Vec<&str> = told.iter().map(|step| step["step"].as_str().unwrap()).collect();
    assert_eq!(names, ["south", "2", "north", "4", "rated"]);
    assert_eq!(told[4]["total"], 2, "{}", told[4]);
    // what was assumed for several steps is told once
    let assumed = made.result["assumed"].as_array().unwrap();
    assert!(assumed.iter().enumerate().all(|(n, said)| !assumed[..n].contains(said)), "{assumed:?}");
    assert!(told.iter().all(|step| step.get("assumed").is_none()));
    // the same operation again makes the same elements
    let params = json!({ "steps": steps });
    let mut twice = request(Effect::Modify, "run_batch", vec![empty.clone()], params);
    twice.operation_id = "one".into();
    let (first, second) = (host.run(twice.clone()).await.unwrap(), host.run(twice).await.unwrap());
    assert_eq!(first.changes[0].delta, second.changes[0].delta);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_batch_that_begins_with_a_project_makes_a_new_model() {
    let folder = tempfile::tempdir().unwrap();
    let host = host();
    for schema in ["IFC2X3", "IFC4", "IFC4X3"] {
        let storeys = json!([{"name": "Ground", "elevation": 0}]);
        let begun = json!({"tool": "create_project", "as": "project", "arguments": {"name": "New", "schema": schema, "storeys": storeys}});
        let steps = json!([begun, wall("south", 0.0), wall("north", 3000.0)]);
        let mut asked = request(Effect::Modify, "run_batch", Vec::new(), json!({ "steps": steps }));
        asked.scratch = Some(folder.path().display().to_string());
        let made = host.run(asked).await.unwrap();
        let file = made.changes[0].file.as_ref().unwrap();
        let Source::Path(path) = &file.source else { panic!("a path") };
        let text = std::fs::read_to_string(path).unwrap();
        let walls = ["=IFCWALL(", "=IFCWALLSTANDARDCASE("].map(|class| text.matches(class).count());
        assert!(text.contains(schema) && walls.iter().sum::<usize>() == 2, "{schema}: {walls:?}");
        assert_eq!(made.result["sound"], true, "{}", made.result);
        let added = made.diff_summary.unwrap().added;
        let walls = ["IfcWall", "IfcWallStandardCase"].map(|class| added.get(class).copied().unwrap_or(0));
        assert_eq!(walls.iter().sum::<u64>(), 2, "{schema}: {added:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_wrong_with_a_step_is_said_by_its_place_and_nothing_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let (host, empty) = house(folder.path()).await;
    let opening = |host: &str| json!({"tool": "create_opening", "arguments": {"host_id": host, "location": {"at": "center"}, "width": 1200, "height": 1200}});
    let step = |tool: &str, arguments: Value| json!({"tool": tool, "arguments": arguments});
    for (steps, field, word) in [
        (json!([]), "steps", "at least one"),
        (
            json!([wall("a", 0.0), step("create_wal", json!({}))]),
            "steps[1].tool",
            "did you mean create_wall?",
        ),
        (json!([wall("a", 0.0), step("undo", json!({}))]), "steps[1].tool", "call it by itself"),
        (json!([step("run_batch", json!({"steps": []}))]), "steps[0].tool", "call it by itself"),
        (
            json!([wall("a", 0.0), step("create_project", json!({"name": "B"}))]),
            "steps[1].tool",
            "first step",
        ),
        (json!([wall("a", 0.0), wall("a", 9000.0)]), "steps[1].as", "Two steps"),
        (json!([wall("a b", 0.0)]), "steps[0].as", "no name"),
        (json!([opening("$wall.wall_id"), wall("wall", 0.0)]), "steps[0].arguments", "step 2; only earlier"),
        (json!([wall("wall", 0.0), opening("$wal.wall_id")]), "steps[1].arguments", "wall"),
        (
            json!([wall("wall", 0.0), opening("$wall.door_id")]),
            "steps[1].arguments.host_id",
            "it has wall_id",
        ),
        (
            json!([step("create_wall", json!({"model_id": "m"}))]),
            "steps[0].arguments.model_id",
            "beside `steps`",
        ),
        (
            json!([
                wall("a", 0.0),
                step("create_wall", json!({"start": [0, 0], "end": [5, 5, 5, 5], "level_id": "Ground"}))
            ]),
            "steps[1].arguments.end",
            "Step 2 of 2, create_wall",
        ),
        (
            json!([step(
                "create_element",
                json!({"ifc_class": "IfcFurniture", "level_id": "Ground", "shape": {"mesh": {"file": "a.glb"}}})
            )]),
            "steps[0].arguments.shape.mesh.file",
            "call create_element by itself",
        ),
    ] {
        let fault = batch(&host, &empty, steps.clone()).await.unwrap_err();
        assert_eq!(fault.data["field"], field, "{steps}: {fault}");
        assert!(fault.message.contains(word), "{steps}: {fault}");
    }
    let inspected = run(&host, Effect::Query, "inspect", &empty, Value::Null).await.unwrap().result;
    assert_eq!(inspected["problem_count"], 0, "{inspected}");
    // a step of a form that none has
    let fault = batch(&host, &empty, json!([{"tool": "create_wall", "start": [0, 0]}])).await.unwrap_err();
    assert_eq!(fault.code, FaultCode::InvalidParams);
    assert!(fault.message.contains("arguments"), "{fault}");
}

#[tokio::test(flavor = "multi_thread")]
async fn long_answers_are_shortened_unless_all_of_them_is_wanted() {
    let folder = tempfile::tempdir().unwrap();
    let (host, empty) = house(folder.path()).await;
    let mut steps: Vec<Value> = (0..60).map(|n| wall(&format!("w{n}"), 3000.0 * f64::from(n))).collect();
    let ask = json!({"selector": "IfcWall", "fields": ["Name", "length"], "limit": 60});
    steps.push(json!({"tool": "query_elements", "as": "all", "arguments": ask}));
    let answer = async |detail: &str| {
        let params = json!({ "steps": steps, "detail": detail });
        run(&host, Effect::Modify, "run_batch", &empty, params).await.unwrap().result
    };
    let (ids, concise, full) = (answer("ids").await, answer("concise").await, answer("full").await);
    let length = |answer: &Value| answer.to_string().len();
    assert!(length(&concise) < length(&full), "{} of {}", length(&concise), length(&full));
    assert!(concise["lists_shortened_to"].is_u64() && full.get("lists_shortened_to").is_none());
    let last = |answer: &Value| answer["steps"][60].clone();
    assert_eq!(last(&full)["rows"].as_array().unwrap().len(), 60);
    let rows = last(&concise)["rows"].as_array().unwrap().clone();
    let more = rows.last().unwrap()["more"].as_u64().unwrap() as usize;
    assert_eq!(rows.len() - 1 + more, 60, "{rows:?}");
    assert!(
        ids["steps"][0]["wall_id"].is_string() && ids["steps"][0].get("length").is_none(),
        "{}",
        ids["steps"][0]
    );
}
