//! The adapter in its host, most of it in a worker process behind a pool, as it runs for a gateway. The tools are small
//! ones made here, so that nothing but the adapter is tested; the catalogue's are run in `catalogue`.

mod bad_input;
mod batches;
mod catalogue;
mod differences;
mod merging;
mod reach;
mod scripts;
mod space_boundaries;
mod views;
mod workers;

use crate::NativeAdapter;
use contract::{
    Actor, Adapter, Artifact, Effect, Fault, Limits, ModelId, ModelInput, ModelKind, Operation, OperationId,
    Request, Source, VersionId,
};
use exec::{Executor, Host, HostConfig};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tools::{IfcCall, Tool};

/// Two walls on a storey, one with a property set.
pub(super) const SMALL: &str = "ISO-10303-21;
HEADER;
FILE_DESCRIPTION(('ViewDefinition [DesignTransferView]'),'2;1');
FILE_NAME('small.ifc','2026-01-01T00:00:00',(''),(''),'','','');
FILE_SCHEMA(('IFC4'));
ENDSEC;
DATA;
#1=IFCPROJECT('0YvctVUKr0kugbFTf53O9L',$,'Small',$,$,$,$,$,$);
#2=IFCBUILDING('1YvctVUKr0kugbFTf53O9L',$,'House',$,$,$,$,$,.ELEMENT.,$,$,$);
#3=IFCBUILDINGSTOREY('2YvctVUKr0kugbFTf53O9L',$,'Ground floor',$,$,$,$,$,.ELEMENT.,0.);
#4=IFCRELAGGREGATES('3YvctVUKr0kugbFTf53O9L',$,$,$,#1,(#2));
#5=IFCRELAGGREGATES('0ZvctVUKr0kugbFTf53O9L',$,$,$,#2,(#3));
#6=IFCCARTESIANPOINT((0.,0.,0.));
#7=IFCAXIS2PLACEMENT3D(#6,$,$);
#8=IFCLOCALPLACEMENT($,#7);
#9=IFCWALL('1ZvctVUKr0kugbFTf53O9L',$,'North',$,$,#8,$,$,$);
#10=IFCWALL('2ZvctVUKr0kugbFTf53O9L',$,'South',$,$,$,$,$,$);
#11=IFCRELCONTAINEDINSPATIALSTRUCTURE('3ZvctVUKr0kugbFTf53O9L',$,$,$,(#9,#10),#3);
#12=IFCPROPERTYSINGLEVALUE('FireRating',$,IFCLABEL('F30'),$);
#13=IFCPROPERTYSET('0avctVUKr0kugbFTf53O9L',$,'Pset_WallCommon',$,(#12));
#14=IFCRELDEFINESBYPROPERTIES('1avctVUKr0kugbFTf53O9L',$,$,$,(#9),#13);
ENDSEC;
END-ISO-10303-21;
";

#[derive(Deserialize, JsonSchema)]
struct Nothing {}

#[derive(Deserialize, JsonSchema)]
struct Named {
    name: String,
}

#[derive(Deserialize, JsonSchema)]
struct SetAttribute {
    element_id: String,
    attribute: String,
    value: Value,
}

#[derive(Serialize, JsonSchema)]
struct Count {
    walls: usize,
}

#[derive(Serialize, JsonSchema)]
struct Made {
    wall_id: String,
}

fn refused(error: ifc::EditError) -> Fault {
    Fault::constraint(error.to_string())
}

#[expect(clippy::unnecessary_wraps, reason = "the form of a tool's body")]
fn count(call: &mut IfcCall, _: Nothing) -> Result<Count, Fault> {
    Ok(Count { walls: call.edit.of_class("IfcWall").len() })
}

fn add(call: &mut IfcCall, input: Named) -> Result<Made, Fault> {
    let wall_id = call.guids.next();
    let attributes = [("GlobalId", wall_id.as_str().into()), ("Name", input.name.into())];
    let wall = call.edit.create("IfcWall", &attributes).map_err(refused)?;
    let contained = call.edit.of_class("IfcRelContainedInSpatialStructure");
    call.edit.add_to(contained[0], "RelatedElements", wall).map_err(refused)?;
    Ok(Made { wall_id })
}

