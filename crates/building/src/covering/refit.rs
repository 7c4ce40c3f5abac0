//! Coverings made here follow their room: when its outline or height changes, or openings in the walls around it do, they are written
//! anew, each with its name, type, colour and thickness.

use super::{
    NewCovering, QUANTITIES, Shape, Surface, lies_on, lying, lying_on, own_frame, quantify, read_room,
    shapes, solids_of, write,
};
use crate::author::{Author, refused};
use crate::host::Extent;
use crate::lookup::next_name;
use crate::quantities::{is_ours, read};
use crate::removal::remove;
use crate::solids;
use contract::Fault;
use ifc::{Id, Value, relations};

/// Writes the coverings of a room anew after the room or its openings changed; answers those that it reached. Those of other
/// programs stay as they are.
pub fn refit(author: &mut Author, room: Id) -> Result<Vec<Id>, Fault> {
    let mut ours: Vec<Id> = relations::contained(author.edit, room)
        .into_iter()
        .filter(|covering| is_ours(author.edit, *covering, QUANTITIES))
        .collect();
    ours.sort_unstable();
    if ours.is_empty() {
        return Ok(ours);
    }
    let known = read_room(author, room)?;
    let mut reached = Vec::new();
    for surface in [Surface::Floor, Surface::Ceiling, Surface::Walls, Surface::Skirting] {
        // one after the other of one thickness: several layers may lie on one surface
        let mut same: Vec<(f64, Vec<Id>)> = Vec::new();
        for covering in ours.iter().copied().filter(|it| surface_of(author, *it) == Some(surface)) {
            let Some(thickness) = thickness_of(author, covering) else { continue };
            match same.iter_mut().find(|(known, _)| (known - thickness).abs() < 0.01) {
                Some((_, all)) => all.push(covering),
                None => same.push((thickness, vec![covering])),
            }
        }
        for (thickness, coverings) in same {
            let new = NewCovering {
                room,
                surface,
                thickness: Some(thickness),
                height: height_of(author, surface, &coverings, known.height),
                drop: drop_of(author, surface, &coverings, known.floor + known.height),
                material: None,
                colour: None,
                name: None,
            };
            let shapes = shapes(author, &new, &known, thickness)?;
            let left = coverings.len().min(shapes.len());
            for (covering, shape) in coverings.iter().zip(&shapes) {
                rewrite(author, *covering, known.storey, thickness, shape)?;
                reached.push(*covering);
            }
            for covering in coverings.get(left..).unwrap_or_default() {
                remove(author, *covering)?;
            }
            let kind = coverings.first().and_then(|first| relations::type_of(author.edit, *first));
            if let Some(kind) = kind {
                for shape in shapes.get(left..).unwrap_or_default() {
                    let text = next_name(author.edit, "IfcCovering", surface.title());
                    reached.push(write(author, &new, &known, thickness, kind, shape, &text)?);
                }
            }
        }
    }
    Ok(reached)
}

/// Writes the coverings of the rooms anew in which some lie on an element that changed, or its openings; answers those that it reached.
pub fn refit_beside(author: &mut Author, element: Id) -> Result<Vec<Id>, Fault> {
    let mut rooms: Vec<Id> = lying_on(author.edit, element)
        .into_iter()
        .filter(|covering| is_ours(author.edit, *covering, QUANTITIES))
        .filter_map(|covering| relations::container(author.edit, covering))
        .filter(|room| author.edit.get(*room).is_some_and(|it| it.is_a("IfcSpace")))
        .collect();
    rooms.sort_unstable();
    rooms.dedup();
    let mut reached = Vec::new();
    for room in rooms {
        reached.extend(refit(author, room)?);
    }
    Ok(reached)
}

fn surface_of(author: &Author, covering: Id) -> Option<Surface> {
    let kind = author.edit.get(relations::type_of(author.edit, covering)?)?;
    match kind.attr("PredefinedType").as_enum()? {
        "FLOORING" => Some(Surface::Floor),
        "CEILING" => Some(Surface::Ceiling),
        "CLADDING" => Some(Surface::Walls),
        "SKIRTINGBOARD" | "USERDEFINED" => Some(Surface::Skirting),
        _ => None,
    }
}

fn thickness_of(author: &Author, covering: Id) -> Option<f64> {
    read(author.edit, covering, QUANTITIES).get("Width").map(|width| author.units().to_mm(width.value))
}

/// The box of a covering's body in the world, in mm.
fn extent(author: &Author, covering: Id) -> Option<Extent> {
    let frame = author.frame(covering).ok()?;
    let corners = solids::corners_of(author.edit, covering, author.units().length_mm);
    Extent::around(corners.into_iter().map(|p| frame.transform_point3(p)))
}

/// The height of what lies on walls; cladding that went up to about the ceiling goes on to do so.
fn height_of(author: &Author, surface: Surface, coverings: &[Id], room: f64) -> Option<f64> {
    if matches!(surface, Surface::Floor | Surface::Ceiling) {
        return None;
    }
    let extents = coverings.iter().filter_map(|covering| extent(author, *covering));
    let (low, high) = extents.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), extent| {
        (low.min(extent.low.z), high.max(extent.high.z))
    });
    let height = high - low;
    let stays = height.is_finite() && (surface == Surface::Skirting || height < 0.75 * room);
    stays.then(|| height.min(room))
}

/// How far a ceiling's top lies below that of the room: it stays at its height where there is room for it.
fn drop_of(author: &Author, surface: Surface, coverings: &[Id], top: f64) -> f64 {
    if surface != Surface::Ceiling {
        return 0.0;
    }
    let high = coverings.iter().filter_map(|covering| extent(author, *covering)).map(|e| e.high.z);
    let drop = top - high.fold(f64::NEG_INFINITY, f64::max);
    if drop.is_finite() && drop > 0.1 { drop } else { 0.0 }
}

fn rewrite(
    author: &mut Author,
    covering: Id,
    storey: Id,
    thickness: f64,
    shape: &Shape,
) -> Result<(), Fault> {
    let frame = own_frame(&author.frame(storey)?);
    crate::placing::place(author, covering, &frame)?;
    let old = solids::representation(author.edit, covering, "Body").map(|body| body.references("Items"));
    let styles = old.and_then(|items| {
        let styled = author.edit.referrers_of(*items.first()?, "IfcStyledItem").into_iter().next()?;
        Some(author.edit.get(styled)?.references("Styles"))
    });
    let solids = solids_of(author, &frame, &shape.pieces)?;
    if let Some(styles) = styles {
        let styles = Value::list(styles.into_iter().map(Value::Ref));
        for solid in &solids {
            author.create("IfcStyledItem", &[("Item", (*solid).into()), ("Styles", styles.clone())])?;
        }
    }
    let body = author.body(&solids)?;
    author.replace_representation(covering, "Body", body)?;
    let before = lying(author, covering);
    if before.first().map(|(_, covered)| *covered) != shape.covers {
        for (relation, _) in before {
            author.edit.remove(relation).map_err(|error| refused(&error))?;
        }
        lies_on(author, covering, shape.covers)?;
    }
    quantify(author, covering, thickness, shape)
}
