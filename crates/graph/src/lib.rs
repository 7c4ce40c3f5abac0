//! A building model as an RDF graph that SPARQL asks: a view on the model, and no copy of it. [`energy`] is the same of EnergyPlus models.
//!
//! # Terms
//!
//! | prefix | of |
//! | --- | --- |
//! | `inst:` | nodes of the default graph: `inst:2O2Fr$t4X7Zf8NOew3FLOH` by GlobalId, `inst:id:50` by number where there is none (materials, layers, properties) or another comes first |
//! | `ifc:` | classes (`ifc:IfcWall`), attributes with a small first letter (`ifc:name`, `ifc:overallHeight`), relationships by their inverse attributes (`ifc:hasOpenings`, `ifc:isTypedBy`); see [`fixed_vocabulary`] |
//! | `bot:` | Building Topology Ontology: `bot:Storey`, `bot:hasSpace`, `bot:containsElement`, `bot:adjacentZone`, … |
//! | `prop:` | properties and quantities, set and name with a dot between: `prop:Pset_WallCommon.FireRating`, `prop:Qto_WallBaseQuantities.Length`, `prop:My%20set.Lock.Cylinder` |
//! | `way:` | ways between rooms: `way:leadsTo`, `way:door`, and the node `way:outside` |
//! | `room:` | measures of rooms: `room:floorArea`, `room:volume` |
//! | `check:` | findings of checks: `?f a check:Finding ; check:rule ?r ; check:severity "error" ; check:element ?e ; check:message ?m`; there for queries that mention one of these alone |
//! | `qudt:`, `unit:` | the unit of a property, at its node: `?x ifc:isDefinedBy/ifc:hasProperties ?p . ?p qudt:unit unit:M` |
//!
//! `a` holds for superclasses too: `?x a ifc:IfcElement` finds walls. `ifc:class` is the class of an instance alone, for counting by class;
//! `rdfs:subClassOf` leads from class to class. Values are in SI. An element has the properties of its type unless it has its own.
//!
//!     SELECT ?room ?door {
//!       ?room a bot:Space ; ifc:longName "Bedroom 1" .
//!       ?room way:leadsTo* ?on . ?on way:door ?door
//!     }
//!
//! # What is kept
//!
//! Nothing that the model has. A pattern is answered from the model's index of referrers, of classes, GlobalIds and names, so an edit is
//! seen as soon as it is made, and costs nothing here. What comes from `spatial` (ways, neighbours, measures) is made when a query first
//! asks for it, kept with the [`Graph`], and made anew for another version out of the layout that the caller keeps for that version;
//! findings of checks are asked of whoever keeps them, when a query first mentions them. Besides, one answer about the whole model each: are there storeys without spaces, and are there two instances of one GlobalId.
//!
//! It refuses to change anything, to ask other services, and to reason beyond superclasses.

mod answer;
mod budget;
mod dataset;
mod derived;
mod edges;
pub mod energy;
mod export;
mod findings;
mod mentions;
pub mod names;
mod neighbours;
mod nodes;
mod notes;
mod patterns;
mod properties;
mod query;
mod rules;
#[cfg(test)]
#[path = "../../ifc/src/sample/mod.rs"]
#[allow(dead_code, reason = "shared by the tests of several crates")]
mod sample;
mod sight;
mod source;
mod starts;
mod term;
#[cfg(test)]
mod tests;
mod text;
mod values;
mod view;
mod vocabulary;

pub use answer::{Answer, Outcome};
pub use dataset::{Dataset, Graph, MakeSurroundings, Surroundings};
pub use export::{Format, export, to_turtle};
pub use findings::{Check, Finding, Findings, MakeFindings};
pub use query::{Limits, query};
pub use source::{Asked, Source};
pub use vocabulary::{ClassUse, PredicateUse, Vocabulary, fixed_vocabulary};
