//! The last stage: references that the target does not allow fall, and with them what cannot be without them; what
//! only they used goes too.

use super::Outcome;
use super::report::Record;
use ifc::edit::settle::{self, Settlement};
use ifc::parts::Slot;
use ifc::schema::Kind;
use ifc::{Id, Model, Value, about};
use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

/// The converted model with nothing in it that the target forbids and the source did not.
pub(super) fn settled(
    source: &Model,
    mut model: Model,
    mut doubtful: BTreeSet<Id>,
    record: &mut Record,
) -> Model {
    // lines that stand as they were may refer to what is no longer there
    let lost = model.base().dangling().into_owned();
    doubtful.extend(lost.iter().filter_map(|(row, _)| model.base().id(*row as usize)).map(Id));
    let unfit = unfit(&model, &doubtful);
    let schema = model.schema();
    let stands = |kind: Option<Kind>, target: Id| {
        let Some(instance) = model.get(target) else { return !source.contains(target) };
        let fits = |leaf: &str| instance.is_a(leaf);
        match kind {
            Some(Kind::Entity(class)) => schema.entity(class).is_none() || fits(class),
            Some(Kind::Select(leaves)) => leaves.iter().any(|leaf| fits(leaf)),
            _ => true,
        }
    };
    let Ok(settlement) = settle::settle(&model, doubtful.clone(), unfit, stands, |_| true) else {
        return model;
    };
    let before = model.clone();
    apply(source, &before, &mut model, &settlement, record);
    idle_shapes(source, &mut model, record);
    sweep(source, &before, &mut model, doubtful, &settlement, record);
    while lonely(source, &mut model, record) {}
    model
}

/// Takes out representations that were those of something that is not there any more, and that only layers list now:
/// every schema wants one to be a product's, a map's or an aspect's (IfcShapeModel.WR11).
fn idle_shapes(source: &Model, model: &mut Model, record: &mut Record) {
    let mut idle: BTreeSet<Id> = BTreeSet::new();
    for (id, _) in record.fates.iter().filter(|(_, fate)| **fate == Outcome::Dropped) {
        source.each_reference_of(*id, |target| {
            let is_shape = model.get(Id(target)).is_some_and(|shape| shape.is_a("IfcShapeModel"));
            let listed = |id: &Id| model.get(*id).is_some_and(|by| by.is_a("IfcPresentationLayerAssignment"));
            if is_shape && model.referrers(Id(target)).iter().all(listed) {
                idle.insert(Id(target));
            }
        });
    }
    if idle.is_empty() {
        return;
    }
    for id in &idle {
        if let Some(shape) = source.get(*id) {
            record.note(
                id.0,
                shape.class_name(),
                Outcome::Dropped,
                "what it was the shape of is not there any more",
            );
        }
    }
    if let Ok(settlement) = settle::without(model, idle, |_| true) {
        let before = model.clone();
        apply(source, &before, model, &settlement, record);
    }
}

