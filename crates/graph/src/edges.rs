//! Relationships as edges between nodes: the schema's by the names of its inverse attributes, and those of the Building Topology Ontology.
//!
//! An edge is written as the steps that lead along it, each over one relationship from one of its attributes to another. Both ways are
//! answered from the model's index of referrers; no edge is stored. Edges that hang on more than one relationship, such as the materials
//! that an element has from its type, are in [`crate::derived`].

use crate::names::{BOT, IFC};
use ifc::relations::{End, Links};
use ifc::{Id, Model};

/// One step of an edge: over a relationship, or along an attribute of the node itself.
#[derive(Debug, Clone, Copy)]
pub struct Step {
    /// The relationship; of an attribute, the class that has it.
    class: &'static str,
    /// The attribute that refers to the node where the step begins; empty where that is the instance of `class` itself.
    from: &'static str,
    /// The attribute that refers to the node where it ends; empty likewise.
    to: &'static str,
    /// Classes of which the first node must be; none: any.
    of: &'static [&'static str],
    /// Classes of which the last node must be; none: any.
    only: &'static [&'static str],
}

/// A predicate between nodes.
#[derive(Debug, Clone, Copy)]
pub struct Edge {
    /// The namespace.
    pub namespace: &'static str,
    /// The local name.
    pub name: &'static str,
    /// The meaning, for the vocabulary.
    pub meaning: &'static str,
    /// Ways along which the edge leads.
    paths: &'static [&'static [Step]],
}

const fn step(class: &'static str, from: &'static str, to: &'static str) -> Step {
    Step { class, from, to, of: &[], only: &[] }
}

const fn narrow(step: Step, of: &'static [&'static str], only: &'static [&'static str]) -> Step {
    Step { of, only, ..step }
}

const fn ifc(name: &'static str, meaning: &'static str, paths: &'static [&'static [Step]]) -> Edge {
    Edge { namespace: IFC, name, meaning, paths }
}

const fn bot(name: &'static str, meaning: &'static str, paths: &'static [&'static [Step]]) -> Edge {
    Edge { namespace: BOT, name, meaning, paths }
}

const fn turned(step: Step) -> Step {
    Step { class: step.class, from: step.to, to: step.from, of: step.only, only: step.of }
}

/// Classes of zones: the spatial structure, by the names of all schemas.
const ZONES: &[&str] = &["IfcSpatialStructureElement", "IfcSpatialElement"];
/// Classes of elements. Openings are no things.
pub const ELEMENTS: &[&str] = &["IfcElement"];

const AGGREGATES: Step = step("IfcRelAggregates", "RelatingObject", "RelatedObjects");
const NESTS: Step = step("IfcRelNests", "RelatingObject", "RelatedObjects");
const CONTAINS: Step = step("IfcRelContainedInSpatialStructure", "RelatingStructure", "RelatedElements");
const REFERENCES: Step = step("IfcRelReferencedInSpatialStructure", "RelatingStructure", "RelatedElements");
const VOIDS: Step = step("IfcRelVoidsElement", "RelatingBuildingElement", "RelatedOpeningElement");
const FILLS: Step = step("IfcRelFillsElement", "RelatingOpeningElement", "RelatedBuildingElement");
const PROJECTS: Step = step("IfcRelProjectsElement", "RelatingElement", "RelatedFeatureElement");
const ADHERES: Step = step("IfcRelAdheresToElement", "RelatingElement", "RelatedSurfaceFeatures");
const TYPES: Step = step("IfcRelDefinesByType", "RelatingType", "RelatedObjects");
const DEFINES: Step = step("IfcRelDefinesByProperties", "RelatingPropertyDefinition", "RelatedObjects");
const GROUPS: Step = step("IfcRelAssignsToGroup", "RelatingGroup", "RelatedObjects");
const SERVES: Step = step("IfcRelServicesBuildings", "RelatingSystem", "RelatedBuildings");
const BOUNDS: Step = step("IfcRelSpaceBoundary", "RelatingSpace", "RelatedBuildingElement");
const COVERS: Step = step("IfcRelCoversBldgElements", "RelatingBuildingElement", "RelatedCoverings");
const COVERS_SPACE: Step = step("IfcRelCoversSpaces", "RelatingSpace", "RelatedCoverings");
const COVERS_SPACE_2X3: Step = step("IfcRelCoversSpaces", "RelatedSpace", "RelatedCoverings");
const CONNECTS: Step = step("IfcRelConnectsElements", "RelatingElement", "RelatedElement");
const CONNECTS_PORTS: Step = step("IfcRelConnectsPorts", "RelatingPort", "RelatedPort");
const PORT_OF: Step = step("IfcRelConnectsPortToElement", "RelatedElement", "RelatingPort");
const NESTS_PORT: Step = narrow(NESTS, &[], &["IfcPort"]);
const INTERFERES: Step = step("IfcRelInterferesElements", "RelatingElement", "RelatedElement");
const DOCUMENTS: Step = step("IfcRelAssociatesDocument", "RelatedObjects", "RelatingDocument");
const SEQUENCE: Step = step("IfcRelSequence", "RelatingProcess", "RelatedProcess");
const DECLARES: Step = step("IfcRelDeclares", "RelatingContext", "RelatedDefinitions");

