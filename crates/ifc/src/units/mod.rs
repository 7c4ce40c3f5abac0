//! The units of a file: what one unit of length, area, volume, angle and of every other quantity is. Nothing here converts a file.

pub(crate) mod declared;
mod read;

pub use declared::{Unit, Units, unit_type_of_measure};
pub use read::unit;
