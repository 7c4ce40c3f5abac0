//! Curtain walls: mullions and transoms on a grid, panels and doors between them, aggregated in one IfcCurtainWall. The members fill
//! the grid without overlapping, and at corners a post fills what both sides leave.

mod door;
mod grid;
mod known;
mod parts;

pub use grid::Division;
pub use known::{DOOR_PARAMETERS, Known, PARAMETERS, change, change_door, whole_of};
pub(crate) use known::{Losing, keep_image};

use crate::author::{Author, boolean, word};
use crate::frame::Frame;
use crate::lookup::{free_name, guid, label};
use crate::measures::{finite, mm, name, positive};
use crate::polygon::{TOUCH, checked, distance_to_segment, edges, without_collinear};
use crate::quantities::{Quantities, Quantity, read};
use crate::storey::level_of;
use contract::Fault;
use glam::{DVec2, DVec3};
use grid::{Parts, Run};
use ifc::{Id, relations};
use parts::{Kit, Member};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::{BTreeSet, VecDeque};

/// The base quantities of curtain walls.
const QUANTITIES: &str = "Qto_CurtainWallQuantities";
/// The most corners of one curtain wall.
const MOST_POINTS: usize = 200;
/// Height of doors, where they are given none, in mm.
const DOOR: f64 = 2100.0;

/// A door in a panel's place.
#[derive(Debug, Clone, PartialEq)]
pub struct NewDoor {
    /// mm along the line from its start: the door takes the column there.
    pub along: f64,
    /// Height in mm.
    pub height: Option<f64>,
    /// The way it opens, as the schema's enumeration says it.
    pub operation: Option<String>,
    /// Name.
    pub name: Option<String>,
}

/// A curtain wall asked for, in the world in mm.
#[derive(Debug, Clone, PartialEq)]
pub struct NewCurtain {
    /// The storey that holds it.
    pub storey: Id,
    /// The line in the middle of its depth; closed where the last point is the first.
    pub points: Vec<DVec2>,
    /// Height of its foot above the storey.
    pub base: f64,
    /// Its height.
    pub height: f64,
    /// Columns of each straight run.
    pub columns: Division,
    /// Rows.
    pub rows: Division,
    /// Width and depth of mullions and transoms.
    pub mullion: DVec2,
    /// Thickness of panels.
    pub panel_thickness: f64,
    /// Material of panels.
    pub panel_material: String,
    /// Material of mullions.
    pub mullion_material: String,
    /// Doors.
    pub doors: Vec<NewDoor>,
    /// Name.
    pub name: Option<String>,
}

/// A door in a curtain wall.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct DoorAnswer {
    /// GlobalId.
    pub door_id: String,
    /// Name.
    pub name: String,
    /// Width in mm.
    pub width: f64,
    /// Height in mm.
    pub height: f64,
}

/// A curtain wall as it stands in the model.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct CurtainAnswer {
    /// GlobalId.
    pub curtain_wall_id: String,
    /// Name.
    pub name: String,
    /// Name of its storey.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub level: Option<String>,
    /// Number of panels.
    pub panels: usize,
    /// Number of mullions, transoms and posts.
    pub mullions: usize,
    /// Its doors.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub doors: Vec<DoorAnswer>,
    /// Base quantities as stored, in the file's units.
    pub quantities: Quantities,
}

/// The parts of a curtain wall that stands already, which are taken up again when it is drawn anew.
#[derive(Debug, Default)]
struct Former {
    /// Mullions, transoms, plates and posts, each in their order.
    mullions: VecDeque<Id>,
    transoms: VecDeque<Id>,
    plates: VecDeque<Id>,
    posts: VecDeque<Id>,
    /// Doors, by their place in the list of what is wanted.
    doors: Vec<Option<Id>>,
    /// The names of all parts.
    names: BTreeSet<String>,
}

/// A door with the place that it takes.
struct Placed<'n> {
    /// Its place in the list of what is wanted.
    number: usize,
    door: &'n NewDoor,
    run: usize,
    column: u32,
    height: f64,
    operation: String,
}

/// Makes a curtain wall.
pub fn create(author: &mut Author, new: &NewCurtain) -> Result<Id, Fault> {
    let plan = Plan::draw(author, new)?;
    let text = match &new.name {
        Some(text) => name("name", text)?,
        None => free_name(author.edit, "IfcCurtainWall", "Curtain wall"),
    };
    let storey = author.frame(new.storey)?;
    let own = plan.own(storey.translation.z + new.base)?;
    let within = author.placement_of(new.storey);
    let placement = author.placement(within, &own.seen_from(&storey))?;
    let wall = author.root("IfcCurtainWall", Some(&text), &[("ObjectPlacement", placement.into())])?;
    author.contain(new.storey, wall)?;
    author.describe(wall, "Pset_CurtainWallCommon", &[("IsExternal", boolean(true))])?;
    fit_out(author, wall, new, &plan, Former::default())?;
    Ok(wall)
}

