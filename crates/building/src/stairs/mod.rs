//! Stairs: flights and landings as parts of an IfcStair, drawn by rule over the height of a storey, with the opening that
//! they need in the slab above.
//!
//! A plan ([`layout`]) is drawn in the stair's own coordinates and placed in the building ([`site`]); bodies ([`run`]) and
//! openings ([`opening`]) follow from it.

mod cutting;
pub mod layout;
pub mod opening;
mod over;
mod parameters;
mod parts;
pub mod railing;
pub mod ramp;
pub mod redraw;
mod rule;
mod run;
pub mod shaft;
mod shaft_kept;
mod site;

use crate::author::{Author, boolean, word};
use crate::frame::Frame;
use crate::host::Slab;
use crate::lookup::{free_name, guid, label};
use crate::measures::{mm, name};
use crate::quantities::{Quantities, Quantity, read};
use crate::quantity_sets;
use crate::space::all_walls_on;
use crate::storey::{beside, level_of};
use crate::structure::dress::material_of;
use contract::Fault;
pub(crate) use cutting::cut_among;
use glam::{DVec2, DVec3};
use ifc::{Id, Value};
use layout::{Flight, Shape, Turn};
pub use over::{cut_in, openings_over};
use parts::{Landings, Parts};
use railing::{Edges, RailingAnswer, Sides, Style};
pub use rule::Wishes;
use run::{Block, Build};
use schemars::JsonSchema;
use serde::Serialize;
pub(crate) use shaft_kept::carry as carry_shafts;
use site::Placed;
pub use site::Site;

/// A stair asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct NewStair {
    /// The storeys that it climbs: it stands on the first, and leads to each of the others, with their heights over the one
    /// before in mm. A stair that leads to no storey names only its height.
    pub storey: Id,
    /// The storeys it leads to, from below.
    pub to: Vec<(Option<Id>, f64)>,
    /// Its place.
    pub site: Site,
    /// Its shape; chosen where left out.
    pub shape: Option<Shape>,
    /// The side it turns to; chosen where left out.
    pub turn: Option<Turn>,
    /// Wishes for its measures.
    pub wishes: Wishes,
    /// Cut the slabs above where headroom needs it.
    pub cut: bool,
    /// Railings along its edges.
    pub railings: Option<(Sides, Style)>,
    /// Material of flights and landings.
    pub material: Option<String>,
    /// Name.
    pub name: Option<String>,
}

/// A flight as it stands.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct FlightAnswer {
    /// GlobalId.
    pub flight_id: String,
    /// The number of risers.
    pub risers: usize,
    /// Base quantities as stored, in the file's units.
    pub quantities: Quantities,
}

/// An opening that was cut.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Cut {
    /// GlobalId of the opening.
    pub opening_id: String,
    /// GlobalId of the slab.
    pub host_id: String,
    /// Its lowest and highest corner in plan, in mm.
    pub extent: [[f64; 2]; 2],
}

/// A stair as it stands.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct StairAnswer {
    /// GlobalId.
    pub stair_id: String,
    /// Name.
    pub name: String,
    /// Name of the storey it stands on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub level: Option<String>,
    /// Name of the storey it leads to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to_level: Option<String>,
    /// The shape.
    pub shape: String,
    /// The side it turns to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn: Option<String>,
    /// The number of risers.
    pub risers: usize,
    /// Height of a riser in mm.
    pub riser: f64,
    /// Length of a tread along the walking line in mm.
    pub tread: f64,
    /// Width of a flight in mm.
    pub width: f64,
    /// The height climbed in mm.
    pub height: f64,
    /// Length and width that it takes up in plan, seen up its first flight, in mm.
    pub size: [f64; 2],
    /// The middle of its lowest riser, in mm.
    pub start: [f64; 2],
    /// The way up its first flight, in degrees counter-clockwise from x.
    pub direction: f64,
    /// The middle of its last riser, in mm.
    pub arrival: [f64; 2],
    /// Its flights from below.
    pub flights: Vec<FlightAnswer>,
    /// GlobalIds of its landings.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub landings: Vec<String>,
    /// The openings cut for it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub openings: Vec<Cut>,
    /// GlobalIds of its railings.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub railings: Vec<String>,
    /// The stairs that go on above it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub further: Vec<StairAnswer>,
}

