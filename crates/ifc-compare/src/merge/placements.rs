//! Things that both sides moved, however each did it: by other coordinates of the point, or by another placement. What
//! stands on something that moved has not been moved itself.

use super::Join;
use super::conflict::{Conflict, ConflictKind, Part, Thing};
use glam::{DAffine3, DVec3};
use ifc::delta::Delta;
use ifc::placement::axis2;
use ifc::{Id, Model, Units};
use std::collections::{BTreeMap, BTreeSet};

/// Instances looked at on the way from points to what stands there.
const STEPS: usize = 10_000;

impl Join<'_> {
    pub(super) fn moves(&mut self) {
        let merge = self.merge;
        let (ours, theirs) = (moved(&merge.base, &self.one), moved(&merge.base, &self.two));
        if ours.is_empty() || theirs.is_empty() {
            return;
        }
        let units = Units::from_model(&merge.base);
        for (product, parts) in &ours {
            let Some(other_parts) = theirs.get(product) else { continue };
            let (base, one, two) =
                (local(&merge.base, *product), local(&merge.ours, *product), local(&merge.theirs, *product));
            if one == base || two == base || one == two {
                continue;
            }
            let offset_mm = |to: &Place| ((to.origin() - base.origin()) * units.length_mm).to_array();
            let at = merge.base.get(*product).and_then(|p| p.entity()?.index_of("ObjectPlacement"));
            let withheld = |parts: &BTreeSet<Id>| -> Vec<Part> {
                let own = at.map(|at| Part::Attribute(*product, at as u32));
                own.into_iter().chain(parts.iter().map(|id| Part::Changes(*id))).collect()
            };
            self.placements.extend(parts.union(other_parts));
            let about = Thing::new(&merge.base, *product);
            self.placements.insert(*product);
            self.conflicts.push(Conflict {
                key: format!("{}:moved", about.key()),
                about,
                kind: ConflictKind::Moved { ours: offset_mm(&one), theirs: offset_mm(&two) },
                ours: withheld(parts),
                theirs: withheld(other_parts),
            });
        }
    }
}

/// The place of something: on what it stands, and how.
#[derive(PartialEq)]
struct Place {
    on: Option<Id>,
    how: Option<DAffine3>,
}

impl Place {
    fn origin(&self) -> DVec3 {
        self.how.map(|how| how.translation).unwrap_or_default()
    }
}

fn local(model: &Model, product: Id) -> Place {
    let placement =
        model.get(product).and_then(|p| p.reference("ObjectPlacement")).and_then(|id| model.get(id));
    Place {
        on: placement.and_then(|placement| placement.reference("PlacementRelTo")),
        how: placement.and_then(|p| p.reference("RelativePlacement")).and_then(|axes| axis2(model, axes)),
    }
}

/// Products that a change moves, with the changed instances of their placements.
fn moved(base: &Model, delta: &Delta) -> BTreeMap<Id, BTreeSet<Id>> {
    let mut found: BTreeMap<Id, BTreeSet<Id>> = BTreeMap::new();
    let mut steps = STEPS;
    for (id, edits) in &delta.changed {
        let Some(instance) = base.get(Id(*id)) else { continue };
        let placement = instance.entity().and_then(|entity| entity.index_of("ObjectPlacement"));
        if let Some(placement) = placement {
            if edits.iter().any(|(at, _)| *at as usize == placement) {
                found.entry(Id(*id)).or_default();
            }
            continue;
        }
        let parts = ["IfcObjectPlacement", "IfcPlacement", "IfcCartesianPoint", "IfcDirection"];
        if !parts.iter().any(|class| instance.is_a(class)) {
            continue;
        }
        let mut open = vec![Id(*id)];
        while let Some(at) = open.pop() {
            for above in base.referrers(at) {
                let Some(referrer) = base.get(above) else { continue };
                if steps == 0 {
                    return found;
                }
                steps -= 1;
                if referrer.reference("ObjectPlacement") == Some(at) {
                    found.entry(above).or_default().insert(Id(*id));
                } else if referrer.is_a("IfcPlacement") || referrer.reference("RelativePlacement") == Some(at)
                {
                    open.push(above);
                }
            }
        }
    }
    found
}
