//! The common part of the tools on EnergyPlus models: how an object is found, shown, and kept within an answer's bounds.

use contract::{Fault, FaultCode};
use energy::check::{self, Severity};
use energy::idf::{Document, FieldValue, Handle, Object, body};
use energy::schema::{ObjectType, Schema};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};
use std::sync::Arc;

/// About how many bytes of rows an answer holds.
pub const BUDGET: usize = 16_000;

/// One object.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Row {
    /// Its type, where the call does not say it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub object_type: Option<String>,
    /// Its name; for an object without one the words that it is known by, its type where it is the only one, else a handle such as `#12`.
    pub name: String,
    /// The handle of one that others are known by the same words as.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub handle: Option<String>,
    /// Its fields as epJSON has them.
    #[serde(skip_serializing_if = "Value::is_null")]
    pub fields: Value,
}

/// The fields that a row shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shown {
    /// None.
    None,
    /// Those that the type requires, but for the name and what else the object is known by.
    Required,
    /// All.
    All,
}

impl Shown {
    fn of_object(self, object: Object<'_>, name: &str) -> Value {
        match self {
            Self::None => Value::Null,
            Self::All => layers_in_order(body(object)),
            Self::Required => {
                let required = |field: &FieldValue<'_>| {
                    field.group.is_none()
                        && field.field.is_some_and(|about| about.required)
                        && !name.split(", ").any(|word| word == field.value)
                };
                let fields = object.fields().filter(required).filter(|field| !field.value.is_empty());
                let shown: Map<String, Value> = fields
                    .filter_map(|field| {
                        let about = field.field?;
                        let number = field.value.parse::<f64>().ok().filter(|_| about.is_numeric());
                        Some((about.key.to_string(), number.map_or_else(|| field.value.into(), Value::from)))
                    })
                    .collect();
                if shown.is_empty() { Value::Null } else { Value::Object(shown) }
            }
        }
    }
}

/// The fields of a construction with its layers in their order, from outside to inside, which that of their names is not.
fn layers_in_order(fields: Value) -> Value {
    let Value::Object(mut fields) = fields else { return fields };
    let Some(outside) = fields.shift_remove("outside_layer") else { return Value::Object(fields) };
    let mut ordered = Map::from_iter([("outside_layer".to_owned(), outside)]);
    for number in 2..=10 {
        let key = format!("layer_{number}");
        ordered.extend(fields.shift_remove(&key).map(|layer| (key, layer)));
    }
    ordered.extend(fields);
    Value::Object(ordered)
}

/// An object as a row.
pub fn row(object: Object<'_>, shown: Shown) -> Row {
    let name = object.label();
    let is_shared =
        object.name().is_empty() && object.document().all_known_by(object.type_name(), &name).len() > 1;
    let fields = shown.of_object(object, &name);
    Row {
        object_type: Some(object.type_name().to_owned()),
        handle: is_shared.then(|| object.handle().to_string()),
        name,
        fields,
    }
}

/// A type by its name; where there is none of that name, the Fault says which the model has that are like it.
pub fn type_in<'a>(document: &'a Document, name: &str) -> Result<&'a ObjectType, Fault> {
    type_of(document.schema(), name).map_err(|fault| {
        let plain = |text: &str| text.to_ascii_lowercase().trim_end_matches('s').to_owned();
        let wanted = plain(name.trim());
        let kinds = document.types();
        // what the model has and is called so, or in part: windows are fenestration surfaces here
        let words: &[&str] = match wanted.as_str() {
            "window" | "door" | "glazing" | "opening" => &["fenestration", "window", "door"],
            "wall" | "roof" | "floor" | "ceiling" => &["buildingsurface", "wall", "roof", "floor"],
            other => &[other],
        };
        let is_meant = |kind: &&str| words.iter().any(|word| kind.to_ascii_lowercase().contains(word));
        let there: Vec<&str> = kinds.iter().map(|(kind, _)| *kind).filter(is_meant).take(6).collect();
        if there.is_empty() {
            return fault;
        }
        let message =
            format!("EnergyPlus has no type of object {name:?}; the model has {}.", there.join(", "));
        Fault { message, ..fault }.with("near_matches", there)
    })
}

/// A type of a schema by its name.
pub fn type_of<'a>(schema: &'a Schema, name: &str) -> Result<&'a ObjectType, Fault> {
    schema.get(name).ok_or_else(|| {
        let near = schema.near(name, 5);
        let meant =
            if near.is_empty() { String::new() } else { format!(" Did you mean {}?", near.join(", ")) };
        let version = schema.short_version();
        let message = format!(
            "EnergyPlus {version} has no type of object {name:?}.{meant} Find types with search_schema."
        );
        Fault::invalid("object_type", message).with("near_matches", near)
    })
}

/// The schema of the version asked for, else that of the model, or where there is none of new models.
pub fn schema_of(document: &Document, version: Option<&str>) -> Result<Arc<Schema>, Fault> {
    let Some(version) = version.map(str::trim).filter(|version| !version.is_empty()) else {
        return Ok(document.shared_schema());
    };
    Schema::exactly(version).ok_or_else(|| {
        let known: Vec<String> = Schema::versions().collect();
        let version: String = version.chars().take(40).collect();
        Fault::new(
            FaultCode::NotSupported,
            format!("There is no schema of EnergyPlus {version:?} here, but of {}.", known.join(", ")),
        )
        .with("field", "version")
        .with("allowed", known)
    })
}

/// An object by its type and name or handle.
pub fn find<'a>(document: &'a Document, object_type: &str, name: &str) -> Result<Object<'a>, Fault> {
    if let Some(object) = document.get(object_type, name) {
        return Ok(object);
    }
    let about = type_in(document, object_type)?;
    let there: Vec<String> = document.of_type(object_type).map(|object| object.label()).collect();
    let mut near: Vec<&str> = energy::schema::nearest(name, there.iter().map(String::as_str), 5);
    if near.is_empty() {
        near = there.iter().take(10).map(String::as_str).collect();
    }
    let message = match there.len() {
        0 => format!("The model has no object of type {}.", about.name),
        count => format!(
            "No {} is called {name:?}; there {} {count}, such as {}.",
            about.name,
            if count == 1 { "is" } else { "are" },
            near.join(", ")
        ),
    };
    Err(Fault::new(FaultCode::ElementNotFound, message).with("near_matches", near))
}

/// Returns what is still wrong with objects after an edit, in sentences, to a bound.
pub fn still_wrong(document: &Document, handles: &[Handle]) -> Vec<String> {
    let errors =
        check::objects(document, handles).into_iter().filter(|finding| finding.severity == Severity::Error);
    errors.take(20).map(|finding| finding.message).collect()
}
