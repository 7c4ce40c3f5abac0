//! Views: files `.bcfv`.

use super::words::Words;
use crate::problem::Problem;
use crate::topic::Version;
use crate::view::{
    Bitmap, BitmapFormat, Camera, ClippingPlane, Colouring, Component, Components, Eye, Line, Projection,
    View, Visibility,
};
use xml::Element;

/// The view of a file; none where that cannot be read.
pub(super) fn read(version: Version, file: &str, bytes: &[u8], problems: &mut Vec<Problem>) -> Option<View> {
    let root = match xml::read(bytes, &xml::Limits::default()) {
        Ok(root) => root,
        Err(error) => {
            problems.push(Problem {
                file: file.to_owned(),
                place: Some(error.place),
                message: error.message,
            });
            return None;
        }
    };
    let mut words = Words::new(file, problems);
    if root.name != "VisualizationInfo" {
        words.tell(&root, format!("the root is <{}>, not <VisualizationInfo>", root.name));
        return None;
    }
    let components = root.child("Components").map(|own| match version {
        Version::V2_0 => flat(&mut words, own),
        _ => components(&mut words, own),
    });
    let lines = root.child("Lines").into_iter().flat_map(|list| list.children_of("Line"));
    let planes = root.child("ClippingPlanes").into_iter().flat_map(|list| list.children_of("ClippingPlane"));
    let bitmaps: Vec<&Element> = match version {
        Version::V3_0 => {
            root.child("Bitmaps").into_iter().flat_map(|list| list.children_of("Bitmap")).collect()
        }
        // in 2.0 each is named by the plural
        _ => root.children.iter().filter(|own| ["Bitmap", "Bitmaps"].contains(&own.name.as_str())).collect(),
    };
    Some(View {
        components,
        camera: camera(&mut words, &root),
        lines: lines
            .filter_map(|line| {
                Some(Line { start: words.point(line, "StartPoint")?, end: words.point(line, "EndPoint")? })
            })
            .collect(),
        clipping_planes: planes
            .filter_map(|plane| {
                Some(ClippingPlane {
                    location: words.point(plane, "Location")?,
                    direction: words.point(plane, "Direction")?,
                })
            })
            .collect(),
        bitmaps: bitmaps.into_iter().filter_map(|own| bitmap(&mut words, own)).collect(),
    })
}

fn camera(words: &mut Words<'_>, root: &Element) -> Option<Camera> {
    let (own, is_perspective) = match (root.child("PerspectiveCamera"), root.child("OrthogonalCamera")) {
        (Some(own), _) => (own, true),
        (None, Some(own)) => (own, false),
        (None, None) => return None,
    };
    let eye = Eye {
        point: words.point(own, "CameraViewPoint")?,
        direction: words.point(own, "CameraDirection")?,
        up: words.point(own, "CameraUpVector")?,
    };
    let projection = if is_perspective {
        Projection::Perspective(words.number(own, "FieldOfView")?)
    } else {
        Projection::Orthogonal(words.number(own, "ViewToWorldScale")?)
    };
    let aspect =
        own.child("AspectRatio").and_then(|_| words.number(own, "AspectRatio")).filter(|ratio| *ratio > 0.0);
    Some(Camera { eye, projection, aspect })
}

fn bitmap(words: &mut Words<'_>, own: &Element) -> Option<Bitmap> {
    let named = Words::text(own, "Format").or_else(|| Words::text(own, "Bitmap"));
    let format = match named.unwrap_or_default().to_ascii_lowercase().as_str() {
        "png" => BitmapFormat::Png,
        "jpg" | "jpeg" => BitmapFormat::Jpg,
        _ => {
            words.tell(own, "the bitmap is neither png nor jpg");
            return None;
        }
    };
    let Some(reference) = Words::text(own, "Reference") else {
        words.tell(own, "the bitmap has no Reference");
        return None;
    };
    Some(Bitmap {
        format,
        reference,
        location: words.point(own, "Location")?,
        normal: words.point(own, "Normal")?,
        up: words.point(own, "Up")?,
        height: words.number(own, "Height")?,
    })
}

