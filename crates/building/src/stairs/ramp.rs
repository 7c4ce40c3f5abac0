//! Ramps: sloping flights with level landings between, straight on, around a corner or to and fro, as parts of an IfcRamp.

use super::layout::{Step, Turn, count, strip};
use super::parts::{self, Landings, Parts};
use super::railing::{self, Edges, Sides, Style};
use super::run::Block;
use super::site::{first_wall, walls_in, way};
use super::{Cut, cuts, line3, opening};
use crate::author::{Author, boolean, word};
use crate::frame::Frame;
use crate::lookup::{free_name, guid, label};
use crate::measures::{finite, mm, name, not_negative, positive};
use crate::polygon::bounds;
use crate::quantities::{Quantities, Quantity, read};
use crate::quantity_sets;
use crate::space::all_walls_on;
use crate::structure::dress::material_of;
use contract::Fault;
use glam::{DVec2, DVec3};
use ifc::{Id, Value, psets, relations};
use schemars::JsonSchema;
use serde::Serialize;

/// The shape of a ramp in plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RampShape {
    /// One line.
    #[default]
    Straight,
    /// Around a corner in the middle.
    L,
    /// To and fro, a lane beside the other.
    U,
}

/// A ramp asked for; lengths in mm.
#[derive(Debug, Clone, PartialEq)]
pub struct NewRamp {
    /// The storey that it stands on.
    pub storey: Id,
    /// The storey that it leads to, if it leads to one.
    pub upper: Option<Id>,
    /// The height that it climbs.
    pub height: f64,
    /// The middle of its lower end, in the world.
    pub start: DVec2,
    /// The way up, in degrees counter-clockwise from x.
    pub direction: f64,
    /// Its shape.
    pub shape: RampShape,
    /// The side it turns to.
    pub turn: Turn,
    /// Width.
    pub width: f64,
    /// Slope in percent.
    pub slope: f64,
    /// The longest run between landings, in plan.
    pub run: f64,
    /// Depth of landings.
    pub landing: f64,
    /// Gap between lanes.
    pub gap: f64,
    /// Thickness of runs and landings.
    pub thickness: f64,
    /// Cut the slabs above where headroom needs it.
    pub cut: bool,
    /// Railings along its edges.
    pub railings: Option<(Sides, Style)>,
    /// Material.
    pub material: Option<String>,
    /// Name.
    pub name: Option<String>,
}

/// A flight of a ramp as it stands.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct RampFlightAnswer {
    /// GlobalId.
    pub flight_id: String,
    /// Length in plan in mm.
    pub length: f64,
    /// Base quantities as stored, in the file's units.
    pub quantities: Quantities,
}

/// A ramp as it stands.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct RampAnswer {
    /// GlobalId.
    pub ramp_id: String,
    /// Name.
    pub name: String,
    /// Name of its storey.
    pub level: String,
    /// Name of the storey it leads to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to_level: Option<String>,
    /// Slope in percent.
    pub slope: f64,
    /// The height climbed in mm.
    pub height: f64,
    /// Width in mm.
    pub width: f64,
    /// Length and width that it takes up in plan, seen up its first flight, in mm.
    pub size: [f64; 2],
    /// The middle of its upper end, in mm.
    pub arrival: [f64; 2],
    /// Its flights from below.
    pub flights: Vec<RampFlightAnswer>,
    /// GlobalIds of its landings.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub landings: Vec<String>,
    /// The openings cut for it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub openings: Vec<Cut>,
    /// GlobalIds of its railings.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub railings: Vec<String>,
}

/// The steepest slope taken, in percent.
const STEEPEST: f64 = 25.0;
/// The steepest slope that wheelchairs climb, in percent.
const BARRIER_FREE: f64 = 6.0;
/// Clear height over a ramp in mm.
const HEADROOM: f64 = 2100.0;
/// The most runs of a ramp.
const MOST: usize = 60;

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Run {
    start: DVec2,
    along: DVec2,
    base: f64,
}

pub(super) struct Plan {
    runs: Vec<Run>,
    length: f64,
    rise: f64,
    landings: Vec<Step>,
    left: Vec<DVec3>,
    right: Vec<DVec3>,
    arrival: DVec2,
}

