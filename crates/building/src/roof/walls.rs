//! Walls that reach up to a roof: drawn to its highest point above them and clipped by the planes of its underside. A
//! relation to the roof says which walls do, and how high each is without it; when the roof goes they go back.
//!
//! Where the planes above a wall meet in ridges and hips alone, each clips by a half space; where there is a valley, each
//! clips within its own boundary. Openings stay as they are.

use super::form::Form;
use super::planes::{self, Plan, Plane};
use super::{NewRoof, slabs};
use crate::author::{Author, refused, word};
use crate::frame::Frame;
use crate::host::{Slab, Wall};
use crate::joins::links;
use crate::lookup::{guid, label};
use crate::measures::mm;
use crate::polygon::{area, contains};
use crate::regions;
pub use crate::roof_ties::roof_of;
use crate::roof_ties::{RELATION, height_before, ties};
use crate::space;
use crate::{project, wall};
use contract::Fault;
use glam::{DAffine3, DVec2, DVec3};
use ifc::{Id, Value};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeSet;

/// The largest distance in mm between a wall's top and what a roof rests on at which it is drawn up.
const GAP: f64 = 500.0;

/// A wall that reaches up to a roof.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ReachedWall {
    /// GlobalId.
    pub wall_id: String,
    /// Name.
    pub name: String,
    /// Its height in mm at its highest.
    pub height: f64,
    /// Its height in mm without the roof.
    pub height_before: f64,
}

/// The roofs that these walls reach up to, or walls that are joined to them; roofs among them count themselves.
pub fn roofs_over(author: &Author, ids: &[Id]) -> BTreeSet<Id> {
    let mut roofs = BTreeSet::new();
    for id in ids {
        let Some(element) = author.edit.get(*id) else { continue };
        if element.is_a("IfcRoof") && !ties(author, *id).is_empty() {
            roofs.insert(*id);
        } else if element.is_a("IfcWall") {
            roofs.extend(roof_of(author, *id));
            roofs.extend(links(author, *id).into_iter().filter_map(|link| roof_of(author, link.other)));
        }
    }
    roofs
}

/// The walls that reach up to a roof.
pub fn reached(author: &Author, roof: Id) -> Vec<ReachedWall> {
    ties(author, roof)
        .into_iter()
        .filter(|(_, relating, _)| *relating == roof)
        .filter_map(|(relation, _, wall)| {
            let stands = Wall::read(author, wall).ok()?;
            Some(ReachedWall {
                wall_id: guid(author.edit, wall),
                name: label(author.edit, wall),
                height: mm(stands.height),
                height_before: mm(height_before(author, relation)?),
            })
        })
        .collect()
}

/// Gives the walls that reach up to a roof their own heights back, except those that are going as well; answers them.
pub fn release(author: &mut Author, roof: Id, going: &[Id]) -> Result<Vec<Id>, Fault> {
    let mut released = Vec::new();
    for (relation, relating, id) in ties(author, roof) {
        if relating != roof || going.contains(&id) {
            continue;
        }
        let before = height_before(author, relation);
        author.edit.remove(relation).map_err(|error| refused(&error))?;
        if let (Some(height), Ok(wall)) = (before, Wall::read(author, id)) {
            let outline = outline_in_placement(&wall);
            let solid = author.upright(&outline, &[], wall.local.translation.z, height)?;
            let body = author.body(&[solid])?;
            author.replace_representation(id, "Body", body)?;
            wall::requantify(author, id)?;
            released.push(id);
        }
    }
    Ok(released)
}

fn outline_in_placement(wall: &Wall) -> Vec<DVec2> {
    wall.outline.iter().map(|p| wall.local.transform_point3(p.extend(0.0)).truncate()).collect()
}

/// A plane above a wall: its outline in plan, and where both overlap.
struct Above<'p> {
    plane: &'p Plane,
    outline: Vec<DVec2>,
    shared: Vec<Vec<DVec2>>,
}

