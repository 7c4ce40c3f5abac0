//! The operations that are no tools: what the platform needs of a model to keep, compare and show it, and what its tools ask of the
//! programs of EnergyPlus. Each is resolved in the file that does its work.

use crate::run::Call;
use contract::ops::{Diff, Inspect, Materialise, Merge, PlatformOperation, Restore};
use contract::{Fault, OperationInfo, Outcome};
use energy::ops::{
    ConvertOsm, EnergyObject, EnergyReferences, EnergySummary, InstalledWeather, Migrate, NewEnergyModel,
    ReadWeather, Simulate, ZoneFacts, ZoneResults,
};

/// An operation that this adapter resolves.
pub(crate) trait Resolve: PlatformOperation {
    /// True if it runs programs of EnergyPlus' or OpenStudio's makers.
    const NEEDS_PROGRAMS: bool = false;

    /// Runs it on the models and files of a call.
    fn resolve(self, call: &Call<'_>) -> Result<Outcome, Fault>;
}

/// An operation with its entry in `/info`.
pub(crate) struct Resolved {
    pub(crate) info: OperationInfo,
    pub(crate) needs_programs: bool,
    pub(crate) run: fn(&Call<'_>) -> Result<Outcome, Fault>,
}

fn resolved<O: Resolve>() -> Resolved {
    Resolved {
        info: O::info(),
        needs_programs: O::NEEDS_PROGRAMS,
        run: |call| O::from_operation(&call.request.operation)?.resolve(call),
    }
}

/// Every operation of this adapter beside the tools.
pub(crate) fn all() -> Vec<Resolved> {
    vec![
        resolved::<NewEnergyModel>(),
        resolved::<Materialise>(),
        resolved::<Diff>(),
        resolved::<Restore>(),
        resolved::<Merge>(),
        resolved::<Inspect>(),
        resolved::<ReadWeather>(),
        resolved::<InstalledWeather>(),
        resolved::<Simulate>(),
        resolved::<Migrate>(),
        resolved::<ConvertOsm>(),
        resolved::<ZoneResults>(),
        resolved::<ZoneFacts>(),
        resolved::<EnergySummary>(),
        resolved::<EnergyObject>(),
        resolved::<EnergyReferences>(),
    ]
}
