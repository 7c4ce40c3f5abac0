//! A building's shell in one go: for every storey the walls along a footprint, its slab, if wanted a space, and a roof
//! on a storey of its own.
//!
//! Wall axes lie on the footprint's outer face and their layers inward, so that a wall is as long as its side. Walls
//! reach from the slab they stand on to the underside of what lies above them; corners are mitred.

use crate::author::Author;
use crate::joins::{Arm, mitre, prioritise};
use crate::lookup::{self, guid};
use crate::measures::{finite, mm, name, positive, square_metres};
use crate::polygon::{area, direction, edges, inset, signed_area};
use crate::project::{self, StoreyAnswer};
use crate::regions;
use crate::relations::End;
use crate::roof::{self, NewRoof, RoofShape, Wish};
use crate::slab::{self, NewSlab, SlabKind};
use crate::space::{self, NewSpace};
use crate::totals;
use crate::wall::{self, Cuts, LocationLine, NewWall, WallKind};
use contract::Fault;
use glam::DVec2;
use ifc::Id;
use schemars::JsonSchema;
use serde::Serialize;

/// A storey of the shell.
#[derive(Debug, Clone, PartialEq)]
pub struct ShellStorey {
    /// Its name; made up where left out.
    pub name: Option<String>,
    /// Its height from floor to floor, in mm.
    pub height: f64,
}

/// The pattern of the parts' names; `{n}` counts, `{side}` is the side's number, `{storey}` the storey's name.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Names {
    /// Walls.
    pub walls: Option<String>,
    /// Slabs.
    pub floors: Option<String>,
    /// Spaces.
    pub spaces: Option<String>,
    /// The roof.
    pub roof: Option<String>,
}

/// A shell asked for, in mm.
#[derive(Debug, Clone, PartialEq)]
pub struct NewShell {
    /// The outer outline.
    pub footprint: Vec<DVec2>,
    /// Storeys from the lowest up.
    pub storeys: Vec<ShellStorey>,
    /// Elevation of the lowest, in mm.
    pub elevation: f64,
    /// Thickness of the walls in mm.
    pub wall_thickness: f64,
    /// Thickness of slabs and roof in mm.
    pub floor_thickness: f64,
    /// The shape of its roof, if it has one.
    pub roof: Option<RoofShape>,
    /// The pitch of its roof in degrees.
    pub pitch: Option<f64>,
    /// The overhang of the roof in mm.
    pub overhang: f64,
    /// True if every storey gets one space.
    pub spaces: bool,
    /// Names.
    pub names: Names,
}

/// A wall of the shell.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ShellWall {
    /// The side of the footprint, from 1: from its first point to its second, and so on.
    pub side: usize,
    /// GlobalId.
    pub wall_id: String,
    /// Name.
    pub name: String,
    /// Start of its axis in mm, z above the storey.
    pub start: [f64; 3],
    /// End of its axis.
    pub end: [f64; 3],
    /// Length of its axis in mm.
    pub length: f64,
}

/// A storey of the shell as made.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ShellLevel {
    /// GlobalId of the storey.
    pub level_id: String,
    /// Name.
    pub name: String,
    /// Elevation in mm.
    pub elevation: f64,
    /// Height of its walls in mm.
    pub wall_height: f64,
    /// Its walls by side.
    pub walls: Vec<ShellWall>,
    /// GlobalId of its slab.
    pub floor_id: String,
    /// GlobalId of its space.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub space_id: Option<String>,
}

/// The shell as made.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ShellAnswer {
    /// Its storeys, lowest first.
    pub storeys: Vec<ShellLevel>,
    /// The storey that the roof rests on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub roof_level: Option<StoreyAnswer>,
    /// GlobalId of the roof.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub roof_id: Option<String>,
    /// Area inside the footprint in m².
    pub footprint_area: f64,
    /// Outline of the inner faces in mm, where rooms can be.
    pub inner_outline: Vec<[f64; 2]>,
}