/// Draws the walls below a roof up to its underside; answers them.
pub(super) fn reach(
    author: &mut Author,
    roof: Id,
    plan: &Plan,
    form: &Form,
    new: &NewRoof,
) -> Result<Vec<Id>, Fault> {
    let base = author.frame(roof)?.translation.z;
    let walls = below(author, new, base);
    if walls.is_empty() {
        return Ok(Vec::new());
    }
    // as far out as any of the walls stands, so that none sticks out of what it is clipped by
    let thickest = walls.iter().map(Wall::thickness).fold(0.0, f64::max);
    let wide = planes::planes(plan, form, new.overhang + thickest, new.thickness);
    let cover = match wide {
        Ok(cover) => cover,
        Err(_) => planes::planes(plan, form, new.overhang, new.thickness)?,
    };
    let outlines: Vec<Vec<DVec2>> =
        cover.all.iter().map(|plane| plane.low.iter().map(|p| p.truncate()).collect()).collect();
    let decks = decks(author, roof);
    let mut reached = Vec::new();
    for wall in walls {
        let footprint = space::outline_in_world(&wall);
        let above: Vec<Above> = cover
            .all
            .iter()
            .zip(&outlines)
            .filter_map(|(plane, outline)| {
                let shared: Vec<Vec<DVec2>> =
                    regions::intersection(std::slice::from_ref(&footprint), std::slice::from_ref(outline))
                        .into_iter()
                        .map(|region| region.outer)
                        .collect();
                (!shared.is_empty()).then(|| Above { plane, outline: outline.clone(), shared })
            })
            .collect();
        let covered: f64 = above.iter().flat_map(|a| &a.shared).map(|s| area(s)).sum();
        // a neighbour beside the roof is covered only by what was drawn further out than it is
        let within: f64 = regions::intersection(
            std::slice::from_ref(&footprint),
            std::slice::from_ref(&regions::counter_clockwise(&new.outline)),
        )
        .iter()
        .map(|region| area(&region.outer))
        .sum();
        let top = wall.frame.translation.z + wall.height;
        let middle = wall.at(wall.length / 2.0).truncate();
        let carries =
            decks.iter().any(|(low, outline)| (low - top).abs() < 50.0 && contains(outline, middle));
        if covered < 0.98 * area(&footprint) || within < 0.25 * area(&footprint) || carries {
            continue;
        }
        if draw(author, roof, &wall, &above, base)? {
            reached.push(wall.id);
        }
    }
    if !reached.is_empty() && new.walls_reach.is_none() {
        author.assume(format!("walls_reach true: {} walls are drawn up to the roof", reached.len()));
    }
    Ok(reached)
}

/// The walls of the roof's storey and the one below it that end about where the roof rests and can be drawn anew.
fn below(author: &Author, new: &NewRoof, base: f64) -> Vec<Wall> {
    let own = project::elevation_of(author, new.storey);
    let mut storeys: Vec<(f64, Id)> = author
        .edit
        .of_class("IfcBuildingStorey")
        .into_iter()
        .map(|id| (project::elevation_of(author, id), id))
        .filter(|(elevation, id)| *elevation < own - 1.0 && *id != new.storey)
        .collect();
    storeys.sort_by(|a, b| b.0.total_cmp(&a.0));
    let next = storeys.first().map(|(_, id)| *id);
    [Some(new.storey), next]
        .into_iter()
        .flatten()
        .flat_map(|storey| space::walls_on(author, storey))
        .filter(|wall| {
            let top = wall.frame.translation.z + wall.height;
            wall.plain
                && wall.frame.is_upright()
                && wall.frame.translation.z < base - 1.0
                && (top - base).abs() <= GAP
                && roof_of(author, wall.id).is_none()
        })
        .collect()
}

/// The slabs of any storey that could lie on walls below the roof: their undersides and outlines.
fn decks(author: &Author, roof: Id) -> Vec<(f64, Vec<DVec2>)> {
    let own = slabs(author, roof);
    author
        .edit
        .of_class("IfcSlab")
        .into_iter()
        .filter(|id| !own.contains(id))
        .filter_map(|id| Slab::read(author, id).ok())
        .filter(|slab| slab.frame.is_upright())
        .map(|slab| (slab.frame.translation.z + slab.base, slab.outline_in_world()))
        .collect()
}

