//! The changes since a file was opened: a persistent map from ids to instances, so that a copy costs nothing and
//! a change costs what it changes. Beside it three ordered sets answer, for changed instances only, what the indexes
//! of the file answer for the rest: by class, by GlobalId, by what is referred to.

use crate::columns::ClassCodes;
use crate::guid;
use crate::schema::Entity;
use crate::tree::Tree;
use crate::units::declared::Units;
use crate::{Id, Value};
use std::ops::RangeInclusive;
use std::sync::{Arc, OnceLock};

/// The place of Name among the attributes of everything that has a GlobalId (IfcRoot).
pub(crate) const NAME: usize = 2;

/// The class of an instance in the overlay.
#[derive(Debug, Clone)]
pub enum Class {
    /// A class of the schema.
    Known(&'static Entity),
    /// A class that the schema does not have, in capitals.
    Raw(Arc<str>),
}

impl Class {
    /// The number that [`ClassCodes`] has for it.
    pub fn code(&self) -> u16 {
        match self {
            Self::Known(entity) => entity.id.0,
            Self::Raw(_) => ClassCodes::OTHER,
        }
    }

    /// The name in the schema's spelling, or in capitals.
    pub fn name(&self) -> &str {
        match self {
            Self::Known(entity) => entity.name,
            Self::Raw(name) => name,
        }
    }

    /// The entity of the schema, if it has the class.
    pub fn entity(&self) -> Option<&'static Entity> {
        match self {
            Self::Known(entity) => Some(entity),
            Self::Raw(_) => None,
        }
    }
}

/// An instance in the overlay.
#[derive(Debug, Clone)]
pub struct Stored {
    /// The class.
    pub class: Class,
    /// The attributes, in the order of a STEP line.
    pub values: Vec<Value>,
}

impl Stored {
    /// The GlobalId, if its class has one.
    pub fn guid(&self) -> Option<&str> {
        let entity = self.class.entity()?;
        if entity.attributes.first()?.name != "GlobalId" {
            return None;
        }
        self.values.first()?.as_text()
    }
}

impl Stored {
    /// The Name, if its class has a GlobalId, and so a Name.
    fn name(&self) -> Option<&str> {
        self.guid().and_then(|_| self.values.get(NAME)?.as_text())
    }
}

/// The state of one instance that was changed since the file was opened: removed, or present with this content.
#[derive(Debug, Clone)]
pub enum Slot {
    /// Removed, though the file has it.
    Removed,
    /// Created or changed.
    Present(Arc<Stored>),
}

/// Adds the references of the first value to `gone` and those of the second to `come`, but for what both lists have at their beginnings
/// and at their ends.
fn differing(before: Option<&Value>, after: Option<&Value>, gone: &mut Vec<Id>, come: &mut Vec<Id>) {
    if let (Some(Value::List(before)), Some(Value::List(after))) = (before, after) {
        let head = before.iter().zip(after).take_while(|(a, b)| a == b).count();
        let (before, after) = (before.get(head..).unwrap_or_default(), after.get(head..).unwrap_or_default());
        let tail = before.iter().rev().zip(after.iter().rev()).take_while(|(a, b)| a == b).count();
        let rest = |list: &[Value], ids: &mut Vec<Id>| {
            for value in list.get(..list.len() - tail).unwrap_or_default() {
                value.for_each_ref(&mut |id| ids.push(id));
            }
        };
        rest(before, gone);
        rest(after, come);
    } else if before != after {
        for (value, ids) in [(before, gone), (after, come)] {
            if let Some(value) = value {
                value.for_each_ref(&mut |id| ids.push(id));
            }
        }
    }
}

/// So many ids are looked through faster in a list than in a tree.
const FEW: usize = 64;

/// The changes over a base.
#[derive(Debug, Clone, Default)]
pub struct Overlay {
    pub(crate) slots: Tree<u32, Slot>,
    /// Of their ids those that the file has.
    in_file: Tree<u32>,
    classes: Tree<(u16, u32)>,
    /// Hash of the GlobalId, and id.
    guids: Tree<(u64, u32)>,
    /// Class, whether the file has it, Name and id of what has both a GlobalId and a Name.
    names: Tree<(u16, bool, Arc<str>, u32)>,
    /// Target, class of the source, and source.
    references: Tree<(u32, u16, u32)>,
    /// The units of the file with these changes, once somebody asked: one for all states between which they did not change.
    pub(crate) units: Arc<OnceLock<Units>>,
}

impl Overlay {
    /// True if nothing was changed since the file was opened.
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// The changed instances with their state, by id.
    pub fn slots(&self) -> impl Iterator<Item = (u32, &Slot)> {
        self.slots.iter().map(|(id, slot)| (*id, slot))
    }

    /// The change of an instance; `None` for one that is as the file has it.
    pub fn get(&self, id: u32) -> Option<&Slot> {
        self.slots.find(id)
    }

    /// True if the instance was created, changed or removed.
    pub fn contains(&self, id: u32) -> bool {
        self.slots.find(id).is_some()
    }