/// Every edge.
pub const EDGES: &[Edge] = &[
    ifc("isDecomposedBy", "whole to part (IfcRelAggregates)", &[&[AGGREGATES]]),
    ifc("decomposes", "part to whole (IfcRelAggregates)", &[&[turned(AGGREGATES)]]),
    ifc("isNestedBy", "host to nested part (IfcRelNests)", &[&[NESTS]]),
    ifc("nests", "nested part to host (IfcRelNests)", &[&[turned(NESTS)]]),
    ifc("containsElements", "spatial structure to what it directly contains", &[&[CONTAINS]]),
    ifc(
        "containedInStructure",
        "element to the spatial structure that directly contains it",
        &[&[turned(CONTAINS)]],
    ),
    ifc("referencesElements", "spatial structure to what it mentions besides", &[&[REFERENCES]]),
    ifc("referencedInStructures", "element to further spatial structures", &[&[turned(REFERENCES)]]),
    ifc("hasOpenings", "element to opening", &[&[VOIDS]]),
    ifc("voidsElements", "opening to the element that it is in", &[&[turned(VOIDS)]]),
    ifc("hasFillings", "opening to door or window", &[&[FILLS]]),
    ifc("fillsVoids", "door or window to its opening", &[&[turned(FILLS)]]),
    ifc(
        "hostedBy",
        "door or window to the wall, slab or roof that it is in",
        &[&[turned(FILLS), turned(VOIDS)]],
    ),
    ifc("hosts", "wall, slab or roof to its doors and windows", &[&[VOIDS, FILLS]]),
    ifc("hasProjections", "element to projection", &[&[PROJECTS]]),
    ifc("projectsElements", "projection to its element", &[&[turned(PROJECTS)]]),
    ifc("hasSurfaceFeatures", "element to surface feature", &[&[ADHERES]]),
    ifc("adheresToElement", "surface feature to its element", &[&[turned(ADHERES)]]),
    ifc("isTypedBy", "object to its type", &[&[turned(TYPES)]]),
    ifc("types", "type to its objects", &[&[TYPES]]),
    ifc("isDefinedBy", "object to its own property sets and quantities", &[&[turned(DEFINES)]]),
    ifc("definesOccurrence", "property set to objects", &[&[DEFINES]]),
    ifc("memberOf", "object to group, zone or system", &[&[turned(GROUPS)]]),
    ifc("hasMember", "group, zone or system to its objects", &[&[GROUPS]]),
    ifc("servicesBuildings", "system to the parts of a building that it serves", &[&[SERVES]]),
    ifc("servicedBySystems", "part of a building to systems that serve it", &[&[turned(SERVES)]]),
    ifc("boundedBy", "space to elements, as the file's space boundaries say", &[&[BOUNDS]]),
    ifc("providesBoundaries", "element to spaces, as the file's space boundaries say", &[&[turned(BOUNDS)]]),
    ifc("hasCoverings", "element or space to coverings", &[&[COVERS], &[COVERS_SPACE], &[COVERS_SPACE_2X3]]),
    ifc(
        "coversElements",
        "covering to element or space",
        &[&[turned(COVERS)], &[turned(COVERS_SPACE)], &[turned(COVERS_SPACE_2X3)]],
    ),
    ifc(
        "connectedTo",
        "element to element, port to port, both ways",
        &[&[CONNECTS], &[turned(CONNECTS)], &[CONNECTS_PORTS], &[turned(CONNECTS_PORTS)]],
    ),
    ifc("hasPorts", "element to its ports", &[&[NESTS_PORT], &[PORT_OF]]),
    ifc("portOf", "port to its element", &[&[turned(NESTS_PORT)], &[turned(PORT_OF)]]),
    ifc("interferesWith", "element to element, both ways", &[&[INTERFERES], &[turned(INTERFERES)]]),
    ifc("hasDocument", "object to document", &[&[DOCUMENTS]]),
    ifc("isPredecessorTo", "task to the next one (IfcRelSequence)", &[&[SEQUENCE]]),
    ifc("isSuccessorFrom", "task to the one before (IfcRelSequence)", &[&[turned(SEQUENCE)]]),
    ifc("declares", "project to what it declares", &[&[DECLARES]]),
    bot("hasBuilding", "site to building", &[&[narrow(AGGREGATES, &["IfcSite"], &["IfcBuilding"])]]),
    bot(
        "hasStorey",
        "building to storey",
        &[&[narrow(AGGREGATES, &["IfcBuilding"], &["IfcBuildingStorey"])]],
    ),
    bot(
        "hasSpace",
        "storey, or another zone, to the spaces directly in it",
        &[&[narrow(AGGREGATES, ZONES, &["IfcSpace"])]],
    ),
    bot(
        "containsZone",
        "zone to the zones directly in it; bot:containsZone+ for all below",
        &[&[narrow(AGGREGATES, ZONES, ZONES)], &[narrow(GROUPS, &["IfcZone"], ZONES)]],
    ),
    bot(
        "containsElement",
        "zone to the elements that it directly contains",
        &[&[narrow(CONTAINS, ZONES, ELEMENTS)]],
    ),
    bot(
        "hasSubElement",
        "element to its parts, and to the doors and windows in it",
        &[&[narrow(AGGREGATES, ELEMENTS, ELEMENTS)], &[VOIDS, FILLS]],
    ),
    bot(
        "interfaceOf",
        "space boundary to its space and its element",
        &[
            &[step("IfcRelSpaceBoundary", "", "RelatingSpace")],
            &[step("IfcRelSpaceBoundary", "", "RelatedBuildingElement")],
        ],
    ),
];

