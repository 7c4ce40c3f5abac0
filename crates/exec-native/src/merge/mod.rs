//! Two changes of one model joined: what `theirs` did since `base` is added to `ours`, which the
//! request calls `model`.
//!
//! `ifc_compare::merge` joins instances by what they mean and says where both cannot hold. Added here: nobody is asked about
//! figures that are computed anyway (quantities and totals that this program keeps current; they are renewed from the
//! joined building), conflicts become what a caller decides by, and a change can be asked whether it still does, on
//! the new ground, what it did on the old.

mod conflicts;
mod effect;

use crate::model::NativeModel;
use crate::run::changed;
use contract::{Fault, FaultCode, Outcome, Request};
use ifc::{Id, Model, Side};
use ifc_compare::merge::{Conflict, ConflictKind, IdMap, Merge, MergeError};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// What stands for all conflicts that are not named.
const ALL: &str = "*";
/// Conflicts told of; the rest is counted.
const TOLD: usize = 100;

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

/// An `IdMap` as JSON.
type Runs = Vec<(u32, u32, u32)>;

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
pub(crate) fn merge(
    request: &Request,
    base: &NativeModel,
    ours: &NativeModel,
    theirs: &NativeModel,
    params: &Params,
) -> Result<Outcome, Fault> {
    let (to_ours, to_theirs) = (ids(&params.model_ids)?, ids(&params.theirs_ids)?);
    let merge = Merge::between(&base.model, &ours.model, &theirs.model, &to_ours, &to_theirs)
        .map_err(|error| cannot(&error))?;
    // where ids were brought to one numbering, only ours has its own still
    let one_numbering = to_ours.is_identity() && to_theirs.is_identity();
    let known: Vec<&Model> = [ours, base, theirs]
        .into_iter()
        .take(if one_numbering { 3 } else { 1 })
        .map(|native| &native.model)
        .collect();
    let mut met: BTreeSet<String> = BTreeSet::new();
    let chosen = merge.resolve(|conflict| {
        met.insert(conflict.key.clone());
        let named = params.resolve.get(&conflict.key).copied().map(Side::from);
        named
            .or_else(|| is_renewed(conflict, &known).then_some(Side::Ours))
            .or_else(|| params.resolve.get(ALL).copied().map(Side::from))
    });
    let unknown: Vec<&String> =
        params.resolve.keys().filter(|key| *key != ALL && !met.contains(*key)).collect();
    let merged = match chosen {
        Ok(merged) if unknown.is_empty() => merged,
        Ok(_) => return Ok(answer(json!({ "unknown_conflicts": unknown }))),
        Err(MergeError::Unresolved(open)) => {
            let told: Vec<Value> = open.iter().take(TOLD).map(conflicts::told).collect();
            let mut result = Map::from_iter([
                ("conflicts".to_owned(), Value::from(told)),
                ("count".to_owned(), open.len().into()),
            ]);
            if open.len() > TOLD {
                result.insert("more".into(), (open.len() - TOLD).into());
            }
            return Ok(answer(Value::Object(result)));
        }
        Err(error) => return Err(cannot(&error)),
    };
    let ids_of_theirs = merged.ids.runs().to_vec();
    let after = renewed(request, &known, merged.model)?;
    let delta = ifc::Delta::between(&ours.model, &after);
    let entries = ifc_compare::diff(&ours.model, &after);
    let mut result = Map::from_iter([("ids".to_owned(), json!(ids_of_theirs))]);
    if params.compare_effect {
        let wanted = effect::of(&base.model, &theirs.model);
        let comes_to = effect::of(&ours.model, &after);
        result.insert("same_effect".into(), (wanted == comes_to).into());
        if wanted != comes_to {
            result.insert("effects".into(), effect::differences(&wanted, &comes_to));
        }
    }
    let mut outcome = changed(ours, after, &delta, &entries);
    if params.as_merge {
        let version = request.model("theirs").map(|input| input.version.clone());
        if outcome.changes.is_empty() {
            // that both are one from here on is a change, too, though nothing in the model is another
            let nothing = contract::Delta::new(contract::ModelKind::Ifc, delta.encode());
            let same = ours.next(ours.model.clone()).into_opened();
            outcome.changes.push(("model".to_owned(), nothing, same));
            outcome.diff_summary = Some(contract::DiffSummary::default());
        }
        for (_, delta, _) in &mut outcome.changes {
            delta.merged.clone_from(&version);
        }
    }
    Ok(Outcome { result: Value::Object(result), ..outcome })
}

