//! The IFC kernel: STEP files read without loading objects, edited in a persistent overlay, written back byte for byte. It knows no geometry, no tools and no network.

pub mod guid;
pub mod schema;

pub use schema::{Attribute, Entity, EntityId, Kind, Schema, SchemaVersion};
