//! Makes single what IFC4 wants once where IFC2X3 did not mind several: property sets of one name at an object
//! (IfcObject.UniquePropertySetNames), quantities of one name in a set (IfcElementQuantity.UniqueQuantityNames),
//! materials of a building element (IfcBuildingElement.MaxOneMaterialAssociation), and the two coordinates of a true
//! north (IfcGeometricRepresentationContext.North2D).
//!
//! Sets of one name become one set, as readers by name see them anyway. Of two properties or quantities of one name the
//! later keeps it, which is the one that such readers find; the earlier is numbered.

use crate::Outcome;
use crate::step::{Step, guid_for};
use ifc::{Id, Value};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

impl Step<'_> {
    /// Joins property sets of one name that an object has several of.
    pub(super) fn sets_of_one_name(&mut self) {
        let defined = self.defined_by_sets();
        // objects that have the same sets of one name share the joined one
        let mut groups: BTreeMap<Vec<Id>, Vec<Id>> = BTreeMap::new();
        for (object, sets) in &defined.sets {
            let mut by_name: BTreeMap<u32, Vec<Id>> = BTreeMap::new();
            for (name, set) in sets {
                let sets = by_name.entry(*name).or_default();
                if !sets.contains(set) {
                    sets.push(*set);
                }
            }
            for (_, sets) in by_name.into_iter().filter(|(_, sets)| sets.len() > 1) {
                groups.entry(sets).or_default().push(*object);
            }
        }
        let mut left: BTreeMap<Id, HashSet<Id>> = BTreeMap::new();
        for (sets, objects) in groups {
            let kept = self.joined(&sets, &objects, &defined);
            for set in sets.into_iter().filter(|set| Some(*set) != kept) {
                left.entry(set).or_default().extend(objects.iter().copied());
            }
        }
        for (set, objects) in left {
            let mut used = false;
            for relation in defined.relations.get(&set).into_iter().flatten() {
                let reason = "what it gave is in one property set of this name now";
                used |= self.released(*relation, &objects, (Outcome::Mapped, reason));
            }
            let others = self.source.referrers(set).len() > defined.relations.get(&set).map_or(0, Vec::len);
            if !used && !others {
                self.said
                    .insert(set.0, (Outcome::Mapped, "is one with another property set of this name now"));
            }
        }
    }

    /// Puts the properties of several sets into one for these objects; which of the sets that is, if it is one of them.
    fn joined(&mut self, sets: &[Id], objects: &[Id], defined: &Defined) -> Option<Id> {
        let members: Vec<Id> = sets
            .iter()
            .filter_map(|set| self.source.get(*set))
            .flat_map(|set| set.references("HasProperties"))
            .collect();
        let members = self.distinct(members, None);
        let only: BTreeSet<Id> = objects.iter().copied().collect();
        let kept = sets.iter().copied().find(|set| defined.objects.get(set) == Some(&only));
        if let Some(kept) = kept {
            self.override_with(kept, "HasProperties", members);
            let reason = "has the properties of other sets of this name as well";
            self.record.note(kept.0, "IfcPropertySet", Outcome::Mapped, reason);
            return Some(kept);
        }
        let first = objects.first().and_then(|object| self.source.get(*object))?;
        let set = self.source.get(*sets.first()?)?;
        let name = set.name().unwrap_or_default();
        let guid = guid_for(&first, &format!("set {name}"));
        let copy = self.copy(set.id(), vec![("GlobalId", guid), ("HasProperties", members.into())])?;
        let related = Value::list(objects.iter().copied());
        let attributes = [("RelatedObjects", related), ("RelatingPropertyDefinition", copy.into())];
        self.make_rooted("IfcRelDefinesByProperties", &first, &format!("relation {name}"), &attributes);
        None
    }

    /// Takes objects out of a relation, and the relation out of the model if it has no other; whether it has.
    fn released(&mut self, relation: Id, objects: &HashSet<Id>, said: (Outcome, &'static str)) -> bool {
        let Some(instance) = self.source.get(relation) else { return false };
        let mut rest = instance.references("RelatedObjects");
        rest.retain(|object| !objects.contains(object));
        let stays = !rest.is_empty();
        if stays {
            self.override_with(relation, "RelatedObjects", rest);
        } else {
            self.said.insert(relation.0, said);
        }
        stays
    }

    /// Numbers quantities of one name in a set.
    pub(super) fn quantities_of_one_name(&mut self) {
        for id in self.source.of_class("IfcElementQuantity") {
            let Some(set) = self.source.get(id) else { continue };
            let quantities = set.references("Quantities");
            let own = self.distinct(quantities.clone(), Some(id));
            if own != quantities {
                self.override_with(id, "Quantities", own);
            }
        }
    }

    /// Members of a set with different names: of those that say the same one stays, and of others the last keeps the
    /// name. What only `holder` has is renamed, other things are copied.
    fn distinct(&mut self, members: Vec<Id>, holder: Option<Id>) -> Vec<Id> {
        let mut last: HashMap<String, Id> = HashMap::new();
        let mut count: HashMap<String, usize> = HashMap::new();
        let mut own = Vec::with_capacity(members.len());
        for id in members.into_iter().rev() {
            let Some(member) = self.source.get(id) else { continue };
            let name = member.name().unwrap_or_default();
            let Some(named) = last.get(&name).and_then(|id| self.source.get(*id)) else {
                last.insert(name, id);
                own.push(id);
                continue;
            };
            if named.class_name() == member.class_name() && named.attributes() == member.attributes() {
                continue;
            }
            let count = count.entry(name.clone()).or_insert(1);
            *count += 1;
            let numbered = Value::Text(format!("{name} ({count})"));
            let reason = "has a number behind its name, which IFC4 allows once in a set";
            self.record.note(id.0, member.class_name(), Outcome::Approximated, reason);
            if holder.is_some_and(|holder| self.source.referrers(id) == [holder]) {
                self.override_with(id, "Name", numbered);
                own.push(id);
            } else {
                own.push(self.copy(id, vec![("Name", numbered)]).unwrap_or(id));
            }
        }
        own.reverse();
        own
    }

    /// Leaves a building element the one of its materials that says most; of several plain ones it has the list.
    pub(super) fn materials_of_one_element(&mut self) {
        let mut of: BTreeMap<Id, Vec<(Id, Id)>> = BTreeMap::new();
        for id in self.source.of_class("IfcRelAssociatesMaterial") {
            let Some(relation) = self.source.get(id) else { continue };
            let Some(material) = relation.reference("RelatingMaterial") else { continue };
            for object in relation.references("RelatedObjects") {
                of.entry(object).or_default().push((id, material));
            }
        }
        let mut left: BTreeMap<Id, HashSet<Id>> = BTreeMap::new();
        for (object, given) in of.into_iter().filter(|(_, given)| given.len() > 1) {
            let Some(instance) = self.source.get(object) else { continue };
            if !instance.is_a("IfcBuildingElement") {
                continue;
            }
            let worth = |material: Id| {
                let classes =
                    ["IfcMaterial", "IfcMaterialList", "IfcMaterialLayerSet", "IfcMaterialLayerSetUsage"];
                classes.iter().position(|class| self.is_a(material, class)).unwrap_or(0)
            };
            let best = given.iter().map(|(_, material)| worth(*material)).max().unwrap_or(0);
            let mut kept = given.iter().find(|(_, material)| worth(*material) == best).map(|(id, _)| *id);
            if best == 0 {
                let mut materials: Vec<Id> = Vec::new();
                for (_, material) in &given {
                    if !materials.contains(material) {
                        materials.push(*material);
                    }
                }
                if materials.len() > 1 {
                    let list = self.make("IfcMaterialList", &[("Materials", materials.into())]);
                    let attributes =
                        [("RelatedObjects", Value::list([object])), ("RelatingMaterial", list.into())];
                    self.make_rooted("IfcRelAssociatesMaterial", &instance, "materials", &attributes);
                    kept = None;
                }
            }
            let reason = match best {
                0 => "has several materials, and IFC4 allows one association: their list",
                _ => "has several materials, and IFC4 allows one association: the layers or list stay",
            };
            self.record.note(object.0, instance.class_name(), Outcome::Approximated, reason);
            for (relation, _) in given.iter().filter(|(relation, _)| Some(*relation) != kept) {
                left.entry(*relation).or_default().insert(object);
            }
        }
        for (relation, objects) in left {
            let reason = "its elements have another material, and IFC4 allows one association";
            self.released(relation, &objects, (Outcome::Dropped, reason));
        }
    }

    /// A true north of three coordinates as one of two.
    pub(super) fn flat_norths(&mut self) {
        let mut flat: BTreeMap<Id, Value> = BTreeMap::new();
        for id in self.source.of_class("IfcGeometricRepresentationContext") {
            let north = self.source.get(id).and_then(|context| context.reference("TrueNorth"));
            let Some(north) = north.and_then(|north| self.source.get(north)) else { continue };
            let ratios: Vec<f64> = north
                .attr("DirectionRatios")
                .as_list()
                .unwrap_or_default()
                .iter()
                .filter_map(Value::as_f64)
                .collect();
            let [x, y, _] = ratios.as_slice() else { continue };
            let value = match flat.get(&north.id()) {
                Some(value) => value.clone(),
                None if *x == 0.0 && *y == 0.0 => Value::Null,
                None => {
                    let made = self.make("IfcDirection", &[("DirectionRatios", Value::list([*x, *y]))]);
                    made.map_or(Value::Null, Value::Ref)
                }
            };
            flat.insert(north.id(), value.clone());
            let (outcome, reason) = match value {
                Value::Null => (Outcome::Approximated, "its TrueNorth points upwards and is left out"),
                _ => (Outcome::Mapped, "its TrueNorth has two coordinates now"),
            };
            self.record.note(id.0, "IfcGeometricRepresentationContext", outcome, reason);
            self.override_with(id, "TrueNorth", value);
        }
    }

    /// The plain property sets that objects have.
    fn defined_by_sets(&self) -> Defined {
        let mut defined = Defined::default();
        let mut names: HashMap<String, u32> = HashMap::new();
        for id in self.source.of_class_exact("IfcRelDefinesByProperties") {
            let Some(relation) = self.source.get(id) else { continue };
            let set = relation.reference("RelatingPropertyDefinition").and_then(|id| self.source.get(id));
            let Some(set) = set.filter(|set| set.class_name() == "IfcPropertySet") else { continue };
            let Some(name) = set.name() else { continue };
            let next = u32::try_from(names.len()).unwrap_or(u32::MAX);
            let name = *names.entry(name).or_insert(next);
            defined.relations.entry(set.id()).or_default().push(id);
            let objects = relation.references("RelatedObjects");
            for object in &objects {
                defined.sets.entry(*object).or_default().push((name, set.id()));
            }
            defined.objects.entry(set.id()).or_default().extend(objects);
        }
        defined
    }
}

/// The plain property sets that objects have.
#[derive(Debug, Default)]
struct Defined {
    /// The sets of an object, each with a number for its name.
    sets: BTreeMap<Id, Vec<(u32, Id)>>,
    /// The objects of a set.
    objects: HashMap<Id, BTreeSet<Id>>,
    /// The relations by which a set is given.
    relations: HashMap<Id, Vec<Id>>,
}
