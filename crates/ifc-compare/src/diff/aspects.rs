//! The aspects of a thing that are compared, and how each is.

use super::Change;
use super::elements::{Aspect, Pairing};
use glam::DVec3;
use ifc::relations::Links;
use ifc::{Id, Instance, Model, Units, placement, psets};
use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet};

/// Distances in mm and differences of axes below which nothing has moved: less than files write.
const STILL_MM: f64 = 1e-6;
const STRAIGHT: f64 = 1e-9;

/// A set of aspects of a thing that may have changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Aspects(u16);

impl Aspects {
    const OWN: Self = Self(1);
    const PLACEMENT: Self = Self(2);
    const SHAPE: Self = Self(4);
    const PROPERTIES: Self = Self(8);
    const MATERIAL: Self = Self(16);
    const TYPE: Self = Self(32);
    const HOST: Self = Self(64);
    const CONTAINER: Self = Self(128);
    const OPENINGS: Self = Self(256);
    const GROUPS: Self = Self(512);
    const CLASSIFICATION: Self = Self(1024);

    pub(super) fn add(&mut self, other: Self) {
        self.0 |= other.0;
    }

    fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// The aspects that an attribute of a thing tells of.
    pub(super) fn of_attribute(name: &str) -> Self {
        match name {
            "OwnerHistory" => Self::default(),
            "ObjectPlacement" => Self::PLACEMENT,
            "Representation" | "RepresentationMaps" => Self::SHAPE,
            "HasPropertySets" => Self::PROPERTIES,
            _ => Self::OWN,
        }
    }

    /// The aspects that a relation tells of its members.
    pub(super) fn of_relation(relation: &Instance<'_>) -> Self {
        const KINDS: [(&str, Aspects); 10] = [
            ("IfcRelDefinesByType", Aspects(Aspects::TYPE.0 | Aspects::PROPERTIES.0 | Aspects::MATERIAL.0)),
            ("IfcRelDefinesByProperties", Aspects::PROPERTIES),
            ("IfcRelAssociatesMaterial", Aspects::MATERIAL),
            ("IfcRelAssociatesClassification", Aspects::CLASSIFICATION),
            ("IfcRelContainedInSpatialStructure", Aspects::CONTAINER),
            ("IfcRelVoidsElement", Aspects(Aspects::HOST.0 | Aspects::OPENINGS.0)),
            ("IfcRelFillsElement", Aspects::HOST),
            ("IfcRelAssignsToGroup", Aspects::GROUPS),
            ("IfcRelAggregates", Aspects::CONTAINER),
            ("IfcRelNests", Aspects::CONTAINER),
        ];
        KINDS.iter().find(|(class, _)| relation.is_a(class)).map_or(Self::default(), |(_, aspects)| *aspects)
    }

    /// The aspects that occurrences have from their type.
    pub(super) fn inherited(self) -> Self {
        Self(self.0 & (Self::PROPERTIES.0 | Self::MATERIAL.0 | Self::CLASSIFICATION.0))
    }
}

/// Two models, ready to compare one thing of them after the other.
pub(super) struct Sides<'m, P> {
    old: Side<'m>,
    new: Side<'m>,
    pairing: &'m P,
}

struct Side<'m> {
    model: &'m Model,
    links: Links<'m>,
    units: Units,
}

impl<'m> Side<'m> {
    fn new(model: &'m Model) -> Self {
        Self { model, links: Links::of_one(model), units: Units::from_model(model) }
    }

    fn name(&self, id: Id) -> String {
        let instance = self.model.get(id);
        let named = instance
            .and_then(|i| i.text("Identification").or_else(|| i.text("ItemReference")).or_else(|| i.name()));
        named.unwrap_or_else(|| id.to_string())
    }

    /// `(set, property)` → value and whether it is the type's.
    fn properties(&self, id: Id) -> BTreeMap<(String, String), (Json, bool)> {
        let mut found = BTreeMap::new();
        for set in psets::of_with(&self.links, id) {
            for property in &set.properties {
                let key = (set.name.clone(), property.name.clone());
                found.entry(key).or_insert_with(|| (property.to_json(), set.inherited));
            }
        }
        found
    }

    fn host(&self, id: Id) -> Option<Id> {
        let opening = self.links.opening_of_filling(id);
        self.links.host_of_opening(opening.unwrap_or(id))
    }

    fn container(&self, id: Id) -> Option<Id> {
        self.links.direct_container(id).or_else(|| self.links.aggregate_parent(id))
    }

    fn materials(&self, id: Id) -> Vec<String> {
        self.links.materials_of(id).into_iter().map(|material| self.name(material)).collect()
    }
}

impl<'m, P: Pairing> Sides<'m, P> {
    pub(super) fn new(before: &'m Model, after: &'m Model, pairing: &'m P) -> Self {
        Self { old: Side::new(before), new: Side::new(after), pairing }
    }

