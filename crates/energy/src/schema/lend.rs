//! What a schema without its IDD lacks, taken from the schema of a version beside it: which fields name nodes, how the
//! fields of repeated groups carry their number, and of the oldest also the groups and the order of types.

use super::{Field, FieldKind, ObjectType, Schema};
use std::collections::HashMap;

/// Fills in what is missing. Fields are the same by their keys; where the lender does not know one, its key decides.
pub fn lend(types: &mut [ObjectType], lender: &Schema) {
    for object in types.iter_mut() {
        let known = lender.get(&object.name);
        let other = |key: &str| known.and_then(|known| known.all_fields().find(|field| *field.key == *key));
        for field in &mut object.fields {
            node(field, other(&field.key));
        }
        for field in object.extensible.iter_mut().flat_map(|group| &mut group.fields) {
            let other = other(&field.key);
            node(field, other);
            if field.numbered.is_none() {
                field.numbered = other.and_then(|other| other.numbered.clone());
            }
        }
        if object.group.is_empty() {
            object.group = known
                .or_else(|| beside(lender, &object.name))
                .map_or_else(|| "".into(), |it| it.group.clone());
        }
    }
    // the oldest name their types in no order
    if types.first().is_none_or(|first| &*first.name != "Version") {
        let places: HashMap<&str, usize> =
            lender.types().iter().enumerate().map(|(at, object)| (&*object.name, at)).collect();
        types.sort_by_cached_key(|object| {
            let own = lender.get(&object.name).or_else(|| beside(lender, &object.name));
            let place = own.and_then(|own| places.get(&*own.name)).copied();
            (place.unwrap_or(usize::MAX), object.name.clone())
        });
    }
}

fn node(field: &mut Field, other: Option<&Field>) {
    let is_node =
        other.map_or_else(|| field.key.ends_with("_node_name"), |other| other.kind == FieldKind::Node);
    if field.kind == FieldKind::Text && is_node {
        field.kind = FieldKind::Node;
    }
}

/// The type whose name begins most like one that the lender does not have.
fn beside<'a>(lender: &'a Schema, name: &str) -> Option<&'a ObjectType> {
    let common = |other: &str| name.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count();
    let best = lender.types().iter().map(|object| common(&object.name)).max()?;
    lender.types().iter().find(|object| common(&object.name) == best)
}
