//! What resources tell of a model: what is in it, one object whole, and what refers to what.

use contract::{Fault, FaultCode};
use energy::idf::{Document, Object, body};
use energy::references::Graph;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// Rows that one list has.
const ROWS: usize = 200;

/// What is in a model, by groups of types.
pub(crate) fn summary(document: &Document) -> Value {
    let schema = document.schema();
    let mut groups: BTreeMap<&str, (usize, Map<String, Value>)> = BTreeMap::new();
    let (mut zones, mut objects) = (0, 0);
    for (type_name, count) in document.types() {
        let group = schema.get(type_name).map_or("Unknown", |about| &about.group);
        let entry = groups.entry(group).or_default();
        entry.0 += count;
        entry.1.insert(type_name.to_owned(), count.into());
        objects += count;
        if type_name.eq_ignore_ascii_case("Zone") {
            zones = count;
        }
    }
    let groups: Map<String, Value> = groups
        .into_iter()
        .map(|(name, (count, types))| (name.to_owned(), json!({"count": count, "types": types})))
        .collect();
    json!({
        "version": document.version(),
        "schema": schema.short_version(),
        "format": document.format().extension(),
        "total_objects": objects,
        "zone_count": zones,
        "groups": groups,
    })
}

/// One object with all its fields.
pub(crate) fn object(document: &Document, object_type: &str, name: &str) -> Result<Value, Fault> {
    let Some(found) = document.get(object_type, name) else {
        let known: Vec<String> = document.of_type(object_type).map(|object| object.label()).collect();
        let near = energy::schema::nearest(name, known.iter().map(String::as_str), 5);
        let message = format!("The model has no {object_type} called {name:?}.");
        return Err(Fault::new(FaultCode::ElementNotFound, message).with("near_matches", near));
    };
    Ok(json!({"object_type": found.type_name(), "name": found.label(), "fields": body(found)}))
}

/// Who refers to the objects of a name, and to whom they refer.
pub(crate) fn references(document: &Document, name: &str) -> Result<Value, Fault> {
    let of_name = |object: &Object<'_>| object.label().eq_ignore_ascii_case(name.trim());
    let objects: Vec<Object<'_>> = document.objects().filter(of_name).take(ROWS).collect();
    if objects.is_empty() {
        let message = format!("Nothing in the model is called {name:?}. Find names with search_objects.");
        return Err(Fault::new(FaultCode::ElementNotFound, message));
    }
    let graph = Graph::of(document);
    let row = |handle, by: Object<'_>, position: u32| {
        let other: Object<'_> = document.object(handle)?;
        let field = by.fields().nth(position as usize).map(|field| field.name());
        Some(json!({"object_type": other.type_name(), "name": other.label(), "field": field}))
    };
    let (mut back, mut out) = (Vec::new(), Vec::new());
    for object in &objects {
        for reference in graph.to(object.handle()) {
            back.extend(
                document.object(reference.from).and_then(|by| row(reference.from, by, reference.position)),
            );
        }
        for reference in graph.from(object.handle()) {
            out.extend(row(reference.to, *object, reference.position));
        }
    }
    let counts = (back.len(), out.len());
    back.truncate(ROWS);
    out.truncate(ROWS);
    let called: Vec<Value> = objects
        .iter()
        .map(|object| json!({"object_type": object.type_name(), "name": object.label()}))
        .collect();
    Ok(json!({
        "name": name,
        "objects": called,
        "referenced_by": back,
        "referenced_by_count": counts.0,
        "references": out,
        "references_count": counts.1,
    }))
}