    /// In what a thing differs, among what may have changed.
    pub(super) fn aspects(
        &self,
        old: &Instance<'_>,
        new: &Instance<'_>,
        flags: Aspects,
        own: Option<&Change>,
    ) -> Vec<Aspect> {
        let mut found = Vec::new();
        if flags.has(Aspects::PLACEMENT) {
            found.extend(self.moved(old, new));
        }
        if flags.has(Aspects::SHAPE) {
            found.push(Aspect::Reshaped);
        }
        if let (true, Some(Change::Modified(changes))) = (flags.has(Aspects::OWN), own) {
            let changes = changes.iter().filter(|c| Aspects::of_attribute(&c.attribute) == Aspects::OWN);
            found.extend(changes.map(|change| match change.attribute.as_str() {
                "Name" => Aspect::Renamed {
                    before: change.before.as_text().map(str::to_owned),
                    after: change.after.as_text().map(str::to_owned),
                },
                _ => Aspect::Attribute {
                    attribute: change.attribute.clone(),
                    before: change.before.clone(),
                    after: change.after.clone(),
                },
            }));
        }
        let (one, two) = (old.id(), new.id());
        if flags.has(Aspects::PROPERTIES) {
            self.properties(one, two, &mut found);
        }
        if flags.has(Aspects::CONTAINER)
            && let Some((before, after)) = self.other(self.old.container(one), self.new.container(two))
        {
            found.push(Aspect::Recontained { before, after });
        }
        if flags.has(Aspects::HOST)
            && let Some((before, after)) = self.other(self.old.host(one), self.new.host(two))
        {
            found.push(Aspect::Rehosted { before, after });
        }
        if flags.has(Aspects::TYPE)
            && let Some((before, after)) =
                self.other(self.old.links.type_of(one), self.new.links.type_of(two))
        {
            found.push(Aspect::Retyped { before, after });
        }
        if flags.has(Aspects::MATERIAL) {
            let (before, after) = (self.old.materials(one), self.new.materials(two));
            if before != after {
                found.push(Aspect::Material { before, after });
            }
        }
        if flags.has(Aspects::OPENINGS) {
            let (gone, come) = self.sets(self.old.links.openings_of(one), self.new.links.openings_of(two));
            if gone.len() + come.len() > 0 {
                found.push(Aspect::Openings { added: come.len(), removed: gone.len() });
            }
        }
        if flags.has(Aspects::GROUPS)
            && let Some((left, joined)) =
                self.named(self.old.links.groups_of(one), self.new.links.groups_of(two))
        {
            found.push(Aspect::Groups { joined, left });
        }
        if flags.has(Aspects::CLASSIFICATION)
            && let Some((left, joined)) =
                self.named(self.old.links.classifications_of(one), self.new.links.classifications_of(two))
        {
            found.push(Aspect::Classification { joined, left });
        }
        found
    }

    fn moved(&self, old: &Instance<'_>, new: &Instance<'_>) -> Option<Aspect> {
        let from = placement::of_product(self.old.model, old.id());
        let to = placement::of_product(self.new.model, new.id());
        let by_mm = to.translation * self.new.units.length_mm - from.translation * self.old.units.length_mm;
        let far = by_mm.abs().cmpgt(DVec3::splat(STILL_MM)).any();
        let turned = !from.matrix3.abs_diff_eq(to.matrix3, STRAIGHT);
        if !far && !turned {
            return None;
        }
        let own = |side: &Side<'_>, instance: &Instance<'_>| {
            let placed = instance.reference("ObjectPlacement").and_then(|id| side.model.get(id))?;
            let mut axes = placement::axis2(side.model, placed.reference("RelativePlacement")?)?;
            axes.translation *= side.units.length_mm;
            Some((axes, placed.reference("PlacementRelTo")))
        };
        let along = match (own(&self.old, old), own(&self.new, new)) {
            (Some((one, on)), Some((two, now_on))) => {
                // placements have no GlobalId: whether it is the same one shows in a history only
                one == two && on.and_then(|id| self.pairing.after_of(id)) == now_on
            }
            _ => false,
        };
        Some(Aspect::Moved { by_mm: by_mm.to_array(), turned, along })
    }

    fn properties(&self, old: Id, new: Id, found: &mut Vec<Aspect>) {
        let (before, after) = (self.old.properties(old), self.new.properties(new));
        let names: BTreeSet<&(String, String)> = before.keys().chain(after.keys()).collect();
        for name in names {
            let (old, new) = (before.get(name), after.get(name));
            let value = |side: Option<&(Json, bool)>| side.map_or(Json::Null, |(value, _)| value.clone());
            if value(old) != value(new) {
                found.push(Aspect::Property {
                    set: name.0.clone(),
                    property: name.1.clone(),
                    before: value(old),
                    after: value(new),
                    inherited: new.or(old).is_some_and(|(_, inherited)| *inherited),
                });
            }
        }
    }

    /// Both, if they are not the same thing.
    fn other(&self, before: Option<Id>, after: Option<Id>) -> Option<(Option<Id>, Option<Id>)> {
        let same =
            before.and_then(|id| self.pairing.after_of(id)) == after && before.is_some() == after.is_some();
        (!same).then_some((before, after))
    }

    /// Returns what only the one and what only the other has.
    fn sets(&self, before: Vec<Id>, after: Vec<Id>) -> (Vec<Id>, Vec<Id>) {
        let stays = |id: &Id| self.pairing.after_of(*id).is_some_and(|id| after.contains(&id));
        let was = |id: &Id| self.pairing.before_of(*id).is_some_and(|id| before.contains(&id));
        (
            before.iter().copied().filter(|id| !stays(id)).collect(),
            after.iter().copied().filter(|id| !was(id)).collect(),
        )
    }

    /// The names of what only the one and what only the other has; none if nothing. By name, for classifications have
    /// no GlobalId.
    fn named(&self, before: Vec<Id>, after: Vec<Id>) -> Option<(Vec<String>, Vec<String>)> {
        let names = |side: &Side<'_>, ids: Vec<Id>| -> BTreeSet<String> {
            ids.into_iter().map(|id| side.name(id)).collect()
        };
        let (before, after) = (names(&self.old, before), names(&self.new, after));
        let left: Vec<String> = before.difference(&after).cloned().collect();
        let joined: Vec<String> = after.difference(&before).cloned().collect();
        (left.len() + joined.len() > 0).then_some((left, joined))
    }
}
