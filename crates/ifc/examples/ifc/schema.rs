//! `schema IFC4` prints a schema's tables as JSON: what `tests/python/test_schema.py` compares with IfcOpenShell's.

use crate::Arguments;
use ifc::schema::{Definition, Entity, Schema, TypeDeclaration};
use ifc::{Attribute, SchemaVersion};
use serde_json::{Map, Value, json};
use std::error::Error;

pub fn run(mut arguments: Arguments) -> Result<(), Box<dyn Error>> {
    let name = arguments.next().ok_or("usage: schema IFC2X3|IFC4|IFC4X3")?;
    let schema = SchemaVersion::from_name(&name).ok_or("no such schema")?.schema();
    let entities: Map<String, Value> =
        schema.entities().iter().map(|entity| (entity.name.to_owned(), described(schema, entity))).collect();
    let types: Map<String, Value> = schema
        .types()
        .iter()
        .map(|declaration| (declaration.name.to_owned(), definition(declaration)))
        .collect();
    println!("{}", json!({ "name": schema.name(), "entities": entities, "types": types }));
    Ok(())
}

fn described(schema: &'static Schema, entity: &'static Entity) -> Value {
    let attribute = |attribute: &&Attribute| {
        json!({
            "name": attribute.name,
            "declared": attribute.declared,
            "optional": attribute.optional,
            "derived": attribute.derived,
        })
    };
    let mut inverses: Vec<Value> = schema
        .inverses(entity)
        .map(|inverse| {
            json!({
                "name": inverse.name,
                "entity": inverse.entity,
                "attribute": inverse.attribute,
                "min": inverse.min,
                "max": inverse.max,
            })
        })
        .collect();
    inverses.sort_by_key(|inverse| inverse["name"].to_string());
    json!({
        "supertype": entity.supertype.and_then(|id| schema.entity_at(id)).map(|entity| entity.name),
        "abstract": entity.is_abstract,
        "attributes": entity.attributes.iter().map(attribute).collect::<Vec<_>>(),
        "inverses": inverses,
    })
}

fn definition(declaration: &TypeDeclaration) -> Value {
    match declaration.definition {
        Definition::Defined { declared, .. } => json!({ "type": declared }),
        Definition::Enumeration(items) => json!({ "enumeration": items }),
        Definition::Select { members, .. } => json!({ "select": members }),
    }
}