impl Plan {
    fn draw(new: &NewRamp, parts: usize) -> Self {
        let (length, rise) = (new.height / new.slope * 100.0 / count(parts), new.height / count(parts));
        let half = new.width / 2.0;
        let mut plan = Self {
            runs: Vec::new(),
            length,
            rise,
            landings: Vec::new(),
            left: Vec::new(),
            right: Vec::new(),
            arrival: DVec2::ZERO,
        };
        let (mut at, mut along) = (DVec2::ZERO, DVec2::X);
        for i in 0..parts {
            let base = rise * count(i);
            let top = base + rise;
            let end = at + along * length;
            plan.runs.push(Run { start: at, along, base });
            let aside = along.perp() * half;
            plan.left.extend([(at + aside).extend(base), (end + aside).extend(top)]);
            plan.right.extend([(at - aside).extend(base), (end - aside).extend(top)]);
            plan.arrival = end;
            if i + 1 == parts {
                break;
            }
            (at, along) = match new.shape {
                RampShape::L if i + 1 == parts.div_ceil(2) => {
                    let outline = strip(end, along, new.width, half, half);
                    plan.landings.push(Step { outline, top });
                    let corner = end + along * new.width - aside;
                    plan.right.extend([corner.extend(top), (corner + aside * 2.0).extend(top)]);
                    (end + along * half + aside, along.perp())
                }
                RampShape::U => plan.turn_back(new, i, end, along, top),
                _ => {
                    plan.landings.push(Step { outline: strip(end, along, new.landing, half, half), top });
                    (end + along * new.landing, along)
                }
            };
        }
        if new.turn == Turn::Right { plan.mirrored() } else { plan }
    }

    /// Puts the landing between two lanes; the next lane lies to the left of the first.
    fn turn_back(&mut self, new: &NewRamp, i: usize, end: DVec2, along: DVec2, top: f64) -> (DVec2, DVec2) {
        let (half, next) = (new.width / 2.0, new.width + new.gap);
        let (near, far) = (end.y - half, end.y + next + half);
        let x = end.x + along.x * new.landing;
        let (low, high) = (end.x.min(x), end.x.max(x));
        let outline = geometry::region::rectangle(DVec2::new(low, near), DVec2::new(high, far));
        self.landings.push(Step { outline, top });
        let outer = if i.is_multiple_of(2) { &mut self.right } else { &mut self.left };
        outer.extend([DVec3::new(x, near, top), DVec3::new(x, far, top), DVec3::new(end.x, far, top)]);
        (DVec2::new(end.x, end.y + next), -along)
    }

    fn mirrored(mut self) -> Self {
        for run in &mut self.runs {
            run.start.y = -run.start.y;
            run.along.y = -run.along.y;
        }
        for landing in &mut self.landings {
            landing.outline.iter_mut().for_each(|p| p.y = -p.y);
            landing.outline.reverse();
        }
        self.left.iter_mut().chain(&mut self.right).for_each(|p| p.y = -p.y);
        std::mem::swap(&mut self.left, &mut self.right);
        self.arrival.y = -self.arrival.y;
        self
    }

    /// The lines that its runs are walked on.
    pub(super) fn walks(&self) -> Vec<Vec<DVec3>> {
        let walk = |run: &Run| {
            let end = run.start + run.along * self.length;
            vec![run.start.extend(run.base), end.extend(run.base + self.rise)]
        };
        self.runs.iter().map(walk).collect()
    }

    /// The edges that railings stand on.
    pub(super) fn edges(&self) -> Edges<'_> {
        Edges::ramp(&self.left, &self.right)
    }

    /// The places over which there has to be room: runs in pieces of half a metre, and landings.
    pub(super) fn places(&self, width: f64) -> Vec<Step> {
        let half = width / 2.0;
        let pieces = (self.length / 500.0).ceil().clamp(1.0, 1000.0);
        let each = self.length / pieces;
        let runs = self.runs.iter().flat_map(|run| {
            (0..pieces as usize).map(move |i| Step {
                outline: strip(run.start + run.along * (each * count(i)), run.along, each, half, half),
                top: run.base + self.rise * count(i + 1) / pieces,
            })
        });
        runs.chain(self.landings.iter().cloned()).collect()
    }

    fn block(&self, run: &Run, new: &NewRamp) -> Block {
        let (l, h) = (self.length, self.rise);
        let down = new.thickness * l.hypot(h) / l;
        let mut outline = vec![DVec2::new(l, h - down), DVec2::new(l, h), DVec2::ZERO];
        if run.base > 0.0 {
            outline.push(DVec2::new(0.0, -down));
        } else if h > down {
            outline.push(DVec2::new(down * l / h, 0.0));
        } else {
            // the whole run lies on the floor
            outline.clear();
            outline.extend([DVec2::new(l, 0.0), DVec2::new(l, h), DVec2::ZERO]);
        }
        outline.reverse();
        let half = new.width / 2.0;
        Block::along(run.start, run.along, run.base, outline, half, half)
    }
}

