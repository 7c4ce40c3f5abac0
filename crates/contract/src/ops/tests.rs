use super::*;
use serde_json::json;
use std::collections::BTreeMap;

/// Parameters and answer come back from JSON as they went in.
fn round_trip<O>(operation: &O, answer: &O::Answer)
where
    O: PlatformOperation + PartialEq + std::fmt::Debug,
    O::Answer: Clone + PartialEq + std::fmt::Debug,
{
    let asked = operation.operation();
    assert_eq!((asked.name.as_str(), asked.effect), (O::NAME, O::EFFECT));
    assert_eq!(&O::from_operation(&asked).unwrap(), operation);
    let outcome = O::outcome(answer.clone()).unwrap();
    let artifact = Artifact {
        result: outcome.result,
        diff_raw: outcome.diff_raw,
        diff_summary: outcome.diff_summary,
        ..artifact()
    };
    assert_eq!(&O::read(&artifact).unwrap(), answer);
    let info = O::info();
    assert_eq!((info.name.as_str(), info.effect, info.schema_sha256.len()), (O::NAME, O::EFFECT, 64));
}

fn artifact() -> Artifact {
    let manifest = json!({
        "operation_id": "o", "tool": "t", "adapter": "a", "adapter_version": "1", "inputs": [], "params_sha256": "",
        "started_ms": 0, "duration_us": 0, "actor": {"principal": "ada"},
    });
    serde_json::from_value(json!({ "manifest": manifest })).unwrap()
}

#[test]
fn every_operation_and_its_answer_survive_the_way() {
    let written = WrittenFile { size: 7 };
    round_trip(&Materialise { format: Some(FileFormat::EpJson), time_ms: Some(3) }, &written);
    round_trip(&Unpack {}, &written);
    round_trip(&Tile { key: "a-1".into() }, &written);
    round_trip(&Restore {}, &());
    let export = Export { format: "glb".into(), selector: Some("IfcWall".into()), ..Export::default() };
    let part = ExportPart { name: "Ground Floor".into(), products: 4 };
    round_trip(
        &export,
        &ExportAnswer { schema_version: "IFC4".into(), parts: vec![part], ..ExportAnswer::default() },
    );
    let summary = crate::DiffSummary { instances: 2, ..crate::DiffSummary::default() };
    let raw = Some(crate::DiffRaw::default());
    round_trip(&Diff { detail: DiffDetail::Summary, named: Some(3) }, &DiffAnswer { raw, summary });
    let root = OutlineNode { id: "2O2".into(), class: "IfcProject".into(), ..OutlineNode::default() };
    let tree = vec![OutlineNode { children: vec![root.clone()], ..root }];
    round_trip(&Outline {}, &OutlineAnswer { tree });
    let tileset = json!({ "asset": { "version": "1.1" } });
    round_trip(&Tileset {}, &TilesetAnswer(tileset.as_object().unwrap().clone()));
    let overlay = Overlay {
        elements: vec!["IfcDoor".into()],
        rooms: Some(RoomColours::Depth),
        level_id: Some("Ground".into()),
        path: vec![[0.0, 1.0, 2.0]],
    };
    let entry = LegendEntry { colour: "#ffffcc".into(), says: "below 5 m²".into(), rooms: 2 };
    let answer = OverlayAnswer { storey: Some("Ground".into()), elements: 1, legend: vec![entry] };
    round_trip(&overlay, &answer);
    let note = ConvertNote {
        class: "IfcWall".into(),
        outcome: "dropped".into(),
        reason: "it is not there".into(),
        count: 1,
        examples: vec![ConvertExample { id: 3, global_id: None }],
    };
    let made = BTreeMap::from([("IfcOwnerHistory".to_owned(), 1)]);
    let answer = ConvertAnswer {
        from: "IFC4".into(),
        to: "IFC2X3".into(),
        counts: ConvertCounts { dropped: 1, ..ConvertCounts::default() },
        notes: vec![note],
        more_notes: 0,
        made,
    };
    round_trip(&Convert::to("IFC2X3"), &answer);
    let answer = InspectAnswer {
        schema: "IFC4".into(),
        instances: 4,
        classes: 2,
        particulars: Map::from_iter([("project".to_owned(), Value::Null), ("storeys".to_owned(), 1.into())]),
        problem_count: 1,
        problems_by_code: BTreeMap::from([("Syntax".to_owned(), 1)]),
        problems: vec![FileProblem { line: 1, column: Some(2), code: "Syntax".into(), message: "no".into() }],
    };
    round_trip(&Inspect { accept_problems: true }, &answer);
}

