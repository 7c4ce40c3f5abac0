//! What can be read of the session's energy model, its schema and its latest simulation by an address of the form `idfkit://…`.
//!
//! The addresses name no model: they mean the one that the session works on, and so do the notices of its changes.

use crate::energy::view_simulation_report::WHOLE;
use crate::simulation::{latest, on_results};
use contract::ops::PlatformOperation;
use contract::{
    BoxFuture, Effect, EventType, Fault, FaultCode, Jobs, ModelKind, ModelUse, Needs, Operation, Platform,
    Queries, ResourceListed, ResourceRead, ResourceSource, Sessions, Versions,
};
use energy::ops::{EnergyObject, EnergyReferences, EnergySummary};
use serde_json::{Value, json};

const SCHEME: &str = "idfkit://";

/// The resources of energy models.
pub struct EnergyResources;

impl ResourceSource for EnergyResources {
    fn scheme(&self) -> &'static str {
        SCHEME
    }

    fn kind(&self) -> ModelKind {
        ModelKind::EnergyPlus
    }

    fn resources(&self) -> Vec<ResourceListed> {
        fixed().into()
    }

    fn templates(&self) -> Vec<ResourceListed> {
        templates().into()
    }

    fn knows(&self, parts: &[String]) -> bool {
        EnergyAddress::parse(parts).is_some()
    }

    fn changed_by(&self, parts: &[String]) -> Option<EventType> {
        match EnergyAddress::parse(parts)? {
            EnergyAddress::Results | EnergyAddress::PeakLoads | EnergyAddress::Report => {
                Some(EventType::SimulationEnded)
            }
            EnergyAddress::Summary
            | EnergyAddress::Migration
            | EnergyAddress::Object(..)
            | EnergyAddress::References(_)
            | EnergyAddress::Schema(_)
            | EnergyAddress::Docs(_) => None,
        }
    }

    fn read<'a>(
        &'a self,
        platform: &'a dyn Platform,
        parts: &'a [String],
    ) -> BoxFuture<'a, Result<ResourceRead, Fault>> {
        Box::pin(async move {
            match EnergyAddress::parse(parts) {
                Some(address) => read(platform, address).await,
                None => Err(Fault::invalid("uri", "This address means nothing.")),
            }
        })
    }
}

/// The meaning of an address.
#[derive(Debug, Clone, PartialEq, Eq)]
enum EnergyAddress {
    Summary,
    Object(String, String),
    References(String),
    Schema(String),
    Docs(String),
    Results,
    PeakLoads,
    Report,
    Migration,
}

impl EnergyAddress {
    /// Reads the parts behind the scheme.
    fn parse(parts: &[String]) -> Option<Self> {
        let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
        Some(match parts.as_slice() {
            ["model", "summary"] => Self::Summary,
            ["model", "objects", object_type, name] => {
                Self::Object((*object_type).to_owned(), (*name).to_owned())
            }
            ["model", "references", name] => Self::References((*name).to_owned()),
            ["schema", object_type] => Self::Schema((*object_type).to_owned()),
            ["docs", object_type] => Self::Docs((*object_type).to_owned()),
            ["simulation", "results"] => Self::Results,
            ["simulation", "peak-loads"] => Self::PeakLoads,
            ["simulation", "report"] => Self::Report,
            ["migration", "report"] => Self::Migration,
            _ => return None,
        })
    }
}

fn listed(path: &str, name: &str, description: &str) -> ResourceListed {
    ResourceListed {
        uri: format!("{SCHEME}{path}"),
        name: name.to_owned(),
        description: description.to_owned(),
    }
}

/// The addresses that are always the same.
fn fixed() -> [ResourceListed; 5] {
    [
        listed(
            "model/summary",
            "energy model",
            "What is in the session's energy model: version, zones, objects by group.",
        ),
        listed(
            "simulation/results",
            "simulation results",
            "How the latest simulation ended, end uses, unmet hours.",
        ),
        listed(
            "simulation/peak-loads",
            "peak loads",
            "What the peak loads of the latest simulation are made of.",
        ),
        listed(
            "simulation/report",
            "simulation report",
            "Every table of every report of the latest simulation.",
        ),
        listed(
            "migration/report",
            "migration report",
            "What the latest migration of the session's energy model changed, object by object.",
        ),
    ]
}

/// The forms of the others.
fn templates() -> [ResourceListed; 4] {
    [
        listed("schema/{object_type}", "object schema", "The fields of a type of EnergyPlus object."),
        listed(
            "model/objects/{object_type}/{name}",
            "energy object",
            "One object of the session's energy model, whole.",
        ),
        listed(
            "model/references/{name}",
            "energy references",
            "Who refers to an object of the energy model, and to whom it refers.",
        ),
        listed(
            "docs/{object_type}",
            "object documentation",
            "What there is to read on a type of EnergyPlus object.",
        ),
    ]
}

