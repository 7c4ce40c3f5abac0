//! Views: files `.bcfv`.

use super::Writing;
use crate::guid::Guid;
use crate::view::{BitmapFormat, Camera, Component, Components, Projection, View, Visibility};
use xml::Writer;

/// The angles that 2.1 allows, in degrees.
const ANGLES: std::ops::RangeInclusive<f64> = 45.0..=60.0;

/// Returns true if a version can hold a view: 3.0 none without a camera.
pub(super) fn can_hold(writing: &Writing<'_>, view: &View) -> bool {
    view.camera.is_some() || !writing.is_3()
}

/// The file of a view; none where the version cannot hold it, which is told.
pub(super) fn view(
    writing: &mut Writing<'_>,
    file: &str,
    guid: &Guid,
    view: &View,
    picture: Option<&[u8]>,
) -> Option<String> {
    if !can_hold(writing, view) {
        writing.tell(file, "the viewpoint is left out: 3.0 asks for a camera");
        return None;
    }
    let is_3 = writing.is_3();
    let mut writer = Writer::default();
    writer.open("VisualizationInfo").attribute("Guid", &guid.to_string());
    if let Some(own) = &view.components {
        components(&mut writer, own, is_3);
    }
    if let Some(own) = &view.camera {
        camera(writing, &mut writer, file, own, picture);
    }
    if !view.lines.is_empty() {
        writer.open("Lines");
        for line in &view.lines {
            writer.open("Line");
            point(&mut writer, "StartPoint", line.start);
            point(&mut writer, "EndPoint", line.end);
            writer.close();
        }
        writer.close();
    }
    if !view.clipping_planes.is_empty() {
        writer.open("ClippingPlanes");
        for plane in &view.clipping_planes {
            writer.open("ClippingPlane");
            point(&mut writer, "Location", plane.location);
            point(&mut writer, "Direction", plane.direction);
            writer.close();
        }
        writer.close();
    }
    if is_3 && !view.bitmaps.is_empty() {
        writer.open("Bitmaps");
    }
    for bitmap in &view.bitmaps {
        let format = match bitmap.format {
            BitmapFormat::Png => "png",
            BitmapFormat::Jpg => "jpg",
        };
        writer.open("Bitmap");
        if is_3 {
            writer.leaf("Format", format);
        } else {
            writer.leaf("Bitmap", &format.to_ascii_uppercase());
        }
        writer.leaf("Reference", &bitmap.reference);
        point(&mut writer, "Location", bitmap.location);
        point(&mut writer, "Normal", bitmap.normal);
        point(&mut writer, "Up", bitmap.up);
        writer.leaf("Height", &bitmap.height.to_string()).close();
    }
    Some(writer.finish())
}

fn point(writer: &mut Writer, name: &'static str, [x, y, z]: [f64; 3]) {
    writer.open(name);
    writer.leaf("X", &x.to_string()).leaf("Y", &y.to_string()).leaf("Z", &z.to_string());
    writer.close();
}

fn camera(
    writing: &mut Writing<'_>,
    writer: &mut Writer,
    file: &str,
    camera: &Camera,
    picture: Option<&[u8]>,
) {
    let is_3 = writing.is_3();
    let (name, measure, value) = match camera.projection {
        Projection::Orthogonal(height) => ("OrthogonalCamera", "ViewToWorldScale", height),
        Projection::Perspective(angle) if is_3 => {
            ("PerspectiveCamera", "FieldOfView", angle.clamp(0.001, 179.999))
        }
        Projection::Perspective(angle) => {
            if !ANGLES.contains(&angle) {
                writing.tell(
                    file,
                    format!("FieldOfView {angle} is written as the nearest of 45 to 60 that 2.1 allows"),
                );
            }
            ("PerspectiveCamera", "FieldOfView", angle.clamp(*ANGLES.start(), *ANGLES.end()))
        }
    };
    writer.open(name);
    point(writer, "CameraViewPoint", camera.eye.point);
    point(writer, "CameraDirection", camera.eye.direction);
    point(writer, "CameraUpVector", camera.eye.up);
    writer.leaf(measure, &value.to_string());
    if is_3 {
        let aspect = camera.aspect.or_else(|| picture.and_then(png_aspect));
        if aspect.is_none() {
            writing.tell(file, "AspectRatio is missing, and written as 1");
        }
        writer.leaf("AspectRatio", &aspect.unwrap_or(1.0).to_string());
    }
    writer.close();
}

/// Width by height of a PNG, as its first chunk says.
fn png_aspect(bytes: &[u8]) -> Option<f64> {
    let size = |from: usize| -> Option<f64> {
        let bytes: [u8; 4] = bytes.get(from..from + 4)?.try_into().ok()?;
        Some(f64::from(u32::from_be_bytes(bytes)))
    };
    let is_png = bytes.starts_with(b"\x89PNG\r\n\x1a\n") && bytes.get(12..16) == Some(b"IHDR");
    let (width, height) = (size(16)?, size(20)?);
    (is_png && width > 0.0 && height > 0.0).then(|| width / height)
}

fn components(writer: &mut Writer, own: &Components, is_3: bool) {
    writer.open("Components");
    if !is_3 {
        hints(writer, &own.visibility);
    }
    if !own.selection.is_empty() {
        writer.open("Selection");
        own.selection.iter().for_each(|component| self::component(writer, component));
        writer.close();
    }
    writer
        .open("Visibility")
        .attribute("DefaultVisibility", if own.visibility.default { "true" } else { "false" });
    if is_3 {
        hints(writer, &own.visibility);
    }
    if !own.visibility.exceptions.is_empty() {
        writer.open("Exceptions");
        own.visibility.exceptions.iter().for_each(|component| self::component(writer, component));
        writer.close();
    }
    writer.close();
    let coloured: Vec<_> =
        own.colouring.iter().filter(|colouring| !colouring.components.is_empty()).collect();
    if !coloured.is_empty() {
        writer.open("Coloring");
        for colouring in coloured {
            writer.open("Color").attribute("Color", &colouring.colour);
            if is_3 {
                writer.open("Components");
            }
            colouring.components.iter().for_each(|component| self::component(writer, component));
            if is_3 {
                writer.close();
            }
            writer.close();
        }
        writer.close();
    }
    writer.close();
}

fn hints(writer: &mut Writer, own: &Visibility) {
    let word = |value: bool| if value { "true" } else { "false" };
    writer.open("ViewSetupHints");
    writer.attribute("SpacesVisible", word(own.spaces));
    writer.attribute("SpaceBoundariesVisible", word(own.space_boundaries));
    writer.attribute("OpeningsVisible", word(own.openings));
    writer.close();
}

fn component(writer: &mut Writer, own: &Component) {
    writer.open("Component").optional_attribute("IfcGuid", own.ifc_guid.as_deref());
    writer.optional("OriginatingSystem", super::filled(own.system.as_deref()));
    writer.optional("AuthoringToolId", super::filled(own.id.as_deref()));
    writer.close();
}
