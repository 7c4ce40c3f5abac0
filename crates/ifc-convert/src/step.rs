//! One step from a schema to its neighbour, under way: what is known of it ahead, and the instances that are made for the target.

use super::report::Record;
use super::{Outcome, Way};
use ifc::guid::GuidSource;
use ifc::schema::{Entity, Schema};
use ifc::{Id, Instance, Model, Value};
use std::collections::{BTreeSet, HashMap, HashSet};

/// A conversion under way.
pub(super) struct Step<'m> {
    pub source: &'m Model,
    pub way: Way,
    pub from: &'static Schema,
    pub to: &'static Schema,
    pub record: Record,
    /// Instances whose place another one takes wherever they are referred to.
    pub substitutes: HashMap<u32, u32>,
    /// Attributes that get a value other than their own, by instance and name in the source.
    pub overrides: HashMap<u32, Vec<(&'static str, Value)>>,
    /// Classes of the target for single instances, known from what refers to them.
    pub classes: HashMap<u32, &'static Entity>,
    /// Instances that are left out because another one says what they said, with the reason.
    pub said: HashMap<u32, (Outcome, &'static str)>,
    /// Instances made for the target.
    pub made: Vec<(u32, &'static Entity, Vec<Value>)>,
    /// Copies under ids of their own, with what is different in them, by their original.
    pub copies: HashMap<u32, Vec<Copy>>,
    /// Instances whose references are to be looked at again.
    pub drafted: BTreeSet<Id>,
    /// Instances that have another class now.
    pub reclassed: Vec<u32>,
    /// The memory of the special cases.
    pub memory: Memory,
    next_id: Option<u32>,
}

/// The memory of special cases over a step.
#[derive(Debug, Default)]
pub(super) struct Memory {
    pub owner_history: Option<Id>,
    pub origins: HashMap<usize, Id>,
    /// Points of a point list, made when first used.
    pub points: HashMap<u32, HashMap<usize, Id>>,
    pub coordinates: HashMap<u32, Vec<Vec<f64>>>,
    /// Instances that are written as text where they are used.
    pub inlined: HashSet<u32>,
}

/// The id of a copy, and attributes of the target that it has otherwise than its original.
type Copy = (u32, Vec<(&'static str, Value)>);

/// The fate of an instance: made of a class with values, or gone.
pub(super) enum Fate {
    /// It is this in the target.
    Made(&'static Entity, Vec<Value>),
    /// It is not there, and that is noted already.
    Gone,
}

impl<'m> Step<'m> {
    /// Begins the conversion of a model; nothing is converted yet.
    pub fn new(source: &'m Model, way: Way) -> Self {
        Self {
            source,
            way,
            from: source.schema(),
            to: way.target().schema(),
            record: Record::default(),
            substitutes: HashMap::new(),
            overrides: HashMap::new(),
            classes: HashMap::new(),
            said: HashMap::new(),
            made: Vec::new(),
            copies: HashMap::new(),
            drafted: BTreeSet::new(),
            reclassed: Vec::new(),
            memory: Memory::default(),
            next_id: Some(source.next_id().0),
        }
    }

    /// True if all ids to 2³² are used, so that what was to be made was not.
    pub fn is_out_of_ids(&self) -> bool {
        self.next_id.is_none()
    }
}

impl Step<'_> {
    /// Makes an instance of the target's class from attributes by name; those not named are `$` or `*`. None if the
    /// target has no such class.
    pub fn make(&mut self, class: &str, attributes: &[(&str, Value)]) -> Option<Id> {
        let entity = self.to.entity(class)?;
        let values = filled(entity, attributes);
        let id = self.fresh()?;
        self.made.push((id, entity, values));
        Some(Id(id))
    }

    /// Another instance of what becomes of one of the source's, with some attributes of the target otherwise.
    pub fn copy(&mut self, id: Id, but: Vec<(&'static str, Value)>) -> Option<Id> {
        let copy = self.fresh()?;
        self.copies.entry(id.0).or_default().push((copy, but));
        Some(Id(copy))
    }

    /// The copies of an instance so far.
    pub fn copies_of(&self, id: Id) -> impl Iterator<Item = Id> + '_ {
        self.copies.get(&id.0).into_iter().flatten().map(|(copy, _)| Id(*copy))
    }

    /// Has an attribute of an instance say something else than it does in the source.
    pub fn override_with(&mut self, id: Id, attribute: &'static str, value: impl Into<Value>) {
        self.overrides.entry(id.0).or_default().push((attribute, value.into()));
    }

    fn fresh(&mut self) -> Option<u32> {
        let id = self.source.free_id(self.next_id?)?;
        self.next_id = id.checked_add(1);
        Some(id)
    }

    /// A rooted instance, whose GlobalId follows from that of the instance it was made for and a purpose.
    pub fn make_rooted(
        &mut self,
        class: &str,
        for_instance: &Instance<'_>,
        purpose: &str,
        attributes: &[(&str, Value)],
    ) -> Option<Id> {
        let mut all = vec![("GlobalId", guid_for(for_instance, purpose))];
        if self.way == Way::FourToTwo {
            let own = for_instance.reference("OwnerHistory");
            all.push(("OwnerHistory", own.map_or_else(|| self.owner_history(), Value::Ref)));
        }
        all.extend(attributes.iter().cloned());
        self.make(class, &all)
    }

    /// The class in the target of an instance of the source, as far as its class alone says.
    pub fn is_a(&self, id: Id, class: &str) -> bool {
        self.source.get(id).is_some_and(|instance| instance.is_a(class))
    }

    /// The instance that stands for another in the target.
    pub fn resolved(&self, id: Id) -> Id {
        let mut at = id;
        for _ in 0..8 {
            match self.substitutes.get(&at.0) {
                Some(next) => at = Id(*next),
                None => break,
            }
        }
        at
    }

    /// The attributes of an instance with what is to stand in their place.
    pub fn attributes(&self, instance: &Instance<'_>, entity: &Entity) -> Vec<Value> {
        let mut values = instance.attributes();
        for (name, value) in self.overrides.get(&instance.id().0).into_iter().flatten() {
            if let Some(slot) = entity.index_of(name).and_then(|at| values.get_mut(at)) {
                *slot = value.clone();
            }
        }
        if !self.substitutes.is_empty() {
            for value in &mut values {
                let mapped = value.map_refs(&mut |id| Ok::<_, std::convert::Infallible>(self.resolved(id)));
                *value = mapped.unwrap_or_default();
            }
        }
        values
    }
}

/// The GlobalId of what is made for an instance and a purpose.
pub(super) fn guid_for(instance: &Instance<'_>, purpose: &str) -> Value {
    let seed = instance.guid().unwrap_or_else(|| instance.id().to_string());
    Value::Text(GuidSource::new(&format!("{seed} {purpose}")).next())
}

/// Values of a class by name, the others `$` or `*`.
pub(super) fn filled(entity: &Entity, attributes: &[(&str, Value)]) -> Vec<Value> {
    let one = |attribute: &&ifc::Attribute| {
        if attribute.derived {
            return Value::Derived;
        }
        let given = attributes.iter().rev().find(|(name, _)| *name == attribute.name);
        given.map(|(_, value)| value.clone()).unwrap_or_default()
    };
    entity.attributes.iter().map(one).collect()
}