#[test]
fn each_way_in_which_a_merge_ends_is_read_as_that() {
    let merge = Merge {
        resolve: BTreeMap::from([("*".to_owned(), Side::Ours), ("a".to_owned(), Side::Theirs)]),
        model_ids: vec![vec![(1, 2, 3)]],
        ..Merge::default()
    };
    let effects = Some(Effects { no_longer: vec!["a wall".into()], now_also: Vec::new() });
    round_trip(&merge, &MergeAnswer::Joined { ids: vec![(1, 2, 9)], same_effect: Some(false), effects });
    round_trip(&merge, &MergeAnswer::Unknown { unknown_conflicts: vec!["a".into()] });
    let kept = ConflictSide::Kept {
        changed: Changes::Named(vec!["renamed".into()]),
        needed_by: vec![NeededBy::Label("Zone Attic".into()), NeededBy::Subject(ConflictSubject::default())],
    };
    let (base, ours, theirs) = (Value::Null, json!(1.5), json!("x"));
    let by = Displacement { moved_by_mm: [1.0, 0.0, -2.5] };
    let kinds = [
        // a value that is not there is no member that is not there
        ConflictKind::Property { property: "Set.Name".into(), base, ours, theirs },
        ConflictKind::Removed { ours: ConflictSide::Removed { removed: true }, theirs: kept },
        ConflictKind::Moved { ours: by, theirs: by },
        ConflictKind::TooFew { attribute: "RelatedObjects".into(), least: 1 },
        ConflictKind::SameGlobalId,
    ];
    let conflicts = kinds.map(|kind| MergeConflict {
        key: "k".into(),
        message: "both changed it".into(),
        about: ConflictSubject { class: "IfcWall".into(), ..ConflictSubject::default() },
        kind,
        choose: Choices::default(),
    });
    let answer = MergeAnswer::Conflicts { conflicts: conflicts.to_vec(), count: 7, more: Some(2) };
    round_trip(&merge, &answer);
    let json = Merge::outcome(answer).unwrap().result;
    assert_eq!(json["conflicts"][0]["kind"], "property");
    assert!(json["conflicts"][0].get("base").is_some_and(Value::is_null), "{json}");
}

#[test]
fn a_decision_for_a_conflict_that_was_not_met_is_known_as_such() {
    let merge = Merge {
        resolve: BTreeMap::from(["*", "met", "other"].map(|key| (key.to_owned(), Side::Ours))),
        ..Merge::default()
    };
    assert_eq!(merge.unknown(|key| key == "met"), ["other"]);
    assert_eq!((merge.named("met"), merge.others()), (Some(Side::Ours), Some(Side::Ours)));
}

#[test]
fn parameters_that_cannot_be_used_are_named_by_their_path() {
    let read = |params: Value| {
        Merge::from_operation(&Operation { effect: Effect::Modify, name: "merge".into(), params })
    };
    assert_eq!(read(Value::Null).unwrap(), Merge::default());
    let fault = read(json!({ "resolve": { "a": "mine" } })).unwrap_err();
    assert_eq!((fault.code, &fault.data["field"]), (FaultCode::InvalidParams, &json!("resolve.a")));
    assert!(fault.message.contains("ours"), "{fault}");
    assert!(read(json!({ "no_such": 1 })).is_err());
}

#[test]
fn an_answer_of_another_form_is_a_fault_of_the_back_end() {
    let fault = Merge::answer(&json!({ "done": true })).unwrap_err();
    assert_eq!((fault.code, &fault.data["operation"]), (FaultCode::BackendFailed, &json!("merge")));
}

#[test]
fn the_hash_is_that_of_the_schemas_of_parameters_and_answer() {
    let hashes = [
        Materialise::info(),
        Unpack::info(),
        Convert::info(),
        Export::info(),
        Diff::info(),
        Restore::info(),
        Merge::info(),
        Inspect::info(),
        Outline::info(),
        Tileset::info(),
        Overlay::info(),
    ]
    .map(|info| info.schema_sha256);
    let distinct: std::collections::BTreeSet<_> = hashes.iter().collect();
    assert_eq!(distinct.len(), hashes.len(), "{hashes:?}");
    assert_eq!(Merge::info(), Merge::info());
    assert!(schema_of::<Convert>().to_string().contains("IFC2X3"));
}

#[test]
fn a_key_names_version_parameters_and_program() {
    let version = crate::VersionId::from("v1");
    let keys =
        [Convert::to("IFC4"), Convert::to("IFC2X3")].map(|convert| convert.operation().key_on(&version));
    assert!(keys[0].contains("v1") && keys[0].contains(env!("CARGO_PKG_VERSION")), "{}", keys[0]);
    assert_ne!(keys[0], keys[1]);
    assert_ne!(keys[0], Convert::to("IFC4").operation().key_on(&crate::VersionId::from("v2")));
}

#[test]
fn a_format_is_known_by_the_ending_of_a_name_in_any_case() {
    assert_eq!(FileFormat::from_extension("EPJSON"), Some(FileFormat::EpJson));
    assert_eq!(FileFormat::from_extension("txt"), None);
    for format in FileFormat::ALL {
        assert_eq!(FileFormat::from_extension(format.extension()), Some(format));
    }
}
