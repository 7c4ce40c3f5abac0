//! The top of a wall: how high it is for a level, a height or what lies above it, and a top that slopes along it.

use crate::author::{Author, word};
use crate::frame::Frame;
use crate::host::{self, Slab, Wall};
use crate::joins::write_body;
use crate::lookup::label;
use crate::measures::{finite, mm, positive};
use crate::polygon::contains;
use crate::storey::storeys_by_height;
use crate::{measured, project};
use contract::Fault;
use glam::{DAffine3, DVec2, DVec3};
use ifc::{Id, Value, relations};

/// The least height of a wall below what lies above it, in mm.
const LEAST: f64 = 100.0;

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

/// Returns how high a wall is that begins `base` mm above its storey and reaches up to its top; `middle` is a point of it
/// in plan.
pub fn height_to(author: &mut Author, storey: Id, base: f64, middle: DVec2, top: Top) -> Result<f64, Fault> {
    let floor = author.frame(storey)?.translation.z;
    let (height, what) = match top {
        Top::Height(above) => (finite("top", above)? - base, "this height".to_owned()),
        Top::Level(level) => {
            let rise = project::elevation_of(author, level) - project::elevation_of(author, storey);
            (rise - base, format!("the level {}", label(author.edit, level)))
        }
        Top::Above => return up_to_above(author, storey, floor, base, middle),
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
    positive("top", height)
}

fn up_to_above(author: &mut Author, storey: Id, floor: f64, base: f64, middle: DVec2) -> Result<f64, Fault> {
    let from = floor + base;
    let levels: Vec<(Id, f64)> =
        storeys_by_height(author.edit).into_iter().map(|(id, metres)| (id, metres * 1000.0)).collect();
    let next = levels.iter().copied().find(|(_, z)| *z > from + LEAST);
    // what lies above a wall belongs to its own storey or to the next ones
    let own = levels.iter().copied().filter(|(id, _)| *id == storey);
    let near = own.chain(levels.iter().copied().filter(|(_, z)| *z > from + LEAST).take(2));
    let mut lowest: Option<(f64, Id)> = None;
    for (level, _) in near {
        for slab in slabs_of(author, level) {
            let Ok(found) = Slab::read(author, slab) else { continue };
            let under = found.frame.translation.z + found.base;
            let over = contains(&found.outline_in_world(), middle);
            if over && under > from + LEAST && lowest.is_none_or(|(low, _)| under < low) {
                lowest = Some((under, slab));
            }
        }
    }
    if let Some((under, slab)) = lowest {
        let text = label(author.edit, slab);
        author.assume(format!("height {} mm, up to the underside of {text}", mm(under - from)));
        return Ok(under - from);
    }
    let Some((level, z)) = next else {
        return Err(Fault::constraint(
            "Nothing lies above this wall: no slab over its middle, and no level higher up. Give `height`, or `top` as a height.",
        )
        .with("field", "top"));
    };
    let text = label(author.edit, level);
    author.assume(format!("height {} mm, up to the level {text}: no slab lies over the wall", mm(z - from)));
    Ok(z - from)
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

/// Lets the top of a wall, which is as high as the higher of both, slope from its height at the start to that at its end.
/// The body is cut, so that it is not drawn anew afterwards.
pub fn slope(author: &mut Author, id: Id, at_start: f64, at_end: f64) -> Result<(), Fault> {
    let mut wall = Wall::read(author, id)?;
    if (at_start - at_end).abs() < 0.1 {
        return Ok(());
    }
    let rise = (at_end - at_start) / wall.length;
    // a mitred end reaches beyond the axis
    let highest = wall.outline.iter().map(|p| at_start + rise * p.x).fold(f64::MIN, f64::max);
    let lowest = wall.outline.iter().map(|p| at_start + rise * p.x).fold(f64::MAX, f64::min);
    if lowest < 1.0 {
        return Err(Fault::invalid(
            "top_end_height",
            "The top would slope below the wall's base; make it flatter.",
        ));
    }
    for (opening, extent) in host::openings(author, id, &wall.frame) {
        let room = at_start + rise * if rise > 0.0 { extent.low.x } else { extent.high.x };
        if extent.high.z > room + 0.1 {
            let filling = relations::filling_of(author.edit, opening).unwrap_or(opening);
            return Err(Fault::constraint(format!(
                "The sloped top would cut {}, which reaches {} mm up where there is room for {} mm.",
                label(author.edit, filling),
                mm(extent.high.z),
                mm(room)
            ))
            .with("field", "top_end_height"));
        }
    }
    wall.height = highest;
    let outline = wall.outline.clone();
    write_body(author, &wall, &outline)?;
    let solid = crate::solids::representation(author.edit, id, "Body")
        .and_then(|body| body.references("Items").first().copied())
        .ok_or_else(|| Fault::backend("A wall that was drawn has no body."))?;
    let along = DVec3::new(1.0, 0.0, rise).normalize();
    let plane = Frame(DAffine3::from_cols(along, DVec3::Y, along.cross(DVec3::Y), DVec3::Z * at_start));
    let axes = author.axes(&(wall.local * plane))?;
    let surface = author.create("IfcPlane", &[("Position", axes.into())])?;
    let half_space = author.create(
        "IfcHalfSpaceSolid",
        &[("BaseSurface", surface.into()), ("AgreementFlag", Value::Boolean(false))],
    )?;
    let cut = author.create(
        "IfcBooleanClippingResult",
        &[
            ("Operator", word("DIFFERENCE")),
            ("FirstOperand", solid.into()),
            ("SecondOperand", half_space.into()),
        ],
    )?;
    let body = author.representation("Body", "Clipping", &[cut])?;
    author.replace_representation(id, "Body", body)?;
    measured::requantify(author, id)
}
