//! Any bytes are an SVG drawing or are refused, and whatever is read is recognised without a number that is none.
use super::dxf::{LIMITS, check};

/// One input.
pub fn run(bytes: &[u8]) {
    if let Ok(drawing) = plans::svg::read(bytes, &LIMITS, &|| true) {
        check(&drawing);
    }
}
