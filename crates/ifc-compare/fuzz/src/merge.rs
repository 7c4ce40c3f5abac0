//! Any two deltas that apply to one model are compared and merged, or refused; what comes out of a merge can be written.
//!
//! The first byte says where the second delta begins, as in the target of deltas, whose seeds these are.
use super::delta::{BASE, read};
use ifc::Side;
use ifc_compare::merge::Merge;
use ifc_compare::{CompareOptions, compare, diff, elements};

/// One input.
pub fn run(bytes: &[u8]) {
    let Some((cut, bytes)) = bytes.split_first() else { return };
    let (one, two) = bytes.split_at(usize::from(*cut).min(bytes.len()));
    let Some(one) = read(one) else { return };
    let Ok(model) = BASE.apply(&one) else { return };
    assert!(compare(&model, &model, &CompareOptions::default()).is_empty());
    let Some(two) = read(two) else { return };
    let Ok(other) = BASE.apply(&two) else { return };
    let _ = compare(&model, &other, &CompareOptions::default());
    let _ = elements(&diff(&model, &other), &model, &other);
    if let Ok(merge) = Merge::new(&BASE, &model, &other) {
        for side in [Side::Ours, Side::Theirs] {
            let merged = merge.resolve(|_| Some(side));
            let _ = merged.map(|merged| merged.model.to_bytes());
        }
    }
}
