//! The relations by which members remember grids and columns, as they stand in the model.

use ifc::{Id, Model};
use std::collections::BTreeSet;

/// The name of the relation to a grid.
pub(super) const PLACED: &str = "Placed on grid";
/// The property set with the names of crossings.
pub(crate) const SET: &str = "Pensaer_GridPlacement";
/// The name of the relation to a column.
pub(super) const BORNE: &str = "Follows";

/// The part of an element that a tie holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// All of it.
    Whole,
    /// The start of its axis.
    Start,
    /// The end of its axis.
    End,
}

impl Role {
    pub(super) const ALL: [Self; 3] = [Self::Whole, Self::Start, Self::End];

    pub(super) fn read(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.property() == text)
    }

    pub(super) fn property(self) -> &'static str {
        match self {
            Self::Whole => "Crossing",
            Self::Start => "StartCrossing",
            Self::End => "EndCrossing",
        }
    }
}

/// The name of the relation between a beam and a column that it stops at.
pub(super) const FRAMED: &str = "Framed into";

pub(super) fn grids_of(model: &Model, element: Id) -> Vec<Id> {
    model
        .referrers_of(element, "IfcRelAssignsToProduct")
        .into_iter()
        .filter_map(|id| model.get(id))
        .filter(|relation| relation.name().as_deref() == Some(PLACED))
        .filter_map(|relation| relation.reference("RelatingProduct"))
        .collect()
}

pub(super) fn crossing_of(model: &Model, element: Id, role: Role) -> Option<String> {
    match ifc::psets::plain_json(&ifc::psets::get(model, element, SET, role.property())?) {
        serde_json::Value::String(name) => Some(name),
        _ => None,
    }
}

/// The crossings that an element remembers, such as `B/3`, or `A/1 to B/1`.
pub fn told(model: &Model, element: Id) -> Option<String> {
    if grids_of(model, element).is_empty() {
        return None;
    }
    let of = |role: Role| crossing_of(model, element, role);
    of(Role::Whole).or_else(|| match (of(Role::Start), of(Role::End)) {
        (Some(start), Some(end)) => Some(format!("{start} to {end}")),
        (one, other) => one.or(other),
    })
}

/// The elements that stand on a grid.
pub(super) fn members(model: &Model, grid: Id) -> Vec<Id> {
    model
        .referrers_of(grid, "IfcRelAssignsToProduct")
        .into_iter()
        .filter_map(|id| model.get(id))
        .filter(|relation| {
            relation.name().as_deref() == Some(PLACED) && relation.reference("RelatingProduct") == Some(grid)
        })
        .flat_map(|relation| relation.references("RelatedObjects"))
        .collect()
}

/// The relations of an element by which beams stop at columns: relation, beam, its end, column.
pub(super) fn relations_of(model: &Model, id: Id) -> Vec<(Id, Id, Role, Id)> {
    model
        .referrers_of(id, "IfcRelConnectsElements")
        .into_iter()
        .filter_map(|relation| {
            let found = model.get(relation)?;
            let role = Role::read(&found.text("Description")?)?;
            (found.name().as_deref() == Some(FRAMED)).then_some(())?;
            Some((relation, found.reference("RelatingElement")?, role, found.reference("RelatedElement")?))
        })
        .collect()
}

/// The columns that a beam's ends stop at.
pub fn columns_of(model: &Model, beam: Id) -> Vec<(Role, Id)> {
    relations_of(model, beam)
        .into_iter()
        .filter(|(_, own, ..)| *own == beam)
        .map(|(_, _, role, column)| (role, column))
        .collect()
}

/// The beams that stop at a column.
pub fn beams_of(model: &Model, column: Id) -> BTreeSet<Id> {
    let all = relations_of(model, column).into_iter();
    all.filter(|(.., own)| *own == column).map(|(_, beam, ..)| beam).collect()
}