fn set(call: &mut IfcCall, input: SetAttribute) -> Result<Made, Fault> {
    let element = call.edit.by_guid(&input.element_id).ok_or_else(|| Fault::no_element(&input.element_id))?;
    let value = input.value.as_str().map_or(ifc::Value::Null, ifc::Value::from);
    call.edit.set(element, &input.attribute, value).map_err(refused)?;
    Ok(Made { wall_id: input.element_id })
}

fn crash(_: &mut IfcCall, _: Nothing) -> Result<Made, Fault> {
    std::process::abort()
}

fn wait(_: &mut IfcCall, _: Nothing) -> Result<Made, Fault> {
    std::thread::sleep(std::time::Duration::from_secs(60));
    Err(Fault::backend("nobody waits so long"))
}

/// The adapter with the tools above and those that ship.
pub(super) fn adapter() -> NativeAdapter {
    let own = [
        Tool::ifc("count_walls", Effect::Query, count),
        Tool::ifc("add_wall", Effect::Create, add).event(contract::EventType::WallCreated),
        Tool::ifc("set_attribute", Effect::Modify, set),
        Tool::ifc("crash", Effect::Modify, crash),
        Tool::ifc("wait", Effect::Query, wait),
    ];
    NativeAdapter::new(own.into_iter().chain(tools::catalogue()).collect())
}

pub(super) fn host() -> Arc<Host> {
    Host::new(vec![Arc::new(adapter()) as Arc<dyn Adapter>], HostConfig::default())
}

/// A folder with a file of this text.
pub(super) fn file(text: impl AsRef<[u8]>) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.ifc");
    std::fs::write(&path, text).unwrap();
    (folder, path)
}

/// A file as a model, at a version of its own.
pub(super) fn model(path: &Path) -> ModelInput {
    let version = VersionId::from(contract::sha256_hex(path.display().to_string().as_bytes()));
    ModelInput {
        role: "model".into(),
        id: ModelId::from("m"),
        version: version.clone(),
        kind: ModelKind::Ifc,
        base: Some(Source::Path(path.display().to_string())),
        base_version: Some(version),
        deltas: Vec::new(),
    }
}

/// The model after a change.
pub(super) fn after(input: &ModelInput, artifact: &Artifact) -> ModelInput {
    let bytes = artifact.changes[0].delta.as_ref().and_then(Source::inline_bytes).unwrap();
    let mut next = input.clone();
    next.version = VersionId::of_delta(&input.version, &bytes);
    next.deltas.push(Source::inline(&bytes));
    next
}

pub(super) fn request(effect: Effect, name: &str, models: Vec<ModelInput>, params: Value) -> Request {
    Request {
        operation_id: OperationId::new(),
        operation: Operation { effect, name: name.into(), params },
        backend: None,
        strict: false,
        models,
        files: Vec::new(),
        limits: Limits::default(),
        deadline_ms: 0,
        time_ms: 1_700_000_000_000,
        actor: Actor { principal: "tester".into(), client: None },
        reasoning: None,
        scratch: None,
    }
}

pub(super) async fn run(
    executor: &dyn Executor,
    effect: Effect,
    name: &str,
    input: &ModelInput,
    params: Value,
) -> Result<Artifact, Fault> {
    executor.run(request(effect, name, vec![input.clone()], params)).await
}

#[tokio::test]
async fn the_adapter_conforms() {
    let (folder, path) = file(SMALL);
    let unreadable = folder.path().join("notes.ifc");
    std::fs::write(&unreadable, "Dear colleague, attached is the model.").unwrap();
    let subject = exec::conformance::Subject {
        kind: ModelKind::Ifc,
        file: path,
        unreadable,
        query: Operation { effect: Effect::Query, name: "count_walls".into(), params: json!({}) },
        change: Operation {
            effect: Effect::Create,
            name: "add_wall".into(),
            params: json!({"name": "East"}),
        },
        elsewhere: false,
        meanings: Vec::new(),
    };
    for finding in exec::conformance::check(&host(), &subject).await {
        assert_eq!(finding.problem, None, "{}", finding.check);
    }
}

