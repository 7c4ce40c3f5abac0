//! The top of a wall: how high it is for a level, a height or what lies above it, and a top that slopes or steps along it.

use crate::author::{Author, word};
use crate::frame::Frame;
use crate::host::{self, Slab, Wall};
use crate::joins::write_body;
use crate::lookup::{guid, label};
use crate::measures::{finite, mm, positive};
use crate::polygon::{bounds, contains};
use crate::storey::beside;
use crate::wall_profile::{Piece, Profile};
use crate::{measured, project, solids};
use contract::Fault;
use geometry::region::rectangle;
use glam::{DAffine3, DVec2, DVec3};
use ifc::{Id, Value, relations};

/// The least height of a wall below what lies above it, in mm.
const LEAST: f64 = 100.0;

/// How far what is taken off a wall's top reaches beyond its faces and ends, in mm.
const ASIDE: f64 = 100.0;

/// The top asked for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Top {
    /// At the floor of a storey.
    Level(Id),
    /// So many mm above the wall's own storey.
    Height(f64),
    /// At the underside of the slab above it, else at the floor of the next storey.
    Above,
}

/// Returns how high a wall is that begins `base` mm above its storey and reaches up to its top, at each of some points of it in
/// plan. Under a slab that leans they differ; `aside` leads from those points to its faces.
pub fn heights_to(
    author: &mut Author,
    storey: Id,
    base: f64,
    points: &[DVec2],
    aside: &[DVec2],
    top: Top,
) -> Result<Vec<f64>, Fault> {
    let floor = author.frame(storey)?.translation.z;
    let (height, what) = match top {
        Top::Height(above) => (finite("top", above)? - base, "this height".to_owned()),
        Top::Level(level) => {
            let rise = project::elevation_of(author, level) - project::elevation_of(author, storey);
            (rise - base, format!("the level {}", label(author.edit, level)))
        }
        Top::Above => return up_to_above(author, storey, floor, base, points, aside),
    };
    if height < LEAST {
        return Err(Fault::invalid(
            "top",
            format!(
                "Up to {what} the wall would be {} mm high; its top must lie above its base.",
                mm(height)
            ),
        ));
    }
    Ok(vec![positive("top", height)?; points.len()])
}

/// The height of a wall up to what lies above it, where that is lower than `usual`; what it is was then assumed.
pub fn lower_above(
    author: &mut Author,
    storey: Id,
    base: f64,
    points: &[DVec2],
    aside: &[DVec2],
    usual: f64,
) -> Option<f64> {
    let kept = author.assumptions();
    let heights = heights_to(author, storey, base, points, aside, Top::Above);
    let lowest = heights.into_iter().flatten().fold(f64::INFINITY, f64::min);
    if lowest < usual {
        return Some(lowest);
    }
    author.assume_no_more_than(kept);
    None
}

fn up_to_above(
    author: &mut Author,
    storey: Id,
    floor: f64,
    base: f64,
    points: &[DVec2],
    aside: &[DVec2],
) -> Result<Vec<f64>, Fault> {
    let from = floor + base;
    let middle = points.iter().sum::<DVec2>() / points.len().max(1) as f64;
    let levels = beside(author, storey);
    let next = levels.iter().copied().find(|(_, z)| *z > from + LEAST);
    // what lies above a wall belongs to its own storey or to the next ones
    let own = levels.iter().copied().filter(|(id, _)| *id == storey);
    let near = own.chain(levels.iter().copied().filter(|(_, z)| *z > from + LEAST).take(2));
    let mut lowest: Option<(f64, Id)> = None;
    for (level, _) in near {
        for slab in slabs_of(author, level) {
            let Ok(found) = Slab::read(author, slab) else { continue };
            let under = found.underside(middle);
            let over = contains(&found.outline_in_world(), middle);
            if over && under > from + LEAST && lowest.is_none_or(|(low, _)| under < low) {
                lowest = Some((under, slab));
            }
        }
    }
    if let Some((_, slab)) = lowest {
        let text = label(author.edit, slab);
        let above = Slab::read(author, slab)?;
        // at its lower face, so that the wall does not reach into the slab
        let under = |p: &DVec2| {
            aside.iter().map(|off| above.underside(*p + *off)).fold(above.underside(*p), f64::min)
        };
        let heights: Vec<f64> = points.iter().map(|p| under(p) - from).collect();
        if heights.iter().any(|height| *height < LEAST) {
            return Err(Fault::constraint(format!(
                "Under {text} the wall would be less than {LEAST} mm high at one end; make it shorter, or give `height`."
            ))
            .with("field", "top")
            .with("element_id", guid(author.edit, slab)));
        }
        let told: Vec<String> = heights.iter().map(|height| mm(*height).to_string()).collect();
        let level = heights.iter().all(|height| (height - heights.first().unwrap_or(height)).abs() < 0.1);
        let told = if level { told.first().cloned().unwrap_or_default() } else { told.join(" to ") };
        author.assume(format!("height {told} mm, up to the underside of {text}"));
        return Ok(heights);
    }
    let Some((level, z)) = next else {
        return Err(Fault::constraint(
            "Nothing lies above this wall: no slab over its middle, and no level higher up. Give `height`, or `top` as a height.",
        )
        .with("field", "top"));
    };
    let text = label(author.edit, level);
    author.assume(format!("height {} mm, up to the level {text}: no slab lies over the wall", mm(z - from)));
    Ok(vec![z - from; points.len()])
}

