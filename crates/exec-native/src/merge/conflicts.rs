//! A conflict as a caller decides by it: what it is about, what either side has, and what choosing a side does.

use contract::ops;
use contract::ops::{Changes, Choices, ConflictKind, ConflictSide, ConflictSubject, Displacement, NeededBy};
use ifc::Side;
use ifc_compare::merge::{Conflict, ConflictKind as Found, Thing};

/// Things named in a list.
const NAMED: usize = 20;

/// A conflict in the terms of the operation.
pub(super) fn told(conflict: &Conflict) -> ops::MergeConflict {
    ops::MergeConflict {
        key: conflict.key.clone(),
        message: conflict.to_string(),
        about: subject(&conflict.about),
        kind: kind(&conflict.kind),
        choose: Choices { ours: conflict.resolution(Side::Ours), theirs: conflict.resolution(Side::Theirs) },
    }
}

fn kind(found: &Found) -> ConflictKind {
    match found {
        Found::Attribute { attribute, base, ours, theirs } => ConflictKind::Attribute {
            attribute: attribute.clone(),
            base: base.to_json(),
            ours: ours.to_json(),
            theirs: theirs.to_json(),
        },
        Found::Property { set, property, base, ours, theirs } => ConflictKind::Property {
            property: format!("{set}.{property}"),
            base: base.untyped().to_json(),
            ours: ours.untyped().to_json(),
            theirs: theirs.untyped().to_json(),
        },
        Found::Moved { ours, theirs } => ConflictKind::Moved {
            ours: Displacement { moved_by_mm: *ours },
            theirs: Displacement { moved_by_mm: *theirs },
        },
        Found::Removed { by, changed, needed_by } => {
            let needed_by = subjects(needed_by).into_iter().map(NeededBy::Subject).collect();
            let kept = ConflictSide::Kept { changed: Changes::Named(changed.clone()), needed_by };
            let removed = ConflictSide::Removed { removed: true };
            match by {
                Side::Ours => ConflictKind::Removed { ours: removed, theirs: kept },
                Side::Theirs => ConflictKind::Removed { ours: kept, theirs: removed },
            }
        }
        Found::TooMany { relation, most, ours, theirs } => ConflictKind::TooMany {
            relation: relation.clone(),
            most: u64::from(*most),
            ours: subjects(ours),
            theirs: subjects(theirs),
        },
        Found::TooFew { attribute, least } => {
            ConflictKind::TooFew { attribute: attribute.clone(), least: u64::from(*least) }
        }
        Found::SameGlobalId => ConflictKind::SameGlobalId,
    }
}

fn subjects(things: &[Thing]) -> Vec<ConflictSubject> {
    things.iter().take(NAMED).map(subject).collect()
}

fn subject(thing: &Thing) -> ConflictSubject {
    let id = thing.global_id.clone().or_else(|| thing.id.map(|id| id.to_string()));
    ConflictSubject { class: thing.class.clone(), id, name: thing.name.clone() }
}
