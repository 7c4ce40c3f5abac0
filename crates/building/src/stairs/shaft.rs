//! Shafts: an opening through the slabs of several storeys, one above the other, with walls around it on each storey and a
//! lift car in it where asked for.

use super::opening::{slabs_on, write as write_opening};
use super::shaft_kept::{keep, known};
use super::site::walls_in;
use super::{Cut, cuts, opening};
use crate::author::{Author, word};
use crate::frame::Frame;
use crate::host::{self, Slab};
use crate::joins::prioritise;
use crate::lookup::{free_name, guid, label};
use crate::measures::{mm, name, positive};
use crate::polygon::{area, bounds, direction, edges, inset};
use crate::relations::End;
use crate::space::all_walls_on;
use crate::storey::beside;
use crate::wall::{self, Cuts, LocationLine, NewWall, WallKind};
use crate::{regions, slab, totals};
use contract::Fault;
use geometry::region::rectangle;
use glam::DVec2;
use ifc::{Id, Value};
use schemars::JsonSchema;
use serde::Serialize;

/// A shaft asked for; lengths in mm.
#[derive(Debug, Clone, PartialEq)]
pub struct NewShaft {
    /// The storey on whose floor it stands.
    pub storey: Id,
    /// The storeys above that it goes through, from below.
    pub through: Vec<Id>,
    /// True where the last of those was asked for; else it goes on through whatever is built above.
    pub ends: bool,
    /// Its clear outline in the world.
    pub outline: Vec<DVec2>,
    /// Thickness of the walls around it, on the storeys it serves; none where left out.
    pub walls: Option<f64>,
    /// Put a lift car in it.
    pub lift: bool,
    /// Name.
    pub name: Option<String>,
    /// Material of the walls.
    pub material: Option<String>,
}

/// A storey of a shaft.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ShaftStorey {
    /// Name of the storey.
    pub level: String,
    /// The openings in its slabs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub openings: Vec<Cut>,
    /// GlobalIds of the walls around it, in the order of the outline's edges.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub walls: Vec<String>,
}

/// A shaft as it stands.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ShaftAnswer {
    /// Name.
    pub name: String,
    /// Clear area in m².
    pub area: f64,
    /// Its storeys from below.
    pub storeys: Vec<ShaftStorey>,
    /// GlobalId of the lift car.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lift_id: Option<String>,
}

/// Height of walls on a storey with nothing above it, in mm.
const TOP_HEIGHT: f64 = 3000.0;
/// Clearance between a lift's car and its shaft in mm.
const CLEARANCE: f64 = 150.0;
/// Clear height of a lift's car in mm.
const CAR: f64 = 2200.0;

/// Makes a shaft.
pub fn create(author: &mut Author, new: &NewShaft) -> Result<ShaftAnswer, Fault> {
    if let Some(thickness) = new.walls {
        positive("wall_thickness", thickness)?;
    }
    let text = match &new.name {
        Some(text) => name("name", text)?,
        None => free_name(author.edit, "IfcOpeningElement", "Shaft"),
    };
    let outline = regions::counter_clockwise(&new.outline);
    let mut storeys = Vec::new();
    let mut all = vec![new.storey];
    all.extend(&new.through);
    let mut found = false;
    for (i, storey) in all.iter().enumerate() {
        let slabs = slabs_on(author, &[*storey]);
        let openings = if i == 0 { Vec::new() } else { pierce(author, &slabs, &outline, &text)? };
        if i > 0 && openings.is_empty() {
            author.assume(format!("{} has no slab there to cut", label(author.edit, *storey)));
        }
        found |= !openings.is_empty();
        let walls = match new.walls {
            Some(thickness) => {
                let above = all.get(i + 1).copied();
                enclose(author, new, (*storey, above), &outline, thickness, &text)?
            }
            None => Vec::new(),
        };
        storeys.push(ShaftStorey {
            level: label(author.edit, *storey),
            openings: cuts(author, openings),
            walls: walls.iter().map(|id| guid(author.edit, *id)).collect(),
        });
    }
    if !found && new.walls.is_none() && !new.lift {
        return Err(Fault::constraint(
            "No slab of these storeys lies under the outline, so there is nothing to cut. Make the floors first.",
        )
        .with("field", "outline"));
    }
    let lift_id = if new.lift { Some(car(author, new, &outline, &text)?) } else { None };
    let parts = storeys.iter().flat_map(|s| s.walls.iter().chain(s.openings.iter().map(|o| &o.opening_id)));
    let mut members: Vec<Id> = parts.filter_map(|guid| author.edit.by_guid(guid)).collect();
    members.extend(lift_id);
    let last = new.through.last().copied().filter(|_| new.ends);
    keep(author, (new.storey, last), &outline, &text, members)?;
    Ok(ShaftAnswer {
        name: text,
        area: crate::measures::square_metres(area(&outline)),
        storeys,
        lift_id: lift_id.map(|id| guid(author.edit, id)),
    })
}

