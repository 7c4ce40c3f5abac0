//! Everything the store says to its database. One file a subject; nothing outside this folder holds a statement. Each is
//! written once, in what both engines understand (see `database::dialect`).

pub(crate) mod audit;
pub(crate) mod check;
pub(crate) mod claims;
pub(crate) mod commit;
pub(crate) mod events;
pub(crate) mod files;
pub(crate) mod governance;
pub(crate) mod identity;
pub(crate) mod jobs;
pub(crate) mod links;
pub(crate) mod log;
pub(crate) mod mend;
pub(crate) mod migrations;
pub(crate) mod models;
pub(crate) mod objects;
pub(crate) mod refs;
pub(crate) mod sessions;
pub(crate) mod sights;
pub(crate) mod tables;
pub(crate) mod tidy;
pub(crate) mod versions;
pub(crate) mod vouched;
pub(crate) mod written;

use crate::error::StoreError;
use contract::ModelKind;

pub(crate) fn kind_of(text: &str) -> Result<ModelKind, StoreError> {
    match text {
        "ifc" => Ok(ModelKind::Ifc),
        "energyplus" => Ok(ModelKind::EnergyPlus),
        other => Err(StoreError::Damaged(format!("unknown model kind {other}"))),
    }
}