#[tokio::test]
async fn a_materialised_version_keeps_every_untouched_line() {
    let (folder, path) = file(SMALL);
    let host = host();
    let input = model(&path);
    let change = run(&host, Effect::Create, "add_wall", &input, json!({"name": "East"})).await.unwrap();
    assert_eq!(change.event_type.as_deref(), Some("WallCreated"));
    let next = after(&input, &change);
    let mut request = request(Effect::Query, "materialise", vec![next], Value::Null);
    request.scratch = Some(folder.path().display().to_string());
    let artifact = host.run(request).await.unwrap();
    let Source::Path(written) = &artifact.files[0].source else { panic!("a path") };
    let text = std::fs::read_to_string(written).unwrap();
    assert_eq!(contract::sha256_hex(text.as_bytes()), artifact.files[0].sha256);
    let lost: Vec<&str> = SMALL.lines().filter(|line| !text.lines().any(|other| other == *line)).collect();
    let line = |at: usize| SMALL.lines().nth(at).unwrap();
    assert_eq!(lost, [line(3), line(17)], "only the header's time and the containment were changed:\n{text}");
    assert!(text.contains("'East'"));
}

#[tokio::test]
async fn a_version_packed_and_unpacked_is_the_version() {
    let (folder, path) = file(SMALL);
    let host = host();
    let scratch = Some(folder.path().display().to_string());
    let packed = Request {
        scratch: scratch.clone(),
        ..request(Effect::Query, "materialise", vec![model(&path)], json!({"format": "ifczip"}))
    };
    let packed = host.run(packed).await.unwrap().files.remove(0);
    let archive = contract::FileInput {
        role: "archive".into(),
        source: packed.source.clone(),
        sha256: packed.sha256,
        media_type: packed.media_type,
    };
    let unpack = Request { files: vec![archive], ..request(Effect::Query, "unpack", Vec::new(), json!({})) };
    let file = host.run(Request { scratch, ..unpack.clone() }).await.unwrap().files.remove(0);
    let Source::Path(written) = &file.source else { panic!("a path") };
    assert_eq!(std::fs::read_to_string(written).unwrap(), SMALL);
    assert_eq!(file.sha256, contract::sha256_hex(SMALL.as_bytes()));
    // the archive damaged, and no archive at all
    let Source::Path(archive) = &packed.source else { panic!("a path") };
    std::fs::write(archive, b"PK\x03\x04 and nothing").unwrap();
    let fault = host.run(unpack).await.unwrap_err();
    assert_eq!(fault.code, contract::FaultCode::UnreadableFile, "{fault}");
    let nothing = request(Effect::Query, "unpack", Vec::new(), json!({}));
    assert!(host.run(nothing).await.is_err());
}

#[tokio::test]
async fn a_version_is_written_in_another_schema_with_a_report() {
    let (_folder, path) = file(SMALL);
    let input = model(&path);
    let convert = |params: Value| request(Effect::Query, "convert", vec![input.clone()], params);
    let artifact = host().run(convert(json!({"schema_version": "IFC2X3"}))).await.unwrap();
    let bytes = artifact.files[0].source.inline_bytes().unwrap();
    let (converted, problems) = ifc::Model::from_bytes(bytes, &ifc::Limits::default()).unwrap();
    assert_eq!((converted.schema().version(), problems), (ifc::SchemaVersion::Ifc2x3, vec![]));
    assert_eq!(converted.of_class("IfcWall").len(), SMALL.matches("=IFCWALL(").count());
    let counts = &artifact.result["counts"];
    assert_eq!(counts["dropped"], 0, "{}", artifact.result);
    assert_eq!(artifact.result["made"]["IfcOwnerHistory"], 1, "{}", artifact.result);
    let fault = host().run(convert(json!({"schema_version": "IFC5"}))).await.unwrap_err();
    assert_eq!(fault.data["field"], "schema_version", "{fault}");
}

