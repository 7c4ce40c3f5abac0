//! Why a model cannot be written as asked.

use ifc::{CopyError, EditError, OpenError, SelectorError};
use ifc_convert::ConvertError;

/// Why a model cannot be written as asked. Nothing was made.
#[derive(Debug, thiserror::Error)]
pub enum ExchangeError {
    /// No view definition has this name.
    #[error("{asked} is no view definition that is known here; choose one of {known}")]
    UnknownView {
        /// The name that was asked for.
        asked: String,
        /// The names that there are.
        known: String,
    },
    /// The selector cannot be read.
    #[error("the selector cannot be read: {0}")]
    Selector(#[from] SelectorError),
    /// The selector names a class that the schema does not have.
    #[error("{class} is no class of {schema}; did you mean {near}?")]
    UnknownClass {
        /// The class that was asked for.
        class: String,
        /// The schema of the model.
        schema: &'static str,
        /// Classes with a similar name.
        near: String,
    },
    /// Nothing was selected.
    #[error("nothing of the model is selected by {0:?}, so that there is nothing to write")]
    Empty(String),
    /// The model has none of what a format is about.
    #[error("the model has no {0}, so that there is nothing to write")]
    Nothing(&'static str),
    /// The model has no project, or more than one.
    #[error("the model has {0} IfcProject where it must have one: repair it first")]
    Projects(usize),
    /// The model could not be brought to what a view allows.
    #[error("the model cannot be written as {view}: {message} {place}")]
    Unfit {
        /// The view.
        view: String,
        /// The instance at fault.
        place: String,
        /// The complaint.
        message: String,
    },
    /// Fewer models than two were given to be joined.
    #[error("{0} models were given where at least two are joined")]
    TooFew(usize),
    /// Two things were asked for that exclude each other.
    #[error("{0}")]
    Conflict(String),
    /// Nobody wants the file any more.
    #[error("nobody wants the file any more")]
    GivenUp,
    /// The model is larger than a format can hold.
    #[error("{0}")]
    TooLarge(String),
    /// The conversion to the view's schema failed.
    #[error(transparent)]
    Convert(#[from] ConvertError),
    /// The result cannot be read again.
    #[error("the result cannot be read again: {0}")]
    Open(#[from] OpenError),
    /// A change was refused by the schema.
    #[error(transparent)]
    Edit(#[from] EditError),
    /// A model cannot be copied into another.
    #[error(transparent)]
    Copy(#[from] CopyError),
    /// The result was not written.
    #[error("the result cannot be written: {0}")]
    Write(#[from] std::io::Error),
}
