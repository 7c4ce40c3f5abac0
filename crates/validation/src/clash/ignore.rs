//! Bonds between elements that are meant to meet, by rules that a caller chooses from.

use super::insulation;
use geometry::query::{Element, Interference, Relation};
use ifc::Id;
use ifc::relations::Links;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A rule by which a pair is left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum Ignore {
    /// Openings, what fills them and what projects, with their host and each other.
    Hosted,
    /// Walls joined along their path.
    Joined,
    /// Connected otherwise, also by ports.
    Connected,
    /// Parts with their whole and with each other.
    Assembly,
    /// Coverings on what they cover.
    Covering,
    /// Rooms with what bounds them or stands in them.
    Space,
    /// Insulation with what it insulates, stated or by place.
    Insulation,
}

impl Ignore {
    /// Every rule.
    pub const ALL: [Self; 7] = [
        Self::Hosted,
        Self::Joined,
        Self::Connected,
        Self::Assembly,
        Self::Covering,
        Self::Space,
        Self::Insulation,
    ];
}

/// The rule that a pair with this relation falls under; none where nothing binds the two.
pub(super) fn bond(
    links: &Links<'_>,
    pair: &Interference,
    elements: [&Element; 2],
    relation: Relation,
) -> Option<Ignore> {
    let (a, b) = (pair.a, pair.b);
    match relation {
        Relation::Opening
        | Relation::Filling
        | Relation::SameHost
        | Relation::FilledOpening
        | Relation::Projection => Some(Ignore::Hosted),
        Relation::Part | Relation::SamePartOf | Relation::Connected if insulation::is_stated(links, pair) => {
            Some(Ignore::Insulation)
        }
        Relation::Part | Relation::SamePartOf => Some(Ignore::Assembly),
        Relation::Covering if insulation::is_insulation(links, a) || insulation::is_insulation(links, b) => {
            Some(Ignore::Insulation)
        }
        Relation::Covering => Some(Ignore::Covering),
        Relation::Connected if is_joined(links, a, b) => Some(Ignore::Joined),
        Relation::Connected => Some(Ignore::Connected),
        Relation::Boundary | Relation::InSpace => Some(Ignore::Space),
        // the file says itself that they interfere
        Relation::StatedInterference => None,
        Relation::None => insulation::is_around(links, pair, elements).then_some(Ignore::Insulation),
    }
}

fn is_joined(links: &Links<'_>, a: Id, b: Id) -> bool {
    let is_path =
        |relation: Id| links.model().get(relation).is_some_and(|own| own.is_a("IfcRelConnectsPathElements"));
    links.connections_of(a).iter().any(|own| own.other == b && is_path(own.relation))
}
