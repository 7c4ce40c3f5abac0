//! The instances that a copy brings along: everything that is referred to, and the relationships that give objects their meaning, with
//! their members cut to those that come.

use super::{CopyError, CopyOptions, Placement};
use crate::{Id, Instance, Model, Value, about};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// The instances to be copied, each behind what it refers to.
#[derive(Debug, Default)]
pub(super) struct Closure {
    /// Each behind what it refers to.
    pub order: Vec<Id>,
    /// Relationships and descriptions, with the place of the list that is cut.
    pub members: HashMap<Id, usize>,
    /// Placements that are cut from what is above them.
    pub cut: BTreeSet<Id>,
    /// The instances that come, to which members of relationships are cut.
    comes: HashSet<Id>,
}

/// Relationships: the class, the end at which the object stands, the end that comes along, and the option.
type Rule = (&'static str, &'static str, &'static str, fn(&CopyOptions) -> bool);

/// Object at the related end, what comes at the relating end; the list of related ones is cut.
const GIVEN: [Rule; 3] = [
    ("IfcRelDefinesByType", "RelatedObjects", "RelatingType", |options| options.types),
    ("IfcRelDefinesByProperties", "RelatedObjects", "", |options| options.property_sets),
    ("IfcRelAssociates", "RelatedObjects", "", |options| options.associations),
];

/// Object at the relating end, what comes at the related end.
const OWNED: [Rule; 5] = [
    ("IfcRelVoidsElement", "RelatingBuildingElement", "RelatedOpeningElement", |options| options.openings),
    ("IfcRelFillsElement", "RelatingOpeningElement", "RelatedBuildingElement", |options| options.openings),
    ("IfcRelAggregates", "RelatingObject", "RelatedObjects", |options| options.parts),
    ("IfcRelNests", "RelatingObject", "RelatedObjects", |options| options.parts),
    ("IfcRelContainedInSpatialStructure", "RelatingStructure", "RelatedElements", |options| options.parts),
];

impl Closure {
    pub fn collect(source: &Model, ids: &[Id], options: &CopyOptions) -> Result<Self, CopyError> {
        if let Some(missing) = ids.iter().find(|id| !source.contains(**id)) {
            return Err(CopyError::Missing(*missing));
        }
        let mut closure = Self::default();
        let mut wanted: BTreeSet<Id> = BTreeSet::new();
        let mut relations: BTreeSet<Id> = BTreeSet::new();
        let mut open: Vec<Id> = ids.to_vec();
        while let Some(id) = open.pop() {
            if !wanted.insert(id) {
                continue;
            }
            for by in source.referrers_of(id, "IfcRelationship") {
                let Some(relation) = source.get(by) else { continue };
                for (class, at, comes, asked) in GIVEN {
                    if asked(options) && relation.is_a(class) && relation.refers_to(at, id) {
                        relations.insert(by);
                        open.extend(relation.reference(comes));
                        let place = relation.entity().and_then(|entity| entity.index_of(at));
                        closure.members.extend(place.map(|place| (by, place)));
                    }
                }
                for (class, at, comes, asked) in OWNED {
                    if asked(options) && relation.is_a(class) && relation.refers_to(at, id) {
                        relations.insert(by);
                        open.extend(relation.references(comes));
                        let list = relation.attr(comes).as_list().is_some();
                        let place = relation.entity().and_then(|entity| entity.index_of(comes));
                        closure.members.extend(place.filter(|_| list).map(|place| (by, place)));
                    }
                }
            }
        }
        closure.comes.extend(&wanted);
        if options.placement != Placement::Chain {
            let placement = |id: &Id| source.get(*id)?.reference("ObjectPlacement");
            let own: BTreeSet<Id> = wanted.iter().filter_map(placement).collect();
            let above = |id: &Id| source.get(*id)?.reference("PlacementRelTo");
            closure.cut =
                own.iter().filter(|id| above(id).is_none_or(|id| !own.contains(&id))).copied().collect();
        }
        let mut seen: BTreeMap<Id, bool> = BTreeMap::new();
        for id in wanted.into_iter().chain(relations) {
            closure.follow(source, id, &mut seen)?;
        }
        if options.descriptions {
            closure.describe(source, &mut seen)?;
        }
        Ok(closure)
    }

    /// Adds an instance behind all that it refers to.
    fn follow(&mut self, source: &Model, first: Id, seen: &mut BTreeMap<Id, bool>) -> Result<(), CopyError> {
        let mut open: Vec<(Id, Vec<Id>)> = Vec::new();
        if seen.contains_key(&first) {
            return Ok(());
        }
        seen.insert(first, false);
        open.push((first, self.targets(source, first)));
        while let Some((id, rest)) = open.last_mut() {
            match rest.pop() {
                None => {
                    let id = *id;
                    seen.insert(id, true);
                    self.order.push(id);
                    open.pop();
                }
                Some(next) => match seen.get(&next) {
                    Some(true) => {}
                    Some(false) => return Err(CopyError::Circle(next)),
                    None if !source.contains(next) => return Err(CopyError::Missing(next)),
                    None => {
                        seen.insert(next, false);
                        let targets = self.targets(source, next);
                        open.push((next, targets));
                    }
                },
            }
        }
        Ok(())
    }

    /// Resources that say something about what comes, until there are no more.
    fn describe(&mut self, source: &Model, seen: &mut BTreeMap<Id, bool>) -> Result<(), CopyError> {
        let mut at = 0;
        while let Some(id) = self.order.get(at).copied() {
            at += 1;
            self.comes.insert(id);
            for by in source.referrers(id) {
                if seen.contains_key(&by) {
                    continue;
                }
                let Some(instance) = source.get(by).filter(|instance| !instance.is_a("IfcRoot")) else {
                    continue;
                };
                // contexts come as far as representations need them
                if instance.is_a("IfcRepresentationContext") {
                    continue;
                }
                let Some(place) = about::subject(&instance) else { continue };
                let mut speaks = false;
                instance.attr_at(place).for_each_ref(&mut |subject| speaks |= subject == id);
                if speaks {
                    if instance.attr_at(place).as_list().is_some() {
                        self.comes.extend(self.order.iter().copied());
                        self.members.insert(by, place);
                    }
                    self.follow(source, by, seen)?;
                }
            }
        }
        Ok(())
    }

    fn targets(&self, source: &Model, id: Id) -> Vec<Id> {
        let Some(instance) = source.get(id).filter(|_| !self.cut.contains(&id)) else { return Vec::new() };
        let mut targets = Vec::new();
        let count = instance.entity().map_or(0, |entity| entity.attributes.len());
        for at in 0..count {
            self.value(&instance, at).for_each_ref(&mut |target| targets.push(target));
        }
        targets.reverse();
        targets
    }

    /// An attribute, cut to what comes.
    pub fn value(&self, instance: &Instance<'_>, at: usize) -> Value {
        let value = instance.attr_at(at);
        match (self.members.get(&instance.id()), value) {
            (Some(place), Value::List(members)) if *place == at => Value::List(
                members
                    .into_iter()
                    .filter(|member| member.as_ref().is_none_or(|id| self.comes.contains(&id)))
                    .collect(),
            ),
            (_, value) => value,
        }
    }
}
