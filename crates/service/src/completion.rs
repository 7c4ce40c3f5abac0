//! Values that something typed may be the beginning of: models, versions, elements, types of objects. Asking passes the same pipeline
//! as a tool, so that nobody is offered what they may not see.

use crate::{CallContext, Service};
use contract::{Action, Completion, Effect, Fault, ModelKind, Operation, Platform};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The name that audit records.
const ACTION: &str = "complete";
/// Values that are offered at a time, and one more, by which it is seen that there are others.
const MOST: usize = 101;
/// Models and versions that are looked through.
const LOOKED_AT: u32 = 500;
/// Elements that are asked for, whatever was typed.
const ELEMENTS: &str = "IfcProduct";

impl Service {
    /// The values of this kind that begin with what was typed, of the model named or else the session's.
    pub async fn complete(
        &self,
        context: &CallContext,
        wanted: &Completion,
        typed: &str,
        model: Option<&str>,
    ) -> Result<Vec<String>, Fault> {
        let arguments = match model {
            Some(model) => json!({ "model_id": model }),
            None => json!({}),
        };
        // of models of energy there is one that the session works on beside that of a building
        let kind = (*wanted == Completion::ObjectType && model.is_none()).then_some(ModelKind::EnergyPlus);
        let (wanted, typed) = (wanted.clone(), typed.to_owned());
        self.perform_on(context, ACTION, Action::Query, kind, arguments, |platform| {
            Box::pin(async move { offered(platform, &wanted, &typed).await })
        })
        .await
    }
}

async fn offered(platform: &dyn Platform, wanted: &Completion, typed: &str) -> Result<Vec<String>, Fault> {
    Ok(match wanted {
        Completion::Model => {
            let models = platform.models(LOOKED_AT, None).await?.items;
            let names = models.iter().map(|model| model.name.clone());
            // ids mean nothing to who has not begun one
            let ids = models.iter().filter(|_| !typed.is_empty()).map(|model| model.model_id.0.clone());
            beginning(names.chain(ids), typed)
        }
        Completion::Version => {
            let model = platform.current_model().await?.model_id;
            let branches = platform.refs(&model).await?.into_iter().map(|branch| branch.name);
            let versions = platform.versions(&model, LOOKED_AT, None).await?.items.into_iter();
            beginning(branches.chain(versions.map(|version| version.version.0)), typed)
        }
        Completion::Element => {
            let selector = match global_id_pattern(typed) {
                Some(pattern) => format!("{ELEMENTS}, GlobalId=/{pattern}/"),
                None => return Ok(Vec::new()),
            };
            let params = json!({ "selector": selector, "fields": ["GlobalId"], "limit": MOST });
            let found = query(platform, "query_elements", params).await?;
            let rows = found.get("rows").and_then(Value::as_array).into_iter().flatten();
            beginning(
                rows.filter_map(|row| {
                    Some(row.get("GlobalId").or_else(|| row.get("id"))?.as_str()?.to_owned())
                }),
                typed,
            )
        }
        Completion::ObjectType => {
            let found = if platform.current_model().await?.kind == ModelKind::EnergyPlus {
                query(platform, "energy_summary", json!({})).await?
            } else {
                query(platform, "model_summary", json!({})).await?
            };
            beginning(types_in(&found), typed)
        }
        Completion::Choice(values) => beginning(values.iter().cloned(), typed),
    })
}

async fn query(platform: &dyn Platform, name: &str, params: Value) -> Result<Value, Fault> {
    let operation = Operation { effect: Effect::Query, name: name.to_owned(), params };
    Ok(platform.query(operation).await?.result)
}

/// The types that a summary counts: of a building by class, of a model of energy by group and type.
fn types_in(summary: &Value) -> BTreeSet<String> {
    let members =
        |value: &Value| value.as_object().into_iter().flatten().map(|(name, _)| name.clone()).collect();
    let grouped = summary.get("groups").and_then(Value::as_object).into_iter().flatten();
    let grouped = grouped.filter_map(|(_, group)| group.get("types"));
    let counted = summary.get("counts").into_iter();
    grouped.chain(counted).flat_map(|counts| -> Vec<String> { members(counts) }).collect()
}

/// Those that begin with what was typed, however it is written, each once, in their order.
fn beginning(values: impl IntoIterator<Item = String>, typed: &str) -> Vec<String> {
    let typed = typed.to_lowercase();
    let mut seen = BTreeSet::new();
    let fitting = values.into_iter().filter(|value| value.to_lowercase().starts_with(&typed));
    fitting.filter(|value| seen.insert(value.clone())).take(MOST).collect()
}

/// The pattern of the `GlobalId`s that begin with this; none where nothing can.
fn global_id_pattern(typed: &str) -> Option<String> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$';
    (typed.len() <= 22 && typed.chars().all(is_part)).then(|| format!("^{}.*", typed.replace('$', "\\$")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_offered_that_begin_with_what_was_typed() {
        let values = ["House", "house 2", "Barn", "House"].map(str::to_owned);
        assert_eq!(beginning(values.clone(), "ho"), ["House", "house 2"]);
        assert_eq!(beginning(values, ""), ["House", "house 2", "Barn"]);
    }

    #[test]
    fn only_what_may_begin_a_global_id_is_looked_for() {
        assert_eq!(global_id_pattern("2O2F$t").as_deref(), Some("^2O2F\\$t.*"));
        assert_eq!(global_id_pattern("").as_deref(), Some("^.*"));
        assert_eq!(global_id_pattern("a/b"), None);
        assert_eq!(global_id_pattern(&"0".repeat(23)), None);
    }

    #[test]
    fn types_are_read_out_of_either_summary() {
        let building = json!({ "counts": { "IfcWall": 4, "IfcSlab": 1 } });
        assert_eq!(Vec::from_iter(types_in(&building)), ["IfcSlab", "IfcWall"]);
        let energy = json!({ "groups": { "Zones": { "count": 2, "types": { "Zone": 2 } } } });
        assert_eq!(Vec::from_iter(types_in(&energy)), ["Zone"]);
    }
}
