//! Elements moved into line: edges or middles on one another's or on a coordinate, or spaced evenly. The boxes of their shapes
//! in the world count.

use crate::author::Author;
use crate::lookup::label;
use crate::measures::finite;
use crate::movement;
use contract::Fault;
use geometry::Bounds;
use glam::DVec3;
use ifc::Id;

/// The edge or middle of a box that is brought into line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edge {
    /// The lowest coordinate.
    Low,
    /// The middle.
    Middle,
    /// The highest coordinate.
    High,
}

/// The elements that were moved into line.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Aligned {
    /// The elements that were asked for and did not stand there yet.
    pub moved: Vec<Id>,
    /// Others that went with these.
    pub followed: Vec<Id>,
}

/// The line that elements are brought to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Line {
    /// Where the edge of this element is.
    Element(Id),
    /// A coordinate in the world in mm.
    At(f64),
}

/// An edge's coordinate along an axis.
fn coordinate(bounds: &Bounds, axis: usize, edge: Edge) -> f64 {
    match edge {
        Edge::Low => bounds.min[axis],
        Edge::Middle => f64::midpoint(bounds.min[axis], bounds.max[axis]),
        Edge::High => bounds.max[axis],
    }
}

/// The boxes of elements in mm; a Fault names one that has no shape.
fn boxes(author: &Author, ids: &[Id]) -> Result<Vec<Bounds>, Fault> {
    let found = geometry::bounds_of_many(author.edit, ids);
    ids.iter()
        .zip(found)
        .map(|(id, bounds)| {
            bounds.ok_or_else(|| {
                Fault::constraint(format!(
                    "{} has no shape, so it has no edges to bring into line.",
                    label(author.edit, *id)
                ))
                .with("field", "element_ids")
            })
        })
        .collect()
}

/// Brings an edge of each element into line along an axis (0 to 2).
pub fn align(author: &mut Author, ids: &[Id], axis: usize, edge: Edge, line: Line) -> Result<Aligned, Fault> {
    let to = match line {
        Line::At(at) => finite("to", at)?,
        Line::Element(id) => {
            let bounds = boxes(author, &[id])?;
            bounds.first().map(|b| coordinate(b, axis, edge)).unwrap_or_default()
        }
    };
    let moves: Vec<(Id, f64)> = ids
        .iter()
        .zip(boxes(author, ids)?)
        .filter(|(id, _)| line != Line::Element(**id))
        .map(|(id, bounds)| (*id, to - coordinate(&bounds, axis, edge)))
        .collect();
    shift(author, axis, &moves)
}

/// Spaces elements evenly along an axis, in the order in which they stand: with `spacing` mm between one's end and the next one's
/// beginning, the first staying; else the first and the last stay and the gaps between become equal.
pub fn distribute(
    author: &mut Author,
    ids: &[Id],
    axis: usize,
    spacing: Option<f64>,
) -> Result<Aligned, Fault> {
    let least = if spacing.is_some() { 2 } else { 3 };
    if ids.len() < least {
        return Err(Fault::invalid(
            "element_ids",
            format!("To space elements evenly takes at least {least} of them here; got {}.", ids.len()),
        ));
    }
    let mut all: Vec<(Id, Bounds)> = ids.iter().copied().zip(boxes(author, ids)?).collect();
    all.sort_by(|a, b| coordinate(&a.1, axis, Edge::Middle).total_cmp(&coordinate(&b.1, axis, Edge::Middle)));
    let (Some(first), Some(last)) = (all.first(), all.last()) else { return Ok(Aligned::default()) };
    let size = |bounds: &Bounds| bounds.max[axis] - bounds.min[axis];
    let gap = if let Some(gap) = spacing {
        finite("spacing", gap)?
    } else {
        let taken: f64 = all.iter().map(|(_, bounds)| size(bounds)).sum();
        (last.1.max[axis] - first.1.min[axis] - taken) / (all.len() - 1) as f64
    };
    let mut at = first.1.min[axis];
    let mut moves = Vec::with_capacity(all.len());
    for (id, bounds) in &all {
        moves.push((*id, at - bounds.min[axis]));
        at += size(bounds) + gap;
    }
    shift(author, axis, &moves)
}

fn shift(author: &mut Author, axis: usize, moves: &[(Id, f64)]) -> Result<Aligned, Fault> {
    let is_room = |id: Id| author.edit.get(id).is_some_and(|it| it.is_a("IfcSpace"));
    // a room takes along what stands in it, which has a way of its own to go after that
    let mut order: Vec<(Id, f64)> = moves.iter().copied().filter(|(id, _)| is_room(*id)).collect();
    order.extend(moves.iter().filter(|(id, _)| !is_room(*id)));
    let stood: Vec<Option<f64>> = order.iter().map(|(id, _)| stands(author, *id, axis)).collect();
    let mut aligned = Aligned::default();
    for ((id, by), stood) in order.into_iter().zip(stood) {
        let taken = stands(author, id, axis).zip(stood).map_or(0.0, |(now, then)| now - then);
        let left = by - taken;
        // a thousandth of a millimetre is the rounding of boxes
        if left.abs() >= 1e-3 {
            let mut way = DVec3::ZERO;
            way[axis] = left;
            aligned.followed.extend(movement::shift(author, &[id], way)?);
        }
        if left.abs() >= 1e-3 || taken.abs() >= 1e-3 {
            aligned.moved.push(id);
        }
    }
    aligned.followed.retain(|id| !aligned.moved.contains(id));
    Ok(aligned)
}

/// The place of an element along an axis of the world, in mm.
fn stands(author: &Author, id: Id, axis: usize) -> Option<f64> {
    author.frame(id).ok().map(|frame| frame.translation[axis])
}
