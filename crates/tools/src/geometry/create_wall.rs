//! A straight wall.

use crate::modelling::{Point, adding, level};
use crate::walling::{self, LayerInput, OpeningInput, RecessInput, TopInput, chosen};
use crate::{IfcCall, Tool};
use building::arranging::naming;
use building::joins::{self, JoinAnswer};
use building::measures::positive;
use building::opening::OpeningAnswer;
use building::polygon::{height_of, plan_point};
use building::relations::End;
use building::wall::{self, Build, LocationLine, NewWall, WallAnswer, WallKind};
use building::wall_profile::Profile;
use building::{Author, arc_wall, lookup, tops, wall_layers, wall_top, wall_way};
use contract::{Effect, EventType, Fault};
use glam::DVec2;
use ifc::Id;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

#[derive(Clone, Copy, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Exterior,
    Interior,
    Partition,
}

#[derive(Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Line {
    #[default]
    #[serde(alias = "center")]
    Centre,
    Left,
    Right,
}

/// The height in mm of a wall of which nobody says how high it is.
const USUAL_HEIGHT: f64 = 3000.0;

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Input {
    /// [x, y] or [x, y, z] in mm; z above the storey.
    start: Point,
    /// [x, y].
    end: Point,
    /// mm.
    #[schemars(extend("default" = 3000))]
    height: Option<f64>,
    /// mm.
    #[schemars(extend("default" = 200))]
    thickness: Option<f64>,
    /// exterior, interior or partition; written as IsExternal.
    #[schemars(extend("x-seldom" = true, "default" = "exterior"))]
    wall_type: Option<Kind>,
    /// Storey, id or name.
    level_id: String,
    /// Name.
    #[schemars(extend("x-seldom" = true))]
    name: Option<String>,
    /// The line that start and end are on, seen from start to end: centre, left or right.
    #[serde(default)]
    #[schemars(extend("x-seldom" = true))]
    location_line: Line,
    /// Material of its layer.
    #[schemars(extend("x-seldom" = true))]
    material: Option<String>,
    /// Further points between start and end: a wall for each leg.
    #[serde(default)]
    #[schemars(extend("x-seldom" = true))]
    via: Vec<Point>,
    /// A point of an arc from start to end.
    #[schemars(extend("x-seldom" = true))]
    arc_through: Option<Point>,
    /// Its layers from the right face to the left, seen from start to end.
    #[schemars(extend("x-seldom" = true))]
    layers: Option<Vec<LayerInput>>,
    /// An IfcWallType, id or name; its layers say how thick.
    #[schemars(extend("x-seldom" = true))]
    type_id: Option<String>,
    /// Instead of height: a level, mm above the storey, above (the underside of the slab above), or points [along, mm above it].
    #[schemars(extend("x-seldom" = true))]
    top: Option<TopInput>,
    /// Height at the end, where the top slopes.
    #[schemars(extend("x-seldom" = true))]
    top_end_height: Option<f64>,
    /// Openings in it as in create_opening, without host_id.
    #[serde(default)]
    #[schemars(extend("x-seldom" = true))]
    openings: Vec<OpeningInput>,
    /// Niches in one of its faces.
    #[serde(default)]
    #[schemars(extend("x-seldom" = true))]
    recesses: Vec<RecessInput>,
}

/// One wall of several.
#[derive(Serialize, JsonSchema)]
struct Leg {
    /// GlobalId.
    wall_id: String,
    /// Name.
    name: String,
    /// Length of its axis in mm.
    length: f64,
}

/// The tool's answer.
#[derive(Serialize, JsonSchema)]
struct Output {
    /// The wall; of several the first.
    #[serde(flatten)]
    wall: WallAnswer,
    /// All walls, where a way has several legs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    walls: Vec<Leg>,
    /// The joins with walls that it meets.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    joins: Vec<JoinAnswer>,
    /// The openings, in the order asked for, then the recesses.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    openings: Vec<OpeningAnswer>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::ifc("create_wall", Effect::Create, run)
        .description(
            "Makes a wall on a storey, joined to those it meets; its length is that from start to end. An outline: \
             create_building_shell.",
        )
        .event(EventType::WallCreated)
        .example(
            "A wall 7 m long",
            json!({ "start": [0, 0], "end": [7000, 0], "height": 3000, "level_id": "Ground Floor" }),
        )
}