/// Cuts the shafts that stand already through a slab that is made later; their walls below end at its underside. Answers the walls, then
/// the openings.
pub(super) fn go_on(author: &mut Author, slab: Id) -> Result<Vec<Id>, Fault> {
    let Ok(slab) = Slab::read(author, slab) else { return Ok(Vec::new()) };
    if !slab.frame.is_upright() {
        return Ok(Vec::new());
    }
    let underside = slab.frame.translation.z + slab.base;
    let top = underside + slab.thickness;
    let mut drawn = Vec::new();
    for group in author.edit.of_class_exact("IfcGroup") {
        let Some(known) = known(author, group) else { continue };
        if underside < known.levels.0 + 300.0 || top > known.levels.1 + 5.0 {
            continue;
        }
        let text = label(author.edit, group);
        let pieces = opening::pieces(author, &slab, std::slice::from_ref(&known.outline), &[]);
        if pieces.is_empty() {
            continue;
        }
        let relation = author.edit.referrers_of(known.group, "IfcRelAssignsToGroup").into_iter().next();
        for opening in open(author, &slab, &pieces, &text)? {
            if let Some(relation) = relation {
                author.add_to(relation, "RelatedObjects", opening)?;
            }
            drawn.push(opening);
        }
        author.assume(format!("opening for {text}"));
        for wall in known.members {
            let Ok(wall) = host::Wall::read(author, wall) else { continue };
            let base = wall.frame.translation.z;
            let reaches = base + wall.height;
            if base < underside - 300.0 && reaches > underside + 1.0 && reaches < top + 5.0 {
                let height = serde_json::json!(mm(underside - base));
                crate::parameters::modify(author, wall.id, "height", &height)?;
                drawn.insert(0, wall.id);
            }
        }
    }
    Ok(drawn)
}

/// Cuts an outline through slabs; one that is cut there already is a Fault.
fn pierce(author: &mut Author, slabs: &[Slab], outline: &[DVec2], text: &str) -> Result<Vec<Id>, Fault> {
    let mut made = Vec::new();
    for slab in slabs {
        let within = regions::intersection(&[outline.to_vec()], &[slab.outline_in_world()]);
        if within.iter().map(|r| area(&r.outer)).sum::<f64>() < 10_000.0 {
            continue;
        }
        let taken: Vec<Vec<DVec2>> = host::opening_outlines(author, slab)
            .into_iter()
            .map(|o| o.iter().map(|p| slab.frame.transform_point3(p.extend(0.0)).truncate()).collect())
            .collect();
        let pieces: Vec<Vec<DVec2>> = within.into_iter().map(|r| r.outer).collect();
        let shared: f64 = regions::intersection(&pieces, &taken).iter().map(|r| area(&r.outer)).sum();
        if shared > 1000.0 {
            return Err(Fault::constraint(format!(
                "The shaft would overlap an opening that the slab {} has already; move its outline.",
                label(author.edit, slab.id)
            ))
            .with("field", "outline")
            .with("slab_id", guid(author.edit, slab.id)));
        }
        made.extend(open(author, slab, &pieces, text)?);
    }
    Ok(made)
}

/// Writes the openings of a shaft through a slab, named after it.
fn open(author: &mut Author, slab: &Slab, pieces: &[Vec<DVec2>], text: &str) -> Result<Vec<Id>, Fault> {
    let mut made = Vec::with_capacity(pieces.len());
    for piece in pieces {
        let opening = write_opening(author, slab, piece)?;
        let number = free_name(author.edit, "IfcOpeningElement", &format!("{text} opening"));
        author.set(opening, "Name", number.as_str())?;
        made.push(opening);
    }
    slab::requantify(author, slab.id)?;
    totals::around(author, slab.id)?;
    Ok(made)
}

