//! What a simulation found of zones, written to the spaces that those were made of: one property set in each, of one run alone.

use contract::{Fault, FaultCode};
use ifc::Value as Ifc;
use ifc::psets::{self, Change};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use thermal::RESULTS_SET;
use tools::IfcCall;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Params {
    /// GlobalIds of spaces by the names of their zones.
    spaces: BTreeMap<String, String>,
    /// Numbers by zone and property.
    results: BTreeMap<String, BTreeMap<String, f64>>,
    /// Where those are from: texts by property.
    run: BTreeMap<String, String>,
}

/// `energy_results`: the set of each space has the numbers of this run and where they are from, and nothing of runs before.
pub(crate) fn write(call: &mut IfcCall, params: &Params) -> Result<Value, Fault> {
    let (rows, zones_without_space) = thermal::rows(&params.spaces, &params.results);
    if rows.is_empty() {
        return Err(Fault::new(
            FaultCode::NoSimulationResults,
            "The run says nothing of the zones that were made of this building's spaces. Have it write sizing or series of zones (as a model \
             of ifc_to_energy_model does), and run it again.",
        )
        .with("zones", params.spaces.len()));
    }
    let mut by_space: BTreeMap<&str, Vec<Change>> = BTreeMap::new();
    for row in &rows {
        let value = Some(Ifc::typed("IfcReal", Ifc::Real(row.value)));
        by_space.entry(&row.space).or_default().push(Change { name: row.property.clone(), value });
    }
    let (mut gone, mut written, mut properties) = (Vec::new(), 0_usize, BTreeSet::new());
    for (space, mut changes) in by_space {
        let id = call.edit.by_guid(space).filter(|id| call.edit.get(*id).is_some_and(|i| i.is_a("IfcSpace")));
        let Some(id) = id else {
            gone.push(space);
            continue;
        };
        properties.extend(changes.iter().map(|change| change.name.clone()));
        let texts = params.run.iter().map(|(name, text)| {
            let value = Some(Ifc::typed("IfcText", Ifc::Text(text.clone())));
            Change { name: name.clone(), value }
        });
        changes.extend(texts);
        // what an earlier run said and this one does not would be taken for this one's
        let before = psets::of(call.edit.model(), id);
        let own = before.iter().filter(|set| set.name == RESULTS_SET && !set.inherited);
        let old =
            own.flat_map(|set| &set.properties).filter(|old| changes.iter().all(|new| new.name != old.name));
        let old: Vec<Change> = old.map(|old| Change { name: old.name.clone(), value: None }).collect();
        changes.extend(old);
        psets::set(&mut call.edit, &[id], RESULTS_SET, &changes, &mut call.guids).map_err(|error| {
            Fault::constraint(format!("The results of {space} cannot be written: {error}."))
                .with("element_id", space)
        })?;
        written += 1;
    }
    if written == 0 {
        return Err(Fault::new(
            FaultCode::ElementNotFound,
            format!(
                "None of the {} spaces that the energy model was made of is in the building any more. Make it anew with \
                 ifc_to_energy_model.",
                gone.len()
            ),
        )
        .with("spaces_gone", gone));
    }
    Ok(json!({
        "set": RESULTS_SET, "space_count": written, "properties": properties, "zones_without_space": zones_without_space,
        "spaces_gone": gone,
    }))
}
