//! The elements of a scene that an edit makes stale: from the instances that differ up through all that refers to them, to elements.
//!
//! Only what can matter to a picture is climbed: shapes, placements, styles and materials, not property sets, owner histories or
//! contexts, on which everything hangs. Relations are compared by member, so that adding a wall to a storey says nothing of the
//! walls that were there.

use super::entry::with_dependants;
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
        let mut climb =
            Climb { before, after, seen: HashSet::new(), open: Vec::new(), stale: Stale::default() };
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
        (Some(old), Some(new)) if new.is_a("IfcProduct") => {
            ["ObjectPlacement", "Representation"].iter().any(|name| old.attr(name) != new.attr(name))
        }
        (old, new) => !old.or(new).is_some_and(|instance| is_clothing(&instance)),
    };
    let touched: Vec<Id> = touched.iter().copied().filter(counts).collect();
    Stale::between(before, after, &touched, usize::MAX / 2).map(|stale| stale.shapes)
}

/// Returns true for what gives an element looks, material or type, and no other shape.
fn is_clothing(instance: &Instance<'_>) -> bool {
    const KINDS: [&str; 15] = [
        "IfcRelAssociatesMaterial",
        "IfcRelDefinesByType",
        "IfcStyledItem",
        "IfcPresentationStyle",
        "IfcPresentationStyleAssignment",
        "IfcPresentationItem",
        "IfcPresentationLayerAssignment",
        "IfcMaterialDefinition",
        "IfcMaterialDefinitionRepresentation",
        "IfcMaterialUsageDefinition",
        "IfcMaterialList",
        "IfcMaterial",
        "IfcMaterialLayer",
        "IfcMaterialLayerSet",
        "IfcMaterialLayerSetUsage",
    ];
    KINDS.iter().any(|kind| instance.is_a(kind))
}

struct Climb<'m> {
    before: &'m Model,
    after: &'m Model,
    /// Instances whose content counts as changed.
    seen: HashSet<Id>,
    open: Vec<Id>,
    stale: Stale,
}

/// Returns true if what refers to an instance of this kind may look different when it changes.
fn matters(instance: &Instance<'_>) -> bool {
    const KINDS: [&str; 14] = [
        "IfcRepresentationItem",
        "IfcRepresentation",
        "IfcProductRepresentation",
        "IfcRepresentationMap",
        "IfcObjectPlacement",
        "IfcVirtualGridIntersection",
        "IfcGridAxis",
        "IfcProfileDef",
        "IfcPresentationStyle",
        "IfcPresentationStyleAssignment",
        "IfcPresentationItem",
        "IfcMaterialDefinition",
        "IfcMaterialUsageDefinition",
        "IfcMaterialList",
    ];
    // IFC2X3 has no common supertype of materials and of colours
    const OLDER: [&str; 7] = [
        "IfcMaterial",
        "IfcMaterialLayer",
        "IfcMaterialLayerSet",
        "IfcMaterialLayerSetUsage",
        "IfcColourSpecification",
        "IfcSurfaceStyleShading",
        "IfcSurfaceStyleRendering",
    ];
    KINDS.iter().chain(&OLDER).any(|kind| instance.is_a(kind))
}

/// Relations whose other end decides what an element is shown with or cut by: class, whole, parts.
const HANGING: [(&str, &str, &str); 6] = [
    ("IfcRelContainedInSpatialStructure", "RelatingStructure", "RelatedElements"),
    ("IfcRelAggregates", "RelatingObject", "RelatedObjects"),
    ("IfcRelNests", "RelatingObject", "RelatedObjects"),
    ("IfcRelFillsElement", "RelatingOpeningElement", "RelatedBuildingElement"),
    ("IfcRelAdheresToElement", "RelatingElement", "RelatedSurfaceFeatures"),
    ("IfcRelVoidsElement", "RelatingBuildingElement", "RelatedOpeningElement"),
];

/// Relations that bring a material: class, what brings it, elements and types that get it.
const CLOTHING: [(&str, &str, &str); 2] = [
    ("IfcRelAssociatesMaterial", "RelatingMaterial", "RelatedObjects"),
    ("IfcRelDefinesByType", "RelatingType", "RelatedObjects"),
];

/// References of an attribute that holds one or many.
fn ends(instance: Option<&Instance<'_>>, attribute: &str) -> BTreeSet<Id> {
    let mut found = BTreeSet::new();
    if let Some(instance) = instance {
        instance.attr(attribute).for_each_ref(&mut |id| {
            found.insert(id);
        });
    }
    found
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
        // every length and angle hangs on these
        let units =
            ["IfcNamedUnit", "IfcDerivedUnit", "IfcUnitAssignment", "IfcMeasureWithUnit", "IfcMonetaryUnit"];
        if units.iter().any(|class| is_a(class)) || (is_a("IfcProject") && differ("UnitsInContext")) {
            return None;
        }
        if let Some((class, one, many)) = HANGING.iter().find(|(class, ..)| is_a(class)) {
            let members = self.changed_members(id, one, many);
            self.hung(&members);
            if *class == "IfcRelVoidsElement" {
                let hosts: BTreeSet<Id> =
                    [&old, &new].into_iter().flat_map(|i| ends(i.as_ref(), one)).collect();
                self.cut(hosts);
            }
            return Some(());
        }
        if let Some((_, one, many)) = CLOTHING.iter().find(|(class, ..)| is_a(class)) {
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
        let (had, has) = (ends(old.as_ref(), many), ends(new.as_ref(), many));
        if ends(old.as_ref(), one) == ends(new.as_ref(), one) {
            had.symmetric_difference(&has).copied().collect()
        } else {
            had.union(&has).copied().collect()
        }
    }

    /// Elements that belong to something else now: they, and all that hangs on them, may be on another storey; parts lose or
    /// get the openings of their whole.
    fn hung(&mut self, members: &BTreeSet<Id>) {
        for model in [self.before, self.after] {
            with_dependants(model, members.iter().copied(), &mut self.stale.places);
            self.stale.places.extend(members);
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
            if instance.is_a("IfcProduct") {
                self.stale.shapes.insert(id);
                // it may be new, or be a spatial structure now
                self.stale.places.insert(id);
                if let Some(host) = ifc::relations::host_of_opening(model, id) {
                    self.cut([host]);
                }
            } else if instance.is_a("IfcStyledItem") {
                for item in ends(Some(&instance), "Item") {
                    self.stale.styled.insert(item);
                    self.push(item);
                }
                // the representation of a material's looks
                self.climb(model, id);
            } else if instance.is_a("IfcPresentationLayerAssignment") {
                for item in ends(Some(&instance), "AssignedItems") {
                    self.stale.styled.insert(item);
                    self.push(item);
                }
            } else if instance.is_a("IfcMaterialDefinitionRepresentation") {
                for material in ends(Some(&instance), "RepresentedMaterial") {
                    self.stale.styled.insert(material);
                    self.push(material);
                }
            } else if let Some((_, _, many)) = CLOTHING.iter().find(|(class, ..)| instance.is_a(class)) {
                // what it brings has changed
                let members = ends(Some(&instance), many);
                self.clothed(members);
            } else if matters(&instance) {
                if instance.is_a("IfcRepresentation") {
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

    fn climb(&mut self, model: &Model, id: Id) {
        for referrer in model.referrers(id) {
            self.push(referrer);
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
