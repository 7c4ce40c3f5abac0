//! The one error that leaves the system.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::fmt;

/// The class of a Fault, by meaning. The numbers are part of the interface: clients test for them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(i32)]
pub enum FaultCode {
    /// A parameter is missing, of the wrong type or out of range.
    InvalidParams = -32602,
    /// No element with that id in the model.
    ElementNotFound = 1001,
    /// The change would break a rule of the model or of the schema.
    ConstraintViolation = 1002,
    /// The caller may not do this.
    PermissionDenied = 1003,
    /// A person has to approve this first.
    ApprovalRequired = 1004,
    /// No such model.
    ModelNotFound = 1005,
    /// No such version of the model.
    VersionNotFound = 1006,
    /// Two changes cannot be joined.
    Conflict = 1007,
    /// No adapter here resolves this operation.
    NotSupported = 1008,
    /// A limit on size, time or memory was met.
    LimitReached = 1009,
    /// The back end died or answered nonsense; nothing was committed.
    BackendFailed = 1010,
    /// The session has no current model.
    NoModelLoaded = 1011,
    /// The session has no simulation results.
    NoSimulationResults = 1012,
    /// A file cannot be read as what it claims to be.
    UnreadableFile = 1013,
    /// A file, link or resource does not exist.
    NotFound = 1014,
    /// The caller is not known.
    Unauthenticated = 1015,
    /// The call was cancelled or ran past its deadline.
    Cancelled = 1016,
    /// Too much to do right now; try again.
    Busy = 1017,
    /// The worker has not opened this version yet and was given no file to open it from.
    VersionNotOpen = 1018,
    /// Storage failed; nothing was committed.
    StorageFailed = 1019,
}

impl FaultCode {
    /// Every code, in numeric order after the JSON-RPC one.
    pub const ALL: [Self; 20] = [
        Self::InvalidParams,
        Self::ElementNotFound,
        Self::ConstraintViolation,
        Self::PermissionDenied,
        Self::ApprovalRequired,
        Self::ModelNotFound,
        Self::VersionNotFound,
        Self::Conflict,
        Self::NotSupported,
        Self::LimitReached,
        Self::BackendFailed,
        Self::NoModelLoaded,
        Self::NoSimulationResults,
        Self::UnreadableFile,
        Self::NotFound,
        Self::Unauthenticated,
        Self::Cancelled,
        Self::Busy,
        Self::VersionNotOpen,
        Self::StorageFailed,
    ];

    /// The number clients see.
    pub fn number(self) -> i32 {
        self as i32
    }

    /// The code with this number.
    pub fn from_number(number: i32) -> Option<Self> {
        Self::ALL.into_iter().find(|code| code.number() == number)
    }
}

impl Serialize for FaultCode {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_i32(self.number())
    }
}

impl<'de> Deserialize<'de> for FaultCode {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = i32::deserialize(deserializer)?;
        Self::from_number(number)
            .ok_or_else(|| serde::de::Error::custom(format!("unknown fault code {number}")))
    }
}

impl JsonSchema for FaultCode {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "FaultCode".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let numbers: Vec<i32> = Self::ALL.iter().map(|code| code.number()).collect();
        schemars::json_schema!({ "type": "integer", "enum": numbers })
    }
}

/// The one error that leaves the system: what happened and what to do next, in a sentence an agent can act on;
/// `data` names the field, the ids, near matches, the allowed values.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Fault {
    /// The kind of fault.
    pub code: FaultCode,
    /// The problem, and what to do next.
    pub message: String,
    /// Facts to act on: field, ids, near matches, allowed values, line and column.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub data: Map<String, Value>,
}

impl Fault {
    /// There is no such file in the bucket; `field` is the parameter that names it.
    pub fn no_file(field: &str, name: &str) -> Self {
        let message = format!("There is no file `{name}` in the bucket. Upload it first.");
        Self::new(FaultCode::NotFound, message).with("field", field)
    }

    /// A fault with no data yet.
    pub fn new(code: FaultCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), data: Map::new() }
    }

    /// Adds one fact.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Serialize) -> Self {
        self.data.insert(name.to_owned(), serde_json::to_value(value).unwrap_or(Value::Null));
        self
    }

    /// A parameter that cannot be used; `field` is its path, such as `boundary_points[2]`.
    pub fn invalid(field: &str, message: impl Into<String>) -> Self {
        Self::new(FaultCode::InvalidParams, message).with("field", field)
    }

    /// No element with this id in the model.
    pub fn no_element(id: &str) -> Self {
        Self::new(
            FaultCode::ElementNotFound,
            format!("No element with the id {id} in this model. Find ids with query_elements."),
        )
        .with("element_id", id)
    }

    /// The change would break a rule.
    pub fn constraint(message: impl Into<String>) -> Self {
        Self::new(FaultCode::ConstraintViolation, message)
    }

    /// The back end failed.
    pub fn backend(message: impl Into<String>) -> Self {
        Self::new(FaultCode::BackendFailed, message)
    }

    /// The seed's wording for a call that needs a model before one was opened.
    pub fn no_model_loaded() -> Self {
        Self::new(FaultCode::NoModelLoaded, "No model loaded. Use load_model or new_model first.")
    }

    /// The fault as the JSON value that clients see.
    pub fn to_json(&self) -> Value {
        serde_json::to_value(self)
            .unwrap_or_else(|_| json!({"code": self.code.number(), "message": self.message}))
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (code {})", self.message, self.code.number())
    }
}

impl std::error::Error for Fault {}
