//! A storey of the building.

use crate::modelling::author;
use crate::{IfcCall, Tool};
use building::project;
use building::quantities::Quantity;
use contract::{Effect, EventType, Fault};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Input {
    /// Unique among the storeys.
    #[schemars(extend("x-seldom" = true))]
    name: String,
    /// mm above the building's zero.
    elevation: f64,
    /// Height to the next floor in mm, if it is to be recorded.
    #[schemars(extend("x-seldom" = true))]
    height: Option<f64>,
}

/// The storey made.
#[derive(Serialize, JsonSchema)]
pub struct Output {
    /// GlobalId.
    level_id: String,
    /// Name.
    name: String,
    /// mm above the building's zero.
    elevation: f64,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::ifc("create_level", Effect::Create, run)
        .description("Makes a storey; its id or name is level_id of all that stands on it.")
        .event(EventType::LevelCreated)
        .example("The first floor", json!({ "name": "Level 9", "elevation": 27000 }))
}

fn run(call: &mut IfcCall, input: Input) -> Result<Output, Fault> {
    let author = &mut author(call);
    let storey = project::create_storey(author, &input.name, input.elevation)?;
    if let Some(height) = input.height {
        let height = building::measures::positive("height", height)?;
        let recorded = [("GrossHeight", Quantity::Length(height))];
        author.quantify(storey, building::quantity_sets::STOREY, &recorded)?;
    }
    let answer = project::storey_answer(author, storey);
    Ok(Output { level_id: answer.id, name: answer.name, elevation: answer.elevation })
}
