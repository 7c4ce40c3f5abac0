//! What a tool's body is given when it runs on an IFC model: who asked and when.

use contract::Actor;

/// One call on an IFC model.
pub struct IfcCall {
    /// Unix time in milliseconds at which the operation was asked for; the same on a retry.
    pub time_ms: u64,
    /// Who asked.
    pub actor: Actor,
    /// The type of event that the change is, where the body knows better than its tool.
    pub event: Option<String>,
}
