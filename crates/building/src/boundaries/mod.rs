//! Space boundaries written into a model: IfcRelSpaceBoundary in IFC2X3, IfcRelSpaceBoundary1stLevel and 2ndLevel later, each with
//! its surface in the placement of its room.
//!
//! What a room should have is given; what it has and should keep stays as it is, GlobalId and all, so that writing twice changes
//! nothing. Which boundaries a room should have is for others to say.

mod boundary;
mod removal;
mod renewal;
mod stored;
mod surface;
mod virtual_element;
mod writing;

pub use boundary::{Level, NewBoundary};
pub use removal::remove_unused;
pub use renewal::{Outcome, write};
pub use stored::{level_of, levels};
