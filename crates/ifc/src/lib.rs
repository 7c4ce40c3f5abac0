//! The IFC kernel: STEP files read without loading objects, edited in a persistent overlay, written back byte for byte. It knows no geometry, no tools and no network.

mod about;
mod base;
mod columns;
mod convert;
mod delta;
mod dense;
mod diff;
mod edit;
mod header;
mod index;
mod instance;
mod inverse;
mod memory;
mod model;
mod open;
mod overlay;
mod problem;
mod renumber;
mod sections;
mod sidecar;
mod step;
#[cfg(test)]
mod tests;
mod value;
mod write;

pub mod archive;
pub mod express;
pub mod georeference;
pub mod guid;
pub mod merge;
pub mod placement;
pub mod psets;
pub mod relations;
#[cfg(test)]
mod sample;
pub mod schema;
pub mod selector;
pub mod units;
pub mod validate;

pub use convert::{ConversionReport, ConvertError, Note, Outcome, Tally};
pub use delta::{Clash, ClashKind, ComposeError, Delta, DeltaError, Side};
pub use diff::{
    Aspect, AttributeDiff, Change, CompareOptions, Comparison, DiffEntry, ElementChange, compare, diff,
    diff_of, elements, elements_of,
};
pub use edit::{
    Changed, Copied, CopyError, CopyOptions, Edit, EditError, Fate, GlobalIds, Histories, HistoryChange,
    Placement, Purged, Reassigned, Referrers, Removal, Removed, Savepoint, UnitPolicy, Unused,
};
pub use header::Header;
pub use instance::Instance;
pub use model::Model;
pub use problem::{Limits, OpenError, Problem, ProblemCode};
pub use renumber::{Order, Renumber, Renumbered};
pub use schema::{Attribute, Entity, EntityId, Inverse, Kind, Schema, SchemaVersion};
pub use selector::{Selector, SelectorError};
pub use units::Units;
pub use validate::{Finding, FindingCode, Options, Report};
pub use value::{Id, Value};
