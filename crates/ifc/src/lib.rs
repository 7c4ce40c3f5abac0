//! The IFC kernel: STEP files read without loading objects, edited in a persistent overlay, written back byte for byte; relations,
//! units, placements, property sets and selectors over them.
//!
//! It refuses to judge a model (`ifc-check`), to compare or merge two (`ifc-compare`) and to turn one into another schema version
//! (`ifc-convert`); it knows no geometry, no tools and no network.

mod base;
mod columns;
mod dense;
mod header;
mod index;
mod instance;
mod inverse;
mod lines;
mod lookup;
mod memory;
mod model;
mod names;
mod open;
mod overlay;
mod prelude;
mod problem;
mod renumber;
mod sections;
mod sidecar;
#[cfg(test)]
mod tests;
mod tree;
mod value;
mod write;

pub mod about;
pub mod archive;
pub mod delta;
pub mod edit;
pub mod georeference;
pub mod guid;
pub mod placement;
pub mod psets;
pub mod relations;
#[cfg(test)]
#[allow(dead_code, reason = "shared by the tests of several crates")]
mod sample;
pub mod selector;
pub mod step;
pub mod units;

pub use delta::{Clash, ClashKind, ComposeError, Delta, DeltaError, Side};
pub use edit::{
    Changed, Copied, CopyError, CopyOptions, Edit, EditError, Fate, GlobalIds, Histories, HistoryChange,
    Placement, Purged, Reassigned, Referrers, Removal, Removed, Savepoint, UnitPolicy, Unused,
};
pub use header::Header;
pub use ifc_schema as schema;
pub use ifc_schema::{Attribute, Entity, EntityId, Inverse, Kind, Schema, SchemaVersion};
pub use instance::Instance;
pub use model::Model;
pub use problem::{Limits, OpenError, Problem, ProblemCode};
pub use renumber::{Order, Renumber, Renumbered};
pub use selector::{Selector, SelectorError};
pub use units::Units;
pub use value::{Id, Value};

/// The parts that a model is made of, for crates that walk over, compare or rewrite a whole model and cannot afford a decoded
/// instance at each step: the rows of the opened file, and what was changed since.
pub mod parts {
    pub use crate::base::Base;
    pub use crate::columns::ClassCodes;
    pub use crate::guid::hash as guid_hash;
    pub use crate::index::each_reference;
    pub use crate::instance::Source;
    pub use crate::lookup::Shadowed;
    pub use crate::overlay::{Class, Overlay, Slot, Stored};
}

#[cfg(test)]
extern crate self as ifc;
