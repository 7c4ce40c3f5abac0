//! Questions of place about elements: how far, how much contact, what lies in a region, what is seen from a point, what bounds what.
//!
//! All of them are asked of elements as triangles in metres of the world ([`geometry::query::Element`]); which elements a caller
//! means, and in which words it is answered, is not known here.

pub mod bounding;
pub mod direction;
pub mod isovist;
pub mod measure;
pub mod prism;
pub mod stacked;
#[cfg(test)]
mod tests;

pub use bounding::{Bounding, Side, bounding, faces_by_side};
pub use direction::{Form, Line, angle, line};
pub use isovist::{Isovist, Sightline, isovist};
pub use measure::{Measured, Place, Standing, centre, horizontal, shortest, standing, vertical};
pub use prism::Prism;
pub use stacked::{Level, stacked};