fn run(call: &mut IfcCall, mut input: Input) -> Result<Output, Fault> {
    let author = &mut adding(call);
    let (new, build, top) = wall_of(author, &mut input)?;
    if let Some(through) = input.arc_through.take() {
        return along_arc(author, input, &new, &build, &through);
    }
    let points = wall_way::way(new.start, &input.via, new.end)?;
    let mut walls = Vec::with_capacity(points.len() - 1);
    let mut made = Vec::new();
    let names = new.name.as_deref().filter(|_| points.len() > 2);
    let mut names =
        names.map(|name| naming::series(author.edit, "IfcWall", name, points.len() - 1).into_iter());
    for (start, end) in points.iter().zip(points.iter().skip(1)) {
        let mut leg = NewWall { start: *start, end: *end, ..new.clone() };
        if let Some(name) = names.as_mut().and_then(Iterator::next) {
            leg.name = Some(name);
        }
        let wall = wall::create_of(author, &leg, &build)?;
        made.extend(tops::meet(author, wall, &[End::Start, End::End, End::Path])?.0);
        walls.push(wall);
    }
    let mut openings = walling::open(author, &walls, input.openings)?;
    openings.extend(walling::hollow(author, &walls, input.recesses)?);
    if let (Some((field, top)), [only]) = (top, &walls[..]) {
        wall_top::cut(author, *only, field, &top)?;
    }
    answer(author, &walls, made, openings)
}

fn answer(
    author: &Author,
    walls: &[Id],
    made: Vec<Id>,
    openings: Vec<OpeningAnswer>,
) -> Result<Output, Fault> {
    let all = walls.iter().map(|wall| wall::answer(author, *wall)).collect::<Result<Vec<_>, _>>()?;
    let legs = all.iter().map(|wall| Leg {
        wall_id: wall.wall_id.clone(),
        name: wall.name.clone(),
        length: wall.length,
    });
    let walls = if all.len() > 1 { legs.collect() } else { Vec::new() };
    let joins = made.into_iter().filter_map(|relation| joins::answer(author, relation)).collect();
    let wall = all.into_iter().next().ok_or_else(|| Fault::backend("No wall was made."))?;
    Ok(Output { wall, walls, joins, openings })
}

/// Refuses what an arc has no answer for, and makes it.
fn along_arc(
    author: &mut Author,
    input: Input,
    new: &NewWall,
    build: &Build,
    through: &Point,
) -> Result<Output, Fault> {
    let beside = [
        ("via", !input.via.is_empty()),
        ("recesses", !input.recesses.is_empty()),
        ("top_end_height", input.top_end_height.is_some()),
    ];
    if let Some((field, _)) = beside.iter().find(|(_, given)| *given) {
        return Err(Fault::invalid(field, format!("`{field}` goes with straight walls; an arc takes none.")));
    }
    let wall = arc_wall::create(author, new, plan_point("arc_through", through)?, build)?;
    let (made, _) = tops::meet(author, wall, &[End::Start, End::End, End::Path])?;
    let openings = walling::open(author, &[wall], input.openings)?;
    answer(author, &[wall], made, openings)
}

