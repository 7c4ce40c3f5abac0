//! The wholes that an instance belongs to, near or far: by aggregation, nesting, groups, spatial containment, or as an opening in its
//! host and a filling in its opening.

use super::context::Context;
use super::document::PartOfFacet;
use super::element::Element;
use super::outcome::Outcome;
use super::reverse::Step;
use ifc::relations::DEPTH;
use ifc::{Id, SchemaVersion};

/// The relations that a facet may name.
pub(super) const RELATIONS: [&str; 5] = [
    "IFCRELAGGREGATES",
    "IFCRELASSIGNSTOGROUP",
    "IFCRELCONTAINEDINSPATIALSTRUCTURE",
    "IFCRELNESTS",
    "IFCRELVOIDSELEMENT IFCRELFILLSELEMENT",
];

/// Wholes of an instance at most.
const MOST: usize = DEPTH * 16;

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
            for step in steps {
                for up in self.relations.across(from, *step) {
                    if up != id && found.len() < MOST && !found.contains(&up) {
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
    fn wholes<'e>(&self, element: &'e Element<'_>, relation: Option<&str>) -> &'e [Id] {
        let of_any = RELATIONS.len();
        let at = relation.and_then(|relation| RELATIONS.iter().position(|known| *known == relation));
        let at = at.unwrap_or(of_any);
        let known = element.wholes.get(at);
        known
            .map(|known| known.get_or_init(|| self.found_wholes(element.id, at)).as_slice())
            .unwrap_or_default()
    }

    /// The wholes by a relation, named by its place in the list of relations, or by any.
    fn found_wholes(&self, id: Id, relation: usize) -> Vec<Id> {
        match RELATIONS.get(relation).copied() {
            Some("IFCRELAGGREGATES") => self.above(id, &[Step::Aggregate]),
            Some("IFCRELASSIGNSTOGROUP") => self.above(id, &[Step::Group]),
            Some("IFCRELNESTS") => self.above(id, &[Step::Nest]),
            Some("IFCRELVOIDSELEMENT IFCRELFILLSELEMENT") => {
                self.above(id, &[Step::FilledOpening, Step::VoidedElement])
            }
            // of a relation that is named only that relation counts: neither the storey of a room nor the place of a whole
            Some("IFCRELCONTAINEDINSPATIALSTRUCTURE") => self.above(id, &[Step::Container]),
            _ => self.above(
                id,
                &[
                    Step::Aggregate,
                    Step::Group,
                    Step::Container,
                    Step::Nest,
                    Step::VoidedElement,
                    Step::FilledOpening,
                ],
            ),
        }
    }

    /// Returns whether an instance meets a facet of wholes.
    pub fn part_of(&self, element: &Element<'_>, facet: &PartOfFacet) -> Outcome {
        let wholes = self.wholes(element, facet.relation.as_deref());
        let by = facet.relation.as_deref().unwrap_or("any relation");
        let Some((nearest, others)) = wholes.split_first() else {
            return Outcome::absent(format!("it is part of nothing by {by}"));
        };
        let failure = |whole: &Id| self.entity_failure(&self.element(*whole), &facet.entity);
        let Some(why) = failure(nearest) else { return Outcome::Met };
        if others.iter().any(|whole| failure(whole).is_none()) {
            return Outcome::Met;
        }
        Outcome::wrong(format!("of the nearest whole by {by}: {why}"))
    }
}
