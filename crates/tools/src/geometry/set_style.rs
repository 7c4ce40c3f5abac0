//! Colours of elements and materials.

use crate::arranged::chosen;
use crate::modelling::author;
use crate::{IfcCall, Tool};
use building::library::styles;
use building::lookup;
use contract::{Effect, EventType, Fault, FaultCode, Toolset};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Input {
    /// Ids, names, a category (`doors`) or selectors.
    #[serde(default)]
    element_ids: Vec<String>,
    /// Names of materials; all made of them have the colour.
    #[serde(default)]
    materials: Vec<String>,
    /// The colour, #rrggbb.
    color: String,
    /// 0 (opaque) to 1.
    #[serde(default)]
    transparency: f64,
}

/// The tool's answer.
#[derive(Serialize, JsonSchema)]
pub struct Output {
    /// The colour.
    color: String,
    /// How many elements were coloured.
    elements: usize,
    /// How many materials were.
    materials: usize,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::ifc("set_style", Effect::Modify, run)
        .title("Set colours")
        .description("Colours elements, themselves alone, or materials. An element's own colour goes before its material's.")
        .idempotent()
        .toolset(Toolset::Library)
        .event(EventType::StyleSet)
        .example("A glassy wall", json!({ "element_ids": ["Wall 1"], "color": "#88bbdd", "transparency": 0.6 }))
}

fn run(call: &mut IfcCall, input: Input) -> Result<Output, Fault> {
    let author = &mut author(call);
    if input.element_ids.is_empty() && input.materials.is_empty() {
        return Err(Fault::invalid("element_ids", "Give `element_ids`, `materials` or both."));
    }
    let colour = styles::colour("color", &input.color)?;
    let transparency = styles::transparency("transparency", input.transparency)?;
    let ids = if input.element_ids.is_empty() {
        Vec::new()
    } else {
        chosen(author, "element_ids", &input.element_ids)?
    };
    for (i, text) in input.materials.iter().enumerate() {
        let field = format!("materials[{i}]");
        let all: Vec<_> = author.edit.of_class_exact("IfcMaterial");
        let named = |id: &ifc::Id| author.edit.get(*id).and_then(|m| m.name());
        let found: Vec<_> =
            all.iter().copied().filter(|id| named(id).as_deref() == Some(text.trim())).collect();
        if found.is_empty() {
            let names: Vec<String> = all.iter().filter_map(named).collect();
            let near = lookup::near(text, names.iter().map(String::as_str));
            return Err(Fault::new(
                FaultCode::ElementNotFound,
                format!("`{field}`: this model has no material {text}."),
            )
            .with("field", field)
            .with("near_matches", near));
        }
        for material in found {
            styles::colour_material(author, material, colour, transparency)?;
        }
    }
    for id in &ids {
        styles::colour_element(author, *id, colour, transparency)?;
    }
    let [red, green, blue] = colour;
    Ok(Output {
        color: format!("#{red:02x}{green:02x}{blue:02x}"),
        elements: ids.len(),
        materials: input.materials.len(),
    })
}
