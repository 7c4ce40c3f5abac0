//! Attributes that both sides changed: lists join by position; of the rest, properties are told by their set.

use super::Join;
use super::conflict::{Conflict, ConflictKind, Part, Thing};
use ifc::delta::AttributeEdit;
use ifc::schema::Kind;
use ifc::{Clash, ClashKind, Id, Model, Value};

impl Join<'_> {
    pub(super) fn attributes(&mut self, clashes: &[Clash]) {
        for clash in clashes {
            match clash.kind {
                ClashKind::Attribute(at) => self.attribute(clash.id, at),
                ClashKind::Whole => self.whole(clash.id),
                ClashKind::Removed(_) | ClashKind::Referred { .. } => {}
            }
        }
    }

    fn attribute(&mut self, id: Id, at: u32) {
        if self.placements.contains(&id) {
            return;
        }
        let merge = self.merge;
        let value = |model: &Model| model.get(id).map_or(Value::Null, |i| i.attr_at(at as usize));
        let (base, ours, theirs) = (value(&merge.base), value(&merge.ours), value(&merge.theirs));
        let entity = merge.base.get(id).and_then(|instance| instance.entity());
        let attribute = entity.and_then(|entity| entity.attributes.get(at as usize)).copied();
        if matches!(attribute.map(|attribute| attribute.kind), Some(Kind::List(list)) if !list.set)
            && let Some(value) = by_position(&base, &ours, &self.value_later(&theirs), 0)
        {
            self.change_rest(id, at, AttributeEdit::Set(value));
            return;
        }
        let name = attribute.map_or_else(|| (at + 1).to_string(), |attribute| attribute.name.to_owned());
        let (about, kind) = if let Some((element, set)) = set_of(&merge.base, id) {
            let property = merge.base.get(id).and_then(|p| p.name()).unwrap_or_default();
            let about = Thing::new(&merge.base, element.unwrap_or(id));
            (about, ConflictKind::Property { set, property, base, ours, theirs })
        } else {
            let attribute = name.clone();
            (Thing::new(&merge.base, id), ConflictKind::Attribute { attribute, base, ours, theirs })
        };
        self.conflicts.push(Conflict {
            key: format!("{}:{name}", Thing::new(&merge.base, id).key()),
            about,
            kind,
            ours: vec![Part::Attribute(id, at)],
            theirs: vec![Part::Attribute(id, at)],
        });
    }

    fn whole(&mut self, id: Id) {
        let merge = self.merge;
        let class = |model: &Model| model.get(id).map_or(Value::Null, |i| i.class_name().into());
        let about = Thing::new(&merge.base, id);
        self.conflicts.push(Conflict {
            key: format!("{}:class", about.key()),
            about,
            kind: ConflictKind::Attribute {
                attribute: "class".to_owned(),
                base: class(&merge.base),
                ours: class(&merge.ours),
                theirs: class(&merge.theirs),
            },
            ours: vec![Part::Changes(id)],
            theirs: vec![Part::Changes(id)],
        });
    }
}

/// A list with what either side changed in it, if all have one length and no place was changed by both.
fn by_position(base: &Value, ours: &Value, theirs: &Value, depth: usize) -> Option<Value> {
    if ours.is_identical(base) || ours.is_identical(theirs) {
        return Some(theirs.clone());
    }
    if theirs.is_identical(base) {
        return Some(ours.clone());
    }
    let (Value::List(base), Value::List(ours), Value::List(theirs)) = (base, ours, theirs) else {
        return None;
    };
    if base.len() != ours.len() || base.len() != theirs.len() || depth > 8 {
        return None;
    }
    let places = base.iter().zip(ours).zip(theirs);
    places
        .map(|((base, ours), theirs)| by_position(base, ours, theirs, depth + 1))
        .collect::<Option<_>>()
        .map(Value::List)
}

/// The element and the name of the set that a property or quantity belongs to.
fn set_of(model: &Model, property: Id) -> Option<(Option<Id>, String)> {
    let instance = model.get(property)?;
    if !instance.is_a("IfcProperty") && !instance.is_a("IfcPhysicalQuantity") {
        return None;
    }
    let set = model.referrers(property).into_iter().find(|set| {
        model
            .get(*set)
            .is_some_and(|set| set.is_a("IfcPropertyDefinition") || set.is_a("IfcExtendedProperties"))
    })?;
    let element = model
        .referrers_of(set, "IfcRelDefinesByProperties")
        .into_iter()
        .find_map(|relation| model.get(relation)?.references("RelatedObjects").into_iter().next())
        .or_else(|| model.referrers_of(set, "IfcTypeObject").into_iter().next());
    Some((element, model.get(set)?.name().unwrap_or_default()))
}
