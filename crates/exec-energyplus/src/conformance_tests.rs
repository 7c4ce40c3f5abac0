//! The adapter held against the suite that every adapter passes, on a model in each of the two formats.

use crate::EnergyAdapter;
use crate::tests::{HOUSE, run_tool, text_of};
use contract::{Adapter, Delta, Effect, ModelKind, Operation};
use exec::conformance::{Judge, Meaning, Subject, check};
use exec::{Host, HostConfig};
use serde_json::{Value, json};
use std::sync::Arc;

/// [`HOUSE`] as epJSON.
const EPJSON: &str = r#"{"Version": {"Version 1": {"version_identifier": "25.2"}}, "Zone": {"Attic": {}}}"#;

fn operation(effect: Effect, name: &str, params: Value) -> Operation {
    Operation { effect, name: name.into(), params }
}

/// A change of the zone, whose outcome is the names of the zones afterwards.
fn meaning(
    check: &str,
    name: &str,
    params: Value,
    file: &std::path::Path,
    zones: &'static [&str],
) -> Meaning {
    let file = file.to_owned();
    let judge: Judge = Box::new(move |_, delta| {
        let adapter = EnergyAdapter::default();
        let model = adapter.open(ModelKind::EnergyPlus, &file).map_err(|fault| fault.to_string())?;
        let delta = Delta::decode(delta).map_err(|error| error.to_string())?;
        let after = adapter.apply(&model, &delta).map_err(|fault| fault.to_string())?;
        let listed = run_tool("list_objects", json!({"object_type": "Zone"}), &after);
        let listed = listed.map_err(|fault| fault.to_string())?.result;
        let names: Vec<&str> = listed["objects"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|zone| zone["name"].as_str())
            .collect();
        if names == zones {
            Ok(())
        } else {
            Err(format!("{names:?} instead of {zones:?} in\n{}", text_of(&after)))
        }
    });
    Meaning { check: check.into(), operation: operation(Effect::Modify, name, params), judge }
}

#[tokio::test]
async fn the_adapter_conforms_on_models_in_either_format() {
    let folder = tempfile::tempdir().unwrap();
    // whatever the name, a file that begins as JSON does is read as such; text in IDF is read past what is wrong with it
    let unreadable = folder.path().join("broken.idf");
    std::fs::write(&unreadable, "{\"Zone\": 3").unwrap();
    for (name, text) in [("house.idf", HOUSE), ("house.epJSON", EPJSON)] {
        let file = folder.path().join(name);
        std::fs::write(&file, text).unwrap();
        let loft = json!({"object_type": "Zone", "name": "Loft"});
        let renamed = json!({"object_type": "Zone", "old_name": "Attic", "new_name": "Loft"});
        let removed = json!({"object_type": "Zone", "name": "Attic"});
        let subject = Subject {
            kind: ModelKind::EnergyPlus,
            query: operation(Effect::Query, "list_objects", json!({"object_type": "Zone"})),
            change: operation(Effect::Modify, "add_object", loft.clone()),
            elsewhere: false,
            meanings: vec![
                meaning("add_object adds a zone", "add_object", loft, &file, &["Attic", "Loft"]),
                meaning("rename_object renames it", "rename_object", renamed, &file, &["Loft"]),
                meaning("remove_object removes it", "remove_object", removed, &file, &[]),
            ],
            file,
            unreadable: unreadable.clone(),
        };
        let host = Host::new(vec![Arc::new(EnergyAdapter::default())], HostConfig::default());
        for finding in check(&host, &subject).await {
            assert_eq!((&finding.problem, &finding.skipped), (&None, &None), "{name}: {}", finding.check);
        }
    }
}
