//! Connections between objects: elements connected along paths, at faces or through others, interferences, coverings, ports of
//! distribution elements, and the boundaries between spaces and elements (IfcProductExtension and
//! IfcSharedBldgServiceElements, ISO 16739-1:2018, 5.4 and 6.2). All as the file says it; nothing is measured.

use super::{End, Links, NESTED, NESTS};
use crate::Id;

/// An element as relating side of a connection.
pub const CONNECTING: End = End { class: "IfcRelConnectsElements", attribute: "RelatingElement" };
/// An element as related side of a connection.
pub const CONNECTED: End = End { class: "IfcRelConnectsElements", attribute: "RelatedElement" };
/// An element through which others are connected.
pub const REALIZES: End =
    End { class: "IfcRelConnectsWithRealizingElements", attribute: "RealizingElements" };
/// An element that interferes with another.
pub const INTERFERING: End = End { class: "IfcRelInterferesElements", attribute: "RelatingElement" };
/// An element that another interferes with.
pub const INTERFERED: End = End { class: "IfcRelInterferesElements", attribute: "RelatedElement" };
/// A port fixed to an element, in files older than IFC4.
pub const PORT: End = End { class: "IfcRelConnectsPortToElement", attribute: "RelatingPort" };
/// An element with ports, in files older than IFC4.
pub const WITH_PORTS: End = End { class: "IfcRelConnectsPortToElement", attribute: "RelatedElement" };
/// A port as relating side of a connection.
pub const PORT_CONNECTING: End = End { class: "IfcRelConnectsPorts", attribute: "RelatingPort" };
/// A port as related side of a connection.
pub const PORT_CONNECTED: End = End { class: "IfcRelConnectsPorts", attribute: "RelatedPort" };
/// A space or zone as bounded.
pub const BOUNDED: End = End { class: "IfcRelSpaceBoundary", attribute: "RelatingSpace" };
/// An element as boundary of spaces.
pub const BOUNDS: End = End { class: "IfcRelSpaceBoundary", attribute: "RelatedBuildingElement" };

const COVERED: End = End { class: "IfcRelCoversBldgElements", attribute: "RelatingBuildingElement" };
const COVERS: End = End { class: "IfcRelCoversBldgElements", attribute: "RelatedCoverings" };
const SPACE_COVERED: End = End { class: "IfcRelCoversSpaces", attribute: "RelatingSpace" };
const SPACE_COVERED_2X3: End = End { class: "IfcRelCoversSpaces", attribute: "RelatedSpace" };
const COVERS_SPACE: End = End { class: "IfcRelCoversSpaces", attribute: "RelatedCoverings" };

/// A connection of an element with another.
#[derive(Debug, Clone, PartialEq)]
pub struct Connection {
    /// `IfcRelConnectsElements` or a subtype.
    pub relation: Id,
    /// The other element.
    pub other: Id,
    /// True if the element asked about is the relating side.
    pub is_relating: bool,
    /// The place along its path at which the element asked about is met: `ATSTART`, `ATEND`, `ATPATH`, …; only of path connections.
    pub at: Option<String>,
    /// The place along its path at which the other one is met.
    pub at_other: Option<String>,
    /// Priorities of the layers of the element asked about, for who cuts whom; only of path connections.
    pub priorities: Vec<i64>,
    /// Priorities of the layers of the other one.
    pub other_priorities: Vec<i64>,
    /// The elements that make the connection, such as bolts.
    pub realized_by: Vec<Id>,
}

/// The level of a space boundary, which says how finely it is cut (IfcRelSpaceBoundary and its subtypes, 5.4).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BoundaryLevel {
    /// Along the whole element, whatever lies behind.
    First,
    /// Second level with one space behind: heat flows through.
    SecondA,
    /// Second level with the end of an element behind.
    SecondB,
    /// Second level, not said which.
    Second,
    /// Not said.
    Unknown,
}

