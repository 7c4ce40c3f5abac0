//! A straight wall.

use crate::modelling::{Point, adding, level};
use crate::walling::{self, LayerInput, OpeningInput, RecessInput, TopInput, chosen};
use crate::{IfcCall, Tool};
use building::joins::{self, JoinAnswer};
use building::measures::positive;
use building::opening::OpeningAnswer;
use building::polygon::{height_of, plan_point};
use building::relations::End;
use building::wall::{self, Build, LocationLine, NewWall, WallAnswer, WallKind};
use building::{Author, arc_wall, lookup, wall_layers, wall_top, wall_way};
use contract::{Effect, EventType, Fault};
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
    /// Instead of height: a level, mm above the storey, or above (to the underside of the slab above).
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
    let (mut new, build) = wall_of(author, &mut input)?;
    let at_start = new.height;
    if let Some(at_end) = input.top_end_height {
        new.height = at_start.max(positive("top_end_height", at_end)?);
    }
    if let Some(through) = &input.arc_through {
        return along_arc(author, &input, &new, &build, through);
    }
    let points = wall_way::way(new.start, &input.via, new.end)?;
    let mut walls = Vec::with_capacity(points.len() - 1);
    let mut made = Vec::new();
    for (i, (start, end)) in points.iter().zip(points.iter().skip(1)).enumerate() {
        let mut leg = NewWall { start: *start, end: *end, ..new.clone() };
        if let Some(name) = leg.name.as_mut().filter(|_| points.len() > 2) {
            *name = format!("{name} {}", i + 1);
        }
        let wall = wall::create_of(author, &leg, &build)?;
        made.extend(joins::meet(author, wall, &[End::Start, End::End, End::Path])?.0);
        walls.push(wall);
    }
    let mut openings = walling::open(author, &walls, input.openings)?;
    openings.extend(walling::hollow(author, &walls, input.recesses)?);
    if let (Some(at_end), [only]) = (input.top_end_height, &walls[..]) {
        wall_top::slope(author, *only, at_start, at_end)?;
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
    input: &Input,
    new: &NewWall,
    build: &Build,
    through: &Point,
) -> Result<Output, Fault> {
    let beside = [
        ("via", !input.via.is_empty()),
        ("openings", !input.openings.is_empty()),
        ("recesses", !input.recesses.is_empty()),
        ("top_end_height", input.top_end_height.is_some()),
    ];
    if let Some((field, _)) = beside.iter().find(|(_, given)| *given) {
        return Err(Fault::invalid(field, format!("`{field}` goes with straight walls; an arc takes none.")));
    }
    let (_, wall) = arc_wall::create(author, new, plan_point("arc_through", through)?, build)?;
    Ok(Output { wall, walls: Vec::new(), joins: Vec::new(), openings: Vec::new() })
}

/// The wall that is asked for, and what it is made of.
fn wall_of(author: &mut Author, input: &mut Input) -> Result<(NewWall, Build), Fault> {
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
    let height = match (input.height, &input.top) {
        (Some(_), Some(_)) => return Err(Fault::invalid("top", "Give `height` or `top`, not both.")),
        (Some(height), None) => height,
        (None, None) => chosen(author, "height", 3000.0),
        (None, Some(top)) => {
            let top = walling::top(author, top)?;
            wall_top::height_to(author, storey, base, start.midpoint(end), top)?
        }
    };
    let line = match input.location_line {
        Line::Centre => LocationLine::Centre,
        Line::Left => LocationLine::Left,
        Line::Right => LocationLine::Right,
    };
    let (name, material) = (input.name.take(), input.material.take());
    let new = NewWall { storey, start, end, base, height, thickness, kind, line, name, material, cuts: None };
    Ok((new, build))
}
