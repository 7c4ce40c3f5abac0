//! How far an operation is, and whether anybody still wants it.
//!
//! Work that may take long says what it is at and asks whether to go on, often enough that a caller who gave it up does not
//! pay for it much longer. Where nobody listens, both cost next to nothing.

use crate::{Fault, FaultCode};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The progress of an operation.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Progress {
    /// The step it is at, from 1; 0 before the first.
    pub step: u32,
    /// The step in a few words.
    pub what: String,
    /// The amount of the step that is done.
    pub done: u64,
    /// Of how much, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total: Option<u64>,
}

/// One who watches an operation run. Told from any thread, as often as every element.
pub trait Watch: Send + Sync {
    /// A step begins; what it is, in a few words such as `checking rules`.
    fn begins(&self, what: &str);

    /// So much of the step is done, of so much; `total` is 0 where that is not known. Answers whether to go on.
    fn at(&self, done: u64, total: u64) -> bool;

    /// True while the operation is still wanted.
    fn wanted(&self) -> bool;
}

/// Nobody watches, and nobody gives up.
#[derive(Debug, Clone, Copy, Default)]
pub struct Unwatched;

impl Watch for Unwatched {
    fn begins(&self, _: &str) {}

    fn at(&self, _: u64, _: u64) -> bool {
        true
    }

    fn wanted(&self) -> bool {
        true
    }
}

impl Fault {
    /// An operation that ended because nobody wanted it any more.
    pub fn given_up(operation: &str) -> Self {
        Self::new(
            FaultCode::Cancelled,
            format!("{operation} was given up by its caller and stopped. Nothing was changed."),
        )
        .with("operation", operation)
    }
}
