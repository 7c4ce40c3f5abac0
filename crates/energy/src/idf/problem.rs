//! What is wrong with a file: problems that reading went past, and what makes a file unreadable.

use contract::{Fault, FaultCode};

/// The class of a problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ProblemCode {
    /// A mark that belongs to nothing.
    Stray,
    /// An object without its semicolon.
    Unterminated,
    /// Two values without a comma.
    MissingComma,
    /// A value over several lines.
    RunsOver,
    /// The bytes are not UTF-8; they are read as Latin-1.
    Latin1,
    /// A field of epJSON that the schema does not know, or a value that no field can hold.
    Unplaced,
    /// A type that stands twice in epJSON, of which other readers take the last alone.
    Repeated,
    /// The model is not read by the schema of the version that it says it is of, or says several.
    OtherVersion,
}

impl ProblemCode {
    /// The code as answers spell it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Stray => "stray",
            Self::Unterminated => "unterminated",
            Self::MissingComma => "missing_comma",
            Self::RunsOver => "runs_over",
            Self::Latin1 => "latin1",
            Self::Unplaced => "unplaced",
            Self::Repeated => "repeated",
            Self::OtherVersion => "other_version",
        }
    }
}

/// Something that reading went past.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Problem {
    /// Its class.
    pub code: ProblemCode,
    /// The line, from 1.
    pub line: u32,
    /// The problem in words, and how it was taken.
    pub message: String,
}

/// Why a file is not a model.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OpenError {
    /// It uses macros.
    #[error(
        "line {line} is a macro (`{text}`), which EPMacro has to resolve first; open the file that EPMacro writes (out.idf)"
    )]
    Macro {
        /// The line.
        line: u32,
        /// The text that stands there.
        text: String,
    },
    /// It is larger than what is read.
    #[error("the file has {0} bytes; at most 1 GB is read")]
    TooLarge(usize),
    /// It is not JSON, or not the JSON of a model.
    #[error("not epJSON: {0}")]
    Json(String),
    /// It is some other file.
    #[error("it is no EnergyPlus model: {0}")]
    Foreign(String),
    /// There is nothing in it.
    #[error("there is no object in this file; is it an EnergyPlus model?")]
    Empty,
}

impl From<OpenError> for Fault {
    fn from(error: OpenError) -> Self {
        let fault = Self::new(FaultCode::UnreadableFile, format!("The file cannot be read: {error}."));
        match error {
            OpenError::Macro { line, .. } => fault.with("line", line),
            _ => fault,
        }
    }
}
