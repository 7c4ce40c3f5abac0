//! Writes the target: every instance of the source in turn as the other schema has it, then what was made for it; and reads the
//! result again.

use super::draft::set;
use super::plan::Plan;
use super::report::Record;
use super::step::{Fate, Step};
use super::{ConvertError, Outcome, Way, repair};
use ifc::parts::Source;
use ifc::schema::Entity;
use ifc::step::encode;
use ifc::{Id, Instance, Limits, Model, Value};
use std::collections::{HashMap, HashSet};

/// The model in the schema that the way leads to.
pub(super) fn convert(source: &Model, way: Way) -> Result<(Model, Record), ConvertError> {
    let mut step = Step::new(source, way);
    step.prepare();
    let bytes = step.write();
    if step.is_out_of_ids() {
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