/// Takes out resources, and groups, that the target wants somebody to use while the source did not. IFC4 wants every
/// IfcMaterialLayerSetUsage associated, IFC2X3 every placement to place something and every group to have members. Whether it took any.
fn lonely(source: &Model, model: &mut Model, record: &mut Record) -> bool {
    let (from, to) = (source.schema(), model.schema());
    let mut gone: Vec<(Id, &'static str)> = Vec::new();
    for entity in to.entities().iter().filter(|entity| !entity.is_abstract) {
        let rooted = entity.is_a(to, "IfcRoot");
        if rooted && !entity.is_a(to, "IfcGroup") {
            continue;
        }
        let was_wanted = |name: &str| {
            let before = from.entity(entity.name);
            before.is_some_and(|before| from.inverses(before).any(|old| old.name == name && old.min > 0))
        };
        for inverse in to.inverses(entity).filter(|inverse| inverse.min > 0 && !was_wanted(inverse.name)) {
            let lonely = |id: &Id| {
                let alone = if rooted {
                    model.inverse(*id, inverse).is_empty()
                } else {
                    model.referrers(*id).is_empty()
                };
                alone && model.get(*id).is_some()
            };
            let found = model.of_class_exact(entity.name).into_iter().filter(lonely);
            gone.extend(found.map(|id| (id, inverse.name)));
        }
    }
    let ids: Vec<Id> = gone.iter().map(|(id, _)| *id).collect();
    let found = !ids.is_empty();
    let Ok(settlement) = settle::without(model, ids, |_| true) else { return false };
    let before = model.clone();
    for (id, inverse) in gone {
        if let Some(instance) = source.get(id) {
            let reason = format!("{} wants somebody to use it ({inverse}), and nobody does", to.name());
            record.note(id.0, instance.class_name(), Outcome::Dropped, &reason);
        }
    }
    apply(source, &before, model, &settlement, record);
    found
}

/// Instances that lack what they must have.
fn unfit(model: &Model, doubtful: &BTreeSet<Id>) -> Vec<Id> {
    let lacks = |id: &&Id| {
        let Some((instance, entity)) = model.get(**id).and_then(|i| Some((i, i.entity()?))) else {
            return false;
        };
        let values = instance.attributes();
        entity.attributes.iter().zip(&values).any(|(attribute, value)| {
            let refers = matches!(attribute.kind, Kind::Entity(_) | Kind::Select(_) | Kind::List(_));
            refers && !attribute.optional && !attribute.derived && value.is_null()
        })
    };
    doubtful.iter().filter(lacks).copied().collect()
}

fn apply(source: &Model, before: &Model, model: &mut Model, settlement: &Settlement, record: &mut Record) {
    let class_of = |id: Id| {
        let instance = source.get(id).or_else(|| before.get(id));
        instance.map_or_else(String::new, |instance| instance.class_name().to_owned())
    };
    for (id, cause) in &settlement.gone {
        let instance = before.get(*id);
        let attribute = cause.zip(instance).and_then(|(cause, instance)| {
            instance.entity()?.attributes.get(cause.at).map(|attribute| (attribute.name, cause.lost))
        });
        let reason = match attribute {
            Some((name, lost)) => format!("cannot be without its {name} ({})", class_of(lost)),
            None => "lacks what the target makes mandatory".to_owned(),
        };
        let told = cause.is_none() && record.fates.get(&id.0) == Some(&Outcome::Dropped);
        if source.contains(*id) && !told {
            record.note(id.0, &class_of(*id), Outcome::Dropped, &reason);
        }
        model.put(id.0, Slot::Removed);
    }
    for (id, changes) in &settlement.changed {
        let Some(mut stored) = model.stored(*id) else { continue };
        for (at, value) in changes {
            let attribute = stored.class.entity().and_then(|entity| entity.attributes.get(*at));
            if let Some(attribute) = attribute.filter(|_| source.contains(*id)) {
                let reason = match value {
                    Value::Null => format!("{} refers to what is not there any more", attribute.name),
                    _ => format!("{} lost members that are not there any more", attribute.name),
                };
                record.note(id.0, &class_of(*id), Outcome::Approximated, &reason);
            }
            if let Some(slot) = stored.values.get_mut(*at) {
                *slot = value.clone();
            }
        }
        model.put(id.0, Slot::Present(Arc::new(stored)));
    }
}

/// Classes that refer to each other the other way round in the target, so that being used says nothing.
const TURNED: [&str; 4] =
    ["IfcDocumentInformation", "IfcDocumentReference", "IfcLibraryInformation", "IfcLibraryReference"];

/// Takes out resources that were used in the source and are not used any more, and those that were about something
/// that is not there any more.
fn sweep(
    source: &Model,
    before: &Model,
    model: &mut Model,
    doubtful: BTreeSet<Id>,
    settlement: &Settlement,
    record: &mut Record,
) {
    let mut open: Vec<Id> = Vec::new();
    let dropped: Vec<u32> = record.fates.keys().copied().collect();
    for id in dropped.into_iter().map(Id).chain(doubtful).chain(settlement.gone.keys().copied()) {
        source.each_reference_of(id.0, |target| open.push(Id(target)));
        before.each_reference_of(id.0, |target| open.push(Id(target)));
    }
    open.extend(settlement.changed.keys().copied());
    open.sort_unstable();
    open.dedup();
    let mut seen: HashSet<Id> = HashSet::new();
    while let Some(id) = open.pop() {
        let Some(instance) = model.get(id) else { continue };
        if instance.is_a("IfcRoot") || instance.entity().is_none() || TURNED.contains(&instance.class_name())
        {
            continue;
        }
        let subject = about::subject(&instance);
        let was_used = !source.contains(id) || !source.referrers(id).is_empty();
        let useless = match subject {
            Some(at) => {
                let empty = match instance.attr_at(at) {
                    Value::Null => true,
                    Value::List(members) => members.is_empty(),
                    _ => false,
                };
                let had = source
                    .get(id)
                    .is_none_or(|old| about::subject(&old).is_some_and(|at| !old.attr_at(at).is_null()));
                empty && had && model.referrers(id).is_empty()
            }
            None => was_used && model.referrers(id).is_empty(),
        };
        if !useless || !seen.insert(id) {
            continue;
        }
        let mut next = Vec::new();
        model.each_reference_of(id.0, |target| next.push(Id(target)));
        let class = instance.class_name().to_owned();
        model.put(id.0, Slot::Removed);
        if source.contains(id) {
            let class = source.get(id).map_or(class, |old| old.class_name().to_owned());
            record.note(
                id.0,
                &class,
                Outcome::Dropped,
                "what it served is said otherwise or is not there any more",
            );
        }
        open.extend(next);
    }
}