/// The grid of a curtain wall on its line: its runs, and the posts at its corners.
struct Laid {
    line: Line,
    rows: Parts,
    runs: Vec<Run>,
    posts: Vec<grid::Post>,
}

impl Laid {
    fn draw(new: &NewCurtain) -> Result<Self, Fault> {
        sizes(new)?;
        let line = line(&new.points)?;
        let rows = Parts::of_length("rows", new.height, new.mullion.x, new.rows)?;
        let (runs, posts) = grid::runs(&line.points, line.closed, new.columns, rows.count, new.mullion)?;
        Ok(Self { line, rows, runs, posts })
    }

    /// The run and the column at a place along the line as it was given.
    fn panel_at(&self, along: f64) -> Option<(usize, u32)> {
        let whole = self.line.length();
        if !(0.0..=whole).contains(&along) {
            return None;
        }
        let along = if self.line.closed { (along - self.line.lead).rem_euclid(whole) } else { along };
        self.runs.iter().enumerate().find_map(|(number, run)| {
            let own = along - run.from;
            if !(0.0..=run.length).contains(&own) {
                return None;
            }
            let pitch = run.columns.clear + run.columns.member;
            let column = ((own - run.columns.member / 2.0) / pitch)
                .floor()
                .clamp(0.0, f64::from(run.columns.count - 1));
            Some((number, column as u32))
        })
    }
}

/// A curtain wall laid out, with the doors that have a place.
struct Plan<'n> {
    laid: Laid,
    doors: Vec<Placed<'n>>,
}

impl<'n> Plan<'n> {
    fn draw(author: &mut Author, new: &'n NewCurtain) -> Result<Self, Fault> {
        let laid = Laid::draw(new)?;
        let doors = doors(author, new, &laid)?;
        Ok(Self { laid, doors })
    }

    /// The frame of the whole in the world, its foot at a height.
    fn own(&self, foot: f64) -> Result<Frame, Fault> {
        match (self.laid.line.points.first(), self.laid.runs.first()) {
            (Some(first), Some(run)) => Ok(Frame::in_plan(first.extend(foot), run.along)),
            _ => Err(Fault::invalid("points", "A curtain wall needs a start and an end.")),
        }
    }
}

/// Gives a curtain wall its type, parts and quantities; of the parts that it has none but those that are drawn anew stay.
fn fit_out(
    author: &mut Author,
    wall: Id,
    new: &NewCurtain,
    plan: &Plan<'_>,
    former: Former,
) -> Result<(), Fault> {
    let (Some(placement), own) = (author.placement_of(wall), author.frame(wall)?) else {
        return Err(Fault::constraint(format!("{} has no placement.", label(author.edit, wall))));
    };
    let text = label(author.edit, wall);
    let title = format!("Curtain wall {} x {} mm", mm(new.mullion.x), mm(new.mullion.y));
    let kind = author.kind("IfcCurtainWallType", &title, &[("PredefinedType", word("NOTDEFINED"))])?;
    author.retype(wall, kind)?;
    let mut kit = Kit::begin(author, new, (wall, placement), own, &text, former)?;
    let laid = &plan.laid;
    for (i, run) in laid.runs.iter().enumerate() {
        let frame = Frame::in_plan(run.start.extend(own.translation.z), run.along).seen_from(&own);
        let own_doors: Vec<&Placed> = plan.doors.iter().filter(|door| door.run == i).collect();
        fill(author, &mut kit, new, run, &laid.rows, &frame, &own_doors)?;
    }
    for post in &laid.posts {
        let outline: Vec<DVec2> =
            post.iter().map(|p| own.into_own(p.extend(own.translation.z)).truncate()).collect();
        kit.post(author, &outline, new.height)?;
    }
    kit.finish(author)?;
    let length = laid.line.length();
    let gross = length * new.height;
    let open: f64 =
        plan.doors.iter().filter_map(|door| Some(door.height * laid.runs.get(door.run)?.columns.clear)).sum();
    author.quantify(
        wall,
        QUANTITIES,
        &[
            ("Length", Quantity::Length(length)),
            ("Height", Quantity::Length(new.height)),
            ("Width", Quantity::Length(new.mullion.y)),
            ("GrossSideArea", Quantity::Area(gross)),
            ("NetSideArea", Quantity::Area(gross - open)),
        ],
    )?;
    known::keep(author, wall, new, &own)
}

