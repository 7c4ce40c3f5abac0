//! A shaft through several storeys.

use crate::modelling::{Point, author, level};
use crate::{IfcCall, Tool};
use building::stairs::shaft::{self, NewShaft, ShaftAnswer};
use building::{lookup, measures, polygon, stairs};
use contract::{Effect, EventType, Fault, Toolset};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Input {
    /// Clear corners [[x, y], …] in mm; two are those of a rectangle.
    outline: Vec<Point>,
    /// Storey on whose floor it stands, id or name.
    level_id: String,
    /// The highest storey whose slab it goes through; by default the top one.
    to_level: Option<String>,
    /// mm of the walls around it; without it there are none.
    wall_thickness: Option<f64>,
    /// Put a lift car in it.
    #[serde(default)]
    lift: bool,
    /// Material of the walls.
    #[schemars(extend("x-seldom" = true))]
    material: Option<String>,
    /// Name.
    #[schemars(extend("x-seldom" = true))]
    name: Option<String>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::ifc("create_shaft", Effect::Create, run)
        .description(
            "Cuts a shaft through the slabs of the storeys above a floor, with walls around it and a lift car if wanted. \
             Doors go into its walls with create_opening.",
        )
        .toolset(Toolset::Stairs)
        .event(EventType::ShaftCreated)
        .example(
            "A lift shaft with walls",
            json!({
                "outline": [[50000, 20000], [52000, 22200]], "level_id": "Ground Floor", "wall_thickness": 200,
                "lift": true
            }),
        )
}

fn run(call: &mut IfcCall, input: Input) -> Result<ShaftAnswer, Fault> {
    let author = &mut author(call);
    let storey = level(author, &input.level_id)?;
    let outline = polygon::corners("outline", &input.outline)?;
    let to =
        input.to_level.as_deref().map(|text| lookup::storey(author.edit, "to_level", text)).transpose()?;
    let through = match to.or_else(|| stairs::highest(author, storey)) {
        Some(to) => {
            stairs::climb(author, storey, Some(to), None)?.into_iter().filter_map(|(id, _)| id).collect()
        }
        None => Vec::new(),
    };
    if input.material.is_some() && input.wall_thickness.is_none() {
        return Err(Fault::invalid(
            "material",
            "`material` is that of the walls; give `wall_thickness` as well.",
        ));
    }
    let new = NewShaft {
        storey,
        through,
        ends: to.is_some(),
        outline,
        walls: input.wall_thickness,
        lift: input.lift,
        name: input.name,
        material: input.material.as_deref().map(|text| measures::name("material", text)).transpose()?,
    };
    shaft::create(author, &new)
}
