//! Stairs and ramps drawn anew where they stand: by another width, other wishes for their steps, another height. Flights, landings,
//! railings and openings that they have are drawn again, so that they stay the elements that they were.

use super::layout::Shape;
use super::parameters::{self, Known};
use super::parts::Parts;
use super::railing::{self, Edges};
use super::ramp;
use super::rule::{self, Wishes};
use super::run::Build;
use super::{Manner, OneStair, draw, site, storey_at};
use crate::author::Author;
use crate::frame::Frame;
use crate::lookup::{guid, label};
use crate::space::all_walls_on;
use contract::Fault;
use glam::{DAffine3, DVec2, DVec3};
use ifc::{Id, relations};

/// The parameters of stairs.
pub const STAIR: [&str; 8] =
    ["width", "riser", "tread", "height", "landing_depth", "gap", "thickness", "headroom"];
/// The parameters of ramps.
pub const RAMP: [&str; 7] = ["width", "slope", "height", "run_length", "landing_depth", "gap", "thickness"];

/// The value of a parameter; `None` where it is found by rule, or where another program made the stair or ramp.
pub fn shown(author: &Author, id: Id, parameter: &str) -> Option<f64> {
    if let Some(known) = parameters::known(author, id) {
        let m = &known.measures;
        return Some(match parameter {
            "width" => m.width,
            "riser" => m.riser,
            "tread" => m.tread,
            "height" => known.height(),
            "landing_depth" => m.landing,
            "gap" => m.gap,
            "thickness" => known.thickness,
            _ => known.headroom,
        });
    }
    let new = ramp::Known::read(author, id)?.new;
    Some(match parameter {
        "width" => new.width,
        "slope" => new.slope,
        "height" => new.height,
        "run_length" => new.run,
        "landing_depth" => new.landing,
        "gap" => new.gap,
        _ => new.thickness,
    })
}

/// Changes a parameter of a stair or ramp; nothing for a riser, a tread or the depth of landings of a stair leaves them to the rule.
/// Answers the parts and openings that were drawn again.
pub fn change(author: &mut Author, id: Id, parameter: &str, value: Option<f64>) -> Result<Vec<Id>, Fault> {
    let of_value = |fault: Fault| fault.with("field", "value");
    if let Some(known) = parameters::known(author, id) {
        let (mut wishes, mut height) = (known.wishes(), known.height());
        match parameter {
            "width" => {
                wishes.width = Some(needed(parameter, value)?);
            }
            "riser" => wishes.riser = value,
            "tread" => wishes.tread = value,
            "height" => height = needed(parameter, value)?,
            "landing_depth" => wishes.landing = value,
            "gap" => wishes.gap = Some(needed(parameter, value)?),
            "thickness" => wishes.thickness = Some(needed(parameter, value)?),
            _ => wishes.headroom = Some(needed(parameter, value)?),
        }
        let m = &known.measures;
        if parameter == "tread" && m.shape == Shape::Spiral {
            return Err(unused(author, id, "tread", "stairs of other shapes; a spiral's follow its width"));
        }
        let is_bare = known.build == Build::Open && known.layout.landings.is_empty();
        let idle = rule::idle(parameter, m.shape);
        if let Some(of) = idle.or_else(|| rule::idle_of_boards(parameter, is_bare)) {
            return Err(unused(author, id, parameter, of));
        }
        wishes.check().map_err(of_value)?;
        let stays = !["riser", "tread"].contains(&parameter);
        return stair(author, id, &known, &wishes, height, stays).map_err(of_value);
    }
    if let Some(known) = ramp::Known::read(author, id) {
        let mut new = known.new.clone();
        let value = needed(parameter, value)?;
        if let Some(of) = ramp::idle(parameter, &new) {
            return Err(unused(author, id, parameter, of));
        }
        match parameter {
            "width" => new.width = value,
            "slope" => new.slope = value,
            "height" => new.height = value,
            "run_length" => new.run = value,
            "landing_depth" => new.landing = value,
            "gap" => new.gap = value,
            _ => new.thickness = value,
        }
        return ramp(author, id, &known, new).map_err(of_value);
    }
    Err(Fault::constraint(format!(
        "{} was not made by create_stair or create_ramp, so what it was drawn by is not known. Make one in its place, and delete it.",
        label(author.edit, id)
    ))
    .with("field", "parameter_name")
    .with("element_id", guid(author.edit, id)))
}

fn needed(parameter: &str, value: Option<f64>) -> Result<f64, Fault> {
    value.ok_or_else(|| {
        Fault::invalid("value", format!("`value` of {parameter} is a number; no rule finds it."))
    })
}

fn unused(author: &Author, id: Id, parameter: &str, of: &str) -> Fault {
    Fault::invalid(
        "parameter_name",
        format!("{} has no {parameter}; it is that of {of}.", label(author.edit, id)),
    )
}

/// Lets a stair or ramp climb to another height.
pub fn climb(author: &mut Author, id: Id, height: f64) -> Result<Vec<Id>, Fault> {
    if let Some(known) = parameters::known(author, id) {
        return stair(author, id, &known, &known.wishes(), height, true);
    }
    match ramp::Known::read(author, id) {
        Some(known) => {
            let new = ramp::NewRamp { height, ..known.new.clone() };
            ramp(author, id, &known, new)
        }
        None => Ok(Vec::new()),
    }
}

/// Draws a stair or ramp as it was asked for, among the slabs there are now.
pub(super) fn again(author: &mut Author, id: Id) -> Result<Vec<Id>, Fault> {
    match height_of(author, id) {
        Some(height) => climb(author, id, height),
        None => Ok(Vec::new()),
    }
}