/// The ramps that a parameter is for, where it has no effect on this one.
pub(super) fn idle(parameter: &str, new: &NewRamp) -> Option<&'static str> {
    let runs = check(new).unwrap_or(usize::MAX);
    let has_landings = match new.shape {
        RampShape::Straight => runs > 1,
        // that in the corner is as deep as the ramp is wide
        RampShape::L => runs > 2,
        RampShape::U => true,
    };
    match parameter {
        "turn" if new.shape == RampShape::Straight => Some("ramps of shape l or u"),
        "gap" if new.shape != RampShape::U => Some("ramps of shape u"),
        "landing_depth" if !has_landings => Some("ramps with a landing straight on or at a half turn"),
        _ => None,
    }
}

/// Refuses what was given of a ramp and has no effect on it.
pub fn suit(new: &NewRamp, given: &[&str]) -> Result<(), Fault> {
    check(new)?;
    match given.iter().find_map(|parameter| Some((parameter, idle(parameter, new)?))) {
        Some((parameter, of)) => Err(Fault::invalid(
            parameter,
            format!("`{parameter}` has no effect on this ramp; it is that of {of}. Leave it out."),
        )),
        None => Ok(()),
    }
}

fn check(new: &NewRamp) -> Result<usize, Fault> {
    positive("height", new.height)?;
    positive("width", new.width)?;
    positive("run_length", new.run)?;
    positive("landing_depth", new.landing)?;
    positive("thickness", new.thickness)?;
    not_negative("gap", new.gap)?;
    finite("direction", new.direction)?;
    let within = |field: &str, value: f64, low: f64, high: f64, unit: &str| {
        if (low..=high).contains(&value) {
            return Ok(());
        }
        Err(Fault::invalid(field, format!("`{field}` is {value}; from {low} to {high} {unit} are taken.")))
    };
    within("slope", new.slope, 1.0, STEEPEST, "percent")?;
    within("height", new.height, 20.0, 20_000.0, "mm")?;
    within("width", new.width, 500.0, 20_000.0, "mm")?;
    within("landing_depth", new.landing, 500.0, 20_000.0, "mm")?;
    within("thickness", new.thickness, 20.0, 1000.0, "mm")?;
    within("run_length", new.run, 500.0, 100_000.0, "mm")?;
    within("gap", new.gap, 0.0, 20_000.0, "mm")?;
    let least = if new.shape == RampShape::Straight { 1 } else { 2 };
    let length = new.height / new.slope * 100.0;
    let parts = ((length / new.run - 1e-9).ceil() as usize).max(least);
    if parts > MOST {
        return Err(Fault::invalid(
            "run_length",
            format!(
                "A ramp {} mm long would need {parts} runs of {} mm; {MOST} are made at most. Give longer runs or a steeper slope.",
                mm(length),
                mm(new.run)
            ),
        ));
    }
    Ok(parts)
}

/// Makes a ramp.
pub fn create(author: &mut Author, new: &NewRamp) -> Result<RampAnswer, Fault> {
    let parts = check(new)?;
    let plan = Plan::draw(new, parts);
    let along = way(new.direction);
    let storey_frame = author.frame(new.storey)?;
    let frame = Frame::in_plan(new.start.extend(storey_frame.translation.z), along);
    fits(author, new, &plan, &frame, &[])?;
    if new.slope > BARRIER_FREE + 0.01 {
        author.assume(format!("steeper than the {BARRIER_FREE} % that wheelchairs climb unaided"));
    }
    write(author, new, &plan, &frame)
}

/// The outlines of places in the world.
fn in_world(places: &[Step], frame: &Frame) -> Vec<Vec<DVec2>> {
    let placed =
        |step: &Step| step.outline.iter().map(|p| frame.transform_point3(p.extend(0.0)).truncate()).collect();
    places.iter().map(placed).collect()
}

/// Length and width in mm that a plan takes up.
fn size(plan: &Plan, width: f64) -> [f64; 2] {
    let (low, high) = bounds(&plan.places(width).iter().flat_map(|s| s.outline.clone()).collect::<Vec<_>>());
    [mm(high.x - low.x), mm(high.y - low.y)]
}