    /// Tells of ids that the file has which of them were changed or removed: for who asks about many.
    pub(crate) fn replaced(&self) -> impl Fn(u32) -> bool + '_ {
        // mostly a few relations that got members
        let few: Vec<u32> = if self.in_file.len() <= FEW {
            self.in_file.iter().map(|(id, ())| *id).collect()
        } else {
            Vec::new()
        };
        move |id| {
            if few.is_empty() { self.in_file.find(id).is_some() } else { few.binary_search(&id).is_ok() }
        }
    }

    /// Puts an instance, or its removal, in the place of what was known of it here; `in_file` is true of one that the file has. Costs
    /// what differs: a relation of ten thousand members that gets one more is not indexed anew.
    pub(crate) fn put(&mut self, id: u32, slot: Slot, in_file: bool) {
        let old = match self.slots.get(&id) {
            Some(Slot::Present(old)) => Some(Arc::clone(old)),
            _ => None,
        };
        let new = match &slot {
            Slot::Present(new) => Some(Arc::clone(new)),
            Slot::Removed => None,
        };
        let (before, after) = (old.as_deref(), new.as_deref());
        let code = |stored: Option<&Stored>| stored.map(|stored| stored.class.code());
        let is_same_class = code(before) == code(after);
        if !is_same_class {
            if let Some(code) = code(before) {
                self.classes.remove(&(code, id));
            }
            if let Some(code) = code(after) {
                self.classes.insert((code, id), ());
            }
        }
        let guids = [before, after].map(|stored| stored.and_then(Stored::guid));
        if let [gone, come] = guids
            && gone != come
        {
            if let Some(guid) = gone {
                self.guids.remove(&(guid::hash(guid.as_bytes()), id));
            }
            if let Some(guid) = come {
                self.guids.insert((guid::hash(guid.as_bytes()), id), ());
            }
        }
        let named = |stored: Option<&Stored>| {
            let stored = stored?;
            Some((stored.class.code(), in_file, Arc::from(stored.name()?), id))
        };
        let names = [before, after].map(|stored| stored.and_then(Stored::name));
        if names[0] != names[1] || !is_same_class {
            if let Some(key) = named(before) {
                self.names.remove(&key);
            }
            if let Some(key) = named(after) {
                self.names.insert(key, ());
            }
        }
        self.refer(id, before, after);
        if in_file && !self.in_file.contains(&id) {
            self.in_file.insert(id, ());
        }
        self.slots.insert(id, slot);
    }

    /// Brings the references of an instance from what it said to what it says.
    fn refer(&mut self, id: u32, before: Option<&Stored>, after: Option<&Stored>) {
        let (mut gone, mut come) = (Vec::new(), Vec::new());
        let code = |stored: Option<&Stored>| stored.map(|stored| stored.class.code());
        let was = before.map_or(&[][..], |stored| &stored.values);
        let is = after.map_or(&[][..], |stored| &stored.values);
        let is_same_class = code(before) == code(after);
        for at in 0..was.len().max(is.len()) {
            if is_same_class {
                differing(was.get(at), is.get(at), &mut gone, &mut come);
            } else {
                differing(was.get(at), None, &mut gone, &mut come);
                differing(None, is.get(at), &mut gone, &mut come);
            }
        }
        if let Some(code) = code(before) {
            for target in gone {
                // it may be meant at another place as well
                if !is_same_class || !is.iter().any(|value| value.refers(target)) {
                    self.references.remove(&(target.0, code, id));
                }
            }
        }
        if let Some(code) = code(after) {
            for target in come {
                self.references.insert((target.0, code, id), ());
            }
        }
    }

    /// Forgets what was known of an instance here.
    pub(crate) fn forget(&mut self, id: u32, in_file: bool) {
        self.put(id, Slot::Removed, in_file);
        self.slots.remove(&id);
        self.in_file.remove(&id);
    }

    /// Instances with a class code in this range.
    pub fn of_class(&self, codes: RangeInclusive<u16>) -> impl Iterator<Item = u32> + '_ {
        let from = self.classes.from(|(code, _)| code < codes.start());
        from.map(|(key, ())| *key).take_while(move |(code, _)| code <= codes.end()).map(|(_, id)| id)
    }

    /// The first instance with this GlobalId.
    pub fn by_guid(&self, guid: &str) -> Option<Id> {
        let hash = guid::hash(guid.as_bytes());
        let alike = self.guids.from(|(other, _)| *other < hash).take_while(|((other, _), ())| *other == hash);
        alike.map(|((_, id), ())| *id).find(|id| self.bears(*id, guid)).map(Id)
    }

    fn bears(&self, id: u32, guid: &str) -> bool {
        matches!(self.get(id), Some(Slot::Present(stored)) if stored.guid() == Some(guid))
    }

    /// True if an instance with a class code in this range bears a name.
    pub fn has_name(&self, codes: RangeInclusive<u16>, name: &str) -> bool {
        let both = codes.into_iter().flat_map(|code| [(code, false), (code, true)]);
        both.into_iter().any(|(code, in_file)| {
            let wanted = (code, in_file, name);
            let mut from = self.names.from(|(code, in_file, name, _)| (*code, *in_file, &**name) < wanted);
            from.next().is_some_and(|((code, in_file, name, _), ())| (*code, *in_file, &**name) == wanted)
        })
    }

    /// The number of instances that were added, with a class code in this range and a name that begins so.
    pub fn count_added(&self, codes: RangeInclusive<u16>, beginning: &str) -> usize {
        let each = codes.into_iter().map(|code| {
            let first = self.names.count_before(|(other, in_file, name, _)| {
                (*other, *in_file, &**name) < (code, false, beginning)
            });
            let behind = self.names.count_before(|(other, in_file, name, _)| {
                let begins_so = (*other, *in_file) == (code, false) && name.starts_with(beginning);
                begins_so || (*other, *in_file, &**name) < (code, false, beginning)
            });
            behind - first
        });
        each.sum()
    }

    /// Instances that refer to this one, by class, then by id.
    pub fn referrers(&self, target: u32) -> impl Iterator<Item = u32> + '_ {
        self.referrers_of(target, 0..=u16::MAX)
    }

    /// Instances with a class code in this range that refer to this one, by class, then by id.
    pub fn referrers_of(&self, target: u32, codes: RangeInclusive<u16>) -> impl Iterator<Item = u32> + '_ {
        let from = self.references.from(|(other, code, _)| (*other, *code) < (target, *codes.start()));
        let alike = from.map(|(key, ())| *key);
        alike
            .take_while(move |(other, code, _)| *other == target && code <= codes.end())
            .map(|(_, _, source)| source)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SchemaVersion;

    fn entity(class: &str) -> &'static Entity {
        SchemaVersion::Ifc4.schema().entity(class).unwrap()
    }

    /// An instance whose two attributes refer to these.
    fn stored(first: &[u32], second: u32) -> Slot {
        stored_as("IfcPolyline", first, second)
    }

    fn stored_as(class: &str, first: &[u32], second: u32) -> Slot {
        let class = Class::Known(entity(class));
        let list = first.iter().map(|id| Value::Ref(Id(*id))).collect();
        Slot::Present(Arc::new(Stored { class, values: vec![Value::List(list), Value::Ref(Id(second))] }))
    }

    fn referring(overlay: &Overlay) -> Vec<u32> {
        (0..10).filter(|target| overlay.referrers(*target).any(|source| source == 100)).collect()
    }

    #[test]
    fn references_follow_lists_that_change_anywhere() {
        let mut overlay = Overlay::default();
        let states: [(&[u32], u32); 8] = [
            (&[1, 2, 3], 9),
            // at the end, in the middle, at the beginning
            (&[1, 2, 3, 4], 9),
            (&[1, 2, 5, 3, 4], 9),
            (&[6, 1, 2, 5, 3, 4], 9),
            // gone from the list and still meant by the other attribute, and the other way about
            (&[6, 1, 2, 5, 3], 4),
            (&[6, 1, 2, 4, 5, 3], 1),
            // twice, and once less
            (&[2, 2, 3], 2),
            (&[2, 3], 3),
        ];
        for (list, single) in states {
            overlay.put(100, stored(list, single), false);
            let mut expected: Vec<u32> = list.iter().copied().chain([single]).collect();
            expected.sort_unstable();
            expected.dedup();
            assert_eq!(referring(&overlay), expected);
        }
        overlay.put(100, Slot::Removed, false);
        assert!(referring(&overlay).is_empty() && overlay.of_class(0..=u16::MAX).next().is_none());
    }

    #[test]
    fn referrers_are_found_by_the_class_that_they_are_of_now() {
        let mut overlay = Overlay::default();
        let of_class = |overlay: &Overlay, class: &str, target: u32| -> Vec<u32> {
            let entity = entity(class);
            overlay.referrers_of(target, entity.id.0..=entity.last.0).collect()
        };
        overlay.put(101, stored_as("IfcPolyLoop", &[1], 2), false);
        overlay.put(100, stored(&[1, 2, 3], 2), false);
        assert_eq!(of_class(&overlay, "IfcPolyline", 2), [100]);
        assert_eq!(of_class(&overlay, "IfcPolyLoop", 2), [101]);
        assert_eq!(of_class(&overlay, "IfcRepresentationItem", 2).len(), 2);
        overlay.put(100, stored_as("IfcPolyLoop", &[1, 3], 3), false);
        assert_eq!(of_class(&overlay, "IfcPolyline", 1), Vec::<u32>::new());
        assert_eq!(of_class(&overlay, "IfcPolyLoop", 1), [100, 101]);
        assert_eq!(of_class(&overlay, "IfcPolyLoop", 2), [101]);
        assert_eq!(of_class(&overlay, "IfcCurve", 3), Vec::<u32>::new());
    }
}
