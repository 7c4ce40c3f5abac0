//! The difference of two versions as far as links go: which products differ, and which are related to something else than they were.
//!
//! Relations are compared by member, so that a wall that comes to a storey says nothing of the walls that were there.

use ifc::{Id, Instance, Model, relations::Links};
use std::collections::{BTreeMap, BTreeSet};

/// Relations that say nothing of where rooms and elements belong, what fills what, or what something is made of; subtypes count.
const OTHER_RELATIONS: [&str; 4] = [
    "IfcRelSpaceBoundary",
    "IfcRelConnectsElements",
    "IfcRelDefinesByProperties",
    "IfcRelAssociatesClassification",
];

/// The difference of two versions.
pub(crate) struct Touched {
    before: Model,
    after: Model,
    /// Products and types that differ in attributes of their own, also those that are new or gone.
    products: BTreeSet<Id>,
    /// The instances that only one of both versions has.
    new_or_gone: BTreeSet<Id>,
    /// The products that relations hold at their related ends where they did not, or for another.
    members: BTreeSet<Id>,
    /// The products that relations hold at their relating ends with other members than before.
    wholes: BTreeSet<Id>,
    are_materials_same: bool,
    are_classes_same: bool,
    is_structure_same: bool,
}

impl Touched {
    /// The difference, by the instances that are not the same in both.
    pub(crate) fn new(before: &Model, after: &Model, instances: &[Id]) -> Touched {
        let mut touched = Touched {
            before: before.clone(),
            after: after.clone(),
            products: BTreeSet::new(),
            new_or_gone: BTreeSet::new(),
            members: BTreeSet::new(),
            wholes: BTreeSet::new(),
            are_materials_same: true,
            are_classes_same: true,
            is_structure_same: true,
        };
        let mut relations = BTreeSet::new();
        for id in instances {
            let both = [before.get(*id), after.get(*id)];
            let [old, new] = both.each_ref().map(|instance| instance.as_ref().map(Instance::class_name));
            let is_a = |class: &str| both.iter().flatten().any(|instance| instance.is_a(class));
            let is_named = |start: &str| [old, new].iter().flatten().any(|name| name.starts_with(start));
            // what is new matters only to what refers to it, and that is new or differs as well
            let is_new = id.0 >= before.next_id().0 && before.free_id(id.0) == Some(id.0);
            touched.are_materials_same &= is_new || !is_named("IfcMaterial");
            if old.is_none() != new.is_none() {
                touched.new_or_gone.insert(*id);
            }
            if is_a("IfcRelationship") {
                relations.insert(*id);
            }
            if is_a("IfcObjectDefinition") {
                touched.products.insert(*id);
                touched.are_classes_same &= old.is_none() || new.is_none() || old == new;
                // a relation says something else where one of its members is not there
                if old != new {
                    let refer = |model: &Model| model.referrers_of(*id, "IfcRelationship");
                    relations.extend([before, after].into_iter().flat_map(refer));
                }
            }
        }
        for relation in relations {
            touched.relation(relation);
        }
        touched.is_structure_same = touched.is_structure_same();
        touched.are_materials_same &=
            !touched.members_of_class(&["IfcBuildingElementProxy", "IfcTypeObject"]);
        touched
    }

    /// Notes what a relation holds in one of both versions alone.
    fn relation(&mut self, id: Id) {
        let both = [self.before.get(id), self.after.get(id)];
        let is_a = |class: &str| both.iter().flatten().any(|i| i.is_a(class));
        if OTHER_RELATIONS.into_iter().any(is_a) {
            return;
        }
        let [(old_one, old_many), (new_one, new_many)] =
            both.map(|relation| relation.map_or_else(Default::default, |r| ends(&r)));
        // a reference to nowhere leads nowhere: what is not in both versions counts as gone or come
        let has_other = |list: &[Id]| list.iter().any(|id| self.is_new_or_gone(*id));
        if old_one != new_one || has_other(&old_one) {
            self.wholes.extend(old_one.into_iter().chain(new_one));
            self.members.extend(old_many.into_values().chain(new_many.into_values()).flatten());
            return;
        }
        let attributes: BTreeSet<&str> = old_many.keys().chain(new_many.keys()).copied().collect();
        for attribute in attributes {
            let [had, has] =
                [&old_many, &new_many].map(|many| many.get(attribute).map(Vec::as_slice).unwrap_or_default());
            let mut apart = in_one_alone(had, has);
            apart.extend(had.iter().chain(has).filter(|id| self.is_new_or_gone(**id)));
            if had != has && apart.is_empty() {
                // the same in another order
                apart.extend(had.iter().chain(has));
            }
            if !apart.is_empty() {
                self.wholes.extend(&old_one);
                self.members.extend(apart);
            }
        }
    }

    /// Returns true of what only one of both versions has.
    fn is_new_or_gone(&self, id: Id) -> bool {
        // of thousands of members most are older than all that is new
        let is_among = self.new_or_gone.first().is_some_and(|first| *first <= id);
        is_among && self.new_or_gone.contains(&id)
    }