/// True if an instance is of one of some classes; of none: any.
fn is_one(model: &Model, id: Id, classes: &[&str]) -> bool {
    classes.is_empty()
        || model.get(id).is_some_and(|instance| classes.iter().any(|class| instance.is_a(class)))
}

impl Step {
    fn follow(&self, links: &Links<'_>, node: Id) -> Vec<Id> {
        let model = links.model();
        if !is_one(model, node, self.of) {
            return Vec::new();
        }
        let mut found = if self.from.is_empty() {
            let instance = model.get(node).filter(|instance| instance.is_a(self.class));
            instance.map(|instance| instance.references(self.to)).unwrap_or_default()
        } else {
            let end = End { class: self.class, attribute: self.from };
            if self.to.is_empty() { links.relations(node, end) } else { links.across(node, end, self.to) }
        };
        found.retain(|id| model.contains(*id) && is_one(model, *id, self.only));
        found
    }

    /// The nodes at which it begins.
    fn starts(&self, model: &Model) -> Vec<Id> {
        let instances = model.of_class(self.class);
        let mut found = if self.from.is_empty() {
            instances
        } else {
            let mut found = Vec::new();
            for relation in instances.into_iter().filter_map(|id| model.get(id)) {
                relation.add_references(self.from, &mut found);
            }
            found
        };
        found.retain(|id| model.contains(*id) && is_one(model, *id, self.of));
        found
    }
}

/// Follows the steps of a path from a node, or backwards to it.
fn along(links: &Links<'_>, path: &[Step], node: Id, is_backwards: bool) -> Vec<Id> {
    let mut at = vec![node];
    let count = path.len();
    for number in 0..count {
        let place = if is_backwards { count - 1 - number } else { number };
        let Some(step) = path.get(place) else { break };
        let step = if is_backwards { turned(*step) } else { *step };
        at = at.into_iter().flat_map(|node| step.follow(links, node)).collect();
    }
    at
}

/// Sorts ids and takes repetitions out: a graph has each triple once.
pub fn once(mut ids: Vec<Id>) -> Vec<Id> {
    if !ids.is_sorted_by(|a, b| a < b) {
        ids.sort_unstable();
        ids.dedup();
    }
    ids
}

impl Edge {
    /// The instances to which the edge leads from a node.
    pub fn objects(&self, links: &Links<'_>, node: Id) -> Vec<Id> {
        once(self.paths.iter().flat_map(|path| along(links, path, node, false)).collect())
    }

    /// The instances from which the edge leads to a node.
    pub fn subjects(&self, links: &Links<'_>, node: Id) -> Vec<Id> {
        once(self.paths.iter().flat_map(|path| along(links, path, node, true)).collect())
    }

    /// The instances from which the edge may lead anywhere.
    pub fn sources(&self, model: &Model) -> Vec<Id> {
        let starts = self.paths.iter().filter_map(|path| path.first());
        once(starts.flat_map(|step| step.starts(model)).collect())
    }
}
