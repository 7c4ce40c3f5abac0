//! Predicates: which triples an IRI stands for.

use crate::derived::Derived;
use crate::edges::{EDGES, Edge};
use crate::findings::Check;
use crate::names::{self, IFC, PROP};
use crate::neighbours::{Measure, Way};
use crate::nodes::Nodes;
use ifc::SchemaVersion;
use std::rc::Rc;

/// The triples that a predicate stands for.
#[derive(Debug, Clone)]
pub enum Rule {
    /// `rdf:type`: the class of an instance, its supertypes, and classes of BOT.
    Type,
    /// `ifc:class`: the class of an instance alone.
    Class,
    /// `rdfs:subClassOf`: from a class to the next above.
    SubClassOf,
    /// An attribute.
    Attribute(&'static str),
    /// A relationship.
    Edge(&'static Edge),
    /// An edge that follows from several.
    Derived(Derived),
    /// A way between rooms.
    Way(Way),
    /// A measure of a room.
    Measure(Measure),
    /// A part of a finding.
    Check(Check),
    /// A property, by its set and its path within.
    Property(Rc<(String, Vec<String>)>),
    /// Nothing that any model has.
    Unknown,
}

/// The local name of the predicate for the class of an instance alone.
pub const CLASS: &str = "class";

impl Rule {
    /// The rule behind an IRI.
    pub fn of_iri(iri: &str) -> Self {
        if iri == names::TYPE {
            return Rule::Type;
        }
        if iri == names::SUB_CLASS_OF {
            return Rule::SubClassOf;
        }
        if let Some(parts) = iri.strip_prefix(PROP).and_then(names::property_parts) {
            let mut parts = parts.into_iter();
            let set = parts.next().unwrap_or_default();
            return Rule::Property(Rc::new((set, parts.collect())));
        }
        if let Some(edge) = EDGES.iter().find(|edge| iri.strip_prefix(edge.namespace) == Some(edge.name)) {
            return Rule::Edge(edge);
        }
        if let Some(derived) = Derived::ALL.into_iter().find(|derived| derived.iri() == iri) {
            return Rule::Derived(derived);
        }
        if let Some(way) = Way::ALL.into_iter().find(|way| way.iri() == iri) {
            return Rule::Way(way);
        }
        if let Some(measure) = Measure::ALL.into_iter().find(|measure| measure.iri() == iri) {
            return Rule::Measure(measure);
        }
        if let Some(check) = Check::of_iri(iri) {
            return Rule::Check(check);
        }
        match iri.strip_prefix(IFC) {
            Some(CLASS) => Rule::Class,
            Some(local) => attribute(local).map_or(Rule::Unknown, Rule::Attribute),
            None => Rule::Unknown,
        }
    }
}

/// The attribute behind a predicate, in any schema.
fn attribute(local: &str) -> Option<&'static str> {
    let name = names::attribute_of_predicate(local)?;
    SchemaVersion::ALL.into_iter().find_map(|version| Nodes::of_schema(version).attribute(&name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::{BOT, WAY};

    #[test]
    fn every_predicate_is_found_by_its_iri() {
        assert!(
            EDGES.iter().all(|edge| matches!(
                Rule::of_iri(&format!("{}{}", edge.namespace, edge.name)),
                Rule::Edge(_)
            ))
        );
        assert!(Derived::ALL.iter().all(
            |derived| matches!(Rule::of_iri(&derived.iri()), Rule::Derived(found) if found == *derived)
        ));
        assert!(
            Way::ALL.iter().all(|way| matches!(Rule::of_iri(&way.iri()), Rule::Way(found) if found == *way))
        );
        assert!(
            Check::ALL
                .iter()
                .all(|check| matches!(Rule::of_iri(&check.iri()), Rule::Check(found) if found == *check))
        );
        assert!(matches!(Rule::of_iri(&format!("{IFC}overallHeight")), Rule::Attribute("OverallHeight")));
        assert!(matches!(Rule::of_iri(&format!("{IFC}class")), Rule::Class));
        for unknown in [
            format!("{IFC}OverallHeight"),
            format!("{BOT}hasRoom"),
            format!("{WAY}path"),
            format!("{PROP}FireRating"),
        ] {
            assert!(matches!(Rule::of_iri(&unknown), Rule::Unknown), "{unknown}");
        }
    }

    #[test]
    fn no_attribute_has_the_name_of_an_edge() {
        let edges = EDGES.iter().filter(|edge| edge.namespace == IFC).map(|edge| edge.name.to_owned());
        let derived =
            Derived::ALL.iter().filter_map(|derived| derived.iri().strip_prefix(IFC).map(str::to_owned));
        for name in edges.chain(derived).chain([CLASS.to_owned()]) {
            assert!(attribute(&name).is_none(), "{name}");
        }
    }
}