/// Makes a stair, and one above it for each further storey.
pub fn create(author: &mut Author, new: &NewStair) -> Result<StairAnswer, Fault> {
    new.wishes.check()?;
    // from a start a stair is straight where nobody says
    let shape = new.shape.or(matches!(new.site, Site::Start(..)).then_some(Shape::Straight));
    if let Some(shape) = shape {
        new.wishes.suit(shape)?;
    }
    let mut storey = new.storey;
    let mut below: Option<Placed> = None;
    let mut answers: Vec<StairAnswer> = Vec::new();
    for (upper, height) in &new.to {
        let walls = all_walls_on(author, storey);
        let placed = match &below {
            None => site::find(author, &new.site, new.shape, new.turn, &new.wishes, *height, &walls)?,
            Some(below) => site::above(author, below, &new.wishes, *height, &walls)?,
        };
        if below.is_none() {
            if shape.is_some() {
                new.wishes.suit_build(&placed.sized, !placed.layout.landings.is_empty())?;
            }
            new.wishes.tell(author, &placed.sized);
        }
        let text = new.name.as_deref().filter(|_| below.is_none());
        let one = OneStair { storey, upper: *upper, height: *height, placed: &placed, walls: &walls };
        answers.push(write(author, new, &one, text)?);
        below = Some(placed);
        let Some(upper) = upper else { break };
        storey = *upper;
    }
    let mut answers = answers.into_iter();
    let mut lowest = answers
        .next()
        .ok_or_else(|| Fault::constraint("There is no height to climb.").with("field", "to_level"))?;
    lowest.further = answers.collect();
    Ok(lowest)
}

/// The storeys that a stair climbs from one up to `to` (the next above where left out), each with its height over the one
/// before in mm; a stair with a `height` of its own leads to the storey at that height, if there is one.
pub fn climb(
    author: &Author,
    storey: Id,
    to: Option<Id>,
    height: Option<f64>,
) -> Result<Vec<(Option<Id>, f64)>, Fault> {
    let zero = author.frame(storey)?.translation.z;
    let ways = beside(author, storey).into_iter().map(|(id, level)| (id, level - zero));
    let above: Vec<(Id, f64)> = ways.filter(|(_, way)| *way > 1.0).collect();
    if let Some(height) = height {
        let height = crate::measures::positive("height", height)?;
        if let Some(to) = to {
            return Err(Fault::invalid(
                "height",
                format!("`to_level` ({}) gives the height; leave one of both out.", label(author.edit, to)),
            ));
        }
        let upper = above.iter().find(|(_, way)| (way - height).abs() < 5.0).map(|(id, _)| *id);
        return Ok(vec![(upper, height)]);
    }
    let Some(to) = to.or_else(|| above.first().map(|(id, _)| *id)) else {
        return Err(Fault::constraint(format!(
            "There is no storey above {}. Make one with create_level, or give the `height` to climb in mm.",
            label(author.edit, storey)
        ))
        .with("field", "to_level"));
    };
    let Some(last) = above.iter().position(|(id, _)| *id == to) else {
        return Err(Fault::invalid(
            "to_level",
            format!("{} does not lie above {}.", label(author.edit, to), label(author.edit, storey)),
        )
        .with("above", above.iter().map(|(id, _)| label(author.edit, *id)).collect::<Vec<_>>()));
    };
    let mut from = 0.0;
    let mut climbed = Vec::new();
    for (id, way) in above.into_iter().take(last + 1) {
        climbed.push((Some(id), way - from));
        from = way;
    }
    Ok(climbed)
}

/// The storey of the same building other than one whose floor lies at a height in the world, in mm.
pub(crate) fn storey_at(author: &Author, but: Id, level: f64) -> Option<Id> {
    let storeys = beside(author, but).into_iter().filter(|(id, _)| *id != but);
    storeys.map(|(id, own)| (id, (own - level).abs())).find(|(_, off)| *off < 5.0).map(|(id, _)| id)
}

