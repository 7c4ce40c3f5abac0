//! The adapter in its host, over the Python of this repository. The crate `testing` knows where there is a
//! Python with IfcOpenShell.

use crate::{Backend, IfcOpenShellAdapter};
use contract::{
    Actor, Artifact, Delta, Effect, Fault, FaultCode, Limits, ModelId, ModelInput, ModelKind, Operation,
    OperationId, Request, Source, VersionId,
};
use exec::{Executor, Host, HostConfig};
use exec_native::NativeAdapter;
use serde_json::{Value, json};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

fn backend() -> Option<Arc<Backend>> {
    let package = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../backends/ifcopenshell");
    let (ours, its) = UnixStream::pair().unwrap();
    let mut command = std::process::Command::new(testing::ifcopenshell()?);
    command.args(["-m", "pensaer_ifcopenshell"]).env("PYTHONPATH", package);
    let mut child = command.stdin(OwnedFd::from(its)).spawn().unwrap();
    // it ends when the other end of its socket is gone
    std::thread::spawn(move || child.wait());
    Some(Arc::new(Backend::at(ours.into()).unwrap()))
}

struct Desk {
    _folder: tempfile::TempDir,
    host: Arc<Host>,
    input: ModelInput,
}

/// A new house in a host of this adapter.
async fn desk() -> Option<Desk> {
    // scripts run in a confined process of their own, not in this one
    let config = HostConfig { trusts_code: true, ..HostConfig::default() };
    let host =
        Host::new(vec![Arc::new(IfcOpenShellAdapter::new(backend()?, NativeAdapter::default()))], config);
    Some(house_in(host).await)
}

