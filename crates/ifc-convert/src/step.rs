//! One step from a schema to its neighbour: every instance of the source in turn, written as the target has it.

use super::draft::set;
use super::plan::Plan;
use super::report::Record;
use super::{ConvertError, Outcome, Way, repair, special};
use ifc::guid::GuidSource;
use ifc::parts::Source;
use ifc::schema::{Entity, Schema};
use ifc::step::encode;
use ifc::{Id, Instance, Limits, Model, Value};
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
    made: Vec<(u32, &'static Entity, Vec<Value>)>,
    /// Copies under ids of their own, with what is different in them, by their original.
    copies: HashMap<u32, Vec<Copy>>,
    /// Instances whose references are to be looked at again.
    pub drafted: BTreeSet<Id>,
    /// Instances that have another class now.
    reclassed: Vec<u32>,
    /// The memory of the special cases.
    pub memory: special::Memory,
    next_id: Option<u32>,
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

/// The model in the schema that the way leads to.
pub(super) fn convert(source: &Model, way: Way) -> Result<(Model, Record), ConvertError> {
    let mut step = Step {
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
        memory: special::Memory::default(),
        next_id: Some(source.next_id().0),
    };
    step.prepare();
    let bytes = step.write();
    if step.next_id.is_none() {
        return Err(ConvertError::OutOfIds);
    }
    let (model, _) = Model::from_bytes(bytes, &Limits { lenient: true, ..Limits::default() })?;
    let mut doubtful = std::mem::take(&mut step.drafted);
    for id in step.reclassed.drain(..) {
        doubtful.extend(model.referrers(Id(id)));
    }
    let model = repair::settled(source, model, doubtful, &mut step.record);
    Ok((model, step.record))
}

impl Step<'_> {
    fn write(&mut self) -> Vec<u8> {
        let source = self.source;
        let mut out = source.header().write(self.way.target()).into_bytes();
        out.reserve(source.base().bytes().len());
        let mut plans: HashMap<u16, Plan> = HashMap::new();
        let moved: HashSet<u32> = self.moved();
        for id in source.ids() {
            let Some(instance) = source.get(id) else { continue };
            let Some(entity) = instance.entity() else {
                let reason = format!("{} is no class of {}", instance.class_name(), self.from.name());
                self.record.note(id.0, instance.class_name(), Outcome::Dropped, &reason);
                continue;
            };
            if let Some((outcome, reason)) = self.said.get(&id.0) {
                self.record.note(id.0, entity.name, *outcome, reason);
                continue;
            }
            let (way, from, to) = (self.way, self.from, self.to);
            let plan = *plans.entry(entity.id.0).or_insert_with(|| Plan::new(way, from, to, entity));
            let plan = match (plan, self.classes.get(&id.0)) {
                (Plan::Verbatim | Plan::Draft(..), Some(class)) => Plan::Draft(class, Outcome::Mapped),
                (Plan::Verbatim, None) if moved.contains(&id.0) => match to.entity(entity.name) {
                    Some(target) => Plan::Draft(target, Outcome::Kept),
                    None => Plan::Drop,
                },
                (plan, _) => plan,
            };
            let fate = match plan {
                Plan::Verbatim => {
                    verbatim(&instance, &mut out);
                    continue;
                }
                Plan::Draft(target, outcome) => {
                    let restored = self.restored(&instance, entity, target);
                    let outcome = if restored.name == target.name { outcome } else { Outcome::Mapped };
                    let values = self.draft(&instance, entity, restored, outcome);
                    Fate::Made(restored, values)
                }
                Plan::Special => self.special(&instance, entity),
                Plan::Drop => {
                    let reason = format!("{} has nothing like it", self.to.name());
                    self.record.note(id.0, entity.name, Outcome::Dropped, &reason);
                    Fate::Gone
                }
            };
            if let Fate::Made(target, values) = fate {
                self.drafted.insert(id);
                if target.name != entity.name {
                    self.reclassed.push(id.0);
                }
                write_line(id.0, target, &values, &mut out);
                for (copy, but) in self.copies.remove(&id.0).unwrap_or_default() {
                    let mut values = values.clone();
                    for (name, value) in but {
                        set(&mut values, target.index_of(name), value);
                    }
                    self.made.push((copy, target, values));
                }
            }
        }
        self.made.sort_by_key(|(id, ..)| *id);
        for (id, entity, values) in std::mem::take(&mut self.made) {
            *self.record.made.entry(entity.name.to_owned()).or_default() += 1;
            self.drafted.insert(Id(id));
            write_line(id, entity, &values, &mut out);
        }
        out.extend_from_slice(b"ENDSEC;\nEND-ISO-10303-21;\n");
        out
    }

    /// Instances whose text cannot stay although their class does not change.
    fn moved(&self) -> HashSet<u32> {
        let mut moved: HashSet<u32> = self.overrides.keys().chain(self.copies.keys()).copied().collect();
        for id in self.substitutes.keys() {
            moved.extend(self.source.referrers(Id(*id)).into_iter().map(|id| id.0));
        }
        moved
    }

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

fn verbatim(instance: &Instance<'_>, out: &mut Vec<u8>) {
    match instance.source() {
        Source::Base(row) => {
            out.extend_from_slice(instance.model().base().text(row));
            out.push(b'\n');
        }
        Source::Overlay(stored) => {
            let mut text = format!("{}=", instance.id());
            text.extend(stored.class.name().chars().map(|c| c.to_ascii_uppercase()));
            encode::list(&stored.values, &mut text);
            text.push_str(";\n");
            out.extend_from_slice(text.as_bytes());
        }
    }
}

fn write_line(id: u32, entity: &Entity, values: &[Value], out: &mut Vec<u8>) {
    let mut text = format!("#{id}={}", entity.name.to_ascii_uppercase());
    encode::list(values, &mut text);
    text.push_str(";\n");
    out.extend_from_slice(text.as_bytes());
}
