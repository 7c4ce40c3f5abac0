//! The suite on a building: its query finds walls, its change makes one, and what further operations do is counted by selectors.

use super::{Choice, Kernel};
use anyhow::{Context, Result};
use contract::{Artifact, Effect, Operation};
use exec::conformance::{Judge, Meaning};
use serde_json::{Value, json};
use std::sync::Arc;

/// The operations to work with on this file.
pub(super) fn choose(kernel: &Arc<Kernel>) -> Result<Choice> {
    let storey = kernel.rows("IfcBuildingStorey")?.first().cloned();
    let wall = kernel.rows("IfcWall")?.first().cloned();
    Ok(Choice {
        query: ("query_elements", Some(json!({"selector": "IfcWall"}))),
        change: ("create_wall", storey.as_deref().map(new_wall)),
        meanings: meanings(kernel, storey.as_deref(), wall.as_deref())?,
    })
}

fn new_wall(storey: &str) -> Value {
    json!({"start": [0, 90_000], "end": [4000, 90_000], "level_id": storey, "name": "Conformance wall"})
}

/// Operations on the building of the file, each with the judge of what it did.
fn meanings(kernel: &Arc<Kernel>, storey: Option<&str>, wall: Option<&str>) -> Result<Vec<Meaning>> {
    let mut meanings = Vec::new();
    let mut add = |check: &str, effect: Effect, name: &str, params: Value, judge: Judge| {
        let operation = Operation { effect, name: name.into(), params };
        meanings.push(Meaning { check: check.into(), operation, judge });
    };
    let more = |selector: &'static str, by: i64| -> Result<Judge> {
        let (kernel, before) = (Arc::clone(kernel), kernel.count(selector)?);
        Ok(Box::new(move |_: &Artifact, delta: &[u8]| {
            let after = kernel.after(delta)?.count(selector).map_err(|error| error.to_string())?;
            if after == before + by {
                Ok(())
            } else {
                Err(format!("{before} {selector} before, {after} after"))
            }
        }))
    };
    let level = json!({"name": "Conformance storey", "elevation": 60_000});
    add(
        "create_level makes one storey",
        Effect::Create,
        "create_level",
        level,
        more("IfcBuildingStorey", 1)?,
    );
    if let Some(storey) = storey {
        let square = json!([[0, 90_000], [5000, 90_000], [5000, 95_000], [0, 95_000]]);
        let on = |more: Value| {
            let mut params = json!({"boundary_points": square, "level_id": storey});
            if let (Some(params), Some(more)) = (params.as_object_mut(), more.as_object()) {
                params.extend(more.clone());
            }
            params
        };
        add(
            "create_wall makes one wall",
            Effect::Create,
            "create_wall",
            new_wall(storey),
            more("IfcWall", 1)?,
        );
        let kernel_of_wall = Arc::clone(kernel);
        let long: Judge = Box::new(move |artifact, delta| {
            let id = artifact.result["wall_id"].as_str().ok_or("the answer has no wall_id")?;
            let made = kernel_of_wall.after(delta)?;
            let found =
                made.ask("get_element", json!({"element_id": id})).map_err(|error| error.to_string())?;
            let length = found["geometry"]["parameters"]["length"].as_f64();
            let height = found["geometry"]["parameters"]["height"].as_f64();
            if length.is_some_and(|length| (length - 4000.0).abs() < 1.0)
                && height.is_some_and(|height| height > 0.0)
            {
                return Ok(());
            }
            Err(format!("a wall of 4000 mm was asked for; its geometry is {}", found["geometry"]))
        });
        add("the wall is as long as was asked for", Effect::Create, "create_wall", new_wall(storey), long);
        add(
            "create_floor makes one slab",
            Effect::Create,
            "create_floor",
            on(json!({})),
            more("IfcSlab", 1)?,
        );
        let named = on(json!({"name": "Conformance space"}));
        add("create_space makes one space", Effect::Create, "create_space", named, more("IfcSpace", 1)?);
        add("create_roof makes one roof", Effect::Create, "create_roof", on(json!({})), more("IfcRoof", 1)?);
        let params =
            json!({"element_ids": [storey], "pset": "Pset_Conformance", "properties": {"Checked": "yes"}});
        // asked of what was made alone: before, no set has this name, and a selector that names it is refused
        let kernel_of_storey = Arc::clone(kernel);
        let found: Judge = Box::new(move |_, delta| {
            let made = kernel_of_storey.after(delta)?;
            let selector = "IfcBuildingStorey, Pset_Conformance.Checked=\"yes\"";
            match made.count(selector).map_err(|error| error.to_string())? {
                1 => Ok(()),
                count => Err(format!("one storey was to have the property; {count} have it")),
            }
        });
        add(
            "set_properties writes a property that is found",
            Effect::Modify,
            "set_properties",
            params,
            found,
        );
    }
    if let Some(wall) = wall {
        let params = json!({"element_ids": [wall]});
        add(
            "delete_elements removes one wall",
            Effect::Modify,
            "delete_elements",
            params,
            more("IfcWall", -1)?,
        );
    }
    Ok(meanings)
}

impl Kernel {
    /// The number of elements that a selector finds.
    fn count(&self, selector: &str) -> Result<i64> {
        let found = self.ask("query_elements", json!({"selector": selector}))?;
        found["total"].as_i64().context("query_elements answers no total")
    }

    /// The ids of the first that a selector finds.
    fn rows(&self, selector: &str) -> Result<Vec<String>> {
        let found = self.ask("query_elements", json!({"selector": selector}))?;
        let rows = found["rows"].as_array().into_iter().flatten();
        Ok(rows.filter_map(|row| row["id"].as_str().map(str::to_owned)).collect())
    }
}
