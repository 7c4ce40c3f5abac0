//! Questions of place: what a ray meets, what lies in a box, what is near, what is in what, what goes through what.
//!
//! An [`Index`] holds elements as triangles in metres of the world. It answers from trees of boxes, in `f64` and relative to where
//! a question is asked, so that far coordinates lose nothing. Which side a corner lies on is decided without rounding
//! (`exact`), so that faces that lie in each other, as in buildings they do everywhere, are no special case. What an
//! interference means is not decided here.

mod contact;
mod crossing;
mod depth;
mod element;
mod enclosure;
mod exact;
mod fed;
mod index;
mod inside;
mod interference;
mod near;
mod overlap;
mod pairs;
mod ray;
mod relation;
#[cfg(test)]
mod tests;
mod tree;
mod triangle;

pub use contact::{Contact, Patch, contact};
pub use element::Element;
pub use enclosure::{Enclosure, Lies};
pub use fed::Wanted;
pub use index::Index;
pub use interference::{Interference, Kind, Refused, Rules, interference, interferences};
pub use near::{Distance, Nearest};
pub use overlap::{Overlap, overlap};
pub use ray::{Hit, Ray};
pub use relation::Relation;
