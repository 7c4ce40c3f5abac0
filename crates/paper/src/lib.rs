//! Pages: what is drawn on a sheet of paper, and the formats that it is written in.
//!
//! Places and lengths are millimetres of paper, from the page's upper left corner, y downwards. What a page says of elements of a model are
//! words alone; this crate knows no building.
//!
//! Words are laid out once, in fonts that the crate brings with it or the caller gives, hatches are lines within their areas, and arcs stay arcs: so a page looks
//! the same as [`svg`], [`pdf`] and [`png`], and is a drawing to go on with as [`dxf`]. Bad numbers draw nothing; what a format cannot hold is
//! one [`Error`]. [`template`] makes nodes of SVG files with fields.

mod canvas;
pub mod dxf;
mod error;
mod hatch;
mod names;
mod page;
pub mod pdf;
mod picture;
pub mod png;
mod shape;
pub mod svg;
pub mod template;
mod text;

pub use error::Error;
pub use page::{
    About, Anchor, Baseline, Colour, Fill, Group, Hatch, HatchLine, Layer, ModelSpace, Node, Page, Part,
    Path, Picture, Segment, Stroke, Subject, Subpath, Text, Use, Weight,
};
pub use text::Extent;
pub use text::fonts::{BadFont, Fonts, MOST_BYTES as MOST_FONT_BYTES, Scope};
