//! Random edits of the small house, for the algebra of deltas, comparison and merge.

use super::{HOUSE, model};
use ifc::schema::Kind;
use ifc::{Delta, Edit, EditError, Id, Model, SchemaVersion, Value};
use proptest::prelude::*;

/// One step of a random edit: what to do, and numbers to choose from what there is at that moment.
#[derive(Debug, Clone)]
pub(crate) struct Step {
    action: u8,
    instance: u16,
    attribute: u8,
    choice: u32,
}

pub(crate) fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = (0u8..10, any::<u16>(), any::<u8>(), 0u32..40);
    let step =
        step.prop_map(|(action, instance, attribute, choice)| Step { action, instance, attribute, choice });
    proptest::collection::vec(step, 0..16)
}

pub(crate) fn house() -> Model {
    model(SchemaVersion::Ifc4, HOUSE)
}

/// Edits a model at random; what the schema refuses changes nothing. New GlobalIds begin with the sign.
pub(crate) fn edited(model: &Model, steps: &[Step], sign: char) -> (Model, Delta) {
    let mut edit = model.edit();
    for (at, step) in steps.iter().enumerate() {
        // what the schema refuses is part of the game
        let _ = run(&mut edit, step, &format!("0{sign}{at:020}"));
    }
    edit.finish()
}

fn pick<T: Clone>(from: &[T], choice: usize) -> Option<T> {
    from.get(choice % from.len().max(1)).cloned()
}

fn run(edit: &mut Edit, step: &Step, guid: &str) -> Result<(), EditError> {
    let ids: Vec<Id> = edit.ids().collect();
    let Some(id) = pick(&ids, step.instance.into()) else { return Ok(()) };
    let other = pick(&ids, step.choice as usize).unwrap_or(id);
    match step.action {
        0 => edit
            .create("IfcCartesianPoint", &[("Coordinates", Value::list([f64::from(step.choice), 0.5]))])
            .map(|_| ()),
        1 => edit
            .create("IfcWall", &[("GlobalId", guid.into()), ("Name", step.choice.to_string().into())])
            .map(|_| ()),
        2 => {
            let name = format!("P{}", step.choice % 3);
            let value = Value::typed("IfcLabel", step.choice.to_string());
            let attributes = [("Name", name.into()), ("NominalValue", value)];
            let property = edit.create("IfcPropertySingleValue", &attributes)?;
            let sets = edit.of_class("IfcPropertySet");
            match pick(&sets, step.instance.into()) {
                Some(set) => edit.add_to(set, "HasProperties", property),
                None => Ok(()),
            }
        }
        3 | 4 => edit.remove(id),
        5 | 6 => {
            let relations = edit.of_class("IfcRelationship");
            let Some(relation) = pick(&relations, step.instance.into()) else { return Ok(()) };
            let attribute = edit.get(relation).and_then(|r| {
                let mut lists = r.entity()?.attributes.iter().filter(|a| matches!(a.kind, Kind::List(_)));
                lists.next().map(|a| a.name)
            });
            let Some(attribute) = attribute else { return Ok(()) };
            if step.action == 5 {
                edit.add_to(relation, attribute, other)
            } else {
                let members = edit.get(relation).map(|r| r.references(attribute)).unwrap_or_default();
                match pick(&members, step.choice as usize) {
                    Some(member) => edit.remove_from(relation, attribute, member),
                    None => Ok(()),
                }
            }
        }
        _ => {
            let Some(entity) = edit.get(id).and_then(|instance| instance.entity()) else { return Ok(()) };
            let attributes: Vec<_> = entity.attributes.iter().filter(|a| a.name != "GlobalId").collect();
            let Some(attribute) = pick(&attributes, step.attribute.into()) else { return Ok(()) };
            let value = match attribute.kind {
                Kind::Number => Value::Real(f64::from(step.choice) / 8.0),
                Kind::Integer => Value::Integer(step.choice.into()),
                Kind::Text => Value::Text(format!("t'\u{e4}{}", step.choice)),
                Kind::Boolean | Kind::Logical => Value::Boolean(step.choice.is_multiple_of(2)),
                Kind::Enumeration(items) => {
                    pick(items, step.choice as usize).map_or(Value::Null, Value::enumeration)
                }
                Kind::List(list) if list.of == Kind::Number => {
                    Value::list([f64::from(step.choice), f64::from(step.attribute), 0.0])
                }
                _ if step.choice.is_multiple_of(4) => Value::Null,
                _ => Value::Ref(other),
            };
            edit.set(id, attribute.name, value)
        }
    }
}