/// The components of 2.1 and 3.0.
fn components(words: &mut Words<'_>, own: &Element) -> Components {
    let mut visibility = Visibility { default: false, ..Visibility::default() };
    let shown = own.child("Visibility");
    // 2.1 has the hints beside visibility, 3.0 in it
    if let Some(hints) = own.child("ViewSetupHints").or_else(|| shown?.child("ViewSetupHints")) {
        visibility.spaces = words.truth(hints, "SpacesVisible", false);
        visibility.space_boundaries = words.truth(hints, "SpaceBoundariesVisible", false);
        visibility.openings = words.truth(hints, "OpeningsVisible", false);
    }
    if let Some(shown) = shown {
        visibility.default = words.truth(shown, "DefaultVisibility", false);
        visibility.exceptions = shown.child("Exceptions").map(|list| all(words, list)).unwrap_or_default();
    }
    let selection = own.child("Selection").map(|list| all(words, list)).unwrap_or_default();
    let colours = own.child("Coloring").into_iter().flat_map(|list| list.children_of("Color"));
    let colouring = colours
        .filter_map(|colour| {
            let components = all(words, colour.child("Components").unwrap_or(colour));
            Some(Colouring { colour: self::colour(words, colour)?, components })
        })
        .collect();
    Components { selection, visibility, colouring }
}

/// The components of 2.0: one list, in which each says of itself whether it is meant, seen and coloured. Where some say that they are
/// seen, they alone are.
fn flat(words: &mut Words<'_>, own: &Element) -> Components {
    let mut found = Components::default();
    let mut seen = Vec::new();
    for element in own.children_of("Component") {
        let component = component(words, element);
        if words.truth(element, "Selected", false) {
            found.selection.push(component.clone());
        }
        if Words::attribute(element, "Color").is_some()
            && let Some(colour) = colour(words, element)
        {
            match found.colouring.iter_mut().find(|known| known.colour == colour) {
                Some(known) => known.components.push(component.clone()),
                None => found.colouring.push(Colouring { colour, components: vec![component.clone()] }),
            }
        }
        if Words::attribute(element, "Visible").is_some() {
            if words.truth(element, "Visible", true) {
                seen.push(component);
            } else {
                found.visibility.exceptions.push(component);
            }
        }
    }
    if found.visibility.exceptions.is_empty() && !seen.is_empty() {
        found.visibility.default = false;
        found.visibility.exceptions = seen;
    }
    found
}

fn all(words: &mut Words<'_>, list: &Element) -> Vec<Component> {
    list.children_of("Component").map(|own| component(words, own)).collect()
}

fn component(words: &mut Words<'_>, own: &Element) -> Component {
    let is_guid = |guid: &str| {
        guid.len() == 22 && guid.bytes().all(|b| b.is_ascii_alphanumeric() || b"_$".contains(&b))
    };
    let mut ifc_guid = Words::attribute(own, "IfcGuid");
    if let Some(guid) = ifc_guid.take_if(|guid| !is_guid(guid)) {
        words.tell(own, format!("IfcGuid is `{guid}`, which is no GlobalId"));
    }
    Component {
        ifc_guid,
        system: Words::text(own, "OriginatingSystem"),
        id: Words::text(own, "AuthoringToolId"),
    }
}

fn colour(words: &mut Words<'_>, own: &Element) -> Option<String> {
    let text = Words::attribute(own, "Color").unwrap_or_default();
    let text = text.trim_start_matches('#');
    if matches!(text.len(), 6 | 8) && text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Some(text.to_ascii_uppercase());
    }
    words.tell(own, format!("Color is `{text}`, not RRGGBB or AARRGGBB"));
    None
}
