//! Pictures on sheets, with words below them.

use super::definition::PlacedPicture;
use super::draw::{cut, words};
use super::error::BadSheet;
use super::table::Laid;
use building::lookup::near;
use glam::DVec2;
use paper::{Node, Picture, Weight};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The height of letters below a picture, and their room.
const LETTER: f64 = 2.0;
const CAPTION: f64 = 5.0;
/// The widest picture in mm.
const WIDEST: f64 = 5000.0;
/// The bytes with which a PNG begins, up to its width (PNG, clause 5.2 and 11.2.1).
const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR";

/// A picture about its upper left corner.
pub(super) fn lay_out(own: &PlacedPicture, given: &BTreeMap<String, Arc<[u8]>>) -> Result<Laid, BadSheet> {
    let fail = |reason: String| BadSheet::Picture { key: own.key.chars().take(80).collect(), reason };
    let png = given.get(&own.key).ok_or_else(|| {
        let like = near(&own.key, given.keys().map(String::as_str));
        fail(if like.is_empty() {
            "it is not given".into()
        } else {
            format!("it is not given; near: {}", like.join(", "))
        })
    })?;
    if !(own.width > 0.0 && own.width <= WIDEST) {
        return Err(fail("its width is no length in mm".into()));
    }
    let [width, height] = pixels(png).ok_or_else(|| fail("it is no PNG".into()))?;
    let size = DVec2::new(own.width, own.width * height / width);
    let mut nodes = vec![Node::Picture(Picture { at: DVec2::ZERO, size, png: Arc::clone(png) })];
    if own.caption.is_empty() {
        return Ok(Laid { nodes, size, edges: Vec::new() });
    }
    let caption = cut(&own.caption, LETTER, Weight::Regular, own.width);
    let foot = DVec2::new(0.0, size.y + f64::midpoint(CAPTION, LETTER));
    nodes.push(Node::Text(words(foot, &caption, LETTER, Weight::Regular)));
    Ok(Laid { nodes, size: size + DVec2::new(0.0, CAPTION), edges: Vec::new() })
}

/// Width and height in pixels; `None` where the bytes are no PNG.
fn pixels(png: &[u8]) -> Option<[f64; 2]> {
    let rest = png.strip_prefix(SIGNATURE)?;
    let number = |at: usize| -> Option<f64> {
        let bytes: [u8; 4] = rest.get(at..at + 4)?.try_into().ok()?;
        Some(f64::from(u32::from_be_bytes(bytes))).filter(|pixels| *pixels > 0.0)
    };
    Some([number(0)?, number(4)?])
}
