//! The outline of an opening: a rectangle, or a round, an arch or a regular polygon drawn into its width and height.
//!
//! Rounds are drawn with straight edges, so that areas and volumes are those of what is cut. What an opening looks like is read
//! back from its body; it keeps that outline when it is drawn anew in another size.

use crate::author::Author;
use crate::frame::Frame;
use crate::host;
use crate::lookup::predefined_type;
use crate::polygon::{area, bounds};
use crate::solids;
use contract::Fault;
use geometry::region::rectangle;
use glam::{DAffine3, DVec2, DVec3};
use ifc::Id;
use std::f64::consts::{PI, TAU};

/// The number of straight edges of a whole round.
const EDGES: u32 = 64;

/// The outline of an opening, within its width and height.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Shape {
    /// As wide as high everywhere.
    #[default]
    Rectangle,
    /// A circle; an ellipse where width and height differ.
    Round,
    /// A rectangle with half a round on top.
    Arch,
    /// A polygon of so many equal sides, standing on one, drawn into width and height.
    Polygon(u32),
}

impl Shape {
    /// Returns the outline, counter-clockwise from its lower left, between the origin and `size`.
    pub fn outline(self, size: DVec2) -> Vec<DVec2> {
        let round = |centre: DVec2, half: DVec2, from: f64, turn: f64, edges: u32, last: u32| {
            (0..last)
                .map(|i| from + turn * f64::from(i) / f64::from(edges))
                .map(|angle| centre + half * DVec2::from_angle(angle))
                .collect::<Vec<_>>()
        };
        match self {
            Self::Rectangle => rectangle(DVec2::ZERO, size),
            Self::Round => round(size / 2.0, size / 2.0, 0.0, TAU, EDGES, EDGES),
            Self::Arch => {
                let half = DVec2::new(size.x / 2.0, (size.x / 2.0).min(size.y));
                let spring = size.y - half.y;
                let mut outline = Vec::new();
                if spring > 0.1 {
                    outline.extend([DVec2::ZERO, DVec2::new(size.x, 0.0)]);
                }
                let centre = DVec2::new(half.x, spring);
                outline.extend(round(centre, half, 0.0, PI, EDGES / 2, EDGES / 2 + 1));
                outline
            }
            Self::Polygon(sides) => {
                let turn = TAU / f64::from(sides.max(3));
                let points: Vec<DVec2> = (0..sides.max(3))
                    .map(|i| DVec2::from_angle(-PI / 2.0 + turn * (f64::from(i) - 0.5)))
                    .collect();
                let (low, high) = bounds(&points);
                points.iter().map(|p| (*p - low) / (high - low) * size).collect()
            }
        }
    }
}

/// The body of an opening in a wall: its outline upright in the wall's plane, through the wall's thickness.
pub(super) fn through_wall(author: &mut Author, outline: &[DVec2], depth: f64) -> Result<Id, Fault> {
    // the plane's normal is -y, so that its own x and y are the wall's x and z
    let plane = Frame(DAffine3::from_cols(DVec3::X, DVec3::Z, DVec3::NEG_Y, DVec3::Y * depth));
    let solid = author.extrusion(&plane, outline, &[], depth)?;
    author.body(&[solid])
}

/// The body of an opening in a slab: its outline in plan, through the slab's thickness.
pub(super) fn through_slab(author: &mut Author, outline: &[DVec2], depth: f64) -> Result<Id, Fault> {
    let solid = author.upright(outline, &[], 0.0, depth)?;
    author.body(&[solid])
}

/// The outline of an opening as it stands, seen in a host's frame, from 0 to 1 in both directions: along and up in a wall, along
/// and across in a slab. `None` for a rectangle, and for what cannot be read as one outline.
pub fn stands(author: &Author, opening: Id, frame: &Frame, in_slab: bool) -> Option<Vec<DVec2>> {
    let solid = solids::chorded_of(author.edit, opening, author.units().length_mm)?;
    let placed = author.frame(opening).ok()?;
    let sweep = frame.turn_into_own(placed.transform_vector3(solid.sweep));
    let through = if in_slab { sweep.z } else { sweep.y };
    // a box in a wall may as well be drawn in plan and extruded upward
    if through.abs() < 0.999 * sweep.length() || !solid.holes.is_empty() {
        return None;
    }
    let points: Vec<DVec2> = solid
        .outline
        .iter()
        .map(|p| placed.transform_point3(solid.frame.transform_point3(p.extend(0.0))))
        .map(|p| frame.into_own(p))
        .map(|p| if in_slab { p.truncate() } else { DVec2::new(p.x, p.z) })
        .collect();
    let (low, high) = bounds(&points);
    let size = high - low;
    if size.min_element() < 0.1 || area(&points) > 0.9999 * size.x * size.y {
        return None;
    }
    Some(points.iter().map(|p| (*p - low) / size).collect())
}

/// The part of its width times height that an opening takes up.
pub fn share(author: &Author, opening: Id, frame: &Frame, in_slab: bool) -> f64 {
    stands(author, opening, frame, in_slab).map_or(1.0, |outline| area(&outline))
}

/// The area in mm² that a slab's openings take out of it, seen along the z of its frame.
pub fn cut_area(author: &Author, slab: Id, frame: &Frame) -> f64 {
    if frame.is_upright()
        && let Ok(slab) = host::Slab::read(author, slab)
    {
        return host::opened_area(author, &slab);
    }
    host::openings(author, slab, frame)
        .iter()
        .map(|(opening, e)| e.size(0) * e.size(1) * share(author, *opening, frame, true))
        .sum()
}

/// The word for a recess where the schema has no word for it.
pub(crate) const RECESS: &str = "Recess";

/// True for an opening that does not go through its wall.
pub fn is_recess(author: &Author, opening: Id) -> bool {
    let told = author.edit.get(opening).and_then(|o| o.text("ObjectType"));
    predefined_type(author.edit, opening).as_deref() == Some("RECESS") || told.as_deref() == Some(RECESS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_outline_fills_its_width_and_height_and_turns_one_way() {
        let size = DVec2::new(1200.0, 900.0);
        for shape in [
            Shape::Rectangle,
            Shape::Round,
            Shape::Arch,
            Shape::Polygon(3),
            Shape::Polygon(6),
            Shape::Polygon(8),
        ] {
            let outline = shape.outline(size);
            let (low, high) = bounds(&outline);
            assert!(low.abs_diff_eq(DVec2::ZERO, 1e-9), "{shape:?} {low}");
            assert!(high.abs_diff_eq(size, 1e-9), "{shape:?} {high}");
            assert!(crate::polygon::signed_area(&outline) > 0.3 * size.x * size.y, "{shape:?}");
            assert!(crate::polygon::first_crossing(&outline).is_none(), "{shape:?}");
        }
    }

    #[test]
    fn a_round_has_nearly_the_area_of_its_circle() {
        let outline = Shape::Round.outline(DVec2::splat(1000.0));
        let circle = PI * 500.0 * 500.0;
        assert!((area(&outline) / circle - 1.0).abs() < 0.002);
    }
}
