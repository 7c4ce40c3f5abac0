//! The forms in which agents give what a wall is made of, how high it goes, which way it runs and what is cut into it.

use crate::geometry::create_opening::{Kind, Outline, shape};
use crate::modelling::{Location, place};
use building::kinds::Layer;
use building::layer_priority;
use building::opening::{self, Detail, NewOpening, OpeningAnswer};
use building::recess::{self, NewRecess};
use building::wall::{Build, WallKind};
use building::wall_layers;
use building::wall_top::Top;
use building::{Author, lookup};
use contract::Fault;
use ifc::Id;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeSet;

/// A layer of a wall.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct LayerInput {
    /// Its material.
    material: String,
    /// mm.
    thickness: f64,
    /// core, insulation, finish or another word.
    function: Option<String>,
    /// 0 to 100: where walls meet, the higher runs through; default by function, core 80 to finish 20.
    priority: Option<i64>,
}

impl LayerInput {
    /// The layer, read; `field` is where it was given.
    pub(crate) fn read(self, field: &str) -> Result<Layer, Fault> {
        let priority = layer_priority::checked(&format!("{field}.priority"), self.priority)?;
        Ok(Layer { material: self.material, thickness: self.thickness, function: self.function, priority })
    }
}

/// A level, a height, `above`, or a line of heights.
#[derive(Deserialize, JsonSchema)]
#[serde(
    untagged,
    expecting = "expected mm above the storey, a list of [mm along, mm above the storey], a level, or above"
)]
pub(crate) enum TopInput {
    /// mm above the storey.
    Height(f64),
    /// Points of [mm along, mm above the storey] from start to end; two in one place step.
    Line(Vec<[f64; 2]>),
    /// A level, id or name; or above: the underside of what lies above.
    Named(String),
}

/// An opening in a wall that is being made.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct OpeningInput {
    /// The wall of several, from 0.
    #[serde(default)]
    wall: usize,
    /// Its centre along the wall, or a point in mm.
    #[schemars(with = "Location")]
    location: Value,
    /// mm.
    width: f64,
    /// mm.
    height: f64,
    /// The filling.
    #[serde(default)]
    opening_type: Kind,
    /// As IFC says it.
    operation_type: Option<String>,
    /// Name.
    name: Option<String>,
    /// Outline: rectangle, round, arch, polygon.
    #[serde(default)]
    shape: Outline,
    /// Sides of a polygon.
    sides: Option<u32>,
    /// Width of the frame as seen, in mm.
    lining: Option<f64>,
    /// Panes of glass one behind another.
    glazing: Option<u32>,
    /// Opens to the right of the wall's direction.
    #[serde(default)]
    flipped: bool,
}

/// The face of a wall, seen from start to end.
#[derive(Clone, Copy, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Face {
    Left,
    #[default]
    Right,
}

/// A recess in a wall that is being made.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RecessInput {
    /// The wall of several, from 0.
    #[serde(default)]
    wall: usize,
    /// Its centre along the wall, or a point in mm.
    #[schemars(with = "Location")]
    location: Value,
    /// mm.
    width: f64,
    /// mm.
    height: f64,
    /// mm, less than the wall is thick.
    depth: f64,
    /// The face it is in, seen from start to end.
    #[serde(default)]
    face: Face,
    /// Name.
    name: Option<String>,
}

/// Cuts recesses into walls that were just made, all or none.
pub(crate) fn hollow(
    author: &mut Author,
    walls: &[Id],
    recesses: Vec<RecessInput>,
) -> Result<Vec<OpeningAnswer>, Fault> {
    let mut made = Vec::with_capacity(recesses.len());
    for (i, asked) in recesses.into_iter().enumerate() {
        let one = hollow_one(author, walls, asked).map_err(|fault| numbered("recesses", i, fault))?;
        made.push(one);
    }
    made.into_iter().map(|id| opening::answer(author, id)).collect()
}

fn hollow_one(author: &mut Author, walls: &[Id], asked: RecessInput) -> Result<Id, Fault> {
    let host = host(walls, asked.wall)?;
    let find = |text: &str| opening::told_from(author, "location", text);
    let (place, sill) = place(&asked.location, &find)?;
    let (width, height, depth) = (asked.width, asked.height, asked.depth);
    let (left, name) = (asked.face == Face::Left, asked.name);
    recess::create(author, &NewRecess { host, place, sill, width, height, depth, left, name })
}

fn host(walls: &[Id], at: usize) -> Result<Id, Fault> {
    walls.get(at).copied().ok_or_else(|| {
        Fault::invalid("wall", format!("There is no wall {at}; {} are made, counted from 0.", walls.len()))
    })
}

