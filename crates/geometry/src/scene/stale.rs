//! The elements of a scene that an edit makes stale: from the instances that differ up through all that refers to them, to elements.
//!
//! Only what can matter to a picture is climbed: shapes, placements, styles and materials, not property sets, owner histories or
//! contexts, on which everything hangs. Relations are compared by member, so that adding a wall to a storey says nothing of the
//! walls that were there.

use super::entry::with_dependants;
use super::roles::{CLOTHES, HANGING, Roles};
use ifc::{Id, Instance, Model, relations::Links};
use std::collections::{BTreeSet, HashSet};

/// Instances that are looked at before everything counts as stale.
const MOST: usize = 200_000;

/// The entries that have to be made again.
#[derive(Debug, Default)]
pub(super) struct Stale {
    /// Elements whose triangles, colours or names may differ; also those that are new or gone.
    pub shapes: BTreeSet<Id>,
    /// Elements that may be shown with another storey.
    pub places: HashSet<Id>,
    /// Representations that may differ.
    pub representations: HashSet<Id>,
    /// Items and materials whose own style may differ.
    pub styled: HashSet<Id>,
}

impl Stale {
    /// Returns what differs between two states of one model, given the instances that do; `None` where it is simpler
    /// to make everything.
    pub fn between(before: &Model, after: &Model, touched: &[Id], elements: usize) -> Option<Stale> {
        Self::found(before, after, touched, elements, true)
    }

    /// The same; what hangs on elements that belong to something else now is looked for only where it is asked which storeys they are
    /// shown with.
    fn found(
        before: &Model,
        after: &Model,
        touched: &[Id],
        elements: usize,
        with_places: bool,
    ) -> Option<Stale> {
        let (seen, open, stale) = (HashSet::new(), Vec::new(), Stale::default());
        let mut climb = Climb { before, after, with_places, seen, open, stale };
        for id in touched {
            climb.touched(*id)?;
        }
        while let Some(id) = climb.open.pop() {
            climb.reached(id)?;
            if climb.seen.len() > MOST || climb.stale.shapes.len() > 64 + elements / 2 {
                return None;
            }
        }
        Some(climb.stale)
    }
}

/// Returns the products whose body or place may differ between two states of one model, given the instances that do: those that are
/// new, gone, moved, cut or shaped anew, not those that were only coloured, described or typed. `None` where everything hangs on
/// what differs, as on units.
pub fn reshaped(before: &Model, after: &Model, touched: &[Id]) -> Option<BTreeSet<Id>> {
    let counts = |id: &Id| match (before.get(*id), after.get(*id)) {
        (Some(old), Some(new)) if Roles::of_instance(&new).has(Roles::PRODUCT) => {
            ["ObjectPlacement", "Representation"].iter().any(|name| old.attr(name) != new.attr(name))
        }
        (old, new) => !old.or(new).is_some_and(|instance| Roles::of_instance(&instance).has(Roles::CLOTHING)),
    };
    let touched: Vec<Id> = touched.iter().copied().filter(counts).collect();
    Stale::found(before, after, &touched, usize::MAX / 2, false).map(|stale| stale.shapes)
}

struct Climb<'m> {
    before: &'m Model,
    after: &'m Model,
    with_places: bool,
    /// Instances whose content counts as changed.
    seen: HashSet<Id>,
    open: Vec<Id>,
    stale: Stale,
}

/// References of an attribute that holds one or many.
fn ends(instance: Option<&Instance<'_>>, attribute: &str) -> BTreeSet<Id> {
    listed(instance, attribute).into_iter().collect()
}

/// The same in the order of the file.
fn listed(instance: Option<&Instance<'_>>, attribute: &str) -> Vec<Id> {
    instance.map(|instance| instance.references(attribute)).unwrap_or_default()
}

/// The ids that only one of two lists has.
fn in_one_alone(had: &[Id], has: &[Id]) -> BTreeSet<Id> {
    // of thousands of members mostly the last ones differ
    let same = had.iter().zip(has).take_while(|(old, new)| old == new).count();
    let (both, gone) = had.split_at(same);
    let come = has.get(same..).unwrap_or_default();
    let (gone, come): (BTreeSet<Id>, BTreeSet<Id>) =
        (gone.iter().copied().collect(), come.iter().copied().collect());
    gone.symmetric_difference(&come).copied().filter(|id| !both.contains(id)).collect()
}

impl<'m> Climb<'m> {
    fn both(&self, id: Id) -> [Option<Instance<'m>>; 2] {
        [self.before.get(id), self.after.get(id)]
    }

    fn push(&mut self, id: Id) {
        if self.seen.insert(id) {
            self.open.push(id);
        }
    }

    /// An instance that differs: relations by what differs in them, all others as what they are.
    fn touched(&mut self, id: Id) -> Option<()> {
        let [old, new] = self.both(id);
        let is_a = |class: &str| [&old, &new].into_iter().flatten().any(|i| i.is_a(class));
        let differ = |attribute: &str| ends(old.as_ref(), attribute) != ends(new.as_ref(), attribute);
        let roles = [&old, &new].into_iter().flatten().map(Roles::of_instance);
        let roles = roles.fold(Roles::default(), Roles::or);
        if roles.has(Roles::UNIT) || (roles.has(Roles::PROJECT) && differ("UnitsInContext")) {
            return None;
        }
        let hanging = HANGING.iter().find(|(class, ..)| roles.has(Roles::HANGS) && is_a(class));
        if let Some((class, one, many)) = hanging {
            let members = self.changed_members(id, one, many);
            self.hung(&members);
            if *class == "IfcRelVoidsElement" {
                let hosts: BTreeSet<Id> =
                    [&old, &new].into_iter().flat_map(|i| ends(i.as_ref(), one)).collect();
                self.cut(hosts);
            }
            return Some(());
        }
        if roles.has(Roles::LAYER) {
            for item in self.changed_members(id, "LayerStyles", "AssignedItems") {
                self.stale.styled.insert(item);
                self.push(item);
            }
            return Some(());
        }
        let clothes = CLOTHES.iter().find(|(class, ..)| roles.has(Roles::CLOTHES) && is_a(class));
        if let Some((_, one, many)) = clothes {
            let members = self.changed_members(id, one, many);
            self.clothed(members);
            return Some(());
        }
        self.push(id);
        Some(())
    }