#[tokio::test]
async fn restoring_a_version_undoes_what_came_after_it() {
    let (_folder, path) = file(SMALL);
    let host = host();
    let first = model(&path);
    let change = run(&host, Effect::Create, "add_wall", &first, json!({"name": "East"})).await.unwrap();
    let second = after(&first, &change);
    let target = ModelInput { role: "target".into(), ..first.clone() };
    let restore = request(Effect::Modify, "restore", vec![second.clone(), target.clone()], Value::Null);
    let restored = host.run(restore).await.unwrap();
    assert_eq!(restored.diff_summary.as_ref().unwrap().removed["IfcWall"], 1);
    let third = after(&second, &restored);
    assert_eq!(
        run(&host, Effect::Query, "count_walls", &third, Value::Null).await.unwrap().result["walls"],
        2
    );
    let base = ModelInput { role: "base".into(), ..third.clone() };
    let diff =
        host.run(request(Effect::Query, "diff", vec![base, target.clone()], Value::Null)).await.unwrap();
    assert!(diff.diff_summary.unwrap().is_empty());
    let nothing = request(Effect::Modify, "restore", vec![third, target], Value::Null);
    assert_eq!(host.run(nothing).await.unwrap().changes, [], "a change that changes nothing is none");
}

#[tokio::test]
async fn inspecting_a_file_says_what_is_in_it() {
    let (_folder, path) = file(SMALL);
    let answer = run(&host(), Effect::Query, "inspect", &model(&path), Value::Null).await.unwrap().result;
    assert_eq!(answer["schema"], "IFC4");
    assert_eq!(
        (&answer["instances"], &answer["elements"], &answer["storeys"]),
        (&json!(14), &json!(2), &json!(1))
    );
    assert_eq!((&answer["project"], &answer["problem_count"]), (&json!("Small"), &json!(0)));
}

#[tokio::test]
async fn a_tileset_lists_tiles_that_can_be_had() {
    let host = host();
    let folder = tempfile::tempdir().unwrap();
    let storeys = json!([{"name": "Ground Floor", "elevation": 0}]);
    let params = json!({"name": "House", "storeys": storeys});
    let empty = catalogue::project(&host, folder.path(), params).await;
    let wall = json!({"start": [0, 0], "end": [7000, 0], "level_id": "Ground Floor"});
    let made = run(&host, Effect::Create, "create_wall", &empty, wall).await.unwrap();
    let walled = after(&empty, &made);
    let tileset = run(&host, Effect::Query, "tileset", &walled, Value::Null).await.unwrap().result;
    let uri = tileset["root"]["children"][0]["content"]["uri"].as_str().unwrap();
    let key = uri.strip_prefix("tiles/").and_then(|rest| rest.strip_suffix(".glb")).unwrap();
    let tile = run(&host, Effect::Query, "tile", &walled, json!({"key": key})).await.unwrap();
    let glb = tile.files[0].source.inline_bytes().unwrap();
    assert_eq!(&glb[..4], b"glTF");
    assert_eq!(tile.files[0].media_type, "model/gltf-binary");
    let none = run(&host, Effect::Query, "tile", &walled, json!({"key": "0"})).await.unwrap_err();
    assert_eq!(none.code, contract::FaultCode::NotFound);
}

#[tokio::test]
async fn real_models_pass_inspection() {
    let Some(models) = testing::data("models") else { return };
    let host = host();
    for entry in std::fs::read_dir(models).unwrap().flatten() {
        let path = entry.path();
        if path.extension().is_some_and(|extension| extension == "ifc") {
            let answer = run(&host, Effect::Query, "inspect", &model(&path), Value::Null).await;
            let answer = answer.unwrap_or_else(|fault| panic!("{}: {fault}", path.display()));
            println!(
                "{}: {} instances, {} problems",
                path.display(),
                answer.result["instances"],
                answer.result["problem_count"]
            );
        }
    }
}
