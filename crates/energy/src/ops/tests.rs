use super::*;
use crate::results::{RunOutcome, RunStatus, Span, ZoneNumbers};
use contract::ops::{Derivation, PlatformOperation};
use contract::{FaultCode, OperationInfo};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};

/// Parameters and answer come back from JSON as they went in.
fn round_trip<O>(operation: &O, answer: &O::Answer) -> OperationInfo
where
    O: PlatformOperation + PartialEq + std::fmt::Debug,
    O::Answer: Clone + PartialEq + std::fmt::Debug,
{
    let asked = operation.operation();
    assert_eq!((asked.name.as_str(), asked.effect), (O::NAME, O::EFFECT));
    assert_eq!(&O::from_operation(&asked).unwrap(), operation);
    let result = O::outcome(answer.clone()).unwrap().result;
    assert_eq!(&O::answer(&result).unwrap(), answer, "{result}");
    O::info()
}

fn zone() -> ZoneReport {
    ZoneReport {
        zone: "Attic".into(),
        space: "2O2".into(),
        spaces: Vec::new(),
        label: "Attic".into(),
        volume: 12.5,
        body_volume: 12.0,
        stated_volume: None,
        floor_area: 5.0,
        stated_floor_area: Some(5.0),
        closed: true,
        usage: "Storage".into(),
        conditioned: false,
    }
}

#[test]
fn every_operation_and_its_answer_survive_the_way() {
    let elements = BTreeMap::from([("Attic".to_owned(), "2O2".to_owned())]);
    let derived = DeriveAnswer {
        derivation: Derivation { name: "House".into(), elements: elements.clone() },
        counts: BuildingCounts { zones: 1, ..BuildingCounts::default() },
        areas_m2: BTreeMap::from([("Roof Outdoors".to_owned(), 9.25)]),
        weather: None,
        zones: vec![zone()],
        assumptions: Vec::new(),
        findings: vec![Finding { place: "2O2".into(), message: "open".into() }],
    };
    let written = WriteResultsAnswer {
        set: "Results".into(),
        space_count: 1,
        properties: BTreeSet::from(["Heating_W".to_owned()]),
        ..WriteResultsAnswer::default()
    };
    let numbers = BTreeMap::from([("Attic".to_owned(), BTreeMap::from([("Heating_W".to_owned(), 1.5)]))]);
    let object = ObjectName { object_type: "Zone".into(), name: "Attic".into() };
    let group = TypeGroup { count: 1, types: BTreeMap::from([("Zone".to_owned(), 1)]) };
    let infos = [
        round_trip(
            &DeriveEnergyModel {
                zoning: Zoning::Orientation,
                constructions: Constructions::Default,
                corrections: vec![Correction {
                    what: "heated".into(),
                    places: vec!["Attic".into()],
                    value: CorrectionValue::Flag(true),
                }],
            },
            &derived,
        ),
        round_trip(
            &WriteResults { spaces: elements, results: numbers.clone(), run: BTreeMap::new() },
            &written,
        ),
        round_trip(
            &Migrate { keep: true, ..Migrate::default() },
            &MigrateAnswer { steps: vec!["Transition".into()], ..MigrateAnswer::default() },
        ),
        round_trip(&ConvertOsm { allow_newer_versions: true }, &ConvertOsmAnswer::default()),
        round_trip(
            &NewEnergyModel { version: Some("25.2".into()), ..NewEnergyModel::default() },
            &NewEnergyModelAnswer { version: "25.2.0".into(), objects: 5 },
        ),
        round_trip(
            &EnergySummary {},
            &EnergySummaryAnswer {
                groups: BTreeMap::from([("Thermal Zones".to_owned(), group)]),
                ..EnergySummaryAnswer::default()
            },
        ),
        round_trip(
            &EnergyObject { object_type: "Zone".into(), name: "Attic".into() },
            &EnergyObjectAnswer { object: object.clone(), ..EnergyObjectAnswer::default() },
        ),
        round_trip(
            &EnergyReferences { name: "Attic".into() },
            &EnergyReferencesAnswer {
                references: vec![Referrer { object, field: None }],
                references_count: 1,
                ..EnergyReferencesAnswer::default()
            },
        ),
        round_trip(
            &ZoneResults { zones: vec!["Attic".into()], job_id: None },
            &ZoneNumbers { zones: numbers, environment: "annual".into() },
        ),
    ];
    let names: BTreeSet<_> = infos.iter().map(|info| info.name.as_str()).collect();
    let hashes: BTreeSet<_> = infos.iter().map(|info| info.schema_sha256.as_str()).collect();
    assert_eq!((names.len(), hashes.len()), (infos.len(), infos.len()), "{infos:?}");
}

#[test]
fn a_run_that_says_little_is_read_as_well_as_one_that_says_all() {
    let outcome = RunOutcome {
        status: RunStatus::Crashed,
        reason: "it died".into(),
        warnings: 0,
        severe: 1,
        elapsed_seconds: None,
    };
    let answer = SimulateAnswer {
        outcome,
        span: Span::Annual,
        program: "EnergyPlus 25.2.0".into(),
        messages: Vec::new(),
        messages_left_out: 0,
        end_uses: None,
        notes: Vec::new(),
    };
    round_trip(&Simulate { annual: true, seconds: Some(60), ..Simulate::default() }, &answer);
    let asked = Simulate::default().operation();
    assert_eq!(asked.params, json!({ "design_day": false, "annual": false, "readvars": false }));
}

#[test]
fn the_part_that_all_derived_models_have_is_read_out_of_the_answer_of_one() {
    let manifest = json!({
        "operation_id": "o", "tool": "energy_model", "adapter": "a", "adapter_version": "1", "inputs": [],
        "params_sha256": "", "started_ms": 0, "duration_us": 0, "actor": {"principal": "ada"},
    });
    let result = json!({ "name": "House", "elements": { "Attic": "2O2" }, "zones": [] });
    let artifact = serde_json::from_value(json!({ "manifest": manifest, "result": result })).unwrap();
    let read = Derivation::read(&artifact).unwrap();
    assert_eq!((read.name.as_str(), read.elements.len()), ("House", 1));
    let artifact = serde_json::from_value(json!({ "manifest": manifest, "result": "no" })).unwrap();
    assert_eq!(Derivation::read(&artifact).unwrap_err().code, FaultCode::BackendFailed);
}