/// Refuses a ramp that would run into a wall of its storey; walls that stood in these outlines already are no reason.
fn fits(author: &Author, new: &NewRamp, plan: &Plan, frame: &Frame, was: &[Vec<DVec2>]) -> Result<(), Fault> {
    let size = size(plan, new.width);
    let mut walls = all_walls_on(author, new.storey);
    let passed: Vec<Id> = walls_in(was, &walls).map(|(wall, _)| wall.id).collect();
    walls.retain(|wall| !passed.contains(&wall.id));
    let (start, along) = (frame.translation.truncate(), frame.x_axis.truncate());
    if let Some((wall, free)) = first_wall(&in_world(&plan.places(new.width), frame), &walls, start, along) {
        return Err(Fault::constraint(format!(
            "The ramp needs {} by {} mm (length by width) and runs into the wall {} after {free} mm. Move its start, turn it, give it another shape, or make it steeper.",
            size[0],
            size[1],
            label(author.edit, wall.id)
        ))
        .with("field", "start")
        .with("needed", size)
        .with("free_along", free)
        .with("wall_id", guid(author.edit, wall.id)));
    }
    Ok(())
}

/// The item of IfcRampTypeEnum for a shape.
fn predefined(shape: RampShape, runs: usize) -> &'static str {
    match (shape, runs) {
        (RampShape::Straight, 1) => "STRAIGHT_RUN_RAMP",
        (RampShape::Straight, 2) => "TWO_STRAIGHT_RUN_RAMP",
        (RampShape::L, 2) => "QUARTER_TURN_RAMP",
        (RampShape::U, 2) => "HALF_TURN_RAMP",
        _ => "NOTDEFINED",
    }
}

fn write(author: &mut Author, new: &NewRamp, plan: &Plan, frame: &Frame) -> Result<RampAnswer, Fault> {
    let storey_frame = author.frame(new.storey)?;
    let within = author.placement_of(new.storey);
    let placement = author.placement(within, &frame.seen_from(&storey_frame))?;
    let text = match &new.name {
        Some(text) => name("name", text)?,
        None => free_name(author.edit, "IfcRamp", "Ramp"),
    };
    let kind = if author.legacy() { "ShapeType" } else { "PredefinedType" };
    let shape = word(predefined(new.shape, plan.runs.len()));
    let ramp =
        author.root("IfcRamp", Some(&text), &[("ObjectPlacement", placement.into()), (kind, shape)])?;
    author.contain(new.storey, ramp)?;
    let drawn = draw(author, ramp, new, plan, Parts::default())?;
    let railings = match &new.railings {
        Some((sides, style)) => railing::along(author, ramp, &plan.edges(), *sides, style)?,
        None => Vec::new(),
    };
    let arrival = frame.transform_point3(plan.arrival.extend(0.0));
    Ok(RampAnswer {
        ramp_id: guid(author.edit, ramp),
        name: text,
        level: label(author.edit, new.storey),
        to_level: new.upper.map(|upper| label(author.edit, upper)),
        slope: mm(new.slope),
        height: mm(new.height),
        width: mm(new.width),
        size: size(plan, new.width),
        arrival: [mm(arrival.x), mm(arrival.y)],
        flights: drawn
            .flights
            .iter()
            .map(|id| RampFlightAnswer {
                flight_id: guid(author.edit, *id),
                length: mm(plan.length),
                quantities: read(author.edit, *id, quantity_sets::RAMP_FLIGHT),
            })
            .collect(),
        landings: drawn.landings.iter().map(|id| guid(author.edit, *id)).collect(),
        openings: cuts(author, drawn.openings),
        railings: railings.into_iter().map(|r| r.railing_id).collect(),
    })
}

