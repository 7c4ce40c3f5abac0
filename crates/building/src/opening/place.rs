//! Places of openings: how far along a wall the centre of an opening is, by every way in which that is said.

use crate::author::Author;
use crate::bend::Line;
use crate::frame::Frame;
use crate::host::{Extent, Wall};
use crate::joins;
use crate::lookup::{self, label};
use crate::measures::{finite, mm};
use crate::polygon::direction;
use crate::relations::End;
use crate::solids;
use crate::storey::level_of;
use contract::Fault;
use glam::{DVec2, DVec3};
use ifc::Id;

/// The place of an opening. Where it is given by the opening's edge, the offset is the mm left free beside it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Place {
    /// Its centre, in mm along the host's axis from its start.
    Along(f64),
    /// Its centre, as a part of the host's length, 0 to 1.
    Fraction(f64),
    /// The middle of the host.
    Centre,
    /// Its edge, so many mm from the host's start.
    Start(f64),
    /// Its edge, so many mm from the host's end.
    End(f64),
    /// Its edge, so many mm from the corner that the host makes with another wall.
    Corner(f64),
    /// Its edge, so many mm behind another element; negative before it.
    From(Id, f64),
    /// Its centre, in the middle between two elements.
    Between(Id, Id),
    /// A point: projected on a wall's axis, or in a slab's plane; with a z, the sill's height above the storey.
    Point(DVec2, Option<f64>),
}

/// The part of a wall that a place is told in: from where to where along its axis, in mm.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stretch {
    /// The length that `along`, `fraction` and the middle are counted on.
    pub whole: (f64, f64),
    /// The length that an opening may take up.
    pub clear: (f64, f64),
}

impl Stretch {
    /// A wall as a whole.
    pub fn of_wall(wall: &Wall) -> Self {
        Self { whole: (0.0, wall.length), clear: wall.reach() }
    }

    /// A part of a wall.
    pub fn between(wall: &Wall, from: f64, to: f64) -> Self {
        let (low, high) = wall.reach();
        let clear = (from.max(low), to.min(high));
        Self { whole: clear, clear }
    }

    /// The length that is clear.
    pub fn length(&self) -> f64 {
        self.clear.1 - self.clear.0
    }
}

/// Returns how far along a wall the centre of an opening of this width is, and where a point says so, its sill.
pub fn centre(
    author: &Author,
    wall: &Wall,
    stretch: &Stretch,
    place: Place,
    width: f64,
) -> Result<(f64, Option<f64>), Fault> {
    let (from, to) = stretch.clear;
    let half = width / 2.0 + wall.swell(width);
    let offset = |given: f64| {
        finite("location.offset", given)?;
        if given < 0.0 {
            return Err(Fault::invalid(
                "location.offset",
                format!(
                    "`location.offset` is {given}; it is the mm left free between the end and the opening, 0 or more."
                ),
            ));
        }
        Ok(given)
    };
    let way = match place {
        Place::Along(way) => stretch.whole.0 + finite("location.along", way)?,
        Place::Fraction(part) => {
            if !(0.0..=1.0).contains(&part) {
                return Err(Fault::invalid(
                    "location.fraction",
                    format!(
                        "`location.fraction` is {part}; it is a part of the host's length from 0 (start) to 1 (end)."
                    ),
                ));
            }
            stretch.whole.0 + part * (stretch.whole.1 - stretch.whole.0)
        }
        Place::Centre => f64::midpoint(stretch.whole.0, stretch.whole.1),
        Place::Start(given) => from + offset(given)? + half,
        Place::End(given) => to - offset(given)? - half,
        Place::Corner(given) => {
            if at_end_only(author, wall.id) {
                to - offset(given)? - half
            } else {
                from + offset(given)? + half
            }
        }
        Place::From(element, given) => {
            finite("location.offset", given)?;
            let (low, high) = reach_of(author, wall, element)?;
            if given < 0.0 { low + given - half } else { high + given + half }
        }
        Place::Between(one, other) => {
            let (a, b) = (reach_of(author, wall, one)?, reach_of(author, wall, other)?);
            if a.1 <= b.0 {
                f64::midpoint(a.1, b.0)
            } else if b.1 <= a.0 {
                f64::midpoint(b.1, a.0)
            } else {
                f64::midpoint(f64::midpoint(a.0, a.1), f64::midpoint(b.0, b.1))
            }
        }
        Place::Point(p, z) => {
            let own = wall.place(p);
            let aside = (own.y - own.y.clamp(wall.faces.0, wall.faces.1)).abs();
            if aside > 1000.0 {
                return Err(Fault::invalid(
                    "location",
                    format!(
                        "The point lies {} mm beside the wall {}; give a point on the wall, or {{\"along\": mm}} from its start.",
                        mm(aside),
                        label(author.edit, wall.id)
                    ),
                ));
            }
            let base = level_of(author, wall.id).map_or(0.0, |(_, zero)| wall.frame.translation.z - zero);
            return Ok((own.x, z.map(|z| z - base)));
        }
    };
    Ok((way, None))
}

