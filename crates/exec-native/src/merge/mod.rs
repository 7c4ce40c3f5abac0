//! Two changes of one model joined: what `theirs` did since `base` is added to `ours`, which the
//! request calls `model`.
//!
//! `ifc_compare::merge` joins instances by what they mean and says where both cannot hold. Added here: nobody is asked about
//! figures that are computed anyway (quantities and totals that this program keeps current; they are renewed from the
//! joined building), conflicts become what a caller decides by, and a change can be asked whether it still does, on
//! the new ground, what it did on the old.

mod conflicts;
mod effect;

use crate::operations::Resolve;
use crate::run::{Call, changed};
use contract::ops::{self, MergeAnswer, PlatformOperation};
use contract::{Fault, FaultCode, Outcome, Request};
use ifc::{Id, Model, Side};
use ifc_compare::merge::{Conflict, ConflictKind, IdMap, Merge, MergeError};
use std::collections::BTreeSet;

/// Conflicts told of; the rest is counted.
const TOLD: usize = 100;

impl Resolve for ops::Merge {
    fn resolve(self, call: &Call<'_>) -> Result<Outcome, Fault> {
        merge(call, &self)
    }
}

fn side(choice: ops::Side) -> Side {
    match choice {
        ops::Side::Ours => Side::Ours,
        ops::Side::Theirs => Side::Theirs,
    }
}

/// Joins the changes that lead from `base` to `ours` and to `theirs`.
fn merge(call: &Call<'_>, params: &ops::Merge) -> Result<Outcome, Fault> {
    let (base, ours, theirs) = (call.model("base")?, call.model("model")?, call.model("theirs")?);
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
        let named = params.named(&conflict.key).map(side);
        named
            .or_else(|| removal(conflict))
            .or_else(|| is_renewed(conflict, &known).then_some(Side::Ours))
            .or_else(|| by_hand(conflict, merge.models()))
            .or_else(|| params.others().map(side))
    });
    let unknown_conflicts = params.unknown(|key| met.contains(key));
    let merged = match chosen {
        Ok(merged) if unknown_conflicts.is_empty() => merged,
        Ok(_) => return ops::Merge::outcome(MergeAnswer::Unknown { unknown_conflicts }),
        Err(MergeError::Unresolved(open)) => {
            return ops::Merge::outcome(MergeAnswer::Conflicts {
                conflicts: open.iter().take(TOLD).map(conflicts::told).collect(),
                count: open.len() as u64,
                more: (open.len() > TOLD).then(|| (open.len() - TOLD) as u64),
            });
        }
        Err(error) => return Err(cannot(&error)),
    };
    let ids = merged.ids.runs().to_vec();
    let after = renewed(call.request, &known, merged.model)?;
    let delta = ifc::Delta::between(&ours.model, &after);
    let entries = ifc_compare::diff(&ours.model, &after);
    let effects = params.compare_effect.then(|| {
        let (wanted, comes_to) =
            (effect::between(&base.model, &theirs.model), effect::between(&ours.model, &after));
        (wanted != comes_to).then(|| effect::differences(&wanted, &comes_to))
    });
    let answer = MergeAnswer::Joined {
        ids,
        same_effect: effects.as_ref().map(Option::is_none),
        effects: effects.flatten(),
    };
    let mut outcome = changed(ours, after, &delta, &entries);
    if params.as_merge {
        let version = call.request.model("theirs").map(|input| input.version.clone());
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
    Ok(Outcome { result: ops::Merge::outcome(answer)?.result, ..outcome })
}

/// Joins the renumberings of several merges, one after another.
fn ids(steps: &[ops::IdRuns]) -> Result<IdMap, Fault> {
    steps.iter().try_fold(IdMap::default(), |map, runs| {
        let next = IdMap::of_runs(runs.clone());
        next.map(|next| map.then(&next))
            .ok_or_else(|| Fault::invalid("model_ids", "Runs of ids overlap or are too long."))
    })
}

fn cannot(error: &MergeError) -> Fault {
    Fault::new(FaultCode::BackendFailed, format!("The versions cannot be merged: {error}."))
}

/// The side that removes something of which the other side needs no more than boundaries of rooms: those are computed anew, and must not keep
/// a wall that somebody took away.
fn removal(conflict: &Conflict) -> Option<Side> {
    let ConflictKind::Removed { by, changed, needed_by } = &conflict.kind else { return None };
    let is_boundary = |class: &str| class.starts_with(BOUNDARY);
    let needs_boundaries = changed.is_empty()
        && !needed_by.is_empty()
        && needed_by.iter().all(|needs| is_boundary(&needs.class));
    (is_boundary(&conflict.about.class) || needs_boundaries).then_some(*by)
}

/// True if a conflict is about figures that are computed anew once both changes are joined.
fn is_renewed(conflict: &Conflict, models: &[&Model]) -> bool {
    let renews =
        |object: Id, set: &str| models.iter().any(|model| building::renewal::renews(model, object, set));
    if conflict.about.class.starts_with(BOUNDARY) {
        return true;
    }
    let Some(about) = conflict.about.id else { return false };
    if let ConflictKind::Property { set, .. } = &conflict.kind {
        return renews(about, set);
    }
    models.iter().any(|model| set_and_owner(model, about).is_some_and(|(set, owner)| renews(owner, &set)))
}

/// The side that changed a wall whose body both sides drew anew, where the other only cut its ends to a neighbour that it changed:
/// ends are cut anew once both changes are joined. `None` where both changed the wall itself.
fn by_hand(conflict: &Conflict, [base, ours, theirs]: [&Model; 3]) -> Option<Side> {
    let ConflictKind::Attribute { attribute, .. } = &conflict.kind else { return None };
    let shape = conflict.about.id.filter(|_| attribute == "Representations")?;
    let wall = base.referrers_of(shape, "IfcWall").into_iter().next()?;
    if building::renewal::is_only_recut(base, theirs, wall) {
        Some(Side::Ours)
    } else if building::renewal::is_only_recut(base, ours, wall) {
        Some(Side::Theirs)
    } else {
        None
    }
}

/// The class of space boundaries, which are computed anew once both changes are joined.
const BOUNDARY: &str = "IfcRelSpaceBoundary";

/// The products that two states have in another shape or place.
fn elements_bounding(before: &Model, after: &Model) -> BTreeSet<ifc::Id> {
    let touched: Vec<ifc::Id> = ifc_compare::diff(before, after).iter().map(|entry| entry.id).collect();
    geometry::scene::reshaped(before, after, &touched).unwrap_or_default()
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
    // either side renewed the boundaries of rooms by what it knew
    if !ours.of_class(BOUNDARY).is_empty() && !elements_bounding(ours, author.edit.model()).is_empty() {
        let layout = |model: &Model| spatial::Layout::from_scene(&geometry::Scene::from_model(model));
        let (was, now) = (layout(ours), layout(author.edit.model()));
        tools::renew_between(&mut author, (ours, &was), &now)?;
    }
    Ok(if edit.is_empty() { merged } else { edit.finish().0 })
}
