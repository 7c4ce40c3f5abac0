//! Removals by one side of what the other changed or newly refers to, gathered by the thing that a person would say was
//! removed: a wall, not its placement.

use super::Join;
use super::conflict::{Conflict, ConflictKind, Part, Thing};
use ifc::delta::Delta;
use ifc::{Clash, ClashKind, Id, Model, Side};
use std::collections::{BTreeMap, BTreeSet};

/// The most steps from a resource up to the thing that it is part of.
const STEPS: usize = 1_000;

#[derive(Default)]
struct Removal {
    changed: Vec<String>,
    needed_by: Vec<Id>,
    /// To leave out of the side that removes.
    remover: Vec<Part>,
    /// To leave out of the other side.
    other: Vec<Part>,
}

impl Join<'_> {
    pub(super) fn removals(&mut self, clashes: &[Clash]) {
        let merge = self.merge;
        let mut found: BTreeMap<(Id, Side), Removal> = BTreeMap::new();
        for clash in clashes {
            let id = clash.id;
            let (side, by) = match clash.kind {
                ClashKind::Removed(side) => (side, None),
                ClashKind::Referred { removed_by: side, by } => (side, Some(by)),
                ClashKind::Attribute(_) | ClashKind::Whole => continue,
            };
            let (remover, other) = match side {
                Side::Ours => (&self.one, &self.two),
                Side::Theirs => (&self.two, &self.one),
            };
            let owner = owner(&merge.base, remover, id);
            let removal = found.entry((owner, side)).or_default();
            removal.remover.extend([Part::Removal(owner), Part::Removal(id)]);
            if let Some(by) = by {
                let by = if side == Side::Ours { self.earlier(by) } else { by };
                removal.needed_by.push(by);
                removal.other.push(Part::Reference { by, to: id });
            } else {
                removal.changed.extend(changed_names(&merge.base, other, id));
                removal.other.push(Part::Changes(id));
            }
        }
        for ((owner, by), removal) in found {
            let other_model = if by == Side::Ours { &merge.theirs } else { &merge.ours };
            let (ours, theirs) = match by {
                Side::Ours => (removal.remover, removal.other),
                Side::Theirs => (removal.other, removal.remover),
            };
            let about = Thing::new(&merge.base, owner);
            let mut changed = removal.changed;
            changed.sort_unstable();
            changed.dedup();
            let needed_by: BTreeSet<Id> = removal.needed_by.into_iter().collect();
            self.conflicts.push(Conflict {
                key: format!("{}:removed", about.key()),
                about,
                kind: ConflictKind::Removed {
                    by,
                    changed,
                    needed_by: needed_by.into_iter().map(|id| Thing::new(other_model, id)).collect(),
                },
                ours,
                theirs,
            });
        }
    }
}

/// The thing removed by the same side that a removed instance is part of; itself if there is none.
fn owner(base: &Model, delta: &Delta, id: Id) -> Id {
    let mut seen = BTreeSet::new();
    let mut open = vec![id];
    while let Some(at) = open.pop() {
        if !seen.insert(at) || seen.len() > STEPS {
            continue;
        }
        let Some(instance) = base.get(at) else { continue };
        if instance.is_a("IfcObjectDefinition") {
            return at;
        }
        if instance.is_a("IfcRelationship") && at == id {
            return at;
        }
        let removed = |source: &Id| delta.removed.binary_search(&source.0).is_ok();
        open.extend(base.referrers(at).into_iter().filter(removed));
    }
    id
}

/// The names of attributes that a side changes in an instance.
fn changed_names(base: &Model, delta: &Delta, id: Id) -> Vec<String> {
    let instance = base.get(id);
    let class = instance.map_or("", |instance| instance.class_name());
    let name = |at: u32| {
        let entity = instance.and_then(|instance| instance.entity());
        let name = entity.and_then(|entity| entity.attributes.get(at as usize)).map(|a| a.name);
        name.map_or_else(|| format!("{class}.{}", at + 1), |name| format!("{class}.{name}"))
    };
    match delta.changed.binary_search_by_key(&id.0, |(id, _)| *id) {
        Ok(place) => {
            let edits = delta.changed.get(place).map(|(_, edits)| edits.as_slice()).unwrap_or_default();
            edits.iter().map(|(at, _)| name(*at)).collect()
        }
        Err(_) => vec![class.to_owned()],
    }
}