/// The slabs that a storey holds, those of its roofs as well.
fn slabs_of(author: &Author, storey: Id) -> Vec<Id> {
    let is_a = |id: Id, class: &str| author.edit.get(id).is_some_and(|e| e.is_a(class));
    let mut found = Vec::new();
    for id in relations::contained(author.edit, storey) {
        if is_a(id, "IfcSlab") {
            found.push(id);
        } else if is_a(id, "IfcRoof") {
            found.extend(
                relations::children(author.edit, id).into_iter().filter(|part| is_a(*part, "IfcSlab")),
            );
        }
    }
    found
}

/// Cuts the top of a wall along it, from an upright body whatever its height was; a level one is no cut.
pub fn cut(author: &mut Author, id: Id, field: &str, top: &Profile) -> Result<(), Fault> {
    let mut wall = Wall::read(author, id)?;
    // a mitred end reaches beyond the axis
    let (low, high) = bounds(&wall.outline);
    let (lowest, highest) = top.range(low.x.min(0.0), high.x.max(wall.length));
    if lowest < 1.0 {
        return Err(Fault::invalid(field, "The top would slope below the wall's base; make it flatter."));
    }
    for (opening, extent) in host::openings(author, id, &wall.frame) {
        let (room, _) = top.range(extent.low.x, extent.high.x);
        if extent.high.z > room + 0.1 {
            let filling = relations::filling_of(author.edit, opening).unwrap_or(opening);
            return Err(Fault::constraint(format!(
                "The top of {} would cut {}, which reaches {} mm up where there is room for {} mm.",
                label(author.edit, id),
                label(author.edit, filling),
                mm(extent.high.z),
                mm(room)
            ))
            .with("field", field)
            .with("element_id", guid(author.edit, filling))
            .with("wall_id", guid(author.edit, id)));
        }
    }
    wall.height = highest;
    let outline = wall.outline.clone();
    write_body(author, &wall, &outline)?;
    if top.is_level() {
        return crate::wall::requantify(author, id);
    }
    let mut item = solids::representation(author.edit, id, "Body")
        .and_then(|body| body.references("Items").first().copied())
        .ok_or_else(|| Fault::backend("A wall that was drawn has no body."))?;
    let pieces = top.pieces();
    let last = pieces.len().saturating_sub(1);
    for (i, piece) in pieces.iter().enumerate() {
        if piece.0.y > highest - 0.01 && piece.1.y > highest - 0.01 {
            continue;
        }
        let from = if i == 0 { low.x.min(0.0) - ASIDE } else { piece.0.x };
        let to = if i == last { high.x.max(wall.length) + ASIDE } else { piece.1.x };
        let half_space = half_space(author, &wall, *piece, (last > 0).then_some((from, to)))?;
        item = author.create(
            "IfcBooleanClippingResult",
            &[
                ("Operator", word("DIFFERENCE")),
                ("FirstOperand", item.into()),
                ("SecondOperand", half_space.into()),
            ],
        )?;
    }
    let body = author.representation("Body", "Clipping", &[item])?;
    author.replace_representation(id, "Body", body)?;
    measured::requantify(author, id)
}

/// All that lies above a piece of a top, between two places along the wall where they are given.
fn half_space(
    author: &mut Author,
    wall: &Wall,
    (a, b): Piece,
    between: Option<(f64, f64)>,
) -> Result<Id, Fault> {
    let along = (b - a).normalize().extend(0.0);
    let along = DVec3::new(along.x, 0.0, along.y);
    let origin = DVec3::new(a.x, 0.0, a.y);
    let plane = Frame(DAffine3::from_cols(along, DVec3::Y, along.cross(DVec3::Y), origin));
    let axes = author.axes(&(wall.local * plane))?;
    let surface = author.create("IfcPlane", &[("Position", axes.into())])?;
    let mut attributes = vec![("BaseSurface", Value::Ref(surface)), ("AgreementFlag", Value::Boolean(false))];
    let Some((from, to)) = between else { return author.create("IfcHalfSpaceSolid", &attributes) };
    let (right, left) = (wall.faces.0 - ASIDE, wall.faces.1 + ASIDE);
    let boundary = rectangle(DVec2::new(from, right), DVec2::new(to, left));
    let boundary = author.polyline(&boundary, true)?;
    let position = author.axes(&wall.local)?;
    attributes.push(("Position", position.into()));
    attributes.push(("PolygonalBoundary", boundary.into()));
    author.create("IfcPolygonalBoundedHalfSpace", &attributes)
}