/// The highest storey of a building above another one.
pub fn highest(author: &Author, storey: Id) -> Option<Id> {
    let zero = author.frame(storey).ok()?.translation.z;
    beside(author, storey).into_iter().rfind(|(_, level)| *level > zero + 1.0).map(|(id, _)| id)
}

/// The outline of a room in the world, counter-clockwise; `field` names the parameter.
pub fn room_outline(author: &Author, field: &str, room: Id) -> Result<Vec<DVec2>, Fault> {
    let frame = author.frame(room)?;
    let prism = crate::solids::prism_of(author.edit, room, author.units().length_mm).ok_or_else(|| {
        Fault::constraint(format!(
            "The room {} has no upright body with straight edges; give its corners instead.",
            label(author.edit, room)
        ))
        .with("field", field)
    })?;
    let world: Vec<DVec2> =
        prism.outline.iter().map(|p| frame.transform_point3(p.extend(0.0)).truncate()).collect();
    Ok(crate::regions::counter_clockwise(&world))
}

/// One stair between two floors.
struct OneStair<'a> {
    storey: Id,
    upper: Option<Id>,
    height: f64,
    placed: &'a Placed,
    walls: &'a [crate::host::Wall],
}

/// The way that a stair is drawn, beside its place.
struct Manner<'a> {
    wishes: &'a Wishes,
    cut: bool,
    material: Option<&'a str>,
}

/// The parts of a stair that was drawn, and the openings for it.
struct Drawn {
    flights: Vec<(Id, usize)>,
    landings: Vec<Id>,
    openings: Vec<Id>,
}

fn write(
    author: &mut Author,
    new: &NewStair,
    one: &OneStair<'_>,
    text: Option<&str>,
) -> Result<StairAnswer, Fault> {
    let (placed, layout) = (one.placed, &one.placed.layout);
    let m = &placed.sized.measures;
    let storey_frame = author.frame(one.storey)?;
    let frame = placed.frame(storey_frame.translation.z);
    let within = author.placement_of(one.storey);
    let placement = author.placement(within, &frame.seen_from(&storey_frame))?;
    let text = match text {
        Some(text) => name("name", text)?,
        None => free_name(author.edit, "IfcStair", "Stair"),
    };
    let kind = if author.legacy() { "ShapeType" } else { "PredefinedType" };
    let shape = word(predefined(m.shape, layout.flights.len()));
    let attributes = [("ObjectPlacement", placement.into()), (kind, shape)];
    let stair = author.root("IfcStair", Some(&text), &attributes)?;
    author.contain(one.storey, stair)?;
    let manner = Manner { wishes: &new.wishes, cut: new.cut, material: new.material.as_deref() };
    let drawn = draw(author, stair, one, &manner, Parts::default())?;
    let railings = match &new.railings {
        Some((sides, style)) => {
            let edges = Edges::stair(layout, m, placed.sized.build);
            railing::along(author, stair, &edges, *sides, style)?
        }
        None => Vec::new(),
    };
    let (low, high) = layout.bounds();
    let arrival = frame.transform_point3(layout.arrival.extend(0.0));
    Ok(StairAnswer {
        stair_id: guid(author.edit, stair),
        name: text,
        level: level_of(author, stair).map(|(storey, _)| label(author.edit, storey)),
        to_level: one.upper.map(|upper| label(author.edit, upper)),
        shape: m.shape.word().to_owned(),
        turn: (m.shape != Shape::Straight)
            .then(|| if m.turn == Turn::Left { "left" } else { "right" }.to_owned()),
        risers: m.risers,
        riser: mm(m.riser),
        tread: mm(m.tread),
        width: mm(m.width),
        height: mm(one.height),
        size: [mm(high.x - low.x), mm(high.y - low.y)],
        start: placed.start.to_array().map(mm),
        direction: mm(placed.along.to_angle().to_degrees()),
        arrival: [mm(arrival.x), mm(arrival.y)],
        flights: drawn
            .flights
            .iter()
            .map(|(id, risers)| FlightAnswer {
                flight_id: guid(author.edit, *id),
                risers: *risers,
                quantities: read(author.edit, *id, quantity_sets::STAIR_FLIGHT),
            })
            .collect(),
        landings: drawn.landings.iter().map(|id| guid(author.edit, *id)).collect(),
        openings: cuts(author, drawn.openings),
        railings: railings.into_iter().map(|r| r.railing_id).collect(),
        further: Vec::new(),
    })
}