/// Draws one wall; returns false where the roof leaves it as it is.
fn draw(author: &mut Author, roof: Id, wall: &Wall, above: &[Above], base: f64) -> Result<bool, Fault> {
    let foot = wall.frame.translation.z;
    let heights = |of: &dyn Fn(&Above, DVec2) -> f64| -> Vec<f64> {
        above.iter().flat_map(|a| a.shared.iter().flatten().map(|p| of(a, *p)).collect::<Vec<_>>()).collect()
    };
    let all = heights(&|a, p| base + a.plane.height_at(p) - foot);
    let highest = all.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let lowest = all.iter().copied().fold(f64::INFINITY, f64::min);
    if !highest.is_finite() || lowest < 1.0 {
        return Ok(false);
    }
    let level = highest - lowest < 0.1;
    if level && (highest - wall.height).abs() < 0.1 {
        return Ok(false);
    }
    let outline = outline_in_placement(wall);
    let mut item = author.upright(&outline, &[], wall.local.translation.z, highest)?;
    let mut kind = "SweptSolid";
    if !level {
        kind = "Clipping";
        // the planes' lower hull is the underside where nothing rises above another's plane
        let hull = above.iter().all(|a| {
            a.shared.iter().flatten().all(|p| {
                let own = a.plane.height_at(*p);
                above.iter().all(|b| b.plane.height_at(*p) > own - 0.5)
            })
        });
        let placed = author.frame(wall.id)?;
        for part in above {
            // a plane that lies above the whole wall clips nothing
            let cuts =
                part.shared.iter().flatten().any(|p| base + part.plane.height_at(*p) - foot < highest - 0.01);
            if !cuts {
                continue;
            }
            let half = half_space(author, part, &placed, base, (!hull).then_some(&part.outline))?;
            item = author.create(
                "IfcBooleanClippingResult",
                &[
                    ("Operator", word("DIFFERENCE")),
                    ("FirstOperand", item.into()),
                    ("SecondOperand", half.into()),
                ],
            )?;
        }
    }
    let body = author.representation("Body", kind, &[item])?;
    author.replace_representation(wall.id, "Body", body)?;
    let text = format!("{} mm high without it", crate::author::tidy(wall.height));
    author.root(
        "IfcRelConnectsElements",
        Some(RELATION),
        &[
            ("Description", text.as_str().into()),
            ("RelatingElement", roof.into()),
            ("RelatedElement", wall.id.into()),
        ],
    )?;
    wall::requantify(author, wall.id)?;
    Ok(true)
}

/// All that lies above a plane, within a boundary in plan where one is given; in the coordinates of the wall's placement.
fn half_space(
    author: &mut Author,
    above: &Above,
    placed: &Frame,
    base: f64,
    within: Option<&Vec<DVec2>>,
) -> Result<Id, Fault> {
    let plane = above.plane;
    let origin = plane.low.first().copied().unwrap_or_default() + DVec3::Z * base;
    let z = placed.turn_into_own(plane.normal());
    let x = placed.turn_into_own(plane.along.extend(0.0));
    let frame = Frame(DAffine3::from_cols(x, z.cross(x), z, placed.into_own(origin)));
    let position = author.axes(&frame)?;
    let surface = author.create("IfcPlane", &[("Position", position.into())])?;
    // the normal points into what is taken away: the material of the half space is on its side
    let mut attributes = vec![("BaseSurface", Value::Ref(surface)), ("AgreementFlag", Value::Boolean(false))];
    let Some(boundary) = within else { return author.create("IfcHalfSpaceSolid", &attributes) };
    let points: Vec<DVec2> =
        boundary.iter().map(|p| placed.into_own(p.extend(placed.translation.z)).truncate()).collect();
    let boundary = author.polyline(&points, true)?;
    let position = author.axes(&Frame::WORLD)?;
    attributes.push(("Position", position.into()));
    attributes.push(("PolygonalBoundary", boundary.into()));
    author.create("IfcPolygonalBoundedHalfSpace", &attributes)
}
