//! From a building to its energy model: zones, the faces between them, what those are made of, and how the zones are used.
//!
//! Reads IFC, writes an EnergyPlus model as epJSON; every value that the building does not say is listed as an assumption with its
//! source, and what could not be carried over is a finding. It knows no files and starts no program.
//!
//! A room is an IfcSpace with its own, inner faces ([`space`]), and a zone one or several of them ([`zoning`]). Faces of two spaces that look at each other across an element are
//! divided into the pieces they share and paired ([`spatial::pairing`]); of the rest it is asked what lies behind
//! ([`spatial::behind`]): outdoors, the ground, or more of the building. Windows and doors come from what fills openings ([`opening`]), constructions from material layers
//! ([`construction`]), loads and set points from what the room is used for ([`room_use`], [`usage`]). What a person knows better is a
//! correction ([`corrections`]), which goes before all of it.

mod construction;
mod convert;
mod corrections;
mod divide;
mod document;
mod glazing;
mod limits;
mod loads;
mod mass;
mod material;
mod names;
mod opening;
mod plant;
mod report;
mod results;
mod room_use;
mod shading;
mod site;
mod space;
#[cfg(test)]
mod tests;
mod usage;
mod weather;
mod write;
mod zoning;

pub use convert::convert;
pub use report::{
    Assumption, BuildingCounts, ConstructionReport, Converted, Correction, Finding, Options, SurfaceReport,
    ZoneReport, Zoning,
};
pub use results::{RESULTS_SET, ResultRow, rows};
pub use site::Weather;