fn placement_of(author: &Author, id: Id) -> Result<Id, Fault> {
    author.placement_of(id).ok_or_else(|| {
        Fault::constraint(format!("{} has no placement.", label(author.edit, id)))
            .with("element_id", guid(author.edit, id))
    })
}

/// Draws flights, landings and openings of a stair that has its place, taking up the parts there are; what they are not enough for is
/// made, what is too many goes.
fn draw(
    author: &mut Author,
    stair: Id,
    one: &OneStair<'_>,
    manner: &Manner<'_>,
    mut parts: Parts,
) -> Result<Drawn, Fault> {
    let (placed, layout) = (one.placed, &one.placed.layout);
    let m = &placed.sized.measures;
    let frame = author.frame(stair)?;
    let placement = placement_of(author, stair)?;
    let text = label(author.edit, stair);
    let kind = if author.legacy() { "ShapeType" } else { "PredefinedType" };
    author.set(stair, kind, word(predefined(m.shape, layout.flights.len())))?;
    let mut storeys = vec![one.storey];
    storeys.extend(one.upper);
    let slabs = opening::slabs_on(author, &storeys);
    let beyond = layout.arrival + layout.onward * 10.0;
    let onto = frame.transform_point3(beyond.extend(0.0)).truncate();
    let reached = opening::slab_at(&slabs, onto, frame.translation.z + one.height).map(|slab| slab.thickness);
    let reached = reached.filter(|_| placed.is_free_beyond(one.walls));
    let mut flights = Vec::new();
    for (i, flight) in layout.flights.iter().enumerate() {
        let leads_to = if i + 1 < layout.flights.len() { Some(placed.sized.thickness) } else { reached };
        let drawing = FlightDrawing { placed, flight, leads_to, text: format!("{text} flight {}", i + 1) };
        let existing = parts.flights.pop_front();
        let id = write_flight(author, (stair, placement), &drawing, manner.material, existing)?;
        flights.push((id, flight.risers));
    }
    let looks = Landings {
        whole: (stair, placement),
        frame: &frame,
        storey: one.storey,
        thickness: placed.sized.thickness,
        material: manner.material,
        text: &text,
    };
    let mut landings = Vec::new();
    for (i, landing) in layout.landings.iter().enumerate() {
        let existing = parts.landings.pop_front();
        landings.push(looks.put(author, existing, landing, i + 1)?);
    }
    parts.delete_rest(author)?;
    describe(author, stair, placed)?;
    parameters::keep(author, stair, placed, manner)?;
    let openings = if manner.cut { cut(author, stair, one, &frame, &slabs)? } else { Vec::new() };
    Ok(Drawn { flights, landings, openings })
}

/// The item of IfcStairTypeEnum for a shape.
fn predefined(shape: Shape, flights: usize) -> &'static str {
    match (shape, flights) {
        (Shape::Straight, 1) => "STRAIGHT_RUN_STAIR",
        (Shape::Straight, 2) => "TWO_STRAIGHT_RUN_STAIR",
        (Shape::Straight, _) => "NOTDEFINED",
        (Shape::L, _) => "QUARTER_TURN_STAIR",
        (Shape::U, _) => "HALF_TURN_STAIR",
        (Shape::Winder, _) => "QUARTER_WINDING_STAIR",
        (Shape::Spiral, _) => "SPIRAL_STAIR",
    }
}

fn cut(
    author: &mut Author,
    stair: Id,
    one: &OneStair<'_>,
    frame: &Frame,
    slabs: &[Slab],
) -> Result<Vec<Id>, Fault> {
    let sized = &one.placed.sized;
    let heights = (one.height, sized.headroom);
    let made = opening::cut(author, stair, frame, &one.placed.layout.places(), heights, slabs)?;
    if made.is_empty() && one.upper.is_some() {
        author.assume("no opening above: no slab lies over the stair where headroom would need one");
    }
    Ok(made)
}

