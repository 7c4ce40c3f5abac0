//! Elements and types, made of another material or of layers.

use crate::arranged::{Dressed, all_dressed, chosen_with_types};
use crate::modelling::author;
use crate::walling::LayerInput;
use crate::{IfcCall, Tool};
use building::library::materials::{self, Made};
use building::library::{buildup, styles};
use building::measures::name;
use contract::{Effect, EventType, Fault, Toolset};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Input {
    /// Ids, names, a category (`walls`) or selectors; of types too.
    element_ids: Vec<String>,
    /// Name of the material; a new one is made.
    material: Option<String>,
    /// Or layers of walls and slabs: from the right face seen along the wall, from the underside up.
    layers: Option<Vec<LayerInput>>,
    /// Colour of `material`, #rrggbb.
    #[schemars(extend("x-seldom" = true))]
    color: Option<String>,
}

/// The tool's answer.
#[derive(Serialize, JsonSchema)]
pub struct Output {
    /// The elements and types asked for; the first 200.
    elements: Vec<Dressed>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::ifc("assign_material", Effect::Modify, run)
        .description(
            "Makes elements or types of a material, or walls and slabs of layers; their thickness follows the layers. A \
             type takes its elements along; a wall or slab alone gets a type of its own.",
        )
        .idempotent()
        .toolset(Toolset::Library)
        .event(EventType::MaterialAssigned)
        .example("A brick wall", json!({ "element_ids": ["Wall 1"], "material": "Brick", "color": "#aa4a3c" }))
        .example(
            "A wall with insulation",
            json!({
                "element_ids": ["Wall 1"],
                "layers": [{ "material": "Render", "thickness": 20 }, { "material": "Wool", "thickness": 160 },
                           { "material": "Brick", "thickness": 240 }]
            }),
        )
}

fn run(call: &mut IfcCall, input: Input) -> Result<Output, Fault> {
    let author = &mut author(call);
    let ids = chosen_with_types(author, "element_ids", &input.element_ids)?;
    let colour = input.color.as_deref().map(|text| styles::colour("color", text)).transpose()?;
    let made = match (input.material, input.layers) {
        (Some(material), None) => Made::Plain(name("material", &material)?),
        (None, Some(layers)) => {
            if colour.is_some() {
                return Err(Fault::invalid(
                    "color",
                    "`color` goes with `material`; colour layers' materials with set_style.",
                ));
            }
            let read = layers.into_iter().enumerate().map(|(i, layer)| layer.read(&format!("layers[{i}]")));
            Made::Layers(buildup::checked("layers", &read.collect::<Result<Vec<_>, _>>()?)?)
        }
        _ => return Err(Fault::invalid("material", "Give either `material` or `layers`.")),
    };
    materials::assign(author, &ids, &made)?;
    if let (Some(colour), Made::Plain(material)) = (colour, &made) {
        let material = author.material(material)?;
        styles::colour_material(author, material, colour, 0.0)?;
    }
    Ok(Output { elements: all_dressed(author, &ids) })
}