fn sizes(new: &NewCurtain) -> Result<(), Fault> {
    positive("height", new.height)?;
    positive("mullion_width", new.mullion.x)?;
    positive("mullion_depth", new.mullion.y)?;
    positive("panel_thickness", new.panel_thickness)?;
    finite("points", new.base)?;
    for (field, division) in [("columns", new.columns), ("rows", new.rows)] {
        if let Division::AtMost(size) = division {
            positive(field, size)?;
        }
    }
    if new.panel_thickness > new.mullion.y {
        return Err(Fault::invalid(
            "panel_thickness",
            format!(
                "`panel_thickness` is {}, more than the {} mm that the mullions are deep.",
                new.panel_thickness, new.mullion.y
            ),
        ));
    }
    Ok(())
}

/// The line of a curtain wall.
struct Line {
    /// Its corners; points on a straight stretch are left out.
    points: Vec<DVec2>,
    /// True where it comes back to its start.
    closed: bool,
    /// How far along a closed line as it was given its first corner lies, in mm.
    lead: f64,
}

impl Line {
    fn length(&self) -> f64 {
        let legs = if self.closed { self.points.len() } else { self.points.len().saturating_sub(1) };
        edges(&self.points).take(legs).map(|(a, b)| a.distance(b)).sum()
    }
}

/// Reads the points of a line; those on a straight stretch are left out.
fn line(points: &[DVec2]) -> Result<Line, Fault> {
    if points.len() < 2 || points.len() > MOST_POINTS {
        return Err(Fault::invalid(
            "points",
            format!("A curtain wall needs 2 to {MOST_POINTS} points; {} given.", points.len()),
        ));
    }
    if let Some(i) = points.array_windows::<2>().position(|[a, b]| a.distance(*b) < 1.0) {
        return Err(Fault::invalid(
            &format!("points[{}]", i + 1),
            format!("Points {i} and {} are in the same place; a run needs a length.", i + 1),
        ));
    }
    let closed =
        points.len() > 3 && points.first().zip(points.last()).is_some_and(|(a, b)| a.distance(*b) < TOUCH);
    if closed {
        let ring = points.get(..points.len() - 1).unwrap_or_default();
        let ring = checked("points", ring.to_vec())?;
        let kept = without_collinear(&ring);
        let corner = ring.iter().position(|p| kept.first() == Some(p)).unwrap_or(0);
        let lead = edges(&ring).take(corner).map(|(a, b)| a.distance(b)).sum();
        return Ok(Line { points: kept, closed: true, lead });
    }
    let mut kept: Vec<DVec2> = Vec::with_capacity(points.len());
    for (i, p) in points.iter().enumerate() {
        let straight = kept
            .last()
            .zip(points.get(i + 1))
            .is_some_and(|(before, next)| distance_to_segment(*p, *before, *next) < TOUCH / 2.0);
        if !straight {
            kept.push(*p);
        }
    }
    let legs: Vec<(DVec2, DVec2)> = kept.array_windows::<2>().map(|[a, b]| (*a, *b)).collect();
    for (i, (a, b)) in legs.iter().enumerate() {
        for (j, (c, d)) in legs.iter().enumerate().skip(i + 2) {
            let (u, v) = (*b - *a, *d - *c);
            let sides = |from: DVec2, way: DVec2, p: DVec2, q: DVec2| {
                way.perp_dot(p - from) * way.perp_dot(q - from) <= 0.0
            };
            if sides(*a, u, *c, *d) && sides(*c, v, *a, *b) && u.perp_dot(v).abs() > 1e-9 {
                return Err(Fault::invalid(
                    "points",
                    format!("The line crosses itself: the run after point {i} meets that after point {j}."),
                ));
            }
        }
    }
    Ok(Line { points: kept, closed: false, lead: 0.0 })
}

