//! The BIM Collaboration Format: topics with comments, viewpoints and documents in a zip archive, as buildingSMART publishes it.
//!
//! Versions 2.0, 2.1 and 3.0 are read into one set of types; 2.1 and 3.0 are written. What a version cannot hold, and what a file
//! says that it may not say, is told beside the result. Bytes in, bytes out: no path of an archive becomes one of the disk.

mod archive;
mod dates;
mod guid;
mod problem;
mod read;
mod topic;
mod view;
mod write;

pub use archive::Limits;
pub use dates::is_date_time;
pub use guid::Guid;
pub use problem::{Problem, Refused};
pub use read::read;
pub use topic::{
    Archive, Attachment, Comment, Document, DocumentReference, Extensions, HeaderFile, Project, Snippet,
    Stamp, Target, Topic, Version, Viewpoint,
};
pub use view::{
    Bitmap, BitmapFormat, Camera, ClippingPlane, Colouring, Component, Components, Eye, Line, Projection,
    View, Visibility,
};
pub use write::write;

#[cfg(test)]
mod tests;