/// Makes the shell.
pub fn create(author: &mut Author, new: &NewShell) -> Result<ShellAnswer, Fault> {
    positive("wall_thickness", new.wall_thickness)?;
    positive("floor_thickness", new.floor_thickness)?;
    finite("elevation", new.elevation)?;
    if new.storeys.is_empty() || new.storeys.len() > 200 {
        return Err(Fault::invalid(
            "storeys",
            "`storeys` must be a number from 1 to 200, or a list of [{name, height}].",
        ));
    }
    let inner = inset(&new.footprint, &vec![new.wall_thickness; new.footprint.len()]).ok_or_else(|| {
        Fault::constraint(format!(
            "Walls {} mm thick leave no room inside this footprint: somewhere it is too narrow. Make wall_thickness smaller or the footprint larger.",
            mm(new.wall_thickness)
        ))
        .with("field", "wall_thickness")
    })?;
    let plan = plan(new)?;
    let mut storeys = Vec::new();
    let mut elevation = new.elevation;
    for (i, asked) in new.storeys.iter().enumerate() {
        positive(&format!("storeys[{i}].height"), asked.height)?;
        let storey = find_or_make(author, asked.name.as_deref(), elevation, i)?;
        let top = i + 1 == new.storeys.len();
        let height = if top { asked.height } else { asked.height - new.floor_thickness };
        if height < 100.0 {
            return Err(Fault::invalid(
                &format!("storeys[{i}].height"),
                format!(
                    "A storey {} mm high has no room for walls below a slab of {} mm.",
                    mm(asked.height),
                    mm(new.floor_thickness)
                ),
            ));
        }
        storeys.push(level(author, new, &plan, &inner, storey, i, height)?);
        elevation = project::elevation_of(author, storey) + asked.height;
    }
    if let [.., below, top] = storeys.as_slice()
        && (below.wall_height - top.wall_height).abs() > 0.1
    {
        author.assume(format!(
            "walls of {} {} mm high, up to the roof; those below {} mm, up to the slab above",
            top.name, top.wall_height, below.wall_height
        ));
    }
    let (roof_level, roof_id) = if let Some(shape) = new.roof {
        let (storey, base) = roof_storey(author, elevation)?;
        let roof = roof::create(
            author,
            &NewRoof {
                storey,
                outline: new.footprint.clone(),
                base,
                overhang: new.overhang,
                thickness: new.floor_thickness,
                name: new.names.roof.clone(),
                wish: Wish { shape, pitch: new.pitch, ..Wish::default() },
                walls_reach: None,
            },
        )?;
        (Some(project::storey_answer(author, storey)), Some(guid(author.edit, roof)))
    } else {
        (None, None)
    };
    Ok(ShellAnswer {
        storeys,
        roof_level,
        roof_id,
        footprint_area: square_metres(area(&new.footprint)),
        inner_outline: inner.iter().map(|p| [mm(p.x), mm(p.y)]).collect(),
    })
}

/// One side in plan: start, end, how its ends are cut.
struct Side {
    start: DVec2,
    end: DVec2,
    cuts: Cuts,
}

/// The line of the walls: the layers lie on the inner side of the footprint whichever way it turns.
fn line(footprint: &[DVec2]) -> LocationLine {
    if signed_area(footprint) > 0.0 { LocationLine::Right } else { LocationLine::Left }
}

fn plan(new: &NewShell) -> Result<Vec<Side>, Fault> {
    let faces = line(&new.footprint).faces(new.wall_thickness);
    let sides: Vec<(DVec2, DVec2, DVec2)> = edges(&new.footprint)
        .map(|(a, b)| direction(a, b).map(|d| (a, b, d)))
        .collect::<Option<_>>()
        .ok_or_else(|| Fault::invalid("footprint", "Two corners of the footprint are in the same place."))?;
    let n = sides.len();
    let at_start = |(a, _, d): (DVec2, DVec2, DVec2)| Arm {
        corner: a,
        away: d,
        right: faces.0,
        left: faces.1,
        bend: 0.0,
    };
    let at_end = |(_, b, d): (DVec2, DVec2, DVec2)| Arm {
        corner: b,
        away: DVec2::new(-d.x, -d.y),
        right: -faces.1,
        left: -faces.0,
        bend: 0.0,
    };
    let mut made = Vec::with_capacity(n);
    for (i, &side) in sides.iter().enumerate() {
        let (start, end, d) = side;
        let mut cuts = Cuts::square(start.distance(end));
        let x = |p: DVec2| (p.x - start.x) * d.x + (p.y - start.y) * d.y;
        if let Some(&before) = sides.get((i + n - 1) % n)
            && let Some((right, left)) = mitre(&at_start(side), &at_end(before))
        {
            cuts.start = [x(right), x(left)];
        }
        if let Some(&after) = sides.get((i + 1) % n)
            && let Some((right, left)) = mitre(&at_end(side), &at_start(after))
        {
            cuts.end = [x(left), x(right)];
        }
        made.push(Side { start, end, cuts });
    }
    Ok(made)
}