async fn read(
    platform: &(impl Jobs + Queries + Sessions + Versions + ?Sized),
    address: EnergyAddress,
) -> Result<ResourceRead, Fault> {
    if address == EnergyAddress::Migration {
        return migration(platform).await;
    }
    let operation =
        |name: &str, params: Value| Operation { effect: Effect::Query, name: name.to_owned(), params };
    let of_model = match &address {
        EnergyAddress::Summary => Some(EnergySummary {}.operation()),
        EnergyAddress::Object(object_type, name) => {
            Some(EnergyObject { object_type: object_type.clone(), name: name.clone() }.operation())
        }
        EnergyAddress::References(name) => Some(EnergyReferences { name: name.clone() }.operation()),
        _ => None,
    };
    if let Some(operation) = of_model {
        let model = platform.current_model().await?;
        let version = platform.current_version().await?;
        let mut value = platform.query(operation).await?.result;
        if let Some(members) = value.as_object_mut() {
            members.insert("model_id".to_owned(), json!(model.model_id));
            members.insert("model_version".to_owned(), json!(version));
            if let (EnergyAddress::Summary, Some(file)) =
                (&address, platform.model_file(&model.model_id).await?)
            {
                members.insert("file_path".to_owned(), json!(file.path));
            }
        }
        return Ok(ResourceRead { model: Some(model.model_id), is_fixed: false, value });
    }
    let fixed = match &address {
        EnergyAddress::Schema(object_type) => {
            Some(operation("describe_object_type", json!({ "object_type": object_type })))
        }
        EnergyAddress::Docs(object_type) => {
            Some(operation("get_doc_section", json!({ "location": format!("schema/{object_type}") })))
        }
        _ => None,
    };
    if let Some(operation) = fixed {
        let needs = Needs {
            instead: Some("version".to_owned()),
            ..Needs::model(ModelUse::Optional, ModelKind::EnergyPlus)
        };
        let value = platform.query_needing(operation, &needs).await?.result;
        // in the terms of the session's model, which may be brought to another version
        let model = platform.current_model().await.ok().map(|model| model.model_id);
        return Ok(ResourceRead { model, is_fixed: false, value });
    }
    let (name, params) = match address {
        EnergyAddress::PeakLoads => ("analyze_peak_loads", json!({})),
        EnergyAddress::Report => ("view_simulation_report", json!({ WHOLE: true })),
        _ => ("get_results_summary", json!({})),
    };
    let mut value = platform.query_needing(operation(name, params), &on_results()).await?.result;
    if let Some(members) = value.as_object_mut() {
        let left = platform.job_files(&latest()).await?;
        let files: Vec<Value> = left
            .iter()
            .map(|file| json!({ "role": file.role, "name": file.name, "href": file.href, "size": file.size }))
            .collect();
        members.insert("files".to_owned(), files.into());
    }
    Ok(ResourceRead { model: None, is_fixed: false, value })
}

/// Versions that are looked through for a migration.
const LOOKED_AT: u32 = 200;
/// Objects that a report of a migration names.
const CHANGED: u32 = 2_000;

/// The difference that the latest migration of the session's model made.
async fn migration(platform: &(impl Sessions + Versions + ?Sized)) -> Result<ResourceRead, Fault> {
    let model = platform.current_model().await?;
    let newest = platform.current_version().await?;
    let page = platform.versions(&model.model_id, LOOKED_AT, Some(newest.as_str())).await?;
    let migrated = page.items.into_iter().find(|version| version.tool == "migrate_model");
    let Some((version, before)) = migrated.and_then(|version| Some((version.clone(), version.parent?)))
    else {
        let message =
            format!("{} was not migrated. migrate_model brings it up to a newer EnergyPlus.", model.name);
        return Err(Fault::new(FaultCode::NotFound, message));
    };
    let (raw, summary) = platform.diff(&model.model_id, &before, &version.version, Some(CHANGED)).await?;
    let value = json!({
        "model_id": model.model_id,
        "before": before,
        "after": version.version,
        "time": crate::modelling::iso_time(version.time_ms),
        "author": version.author,
        "summary": summary,
        "objects": raw,
    });
    Ok(ResourceRead { model: Some(model.model_id), is_fixed: false, value })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_mean_what_their_form_says_and_others_nothing() {
        let parse = |parts: &[&str]| {
            EnergyAddress::parse(&parts.iter().map(|part| (*part).to_owned()).collect::<Vec<_>>())
        };
        let object = EnergyAddress::Object("Zone".into(), "Core / 1".into());
        assert_eq!(parse(&["model", "objects", "Zone", "Core / 1"]), Some(object));
        assert_eq!(parse(&["simulation", "results"]), Some(EnergyAddress::Results));
        for wrong in [&["models"][..], &["model"], &["model", "objects", "Zone"], &[]] {
            assert_eq!(parse(wrong), None, "{wrong:?}");
        }
    }
}