/// Draws flights, landings and openings of a ramp, taking up the parts there are.
fn draw(author: &mut Author, ramp: Id, new: &NewRamp, plan: &Plan, mut parts: Parts) -> Result<Drawn, Fault> {
    let frame = author.frame(ramp)?;
    let placement = super::placement_of(author, ramp)?;
    let text = label(author.edit, ramp);
    let kind = if author.legacy() { "ShapeType" } else { "PredefinedType" };
    author.set(ramp, kind, word(predefined(new.shape, plan.runs.len())))?;
    let mut drawn = Drawn { flights: Vec::new(), landings: Vec::new(), openings: Vec::new() };
    for run in &plan.runs {
        let text = format!("{text} flight {}", drawn.flights.len() + 1);
        let existing = parts.flights.pop_front();
        drawn.flights.push(write_flight(author, new, plan, run, (ramp, placement), &text, existing)?);
    }
    let looks = Landings {
        whole: (ramp, placement),
        frame: &frame,
        storey: new.storey,
        thickness: new.thickness,
        material: new.material.as_deref(),
        text: &text,
    };
    for (i, landing) in plan.landings.iter().enumerate() {
        let existing = parts.landings.pop_front();
        drawn.landings.push(looks.put(author, existing, landing, i + 1)?);
    }
    parts.delete_rest(author)?;
    let headroom = author.length_in_file_units(HEADROOM);
    let mut common = vec![
        ("RequiredHeadroom", Value::typed("IfcPositiveLengthMeasure", Value::Real(headroom))),
        ("HandicapAccessible", boolean(new.slope <= BARRIER_FREE + 0.01 && new.width >= 1200.0)),
        ("IsExternal", boolean(false)),
    ];
    common.push(("RequiredSlope", angle(author, new.slope)));
    author.describe(ramp, "Pset_RampCommon", &common)?;
    keep(author, ramp, new)?;
    if new.cut {
        let mut storeys = vec![new.storey];
        storeys.extend(new.upper);
        let slabs = opening::slabs_on(author, &storeys);
        let places = plan.places(new.width);
        drawn.openings = opening::cut(author, ramp, &frame, &places, (new.height, HEADROOM), &slabs)?;
    }
    Ok(drawn)
}

/// The parts of a ramp that was drawn, and the openings for it.
struct Drawn {
    flights: Vec<Id>,
    landings: Vec<Id>,
    openings: Vec<Id>,
}

/// The set of properties that a ramp is drawn anew by.
const SET: &str = "RampParameters";

fn keep(author: &mut Author, ramp: Id, new: &NewRamp) -> Result<(), Fault> {
    let label = |text: &str| Value::typed("IfcLabel", Value::from(text));
    let length =
        |value: f64| Value::typed("IfcLengthMeasure", Value::Real(author.length_in_file_units(value)));
    let shape = match new.shape {
        RampShape::Straight => "straight",
        RampShape::L => "l",
        RampShape::U => "u",
    };
    let mut all = vec![
        ("Shape", label(shape)),
        ("Turn", label(if new.turn == Turn::Left { "left" } else { "right" })),
        ("Height", length(new.height)),
        ("Width", length(new.width)),
        ("Run", length(new.run)),
        ("Landing", length(new.landing)),
        ("Gap", length(new.gap)),
        ("Thickness", length(new.thickness)),
        ("Cut", boolean(new.cut)),
        ("Slope", Value::typed("IfcReal", Value::Real(new.slope))),
    ];
    if let Some(material) = &new.material {
        all.push(("Material", label(material)));
    }
    author.describe(ramp, SET, &all)
}

/// A ramp read back: as one that would be made where it stands.
#[derive(Debug, Clone)]
pub struct Known {
    /// The parameters that it was drawn by.
    pub new: NewRamp,
}

impl Known {
    /// Reads a ramp back; `None` for one of another program.
    pub fn read(author: &Author, ramp: Id) -> Option<Self> {
        let get = |name: &str| psets::get(author.edit, ramp, SET, name);
        let text = |name: &str| get(name).and_then(|v| v.as_text().map(ToString::to_string));
        let length = |name: &str| Some(author.units().to_mm(get(name)?.as_f64()?));
        let storey = relations::storey_of(author.edit, ramp)?;
        let frame = author.frame(ramp).ok().filter(Frame::is_upright)?;
        let height = length("Height")?;
        Some(Self {
            new: NewRamp {
                storey,
                upper: super::storey_at(author, storey, frame.translation.z + height),
                height,
                start: frame.translation.truncate(),
                direction: frame.x_axis.truncate().to_angle().to_degrees(),
                shape: match text("Shape")?.as_str() {
                    "straight" => RampShape::Straight,
                    "l" => RampShape::L,
                    "u" => RampShape::U,
                    _ => return None,
                },
                turn: if text("Turn")? == "right" { Turn::Right } else { Turn::Left },
                width: length("Width")?,
                slope: get("Slope")?.as_f64()?,
                run: length("Run")?,
                landing: length("Landing")?,
                gap: length("Gap")?,
                thickness: length("Thickness")?,
                cut: get("Cut")?.as_bool()?,
                railings: None,
                material: text("Material"),
                name: None,
            },
        })
    }