/// Returns true if a wall meets others at its end and none at its start.
fn at_end_only(author: &Author, wall: Id) -> bool {
    let ends: Vec<End> = joins::links(author, wall).into_iter().map(|link| link.own).collect();
    ends.contains(&End::End) && !ends.contains(&End::Start)
}

/// The element, or the grid line, that a place is told from: by id or name, or by the line's tag.
pub fn told_from(author: &Author, field: &str, text: &str) -> Result<Id, Fault> {
    let model = &*author.edit;
    let lines: Vec<Id> = model
        .of_class("IfcGridAxis")
        .into_iter()
        .filter(|id| model.get(*id).and_then(|axis| axis.text("AxisTag")).as_deref() == Some(text.trim()))
        .collect();
    match (lookup::product(model, field, text), lines.as_slice()) {
        (Ok(product), _) => Ok(product),
        (Err(_), [line]) => Ok(*line),
        (Err(fault), []) => Err(fault),
        (Err(_), several) => Err(Fault::invalid(
            field,
            format!("{} grid lines have the tag {text}; tell the place another way.", several.len()),
        )),
    }
}

/// Returns from where to where along a wall another element reaches.
fn reach_of(author: &Author, wall: &Wall, element: Id) -> Result<(f64, f64), Fault> {
    let model = &*author.edit;
    if model.get(element).is_some_and(|e| e.is_a("IfcGridAxis")) {
        let at = crossing(author, wall, element)?;
        return Ok((at, at));
    }
    let opening = ifc::relations::opening_of_filling(model, element).unwrap_or(element);
    let own = wall.openings(author).into_iter().find(|(id, _)| *id == opening);
    if let Some((_, extent)) = own {
        return Ok((extent.low.x, extent.high.x));
    }
    let placed = author.frame(element)?;
    let seen = |p: DVec3| wall.place(placed.transform_point3(p).truncate()).extend(0.0);
    let corners = solids::corners_of(model, element, author.units().length_mm);
    let extent = Extent::around(corners.into_iter().map(seen));
    // what has no body that can be read is where its placement is
    let place = seen(DVec3::ZERO).x;
    Ok(extent.map_or((place, place), |extent| (extent.low.x, extent.high.x)))
}

/// Returns how far along a wall it crosses a grid line.
fn crossing(author: &Author, wall: &Wall, line: Id) -> Result<f64, Fault> {
    let model = &*author.edit;
    let grid = model.referrers_of(line, "IfcGrid").first().copied();
    let placed = grid.map_or(Ok(Frame::WORLD), |grid| author.frame(grid))?;
    let curve = model.get(line).and_then(|axis| axis.reference("AxisCurve"));
    let points =
        curve.and_then(|curve| solids::curve(model, curve, author.units().length_mm)).unwrap_or_default();
    let seen = |p: &DVec2| placed.transform_point3(p.extend(0.0)).truncate();
    let crossed = points
        .first()
        .zip(points.last())
        .map(|(a, b)| (seen(a), seen(b)))
        .and_then(|(a, b)| Some(wall.line().crossings(0.0, &Line::straight(a, direction(a, b)?), 0.0)))
        .unwrap_or_default();
    // an arc may cross it twice: the place that is on the wall counts
    let beyond = |along: &f64| (along - along.clamp(0.0, wall.length)).abs();
    let along = crossed.into_iter().map(|p| wall.place(p).x).min_by(|a, b| beyond(a).total_cmp(&beyond(b)));
    along.ok_or_else(|| {
        Fault::invalid(
            "location",
            format!("The wall {} does not cross that grid line.", label(author.edit, wall.id)),
        )
    })
}
