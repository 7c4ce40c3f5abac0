//! The wholes that an instance belongs to, near or far: by aggregation, nesting, groups, spatial containment, or as an opening in its
//! host and a filling in its opening.

use super::check::Outcome;
use super::context::Context;
use super::document::PartOfFacet;
use ifc::relations::{AGGREGATED, CONTAINED, DEPTH, End, FILLS, GROUPED, NESTED, VOIDS};
use ifc::{Id, SchemaVersion};

/// The relations that a facet may name.
pub(super) const RELATIONS: [&str; 5] = [
    "IFCRELAGGREGATES",
    "IFCRELASSIGNSTOGROUP",
    "IFCRELCONTAINEDINSPATIALSTRUCTURE",
    "IFCRELNESTS",
    "IFCRELVOIDSELEMENT IFCRELFILLSELEMENT",
];

/// A step upwards.
type Step = (End, &'static str);

const UP_AGGREGATES: Step = (AGGREGATED, "RelatingObject");
const UP_GROUPS: Step = (GROUPED, "RelatingGroup");
const UP_CONTAINED: Step = (CONTAINED, "RelatingStructure");
const UP_NESTS: Step = (NESTED, "RelatingObject");
const UP_VOIDS: Step = (VOIDS, "RelatingBuildingElement");
const UP_FILLS: Step = (FILLS, "RelatingOpeningElement");

/// The classes of the parts and of the wholes of a relation.
pub(super) fn ends(
    relation: &str,
    version: SchemaVersion,
) -> Option<(&'static [&'static str], &'static [&'static str])> {
    let spatial: &[&str] = if version == SchemaVersion::Ifc2x3 {
        &["IfcSpatialStructureElement"]
    } else {
        &["IfcSpatialElement"]
    };
    Some(match relation {
        "IFCRELAGGREGATES" | "IFCRELNESTS" => (&["IfcObjectDefinition"], &["IfcObjectDefinition"]),
        "IFCRELASSIGNSTOGROUP" => (&["IfcObjectDefinition"], &["IfcGroup"]),
        "IFCRELCONTAINEDINSPATIALSTRUCTURE" => (&["IfcProduct"], spatial),
        "IFCRELVOIDSELEMENT IFCRELFILLSELEMENT" => {
            (&["IfcElement", "IfcFeatureElementSubtraction"], &["IfcElement", "IfcOpeningElement"])
        }
        _ => return None,
    })
}

impl Context<'_> {
    /// Everything above an instance by these steps, itself left out.
    fn above(&self, id: Id, steps: &[Step]) -> Vec<Id> {
        let mut found: Vec<Id> = Vec::new();
        let mut at = 0;
        let mut next = Some(id);
        while let Some(from) = next {
            for (end, other) in steps {
                for up in self.links.across(from, *end, other) {
                    if up != id && !found.contains(&up) && found.len() < DEPTH * 16 {
                        found.push(up);
                    }
                }
            }
            next = found.get(at).copied();
            at += 1;
        }
        found
    }

    /// The wholes of an instance by a relation, or by any.
    fn wholes(&self, id: Id, relation: Option<&str>) -> Vec<Id> {
        match relation {
            Some("IFCRELAGGREGATES") => self.above(id, &[UP_AGGREGATES]),
            Some("IFCRELASSIGNSTOGROUP") => self.above(id, &[UP_GROUPS]),
            Some("IFCRELNESTS") => self.above(id, &[UP_NESTS]),
            Some("IFCRELVOIDSELEMENT IFCRELFILLSELEMENT") => self.above(id, &[UP_FILLS, UP_VOIDS]),
            Some("IFCRELCONTAINEDINSPATIALSTRUCTURE") => {
                // a part is where its whole is; a container lies within those that it is a part of
                let mut from = vec![id];
                from.extend(self.above(id, &[UP_AGGREGATES, UP_NESTS, UP_FILLS, UP_VOIDS]));
                let (end, other) = UP_CONTAINED;
                let mut found: Vec<Id> =
                    from.into_iter().flat_map(|from| self.links.across(from, end, other)).collect();
                for container in found.clone() {
                    found.extend(self.above(container, &[UP_AGGREGATES]));
                }
                found
            }
            _ => self.above(id, &[UP_AGGREGATES, UP_GROUPS, UP_CONTAINED, UP_NESTS, UP_VOIDS, UP_FILLS]),
        }
    }

    /// Returns whether an instance meets a facet of wholes.
    pub fn part_of(&self, id: Id, facet: &PartOfFacet) -> Outcome {
        let wholes = self.wholes(id, facet.relation.as_deref());
        let by = facet.relation.as_deref().unwrap_or("any relation");
        if wholes.is_empty() {
            return Outcome::absent(format!("it is part of nothing by {by}"));
        }
        let mut failures = wholes.into_iter().map(|whole| self.entity_failure(whole, &facet.entity));
        let first = failures.next();
        match first {
            Some(None) => Outcome::Met,
            _ if failures.any(|failure| failure.is_none()) => Outcome::Met,
            first => {
                let why = first.flatten().unwrap_or_default();
                Outcome::wrong(format!("of the nearest whole by {by}: {why}"))
            }
        }
    }
}