    /// Returns true if spaces and storeys belong where they did.
    fn is_structure_same(&self) -> bool {
        let links = Links::of_one(&self.after);
        let counts = |id: Id| {
            [&self.before, &self.after]
                .iter()
                .any(|model| model.get(id).is_some_and(|i| i.is_a("IfcSpace") || i.is_a("IfcBuildingStorey")))
        };
        // what hangs on something new hangs on it by a relation that is new as well, and is among the members
        let stays = |id: Id| self.before.contains(id) && self.after.contains(id);
        let carries = |id: Id| stays(id) && links.decomposition(id).into_iter().any(counts);
        !self.members.iter().any(|id| counts(*id) || carries(*id))
    }

    /// Returns true if this is the difference of two versions.
    pub(crate) fn is_between(&self, before: &Model, after: &Model) -> bool {
        let is_same = |own: &Model, other: &Model| own.differing(other).is_some_and(|ids| ids.is_empty());
        is_same(&self.before, before) && is_same(&self.after, after)
    }

    /// Returns true if spaces and storeys are the ones that there were, and belong where they did.
    pub(crate) fn are_rooms_same(&self) -> bool {
        self.is_structure_same && !self.has_new_or_gone(&["IfcSpace", "IfcBuildingStorey"])
    }

    /// Returns true if what a proxy that is in both versions is made of is the same in both.
    pub(crate) fn are_materials_same(&self) -> bool {
        self.are_materials_same
    }

    /// Returns true if whatever is in both versions is of the same class in both.
    pub(crate) fn are_classes_same(&self) -> bool {
        self.are_classes_same
    }

    /// The products that differ in attributes of their own, also those that are new or gone.
    pub(crate) fn products(&self) -> &BTreeSet<Id> {
        &self.products
    }

    /// The products that relations hold at their related ends where they did not, or for another.
    pub(crate) fn members(&self) -> &BTreeSet<Id> {
        &self.members
    }

    /// Returns true if a product differs in attributes of its own.
    pub(crate) fn has(&self, product: Id) -> bool {
        self.products.contains(&product)
    }

    /// Returns true if a product differs in attributes of its own, or is related to something else.
    pub(crate) fn reaches(&self, product: Id) -> bool {
        self.has(product) || self.members.contains(&product) || self.wholes.contains(&product)
    }

    /// Returns true if a product of one of these classes, or of a subtype, differs in attributes of its own.
    pub(crate) fn has_class(&self, classes: &[&str]) -> bool {
        self.products.iter().any(|id| self.is_a(*id, classes))
    }

    /// Returns true if relations hold a product of one of these classes, or of a subtype, at their related ends where they did not.
    pub(crate) fn members_of_class(&self, classes: &[&str]) -> bool {
        self.members.iter().any(|id| self.is_a(*id, classes))
    }

    /// Returns true if a product of one of these classes, or of a subtype, differs or is related to something else.
    pub(crate) fn reaches_class(&self, classes: &[&str]) -> bool {
        self.products.iter().chain(&self.members).chain(&self.wholes).any(|id| self.is_a(*id, classes))
    }

    fn has_new_or_gone(&self, classes: &[&str]) -> bool {
        let class = |model: &Model, id: Id| model.get(id).map(|i| i.class_name().to_owned());
        let differs = |id: Id| class(&self.before, id) != class(&self.after, id);
        self.products.iter().any(|id| self.is_a(*id, classes) && differs(*id))
    }

    fn is_a(&self, id: Id, classes: &[&str]) -> bool {
        let both = [self.before.get(id), self.after.get(id)];
        both.iter().flatten().any(|instance| classes.iter().any(|class| instance.is_a(class)))
    }
}

/// The ends of a relation: what it holds at its relating ends, and its members by attribute.
fn ends(relation: &Instance<'_>) -> (Vec<Id>, BTreeMap<&'static str, Vec<Id>>) {
    let (mut one, mut many) = (Vec::new(), BTreeMap::new());
    let attributes = relation.entity().map(|entity| entity.attributes).unwrap_or_default();
    for attribute in attributes.iter().map(|attribute| attribute.name).filter(|n| n.starts_with("Relat")) {
        let ids = relation.references(attribute);
        if attribute.starts_with("Relating") {
            one.extend(ids);
        } else {
            many.insert(attribute, ids);
        }
    }
    (one, many)
}

/// The ids that only one of two lists has.
fn in_one_alone(had: &[Id], has: &[Id]) -> BTreeSet<Id> {
    // of thousands of members mostly the last ones differ
    let same = had.iter().zip(has).take_while(|(old, new)| old == new).count();
    let rest = |list: &[Id]| -> BTreeSet<Id> { list.iter().skip(same).copied().collect() };
    let both = had.get(..same).unwrap_or_default();
    rest(had).symmetric_difference(&rest(has)).copied().filter(|id| !both.contains(id)).collect()
}
