//! The common part of the tools on EnergyPlus models: how an object is found, shown, and kept within an answer's bounds.

use contract::{Fault, FaultCode};
use energy::check::{self, Severity};
use energy::idf::{Document, Handle, Object, body};
use energy::schema::{ObjectType, Schema};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use std::sync::Arc;

/// About how many bytes of rows an answer holds.
pub const BUDGET: usize = 16_000;

/// One object.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Row {
    /// Its type.
    pub object_type: String,
    /// Its name; for an object without one its handle such as `#12`, which stands for it wherever a name is asked for.
    pub name: String,
    /// Its fields as epJSON has them.
    #[serde(skip_serializing_if = "Value::is_null")]
    pub fields: Value,
}

/// An object as a row.
pub fn row(object: Object<'_>, with_fields: bool) -> Row {
    Row {
        object_type: object.type_name().to_owned(),
        name: object.label(),
        fields: if with_fields { body(object) } else { Value::Null },
    }
}

/// Rows until there are enough, or they weigh too much.
pub fn rows<'a>(objects: impl Iterator<Item = Object<'a>>, limit: usize, with_fields: bool) -> Vec<Row> {
    let mut spent = 0;
    let mut rows = Vec::new();
    for object in objects.take(limit) {
        let row = row(object, with_fields);
        spent += row.name.len() + row.object_type.len() + 40;
        if with_fields {
            spent += row.fields.to_string().len();
        }
        if spent > BUDGET && !rows.is_empty() {
            break;
        }
        rows.push(row);
    }
    rows
}

/// A type by its name.
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
    let about = type_of(document.schema(), object_type)?;
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
