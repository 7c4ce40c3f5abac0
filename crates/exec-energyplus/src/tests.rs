use crate::EnergyAdapter;
use contract::{
    Actor, Adapter, Effect, FaultCode, Limits, ModelId, ModelInput, ModelKind, OpenedModel, Operation,
    OperationId, Request, Unwatched, VersionId, Watch,
};
use serde_json::{Value, json};
use std::sync::Arc;

pub(crate) fn request(name: &str, params: Value, roles: &[&str]) -> Request {
    let input =
        |role: &&str| ModelInput::named(role, ModelId::new(), VersionId::from("v"), ModelKind::EnergyPlus);
    Request {
        operation_id: OperationId::new(),
        operation: Operation { effect: Effect::Query, name: name.into(), params },
        backend: None,
        strict: false,
        models: roles.iter().map(input).collect(),
        files: Vec::new(),
        limits: Limits::default(),
        deadline_ms: 0,
        time_ms: 0,
        actor: Actor::default(),
        reasoning: None,
        scratch: None,
    }
}

fn run(name: &str, params: Value, models: &[(&str, &OpenedModel)]) -> contract::Outcome {
    let roles: Vec<&str> = models.iter().map(|(role, _)| *role).collect();
    let models: Vec<OpenedModel> = models.iter().map(|(_, model)| (*model).clone()).collect();
    let watch: Arc<dyn Watch> = Arc::new(Unwatched);
    EnergyAdapter::default().run(&request(name, params, &roles), &models, &[], &watch).unwrap()
}

pub(crate) fn run_tool(
    name: &str,
    params: Value,
    model: &OpenedModel,
) -> Result<contract::Outcome, contract::Fault> {
    let adapter = EnergyAdapter::default();
    let mut request = request(name, params, &["model"]);
    let info = adapter.info().operations.into_iter().find(|operation| operation.name == name).unwrap();
    request.operation.effect = info.effect;
    let watch: Arc<dyn Watch> = Arc::new(Unwatched);
    adapter.run(&request, std::slice::from_ref(model), &[], &watch)
}

pub(crate) fn opened(text: &str) -> OpenedModel {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), text).unwrap();
    EnergyAdapter::default().open(ModelKind::EnergyPlus, file.path()).unwrap()
}

pub(crate) fn text_of(model: &OpenedModel) -> String {
    let written = run("materialise", json!({}), &[("model", model)]);
    String::from_utf8(written.files[0].source.inline_bytes().unwrap()).unwrap()
}

pub(crate) const HOUSE: &str = "! my house\nVersion,25.2;\n\n  Zone, Attic ; ! under the roof\n";

#[test]
fn a_model_that_nobody_touched_is_written_as_it_stood() {
    assert_eq!(text_of(&opened(HOUSE)), HOUSE);
}

#[test]
fn what_leads_from_one_version_to_another_is_a_delta_that_can_be_applied_and_taken_back() {
    let (before, after) = (opened(HOUSE), opened(&HOUSE.replace("Attic", "Loft")));
    let there = run("restore", json!({}), &[("model", &before), ("target", &after)]);
    let (_, delta, changed) = &there.changes[0];
    assert!(text_of(changed).contains("Loft"));
    let applied = EnergyAdapter::default().apply(&before, delta).unwrap();
    assert_eq!(text_of(&applied), text_of(changed));
    let back = run("restore", json!({}), &[("model", &applied), ("target", &before)]);
    assert!(text_of(&back.changes[0].2).contains("Attic"));
    let nothing = run("restore", json!({}), &[("model", &before), ("target", &before)]);
    assert!(nothing.changes.is_empty());
}

#[test]
fn a_new_model_has_what_every_model_needs_in_either_format() {
    for format in ["idf", "epjson"] {
        let made = run("new_energy_model", json!({"format": format, "name": "A, b; c"}), &[]);
        let (kind, bytes) = made.new_model.unwrap();
        assert_eq!(kind, ModelKind::EnergyPlus);
        let model = opened(&String::from_utf8(bytes).unwrap());
        let seen = run("inspect", json!({}), &[("model", &model)]).result;
        assert_eq!((&seen["instances"], &seen["problem_count"]), (&json!(5), &json!(0)), "{seen}");
    }
}

#[test]
fn a_model_is_written_in_the_other_format_where_that_is_asked_for() {
    let file = run("materialise", json!({"format": "epjson"}), &[("model", &opened(HOUSE))]);
    let bytes = file.files[0].source.inline_bytes().unwrap();
    let json: Value = serde_json::from_slice(&bytes).unwrap();
    assert!(json["Zone"]["Attic"].is_object(), "{json}");
    assert!(file.files[0].name.ends_with(".epJSON"));
}

#[test]
fn a_file_that_is_no_model_is_a_fault() {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), "{\"Zone\": 3").unwrap();
    let fault = EnergyAdapter::default().open(ModelKind::EnergyPlus, file.path()).map(|_| ()).unwrap_err();
    assert_eq!(fault.code, FaultCode::UnreadableFile);
}

#[test]
fn a_new_model_is_of_the_version_that_was_asked_for() {
    for version in energy::schema::Schema::versions() {
        for format in ["idf", "epjson"] {
            let made = run("new_energy_model", json!({"format": format, "version": version}), &[]);
            assert_eq!(made.diff_summary.unwrap().added.get("Version"), None, "the version is no news");
            let model = opened(&String::from_utf8(made.new_model.unwrap().1).unwrap());
            let seen = run("inspect", json!({}), &[("model", &model)]).result;
            assert_eq!(seen["schema"], format!("EnergyPlus {version}"));
            let found = run_tool("validate_model", json!({}), &model).unwrap().result;
            assert_eq!(
                (&found["valid"], &found["group_count"]),
                (&json!(true), &json!(0)),
                "{version}: {found}"
            );
        }
    }
    let watch: Arc<dyn Watch> = Arc::new(Unwatched);
    let asked = request("new_energy_model", json!({"version": "7.2"}), &[]);
    let refused = EnergyAdapter::default().run(&asked, &[], &[], &watch).map(|_| ()).unwrap_err();
    assert!(refused.message.contains("8.9") && refused.message.contains("26.2"), "{refused:?}");
}

#[test]
fn which_schema_a_model_is_read_by_is_told() {
    for (version, schema, told) in [
        ("9.6", "9.6", "EnergyPlus 9.6"),
        ("24.3", "24.2", "EnergyPlus 24.3, read by the schema of 24.2"),
        ("soon", "25.2", "EnergyPlus soon, read by the schema of 25.2"),
    ] {
        let model = opened(&HOUSE.replace("25.2", version));
        let seen = run("inspect", json!({}), &[("model", &model)]).result;
        assert_eq!(seen["schema"], told);
        assert_eq!(seen["problem_count"], u32::from(version != "9.6"), "{seen}");
        let summary = run("energy_summary", json!({}), &[("model", &model)]).result;
        assert_eq!((&summary["version"], &summary["schema"]), (&json!(version), &json!(schema)));
    }
}

#[test]
fn models_of_two_versions_are_not_merged() {
    let [base, ours, theirs] =
        ["24.2", "24.2", "25.2"].map(|version| opened(&HOUSE.replace("25.2", version)));
    let watch: Arc<dyn Watch> = Arc::new(Unwatched);
    let asked = request("merge", json!({}), &["base", "model", "theirs"]);
    let refused =
        EnergyAdapter::default().run(&asked, &[base, ours, theirs], &[], &watch).map(|_| ()).unwrap_err();
    assert!(refused.message.contains("24.2") && refused.message.contains("migrate_model"), "{refused:?}");
}
