//! Operations on energy models that the platform and its tools ask of a back end, each as a type: its fields are the parameters, its
//! answer is the other type. What is asked of models of every kind stands in `contract::ops`.

mod building;
mod exchange;
mod model;
mod simulate;
mod weather;

pub use building::{
    Assumption, BuildingCounts, Constructions, Correction, CorrectionValue, DeriveAnswer, DeriveEnergyModel,
    Finding, WeatherNote, WriteResults, WriteResultsAnswer, ZoneReport, Zoning,
};
pub use exchange::{ConvertOsm, ConvertOsmAnswer, Migrate, MigrateAnswer};
pub use model::{
    EnergyObject, EnergyObjectAnswer, EnergyReferences, EnergyReferencesAnswer, EnergySummary,
    EnergySummaryAnswer, NewEnergyModel, NewEnergyModelAnswer, ObjectName, Referrer, TypeGroup,
};
pub use simulate::{Simulate, SimulateAnswer, SimulationResult, ZoneFacts, ZoneFactsAnswer, ZoneResults};
pub use weather::{InstalledWeather, InstalledWeatherAnswer, ReadWeather};

#[cfg(test)]
mod tests;
