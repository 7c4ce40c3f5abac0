//! Whatever is done to a small house, in whatever order, leaves it as sound as it was.

use crate::sample::{HOUSE, faults, model};
use crate::{FindingCode, ValidationOptions, dangling, validate};
use ifc::{
    CopyOptions, Edit, EditError, GlobalIds, Header, Id, Limits, Model, Order, Purged, Referrers, Renumber,
    SchemaVersion, Unused,
};
use proptest::prelude::*;
use std::collections::{BTreeSet, HashMap};

#[derive(Debug, Clone)]
enum Step {
    Remove(u32, Referrers),
    Replace(u32, u32),
    Redirect(u32, u32),
    Reassign(u32, &'static str),
    Name(u32, String),
    Purge(bool, bool),
    Copy(u32),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let id = || 1u32..100;
    let referrers = prop_oneof![
        Just(Referrers::Refuse),
        Just(Referrers::Unset),
        Just(Referrers::Cascade),
        Just(Referrers::Dependents)
    ];
    let class = prop_oneof![
        Just("IfcWall"),
        Just("IfcSlab"),
        Just("IfcBuildingElementProxy"),
        Just("IfcMemberType"),
        Just("IfcSpace"),
        Just("IfcPropertySingleValue")
    ];
    let step = prop_oneof![
        (id(), referrers).prop_map(|(id, referrers)| Step::Remove(id, referrers)),
        (id(), id()).prop_map(|(old, new)| Step::Replace(old, new)),
        (id(), id()).prop_map(|(from, to)| Step::Redirect(from, to)),
        (id(), class).prop_map(|(id, class)| Step::Reassign(id, class)),
        (id(), "[a-z']{0,300}").prop_map(|(id, name)| Step::Name(id, name)),
        any::<(bool, bool)>().prop_map(|(types, rest)| Step::Purge(types, rest)),
        id().prop_map(Step::Copy),
    ];
    proptest::collection::vec(step, 0..8)
}

/// Does a step; whether it was accepted.
fn done(edit: &mut Edit, step: &Step) -> bool {
    let unused = |types: bool, rest: bool| Unused { types, materials: rest, property_sets: rest };
    match step {
        Step::Remove(id, referrers) => edit.remove_all(&[Id(*id)], *referrers).is_ok(),
        Step::Replace(old, new) => edit.replace(Id(*old), Id(*new)).is_ok(),
        Step::Redirect(from, to) => edit.redirect(Id(*from), Id(*to)).is_ok(),
        Step::Reassign(id, class) => edit.reassign(Id(*id), class, &[]).is_ok(),
        Step::Name(id, name) => edit.set(Id(*id), "Name", name.as_str()).is_ok(),
        Step::Purge(types, rest) => {
            edit.purge(unused(*types, *rest));
            true
        }
        Step::Copy(id) => {
            let options =
                CopyOptions { global_ids: GlobalIds::New(format!("copy {id}")), ..CopyOptions::default() };
            edit.copy(&house(), &[Id(*id)], &options).is_ok()
        }
    }
}

fn house() -> Model {
    model(SchemaVersion::Ifc4, HOUSE)
}

fn unsound(model: &Model) -> Vec<String> {
    let mut wrong: Vec<String> = model.ids().flat_map(|id| faults(model, id)).collect();
    wrong.extend(dangling(model).into_iter().map(|problem| problem.message));
    let report = validate(
        model,
        &ValidationOptions { rules: false, implementer: false, ..ValidationOptions::default() },
    );
    // how often something is referred to is for the editor to say: a wall may lose its type and the type its last wall
    let findings = report.findings.into_iter().filter(|found| found.code != FindingCode::Inverse);
    wrong.extend(findings.map(|found| found.message));
    wrong.extend(circle(model).map(|id| format!("{id} is made of itself")));
    wrong
}

/// An instance that refers to itself over others.
fn circle(model: &Model) -> Option<Id> {
    let mut waits: HashMap<Id, usize> = model.ids().map(|id| (id, 0)).collect();
    for id in model.ids() {
        model.each_reference_of(id.0, |target| *waits.entry(Id(target)).or_default() += 1);
    }
    let mut free: Vec<Id> = waits.iter().filter(|(_, count)| **count == 0).map(|(id, _)| *id).collect();
    while let Some(id) = free.pop() {
        waits.remove(&id);
        model.each_reference_of(id.0, |target| {
            if let Some(count) = waits.get_mut(&Id(target)) {
                *count -= 1;
                if *count == 0 {
                    free.push(Id(target));
                }
            }
        });
    }
    waits.into_keys().min()
}

fn text(model: &Model) -> String {
    String::from_utf8(model.to_bytes()).unwrap()
}

/// The instances that the rooted ones of a model lead to, as text.
fn reached(model: &Model) -> BTreeSet<String> {
    let mut seen: BTreeSet<Id> = BTreeSet::new();
    let mut open = model.of_class("IfcRoot");
    while let Some(id) = open.pop() {
        if seen.insert(id) {
            model.each_reference_of(id.0, |target| open.push(Id(target)));
        }
    }
    seen.into_iter().filter_map(|id| model.get(id)).map(|instance| format!("{instance:?}")).collect()
}

proptest! {
    #[test]
    fn edits_keep_a_model_sound_and_refusals_change_nothing(steps in steps()) {
        let mut edit = house().edit();
        prop_assert_eq!(unsound(&edit), Vec::<String>::new());
        for step in &steps {
            let before = text(&edit);
            if !done(&mut edit, step) {
                prop_assert_eq!(text(&edit), before, "{:?}", step);
            }
            prop_assert_eq!(unsound(&edit), Vec::<String>::new(), "{:?}", step);
        }
        let (after, delta) = edit.finish();
        prop_assert_eq!(text(&house().apply(&delta).unwrap()), text(&after));
    }

    #[test]
    fn going_back_to_a_savepoint_is_as_if_nothing_had_been_done(first in steps(), second in steps(), third in steps()) {
        let run = |edit: &mut Edit, steps: &[Step]| steps.iter().for_each(|step| { done(edit, step); });
        let mut edit = house().edit();
        run(&mut edit, &first);
        let (one, touched) = (edit.savepoint(), edit.touched().collect::<Vec<_>>());
        let (before, next) = (text(&edit), edit.next_id());
        run(&mut edit, &second);
        let two = edit.savepoint();
        run(&mut edit, &third);
        edit.roll_back(&two).unwrap();
        edit.roll_back(&one).unwrap();
        prop_assert_eq!((text(&edit), edit.next_id()), (before, next));
        prop_assert_eq!(edit.touched().collect::<Vec<_>>(), touched);
        prop_assert_eq!(edit.roll_back(&two), Err(EditError::NoSavepoint));
        // what is done then is what would have been done
        run(&mut edit, &third);
        let mut other = house().edit();
        run(&mut other, &first);
        run(&mut other, &third);
        prop_assert_eq!(text(&edit), text(&other));
    }

    #[test]
    fn a_copy_stands_alone(ids in proptest::collection::vec(1u32..100, 1..5), bare in any::<bool>()) {
        let source = house();
        let ids: Vec<Id> = ids.into_iter().map(Id).filter(|id| source.contains(*id)).collect();
        let mut edit = Model::blank(SchemaVersion::Ifc4, Header::new("new.ifc", "2026-01-02T03:04:05")).edit();
        let options = if bare { CopyOptions::bare() } else { CopyOptions::default() };
        let copied = edit.copy(&source, &ids, &options).unwrap();
        prop_assert_eq!(unsound(&edit), Vec::<String>::new());
        for id in ids {
            let (one, other) = (source.get(id).unwrap(), edit.get(copied.ids[&id]).unwrap());
            prop_assert_eq!((one.class_name(), one.guid()), (other.class_name(), other.guid()));
        }
        let (model, _) = edit.finish();
        let (again, problems) = Model::from_bytes(model.to_bytes(), &Limits::default()).unwrap();
        prop_assert_eq!((again.len(), problems), (model.len(), vec![]));
    }

    #[test]
    fn a_purge_keeps_what_is_reached_and_finds_nothing_the_second_time(steps in steps(), types in any::<bool>()) {
        let mut edit = house().edit();
        for step in &steps {
            done(&mut edit, step);
        }
        let before = reached(&edit);
        edit.purge(Unused::default());
        prop_assert_eq!(reached(&edit), before);
        prop_assert_eq!(edit.purge(Unused::default()), Purged::default());
        let all = Unused { types, materials: true, property_sets: true };
        edit.purge(all);
        prop_assert_eq!(edit.purge(all), Purged::default());
        prop_assert_eq!(unsound(&edit), Vec::<String>::new());
    }

    #[test]
    fn renumbering_keeps_every_instance_but_its_number(steps in steps(), merge in any::<bool>()) {
        let mut edit = house().edit();
        for step in &steps {
            done(&mut edit, step);
        }
        let (model, _) = edit.finish();
        let (after, record) = model.renumber(Renumber { order: Order::Dependency, merge }).unwrap();
        let merged: usize = record.merged.values().sum();
        prop_assert_eq!(after.len() + merged, model.len());
        prop_assert_eq!(unsound(&after), Vec::<String>::new());
        let mut classes = model.class_counts();
        for (class, count) in &record.merged {
            *classes.get_mut(class).unwrap() -= count;
        }
        classes.retain(|_, count| *count > 0);
        prop_assert_eq!(after.class_counts(), classes);
        for (old, new) in record.ids {
            prop_assert_eq!(model.get(old).unwrap().guid(), after.get(new).unwrap().guid());
        }
    }
}
