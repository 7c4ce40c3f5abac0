//! Assignments of objects: groups, systems and zones, and the actors, processes, resources, controls and
//! products of IfcRelAssigns (IfcKernel, ISO 16739-1:2018, 5.1). An assignment is no decomposition: an object may
//! have many, and what it is assigned to does not contain it.

use super::{End, Links};
use crate::Id;

const fn assigned(class: &'static str) -> End {
    End { class, attribute: "RelatedObjects" }
}

/// A member of groups.
pub const GROUPED: End = assigned("IfcRelAssignsToGroup");
/// A group with members.
pub const GROUPS: End = End { class: "IfcRelAssignsToGroup", attribute: "RelatingGroup" };
/// A system that serves parts of a building (IfcRelServicesBuildings, 5.4).
pub const SERVES: End = End { class: "IfcRelServicesBuildings", attribute: "RelatingSystem" };
/// A part of a building that systems serve.
pub const SERVED: End = End { class: "IfcRelServicesBuildings", attribute: "RelatedBuildings" };

impl Links<'_> {
    /// The groups of any kind that an object is assigned to, systems and zones among them (IfcRelAssignsToGroup).
    pub fn groups_of(&self, object: Id) -> Vec<Id> {
        self.across(object, GROUPED, "RelatingGroup")
    }

    /// The members of a group, not those of groups within (IfcRelAssignsToGroup).
    pub fn members_of(&self, group: Id) -> Vec<Id> {
        self.across(group, GROUPS, "RelatedObjects")
    }

    /// The systems that an element belongs to: distribution systems and circuits, building systems (IFC4) or built
    /// systems (IFC4X3); neither zones, which the schemas from IFC4 on count as systems, nor analysis models
    /// (IfcSystem, 5.4).
    pub fn systems_of(&self, element: Id) -> Vec<Id> {
        let mut groups = self.groups_of(element);
        groups.retain(|group| {
            self.is_a(*group, "IfcSystem")
                && !self.is_a(*group, "IfcZone")
                && !self.is_a(*group, "IfcStructuralAnalysisModel")
        });
        groups
    }

    /// The zones that a space belongs to (IfcZone, 5.4).
    pub fn zones_of(&self, space: Id) -> Vec<Id> {
        let mut groups = self.groups_of(space);
        groups.retain(|group| self.is_a(*group, "IfcZone"));
        groups
    }

    /// The sites, buildings, storeys or spaces that a system serves (IfcRelServicesBuildings, 5.4).
    pub fn served_by(&self, system: Id) -> Vec<Id> {
        self.across(system, SERVES, "RelatedBuildings")
    }

    /// The systems that serve a part of a building (IfcRelServicesBuildings, 5.4).
    pub fn systems_serving(&self, spatial: Id) -> Vec<Id> {
        self.across(spatial, SERVED, "RelatingSystem")
    }

    /// The persons and organisations in charge of an object, or occupying a space (IfcRelAssignsToActor).
    pub fn actors_of(&self, object: Id) -> Vec<Id> {
        self.across(object, assigned("IfcRelAssignsToActor"), "RelatingActor")
    }

    /// The tasks and procedures that act on an object (IfcRelAssignsToProcess).
    pub fn processes_of(&self, object: Id) -> Vec<Id> {
        self.across(object, assigned("IfcRelAssignsToProcess"), "RelatingProcess")
    }

    /// The resources that an object is a use of (IfcRelAssignsToResource).
    pub fn resources_of(&self, object: Id) -> Vec<Id> {
        self.across(object, assigned("IfcRelAssignsToResource"), "RelatingResource")
    }

    /// The schedules, cost items, permits and orders that control an object (IfcRelAssignsToControl).
    pub fn controls_of(&self, object: Id) -> Vec<Id> {
        self.across(object, assigned("IfcRelAssignsToControl"), "RelatingControl")
    }

    /// The products that an object, often a process, is for (IfcRelAssignsToProduct).
    pub fn products_of(&self, object: Id) -> Vec<Id> {
        self.across(object, assigned("IfcRelAssignsToProduct"), "RelatingProduct")
    }
}
