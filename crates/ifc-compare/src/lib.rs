//! Two or three IFC models held against each other: what differs between two versions, instance by instance and in the building's
//! own words ([`diff`]), and what both sides of a history did joined into one model ([`merge`]).
//!
//! It decides nothing: where both sides cannot hold, it answers a conflict. It knows no geometry and judges no model.

pub mod diff;
pub mod merge;
#[cfg(test)]
#[path = "../../ifc/src/sample/mod.rs"]
#[allow(dead_code, reason = "shared by the tests of several crates")]
mod sample;

pub use diff::{
    Aspect, AttributeDiff, Change, CompareOptions, Comparison, DiffEntry, ElementChange, compare, diff,
    diff_of, elements, elements_of,
};
