//! The operations that the platform itself asks of a back end: to write, compare, join, check and show versions of models.
//!
//! Each is a type: its fields are the operation's parameters, [`PlatformOperation::Answer`] is what comes back. Gateway and
//! adapters use the same type, so that neither reads a member by its name. Operations that agents ask for are tools, and
//! operations on one kind of model alone stand with what knows that kind; neither is listed here.

mod compare;
mod convert;
mod derive;
mod documents;
mod export;
mod files;
mod inspect;
mod merge;
mod view;

pub use compare::{Diff, DiffAnswer, DiffDetail, Restore};
pub use convert::{Convert, ConvertAnswer, ConvertCounts, ConvertExample, ConvertNote};
pub use derive::Derivation;
pub use documents::{DocumentRead, DocumentsRead, NotRead, ReadDocuments};
pub use export::{Export, ExportAnswer, ExportPart, ExportedWith};
pub use files::{FileFormat, Materialise, Unpack, WrittenFile};
pub use inspect::{FileProblem, Inspect, InspectAnswer};
pub use merge::{
    Changes, Choices, ConflictKind, ConflictSide, ConflictSubject, Displacement, Effects, IdRuns, Merge,
    MergeAnswer, MergeConflict, NeededBy, Side,
};
pub use view::{
    LegendEntry, Outline, OutlineAnswer, OutlineNode, Overlay, OverlayAnswer, OverlayFile, OverlayRoom,
    RoomColours, Tile, Tileset, TilesetAnswer,
};

use crate::{
    Artifact, Effect, Fault, FaultCode, Operation, OperationInfo, Outcome, answer_schema_of, schema_of,
};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// An operation with typed parameters, which are the fields of the type itself, and a typed answer.
pub trait PlatformOperation: Serialize + DeserializeOwned + JsonSchema {
    /// The name in requests and in `/info`.
    const NAME: &'static str;
    /// The effect on the model.
    const EFFECT: Effect;
    /// The logical result.
    type Answer: Serialize + DeserializeOwned + JsonSchema;

    /// The entry in an adapter's `/info`, with the hash of both schemas.
    fn info() -> OperationInfo {
        OperationInfo::new(
            Self::NAME,
            Self::EFFECT,
            &schema_of::<Self>(),
            &answer_schema_of::<Self::Answer>(),
        )
    }

    /// The operation as a request carries it.
    fn operation(&self) -> Operation {
        // parameters that cannot be written become a text, which every reader of parameters refuses
        let params = serde_json::to_value(self).unwrap_or_else(|error| Value::String(error.to_string()));
        Operation { effect: Self::EFFECT, name: Self::NAME.to_owned(), params }
    }

    /// Reads the parameters of a request. A Fault names the field that cannot be used.
    fn from_operation(operation: &Operation) -> Result<Self, Fault> {
        let none = Value::Object(Map::new());
        let params = if operation.params.is_null() { &none } else { &operation.params };
        serde_path_to_error::deserialize(params).map_err(|error| {
            let path = error.path().to_string();
            Fault::invalid(&path, format!("{}: {}.", operation.name, error.inner()))
        })
    }

    /// The outcome of an operation that answers this and changes nothing.
    fn outcome(answer: Self::Answer) -> Result<Outcome, Fault> {
        let result = serde_json::to_value(&answer).map_err(|error| {
            Fault::backend(format!("The answer of {} cannot be written as JSON: {error}.", Self::NAME))
        })?;
        Ok(Outcome { result, ..Outcome::default() })
    }

    /// Reads the answer out of what came back.
    fn read(artifact: &Artifact) -> Result<Self::Answer, Fault> {
        Self::answer(&artifact.result)
    }

    /// Reads the answer out of its JSON.
    fn answer(result: &Value) -> Result<Self::Answer, Fault> {
        Self::Answer::deserialize(result).map_err(|error| unreadable(Self::NAME, &error))
    }
}

/// Every operation here by its name, with its effect, its schemas and their hash, for adapters in other languages.
pub fn operations_document() -> Value {
    let operations = [
        described::<Materialise>(),
        described::<Unpack>(),
        described::<Convert>(),
        described::<Export>(),
        described::<Diff>(),
        described::<Restore>(),
        described::<Merge>(),
        described::<Inspect>(),
        described::<Outline>(),
        described::<Tileset>(),
        described::<Tile>(),
        described::<Overlay>(),
    ];
    Value::Object(operations.into_iter().collect())
}

fn described<O: PlatformOperation>() -> (String, Value) {
    let OperationInfo { name, effect, schema_sha256 } = O::info();
    let (params, answer) = (schema_of::<O>(), answer_schema_of::<O::Answer>());
    (name, json!({ "effect": effect, "schema_sha256": schema_sha256, "params": params, "answer": answer }))
}

fn unreadable(operation: &str, error: &serde_json::Error) -> Fault {
    let problem = format!(
        "{operation} was answered in a form that is not its own: {error}. Its back end may be of another version."
    );
    Fault::new(FaultCode::BackendFailed, problem).with("operation", operation)
}

#[cfg(test)]
mod tests;
