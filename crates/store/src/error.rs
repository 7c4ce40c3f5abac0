//! What can go wrong with durable state, by meaning.

use contract::{Fault, FaultCode};
use std::path::PathBuf;

/// Why storage did not do what was asked. Nothing was written, or all of it was.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// No such thing is kept here.
    #[error("there is no {what} `{id}`")]
    NotFound {
        /// `model`, `version`, `blob`, ….
        what: &'static str,
        /// The id asked for.
        id: String,
    },
    /// A shortened id or a name that fits several.
    #[error("`{id}` fits several {what}s: {}", candidates.join(", "))]
    Ambiguous {
        /// `model`, `version`.
        what: &'static str,
        /// The id asked for.
        id: String,
        /// Some of those it fits.
        candidates: Vec<String>,
    },
    /// More bytes than may be kept in one piece.
    #[error("{what} is larger than {limit} bytes")]
    TooLarge {
        /// The thing to be kept.
        what: String,
        /// The limit in bytes.
        limit: u64,
    },
    /// Arguments contradict what is kept, such as a version of another model as a parent.
    #[error("{0}")]
    Inconsistent(String),
    /// Stored data is damaged.
    #[error("the data folder is damaged: {0}")]
    Damaged(String),
    /// The settings do not say where things are.
    #[error("{0}")]
    Config(String),
    /// The database refused.
    #[error("the database failed: {0}")]
    Database(String),
    /// The database cannot be reached, or has no room or time for this now. Nothing was written.
    #[error("the database is not available: {0}")]
    Unavailable(String),
    /// The database was lost while it was committing, and could not be asked since.
    #[error("the database was lost in the middle of a commit: {why}")]
    InDoubt {
        /// The transaction's number there, until it was asked for.
        transaction: Option<i64>,
        /// The connection's words.
        why: String,
    },
    /// The bucket refused.
    #[error("the bucket failed: {0}")]
    Bucket(String),
    /// The file system refused.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// Nothing is to be changed here.
    #[error("this store is read-only")]
    ReadOnly,
    /// The store was shut down.
    #[error("the store is closed")]
    Closed,
}

impl StoreError {
    pub(crate) fn io(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.into();
        move |source| Self::Io { path, source }
    }

    /// Returns a copy of the error for one more of those whom it concerns.
    pub(crate) fn again(&self) -> Self {
        match self {
            Self::Unavailable(why) => Self::Unavailable(why.clone()),
            Self::InDoubt { transaction, why } => {
                Self::InDoubt { transaction: *transaction, why: why.clone() }
            }
            Self::Database(why) => Self::Database(why.clone()),
            other => Self::Database(other.to_string()),
        }
    }
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Database(error.to_string())
    }
}

impl From<object_store::Error> for StoreError {
    fn from(error: object_store::Error) -> Self {
        Self::Bucket(error.to_string())
    }
}

impl From<serde_json::Error> for StoreError {
    fn from(error: serde_json::Error) -> Self {
        Self::Damaged(format!("a record is not the JSON it should be: {error}"))
    }
}

impl From<StoreError> for Fault {
    fn from(error: StoreError) -> Self {
        match &error {
            StoreError::NotFound { what, id } => {
                let (code, hint) = match *what {
                    "model" => (FaultCode::ModelNotFound, " List models with list_models."),
                    "version" => (FaultCode::VersionNotFound, " List versions with list_versions."),
                    _ => (FaultCode::NotFound, ""),
                };
                Self::new(code, format!("There is no {what} `{id}`.{hint}")).with("id", id)
            }
            StoreError::Ambiguous { what, id, candidates } => Self::new(
                FaultCode::InvalidParams,
                format!("`{id}` fits several {what}s. Give one whole id."),
            )
            .with("id", id)
            .with("candidates", candidates),
            StoreError::ReadOnly => {
                Self::new(FaultCode::PermissionDenied, "This server is read-only; nothing was changed.")
            }
            StoreError::TooLarge { limit, .. } => {
                Self::new(FaultCode::LimitReached, format!("Nothing was kept: {error}."))
                    .with("limit_bytes", limit)
            }
            StoreError::Unavailable(why) => Self::new(
                FaultCode::StorageFailed,
                format!("The database is not available, and nothing was committed: {why}. Try again in a moment."),
            )
            .with("reason", "unavailable")
            .with("retry", true),
            StoreError::InDoubt { why, .. } => Self::new(
                FaultCode::StorageFailed,
                format!(
                    "The database was lost while this was being committed, and cannot say yet whether it was: {why}. Look \
                     at list_versions once it is back, or send the same call again with the same idempotency_key."
                ),
            )
            .with("reason", "in_doubt")
            .with("retry", false),
            _ => Self::new(
                FaultCode::StorageFailed,
                format!(
                    "Storage failed and nothing was committed: {error}. Try again; if it persists, look at the data folder."
                ),
            ),
        }
    }
}
