//! Waivers: findings that somebody accepted, with the reason. They are properties of the project, so that they are versions of the
//! model like every other change: who, when and why, on branches, and in the file that goes to others.

use crate::project_properties;
use contract::Fault;
use ifc::guid::GuidSource;
use ifc::{Edit, Model};
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
    let read = |(id, text): (String, String)| {
        let mut parts = text.splitn(3, MARK).map(str::to_owned);
        let (time, by, reason) = (parts.next()?, parts.next()?, parts.next()?);
        Some((id, Waiver { reason, by, time }))
    };
    project_properties::read(model, SET).into_iter().filter_map(read).collect()
}

/// Writes waivers, or with none takes them back.
pub(crate) fn write(
    edit: &mut Edit,
    guids: &mut GuidSource,
    ids: &[String],
    waiver: Option<&Waiver>,
) -> Result<(), Fault> {
    let text =
        waiver.map(|own| [own.time.as_str(), &own.by.replace(MARK, " "), own.reason.trim()].join(MARK));
    let changes = ids.iter().map(|id| (id.clone(), text.clone()));
    project_properties::write(edit, guids, (SET, "waivers"), changes)
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
