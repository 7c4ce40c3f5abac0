//! The body of a tool that the platform itself runs: what it is given, and what it answers.

use crate::{BoxFuture, Committed, Fault, Link, Platform};
use serde_json::Value;
use std::sync::Arc;

/// The answer of a platform tool.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PlatformReply {
    /// Its answer, as its output schema describes it.
    pub result: Value,
    /// The status: `ok` unless it says otherwise.
    pub status: Option<String>,
    /// The commit it made, if it made one.
    pub committed: Option<Committed>,
    /// Things to open.
    pub links: Vec<Link>,
}

/// The body of a platform tool. Handed to service by the composition root, which knows the catalogue.
pub type PlatformBody =
    Arc<dyn for<'a> Fn(&'a dyn Platform, Value) -> BoxFuture<'a, Result<PlatformReply, Fault>> + Send + Sync>;
