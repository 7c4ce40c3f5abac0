//! The part of a scene that a file shows.

use foldhash::HashMap;
use ifc::Id;
use ifc::relations::Links;
use std::collections::HashSet;

/// The elements of a scene that a file shows.
#[derive(Clone, Copy)]
pub(crate) enum Shown<'a> {
    /// All of them.
    All,
    /// These.
    These(&'a HashSet<Id>),
}

impl Shown<'_> {
    /// True of an element that is shown.
    pub(crate) fn has(self, id: Id) -> bool {
        match self {
            Shown::All => true,
            Shown::These(ids) => ids.contains(&id),
        }
    }

    /// The elements that are shown and all that they are in, by the parents of each; nothing where all are.
    pub(crate) fn with_containers(self, order: &[Id], parents: &HashMap<Id, Id>) -> Option<HashSet<Id>> {
        let Shown::These(ids) = self else { return None };
        let mut all = HashSet::new();
        for id in order.iter().filter(|id| ids.contains(id)) {
            let mut at = Some(*id);
            while let Some(id) = at.filter(|id| all.insert(*id)) {
                at = parents.get(&id).copied();
            }
        }
        Some(all)
    }
}

/// Elements with their parts, and of storeys and the like what is in them.
pub(crate) fn with_parts(links: &Links<'_>, wanted: &[Id]) -> HashSet<Id> {
    let model = links.model();
    let mut all = HashSet::new();
    let mut open = wanted.to_vec();
    while let Some(id) = open.pop() {
        if !all.insert(id) {
            continue;
        }
        open.extend(links.children(id));
        open.extend(links.nested(id));
        let is_spatial = |class: &str| model.get(id).is_some_and(|instance| instance.is_a(class));
        if is_spatial("IfcSpatialStructureElement") || is_spatial("IfcSpatialElement") {
            open.extend(links.contained(id));
        }
    }
    all
}