/// The Fault of one of a list.
fn numbered(list: &str, i: usize, fault: Fault) -> Fault {
    let field = fault.data.get("field").and_then(Value::as_str).unwrap_or("location").to_owned();
    let message = format!("{list}[{i}]: {}", fault.message);
    Fault { message, ..fault }.with("field", format!("{list}[{i}].{field}"))
}

/// Cuts openings into walls that were just made, all or none.
pub(crate) fn open(
    author: &mut Author,
    walls: &[Id],
    openings: Vec<OpeningInput>,
) -> Result<Vec<OpeningAnswer>, Fault> {
    let (mut made, mut opened) = (Vec::with_capacity(openings.len()), BTreeSet::new());
    for (i, asked) in openings.into_iter().enumerate() {
        let (host, one) = open_one(author, walls, asked).map_err(|fault| numbered("openings", i, fault))?;
        opened.insert(host);
        made.push(one);
    }
    opening::settle(author, &opened)?;
    made.into_iter().map(|id| opening::answer(author, id)).collect()
}

/// Cuts an opening; answers its host and itself.
fn open_one(author: &mut Author, walls: &[Id], asked: OpeningInput) -> Result<(Id, Id), Fault> {
    let host = host(walls, asked.wall)?;
    let find = |text: &str| opening::told_from(author, "location", text);
    let (place, sill) = place(&asked.location, &find)?;
    let filling = asked.opening_type.filling();
    let (width, height) = (asked.width, asked.height);
    let new = NewOpening {
        host,
        place,
        sill,
        width,
        height,
        filling,
        operation: asked.operation_type,
        name: asked.name,
    };
    let detail = Detail {
        shape: shape(asked.shape, asked.sides)?,
        lining: asked.lining,
        panes: asked.glazing,
        is_flipped: asked.flipped,
    };
    opening::cut(author, &new, &detail).map(|(opening, _)| (host, opening))
}

/// The make-up and thickness of a wall: by its layers, its type, or one material.
pub(crate) fn build(
    author: &mut Author,
    kind: WallKind,
    [layers, material]: [bool; 2],
    given: Vec<LayerInput>,
    wall_type: Option<Id>,
    thickness: Option<f64>,
) -> Result<(Build, f64), Fault> {
    if layers && wall_type.is_some() {
        return Err(Fault::invalid(
            "layers",
            "Give `layers` or `type_id`, not both: a type has its own layers.",
        ));
    }
    if material && (layers || wall_type.is_some()) {
        return Err(Fault::invalid(
            "material",
            "`material` is that of a single layer; leave it out beside layers or type_id.",
        ));
    }
    if let Some(wall_type) = wall_type {
        return wall_layers::of_type(author, wall_type, thickness);
    }
    if layers {
        let all = given.into_iter().enumerate().map(|(i, layer)| layer.read(&format!("layers[{i}]")));
        let all = all.collect::<Result<Vec<_>, _>>()?;
        let (build, total) = wall_layers::with_layers(author, kind, &all)?;
        if thickness.is_some_and(|wanted| (wanted - total).abs() > 0.1) {
            return Err(Fault::invalid(
                "thickness",
                format!("The layers are {total} mm thick together; leave `thickness` out."),
            )
            .with("thickness", total));
        }
        return Ok((build, total));
    }
    if !material {
        author.assume(format!("material {}", kind.material()));
    }
    Ok((Build::Plain, thickness.unwrap_or_else(|| chosen(author, "thickness", 200.0))))
}

/// Tells a size in mm that was chosen for the caller.
pub(crate) fn chosen(author: &mut Author, what: &str, mm: f64) -> f64 {
    author.assume(format!("{what} {mm} mm"));
    mm
}

/// The Fault's text for points along the top of other than one straight wall.
pub(crate) const ONE_WALL: &str = "`top` as points goes with one straight wall, without via.";

/// The one level or height that somebody means by a top.
pub(crate) fn top(author: &Author, top: &TopInput) -> Result<Top, Fault> {
    match top {
        TopInput::Height(mm) => Ok(Top::Height(*mm)),
        TopInput::Line(_) => Err(Fault::invalid("top", ONE_WALL)),
        TopInput::Named(text) if text.trim().eq_ignore_ascii_case("above") => Ok(Top::Above),
        TopInput::Named(text) => match text.trim().parse() {
            Ok(mm) => Ok(Top::Height(mm)),
            Err(_) => Ok(Top::Level(lookup::storey(author.edit, "top", text)?)),
        },
    }
}
