//! A building model as an RDF graph that SPARQL asks: a view on the model, not a copy of it.

mod answer;
mod budget;
mod dataset;
mod derived;
mod edges;
mod export;
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
pub use query::{Limits, query};
pub use vocabulary::{ClassUse, PredicateUse, Vocabulary, fixed_vocabulary};
