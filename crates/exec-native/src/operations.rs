//! The operations that are no tools: what the platform needs of a model to keep, compare, convert and show it. Each is resolved in
//! the file that does its work.

use crate::run::Call;
use contract::ops::{
    Convert, Diff, Export, Inspect, Materialise, Merge, Outline, Overlay, PlatformOperation, ReadDocuments,
    Restore, Tile, Tileset, Unpack,
};
use contract::{Fault, OperationInfo, Outcome};
use energy::ops::{DeriveEnergyModel, WriteResults};

/// An operation that this adapter resolves.
pub(crate) trait Resolve: PlatformOperation {
    /// Runs it on the models and files of a call.
    fn resolve(self, call: &Call<'_>) -> Result<Outcome, Fault>;
}

/// An operation with its entry in `/info`.
pub(crate) struct Resolved {
    pub(crate) info: OperationInfo,
    pub(crate) run: fn(&Call<'_>) -> Result<Outcome, Fault>,
}

fn resolved<O: Resolve>() -> Resolved {
    Resolved { info: O::info(), run: |call| O::from_operation(&call.request.operation)?.resolve(call) }
}

/// Every operation of this adapter beside the tools.
pub(crate) fn all() -> Vec<Resolved> {
    vec![
        resolved::<Materialise>(),
        resolved::<Unpack>(),
        resolved::<Convert>(),
        resolved::<Export>(),
        resolved::<Diff>(),
        resolved::<Restore>(),
        resolved::<Merge>(),
        resolved::<Inspect>(),
        resolved::<Outline>(),
        resolved::<Tileset>(),
        resolved::<Tile>(),
        resolved::<Overlay>(),
        resolved::<ReadDocuments>(),
        resolved::<DeriveEnergyModel>(),
        resolved::<WriteResults>(),
    ]
}
