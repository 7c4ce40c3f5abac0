//! Corners of surfaces: given in the opposite order where a surface faces the wrong way, and left out where they add nothing.

use super::layers::handle_of;
use super::work::Work;
use crate::geometry::Scene;
use crate::geometry::closure::{is_closed, volume_within};
use crate::geometry::polygon::area_vector;
use crate::geometry::zones::ZoneSurfaces;
use crate::idf::{Handle, Object, set_value};
use glam::DVec3;

/// Corners nearer than this to their neighbour coincide, in metres: what the program itself takes.
const COINCIDENT: f64 = 0.01;

/// The distance from the line between its neighbours below which a corner lies on it, in metres.
const IN_LINE: f64 = 0.001;

/// The part by which a stated volume may differ from the computed one before the program says so.
const VOLUMES_DIFFER: f64 = 0.05;

/// Where the corners of an object stand among its values: the first position, and three for each corner.
fn first_corner(object: Object<'_>) -> Option<usize> {
    let about = object.about()?;
    match &about.extensible {
        Some(group) if &*group.key == "vertices" && group.fields.len() == 3 => Some(about.fields.len()),
        _ => about.position("vertex_1_x_coordinate"),
    }
}

/// The corners as they are written, three values each; those that are wholly blank are none.
fn written(object: Object<'_>, first: usize) -> Vec<[String; 3]> {
    let values: Vec<&str> = object.values().skip(first).collect();
    let corners = values.chunks(3).filter(|corner| corner.iter().any(|value| !value.is_empty()));
    let at = |corner: &[&str], number: usize| {
        corner.get(number).map_or_else(String::new, |value| (*value).to_owned())
    };
    corners.map(|corner| [at(corner, 0), at(corner, 1), at(corner, 2)]).collect()
}

fn rewrite(work: &mut Work, handle: Handle, first: usize, corners: &[[String; 3]]) -> Result<(), String> {
    let about = work.object(handle)?.about();
    let fixed = about.is_some_and(|about| about.extensible.is_none());
    let count = about.and_then(|about| about.position("number_of_vertices"));
    work.rewrite(handle, |record| {
        let length = record.values.len();
        record.values.truncate(first);
        for (at, value) in corners.iter().flatten().enumerate() {
            set_value(&mut record.values, first + at, value.clone());
        }
        // fields that are there anyway are left blank
        if fixed && record.values.len() < length {
            set_value(&mut record.values, length - 1, String::new());
        }
        let stated = count.and_then(|at| record.values.get_mut(at));
        if let Some(stated) = stated.filter(|stated| stated.parse::<f64>().is_ok()) {
            *stated = corners.len().to_string().into();
        }
    })
}

/// Gives the corners of a surface in the opposite order. The last becomes the first: of a rectangle seen from the other side, that is
/// the corner at the same place, upper left or whichever the model begins with.
pub fn turn(work: &mut Work, handle: Handle) -> Result<(), String> {
    let object = work.object(handle)?;
    let first = first_corner(object).ok_or("The object is not given by corners.")?;
    let mut corners = written(object, first);
    if corners.len() < 3 {
        return Err(format!("`{}` has fewer than three corners.", object.label()));
    }
    corners.reverse();
    rewrite(work, handle, first, &corners)
}

/// Turns the base surface if it faces into its zone, and otherwise the window or door in it.
pub fn turn_inwards(work: &mut Work, base: &str, within: &str) -> Result<(), String> {
    let scene = Scene::from_document(work.document());
    let named = |name: &str| scene.surfaces.iter().find(|surface| surface.name.eq_ignore_ascii_case(name));
    let surface = named(base).ok_or_else(|| format!("The surface `{base}` has no place."))?;
    let around = scene.surfaces.iter().filter(|other| {
        !surface.zone.is_empty() && other.within.is_none() && other.zone.eq_ignore_ascii_case(&surface.zone)
    });
    let points: Vec<DVec3> = around.flat_map(|other| other.corners.iter().copied()).collect();
    let middle = middle(&points).ok_or("Its zone has no surfaces.")?;
    let own = self::middle(&surface.corners).ok_or("The surface has no corners.")?;
    let outwards = area_vector(&surface.corners).dot(own - middle);
    if !outwards.is_finite() || outwards == 0.0 {
        return Err(format!("It cannot be told which way `{base}` faces."));
    }
    let turned = if outwards < 0.0 { base } else { within };
    let handle = handle_of(work.document(), turned)?;
    turn(work, handle)
}

