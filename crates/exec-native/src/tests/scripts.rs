//! `run_code` with the tools that ship: what a script makes, reads and leaves behind.

use super::catalogue::project;
use super::*;
use contract::FaultCode;

const HOUSE: &str = r#"
corners = [[0, 0], [8000, 0], [8000, 6000], [0, 6000]]
walls = []
for i in range(4):
    walls.append(adapter.create_wall(start=corners[i], end=corners[(i + 1) % 4], level_id="Ground", height=2800, name=f"W{i}"))
for w in walls:
    adapter.create_opening(host_id=w, location={"at": "center"}, width=1200, height=1200, opening_type="window")
print(len(walls), "walls")
[w.name for w in adapter.select("IfcWall")]
"#;

async fn house(folder: &Path) -> (Arc<Host>, ModelInput) {
    let config = HostConfig { trusts_code: true, ..HostConfig::default() };
    let host = Host::new(vec![Arc::new(adapter()) as Arc<dyn Adapter>], config);
    let params = json!({"name": "House", "storeys": [{"name": "Ground", "elevation": 0}]});
    let model = project(&host, folder, params).await;
    (host, model)
}

async fn code(host: &Arc<Host>, model: &ModelInput, code: &str) -> Result<Artifact, Fault> {
    run(host, Effect::Modify, "run_code", model, json!({ "code": code })).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_script_of_many_edits_is_one_change_with_one_difference() {
    let folder = tempfile::tempdir().unwrap();
    let (host, empty) = house(folder.path()).await;
    let made = code(&host, &empty, HOUSE).await.unwrap();
    assert_eq!(made.result["value"], json!(["W0", "W1", "W2", "W3"]));
    assert_eq!(made.result["printed"], "4 walls\n");
    assert_eq!((made.changes.len(), made.event_type.as_deref()), (1, Some("CodeRun")));
    let summary = made.diff_summary.clone().unwrap();
    assert_eq!(
        (summary.added.get("IfcWall"), summary.added.get("IfcWindow")),
        (Some(&4), Some(&4)),
        "{summary:?}"
    );
    // the same operation again makes the same elements
    let mut twice = request(Effect::Modify, "run_code", vec![empty.clone()], json!({ "code": HOUSE }));
    twice.operation_id = "one".into();
    let (first, second) = (host.run(twice.clone()).await.unwrap(), host.run(twice).await.unwrap());
    assert_eq!(first.changes[0].delta, second.changes[0].delta);
    let house = after(&empty, &made);
    let inspected = run(&host, Effect::Query, "inspect", &house, Value::Null).await.unwrap().result;
    assert_eq!(inspected["problem_count"], 0, "{inspected}");
}

#[tokio::test(flavor = "multi_thread")]
async fn elements_say_what_they_are_made_of_where_they_are_and_what_belongs_to_them() {
    let folder = tempfile::tempdir().unwrap();
    let (host, empty) = house(folder.path()).await;
    let house = after(&empty, &code(&host, &empty, HOUSE).await.unwrap());
    for (script, expected) in [
        (
            "w = select('IfcWall')[0]\n[w.ifc_class, w.name, w.Name, w.storey.name, w.container.name]",
            json!(["IfcWall", "W0", "W0", "Ground", "Ground"]),
        ),
        (
            "w = select('IfcWindow')[0]\n[w.host.name, w.fills.ifc_class, w.OverallWidth * 1000, w.to_mm if hasattr(w, 'to_mm') else 0]",
            json!(["W0", "IfcOpeningElement", 1200.0, 0]),
        ),
        ("w = select('IfcWall')[0]\n[len(w.openings), w.fillings[0].ifc_class]", json!([1, "IfcWindow"])),
        ("len(select('IfcBuildingStorey')[0].contains)", json!(8)),
        (
            "w = select('IfcWindow')[0]\n[w.facing, w.get('facing'), w.get('host').name, w.get('volume') == w.volume]",
            json!(["south", "south", "W0", true]),
        ),
        ("len(select('IfcWindow, host=W0'))", json!(1)),
        (
            "[w.facing for w in select('IfcWall, facing=east + IfcWall, facing=west')]",
            json!(["east", "west"]),
        ),
        (
            "[len(select('IfcWall, volume>' + str(w.volume - 0.001))) >= 1 for w in select('IfcWall, thickness>1')]",
            json!([true, true, true, true]),
        ),
        ("[w.facing for w in select('IfcWall')]", json!(["south", "east", "north", "west"])),
        (
            "w = select('IfcWall')[0]\n[w.thickness, w.profile['class'], w.spaces, w.boundaries]",
            json!([200, "IfcArbitraryClosedProfileDef", [], []]),
        ),
        (
            "w = select('IfcWall')[0]\n[w.bounds['size'][2], round(w.volume, 2) > 4, w.surface > 30, w.origin]",
            json!([2800, true, true, [0, 0, 0]]),
        ),
        (
            "w = select('IfcWall')[1]\np = w.placement()\n[p['origin'], p['x_axis']]",
            json!([[8000, 0, 0], [0, 1, 0]]),
        ),
        (
            "w = select('IfcWall')[0]\nw.get('Qto_WallBaseQuantities.Length') == w.quantities()['Qto_WallBaseQuantities']['Length']",
            json!(true),
        ),
        (
            "w = select('IfcWall')[0]\n[w.psets()['Pset_WallCommon']['IsExternal'], w.get('Pset_WallCommon.IsExternal')]",
            json!([true, true]),
        ),
        (
            "[adapter.unit, adapter.to_mm(2), adapter.from_mm([500, 1000]), adapter.schema]",
            json!(["m", 2000, [0.5, 1], "IFC4"]),
        ),
        ("element(select('IfcWall')[2].id).name", json!("W2")),
        ("create_wall([0, 0], [0, 9000], 'Ground')['length']", json!(9000.0)),
        (
            "w = select('IfcWall')[0].id\nmodify_parameter(w, 'Description', 'north')\nmodify_parameter(w, 'Description', None)\n\
             element(w).Description",
            json!(null),
        ),
        ("query_elements(selector='IfcWall', aggregate='count')['groups'][0]['count']", json!(4)),
    ] {
        let answer =
            code(&host, &house, script).await.unwrap_or_else(|fault| panic!("{script}: {}", fault.to_json()));
        let found = &answer.result["value"];
        let same = found == &expected
            || found.to_string().replace(".0", "") == expected.to_string().replace(".0", "");
        assert!(same, "{script}: {found} instead of {expected}");
    }
}

/// Checks what scripts answer on a model.
async fn answers(host: &Arc<Host>, model: &ModelInput, cases: &[(&str, Value)]) {
    for (script, expected) in cases {
        let answer = code(host, model, script).await;
        let answer = answer.unwrap_or_else(|fault| panic!("{script}: {}", fault.to_json()));
        let found = &answer.result["value"];
        assert_eq!(found.to_string().replace(".0", ""), expected.to_string().replace(".0", ""), "{script}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn elements_know_their_rooms_and_rooms_their_neighbours() {
    let folder = tempfile::tempdir().unwrap();
    let (host, empty) = house(folder.path()).await;
    let rooms = r#"
create_rooms(
    level_id="Ground",
    rooms=[
        {"name": "Left", "boundary": [[100, 100], [4000, 100], [4000, 5900], [100, 5900]]},
        {"name": "Right", "boundary": [[4000, 100], [7900, 100], [7900, 5900], [4000, 5900]]},
    ],
    connect=[["Left", "Right"]],
)
"#;
    let made = code(&host, &empty, &format!("{HOUSE}{rooms}")).await.unwrap();
    let house = after(&empty, &made);
    answers(
        &host,
        &house,
        &[
            ("sorted([r.name for r in select('IfcDoor')[0].rooms])", json!(["Left", "Right"])),
            (
                "[[w.name, sorted([r.name for r in w.rooms])] for w in select('IfcWall, Name=/W./')]",
                json!([["W0", ["Left", "Right"]], ["W1", ["Right"]], ["W2", ["Left", "Right"]], ["W3", ["Left"]]]),
            ),
            ("[r.name for r in select('IfcWall, Name=W3')[0].fillings[0].rooms]", json!(["Left"])),
            ("left = select('IfcSpace, Name=Left')[0]\n[r.name for r in left.neighbours]", json!(["Right"])),
            (
                "left = select('IfcSpace, Name=Left')[0]\n[[r.name for r in left.neighbours(w)] for w in ['door', 'wall', 'slab']]",
                json!([["Right"], ["Right"], []]),
            ),
            ("[[len(r.doors), len(r.windows)] for r in select('IfcSpace')]", json!([[1, 3], [1, 3]])),
            ("[len(e.rooms) for e in select('IfcBuildingStorey + IfcBuilding')]", json!([2, 2])),
            ("[r.name for r in select('IfcSpace, Name=Left')[0].rooms]", json!(["Left"])),
            ("room_analysis(room_id=select('IfcDoor')[0].rooms[0])['name']", json!("Left")),
            // a piece of furniture knows the room that it stands in, and follows when it is moved
            (
                "create_furniture(kind='chair', room='Left')\ne = select('IfcFurnishingElement')[0]\n\
                 x = [r.name for r in e.rooms]\nmove_elements(element_ids=[e], by=[4000, 0, 0])\n[x, [r.name for r in e.rooms]]",
                json!([["Left"], ["Right"]]),
            ),
        ],
    )
    .await;
    for (script, said) in [
        ("select('IfcWall')[0].neighbours", "no attribute 'neighbours'"),
        ("select('IfcWall')[0].neighbours('door')", "has no neighbours"),
        (
            "select('IfcSpace')[0].neighbours('roof')",
            "neighbours takes one of door, opening, window, wall, slab",
        ),
    ] {
        let fault = code(&host, &house, script).await.unwrap_err();
        assert!(fault.message.contains(said), "{script}: {}", fault.message);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn rooms_that_are_found_are_handed_out_by_their_ids_until_they_are_no_more() {
    let folder = tempfile::tempdir().unwrap();
    let (host, empty) = house(folder.path()).await;
    let house = after(&empty, &code(&host, &empty, HOUSE).await.unwrap());
    answers(
        &host,
        &house,
        &[
            (
                "r = select('IfcWall')[0].rooms[0]\n[r.ifc_class, r.name, r.storey.name, round(r.area, 2), len(r.windows), r.doors, r.neighbours]",
                json!(["Room", "Ground room 1", "Ground", 45.24, 4, [], []]),
            ),
            ("r = select('IfcWindow')[0].rooms[0]\nroom_analysis(room_id=r)['id'] == r.id", json!(true)),
            ("sorted([b.name for b in select('IfcWindow')[0].rooms[0].boundaries])", json!(["W0", "W1", "W2", "W3"])),
            // parted in two, of which each has the other behind the wall
            (
                "create_wall([4000, 100], [4000, 5900], 'Ground', thickness=100)\n\
                 [[len(r.neighbours('wall')), len(r.neighbours('door'))] for r in select('IfcBuildingStorey')[0].rooms]",
                json!([[1, 0], [1, 0]]),
            ),
        ],
    )
    .await;
    let gone =
        "r = select('IfcWall')[0].rooms[0]\ndelete_elements(element_ids=[select('IfcWall')[0]])\nr.area";
    let fault = code(&host, &house, gone).await.unwrap_err();
    assert!(fault.message.contains("No element"), "{}", fault.message);
    let fault = code(&host, &house, "select('IfcWall')[0].rooms[0].Pset").await.unwrap_err();
    assert!(fault.message.contains("Pset"), "{}", fault.message);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_script_that_fails_half_way_changes_nothing_and_says_where() {
    let folder = tempfile::tempdir().unwrap();
    let (host, empty) = house(folder.path()).await;
    let fault = code(
        &host,
        &empty,
        &format!("{HOUSE}\nadapter.create_wall(start=[0,0], end=[1,1], level_id='Attic')"),
    )
    .await
    .unwrap_err();
    assert_eq!(fault.data["printed"], "4 walls\n", "{}", fault.to_json());
    assert_eq!(fault.data["line"], 11);
    assert!(fault.message.contains("Line 11: create_wall: "), "{}", fault.message);
    let count = code(&host, &empty, "len(adapter.select('IfcWall'))").await.unwrap();
    assert_eq!((count.result["value"].clone(), count.changes.len()), (json!(0), 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_edit_that_fails_and_is_caught_leaves_nothing_and_the_others_stay() {
    let folder = tempfile::tempdir().unwrap();
    let (host, empty) = house(folder.path()).await;
    let script = "for level in ['Ground', 'Attic', 'Ground']:\n    try:\n        create_wall([0, 0], [5000, 0], level)\n    except ValueError as e:\n        print(e)\n    except LookupError as e:\n        print(e)\nlen(select('IfcWall'))";
    let made = code(&host, &empty, script).await.unwrap();
    assert_eq!(made.result["value"], 2, "{}", made.result);
    assert!(made.result["printed"].as_str().unwrap().contains("Attic"), "{}", made.result);
    assert_eq!(made.diff_summary.unwrap().added.get("IfcWall"), Some(&2));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_script_that_only_reads_is_refused_its_edits() {
    let folder = tempfile::tempdir().unwrap();
    let (host, empty) = house(folder.path()).await;
    let params = |code: &str| json!({ "code": code, "mode": "query" });
    let fault =
        run(&host, Effect::Modify, "run_code", &empty, params("create_wall([0,0],[1000,0],'Ground')"))
            .await
            .unwrap_err();
    assert_eq!(fault.code, FaultCode::PermissionDenied, "{}", fault.to_json());
    let read = run(&host, Effect::Modify, "run_code", &empty, params("1 + 1")).await.unwrap();
    assert_eq!((read.result["value"].clone(), read.changes.len()), (json!(2), 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_script_may_not_call_or_gets_wrong_is_said_in_its_own_terms() {
    let folder = tempfile::tempdir().unwrap();
    let (host, empty) = house(folder.path()).await;
    for (script, said) in [
        ("adapter.create_wal(start=[0,0])", "did you mean create_wall?"),
        (
            "adapter.create_wall([0,0], [1,0], 'Ground', 3000)",
            "takes only what it requires without a name (start, end, level_id)",
        ),
        ("adapter.create_wall([0,0], start=[0,0], end=[1,0])", "start twice"),
        ("adapter.create_wall(start=[0,0], ende=[1,0], level_id='Ground')", "`end`"),
        ("adapter.run_code(code='1')", "has no run_code"),
        ("adapter.create_project(name='x')", "has no create_project"),
        ("adapter.select('IfcWal')", "Did you mean IfcWall"),
        ("adapter.select(3)", "select takes a selector as text"),
        ("adapter.element('nothing')", "nothing"),
        ("adapter.select('IfcBuildingStorey')[0].psets", "write psets()"),
        ("adapter.select('IfcBuildingStorey')[0].Nothing", "Nothing"),
        ("adapter.create_wall(start=[0, float('nan')], end=[1,0], level_id='Ground')", "start: nan"),
        (
            "w = create_wall([0,0],[5000,0],'Ground')\ne = element(w['wall_id'])\ndelete_elements(element_ids=[e])\ne.name",
            "No element",
        ),
    ] {
        let fault = code(&host, &empty, script).await.unwrap_err();
        assert!(fault.message.contains(said), "{script}: {}", fault.message);
        assert!(
            fault.message.contains("Line ") && fault.message.contains("Nothing was changed"),
            "{}",
            fault.message
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_script_ends_before_the_deadline_of_its_call() {
    let folder = tempfile::tempdir().unwrap();
    let (host, empty) = house(folder.path()).await;
    let mut endless = request(Effect::Modify, "run_code", vec![empty], json!({"code": "while True: pass"}));
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    endless.deadline_ms = now.as_millis() as u64 + 1000;
    let fault = host.run(endless).await.unwrap_err();
    assert_eq!(fault.data["limit"], "time", "{}", fault.to_json());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_says_whether_what_it_touched_is_sound_and_a_script_says_it_once() {
    let folder = tempfile::tempdir().unwrap();
    let (host, empty) = house(folder.path()).await;
    let wall = |end: [i32; 2]| json!({ "start": [0, 0], "end": end, "level_id": "Ground" });
    let alone = run(&host, Effect::Create, "create_wall", &empty, wall([6000, 0])).await.unwrap();
    assert_eq!(alone.result["sound"], json!(true));
    let one = after(&empty, &alone);
    let crossed = run(&host, Effect::Create, "create_wall", &one, wall([3000, 1])).await.unwrap();
    let sound = &crossed.result["sound"];
    assert_eq!(sound[0]["kind"], "overlap", "{sound}");
    assert!(sound[0]["elements"].as_array().unwrap().contains(&alone.result["wall_id"]), "{sound}");
    let script = r#"
for i in range(3):
    adapter.create_wall(start=[0, i * 50], end=[6000, i * 50], level_id="Ground")
"#;
    let scripted = code(&host, &empty, script).await.unwrap();
    assert_eq!(scripted.result["sound"].as_array().unwrap().len(), 3, "{}", scripted.result["sound"]);
    let read = run(&host, Effect::Query, "inspect", &one, Value::Null).await.unwrap();
    assert!(read.result.get("sound").is_none());
}