/// A boundary between a space and an element.
#[derive(Debug, Clone, PartialEq)]
pub struct Boundary {
    /// `IfcRelSpaceBoundary` or a subtype.
    pub relation: Id,
    /// The space, or the zone outside.
    pub space: Option<Id>,
    /// The element; none for a virtual boundary in IFC2X3.
    pub element: Option<Id>,
    /// `PHYSICAL`, `VIRTUAL` or `NOTDEFINED`.
    pub physical: Option<String>,
    /// `INTERNAL`, `EXTERNAL`, …
    pub internal: Option<String>,
    /// By the class, in older files by what the name and description say (`2ndLevel`, `2a`).
    pub level: BoundaryLevel,
    /// The boundary that this one is an opening in.
    pub parent: Option<Id>,
    /// The boundary on the other side.
    pub corresponding: Option<Id>,
}

impl Links<'_> {
    /// The connections of an element with others, as either side (IfcRelConnectsElements, IfcRelConnectsPathElements,
    /// IfcRelConnectsWithRealizingElements).
    pub fn connections_of(&self, element: Id) -> Vec<Connection> {
        let mut found = Vec::new();
        for (end, is_relating) in [(CONNECTING, true), (CONNECTED, false)] {
            for relation in self.relations(element, end) {
                let Some(instance) = self.model().get(relation) else { continue };
                let (own, other) =
                    if is_relating { ("Relating", "Related") } else { ("Related", "Relating") };
                let Some(other_element) = instance.reference(&format!("{other}Element")) else { continue };
                let integers = |side: &str| {
                    let list = instance.attr(&format!("{side}Priorities"));
                    list.as_list().unwrap_or_default().iter().filter_map(crate::Value::as_i64).collect()
                };
                found.push(Connection {
                    relation,
                    other: other_element,
                    is_relating,
                    at: instance.enumeration(&format!("{own}ConnectionType")),
                    at_other: instance.enumeration(&format!("{other}ConnectionType")),
                    priorities: integers(own),
                    other_priorities: integers(other),
                    realized_by: instance.references("RealizingElements"),
                });
            }
        }
        found
    }

    /// The elements connected with an element: beside it, or by means of it (IfcRelConnectsElements).
    pub fn connected_to(&self, element: Id) -> Vec<Id> {
        let mut found: Vec<Id> = self.connections_of(element).into_iter().map(|c| c.other).collect();
        for side in ["RelatingElement", "RelatedElement"] {
            found.extend(self.across(element, REALIZES, side));
        }
        without_repetition(found)
    }

    /// The elements that interfere with an element, whichever side it is (IfcRelInterferesElements, from IFC4 on).
    pub fn interferes_with(&self, element: Id) -> Vec<Id> {
        let mut found = self.across(element, INTERFERING, "RelatedElement");
        found.extend(self.across(element, INTERFERED, "RelatingElement"));
        without_repetition(found)
    }

    /// The coverings on an element or in a space (IfcRelCoversBldgElements, IfcRelCoversSpaces).
    pub fn coverings_of(&self, covered: Id) -> Vec<Id> {
        let ends = [COVERED, SPACE_COVERED, SPACE_COVERED_2X3];
        let found = ends.into_iter().flat_map(|end| self.across(covered, end, "RelatedCoverings"));
        without_repetition(found.collect())
    }

    /// The elements and spaces that a covering covers (IfcRelCoversBldgElements, IfcRelCoversSpaces).
    pub fn covered_by(&self, covering: Id) -> Vec<Id> {
        let mut found = self.across(covering, COVERS, "RelatingBuildingElement");
        found.extend(self.across(covering, COVERS_SPACE, "RelatingSpace"));
        found.extend(self.across(covering, COVERS_SPACE, "RelatedSpace"));
        without_repetition(found)
    }

    /// The ports of a distribution element: nested in it (IfcRelNests, from IFC4 on), or fixed to it
    /// (IfcRelConnectsPortToElement).
    pub fn ports_of(&self, element: Id) -> Vec<Id> {
        let mut found = self.across(element, NESTS, "RelatedObjects");
        found.retain(|id| self.is_a(*id, "IfcPort"));
        found.extend(self.across(element, WITH_PORTS, "RelatingPort"));
        without_repetition(found)
    }

    /// The element that a port belongs to.
    pub fn element_of_port(&self, port: Id) -> Option<Id> {
        self.first_across(port, NESTED, "RelatingObject")
            .or_else(|| self.first_across(port, PORT, "RelatedElement"))
    }

    /// The ports connected with a port, whichever side it is (IfcRelConnectsPorts).
    pub fn connected_ports(&self, port: Id) -> Vec<Id> {
        let mut found = self.across(port, PORT_CONNECTING, "RelatedPort");
        found.extend(self.across(port, PORT_CONNECTED, "RelatingPort"));
        without_repetition(found)
    }

    /// The elements whose ports are connected with an element's ports.
    pub fn neighbours_by_ports(&self, element: Id) -> Vec<Id> {
        let ports = self.ports_of(element).into_iter();
        let found = ports.flat_map(|port| self.connected_ports(port));
        without_repetition(found.filter_map(|port| self.element_of_port(port)).collect())
    }

    /// The boundaries of a space, or of the zone outside.
    pub fn boundaries_of_space(&self, space: Id) -> Vec<Boundary> {
        self.relations(space, BOUNDED).into_iter().filter_map(|id| self.boundary(id)).collect()
    }

    /// The boundaries that an element makes.
    pub fn boundaries_of_element(&self, element: Id) -> Vec<Boundary> {
        self.relations(element, BOUNDS).into_iter().filter_map(|id| self.boundary(id)).collect()
    }

    /// The rooms of which an element is a boundary; of a storey, building or other place, the rooms that it is made of.
    pub fn spaces_of(&self, element: Id) -> Vec<Id> {
        let mut found: Vec<Id> =
            self.boundaries_of_element(element).into_iter().filter_map(|boundary| boundary.space).collect();
        if found.is_empty() {
            found = self.children(element);
            found.extend(self.contained(element));
            found.retain(|id| self.is_a(*id, "IfcSpace"));
        }
        found.retain(|id| self.model().contains(*id));
        without_repetition(found)
    }

    /// The elements that bound a room; of another element, the relations by which it bounds rooms.
    pub fn bounding(&self, element: Id) -> Vec<Id> {
        let of_space = self.boundaries_of_space(element);
        let found: Vec<Id> = if of_space.is_empty() {
            self.boundaries_of_element(element).into_iter().map(|boundary| boundary.relation).collect()
        } else {
            of_space.into_iter().filter_map(|boundary| boundary.element).collect()
        };
        without_repetition(found.into_iter().filter(|id| self.model().contains(*id)).collect())
    }

    /// A space boundary by its instance.
    pub fn boundary(&self, relation: Id) -> Option<Boundary> {
        let instance = self.model().get(relation)?;
        let says = |attribute: &str, word: &str| {
            instance.text(attribute).is_some_and(|text| text.to_ascii_lowercase().contains(word))
        };
        let second = instance.is_a("IfcRelSpaceBoundary2ndLevel") || says("Name", "2ndlevel");
        let level = if second && says("Description", "2a") {
            BoundaryLevel::SecondA
        } else if second && says("Description", "2b") {
            BoundaryLevel::SecondB
        } else if second {
            BoundaryLevel::Second
        } else if instance.is_a("IfcRelSpaceBoundary1stLevel") || says("Name", "1stlevel") {
            BoundaryLevel::First
        } else {
            BoundaryLevel::Unknown
        };
        instance.is_a("IfcRelSpaceBoundary").then(|| Boundary {
            relation,
            space: instance.reference("RelatingSpace"),
            element: instance.reference("RelatedBuildingElement"),
            physical: instance.enumeration("PhysicalOrVirtualBoundary"),
            internal: instance.enumeration("InternalOrExternalBoundary"),
            level,
            parent: instance.reference("ParentBoundary"),
            corresponding: instance.reference("CorrespondingBoundary"),
        })
    }
}

fn without_repetition(mut found: Vec<Id>) -> Vec<Id> {
    let mut seen = std::collections::HashSet::new();
    found.retain(|id| seen.insert(*id));
    found
}
