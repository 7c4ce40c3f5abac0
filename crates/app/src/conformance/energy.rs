//! The suite on an EnergyPlus model: its query lists zones, its change adds one, and what further operations do is read from the
//! objects that are there afterwards.

use super::{Choice, Kernel};
use anyhow::{Context, Result};
use contract::{Artifact, Effect, Operation};
use exec::conformance::{Judge, Meaning};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;

/// The zone that changes add.
const ZONE: &str = "Conformance zone";

/// True if a file is named as EnergyPlus models are.
pub(super) fn is_model(file: &Path) -> bool {
    file.extension().is_some_and(|end| end.eq_ignore_ascii_case("idf") || end.eq_ignore_ascii_case("epjson"))
}

/// The operations to work with on this file.
pub(super) fn choose(kernel: &Arc<Kernel>) -> Result<Choice> {
    Ok(Choice {
        query: ("list_objects", Some(json!({"object_type": "Zone", "limit": 1000}))),
        change: ("add_object", Some(new_zone())),
        meanings: meanings(kernel)?,
    })
}

fn new_zone() -> Value {
    json!({"object_type": "Zone", "name": ZONE, "fields": {"multiplier": 2}})
}

/// Operations on the objects of the file, each with the judge of what it did.
fn meanings(kernel: &Arc<Kernel>) -> Result<Vec<Meaning>> {
    let mut meanings = Vec::new();
    let mut add = |check: &str, effect: Effect, name: &str, params: Value, judge: Judge| {
        let operation = Operation { effect, name: name.into(), params };
        meanings.push(Meaning { check: check.into(), operation, judge });
    };
    let before = kernel.zones()?;
    let zones_after = |kernel: &Kernel, delta: &[u8]| -> Result<Vec<Value>, String> {
        kernel.after(delta)?.zones().map_err(|error| error.to_string())
    };
    let (judged, count) = (Arc::clone(kernel), before.len());
    let one_more: Judge = Box::new(move |_: &Artifact, delta| match zones_after(&judged, delta)?.len() {
        after if after == count + 1 => Ok(()),
        after => Err(format!("{count} zones before, {after} after")),
    });
    add("add_object adds one zone", Effect::Modify, "add_object", new_zone(), one_more);
    let judged = Arc::clone(kernel);
    let has_fields: Judge = Box::new(move |_, delta| {
        let after = zones_after(&judged, delta)?;
        let found = after.iter().find(|zone| zone["name"] == ZONE).ok_or("the zone is not there")?;
        if found["fields"]["multiplier"].as_f64().is_some_and(|value| (value - 2.0).abs() < 1e-9) {
            return Ok(());
        }
        Err(format!("a multiplier of 2 was asked for; the zone is {found}"))
    });
    add("the zone has the fields that were asked for", Effect::Modify, "add_object", new_zone(), has_fields);
    if let Some(old) = before.first().and_then(|zone| zone["name"].as_str()).map(str::to_owned) {
        let params = json!({"object_type": "Zone", "old_name": old, "new_name": ZONE});
        let judged = Arc::clone(kernel);
        let is_renamed: Judge = Box::new(move |_, delta| {
            let after = zones_after(&judged, delta)?;
            let has = |name: &str| after.iter().any(|zone| zone["name"] == name);
            if has(ZONE) && !has(&old) { Ok(()) } else { Err(format!("zone {old} is not called {ZONE} now")) }
        });
        add("rename_object gives a zone another name", Effect::Modify, "rename_object", params, is_renamed);
    }
    Ok(meanings)
}

impl Kernel {
    /// The zones of the model, as many as one answer holds.
    fn zones(&self) -> Result<Vec<Value>> {
        let all = json!({"object_type": "Zone", "limit": 1000, "include_all_fields": true});
        let found = self.ask("list_objects", all)?;
        found["objects"].as_array().cloned().context("list_objects answers no objects")
    }
}