/// A top that is not level, and the parameter that says so.
type Cut = (&'static str, Profile);

/// The wall that is asked for, and what it is made of.
fn wall_of(author: &mut Author, input: &mut Input) -> Result<(NewWall, Build, Option<Cut>), Fault> {
    let storey = level(author, &input.level_id)?;
    let (start, end) = (plan_point("start", &input.start)?, plan_point("end", &input.end)?);
    if input.end.len() == 3 && (height_of(&input.end) - height_of(&input.start)).abs() > 0.1 {
        return Err(Fault::invalid(
            "end",
            "`start` and `end` have different z; a wall stands on one height.",
        ));
    }
    if input.top_end_height.is_some() && !input.via.is_empty() {
        return Err(Fault::invalid(
            "top_end_height",
            "`top_end_height` goes with one straight wall, without via.",
        ));
    }
    let base = height_of(&input.start);
    let wall_type = input
        .type_id
        .as_deref()
        .map(|text| lookup::element(author.edit, "type_id", text, &["IfcWallType"], "a wall type"))
        .transpose()?;
    let known = wall_type.and_then(|id| wall_layers::use_of(author, id));
    let kind = match (input.wall_type, known) {
        (Some(Kind::Exterior), _) => WallKind::Exterior,
        (Some(Kind::Interior), _) => WallKind::Interior,
        (Some(Kind::Partition), _) => WallKind::Partition,
        (None, Some(kind)) => kind,
        (None, None) => {
            author.assume("wall_type exterior: external and load bearing");
            WallKind::Exterior
        }
    };
    let (layers, material) = (input.layers.take(), input.material.is_some());
    let given = [layers.is_some(), material];
    let (build, thickness) =
        walling::build(author, kind, given, layers.unwrap_or_default(), wall_type, input.thickness)?;
    let line = match input.location_line {
        Line::Centre => LocationLine::Centre,
        Line::Left => LocationLine::Left,
        Line::Right => LocationLine::Right,
    };
    let (height, top) = height_of_wall(author, input, storey, [start, end], line.faces(thickness))?;
    let (name, material) = (input.name.take(), input.material.take());
    let new = NewWall { storey, start, end, base, height, thickness, kind, line, name, material, cuts: None };
    Ok((new, build, top))
}

/// The height of a wall where none is given: 3000 mm, or up to what lies above it where that is lower.
fn usual_height(
    author: &mut Author,
    storey: Id,
    base: f64,
    [start, end]: [DVec2; 2],
    faces: (f64, f64),
) -> f64 {
    let left = (end - start).normalize_or_zero().perp();
    let points = [start, start.midpoint(end), end];
    let aside = [left * faces.0, left * faces.1];
    wall_top::lower_above(author, storey, base, &points, &aside, USUAL_HEIGHT)
        .unwrap_or_else(|| chosen(author, "height", USUAL_HEIGHT))
}

/// How high a wall is at its highest, and its top where that is not level, by the parameter that says so.
fn height_of_wall(
    author: &mut Author,
    input: &Input,
    storey: Id,
    [start, end]: [DVec2; 2],
    faces: (f64, f64),
) -> Result<(f64, Option<Cut>), Fault> {
    let (base, length) = (height_of(&input.start), start.distance(end));
    let is_one = input.via.is_empty() && input.arc_through.is_none();
    let highest = Profile::highest;
    if input.top.is_some() && input.top_end_height.is_some() {
        return Err(Fault::invalid(
            "top_end_height",
            "`top_end_height` goes with `height`; give `top` as points from start to end instead of both.",
        ));
    }
    let height = match (input.height, &input.top) {
        (Some(_), Some(_)) => return Err(Fault::invalid("top", "Give `height` or `top`, not both.")),
        (Some(height), None) => height,
        (None, None) => usual_height(author, storey, base, [start, end], faces),
        (None, Some(TopInput::Line(points))) => {
            if !is_one {
                return Err(Fault::invalid("top", walling::ONE_WALL));
            }
            let top = Profile::through("top", points, base, length)?;
            return Ok((highest(&top), Some(("top", top))));
        }
        (None, Some(top)) => {
            let top = walling::top(author, top)?;
            let mut points = vec![start];
            for (i, point) in input.via.iter().enumerate() {
                points.push(plan_point(&format!("via[{i}]"), point)?);
            }
            if let Some(point) = &input.arc_through {
                points.push(plan_point("arc_through", point)?);
            }
            points.push(end);
            let left = (end - start).normalize_or_zero().perp();
            let aside = if is_one { vec![left] } else { vec![left, left.perp()] };
            let aside: Vec<DVec2> =
                aside.into_iter().flat_map(|way| [way * faces.0, way * faces.1]).collect();
            let heights = wall_top::heights_to(author, storey, base, &points, &aside, top)?;
            return Ok(match heights[..] {
                [at_start, at_end] if is_one && (at_start - at_end).abs() > 0.1 => {
                    let top = Profile::slope(length, at_start, at_end);
                    (highest(&top), Some(("top", top)))
                }
                _ => (heights.into_iter().fold(f64::INFINITY, f64::min), None),
            });
        }
    };
    let Some(at_end) = input.top_end_height else { return Ok((height, None)) };
    let top = Profile::slope(length, positive("height", height)?, positive("top_end_height", at_end)?);
    Ok((highest(&top), Some(("top_end_height", top))))
}
