//! The changes since a file was opened: a persistent map from ids to instances, so that a copy costs nothing and
//! a change costs what it changes. Beside it three ordered sets answer, for changed instances only, what the indexes
//! of the file answer for the rest: by class, by GlobalId, by what is referred to.

use crate::columns::ClassCodes;
use crate::schema::Entity;
use crate::units::declared::Units;
use crate::{Id, Value};
use rpds::{RedBlackTreeMapSync, RedBlackTreeSetSync};
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

/// The changes over a base.
#[derive(Debug, Clone, Default)]
pub struct Overlay {
    pub(crate) slots: RedBlackTreeMapSync<u32, Slot>,
    classes: RedBlackTreeSetSync<(u16, u32)>,
    guids: RedBlackTreeSetSync<(Arc<str>, u32)>,
    /// Class, Name and id of what has both a GlobalId and a Name.
    names: RedBlackTreeSetSync<(u16, Arc<str>, u32)>,
    /// Target and source.
    references: RedBlackTreeSetSync<(u32, u32)>,
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
        if self.slots.is_empty() { None } else { self.slots.get(&id) }
    }

    /// True if the instance was created, changed or removed.
    pub fn contains(&self, id: u32) -> bool {
        !self.slots.is_empty() && self.slots.contains_key(&id)
    }

    /// Puts an instance, or its removal, in the place of what was known of it here. Costs what differs: a relation of ten thousand
    /// members that gets one more is not indexed anew.
    pub(crate) fn put(&mut self, id: u32, slot: Slot) {
        let old = match self.slots.get(&id) {
            Some(Slot::Present(old)) => Some(Arc::clone(old)),
            _ => None,
        };
        let new = match &slot {
            Slot::Present(new) => Some(Arc::clone(new)),
            Slot::Removed => None,
        };
        let code = |stored: &Option<Arc<Stored>>| stored.as_ref().map(|stored| stored.class.code());
        if code(&old) != code(&new) {
            if let Some(code) = code(&old) {
                self.classes.remove_mut(&(code, id));
            }
            if let Some(code) = code(&new) {
                self.classes.insert_mut((code, id));
            }
        }
        let text = |stored: &Option<Arc<Stored>>, read: fn(&Stored) -> Option<&str>| -> Option<Arc<str>> {
            stored.as_deref().and_then(read).map(Arc::from)
        };
        let (before, after) = (text(&old, Stored::guid), text(&new, Stored::guid));
        if before != after {
            if let Some(guid) = before {
                self.guids.remove_mut(&(guid, id));
            }
            if let Some(guid) = after {
                self.guids.insert_mut((guid, id));
            }
        }
        let (before, after) = (text(&old, Stored::name), text(&new, Stored::name));
        if before != after || code(&old) != code(&new) {
            if let (Some(code), Some(name)) = (code(&old), before) {
                self.names.remove_mut(&(code, name, id));
            }
            if let (Some(code), Some(name)) = (code(&new), after) {
                self.names.insert_mut((code, name, id));
            }
        }
        let (before, after) = (old.as_deref(), new.as_deref());
        self.refer(id, before.map_or(&[], |old| &old.values), after.map_or(&[], |new| &new.values));
        self.slots.insert_mut(id, slot);
    }

    /// Brings the references of an instance from what it said to what it says.
    fn refer(&mut self, id: u32, before: &[Value], after: &[Value]) {
        let (mut gone, mut come) = (Vec::new(), Vec::new());
        for at in 0..before.len().max(after.len()) {
            differing(before.get(at), after.get(at), &mut gone, &mut come);
        }
        for target in gone {
            // it may be meant at another place as well
            if !after.iter().any(|value| value.refers(target)) {
                self.references.remove_mut(&(target.0, id));
            }
        }
        for target in come {
            self.references.insert_mut((target.0, id));
        }
    }

    /// Forgets what was known of an instance here.
    pub(crate) fn forget(&mut self, id: u32) {
        self.put(id, Slot::Removed);
        self.slots.remove_mut(&id);
    }

    /// Instances with a class code in this range.
    pub fn of_class(&self, codes: std::ops::RangeInclusive<u16>) -> impl Iterator<Item = u32> + '_ {
        self.classes.range((*codes.start(), 0)..=(*codes.end(), u32::MAX)).map(|(_, id)| *id)
    }

    /// The first instance with this GlobalId.
    pub fn by_guid(&self, guid: &str) -> Option<Id> {
        let guid: Arc<str> = guid.into();
        self.guids.range((guid.clone(), 0)..=(guid, u32::MAX)).next().map(|(_, id)| Id(*id))
    }

    /// True if an instance with a class code in this range bears a name.
    pub fn has_name(&self, codes: std::ops::RangeInclusive<u16>, name: &str) -> bool {
        let name: Arc<str> = name.into();
        codes.into_iter().any(|code| {
            let (first, last) = ((code, Arc::clone(&name), 0), (code, Arc::clone(&name), u32::MAX));
            self.names.range(first..=last).next().is_some()
        })
    }

    /// Instances with a class code in this range whose names begin so.
    pub fn named<'o>(
        &'o self,
        codes: std::ops::RangeInclusive<u16>,
        beginning: &'o str,
    ) -> impl Iterator<Item = u32> + 'o {
        codes.into_iter().flat_map(move |code| {
            let from = self.names.range((code, Arc::from(beginning), 0)..);
            let alike =
                from.take_while(move |(other, name, _)| *other == code && name.starts_with(beginning));
            alike.map(|(_, _, id)| *id)
        })
    }

    /// Instances that refer to this one.
    pub fn referrers(&self, target: u32) -> impl Iterator<Item = u32> + '_ {
        self.references.range((target, 0)..=(target, u32::MAX)).map(|(_, source)| *source)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SchemaVersion;

    /// An instance whose two attributes refer to these.
    fn stored(first: &[u32], second: u32) -> Slot {
        let schema = SchemaVersion::Ifc4.schema();
        let class = Class::Known(schema.entity("IfcPolyline").unwrap());
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
            overlay.put(100, stored(list, single));
            let mut expected: Vec<u32> = list.iter().copied().chain([single]).collect();
            expected.sort_unstable();
            expected.dedup();
            assert_eq!(referring(&overlay), expected);
        }
        overlay.put(100, Slot::Removed);
        assert!(referring(&overlay).is_empty() && overlay.of_class(0..=u16::MAX).next().is_none());
    }
}
