//! What was said by the schema of one version, in the terms of another's.
//!
//! Values have places, and where a field stands differs between versions; what stays is its key. In the text form the places are
//! those of the text, so that a change of it means the same by whatever schema it was made. Of epJSON only the keys are in the file:
//! a change to such a model is in the places of the schema that it was made by, and is brought over when that is not the one the model
//! is read by now. So a version that was kept before a schema was known here still says what it said.

use super::base::{Base, Encoding, Objects};
use super::delta::{Delta, DeltaError, Patch};
use super::epjson::{self, counted, plain, typed};
use super::{Document, Handle, Object, Record};
use crate::schema::{HOME, ObjectType, Schema};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// Returns the position in another layout of a value of one layout; none where that has no such field.
pub fn place(from: &ObjectType, to: &ObjectType, position: usize) -> Option<usize> {
    if position == 0 && from.named {
        return to.named.then_some(0);
    }
    let (field, group) = from.field_at(position)?;
    let Some(group) = group else {
        return to
            .fields
            .iter()
            .position(|other| other.key == field.key)
            .filter(|at| !(to.named && *at == 0));
    };
    let (own, other) = (from.extensible.as_ref()?, to.extensible.as_ref()?);
    let at = other.fields.iter().position(|known| own.key == other.key && known.key == field.key)?;
    group.checked_mul(other.fields.len())?.checked_add(to.fields.len() + at)
}

/// Counts the groups that an object has at its end.
fn groups(about: Option<&ObjectType>, values: usize) -> usize {
    let group = about.and_then(|about| Some((about.fields.len(), about.extensible.as_ref()?.fields.len())));
    group.map_or(0, |(fixed, size)| values.saturating_sub(fixed).div_ceil(size.max(1)))
}

/// An object in the layout of another schema. What that has no field for is kept beside its values, and finds its field again on
/// the way back.
pub fn record(record: &Record, from: &Schema, to: &Schema) -> Record {
    let (before, after) = (from.get(&record.type_name), to.get(&record.type_name));
    let mut made = Record {
        type_name: after.map_or_else(|| record.type_name.clone(), |about| about.name.clone()),
        number: to.number(&record.type_name),
        key: record.key.clone(),
        ..Record::default()
    };
    let mut lists: BTreeMap<usize, Map<String, Value>> = BTreeMap::new();
    for (position, value) in record.values.iter().enumerate().filter(|(_, value)| !value.is_empty()) {
        let at = before.zip(after).and_then(|(before, after)| place(before, after, position));
        if let Some(at) = at {
            epjson::set(&mut made.values, at, value.to_string());
            continue;
        }
        match before.and_then(|before| before.field_at(position)) {
            _ if position == 0 && before.is_some_and(|before| before.named) => made.key = Some(value.clone()),
            Some((field, None)) => made.extra.push((field.key.to_string(), typed(Some(field), value))),
            Some((field, Some(group))) => {
                lists.entry(group).or_default().insert(field.key.to_string(), typed(Some(field), value));
            }
            None => made.extra.push((format!("field_{}", position + 1), Value::from(&**value))),
        }
    }
    let list = before.and_then(|before| before.extensible.as_ref()).map(|group| &*group.key);
    let same_list =
        list.is_some() && list == after.and_then(|after| after.extensible.as_ref()).map(|group| &*group.key);
    if let (Some(after), true) = (after, same_list) {
        // a group without any value keeps its place
        let size = after.extensible.as_ref().map_or(0, |group| group.fields.len());
        let length = after.fields.len() + groups(before, record.values.len()) * size;
        if made.values.len() < length && length > after.fields.len() {
            made.values.resize(length, "".into());
        }
    }
    if let (Some(list), Some((last, _))) = (list, lists.last_key_value()) {
        if same_list {
            let parts = lists
                .iter()
                .flat_map(|(at, fields)| fields.iter().map(move |(key, value)| (*at, key, value)));
            made.extra.extend(parts.map(|(at, key, value)| (format!("{list}[{at}].{key}"), value.clone())));
        } else {
            let items = (0..=*last).map(|at| Value::Object(lists.get(&at).cloned().unwrap_or_default()));
            made.extra.push((list.to_owned(), items.collect()));
        }
    }
    if let Some(after) = after {
        if after.named
            && before.is_none_or(|before| !before.named)
            && let Some(name) = made.key.take()
        {
            epjson::set(&mut made.values, 0, name.into_string());
        }
        for (name, value) in &record.extra {
            beside(&mut made, after, name, value);
        }
    } else {
        made.extra.extend(record.extra.iter().cloned());
    }
    made
}

