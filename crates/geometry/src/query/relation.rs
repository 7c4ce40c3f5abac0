//! The bond between two elements of one file, so that an interference that is meant can be told from one that is not.

use ifc::{Id, relations::Links};
use serde::Serialize;

/// The relation of the two elements of a pair: the closest bond that the file states.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Relation {
    /// The file states none.
    None,
    /// One is a part of the other (IfcRelAggregates, IfcRelNests, at any depth).
    Part,
    /// Both are parts of one element.
    SamePartOf,
    /// One is an opening in the other (IfcRelVoidsElement).
    Opening,
    /// One fills an opening of the other, as a door its wall (IfcRelFillsElement).
    Filling,
    /// Both fill openings of one element.
    SameHost,
    /// One is an opening and the other fills it.
    FilledOpening,
    /// One covers the other (IfcRelCoversBldgElements) or lines the room (IfcRelCoversSpaces).
    Covering,
    /// They are joined (IfcRelConnectsElements and its kinds), also by their ports.
    Connected,
    /// One is a room or other space, and the other stands in it.
    InSpace,
    /// One is a room and the other bounds it (IfcRelSpaceBoundary).
    Boundary,
    /// One projects from the other (IfcRelProjectsElement).
    Projection,
    /// The file says itself that they interfere (IfcRelInterferesElements).
    StatedInterference,
}

/// A test of a pair, in this order.
type Test<'t> = &'t dyn Fn(Id, Id) -> bool;

impl Relation {
    /// The closest bond of two elements of one file.
    pub fn between(links: &Links<'_>, a: Id, b: Id) -> Relation {
        let either = |of: &dyn Fn(Id, Id) -> bool| of(a, b) || of(b, a);
        let host = |filling: Id| {
            links.opening_of_filling(filling).and_then(|opening| links.host_of_opening(opening))
        };
        let is = |x: Id, class: &str| links.model().get(x).is_some_and(|i| i.is_a(class));
        let space = |x: Id| is(x, "IfcSpace");
        let tests: [(Relation, Test<'_>); 10] = [
            (Relation::Opening, &|x, y| links.host_of_opening(x) == Some(y)),
            (Relation::FilledOpening, &|x, y| links.opening_of_filling(x) == Some(y)),
            (Relation::Filling, &|x, y| host(x).is_some_and(|h| h == y || whole(links, y).contains(&h))),
            (Relation::Part, &|x, y| whole(links, x).contains(&y)),
            (Relation::Projection, &|x, y| links.host_of_projection(x) == Some(y)),
            (Relation::Covering, &|x, y| is(x, "IfcCovering") && links.covered_by(x).contains(&y)),
            (Relation::Connected, &|x, y| {
                links.connected_to(x).contains(&y) || links.neighbours_by_ports(x).contains(&y)
            }),
            (Relation::Boundary, &|x, y| {
                space(x) && links.boundaries_of_space(x).iter().any(|s| s.element == Some(y))
            }),
            (Relation::InSpace, &|x, y| space(x) && links.direct_container(y) == Some(x)),
            (Relation::StatedInterference, &|x, y| links.interferes_with(x).contains(&y)),
        ];
        if let Some((relation, _)) = tests.iter().find(|(_, test)| either(*test)) {
            return *relation;
        }
        let common = |one: Option<Id>, other: Option<Id>| one.is_some() && one == other;
        let element = |x: Id| links.aggregate_parent(x).filter(|p| is(*p, "IfcElement"));
        if common(element(a), element(b)) {
            Relation::SamePartOf
        } else if common(host(a), host(b)) {
            Relation::SameHost
        } else {
            Relation::None
        }
    }

    /// Returns true if elements bound so are meant to meet or to share space: all but a stated interference.
    pub fn belongs_together(self) -> bool {
        !matches!(self, Relation::None | Relation::StatedInterference)
    }
}

/// The wholes that an element is part of, the nearest first.
fn whole(links: &Links<'_>, element: Id) -> Vec<Id> {
    let mut found = Vec::new();
    let mut at = element;
    while let Some(parent) = links.aggregate_parent(at).filter(|p| !found.contains(p)) {
        if found.len() > 16 {
            break;
        }
        found.push(parent);
        at = parent;
    }
    found
}
