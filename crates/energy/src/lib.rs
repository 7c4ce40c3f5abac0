//! EnergyPlus models: their text, what the schema says of it, weather, and what a simulation answered.
//!
//! Model in, value out: nothing here waits, starts a program or keeps a state.

pub mod check;
pub mod constructions;
mod days;
pub mod digits;
pub mod docs;
pub mod edit;
pub mod geometry;
pub mod idf;
pub mod integrity;
pub mod measures;
pub mod merge;
pub mod messages;
pub mod ops;
mod pattern;
pub mod references;
pub mod results;
pub mod schedules;
pub mod schema;
pub mod weather;
pub mod zone;
