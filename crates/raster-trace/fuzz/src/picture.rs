//! Any bytes are a picture or are refused; one that is read is traced, and drawn over.
use raster_trace::{Limits, Options, overlay, read, trace};

const LIMITS: Limits = Limits { pixels: 1 << 18, bytes: 1 << 20, longest_side: 200 };

/// One input.
pub fn run(bytes: &[u8]) {
    let Ok(picture) = read(bytes, &LIMITS) else { return };
    assert!(u64::from(picture.width) * u64::from(picture.height) <= LIMITS.pixels);
    let Ok(found) = trace(&picture, &Options::default()) else {
        unreachable!("without a scale nothing is refused")
    };
    assert!(overlay(&picture, &found).is_ok());
}
