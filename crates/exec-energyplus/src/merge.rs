//! `merge`: what `theirs` did since `base`, added to `model`. The parameters and the answer are those of the same operation on
//! buildings; `energy::merge` joins, and here conflicts become what a caller decides by.

use crate::operations::Resolve;
use crate::run::Call;
use contract::ops::{
    self, Changes, Choices, ConflictKind, ConflictSide, ConflictSubject, Effects, Merge, MergeAnswer,
    MergeConflict, NeededBy, PlatformOperation,
};
use contract::{Delta, DiffSummary, Fault, ModelKind, Outcome};
use energy::idf;
use energy::merge::{Clash, Conflict, Side, differences, merge};

/// Conflicts told of, and differences of effect; the rest is counted.
const TOLD: usize = 100;
const EFFECTS: usize = 20;

fn side(choice: ops::Side) -> Side {
    match choice {
        ops::Side::Ours => Side::Ours,
        ops::Side::Theirs => Side::Theirs,
    }
}

impl Resolve for Merge {
    fn resolve(self, call: &Call<'_>) -> Result<Outcome, Fault> {
        run(call, &self)
    }
}

/// Joins the changes that lead from `base` to `ours` and to `theirs`.
fn run(call: &Call<'_>, params: &Merge) -> Result<Outcome, Fault> {
    let [base, ours, theirs] = [call.model("base")?, call.model("model")?, call.model("theirs")?];
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
    let decide = |key: &str| params.named(key).or_else(|| params.others()).map(side);
    let merged = merge(
        (&base.document, &ours.document, &theirs.document),
        (&params.model_ids, &params.theirs_ids),
        &decide,
    );
    if !merged.open.is_empty() {
        return Merge::outcome(MergeAnswer::Conflicts {
            conflicts: merged.open.iter().take(TOLD).map(told).collect(),
            count: merged.open.len() as u64,
            more: (merged.open.len() > TOLD).then(|| (merged.open.len() - TOLD) as u64),
        });
    }
    let unknown_conflicts = params.unknown(|key| merged.met.contains(key));
    if !unknown_conflicts.is_empty() {
        return Merge::outcome(MergeAnswer::Unknown { unknown_conflicts });
    }
    let (wanted, comes_to) = &merged.effects;
    let is_same = wanted == comes_to;
    let effects = (params.compare_effect && !is_same).then(|| {
        let (mut no_longer, mut now_also) = differences(wanted, comes_to);
        no_longer.truncate(EFFECTS);
        now_also.truncate(EFFECTS);
        Effects { no_longer, now_also }
    });
    let answer = MergeAnswer::Joined {
        ids: merged.ids,
        same_effect: params.compare_effect.then_some(is_same),
        effects,
    };
    let delta = merged.document.delta_from(&ours.document)?;
    let is_change = !delta.is_empty();
    let mut outcome = Merge::outcome(answer)?;
    // that both are one from here on is a change, too, though nothing in the model is another
    if is_change || params.as_merge {
        let mut delta = Delta::new(ModelKind::EnergyPlus, delta.encode());
        if params.as_merge {
            delta.merged = call.request.model("theirs").map(|input| input.version.clone());
        }
        outcome.diff_summary = Some(if is_change {
            idf::summary(&idf::diff(&ours.document, &merged.document), None)
        } else {
            DiffSummary::default()
        });
        outcome.changes.push(("model".to_owned(), delta, ours.next(merged.document).into_opened()));
    }
    Ok(outcome)
}

/// A conflict as a caller decides by it: what it is about, what either side has, and what choosing a side does.
fn told(conflict: &Conflict) -> MergeConflict {
    let Conflict { key, type_name, name, clash } = conflict;
    let who = format!("{type_name} {name}");
    let (kind, message, choose) = match clash {
        Clash::Field { field, base, ours, theirs } => {
            let kind = ConflictKind::Attribute {
                attribute: field.clone(),
                base: base.as_str().into(),
                ours: ours.as_str().into(),
                theirs: theirs.as_str().into(),
            };
            let (was, one, other) = (shown(base), shown(ours), shown(theirs));
            let message = format!("{who}: {field} was {was}, and is {one} on one side, {other} on the other");
            let (ours, theirs) = (format!("{field} is {one}"), format!("{field} is {other}"));
            (kind, message, Choices { ours, theirs })
        }
        Clash::Removed { by, needed_by } => {
            let other = if needed_by.is_empty() { "changed" } else { "referred to" };
            let message = format!("{who} is removed on one side and {other} on the other");
            let removed = ConflictSide::Removed { removed: true };
            let kept = ConflictSide::Kept {
                changed: Changes::Any(needed_by.is_empty()),
                needed_by: needed_by.iter().cloned().map(NeededBy::Label).collect(),
            };
            let (gone, stays) = ("it is removed".to_owned(), "it stays, as that side has it".to_owned());
            match by {
                Side::Ours => {
                    let choose = Choices { ours: gone, theirs: stays };
                    (ConflictKind::Removed { ours: removed, theirs: kept }, message, choose)
                }
                Side::Theirs => {
                    let choose = Choices { ours: stays, theirs: gone };
                    (ConflictKind::Removed { ours: kept, theirs: removed }, message, choose)
                }
            }
        }
        Clash::SameName => {
            let message = format!("both sides have another {who} now");
            let (ours, theirs) = ("ours has the name".to_owned(), "theirs has the name".to_owned());
            (ConflictKind::SameName, message, Choices { ours, theirs })
        }
    };
    let about = ConflictSubject { class: type_name.clone(), id: None, name: Some(name.clone()) };
    MergeConflict { key: key.clone(), message, about, kind, choose }
}

/// A value in a sentence, bounded.
fn shown(value: &str) -> String {
    if value.is_empty() {
        return "blank".to_owned();
    }
    let short: String = value.chars().take(60).collect();
    if short.len() < value.len() { format!("{short}…") } else { short }
}
