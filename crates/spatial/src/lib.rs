//! Rooms, their neighbours, and the ways between them: what a person in a building sees of it.
//!
//! A room is an IfcSpace with a body, or, on a storey without spaces, what walls, slabs and virtual boundaries enclose ([`rooms`]).
//! Everything is in metres of the world, before map conversion. It reads models and changes none.

pub mod adjacency;
pub mod asked;
pub mod behind;
pub mod body;
pub mod boundary;
pub mod bounding;
pub mod contents;
pub mod depth;
pub mod elements;
pub mod exposure;
pub mod facet;
mod found;
pub mod graph;
pub mod layout;
mod lookup;
pub mod measures;
pub mod outdoors;
pub mod outline;
pub mod pairing;
pub mod parts;
pub mod passage;
mod passages;
pub mod plan;
pub mod queries;
pub mod relations;
pub mod room;
pub mod rooms;
pub mod shadow;
pub mod space_boundaries;
pub mod stored;
pub mod storey;
pub mod through;
mod touched;
pub mod ways;

pub use layout::Layout;
pub use room::{Origin, Room};
pub use rooms::Rooms;
pub use storey::Storey;

#[cfg(test)]
mod tests;
