//! Sets properties or quantities of elements, so that only these elements change.

use crate::arranged::chosen_with_types;
use crate::elements::{brief, id_of, tidy, value_of};
use crate::modelling::author;
use crate::{IfcCall, Tool};
use contract::{Effect, EventType, Fault};
use ifc::psets::{self, Change, SetError};
use ifc::{Id, Units, Value, schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json, json};

/// Elements whose values are read back in the answer.
const SHOWN: usize = 20;

/// The tool's arguments.
#[derive(Deserialize, JsonSchema)]
pub struct Input {
    /// Ids, names, a category (`doors`) or selectors; of types too.
    element_ids: Vec<String>,
    /// Pset_WallCommon, Qto_WallBaseQuantities, or your own.
    pset: String,
    /// Name → value in the file's units; null removes. Or {value, type: "IfcLengthMeasure"}.
    properties: Map<String, Json>,
}

/// The tool's answer.
#[derive(Serialize, JsonSchema)]
pub struct Output {
    element_ids: Vec<String>,
    pset: String,
    /// The values now; if elements differ, of the first.
    properties: Map<String, Json>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::ifc("set_properties", Effect::Modify, run)
        .idempotent()
        .event(EventType::PropertiesSet)
        .description("Sets properties or quantities of elements, of those named alone.")
        .example("A fire rating", json!({ "element_ids": ["2O2Fr$t4X7Zf8NOew3FL9r"], "pset": "Pset_WallCommon", "properties": { "FireRating": "REI 90" } }))
}

fn run(call: &mut IfcCall, input: Input) -> Result<Output, Fault> {
    if input.element_ids.is_empty() {
        return Err(Fault::invalid("element_ids", "Name at least one element."));
    }
    if input.pset.trim().is_empty() {
        return Err(Fault::invalid("pset", "Name the property set, such as Pset_WallCommon."));
    }
    if input.properties.is_empty() {
        return Err(Fault::invalid(
            "properties",
            "Give at least one property, such as {\"FireRating\": \"F90\"}.",
        ));
    }
    let elements = chosen_with_types(&author(call), "element_ids", &input.element_ids)?;
    let mut changes = Vec::new();
    for (name, json) in &input.properties {
        let wrong =
            |expected: String| Fault::invalid(&format!("properties.{name}"), format!("{name}: {expected}."));
        let typed = json.as_object().and_then(|object| Some((object.get("value")?, object.get("type"))));
        let value = match typed {
            Some((json, of_type)) => {
                let plain = value_of(json).map_err(wrong)?;
                match of_type.and_then(Json::as_str) {
                    Some(of_type) => {
                        plain.map(|plain| explicit(call, of_type, plain).map_err(wrong)).transpose()?
                    }
                    None => plain,
                }
            }
            None => value_of(json).map_err(wrong)?,
        };
        changes.push(Change { name: name.clone(), value });
    }
    psets::set(&mut call.edit, &elements, &input.pset, &changes, &mut call.guids)
        .map_err(|error| fault(call, error))?;
    Ok(read_back(call, &input.pset, &elements, &changes))
}

/// A value of a type that the agent names.
fn explicit(call: &IfcCall, of_type: &str, plain: Value) -> Result<Value, String> {
    let schema = call.edit.schema();
    let Some(declaration) = schema.type_declaration(of_type) else {
        let near = schema::near(of_type, schema.types().iter().map(|t| t.name), 3);
        return Err(format!("{of_type} is no type of {}; near: {}", schema.version(), near.join(", ")));
    };
    let plain = match (schema.kind_of_type(declaration.name), plain) {
        (Some(schema::Kind::Number), Value::Integer(number)) => Value::Real(number as f64),
        (Some(schema::Kind::Text), Value::Integer(number)) => Value::Text(number.to_string()),
        (_, plain) => plain,
    };
    Ok(Value::typed(declaration.name, plain))
}

fn fault(call: &IfcCall, error: SetError) -> Fault {
    let message = format!("{error}.");
    match error {
        SetError::Value { property, .. } | SetError::Kind { property, .. } => {
            Fault::invalid(&format!("properties.{property}"), message)
        }
        SetError::Inherited { type_id, .. } => {
            Fault::constraint(message).with("type", brief(&call.edit, type_id))
        }
        SetError::NoSets { id, .. } => {
            Fault::invalid("element_ids", message).with("element_id", id_of(&call.edit, id))
        }
        SetError::Edit(_) => Fault::constraint(message),
    }
}

fn read_back(call: &IfcCall, set: &str, elements: &[Id], changes: &[Change]) -> Output {
    let model = call.edit.model();
    let units = Units::from_model(model);
    let mut properties = Map::new();
    let mut notes = Vec::new();
    let template = psets::templates::find_set(model.schema().version(), set);
    for change in changes {
        let first = elements.first().and_then(|id| psets::find(model, *id, set, &change.name));
        let shown = first.map_or(Json::Null, |property| {
            let value = tidy(property.to_json());
            property
                .unit_label(model, &units)
                .map_or(value.clone(), |unit| json!({ "value": value, "unit": unit }))
        });
        if !shown.is_null() || change.value.is_none() {
            properties.insert(change.name.clone(), shown);
        }
        let Some(template) = template.filter(|_| change.value.is_some()) else { continue };
        if !template.properties.iter().any(|p| p.name == change.name) {
            let near = crate::near_matches(&change.name, template.properties.iter().map(|p| p.name));
            let hint = if near.is_empty() { String::new() } else { format!("; near: {}", near.join(", ")) };
            notes.push(format!("{} is not in buildingSMART's {set}{hint}.", change.name));
        }
    }
    if template.is_none() && (set.starts_with("Pset_") || set.starts_with("Qto_")) {
        let known = psets::templates::all(model.schema().version()).map(|t| t.name);
        let near = schema::near(set, known, 3);
        let hint = if near.is_empty() { String::new() } else { format!(" Near: {}.", near.join(", ")) };
        notes.push(format!("{set} is no set of buildingSMART, whose prefix it has.{hint}"));
    }
    if elements.len() > SHOWN {
        notes.push(format!("{} elements changed; the first {SHOWN} are listed.", elements.len()));
    }
    let element_ids = elements.iter().take(SHOWN).map(|id| id_of(model, *id)).collect();
    Output { element_ids, pset: set.to_owned(), properties, notes }
}
