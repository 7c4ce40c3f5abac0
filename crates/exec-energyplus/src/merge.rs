//! `merge`: what `theirs` did since `base`, added to `model`. The parameters and the answer are those of the same operation on
//! buildings; `energy::merge` joins, and here conflicts become what a caller decides by.

use crate::EnergyModel;
use contract::{Delta, DiffSummary, Fault, ModelKind, Outcome, Request};
use energy::idf;
use energy::merge::{Clash, Conflict, Runs, Side, differences, merge};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// What stands for all conflicts that are not named.
const ALL: &str = "*";
/// Conflicts told of, and differences of effect; the rest is counted.
const TOLD: usize = 100;
const EFFECTS: usize = 20;

/// Parameters of the operation.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Params {
    resolve: BTreeMap<String, Choice>,
    compare_effect: bool,
    /// What earlier merges between `base` and `model` answered as `ids`, from `base` on.
    model_ids: Vec<Runs>,
    /// The same between `base` and `theirs`.
    theirs_ids: Vec<Runs>,
    /// Whether the change names `theirs` as its second parent.
    as_merge: bool,
}

/// The side that a conflict is decided for.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Choice {
    Ours,
    Theirs,
}

impl From<Choice> for Side {
    fn from(choice: Choice) -> Self {
        match choice {
            Choice::Ours => Self::Ours,
            Choice::Theirs => Self::Theirs,
        }
    }
}

/// Joins the changes that lead from `base` to `ours` and to `theirs`.
pub(crate) fn run(
    request: &Request,
    [base, ours, theirs]: [&EnergyModel; 3],
    params: &Params,
) -> Result<Outcome, Fault> {
    for runs in params.model_ids.iter().chain(&params.theirs_ids) {
        let mut sorted = runs.clone();
        sorted.sort_unstable();
        if sorted.windows(2).any(|two| matches!(two, [(_, end, _), (from, ..)] if end > from)) {
            return Err(Fault::invalid("model_ids", "Runs of ids overlap."));
        }
    }
    let (own, other) = (ours.document.schema().short_version(), theirs.document.schema().short_version());
    if own != other {
        return Err(Fault::constraint(format!(
            "One side of this merge is a model of EnergyPlus {own}, the other of {other}: their objects have other fields. Bring the older \
             one up with migrate_model first; then both can be joined."
        ))
        .with("versions", [own, other]));
    }
    let decide =
        |key: &str| params.resolve.get(key).or_else(|| params.resolve.get(ALL)).copied().map(Side::from);
    let merged = merge(
        (&base.document, &ours.document, &theirs.document),
        (&params.model_ids, &params.theirs_ids),
        &decide,
    );
    if !merged.open.is_empty() {
        let told: Vec<Value> = merged.open.iter().take(TOLD).map(told).collect();
        let mut result = json!({ "conflicts": told, "count": merged.open.len() });
        if merged.open.len() > TOLD {
            result["more"] = (merged.open.len() - TOLD).into();
        }
        return Ok(Outcome { result, ..Outcome::default() });
    }
    let unknown: Vec<&String> =
        params.resolve.keys().filter(|key| *key != ALL && !merged.met.contains(*key)).collect();
    if !unknown.is_empty() {
        return Ok(Outcome { result: json!({ "unknown_conflicts": unknown }), ..Outcome::default() });
    }
    let mut result = Map::from_iter([("ids".to_owned(), json!(merged.ids))]);
    if params.compare_effect {
        let (wanted, comes_to) = &merged.effects;
        result.insert("same_effect".into(), (wanted == comes_to).into());
        if wanted != comes_to {
            let (mut no_longer, mut now_also) = differences(wanted, comes_to);
            no_longer.truncate(EFFECTS);
            now_also.truncate(EFFECTS);
            result.insert("effects".into(), json!({ "no_longer": no_longer, "now_also": now_also }));
        }
    }
    let delta = merged.document.delta_from(&ours.document)?;
    let is_change = !delta.is_empty();
    let mut outcome = Outcome { result: Value::Object(result), ..Outcome::default() };
    // that both are one from here on is a change, too, though nothing in the model is another
    if is_change || params.as_merge {
        let mut delta = Delta::new(ModelKind::EnergyPlus, delta.encode());
        if params.as_merge {
            delta.merged = request.model("theirs").map(|input| input.version.clone());
        }
        outcome.diff_summary = Some(if is_change {
            idf::summary(&idf::diff(&ours.document, &merged.document))
        } else {
            DiffSummary::default()
        });
        outcome.changes.push(("model".to_owned(), delta, ours.next(merged.document).into_opened()));
    }
    Ok(outcome)
}

/// A conflict as a caller decides by it: what it is about, what either side has, and what choosing a side does.
fn told(conflict: &Conflict) -> Value {
    let Conflict { key, type_name, name, clash } = conflict;
    let mut told = json!({ "key": key, "about": { "class": type_name, "name": name } });
    let who = format!("{type_name} {name}");
    match clash {
        Clash::Field { field, base, ours, theirs } => {
            told["kind"] = "attribute".into();
            told["attribute"] = field.as_str().into();
            (told["base"], told["ours"], told["theirs"]) =
                (base.as_str().into(), ours.as_str().into(), theirs.as_str().into());
            told["message"] = format!(
                "{who}: {field} was {}, and is {} on one side, {} on the other",
                shown(base),
                shown(ours),
                shown(theirs)
            )
            .into();
            told["choose"] = json!({
                "ours": format!("{field} is {}", shown(ours)), "theirs": format!("{field} is {}", shown(theirs)),
            });
        }
        Clash::Removed { by, needed_by } => {
            told["kind"] = "removed".into();
            let (gone, kept) = match by {
                Side::Ours => ("ours", "theirs"),
                Side::Theirs => ("theirs", "ours"),
            };
            told[gone] = json!({ "removed": true });
            told[kept] = json!({ "changed": needed_by.is_empty(), "needed_by": needed_by });
            let other = if needed_by.is_empty() { "changed" } else { "referred to" };
            told["message"] = format!("{who} is removed on one side and {other} on the other").into();
            let mut choose = Map::new();
            choose.insert(gone.into(), "it is removed".into());
            choose.insert(kept.into(), "it stays, as that side has it".into());
            told["choose"] = Value::Object(choose);
        }
        Clash::SameName => {
            told["kind"] = "same_name".into();
            told["message"] = format!("both sides have another {who} now").into();
            told["choose"] = json!({ "ours": "ours has the name", "theirs": "theirs has the name" });
        }
    }
    told
}

/// A value in a sentence, bounded.
fn shown(value: &str) -> String {
    if value.is_empty() {
        return "blank".to_owned();
    }
    let short: String = value.chars().take(60).collect();
    if short.len() < value.len() { format!("{short}…") } else { short }
}
