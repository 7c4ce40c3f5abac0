//! Plans that somebody drew, read as walls, openings and rooms.
//!
//! [`dxf`] and [`svg`] read a file into one neutral [`drawing::Drawing`]: lines, arcs, areas and words with their layers, blocks exploded.
//! [`recognise()`] finds in it what a plan shows and answers a [`plan::Plan`] in millimetres, which says what was assumed, what has to be
//! asked, and where something was not understood. [`overlay`] draws the one over the other. This crate knows no building model: it makes
//! no elements, and heights are none of its business.

mod builder;
pub mod drawing;
pub mod dxf;
mod effort;
mod error;
mod measure;
pub mod overlay;
pub mod plan;
mod recognise;
pub mod svg;

pub use effort::Wanted;
pub use error::Error;
pub use recognise::{Options, Role, recognise};

/// Reads a drawing, whichever format its bytes are in, as long as it is wanted.
pub fn read(bytes: &[u8], limits: &drawing::Limits, wanted: Wanted<'_>) -> Result<drawing::Drawing, Error> {
    if bytes.len() > limits.bytes {
        return Err(Error::TooLarge { bytes: bytes.len(), most: limits.bytes });
    }
    if svg::is_svg(bytes) { svg::read(bytes, limits, wanted) } else { dxf::read(bytes, limits, wanted) }
}

#[cfg(test)]
mod tests;
