//! Finds resources that say the same. Instances are looked at behind those they refer to, so two are equal if their text
//! is, with every reference told by the one that stands for all its equals.

use crate::dense::Dense;
use crate::schema::{Entity, Schema};
use crate::step::encode;
use crate::{Id, Model, about};
use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::Hasher;

/// For each instance the id of the one that stands for it; nought where it stands for itself.
pub(super) fn merged(model: &Model) -> Dense<u32> {
    let mut stands: Dense<u32> = Dense::new(model);
    let subjects = subjects(model);
    let mut may: HashMap<u16, bool> = HashMap::new();
    let mut seen: HashMap<u64, Vec<u32>> = HashMap::new();
    let (mut text, mut other) = (String::new(), String::new());
    for id in model.by_dependency() {
        let Some(entity) = model.get(id).and_then(|instance| instance.entity()) else { continue };
        let mergeable = *may.entry(entity.id.0).or_insert_with(|| may_merge(model.schema(), entity));
        if !mergeable || subjects.get(model, id.0) {
            continue;
        }
        content(model, &stands, id, &mut text);
        let mut hasher = DefaultHasher::new();
        hasher.write_u16(entity.id.0);
        hasher.write(text.as_bytes());
        let equals = seen.entry(hasher.finish()).or_default();
        let found = equals.iter().copied().find(|candidate| {
            content(model, &stands, Id(*candidate), &mut other);
            other == text
                && model.get(Id(*candidate)).and_then(|i| i.entity()).is_some_and(|e| e.id == entity.id)
        });
        match found {
            Some(found) => stands.set(model, id.0, found),
            None => equals.push(id.0),
        }
    }
    stands
}

fn content(model: &Model, stands: &Dense<u32>, id: Id, out: &mut String) {
    out.clear();
    let values = model.get(id).map(|instance| instance.attributes()).unwrap_or_default();
    let canonical = |id: Id| match stands.get(model, id.0) {
        0 => id,
        other => Id(other),
    };
    let values: Vec<_> = values
        .iter()
        .map(|value| {
            let mapped = value.map_refs(&mut |id| Ok::<_, std::convert::Infallible>(canonical(id)));
            mapped.unwrap_or_default()
        })
        .collect();
    encode::list(&values, out);
}

/// Marks the instances that another resource is about.
fn subjects(model: &Model) -> Dense<bool> {
    let mut subjects: Dense<bool> = Dense::new(model);
    for class in about::classes() {
        for id in model.of_class(class) {
            let Some(instance) = model.get(id) else { continue };
            if let Some(at) = about::subject(&instance) {
                instance.attr_at(at).for_each_ref(&mut |subject| subjects.set(model, subject.0, true));
            }
        }
    }
    subjects
}

/// True if instances of a class may stand for each other: they have no identity of their own, and the schema does not
/// give each of them one owner.
fn may_merge(schema: &Schema, entity: &'static Entity) -> bool {
    const OWN: [&str; 6] = [
        "IfcRoot",
        "IfcObjectPlacement",
        "IfcProductRepresentation",
        "IfcRepresentation",
        "IfcRepresentationMap",
        "IfcRepresentationContext",
    ];
    let is_about = |class: &str| {
        let class = schema.entity(class);
        class.is_some_and(|class| about::classes().any(|known| class.is_a(schema, known)))
    };
    !OWN.iter().any(|class| entity.is_a(schema, class))
        && !about::classes().any(|class| entity.is_a(schema, class))
        && schema.inverses(entity).all(|inverse| inverse.max != Some(1) || is_about(inverse.entity))
}
