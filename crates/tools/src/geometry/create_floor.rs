//! A slab over an outline.

use crate::modelling::{Point, author, level};
use crate::{IfcCall, Tool};
use building::lookup::guid;
use building::opening::through_slab;
use building::polygon::{boundary, height_of};
use building::slab::{self, NewSlab, SlabAnswer, SlabKind};
use building::slope::lean;
use building::stairs;
use contract::{Effect, EventType, Fault};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

#[derive(Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
enum Kind {
    #[default]
    Floor,
    Roof,
    BaseSlab,
    Landing,
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Input {
    /// Corners [[x, y], …] in mm; z lifts the top.
    boundary_points: Vec<Point>,
    /// mm, downward.
    #[serde(default = "thickness")]
    thickness: f64,
    /// Storey, id or name.
    level_id: String,
    /// The kind of slab.
    #[serde(default)]
    #[schemars(extend("x-seldom" = true))]
    predefined_type: Kind,
    /// Name.
    #[schemars(extend("x-seldom" = true))]
    name: Option<String>,
    /// Material of its layer; without it reinforced concrete.
    #[schemars(extend("x-seldom" = true))]
    material: Option<String>,
    /// Openings through it, each its corners [[x, y], …] in mm.
    #[serde(default)]
    #[schemars(extend("x-seldom" = true))]
    openings: Vec<Vec<Point>>,
    /// Slope from its lowest corner; or give every corner its z.
    #[schemars(extend("x-seldom" = true))]
    slope: Option<Slope>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Slope {
    /// Degrees to the level, up to 60.
    pitch: f64,
    /// Degrees from x in plan, the way it rises.
    #[serde(default)]
    direction: f64,
}

fn thickness() -> f64 {
    200.0
}

/// The tool.
pub fn tool() -> Tool {
    Tool::ifc("create_floor", Effect::Create, run)
        .description("Makes a slab over an outline; its top is at the storey's elevation.")
        .event(EventType::FloorCreated)
        .example(
            "A floor of 12 by 10 m",
            json!({
                "boundary_points": [[0, 0], [12000, 0], [12000, 10000], [0, 10000]], "level_id": "Ground Floor"
            }),
        )
}

fn run(call: &mut IfcCall, input: Input) -> Result<SlabAnswer, Fault> {
    let author = &mut author(call);
    let storey = level(author, &input.level_id)?;
    let outline = boundary("boundary_points", &input.boundary_points)?;
    let top = input.boundary_points.first().map_or(0.0, |p| height_of(p));
    let slope = input.slope.as_ref().map(|s| (s.pitch, s.direction));
    let lean = lean(&outline, &input.boundary_points, slope)?;
    let new = NewSlab {
        storey,
        outline,
        top,
        thickness: input.thickness,
        kind: match input.predefined_type {
            Kind::Floor => SlabKind::Floor,
            Kind::Roof => SlabKind::Roof,
            Kind::BaseSlab => SlabKind::BaseSlab,
            Kind::Landing => SlabKind::Landing,
        },
        name: input.name,
        material: input.material,
    };
    let slab = match lean {
        None => slab::create(author, &new)?,
        Some(lean) => slab::create_leaning(author, &new, &lean)?,
    };
    if input.openings.len() > MOST_OPENINGS {
        return Err(Fault::invalid(
            "openings",
            format!("`openings` has {}; one call cuts at most {MOST_OPENINGS}.", input.openings.len()),
        ));
    }
    for (i, corners) in input.openings.iter().enumerate() {
        let field = format!("openings[{i}]");
        let outline = boundary(&field, corners)?;
        through_slab(author, slab, &field, &outline)?;
    }
    let drawn = stairs::cut_in(author, slab)?;
    let answer = slab::answer(author, slab)?;
    let fresh = |id: &String| answer.openings.contains(id);
    let followed: Vec<String> =
        drawn.into_iter().map(|id| guid(author.edit, id)).filter(|id| !fresh(id)).collect();
    call.regenerated.extend(followed);
    Ok(answer)
}

/// The most openings that one call cuts.
const MOST_OPENINGS: usize = 200;
