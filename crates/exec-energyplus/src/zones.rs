//! The numbers of a run zone by zone, out of its database.

use crate::operations::Resolve;
use crate::run::Call;
use contract::ops::PlatformOperation;
use contract::{Fault, Outcome, Source};
use energy::ops::ZoneResults;
use energy::results::Results;
use std::path::Path;

impl Resolve for ZoneResults {
    fn resolve(self, call: &Call<'_>) -> Result<Outcome, Fault> {
        let file = call.files.iter().find(|file| file.role == "results");
        let Some(Source::Path(path)) = file.map(|file| &file.source) else {
            return Err(Fault::invalid("files", "zone_results needs the file \"results\", by its path."));
        };
        Self::outcome(Results::open(Path::new(path))?.zone_numbers(&self.zones)?)
    }
}