    /// Its plan.
    pub(super) fn plan(&self) -> Option<Plan> {
        check(&self.new).ok().map(|parts| Plan::draw(&self.new, parts))
    }

    /// The places over which there has to be room, with the height that it climbs and the room; `None` where it cuts nothing.
    pub(super) fn needed(&self) -> Option<(Vec<Step>, (f64, f64))> {
        let plan = self.plan().filter(|_| self.new.cut)?;
        Some((plan.places(self.new.width), (self.new.height, HEADROOM)))
    }
}

/// Draws a ramp anew by other parameters where it stands; answers its parts.
pub(super) fn redraw(author: &mut Author, ramp: Id, was: &Known, new: &NewRamp) -> Result<Vec<Id>, Fault> {
    let parts = check(new)?;
    let plan = Plan::draw(new, parts);
    let frame = author.frame(ramp)?;
    let former = was.plan().map(|plan| in_world(&plan.places(was.new.width), &frame)).unwrap_or_default();
    fits(author, new, &plan, &frame, &former)?;
    let parts = Parts::read(author, ramp);
    let railings = parts.railings.clone();
    let drawn = draw(author, ramp, new, &plan, parts)?;
    let mut all = drawn.flights;
    all.extend(drawn.landings);
    all.extend(drawn.openings);
    all.extend(railing::redraw(author, ramp, &railings, &plan.edges())?);
    Ok(all)
}

/// A slope in percent as an angle in the file's unit.
fn angle(author: &Author, slope: f64) -> Value {
    let degrees = (slope / 100.0).atan().to_degrees();
    let value = crate::author::tidy(degrees / author.units().angle_deg);
    Value::typed("IfcPlaneAngleMeasure", Value::Real(value))
}

fn write_flight(
    author: &mut Author,
    new: &NewRamp,
    plan: &Plan,
    run: &Run,
    (ramp, within): (Id, Id),
    text: &str,
    existing: Option<Id>,
) -> Result<Id, Fault> {
    let block = plan.block(run, new);
    let solid = block.write(author)?;
    let body = author.body(&[solid])?;
    let end = run.start + run.along * plan.length;
    let line = line3(author, &[run.start.extend(run.base), end.extend(run.base + plan.rise)])?;
    let axis = author.axis_in_space(line)?;
    let half = new.width / 2.0;
    let edge = author.polyline(&strip(run.start, run.along, plan.length, half, half), true)?;
    let set = author.create("IfcGeometricCurveSet", &[("Elements", Value::list([Value::Ref(edge)]))])?;
    let foot = author.representation("FootPrint", "GeometricCurveSet", &[set])?;
    let shape = author.shape(&[axis, foot, body])?;
    let placement = author.placement(Some(within), &Frame::WORLD)?;
    let flight =
        parts::put(author, existing, "IfcRampFlight", text, placement, &[("Representation", shape.into())])?;
    if existing.is_none() {
        author.aggregate(ramp, flight)?;
    }
    // one that was given another material since keeps that
    let own = existing.and_then(|id| material_of(author.edit, id));
    let material = own.as_deref().or(new.material.as_deref()).unwrap_or("Reinforced concrete");
    if own.is_none() && new.material.is_none() {
        author.assume(format!("material {material}"));
    }
    let title = format!("Ramp flight {} mm, {} %, {material}", mm(new.width), mm(new.slope));
    let kind = author.kind("IfcRampFlightType", &title, &[("PredefinedType", word("STRAIGHT"))])?;
    let made_of = author.material(material)?;
    if author.edit.referrers_of(kind, "IfcRelAssociatesMaterial").is_empty() {
        author.make_of(made_of, kind)?;
    }
    author.retype(flight, kind)?;
    if own.is_none() {
        author.make_of(made_of, flight)?;
    }
    let slope = angle(author, new.slope);
    author.describe(flight, "Pset_RampFlightCommon", &[("Slope", slope)])?;
    let sloped = plan.length.hypot(plan.rise);
    let volume = block.volume();
    author.quantify(
        flight,
        quantity_sets::RAMP_FLIGHT,
        &[
            ("Length", Quantity::Length(sloped)),
            ("Width", Quantity::Length(new.width)),
            ("GrossArea", Quantity::Area(sloped * new.width)),
            ("NetArea", Quantity::Area(sloped * new.width)),
            ("GrossVolume", Quantity::Volume(volume)),
            ("NetVolume", Quantity::Volume(volume)),
        ],
    )?;
    Ok(flight)
}