fn middle(points: &[DVec3]) -> Option<DVec3> {
    (!points.is_empty()).then(|| points.iter().copied().sum::<DVec3>() / points.len() as f64)
}

/// Leaves out corners that coincide with the next or lie on the line between their neighbours, and states the number that is left.
pub fn clean(work: &mut Work, handle: Handle) -> Result<(), String> {
    let object = work.object(handle)?;
    let Some(first) = first_corner(object) else { return Ok(()) };
    let before = written(object, first);
    let stated = object.number("number_of_vertices");
    let number = |corner: &[String; 3]| -> Option<DVec3> {
        let [x, y, z] = corner;
        Some(DVec3::new(x.trim().parse().ok()?, y.trim().parse().ok()?, z.trim().parse().ok()?))
    };
    let points: Option<Vec<DVec3>> = before.iter().map(number).collect();
    let points = points.ok_or_else(|| format!("A corner of `{}` is no number.", object.label()))?;
    let mut kept: Vec<(DVec3, [String; 3])> = points.into_iter().zip(before.iter().cloned()).collect();
    while let Some(at) = needless(&kept) {
        kept.remove(at);
    }
    if kept.len() < 3 {
        return Err(format!(
            "Fewer than three corners of `{}` would be left: remove the surface.",
            object.label()
        ));
    }
    let wrong = stated.is_some_and(|stated| stated != kept.len() as f64);
    if kept.len() == before.len() && !wrong {
        return Ok(());
    }
    let corners: Vec<[String; 3]> = kept.into_iter().map(|(_, corner)| corner).collect();
    rewrite(work, handle, first, &corners)
}

/// The first corner that adds nothing, if more than three are left.
fn needless(corners: &[(DVec3, [String; 3])]) -> Option<usize> {
    let count = corners.len();
    let at = |number: usize| corners.get(number % count).map(|corner| corner.0);
    (0..count).find(|number| {
        let (Some(before), Some(own), Some(after)) = (at(number + count - 1), at(*number), at(number + 1))
        else {
            return false;
        };
        if before.distance(own) < COINCIDENT {
            return true;
        }
        let line = after - before;
        let length = line.length();
        let between = (own - before).dot(line) > 0.0 && (own - after).dot(line) < 0.0;
        between && length > 0.0 && (own - before).cross(line).length() / length < IN_LINE
    })
}

/// Clears the stated volume of every zone whose surfaces close around one that differs.
pub fn clear_volumes(work: &mut Work) -> Result<(), String> {
    let scene = Scene::from_document(work.document());
    let zones = ZoneSurfaces::from_scene(&scene);
    let differing = |zone: &Object<'_>| {
        let around = zones.around(zone.name());
        let stated = zone.number("volume").filter(|stated| *stated > 0.0);
        is_closed(around) == Some(true)
            && stated.is_some_and(|stated| {
                let computed = volume_within(around).abs();
                (stated - computed).abs() > VOLUMES_DIFFER * computed
            })
    };
    let zones = work.document().of_type("Zone").filter(differing);
    let found: Vec<(Handle, usize)> =
        zones.filter_map(|zone| Some((zone.handle(), zone.about()?.position("volume")?))).collect();
    if found.is_empty() {
        return Err("No closed zone states a volume that differs from that of its surfaces.".to_owned());
    }
    for (handle, position) in found {
        work.set(handle, position, "")?;
    }
    Ok(())
}