/// The columns that doors take, with heights that end at a transom where one is near.
fn doors<'n>(author: &mut Author, new: &'n NewCurtain, laid: &Laid) -> Result<Vec<Placed<'n>>, Fault> {
    let mut all: Vec<Placed> = Vec::with_capacity(new.doors.len());
    let rows = &laid.rows;
    for (i, door) in new.doors.iter().enumerate() {
        let field = format!("doors[{i}].along");
        finite(&field, door.along)?;
        let Some((run, column)) = laid.panel_at(door.along) else {
            return Err(Fault::invalid(
                &field,
                format!(
                    "`{field}` is {}; no panel is there, the line is {} mm long.",
                    mm(door.along),
                    mm(laid.line.length())
                ),
            ));
        };
        if all.iter().any(|other| (other.run, other.column) == (run, column)) {
            return Err(Fault::invalid(&field, "Another door of the list takes that panel already."));
        }
        let clear = laid.runs.get(run).map_or(0.0, |run| run.columns.clear);
        if clear < 500.0 {
            return Err(Fault::invalid(
                &field,
                format!(
                    "The panel there is {} mm wide; a door needs 500 mm. Give fewer or wider columns.",
                    mm(clear)
                ),
            ));
        }
        let most = new.height - new.mullion.x;
        let mut height = door.height.unwrap_or(DOOR.min(most));
        let field = format!("doors[{i}].height");
        positive(&field, height)?;
        if height > most + 0.1 || height < 500.0 {
            return Err(Fault::invalid(
                &field,
                format!(
                    "`{field}` is {}; between 500 and {} mm have room below the top transom.",
                    mm(height),
                    mm(most)
                ),
            ));
        }
        // a transom that is near becomes the door's head
        let near = (1..=rows.count)
            .map(|row| rows.member_at(row))
            .find(|head| (head - height).abs() < rows.member + 60.0);
        if let Some(head) = near
            && (head - height).abs() > 0.1
        {
            height = head;
            author.assume(format!("door height {} mm, up to the transom", mm(height)));
        } else if door.height.is_none() {
            author.assume(format!("door height {} mm", mm(height)));
        }
        let operation =
            door::operation(author, &format!("doors[{i}].operation_type"), door.operation.as_deref())?;
        if let Some(text) = &door.name {
            name(&format!("doors[{i}].name"), text)?;
        }
        all.push(Placed { number: i, door, run, column, height, operation });
    }
    Ok(all)
}

/// Fills a run with mullions, transoms, panels and doors.
fn fill(
    author: &mut Author,
    kit: &mut Kit,
    new: &NewCurtain,
    run: &Run,
    rows: &Parts,
    frame: &Frame,
    doors: &[&Placed],
) -> Result<(), Fault> {
    let columns = &run.columns;
    for i in 0..=columns.count {
        let foot = DVec3::new(columns.member_at(i), 0.0, 0.0);
        kit.member(author, Member::Mullion, frame, foot, new.height)?;
    }
    for column in 0..columns.count {
        let x = columns.at(column);
        let door = doors.iter().find(|door| door.column == column);
        let head = door.map(|door| door.height);
        // what is above the door's own head
        let from = head.map_or(0.0, |head| head + rows.member);
        if let (Some(head), Some(door)) = (head, door) {
            kit.door(author, frame, DVec3::new(x, 0.0, 0.0), DVec2::new(columns.clear, head), door)?;
            if rows.member_at(rows.count) > head + 0.1 {
                kit.member(author, Member::Transom, frame, DVec3::new(x, 0.0, head), columns.clear)?;
            }
        }
        for row in 0..=rows.count {
            let z = rows.member_at(row);
            let is_head = head.is_some_and(|head| (head - z).abs() <= 0.1);
            let is_top_head = is_head && row == rows.count;
            if head.is_none() || z >= from - 0.1 || is_top_head {
                kit.member(author, Member::Transom, frame, DVec3::new(x, 0.0, z), columns.clear)?;
            }
        }
        for row in 0..rows.count {
            let (low, high) = (rows.at(row).max(from), rows.at(row) + rows.clear);
            if high - low > 30.0 {
                kit.panel(author, frame, DVec3::new(x, 0.0, low), DVec2::new(columns.clear, high - low))?;
            }
        }
    }
    Ok(())
}

/// A curtain wall as it stands.
pub fn answer(author: &Author, wall: Id) -> CurtainAnswer {
    let parts = relations::children(author.edit, wall);
    let of = |class: &str| -> Vec<Id> {
        parts.iter().copied().filter(|id| author.edit.get(*id).is_some_and(|part| part.is_a(class))).collect()
    };
    let units = author.units();
    let doors = of("IfcDoor").into_iter().map(|door| {
        let size = |attribute: &str| {
            let number = author.edit.get(door).and_then(|door| door.number(attribute));
            mm(number.map_or(0.0, |number| units.to_mm(number)))
        };
        DoorAnswer {
            door_id: guid(author.edit, door),
            name: label(author.edit, door),
            width: size("OverallWidth"),
            height: size("OverallHeight"),
        }
    });
    CurtainAnswer {
        curtain_wall_id: guid(author.edit, wall),
        name: label(author.edit, wall),
        level: level_of(author, wall).map(|(storey, _)| label(author.edit, storey)),
        panels: of("IfcPlate").len(),
        mullions: of("IfcMember").len(),
        doors: doors.collect(),
        quantities: read(author.edit, wall, QUANTITIES),
    }
}
