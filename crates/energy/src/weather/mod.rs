//! Weather files, design days, and where stations are.
//!
//! An EPW file is a year of hours with a heading that says where and how warm it gets; a DDY file holds the design days of
//! the same place as objects of a model; both come in one archive from a public collection, whose index is part of this
//! crate. Nothing here fetches anything: an address is made, and what came from it is read as a file from anybody.

pub mod archive;
pub mod ddy;
pub mod epw;
pub mod stations;
pub mod summary;

#[cfg(test)]
mod tests;

pub use archive::WeatherFiles;
pub use ddy::{DesignDay, DesignDays};
pub(crate) use epw::day_of;
pub use epw::{DataPeriod, Epw};
pub use stations::{Index, Station, StationQuery};
pub use summary::{ClimateType, WeatherSummary};