/// The height in mm that a stair or ramp of ours climbs.
pub fn height_of(author: &Author, id: Id) -> Option<f64> {
    let by_steps = parameters::known(author, id).map(|known| known.height());
    by_steps.or_else(|| Some(ramp::Known::read(author, id)?.new.height))
}

/// Draws a stair anew. Where its steps `stay`, one that has its tread of the stair below keeps that.
fn stair(
    author: &mut Author,
    id: Id,
    known: &Known,
    wishes: &Wishes,
    height: f64,
    stays: bool,
) -> Result<Vec<Id>, Fault> {
    let frame = author.frame(id)?;
    let Some(storey) = relations::storey_of(author.edit, id).filter(|_| stands_as_drawn(author, id)) else {
        return Err(turned_over(author, id));
    };
    let walls = all_walls_on(author, storey);
    let tread = Some(known.measures.tread).filter(|_| stays && known.wished[1].is_none());
    let placed = site::again(author, &known.placed(&frame), (wishes, tread), height, &walls)?;
    let upper = storey_at(author, storey, frame.translation.z + height);
    let one = OneStair { storey, upper, height, placed: &placed, walls: &walls };
    let manner = Manner { wishes, cut: known.cut, material: known.material.as_deref() };
    let parts = Parts::read(author, id);
    let railings = parts.railings.clone();
    let drawn = draw(author, id, &one, &manner, parts)?;
    let mut all: Vec<Id> = drawn.flights.into_iter().map(|(id, _)| id).collect();
    all.extend(drawn.landings);
    all.extend(drawn.openings);
    let edges = Edges::stair(&placed.layout, &placed.sized.measures, placed.sized.build);
    all.extend(railing::redraw(author, id, &railings, &edges)?);
    Ok(all)
}

fn ramp(author: &mut Author, id: Id, known: &ramp::Known, mut new: ramp::NewRamp) -> Result<Vec<Id>, Fault> {
    let frame = author.frame(id)?;
    if !stands_as_drawn(author, id) {
        return Err(turned_over(author, id));
    }
    new.upper = storey_at(author, new.storey, frame.translation.z + new.height);
    ramp::redraw(author, id, known, &new)
}

/// The way in which a stair or ramp stands.
pub(super) struct Stand {
    /// The map of its plan into the world: its frame, or one that mirrors as well.
    pub map: Frame,
    /// True where it was mirrored since it was drawn.
    pub mirrored: bool,
}

/// Finds how a stair or ramp of ours stands; `None` where it leans, or where its flights are not where its plan has them.
pub(super) fn stand(author: &Author, id: Id) -> Option<Stand> {
    let frame = author.frame(id).ok().filter(Frame::is_upright)?;
    let walks: Vec<Vec<DVec3>> = match parameters::known(author, id) {
        Some(known) => known.layout.flights.into_iter().map(|flight| flight.walk).collect(),
        None => ramp::Known::read(author, id)?.plan()?.walks(),
    };
    let is_flight = |part: &Id| {
        author.edit.get(*part).is_some_and(|p| p.is_a("IfcStairFlight") || p.is_a("IfcRampFlight"))
    };
    let flights = relations::children(author.edit, id).into_iter().filter(is_flight);
    let ends: Vec<[[DVec2; 2]; 2]> = flights
        .zip(&walks)
        .filter_map(|(part, walk)| {
            let drawn = ends_of(author, part, &frame)?;
            Some([drawn, [walk.first()?.truncate(), walk.last()?.truncate()]])
        })
        .collect();
    let matches = |turn: DVec2| {
        ends.iter()
            .all(|[drawn, wanted]| drawn.iter().zip(wanted).all(|(p, q)| (*p * turn).distance(*q) < 5.0))
    };
    if matches(DVec2::ONE) {
        return Some(Stand { map: frame, mirrored: false });
    }
    // one that was mirrored was reflected end for end, along its own x
    let map = Frame(*frame * DAffine3::from_scale(DVec3::new(-1.0, 1.0, 1.0)));
    matches(DVec2::new(-1.0, 1.0)).then_some(Stand { map, mirrored: true })
}

/// Returns true if a stair or ramp goes the way that its parameters say, so that it can be drawn anew by them.
pub(super) fn stands_as_drawn(author: &Author, id: Id) -> bool {
    stand(author, id).is_some_and(|stand| !stand.mirrored)
}

/// The Fault for a stair or ramp that does not stand as it was drawn.
pub(super) fn turned_over(author: &Author, id: Id) -> Fault {
    Fault::constraint(format!(
        "{} does not stand as it was drawn, turned over or mirrored since; make it anew in its place.",
        label(author.edit, id)
    ))
    .with("element_id", guid(author.edit, id))
}

/// The ends of the line that a flight is walked on, in plan in a frame.
fn ends_of(author: &Author, flight: Id, frame: &Frame) -> Option<[DVec2; 2]> {
    let line = crate::solids::representation(author.edit, flight, "Axis")?;
    let mut item = *line.references("Items").first()?;
    if let Some(inner) = author.edit.get(item).map(|set| set.references("Elements"))
        && let Some(curve) = inner.first()
    {
        item = *curve;
    }
    let points = crate::solids::curve(author.edit, item, author.units().length_mm)?;
    let placed = author.frame(flight).ok()?;
    let own = |p: &DVec2| frame.into_own(placed.transform_point3(p.extend(0.0))).truncate();
    Some([own(points.first()?), own(points.last()?)])
}