    /// The members that one of both states has and the other has not; all, where the other end differs.
    fn changed_members(&self, relation: Id, one: &str, many: &str) -> BTreeSet<Id> {
        let [old, new] = self.both(relation);
        let (had, has) = (listed(old.as_ref(), many), listed(new.as_ref(), many));
        if ends(old.as_ref(), one) == ends(new.as_ref(), one) {
            in_one_alone(&had, &has)
        } else {
            had.into_iter().chain(has).collect()
        }
    }

    /// Elements that belong to something else now: they, and all that hangs on them, may be on another storey; parts lose or
    /// get the openings of their whole.
    fn hung(&mut self, members: &BTreeSet<Id>) {
        for model in [self.before, self.after] {
            if self.with_places {
                with_dependants(model, members.iter().copied(), &mut self.stale.places);
                self.stale.places.extend(members);
            }
            let parts = with_parts(model, members.iter().copied());
            self.stale.shapes.extend(parts);
        }
    }

    /// Elements whose openings differ: they and their parts.
    fn cut(&mut self, hosts: impl IntoIterator<Item = Id> + Clone) {
        for model in [self.before, self.after] {
            self.stale.shapes.extend(with_parts(model, hosts.clone()));
        }
    }

    /// Elements, or types with their elements, that have another material.
    fn clothed(&mut self, members: impl IntoIterator<Item = Id>) {
        for id in members {
            for model in [self.before, self.after] {
                let links = Links::of_one(model);
                let is_type = model.get(id).is_some_and(|i| i.is_a("IfcTypeObject"));
                if is_type {
                    self.stale.shapes.extend(links.occurrences_of(id));
                } else {
                    self.stale.shapes.insert(id);
                }
            }
        }
    }

    /// An instance whose content, or something below it, differs.
    fn reached(&mut self, id: Id) -> Option<()> {
        for (model, instance) in [self.before, self.after].into_iter().zip(self.both(id)) {
            let Some(instance) = instance else { continue };
            let roles = Roles::of_instance(&instance);
            if roles.has(Roles::PRODUCT) {
                self.stale.shapes.insert(id);
                // it may be new, or be a spatial structure now
                self.stale.places.insert(id);
                if let Some(host) = ifc::relations::host_of_opening(model, id) {
                    self.cut([host]);
                }
            } else if roles.has(Roles::STYLED_ITEM) {
                for item in ends(Some(&instance), "Item") {
                    self.stale.styled.insert(item);
                    self.push(item);
                }
                // the representation of a material's looks
                self.climb(model, id);
            } else if roles.has(Roles::LAYER) {
                for item in ends(Some(&instance), "AssignedItems") {
                    self.stale.styled.insert(item);
                    self.push(item);
                }
            } else if roles.has(Roles::MATERIAL_LOOKS) {
                for material in ends(Some(&instance), "RepresentedMaterial") {
                    self.stale.styled.insert(material);
                    self.push(material);
                }
            } else if roles.has(Roles::CLOTHES) {
                // what it brings has changed
                let brings = CLOTHES.iter().find(|(class, ..)| instance.is_a(class));
                let members = brings.map(|(_, _, many)| ends(Some(&instance), many));
                self.clothed(members.unwrap_or_default());
            } else if roles.has(Roles::MATTERS) {
                if roles.has(Roles::REPRESENTATION) {
                    self.stale.representations.insert(id);
                }
                self.climb(model, id);
            }
            if self.stale.shapes.len() > MOST {
                return None;
            }
        }
        Some(())
    }

    /// True of an instance that was made since: what refers to it is new or changed itself, and so among those that differ, unless the
    /// file referred to its id before there was anything of it.
    fn is_fresh(&self, id: Id) -> bool {
        id >= self.before.next_id() && !self.before.contains(id) && self.before.free_id(id.0) == Some(id.0)
    }

    fn climb(&mut self, model: &Model, id: Id) {
        if self.is_fresh(id) {
            return;
        }
        let instance = model.get(id);
        let is_item =
            instance.is_some_and(|i| i.is_a("IfcRepresentation") || i.is_a("IfcRepresentationItem"));
        for referrer in model.referrers(id) {
            // a layer gives its items its style, and takes nothing from them
            let is_layer = || model.get(referrer).is_some_and(|i| Roles::of_instance(&i).has(Roles::LAYER));
            if !(is_item && is_layer()) {
                self.push(referrer);
            }
        }
    }
}

/// Elements and their parts, and the parts of these.
fn with_parts(model: &Model, tops: impl IntoIterator<Item = Id>) -> HashSet<Id> {
    let links = Links::of_one(model);
    let mut all = HashSet::new();
    let mut open: Vec<Id> = tops.into_iter().collect();
    while let Some(id) = open.pop() {
        if all.insert(id) {
            open.extend(links.children(id));
        }
    }
    all
}
