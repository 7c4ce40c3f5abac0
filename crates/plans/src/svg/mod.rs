//! SVG read: shapes, paths, words and references, with groups as layers.
//!
//! Source: W3C, SVG 1.1 (second edition) and SVG 2 where programs use it (`href` without a prefix). The document is read by `xml`, values by
//! `svgtypes`, style sheets by `simplecss`. Scripts, animation, filters and text on paths draw nothing here.

mod path;
mod style;
mod walk;

use crate::builder::Builder;
use crate::drawing::{Drawing, Format, Limits, Units};
use crate::effort::Wanted;
use crate::error::Error;
use glam::{DAffine2, DVec2};
use std::str::FromStr as _;
use svgtypes::{Length, LengthUnit, ViewBox};
use xml::Element;

/// True if the bytes look like an XML document.
pub fn is_svg(bytes: &[u8]) -> bool {
    let head = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let head = head.get(..4096.min(head.len())).unwrap_or_default().trim_ascii_start();
    head.starts_with(b"<")
        || bytes.starts_with(&[0xFF, 0xFE, b'<', 0])
        || bytes.starts_with(&[0xFE, 0xFF, 0, b'<'])
}

/// Reads a document, as long as it is wanted.
pub fn read(bytes: &[u8], limits: &Limits, wanted: Wanted<'_>) -> Result<Drawing, Error> {
    let own = xml::Limits {
        bytes: limits.bytes.min(256 << 20),
        depth: 200,
        nodes: limits.entities.saturating_mul(8),
    };
    let without = without_document_type(bytes);
    let root = xml::read(&without, &own)
        .map_err(|problem| Error::Svg { place: problem.place.to_string(), reason: problem.message })?;
    if root.name != "svg" {
        let reason = format!("the document is <{}>, and not <svg>", root.name);
        return Err(Error::NotADrawing { reason });
    }
    let mut builder = Builder::new(Format::Svg, limits, wanted);
    builder.drawing.units = units(&root);
    "SVG".clone_into(&mut builder.drawing.version);
    walk::walk(&root, &mut builder)?;
    builder.finish()
}

/// The document without the document type of SVG 1.1, which old programs write; one that declares entities stays, and is refused.
fn without_document_type(bytes: &[u8]) -> std::borrow::Cow<'_, [u8]> {
    let head = bytes.get(..8192.min(bytes.len())).unwrap_or_default();
    let found = head.windows(9).position(|part| part == b"<!DOCTYPE");
    let Some(start) = found else { return bytes.into() };
    let Some(end) = head.get(start..).and_then(|rest| rest.iter().position(|byte| *byte == b'>')) else {
        return bytes.into();
    };
    let own = head.get(start..=start + end).unwrap_or_default();
    if own.contains(&b'[') {
        return bytes.into();
    }
    let (before, rest) = bytes.split_at(start);
    let after = rest.get(end + 1..).unwrap_or_default();
    // lines stay where they were, for what is said of places
    let blanks = own.iter().map(|byte| if *byte == b'\n' { b'\n' } else { b' ' });
    before.iter().copied().chain(blanks).chain(after.iter().copied()).collect::<Vec<u8>>().into()
}

/// The mm of a length; none where it hangs on something else, and pixels are told apart.
fn millimetres(length: Length) -> Option<(f64, bool)> {
    let unit = match length.unit {
        LengthUnit::Mm => 1.0,
        LengthUnit::Cm => 10.0,
        LengthUnit::In => 25.4,
        LengthUnit::Pt => 25.4 / 72.0,
        LengthUnit::Pc => 25.4 / 6.0,
        LengthUnit::None | LengthUnit::Px => return Some((length.number * 25.4 / 96.0, true)),
        LengthUnit::Em | LengthUnit::Ex | LengthUnit::Percent => return None,
    };
    Some((length.number * unit, false))
}

fn length(element: &Element, name: &str) -> Option<Length> {
    element.attribute(name).and_then(|text| Length::from_str(text.trim()).ok())
}

fn view_box(element: &Element) -> Option<ViewBox> {
    let found = element.attribute("viewBox").and_then(|text| ViewBox::from_str(text).ok())?;
    (found.w > 0.0 && found.h > 0.0).then_some(found)
}

/// The units of the outermost coordinates, which are those of the view box where there is one.
fn units(root: &Element) -> Units {
    let size = length(root, "width").and_then(millimetres);
    let paper_mm = match (size, view_box(root)) {
        (Some((width, false)), Some(view)) => Some(width / view.w),
        (Some((_, false)), None) => Some(25.4 / 96.0),
        _ => None,
    };
    // sizes are rounded more than places are
    let units = [1.0, 10.0, 25.4 / 72.0, 25.4 / 96.0, 25.4, 0.1];
    let paper_mm =
        paper_mm.map(|own| units.into_iter().find(|unit| (own / unit - 1.0).abs() < 1e-4).unwrap_or(own));
    Units { mm: None, paper_mm: paper_mm.filter(|own| *own > 0.0 && own.is_finite()), is_metric: None }
}

/// The map of the outermost element: y goes up in a drawing.
fn upright() -> DAffine2 {
    DAffine2::from_scale(DVec2::new(1.0, -1.0))
}
