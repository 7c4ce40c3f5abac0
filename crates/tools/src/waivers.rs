//! Waivers: findings that somebody accepted, with the reason. They are properties of the project, so that they are versions of the
//! model like every other change: who, when and why, on branches, and in the file that goes to others.

use contract::Fault;
use ifc::guid::GuidSource;
use ifc::psets::{self, Change};
use ifc::{Edit, Id, Model, Value};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

/// The property set of the project that holds them.
const SET: &str = "Findings_Waived";
/// The mark between time, author and reason.
const MARK: &str = " | ";
/// Waivers of one answer at most.
const TOLD: usize = 20;

/// A waiver.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) struct Waiver {
    pub reason: String,
    pub by: String,
    /// When.
    pub time: String,
}

/// A finding that was waived.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Waived {
    pub id: String,
    #[serde(flatten)]
    pub waiver: Waiver,
}

/// The waivers of a model, by the ids of findings.
pub(crate) fn read(model: &Model) -> BTreeMap<String, Waiver> {
    let Some(project) = project(model) else { return BTreeMap::new() };
    let sets = psets::of_element(model, project).into_iter().filter(|set| set.name == SET);
    let properties = sets.flat_map(|set| set.properties);
    let read = |property: psets::Property| {
        let text = property.value.as_text()?;
        let mut parts = text.splitn(3, MARK).map(str::to_owned);
        let (time, by, reason) = (parts.next()?, parts.next()?, parts.next()?);
        Some((property.name, Waiver { reason, by, time }))
    };
    properties.filter_map(read).collect()
}

/// Writes waivers, or with none takes them back.
pub(crate) fn write(
    edit: &mut Edit,
    guids: &mut GuidSource,
    ids: &[String],
    waiver: Option<&Waiver>,
) -> Result<(), Fault> {
    let project = project(edit.model())
        .ok_or_else(|| Fault::constraint("The model has no project, which would hold the waivers."))?;
    let value = waiver.map(|own| {
        let parts = [own.time.as_str(), &own.by.replace(MARK, " "), own.reason.trim()];
        Value::typed("IfcText", Value::Text(parts.join(MARK)))
    });
    let changes: Vec<Change> =
        ids.iter().map(|id| Change { name: id.clone(), value: value.clone() }).collect();
    let written = psets::set(edit, &[project], SET, &changes, guids);
    written.map(|_| ()).map_err(|error| Fault::constraint(format!("{error}.")))
}

/// Takes out what is waived; answers it.
pub(crate) fn take<T>(model: &Model, all: &mut Vec<(String, T)>) -> Vec<Waived> {
    let waivers = read(model);
    if waivers.is_empty() {
        return Vec::new();
    }
    let mut waived = Vec::new();
    all.retain(|(id, _)| match waivers.get(id) {
        Some(waiver) => {
            waived.push(Waived { id: id.clone(), waiver: waiver.clone() });
            false
        }
        None => true,
    });
    waived
}

/// The first of them, as an answer tells them.
pub(crate) fn told(mut waived: Vec<Waived>) -> Vec<Waived> {
    waived.truncate(TOLD);
    waived
}

fn project(model: &Model) -> Option<Id> {
    model.of_class("IfcProject").into_iter().next()
}