/// Puts walls around an outline on one storey, up to the underside of the slab above.
fn enclose(
    author: &mut Author,
    new: &NewShaft,
    (storey, above): (Id, Option<Id>),
    outline: &[DVec2],
    thickness: f64,
    text: &str,
) -> Result<Vec<Id>, Fault> {
    let outer = inset(outline, &vec![-thickness; outline.len()]).ok_or_else(|| {
        Fault::constraint(format!("Walls {} mm thick do not go around this outline.", mm(thickness)))
            .with("field", "wall_thickness")
    })?;
    let zero = author.frame(storey)?.translation.z;
    let next = match above {
        Some(above) => Some((above, author.frame(above)?.translation.z)),
        None => beside(author, storey).into_iter().find(|(_, level)| *level > zero + 1000.0),
    };
    let height = if let Some((above, level)) = next {
        let slabs = slabs_on(author, &[above]);
        let centre = outer.first().copied().unwrap_or_default();
        let thickest = slabs
            .iter()
            .filter(|slab| (slab.frame.translation.z + slab.base + slab.thickness - level).abs() < 5.0)
            .filter(|slab| crate::polygon::contains(&slab.outline_in_world(), centre))
            .map(|slab| slab.thickness)
            .fold(0.0, f64::max);
        level - zero - thickest
    } else {
        author.assume(format!("walls on the top storey {TOP_HEIGHT} mm high"));
        TOP_HEIGHT
    };
    let ring: Vec<Vec<DVec2>> =
        edges(outline).zip(edges(&outer)).map(|((a, b), (c, d))| vec![a, c, d, b]).collect();
    let standing = all_walls_on(author, storey);
    if let Some((wall, _)) = walls_in(&ring, &standing).next() {
        return Err(Fault::constraint(format!(
            "The walls of the shaft would stand in the wall {} on {}; move the outline, or leave `wall_thickness` out where walls stand already.",
            label(author.edit, wall.id),
            label(author.edit, storey)
        ))
        .with("field", "wall_thickness")
        .with("wall_id", guid(author.edit, wall.id)));
    }
    let mut made: Vec<Id> = Vec::new();
    for (i, ((a, b), (c, d))) in edges(outline).zip(edges(&outer)).enumerate() {
        let along = direction(a, b).unwrap_or(DVec2::X);
        let length = a.distance(b);
        let wall = NewWall {
            storey,
            start: a,
            end: b,
            base: 0.0,
            height,
            thickness,
            kind: WallKind::Interior,
            line: LocationLine::Left,
            name: Some(format!("{text} wall {} {}", label(author.edit, storey), i + 1)),
            material: new.material.clone(),
            cuts: Some(Cuts { start: [(c - a).dot(along), 0.0], end: [(d - a).dot(along), length] }),
        };
        made.push(wall::create(author, &wall)?);
    }
    for (from, to) in made.iter().zip(made.iter().cycle().skip(1)) {
        let relation = author.connect(*from, End::End, *to, End::Start)?;
        prioritise(author, relation)?;
    }
    Ok(made)
}

/// Puts a lift car on the lowest floor of a shaft: floor, roof, and walls on three sides.
fn car(author: &mut Author, new: &NewShaft, outline: &[DVec2], text: &str) -> Result<Id, Fault> {
    let along = edges(outline).next().and_then(|(a, b)| direction(a, b)).unwrap_or(DVec2::X);
    let own: Vec<DVec2> = outline.iter().map(|p| DVec2::new(p.dot(along), p.dot(along.perp()))).collect();
    let (low, high) = bounds(&own);
    let size = high - low - DVec2::splat(2.0 * CLEARANCE);
    if size.x < 700.0 || size.y < 700.0 || (area(outline) - (high - low).x * (high - low).y).abs() > 1000.0 {
        return Err(Fault::constraint(format!(
            "A lift's car needs a rectangular shaft of at least 1000 by 1000 mm; this one is {} by {} mm.",
            mm((high - low).x),
            mm((high - low).y)
        ))
        .with("field", "lift"));
    }
    let corner = along * (low.x + CLEARANCE) + along.perp() * (low.y + CLEARANCE);
    let storey_frame = author.frame(new.storey)?;
    let frame = Frame::in_plan(corner.extend(storey_frame.translation.z), along);
    let within = author.placement_of(new.storey);
    let placement = author.placement(within, &frame.seen_from(&storey_frame))?;
    let wall = 30.0;
    let whole = rectangle(DVec2::ZERO, size);
    let solids = [
        author.upright(&whole, &[], 0.0, 100.0)?,
        author.upright(&whole, &[], 100.0 + CAR, 50.0)?,
        author.upright(&rectangle(DVec2::ZERO, DVec2::new(wall, size.y)), &[], 100.0, CAR)?,
        author.upright(&rectangle(DVec2::new(size.x - wall, 0.0), size), &[], 100.0, CAR)?,
        author.upright(
            &rectangle(DVec2::new(wall, size.y - wall), DVec2::new(size.x - wall, size.y)),
            &[],
            100.0,
            CAR,
        )?,
    ];
    let body = author.body(&solids)?;
    let shape = author.shape(&[body])?;
    let attributes = [("ObjectPlacement", Value::Ref(placement)), ("Representation", shape.into())];
    let lift = author.root("IfcTransportElement", Some(&format!("{text} lift")), &attributes)?;
    author.contain(new.storey, lift)?;
    let title = format!("Lift car {} x {} mm", mm(size.x), mm(size.y));
    let kind = author.kind("IfcTransportElementType", &title, &[("PredefinedType", word("ELEVATOR"))])?;
    author.type_as(kind, lift)?;
    let steel = author.material("Steel")?;
    author.make_of(steel, lift)?;
    author.assume(format!("lift car of {} by {} mm", mm(size.x), mm(size.y)));
    Ok(lift)
}
