//! Elements, given another type.

use crate::arranged::{Dressed, all_dressed, chosen};
use crate::modelling::author;
use crate::{IfcCall, Tool};
use building::library::types;
use contract::{Effect, EventType, Fault, Toolset};
use ifc::relations;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// A type to make.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct NewType {
    /// Its name.
    name: String,
    /// The type that it is like, id or name; default: that of the first element.
    like: Option<String>,
    /// Parameter → value, as modify_parameter takes them: thickness, an attribute, Pset.Property.
    #[serde(default)]
    changes: Map<String, Value>,
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Input {
    /// Ids, names, a category (`doors`) or selectors.
    element_ids: Vec<String>,
    /// A type in the model, id or name.
    type_id: Option<String>,
    /// Or a type to make.
    new_type: Option<NewType>,
}

/// The tool's answer.
#[derive(Serialize, JsonSchema)]
pub struct Output {
    /// GlobalId of the type.
    type_id: String,
    /// Its name.
    type_name: String,
    /// The elements asked for; the first 200.
    elements: Vec<Dressed>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::ifc("assign_type", Effect::Modify, run)
        .description(
            "Gives elements a type that there is, or a new one like another. Thickness and layers of walls and slabs, \
             sizes of doors and windows and mapped shapes follow it. A type itself is changed with modify_parameter.",
        )
        .idempotent()
        .toolset(Toolset::Library)
        .event(EventType::TypeAssigned)
        .example(
            "A thicker type for one wall",
            json!({
                "element_ids": ["Wall 1"],
                "new_type": { "name": "Outer wall 365", "changes": { "thickness": 365 } }
            }),
        )
}

fn run(call: &mut IfcCall, input: Input) -> Result<Output, Fault> {
    let author = &mut author(call);
    let ids = chosen(author, "element_ids", &input.element_ids)?;
    let Some(first) = ids.first().copied() else { return Err(Fault::invalid("element_ids", "None.")) };
    let of_type = match (input.type_id, input.new_type) {
        (Some(text), None) => types::find(author, "type_id", &text)?,
        (None, Some(new)) => {
            let like = match &new.like {
                Some(text) => Some(types::find(author, "new_type.like", text)?),
                None => relations::type_of(author.edit, first),
            };
            types::create(author, &new.name, like, first, &new.changes)?
        }
        _ => return Err(Fault::invalid("type_id", "Give either `type_id` or `new_type`.")),
    };
    types::assign(author, &ids, of_type)?;
    Ok(Output {
        type_id: building::lookup::guid(author.edit, of_type),
        type_name: building::lookup::label(author.edit, of_type),
        elements: all_dressed(author, &ids),
    })
}
