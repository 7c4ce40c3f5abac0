//! A building model as an RDF graph that SPARQL asks: a view on the model, not a copy of it.

mod budget;
mod dataset;
mod derived;
mod edges;
pub mod names;
mod neighbours;
mod nodes;
mod patterns;
mod properties;
mod rules;
mod starts;
mod term;
mod values;
mod view;

pub use dataset::{Dataset, Graph, MakeSurroundings, Surroundings};
