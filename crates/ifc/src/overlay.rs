//! The changes since a file was opened: a persistent map from ids to instances, so that a copy costs nothing and
//! a change costs what it changes. Beside it three ordered sets answer, for changed instances only, what the indexes
//! of the file answer for the rest: by class, by GlobalId, by what is referred to.

use crate::columns::ClassCodes;
use crate::schema::Entity;
use crate::{Id, Value};
use rpds::{RedBlackTreeMapSync, RedBlackTreeSetSync};
use std::sync::Arc;

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

/// The state of one instance that was changed since the file was opened: removed, or present with this content.
#[derive(Debug, Clone)]
pub enum Slot {
    /// Removed, though the file has it.
    Removed,
    /// Created or changed.
    Present(Arc<Stored>),
}

/// The changes over a base.
#[derive(Debug, Clone, Default)]
pub struct Overlay {
    pub(crate) slots: RedBlackTreeMapSync<u32, Slot>,
    classes: RedBlackTreeSetSync<(u16, u32)>,
    guids: RedBlackTreeSetSync<(Arc<str>, u32)>,
    /// Target and source.
    references: RedBlackTreeSetSync<(u32, u32)>,
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

    /// Puts an instance, or its removal, in the place of what was known of it here.
    pub(crate) fn put(&mut self, id: u32, slot: Slot) {
        if let Some(Slot::Present(old)) = self.slots.get(&id).cloned() {
            self.classes.remove_mut(&(old.class.code(), id));
            if let Some(guid) = old.guid() {
                self.guids.remove_mut(&(Arc::from(guid), id));
            }
            for value in &old.values {
                value.for_each_ref(&mut |target| {
                    self.references.remove_mut(&(target.0, id));
                });
            }
        }
        if let Slot::Present(new) = &slot {
            self.classes.insert_mut((new.class.code(), id));
            if let Some(guid) = new.guid() {
                self.guids.insert_mut((Arc::from(guid), id));
            }
            for value in &new.values {
                value.for_each_ref(&mut |target| self.references.insert_mut((target.0, id)));
            }
        }
        self.slots.insert_mut(id, slot);
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

    /// Instances that refer to this one.
    pub fn referrers(&self, target: u32) -> impl Iterator<Item = u32> + '_ {
        self.references.range((target, 0)..=(target, u32::MAX)).map(|(_, source)| *source)
    }
}