fn level(
    author: &mut Author,
    new: &NewShell,
    plan: &[Side],
    inner: &[DVec2],
    storey: Id,
    index: usize,
    height: f64,
) -> Result<ShellLevel, Fault> {
    let at = project::storey_answer(author, storey);
    let named = |template: &Option<String>, fallback: &str, n: usize, side: usize| -> Result<String, Fault> {
        let template = template.as_deref().unwrap_or(fallback);
        let mut text = name("names", template)?;
        // what is not told apart by its template is told apart by its storey or its number
        if n > 0 && !text.contains("{n}") {
            if !text.contains("{side}") {
                text.push_str(" {n}");
            } else if new.storeys.len() > 1 && !text.contains("{storey}") {
                text.push_str(", {storey}");
            }
        }
        Ok(text
            .replace("{n}", &n.to_string())
            .replace("{side}", &side.to_string())
            .replace("{storey}", &at.name))
    };
    let floor = slab::create(
        author,
        &NewSlab {
            storey,
            outline: new.footprint.clone(),
            top: 0.0,
            thickness: new.floor_thickness,
            kind: if index == 0 { SlabKind::BaseSlab } else { SlabKind::Floor },
            name: Some(named(&new.names.floors, "{storey} floor", 0, 0)?),
            material: None,
        },
    )?;
    vacant(author, new, plan, storey)?;
    let mut ids = Vec::new();
    let mut walls = Vec::new();
    for (i, side) in plan.iter().enumerate() {
        let text = named(&new.names.walls, "{storey} wall {side}", index * plan.len() + i + 1, i + 1)?;
        let wall = wall::create(
            author,
            &NewWall {
                storey,
                start: side.start,
                end: side.end,
                base: 0.0,
                height,
                thickness: new.wall_thickness,
                kind: WallKind::Exterior,
                line: line(&new.footprint),
                name: Some(text),
                material: None,
                cuts: Some(side.cuts),
            },
        )?;
        let stands = wall::answer(author, wall)?;
        walls.push(ShellWall {
            side: i + 1,
            wall_id: stands.wall_id,
            name: stands.name,
            start: stands.start,
            end: stands.end,
            length: stands.length,
        });
        ids.push(wall);
    }
    for (i, wall) in ids.iter().enumerate() {
        if let Some(next) = ids.get((i + 1) % ids.len()) {
            let relation = author.connect(*wall, End::End, *next, End::Start)?;
            prioritise(author, relation)?;
        }
    }
    let space_id = if new.spaces {
        let space = space::write(
            author,
            &NewSpace {
                storey,
                outline: inner.to_vec(),
                height,
                name: Some(named(&new.names.spaces, "{storey} space", 0, 0)?),
                long_name: None,
                usage: None,
            },
        )?;
        Some(guid(author.edit, space))
    } else {
        None
    };
    totals::of_storey(author, storey)?;
    Ok(ShellLevel {
        level_id: at.id,
        name: at.name,
        elevation: at.elevation,
        wall_height: mm(height),
        walls,
        floor_id: guid(author.edit, floor),
        space_id,
    })
}

/// Refuses to build walls where walls stand.
fn vacant(author: &Author, new: &NewShell, plan: &[Side], storey: Id) -> Result<(), Fault> {
    let faces = line(&new.footprint).faces(new.wall_thickness);
    let bodies: Vec<Vec<DVec2>> = plan
        .iter()
        .filter_map(|side| {
            let d = direction(side.start, side.end)?;
            let at = |DVec2 { x, y }: DVec2| side.start + d * x + d.perp() * y;
            Some(side.cuts.outline(faces).into_iter().map(at).collect())
        })
        .collect();
    for wall in space::all_walls_on(author, storey) {
        let common = regions::intersection(&bodies, &[space::outline_in_world(&wall)]);
        if common.iter().map(|r| area(&r.outer)).sum::<f64>() > 0.05e6 {
            return Err(Fault::constraint(format!(
                "On {} the wall {} already stands where this shell would have one. Delete it first, or build on another storey.",
                lookup::label(author.edit, storey),
                lookup::label(author.edit, wall.id)
            ))
            .with("field", "footprint")
            .with("wall_id", guid(author.edit, wall.id)));
        }
    }
    Ok(())
}

/// The storey of this name, or at this elevation, or a new one.
fn find_or_make(author: &mut Author, text: Option<&str>, elevation: f64, index: usize) -> Result<Id, Fault> {
    if let Some(known) = text.and_then(|text| lookup::bearing(author.edit, "IfcBuildingStorey", text)) {
        return Ok(known);
    }
    // a storey kept for a roof is no floor; the Fault for its elevation says so
    let known = at_elevation(author, elevation);
    if let Some(known) = known.filter(|id| !lookup::label(author.edit, *id).to_lowercase().contains("roof")) {
        return Ok(known);
    }
    let made_up = if index == 0 { "Ground Floor".to_owned() } else { format!("Floor {index}") };
    project::create_storey(author, text.unwrap_or(&made_up), elevation)
}

fn at_elevation(author: &Author, elevation: f64) -> Option<Id> {
    author
        .edit
        .of_class("IfcBuildingStorey")
        .into_iter()
        .find(|id| (project::elevation_of(author, *id) - elevation).abs() < 1.0)
}

/// The storey that the roof belongs to, and how far above it the roof lies.
fn roof_storey(author: &mut Author, elevation: f64) -> Result<(Id, f64), Fault> {
    if let Some(known) = at_elevation(author, elevation) {
        return Ok((known, 0.0));
    }
    if let Some(known) = lookup::bearing(author.edit, "IfcBuildingStorey", "Roof") {
        let base = elevation - project::elevation_of(author, known);
        return Ok((known, base));
    }
    Ok((project::create_storey(author, "Roof", elevation)?, 0.0))
}
