//! The numbers of a run zone by zone, out of its database.

use crate::operations::Resolve;
use crate::run::Call;
use contract::ops::PlatformOperation;
use contract::{Fault, Outcome, Source};
use energy::ops::{ZoneFacts, ZoneFactsAnswer, ZoneResults};
use energy::results::Results;
use std::path::Path;

impl Resolve for ZoneResults {
    fn resolve(self, call: &Call<'_>) -> Result<Outcome, Fault> {
        Self::outcome(results(call, Self::NAME)?.zone_numbers(&self.zones)?)
    }
}

impl Resolve for ZoneFacts {
    fn resolve(self, call: &Call<'_>) -> Result<Outcome, Fault> {
        let zones = results(call, Self::NAME)?.zone_facts(self.zone.as_deref())?;
        Self::outcome(ZoneFactsAnswer { zones })
    }
}

fn results(call: &Call<'_>, operation: &str) -> Result<Results, Fault> {
    let file = call.files.iter().find(|file| file.role == "results");
    let Some(Source::Path(path)) = file.map(|file| &file.source) else {
        return Err(Fault::invalid("files", format!("{operation} needs the file \"results\", by its path.")));
    };
    Results::open(Path::new(path))
}