async fn house_in(host: Arc<Host>) -> Desk {
    let storeys = json!([{"name": "Ground Floor", "elevation": 0}]);
    let params = json!({"name": "House", "storeys": storeys});
    let made = host.run(request(Effect::Create, "create_project", vec![], params)).await.unwrap();
    let bytes = made.changes[0].file.as_ref().and_then(|file| file.source.inline_bytes()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("house.ifc");
    std::fs::write(&path, bytes).unwrap();
    let version = VersionId::from("ab".repeat(32));
    let input = ModelInput {
        role: "model".into(),
        id: ModelId::from("house"),
        version: version.clone(),
        kind: ModelKind::Ifc,
        base: Some(Source::Path(path.display().to_string())),
        base_version: Some(version),
        deltas: Vec::new(),
    };
    Desk { _folder: folder, host, input }
}

fn request(effect: Effect, name: &str, models: Vec<ModelInput>, params: Value) -> Request {
    Request {
        operation_id: OperationId::from("operation-1"),
        operation: Operation { effect, name: name.into(), params },
        backend: None,
        strict: false,
        models,
        files: Vec::new(),
        limits: Limits::default(),
        deadline_ms: 0,
        time_ms: 1_700_000_000_000,
        actor: Actor { principal: "test".into(), client: None },
        reasoning: None,
        scratch: None,
    }
}

impl Desk {
    async fn run(&self, effect: Effect, name: &str, params: Value) -> Result<Artifact, Fault> {
        let mut request = request(effect, name, vec![self.input.clone()], params);
        request.operation_id = OperationId::from(format!("operation-{}", self.input.version));
        self.host.run(request).await
    }

    /// Runs an operation and goes on from what it came to.
    async fn change(&mut self, effect: Effect, name: &str, params: Value) -> Artifact {
        let artifact = self.run(effect, name, params).await.unwrap();
        let delta = artifact.changes[0].delta.as_ref().and_then(Source::inline_bytes).unwrap();
        assert_eq!(Delta::decode(&delta).unwrap().kind, ModelKind::Ifc);
        self.input.version = VersionId::of_delta(&self.input.version, &delta);
        self.input.deltas.push(Source::inline(&delta));
        artifact
    }

    async fn count(&self, selector: &str) -> u64 {
        let params = json!({"selector": selector});
        let found = self.run(Effect::Query, "query_elements", params).await.unwrap();
        found.result["total"].as_u64().unwrap()
    }
}

const WALL: [&str; 3] = ["Wall A", "Wall B", "Wall C"];

fn wall(at: usize) -> Value {
    let y = at * 3000;
    json!({"start": [0, y], "end": [6000, y], "level_id": "Ground Floor", "name": WALL[at]})
}

#[tokio::test(flavor = "multi_thread")]
async fn the_adapter_conforms() {
    let Some(desk) = desk().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let unreadable = folder.path().join("notes.ifc");
    std::fs::write(&unreadable, "Dear colleague, attached is the model.").unwrap();
    let Some(Source::Path(file)) = &desk.input.base else { panic!("no file") };
    let subject = exec::conformance::Subject {
        kind: ModelKind::Ifc,
        file: file.into(),
        unreadable,
        query: Operation {
            effect: Effect::Query,
            name: "query_elements".into(),
            params: json!({"selector": "IfcWall"}),
        },
        change: Operation { effect: Effect::Create, name: "create_wall".into(), params: wall(0) },
        elsewhere: false,
        meanings: Vec::new(),
    };
    for finding in exec::conformance::check(&desk.host, &subject).await {
        assert_eq!(finding.problem, None, "{}", finding.check);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn each_change_stands_on_the_one_before_and_an_older_version_can_still_be_asked() {
    let Some(mut desk) = desk().await else { return };
    let empty = desk.input.clone();
    for at in 0..3 {
        let made = desk.change(Effect::Create, "create_wall", wall(at)).await;
        assert_eq!(made.event_type.as_deref(), Some("WallCreated"));
        assert_eq!(made.diff_summary.unwrap().added["IfcWall"], 1);
    }
    let window = json!({"host_id": "Wall B", "location": {"at": "center"}, "width": 1200, "height": 1200, "opening_type": "window"});
    desk.change(Effect::Create, "create_opening", window).await;
    let higher = json!({"element_id": "Wall B", "parameter_name": "height", "value": 3300});
    desk.change(Effect::Modify, "modify_parameter", higher).await;
    desk.change(Effect::Modify, "delete_elements", json!({"element_ids": ["Wall A"]})).await;
    assert_eq!((desk.count("IfcWall").await, desk.count("IfcWindow").await), (2, 1));
    desk.input = empty;
    assert_eq!(desk.count("IfcWall").await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn both_adapters_make_equivalent_models_of_the_same_calls() {
    let Some(foreign) = desk().await else { return };
    let native = house_in(Host::new(vec![Arc::new(NativeAdapter::default())], HostConfig::default())).await;
    let opening = |kind: &str, along: u32| json!({"host_id": "Wall A", "location": {"along": along}, "width": 900, "height": 1300, "opening_type": kind});
    let square = json!([[0, 0], [6000, 0], [6000, 6000], [0, 6000]]);
    let calls = [
        (Effect::Create, "create_level", json!({"name": "Top", "elevation": 3000})),
        (Effect::Create, "create_wall", wall(0)),
        (Effect::Create, "create_wall", wall(1)),
        (Effect::Create, "create_opening", opening("door", 1000)),
        (Effect::Create, "create_opening", opening("window", 3000)),
        (Effect::Create, "create_opening", opening("void", 5000)),
        (Effect::Create, "create_floor", json!({"boundary_points": square, "level_id": "Ground Floor"})),
        (
            Effect::Create,
            "create_space",
            json!({"boundary_points": square, "level_id": "Ground Floor", "name": "1"}),
        ),
        (
            Effect::Create,
            "create_roof",
            json!({"boundary_points": square, "level_id": "Top", "overhang": 250}),
        ),
        (
            Effect::Modify,
            "modify_parameter",
            json!({"element_id": "Wall A", "parameter_name": "height", "value": 3300}),
        ),
        (
            Effect::Modify,
            "modify_parameter",
            json!({"element_id": "Door 1", "parameter_name": "width", "value": 1000}),
        ),
        (Effect::Modify, "delete_elements", json!({"element_ids": ["Wall B"]})),
    ];
    let mut desks = [native, foreign];
    for (effect, name, params) in calls {
        let mut results = Vec::new();
        for desk in &mut desks {
            results.push(rounded(desk.change(effect, name, params.clone()).await.result));
        }
        // GlobalIds derive from the operation alone, but not all are given out in one order
        let [native, foreign] = [0, 1].map(|at| without_ids(results[at].clone()));
        assert_eq!(native, foreign, "{name}");
    }
    let read =
        |selector: &str, fields: Value| json!({"selector": selector, "fields": fields, "sort": "Name"});
    let wall = ["Length", "NetSideArea", "NetVolume"].map(|name| format!("Qto_WallBaseQuantities.{name}"));
    for query in [
        read("IfcWall", json!(wall)),
        read(
            "IfcSlab",
            json!(["PredefinedType", "Qto_SlabBaseQuantities.NetVolume", "type.Name", "x", "y", "z"]),
        ),
        read("IfcDoor", json!(["OverallWidth", "storey", "type.Name", "Pset_DoorCommon.IsExternal"])),
        read("IfcBuildingStorey", json!(["Elevation", "Qto_BuildingStoreyBaseQuantities.GrossFloorArea"])),
        read("IfcSpace, IfcRoof + IfcBuilding", json!(["class"])),
        read("IfcWall, Qto_WallBaseQuantities.Length=6", json!(["bbox"])),
        json!({"selector": "IfcElement", "aggregate": "count by class"}),
    ] {
        let mut answers = Vec::new();
        for desk in &desks {
            let artifact = desk.run(Effect::Query, "query_elements", query.clone()).await.unwrap();
            answers.push(without_ids(rounded(artifact.result)));
        }
        assert_eq!(answers[0], answers[1], "{query}");
    }
}

/// The value with every number to a millionth and no difference between 3 and 3.0.
fn rounded(value: Value) -> Value {
    match value {
        Value::Number(number) => json!((number.as_f64().unwrap_or_default() * 1e6).round() / 1e6),
        Value::Array(items) => items.into_iter().map(rounded).collect(),
        Value::Object(map) => map.into_iter().map(|(name, value)| (name, rounded(value))).collect(),
        other => other,
    }
}

fn without_ids(value: Value) -> Value {
    match value {
        Value::Array(items) => items.into_iter().map(without_ids).collect(),
        // overlaps and the like name elements by their ids
        Value::Object(map) if map.contains_key("say") => map["say"].clone(),
        Value::Object(map) => map
            .into_iter()
            .filter(|(name, _)| {
                // what was chosen for the caller is told by our own kernel alone
                !(["id", "regenerated", "assumed"].contains(&name.as_str()) || name.ends_with("_id"))
            })
            .map(|(name, value)| (name, without_ids(value)))
            .collect(),
        other => other,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_script_is_one_change() {
    let Some(mut desk) = desk().await else { return };
    let code = "for i in range(100):\n    adapter.create_wall([0, i * 500], [5000, i * 500], 'Ground Floor')\nlen(model.by_type('IfcWall'))";
    let made = desk.change(Effect::Modify, "run_code", json!({"code": code})).await;
    assert_eq!((&made.result["value"], made.diff_summary.unwrap().added["IfcWall"]), (&json!(100), 100));
    assert_eq!((desk.count("IfcWall").await, desk.input.deltas.len()), (100, 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_script_leaves_behind_against_the_schema_is_refused() {
    let Some(mut desk) = desk().await else { return };
    desk.change(Effect::Create, "create_wall", wall(0)).await;
    for (code, why) in [
        ("model.create_entity('IfcRelAggregates', GlobalId=ifcopenshell.guid.new())", "RelatingObject"),
        ("model.create_entity('IfcWall', GlobalId=model.by_type('IfcWall')[0].GlobalId)", "GlobalId"),
        ("model.by_type('IfcWall')[0].GlobalId = None", "GlobalId"),
        ("model.remove(model.by_type('IfcProject')[0])", "refused"),
    ] {
        let fault = desk.run(Effect::Modify, "run_code", json!({"code": code})).await.unwrap_err();
        assert_eq!(fault.code, FaultCode::ConstraintViolation, "{code}: {fault}");
        assert!(fault.message.contains(why), "{code}: {fault}");
        assert_eq!(desk.count("IfcWall").await, 1);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_script_that_does_not_end_is_stopped_at_its_deadline_and_one_that_dies_costs_its_call() {
    let Some(desk) = desk().await else { return };
    let mut endless =
        request(Effect::Modify, "run_code", vec![desk.input.clone()], json!({"code": "while True: pass"}));
    endless.limits.wall_ms = 300;
    let begun = Instant::now();
    let fault = desk.host.run(endless).await.unwrap_err();
    assert_eq!((fault.code, &fault.data["limit"]), (FaultCode::LimitReached, &json!("time")), "{fault}");
    assert!(begun.elapsed() < Duration::from_secs(20));
    // an answer of its own making goes where any answer goes: it is this call's, and it has to stand every check
    let forged = "import os, json, struct, socket\nbody = json.dumps({'ok': {'result': 1, 'changes': {'added': ['#1=IFCWALL();\\n#2=IFCWALL()'], 'changed': [], 'removed': [7]}}}).encode()\n\
                  for n in range(3, 64):\n    try:\n        os.write(n, struct.pack('>I', len(body)) + body)\n    except OSError: pass\nos._exit(0)";
    for (code, expected) in [
        ("import os; os._exit(0)", FaultCode::BackendFailed),
        ("import ctypes; ctypes.string_at(0)", FaultCode::BackendFailed),
        (forged, FaultCode::ConstraintViolation),
    ] {
        let fault = desk.run(Effect::Modify, "run_code", json!({"code": code})).await.unwrap_err();
        assert_eq!(fault.code, expected, "{fault}");
    }
    assert_eq!(desk.count("IfcWall").await, 0);
}
