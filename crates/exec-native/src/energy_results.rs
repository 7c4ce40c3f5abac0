//! What a simulation found of zones, written to the spaces that those were made of: one property set in each, of one run alone.

use crate::operations::Resolve;
use crate::run::{Call, committed};
use contract::ops::PlatformOperation;
use contract::{Fault, FaultCode, Outcome};
use energy::ops::{WriteResults, WriteResultsAnswer};
use ifc::Value as Ifc;
use ifc::psets::{self, Change};
use std::collections::{BTreeMap, BTreeSet};
use thermal::RESULTS_SET;
use tools::IfcCall;

impl Resolve for WriteResults {
    fn resolve(self, call: &Call<'_>) -> Result<Outcome, Fault> {
        let before = call.model("model")?;
        let request = call.request;
        let (id, actor) = (request.operation_id.as_str(), request.actor.clone());
        let mut edited = IfcCall::new(&before.model, id, request.time_ms, actor);
        let outcome = Self::outcome(write(&mut edited, &self)?)?;
        Ok(Outcome {
            result: outcome.result,
            ..committed(before, edited.edit, serde_json::Value::Null, None)
        })
    }
}

/// Writes the set of each space: the numbers of this run and where they are from, and nothing of runs before.
fn write(call: &mut IfcCall, params: &WriteResults) -> Result<WriteResultsAnswer, Fault> {
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
    let (mut gone, mut written, mut properties) = (Vec::new(), 0, BTreeSet::new());
    for (space, mut changes) in by_space {
        let id = call.edit.by_guid(space).filter(|id| call.edit.get(*id).is_some_and(|i| i.is_a("IfcSpace")));
        let Some(id) = id else {
            gone.push(space.to_owned());
            continue;
        };
        properties.extend(changes.iter().map(|change| change.name.clone()));
        let texts = params.run.iter().map(|(name, text)| {
            let value = Some(Ifc::typed("IfcText", Ifc::Text(text.clone())));
            Change { name: name.clone(), value }
        });
        changes.extend(texts);
        // what an earlier run said and this one does not would be taken for this one's
        let before = psets::of_element(call.edit.model(), id);
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
    Ok(WriteResultsAnswer {
        set: RESULTS_SET.to_owned(),
        space_count: written,
        properties,
        zones_without_space,
        spaces_gone: gone,
    })
}