/// Openings as they are answered.
fn cuts(author: &Author, made: Vec<Id>) -> Vec<Cut> {
    made.into_iter()
        .filter_map(|id| {
            let host = ifc::relations::host_of_opening(author.edit, id)?;
            Some(Cut {
                opening_id: guid(author.edit, id),
                host_id: guid(author.edit, host),
                extent: opening::extent(author, id)?,
            })
        })
        .collect()
}

/// A flight to be drawn.
struct FlightDrawing<'a> {
    placed: &'a Placed,
    flight: &'a Flight,
    leads_to: Option<f64>,
    text: String,
}

/// Writes a flight as a part of its stair, or draws the one there is anew.
fn write_flight(
    author: &mut Author,
    (stair, within): (Id, Id),
    drawing: &FlightDrawing<'_>,
    material: Option<&str>,
    existing: Option<Id>,
) -> Result<Id, Fault> {
    let FlightDrawing { placed, flight, leads_to, text } = drawing;
    let m = &placed.sized.measures;
    let blocks = run::blocks(m, flight, placed.sized.build, *leads_to);
    let shape = shape_of(author, flight, &blocks)?;
    let placement = author.placement(Some(within), &Frame::WORLD)?;
    let mut attributes = vec![("Representation", Value::Ref(shape))];
    // newer schemas keep them for old files alone, and have them as properties
    if author.legacy() {
        let whole = |n: usize| Value::Integer(i64::try_from(n).unwrap_or(0));
        attributes.push(("NumberOfRiser", whole(flight.risers)));
        attributes.push(("NumberOfTreads", whole(flight.steps.len())));
        attributes.push(("RiserHeight", author.real(m.riser)));
        attributes.push(("TreadLength", author.real(m.tread)));
    }
    let id = parts::put(author, existing, "IfcStairFlight", text, placement, &attributes)?;
    if existing.is_none() {
        author.aggregate(stair, id)?;
    }
    let (word_of, open) = match (m.shape, placed.sized.build) {
        (Shape::Winder, build) => ("WINDER", build == Build::Open),
        (Shape::Spiral, build) => ("SPIRAL", build == Build::Open),
        (_, build) => ("STRAIGHT", build == Build::Open),
    };
    let default = if !open {
        "Reinforced concrete"
    } else if m.shape == Shape::Spiral {
        "Steel"
    } else {
        "Timber"
    };
    // one that was given another material since keeps that
    let own = existing.and_then(|id| material_of(author.edit, id));
    if own.is_none() && material.is_none() {
        author.assume(format!("material {default}"));
    }
    let material = own.as_deref().or(material).unwrap_or(default);
    let title = format!(
        "{} flight {} mm, {} x {} mm, {material}",
        match word_of {
            "WINDER" => "Winding",
            "SPIRAL" => "Spiral",
            _ => "Straight",
        },
        mm(m.width),
        mm(m.riser),
        mm(m.tread)
    );
    let flight_type = author.kind("IfcStairFlightType", &title, &[("PredefinedType", word(word_of))])?;
    let made_of = author.material(material)?;
    if author.edit.referrers_of(flight_type, "IfcRelAssociatesMaterial").is_empty() {
        author.make_of(made_of, flight_type)?;
    }
    author.retype(id, flight_type)?;
    if own.is_none() {
        author.make_of(made_of, id)?;
    }
    let mut common = steps(author, flight.risers, flight.steps.len(), placed);
    let headroom = author.length_in_file_units(placed.sized.headroom);
    common.push(("Headroom", Value::typed("IfcPositiveLengthMeasure", Value::Real(headroom))));
    author.describe(id, "Pset_StairFlightCommon", &common)?;
    let walked: f64 = flight.walk.iter().zip(flight.walk.iter().skip(1)).map(|(a, b)| a.distance(*b)).sum();
    let volume: f64 = blocks.iter().map(Block::volume).sum();
    author.quantify(
        id,
        quantity_sets::STAIR_FLIGHT,
        &[
            ("Length", Quantity::Length(walked)),
            ("GrossVolume", Quantity::Volume(volume)),
            ("NetVolume", Quantity::Volume(volume)),
        ],
    )?;
    Ok(id)
}

