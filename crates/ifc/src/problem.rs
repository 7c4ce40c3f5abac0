//! The faults that a file can have: problems that reading goes on after, errors that refuse a file, and the limits that
//! keep a hostile one from taking the machine. Places are lines and columns, both counted from 1, columns in bytes.

use crate::Id;
use std::fmt;

/// Something in a file that is not as ISO 10303-21 or the schema has it, with its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Line, from 1.
    pub line: usize,
    /// Column in bytes, from 1.
    pub column: usize,
    /// The instance concerned, if one is.
    pub id: Option<Id>,
    /// The class of the problem.
    pub code: ProblemCode,
    /// The fault, and what was done about it.
    pub message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.message)
    }
}

/// The kinds of problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ProblemCode {
    /// The header lacks an entry, has one too many, or one with the wrong number of fields.
    Header,
    /// A byte order mark stands before the file.
    ByteOrderMark,
    /// The schema named is read as its nearest supported relative.
    Schema,
    /// Text that is no instance; left in the file, not in the model.
    Syntax,
    /// An instance id that is nought or too large.
    InstanceId,
    /// A second instance with an id already taken; the first one counts.
    DuplicateId,
    /// A class that the schema does not know.
    UnknownClass,
    /// An instance of several classes at once, which IFC does not use.
    ComplexInstance,
    /// Bytes above 127 without an encoding.
    RawBytes,
    /// The file ends early.
    Truncated,
    /// An attribute refers to an instance that is not there.
    DanglingReference,
    /// An instance has more or fewer attributes than its class.
    AttributeCount,
    /// An attribute's text cannot be read.
    Value,
}

impl ProblemCode {
    /// True if the content is in doubt, so that a file with it should not become a model of record: an instance lost
    /// or ambiguous, a reference to nowhere, an end that is missing. The others are blemishes.
    pub fn is_severe(self) -> bool {
        matches!(
            self,
            Self::Syntax
                | Self::InstanceId
                | Self::DuplicateId
                | Self::Truncated
                | Self::DanglingReference
                | Self::Value
        )
    }
}

/// Bounds on what is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of a file.
    pub file_bytes: u64,
    /// Bytes of one instance, from its `#` to its `;`.
    pub instance_bytes: u64,
    /// Instances in a file.
    pub instances: u64,
    /// Problems that are listed; what is beyond them is only counted.
    pub problems: usize,
    /// True if a file that ends early is read as far as it goes, with a problem instead of an error.
    pub lenient: bool,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            file_bytes: 16 << 30,
            instance_bytes: 256 << 20,
            instances: 400_000_000,
            problems: 1_000,
            lenient: false,
        }
    }
}

/// Why a file cannot be opened. Each message names the place and what to do.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The file cannot be read from disk.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: String,
        /// The system's error.
        source: std::io::Error,
    },
    /// Nothing in it.
    #[error("the file is empty; export the model again")]
    Empty,
    /// Not a STEP file.
    #[error("this is not an IFC file: it should begin with ISO-10303-21; and does not. {advice}")]
    NotIfc {
        /// The end of the message: what the file may be instead, and what to do.
        advice: String,
    },
    /// A zip archive without an IFC file that can be taken out of it.
    #[error("this is a zip archive, but no model can be taken from it: {message}")]
    Archive {
        /// Why not.
        message: String,
    },
    /// The header cannot be read.
    #[error("line {line}, column {column}: {message}")]
    Header {
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// The fault, in words.
        message: String,
    },
    /// A schema that is not supported.
    #[error("line {line}: the schema {found} is not supported; export the model as {}", known.join(", "))]
    UnknownSchema {
        /// Line of FILE_SCHEMA, from 1.
        line: usize,
        /// The schema that the file names.
        found: String,
        /// The schemas that can be read.
        known: Vec<String>,
    },
    /// It ends before END-ISO-10303-21.
    #[error("line {line}: the file is truncated: it ends {place}; export or transfer it again")]
    Truncated {
        /// The last line, from 1.
        line: usize,
        /// The place at which it ends, in words.
        place: String,
    },
    /// Larger than the limit.
    #[error("the file has {bytes} bytes, more than the limit of {limit}; split the model or raise the limit")]
    FileTooLarge {
        /// Its size.
        bytes: u64,
        /// The limit.
        limit: u64,
    },
    /// One instance larger than the limit.
    #[error(
        "line {line}: an instance of {bytes} bytes, more than the limit of {limit}; the file is damaged or the limit too low"
    )]
    InstanceTooLarge {
        /// Line where it begins, from 1.
        line: usize,
        /// Its size.
        bytes: u64,
        /// The limit.
        limit: u64,
    },
    /// More instances than the limit.
    #[error("the file has more than {limit} instances; split the model or raise the limit")]
    TooManyInstances {
        /// The limit.
        limit: u64,
    },
}