/// What several merges, one after another, made of the ids of the first version.
fn ids(steps: &[Runs]) -> Result<IdMap, Fault> {
    steps.iter().try_fold(IdMap::default(), |map, runs| {
        let next = IdMap::of_runs(runs.clone());
        next.map(|next| map.then(&next))
            .ok_or_else(|| Fault::invalid("model_ids", "Runs of ids overlap or are too long."))
    })
}

fn answer(result: Value) -> Outcome {
    Outcome { result, ..Outcome::default() }
}

fn cannot(error: &MergeError) -> Fault {
    Fault::new(FaultCode::BackendFailed, format!("The versions cannot be merged: {error}."))
}

/// Whether a conflict is about figures that are computed anew once both changes are joined.
fn is_renewed(conflict: &Conflict, models: &[&Model]) -> bool {
    let renews =
        |object: Id, set: &str| models.iter().any(|model| building::renewal::renews(model, object, set));
    let Some(about) = conflict.about.id else { return false };
    if let ConflictKind::Property { set, .. } = &conflict.kind {
        return renews(about, set);
    }
    models.iter().any(|model| set_and_owner(model, about).is_some_and(|(set, owner)| renews(owner, &set)))
}

/// The name of the quantity set that an instance is, belongs to or gives to an object, and that object.
fn set_and_owner(model: &Model, id: Id) -> Option<(String, Id)> {
    let instance = model.get(id)?;
    let (set, relation) = if instance.is_a("IfcElementQuantity") {
        (id, None)
    } else if instance.is_a("IfcPhysicalQuantity") {
        (model.referrers_of(id, "IfcElementQuantity").into_iter().next()?, None)
    } else if instance.is_a("IfcRelDefinesByProperties") {
        (instance.reference("RelatingPropertyDefinition")?, Some(id))
    } else {
        return None;
    };
    let relation = match relation {
        Some(relation) => relation,
        None => model.referrers_of(set, "IfcRelDefinesByProperties").into_iter().next()?,
    };
    let owner = model.get(relation)?.references("RelatedObjects").into_iter().next()?;
    Some((model.get(set)?.name()?, owner))
}

/// The joined model with what is computed in it computed anew. The first of the models known is ours.
fn renewed(request: &Request, known: &[&Model], merged: Model) -> Result<Model, Fault> {
    let Some(ours) = known.first() else { return Ok(merged) };
    let mut elements = BTreeSet::new();
    let mut storeys = BTreeSet::new();
    for change in ifc_compare::elements(&ifc_compare::diff(ours, &merged), ours, &merged) {
        for (id, model) in [(change.before, *ours), (change.after, &merged)] {
            let Some(id) = id else { continue };
            storeys.extend(ifc::relations::storey_of(model, id));
            storeys.insert(id);
        }
        elements.extend(change.after);
    }
    let totalled =
        |model: &Model, storey: Id| building::renewal::renews(model, storey, building::quantity_sets::STOREY);
    storeys.retain(|storey| totalled(&merged, *storey) || known.iter().any(|model| totalled(model, *storey)));
    let mut edit = merged.edit();
    let mut guids = ifc::guid::GuidSource::new(request.operation_id.as_str());
    let mut author = building::Author::new(&mut edit, &mut guids, request.time_ms, &request.actor);
    building::renewal::renew(&mut author, &elements, &storeys)?;
    Ok(if edit.is_empty() { merged } else { edit.finish().0 })
}