/// The representations of a flight: body, walking line, and its steps in plan.
fn shape_of(author: &mut Author, flight: &Flight, blocks: &[Block]) -> Result<Id, Fault> {
    let solids = blocks.iter().map(|block| block.write(author)).collect::<Result<Vec<_>, _>>()?;
    let body = author.body(&solids)?;
    let line = line3(author, &flight.walk)?;
    let axis = author.axis_in_space(line)?;
    let mut outlines = Vec::new();
    for step in &flight.steps {
        outlines.push(Value::Ref(author.polyline(&step.outline, true)?));
    }
    if outlines.is_empty() {
        return author.shape(&[axis, body]);
    }
    let set = author.create("IfcGeometricCurveSet", &[("Elements", Value::List(outlines))])?;
    let plan = author.representation("FootPrint", "GeometricCurveSet", &[set])?;
    author.shape(&[axis, plan, body])
}

/// A line through points in space; one that comes back to its first point ends in that.
pub(crate) fn line3(author: &mut Author, points: &[DVec3]) -> Result<Id, Fault> {
    let mut distinct: Vec<DVec3> = Vec::with_capacity(points.len());
    for p in points {
        if distinct.last().is_none_or(|last| last.distance(*p) > 0.1) {
            distinct.push(*p);
        }
    }
    let is_closed = distinct.len() > 3
        && distinct.first().zip(distinct.last()).is_some_and(|(first, last)| first.distance(*last) < 0.1);
    if is_closed {
        distinct.pop();
    }
    let mut ids = distinct.iter().map(|p| author.point3(*p)).collect::<Result<Vec<_>, _>>()?;
    if is_closed {
        ids.extend(ids.first().copied());
    }
    author.create("IfcPolyline", &[("Points", Value::list(ids.into_iter().map(Value::Ref)))])
}

/// The properties that stairs and flights share.
fn steps(author: &Author, risers: usize, treads: usize, placed: &Placed) -> Vec<(&'static str, Value)> {
    let count = |n: usize| Value::typed("IfcCountMeasure", Value::Integer(i64::try_from(n).unwrap_or(0)));
    let length = |value: f64| {
        let value = author.length_in_file_units(value);
        Value::typed("IfcPositiveLengthMeasure", Value::Real(value))
    };
    let m = &placed.sized.measures;
    vec![
        ("NumberOfRiser", count(risers)),
        ("NumberOfTreads", count(treads)),
        ("RiserHeight", length(m.riser)),
        ("TreadLength", length(m.tread)),
    ]
}

fn describe(author: &mut Author, stair: Id, placed: &Placed) -> Result<(), Fault> {
    let layout = &placed.layout;
    let treads = layout.flights.iter().map(|f| f.steps.len()).sum();
    let mut common = steps(author, placed.sized.measures.risers, treads, placed);
    let headroom = author.length_in_file_units(placed.sized.headroom);
    common.push(("RequiredHeadroom", Value::typed("IfcPositiveLengthMeasure", Value::Real(headroom))));
    common.push(("IsExternal", boolean(false)));
    author.describe(stair, "Pset_StairCommon", &common)
}

/// Makes railings along a stair or ramp that stands already.
pub fn railings_along(
    author: &mut Author,
    whole: Id,
    sides: Sides,
    style: &Style,
) -> Result<Vec<RailingAnswer>, Fault> {
    if let Some(known) = parameters::known(author, whole) {
        if !redraw::stands_as_drawn(author, whole) {
            return Err(redraw::turned_over(author, whole).with("field", "along"));
        }
        let edges = Edges::stair(&known.layout, &known.measures, known.build);
        return railing::along(author, whole, &edges, sides, style);
    }
    if let Some(plan) = ramp::Known::read(author, whole).and_then(|known| known.plan()) {
        if !redraw::stands_as_drawn(author, whole) {
            return Err(redraw::turned_over(author, whole).with("field", "along"));
        }
        return railing::along(author, whole, &plan.edges(), sides, style);
    }
    Err(Fault::constraint(format!(
        "{} was not made by create_stair or create_ramp, so its edges are not known; give the `path` of the railing instead.",
        label(author.edit, whole)
    ))
    .with("field", "along"))
}