/// Moves a value that stood beside the fields to its field, if there is one now.
fn beside(made: &mut Record, after: &ObjectType, name: &str, value: &Value) {
    let group = after.extensible.as_ref();
    let fixed =
        after.fields.iter().position(|field| *field.key == *name).filter(|at| !(after.named && *at == 0));
    let inner = |at: usize, key: &str| {
        let group = group?;
        let field = group.fields.iter().position(|field| *field.key == *key)?;
        at.checked_mul(group.fields.len())?.checked_add(after.fields.len() + field)
    };
    if let (Some(at), Some(text)) = (fixed, plain(value)) {
        epjson::set(&mut made.values, at, text);
        return;
    }
    if let (Some(items), true) = (value.as_array(), group.is_some_and(|group| *group.key == *name)) {
        for (at, item) in items.iter().enumerate() {
            for (key, value) in item.as_object().into_iter().flatten() {
                match (inner(at, key), plain(value)) {
                    (Some(at), Some(text)) => epjson::set(&mut made.values, at, text),
                    _ => made.extra.push((format!("{name}[{at}].{key}"), value.clone())),
                }
            }
        }
        return;
    }
    // `list[2].field`
    let part = group.and_then(|group| {
        let (at, key) = name.strip_prefix(&*group.key)?.strip_prefix('[')?.split_once("].")?;
        inner(at.parse().ok().filter(|at| *at < 1_000_000)?, key)
    });
    match (part, plain(value)) {
        (Some(at), Some(text)) => epjson::set(&mut made.values, at, text),
        _ => made.extra.push((name.to_owned(), value.clone())),
    }
}

/// Every place of two objects of one type, each with its place in the newer layout, or none where only the older has it.
pub fn places(old: Object<'_>, new: Object<'_>) -> Vec<(Option<usize>, Option<usize>)> {
    let same = std::ptr::eq(old.document().schema(), new.document().schema());
    let count = old.len().max(new.len());
    let (Some(before), Some(after), false) = (old.about(), new.about(), same) else {
        return (0..count).map(|at| (Some(at), Some(at))).collect();
    };
    let gone = (0..old.len()).filter(|at| place(before, after, *at).is_none()).map(|at| (Some(at), None));
    // a blank at the end may be left out
    let length = (0..old.len()).filter_map(|at| place(before, after, at)).max().map_or(0, |last| last + 1);
    (0..new.len().max(length)).map(|at| (place(after, before, at), Some(at))).chain(gone).collect()
}

impl Document {
    /// A change in the terms of the schema that this document is read by; none if it is in them already.
    pub(super) fn brought_over(&self, delta: &Delta) -> Result<Option<Delta>, DeltaError> {
        let made_by = delta.schema.as_deref().unwrap_or(HOME);
        let Objects::Json(_) = self.base.objects else { return Ok(None) };
        if delta.whole.is_some() || made_by == self.schema.version() {
            return Ok(None);
        }
        let from = Schema::exactly(made_by).ok_or(DeltaError::OtherSchema)?;
        let order = self.order(&from);
        let own = |handle: &Handle| order.get(handle).copied().unwrap_or(*handle);
        let mut made = Delta {
            schema: Some(self.schema.version().into()),
            removed: delta.removed.iter().map(own).collect(),
            added: delta
                .added
                .iter()
                .map(|(at, added)| (own(at), record(added, &from, &self.schema)))
                .collect(),
            changed: Vec::new(),
            whole: None,
            ..*delta
        };
        for (handle, patch) in &delta.changed {
            let handle = own(handle);
            let now = self.object(handle).ok_or(DeltaError::Missing(handle))?.to_record();
            let mut meant = record(&now, &self.schema, &from);
            patch.apply(&mut meant);
            if let Some(name) = &patch.type_name {
                meant.type_name = name.as_str().into();
            }
            let after = record(&meant, &from, &self.schema);
            made.changed.extend(Patch::between(&now, &after).map(|patch| (handle, patch)));
        }
        Ok(Some(made))
    }

    /// Handles by another schema that mean another object by this one: objects of a type are counted in the order of the file where
    /// they have names, and by the number of their keys where they have none.
    fn order(&self, from: &Schema) -> HashMap<Handle, Handle> {
        let mut others = HashMap::new();
        let Objects::Json(members) = &self.base.objects else { return others };
        let is_counted = |schema: &Schema, name: &str| schema.get(name).is_some_and(|about| !about.named);
        let mut start = 0;
        for block in members.chunk_by(|a, b| a.record.type_name == b.record.type_name) {
            let first = start;
            start += block.len();
            let Some(name) = block.first().map(|member| &*member.record.type_name) else { continue };
            let counts = is_counted(from, name);
            if counts == is_counted(&self.schema, name) {
                continue;
            }
            let mut there: Vec<usize> = (0..block.len()).collect();
            there.sort_by_key(|at| {
                let Some(member) = block.get(*at) else { return (u64::MAX, 0) };
                let key = member.record.key.as_deref().or(member.record.values.first().map(|name| &**name));
                (if counts { counted(key.unwrap_or_default()) } else { 0 }, member.body.0)
            });
            let handle = |at: usize| Handle((first + at) as u32);
            others.extend(there.into_iter().enumerate().map(|(at, own)| (handle(at), handle(own))));
        }
        others
    }

    /// Returns the objects, by the same handles, in the layout of another schema, to be compared with a model of that version.
    pub(crate) fn laid_out(&self, schema: &Arc<Schema>) -> Self {
        let empty = Base::new(String::new(), Encoding::Utf8, Objects::Json(Vec::new()));
        let mut document = Self::from_base(empty, Arc::clone(schema));
        for object in self.objects() {
            document.put(object.handle(), Some(record(&object.to_record(), &self.schema, schema)));
        }
        document.next = document.next.max(self.next);
        document
    }
}
