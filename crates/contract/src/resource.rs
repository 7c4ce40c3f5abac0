//! What can be read by an address instead of by a tool.

use crate::{BoxFuture, EventType, Fault, ModelId, ModelKind, Platform};
use serde_json::Value;

/// A resource in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResourceListed {
    /// Its address, or with `{…}` in it the form of many.
    pub uri: String,
    /// A short name.
    pub name: String,
    /// A line on its content.
    pub description: String,
}

/// The content of a resource.
#[derive(Debug, Clone, PartialEq)]
pub struct ResourceRead {
    /// The model that it is about; none if it is about all of them.
    pub model: Option<ModelId>,
    /// True if it is the same for ever.
    pub is_fixed: bool,
    /// The content.
    pub value: Value,
}

/// Resources under a scheme of their own, about the session's model of a kind.
pub trait ResourceSource: Send + Sync {
    /// The beginning of their addresses, such as `pensaer://`.
    fn scheme(&self) -> &'static str;

    /// The kind of model that they are about.
    fn kind(&self) -> ModelKind;

    /// The addresses that are always the same.
    fn resources(&self) -> Vec<ResourceListed>;

    /// The forms of the others.
    fn templates(&self) -> Vec<ResourceListed>;

    /// True if the parts of an address behind the scheme mean something.
    fn knows(&self, parts: &[String]) -> bool;

    /// The event that alone changes what stands at an address, where commits do not: the end of a job whose results it shows,
    /// which may be waited for before there are any.
    fn changed_by(&self, parts: &[String]) -> Option<EventType>;

    /// Reads what they mean.
    fn read<'a>(
        &'a self,
        platform: &'a dyn Platform,
        parts: &'a [String],
    ) -> BoxFuture<'a, Result<ResourceRead, Fault>>;
}
