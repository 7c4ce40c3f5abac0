//! Rooms, their neighbours, and the ways between them: what a person in a building sees of it.
//!
//! A room is an IfcSpace with a body, or, on a storey without spaces, what walls, slabs and virtual boundaries enclose ([`rooms`]).
//! Everything is in metres of the world, before map conversion. It reads models and changes none.

pub mod body;
pub mod outline;
pub mod queries;
pub mod room;
pub mod rooms;
pub mod shadow;
pub mod storey;
pub mod ways;

pub use room::{Origin, Room};
pub use rooms::Rooms;
pub use storey::Storey;
