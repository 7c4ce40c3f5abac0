//! Footings.

use crate::framing::{Places, places};
use crate::modelling::{author, level};
use crate::{IfcCall, Tool};
use building::host::Wall;
use building::lookup;
use building::measures::{finite, positive};
use building::structure::anchor::{Anchor, Hold, several};
use building::structure::crossing::{Grids, MOST};
use building::structure::footing::{FoundationsAnswer, NewFoundation, answer, create, kind, strip};
use building::structure::line::Line;
use building::structure::links::Role;
use building::structure::sections::Section;
use contract::{Effect, EventType, Fault, Toolset};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Input {
    /// Storey, id or name.
    level_id: String,
    /// Columns (a pad under each) or walls (a strip under each), ids or names.
    under: Option<Vec<String>>,
    /// Instead of `under`: points in mm, or grid crossings (B/3, A-D/1-4, all).
    #[schemars(with = "Option<Places>")]
    at: Option<Value>,
    /// mm: along x of a pad, across a strip.
    width: f64,
    /// Of a pad along y in mm; without it as wide.
    length: Option<f64>,
    /// mm, downward.
    #[serde(default = "thickness")]
    thickness: f64,
    /// Of its top above the storey in mm; without it what stands on it begins there, or 0.
    #[schemars(extend("x-seldom" = true))]
    top: Option<f64>,
    /// Degrees.
    #[serde(default)]
    #[schemars(extend("x-seldom" = true))]
    rotation: f64,
    /// pad, strip, pile_cap, footing_beam, caisson; without it as `under` says.
    #[schemars(extend("x-seldom" = true))]
    predefined_type: Option<String>,
    /// Without it reinforced concrete.
    #[schemars(extend("x-seldom" = true))]
    material: Option<String>,
    /// The grid, where several have such lines.
    #[schemars(extend("x-seldom" = true))]
    grid: Option<String>,
}

fn thickness() -> f64 {
    400.0
}

/// The tool.
pub fn tool() -> Tool {
    Tool::ifc("create_footing", Effect::Create, run)
        .description(
            "Makes footings: a pad under each column or place, a strip under each wall. Pads follow their columns \
             and grid lines.",
        )
        .toolset(Toolset::Structure)
        .event(EventType::FootingCreated)
        .example(
            "A pad of 1.5 by 1.5 m",
            json!({ "level_id": "Ground Floor", "at": [30000, 60000], "width": 1500, "thickness": 500 }),
        )
}

fn run(call: &mut IfcCall, input: Input) -> Result<FoundationsAnswer, Fault> {
    let author = &mut author(call);
    let storey = level(author, &input.level_id)?;
    let width = positive("width", input.width)?;
    let length = input.length.map(|l| positive("length", l)).transpose()?;
    let floor = author.frame(storey)?.translation.z;
    let top = input.top.map(|z| finite("top", z)).transpose()?.map(|z| z + floor);
    let (sin, cos) = finite("rotation", input.rotation)?.to_radians().sin_cos();
    let along = [cos, sin].into();
    let pad = Section::Rectangle { width, depth: length.unwrap_or(width) };
    // what is made, and what it hangs on
    let mut wanted: Vec<(NewFoundation, Option<Anchor>)> = Vec::new();
    let material =
        building::measures::name("material", input.material.as_deref().unwrap_or("Reinforced concrete"))?;
    if input.material.is_none() {
        author.assume("material Reinforced concrete");
    }
    let word = |usual: &'static str| input.predefined_type.clone().unwrap_or_else(|| usual.to_owned());
    match (&input.under, &input.at) {
        (Some(texts), None) if !texts.is_empty() => {
            for (i, text) in texts.iter().enumerate() {
                let field = format!("under[{i}]");
                let id = lookup::element(
                    author.edit,
                    &field,
                    text,
                    &["IfcColumn", "IfcWall"],
                    "a column or wall",
                )?;
                let is_wall = author.edit.get(id).is_some_and(|e| e.is_a("IfcWall"));
                if is_wall {
                    let wall = Wall::read(author, id)?;
                    let (at, along, section) = strip(&wall, width)?;
                    let kind = kind(author, "predefined_type", "IfcFooting", &word("strip"))?;
                    let at = at.with_z(top.unwrap_or(at.z));
                    let new = NewFoundation {
                        storey,
                        kind,
                        top: at,
                        along,
                        section,
                        height: input.thickness,
                        material: material.clone(),
                        name: None,
                    };
                    wanted.push((new, None));
                } else {
                    let line = Line::read(author, id)?;
                    let (a, b) = (line.at(0.0), line.at(line.length));
                    let foot = if a.z <= b.z { a } else { b };
                    let kind = kind(author, "predefined_type", "IfcFooting", &word("pad"))?;
                    let anchor = Anchor { at: foot.truncate(), z: None, hold: Hold::Column(id) };
                    let new = NewFoundation {
                        storey,
                        kind,
                        top: foot.with_z(top.unwrap_or(foot.z)),
                        along,
                        section: pad.clone(),
                        height: input.thickness,
                        material: material.clone(),
                        name: None,
                    };
                    wanted.push((new, Some(anchor)));
                }
            }
        }
        (None, Some(at)) => {
            let kind = kind(author, "predefined_type", "IfcFooting", &word("pad"))?;
            let grids = Grids::around(author, storey, input.grid.as_deref())?;
            for place in places("at", at)? {
                for anchor in several(author, &grids, "at", &place)? {
                    let z = top.unwrap_or(floor + anchor.z.unwrap_or(0.0));
                    let new = NewFoundation {
                        storey,
                        kind,
                        top: anchor.at.extend(z),
                        along,
                        section: pad.clone(),
                        height: input.thickness,
                        material: material.clone(),
                        name: None,
                    };
                    wanted.push((new, Some(anchor)));
                }
            }
        }
        _ => return Err(Fault::invalid("under", "Give `under` (columns or walls) or `at` (places).")),
    }
    if wanted.len() > MOST {
        return Err(Fault::invalid(
            "at",
            format!("{} footings; one call makes at most {MOST}.", wanted.len()),
        ));
    }
    let mut made = Vec::with_capacity(wanted.len());
    for (new, anchor) in wanted {
        let footing = create(author, &new)?;
        if let Some(anchor) = anchor {
            anchor.remember(author, footing, Role::Whole)?;
        }
        made.push(footing);
    }
    answer(author, &made)
}
