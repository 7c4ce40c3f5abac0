//! What resources tell of a model: what is in it, one object whole, and what refers to what.

use crate::operations::Resolve;
use crate::run::Call;
use contract::ops::PlatformOperation;
use contract::{Fault, FaultCode, Outcome};
use energy::idf::{Document, Object, body};
use energy::ops::{
    EnergyObject, EnergyObjectAnswer, EnergyReferences, EnergyReferencesAnswer, EnergySummary,
    EnergySummaryAnswer, ObjectName, Referrer, TypeGroup,
};
use energy::references::Graph;
use serde_json::Value;
use std::collections::BTreeMap;

/// Rows that one list has.
const ROWS: usize = 200;

impl Resolve for EnergySummary {
    fn resolve(self, call: &Call<'_>) -> Result<Outcome, Fault> {
        Self::outcome(summary(&call.model("model")?.document))
    }
}

impl Resolve for EnergyObject {
    fn resolve(self, call: &Call<'_>) -> Result<Outcome, Fault> {
        Self::outcome(object(&call.model("model")?.document, &self)?)
    }
}

impl Resolve for EnergyReferences {
    fn resolve(self, call: &Call<'_>) -> Result<Outcome, Fault> {
        Self::outcome(references(&call.model("model")?.document, &self.name)?)
    }
}

/// The contents of a model, by groups of types.
fn summary(document: &Document) -> EnergySummaryAnswer {
    let schema = document.schema();
    let mut groups: BTreeMap<String, TypeGroup> = BTreeMap::new();
    let (mut zone_count, mut total_objects) = (0, 0);
    for (type_name, count) in document.types() {
        let count = count as u64;
        let group = schema.get(type_name).map_or("Unknown", |about| &about.group);
        let entry = groups.entry(group.to_owned()).or_default();
        entry.count += count;
        entry.types.insert(type_name.to_owned(), count);
        total_objects += count;
        if type_name.eq_ignore_ascii_case("Zone") {
            zone_count = count;
        }
    }
    EnergySummaryAnswer {
        version: document.version().map(str::to_owned),
        schema: schema.short_version().to_owned(),
        format: document.format().extension().to_owned(),
        total_objects,
        zone_count,
        groups,
    }
}

fn name_of(object: Object<'_>) -> ObjectName {
    ObjectName { object_type: object.type_name().to_owned(), name: object.label() }
}

/// One object with all its fields.
fn object(document: &Document, asked: &EnergyObject) -> Result<EnergyObjectAnswer, Fault> {
    let EnergyObject { object_type, name } = asked;
    let Some(found) = document.get(object_type, name) else {
        let known: Vec<String> = document.of_type(object_type).map(|object| object.label()).collect();
        let near = energy::schema::nearest(name, known.iter().map(String::as_str), 5);
        let message = format!("The model has no {object_type} called {name:?}.");
        return Err(Fault::new(FaultCode::ElementNotFound, message).with("near_matches", near));
    };
    let Value::Object(fields) = body(found) else {
        return Err(Fault::backend(format!("The fields of {object_type} {name:?} are no JSON object.")));
    };
    Ok(EnergyObjectAnswer { object: name_of(found), fields })
}

/// Lists who refers to the objects of a name, and to whom they refer.
fn references(document: &Document, name: &str) -> Result<EnergyReferencesAnswer, Fault> {
    let of_name = |object: &Object<'_>| object.label().eq_ignore_ascii_case(name.trim());
    let objects: Vec<Object<'_>> = document.objects().filter(of_name).take(ROWS).collect();
    if objects.is_empty() {
        let message = format!("Nothing in the model is called {name:?}. Find names with search_objects.");
        return Err(Fault::new(FaultCode::ElementNotFound, message));
    }
    let graph = Graph::from_document(document);
    let row = |handle, by: Object<'_>, position: u32| {
        let other: Object<'_> = document.object(handle)?;
        let field = by.fields().nth(position as usize).map(|field| field.name());
        Some(Referrer { object: name_of(other), field })
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
    let (referenced_by_count, references_count) = (back.len() as u64, out.len() as u64);
    back.truncate(ROWS);
    out.truncate(ROWS);
    Ok(EnergyReferencesAnswer {
        name: name.to_owned(),
        objects: objects.into_iter().map(name_of).collect(),
        referenced_by: back,
        referenced_by_count,
        references: out,
        references_count,
    })
}
