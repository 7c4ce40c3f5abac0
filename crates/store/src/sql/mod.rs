//! Everything the store says to SQLite. One file a subject; nothing outside this folder holds a statement.

pub(crate) mod audit;
pub(crate) mod check;
pub(crate) mod commit;
pub(crate) mod files;
pub(crate) mod migrations;
pub(crate) mod models;
pub(crate) mod sessions;
pub(crate) mod versions;

use crate::error::StoreError;
use contract::ModelKind;

/// Unsigned numbers are kept as SQLite's signed ones.
pub(crate) fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// The reverse of [`signed`].
pub(crate) fn unsigned(number: i64) -> u64 {
    u64::try_from(number).unwrap_or(0)
}

pub(crate) fn kind_of(text: &str) -> Result<ModelKind, StoreError> {
    match text {
        "ifc" => Ok(ModelKind::Ifc),
        "energyplus" => Ok(ModelKind::EnergyPlus),
        other => Err(StoreError::Damaged(format!("unknown model kind {other}"))),
    }
}
