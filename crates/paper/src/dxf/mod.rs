//! Pages as drawings: DXF of AutoCAD 2018 (AC1032), in UTF-8, as the DXF Reference of 2018 says.
//!
//! A page that is one view to scale is written in the world's millimetres, any other in those of paper. Layers have names, colours, weights
//! and linetypes by a standard; entities keep only what differs from their layer. Hatches are patterns, symbols are blocks, and a group that
//! is drawn within an area is a reference to a block with a clipping boundary. Every entity of a group carries GlobalId, class and name as
//! extended data of the application `PENSAER`. Words are drawn in Arial, which programs have, and which is narrower than the font of the other
//! formats. Pictures are frames.

mod drawing;
mod entity;
mod frame;
mod hatch;
mod layers;
mod tags;

use crate::error::Error;
use crate::page::Page;
use crate::shape::is_near;
use drawing::Drawing;
pub use layers::LayerStandard;

/// The name under which extended data is registered.
pub const APPLICATION: &str = "PENSAER";

/// The style of running text.
const REGULAR: &str = "PENSAER";

/// The style of titles.
const BOLD: &str = "PENSAER-BOLD";

/// Writes a page. The same page is the same bytes.
pub fn write(page: &Page, standard: LayerStandard) -> Result<Vec<u8>, Error> {
    if !is_near(page.size) || page.size.min_element() <= 0.0 {
        return Err(Error::Size { most: crate::shape::FAR as u32 });
    }
    let _fonts = page.fonts.enter();
    let drawing = Drawing::new(page, standard, frame::MODEL);
    Ok(frame::write(page, drawing).into_bytes())
}
