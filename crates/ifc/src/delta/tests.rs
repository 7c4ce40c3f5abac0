//! The algebra of deltas on a small house and random edits of it, and the bytes of deltas.

use super::encode::{FIRST_VERSION, VERSION};
use super::*;
use crate::Edit;
use crate::sample::dangling;
use crate::sample::edits::{edited, house, steps};
use crate::schema::Kind;
use proptest::prelude::*;

fn text(model: &Model) -> String {
    String::from_utf8(model.to_bytes()).unwrap()
}

fn again(delta: &Delta) -> Delta {
    Delta::decode(&delta.encode()).unwrap()
}

/// A model's instances with their ids put through `map`, and sets without order.
fn canonical(model: &Model, map: impl Fn(u32) -> u32) -> Vec<String> {
    let mut lines: Vec<(u32, String)> = model
        .ids()
        .filter_map(|id| {
            let instance = model.get(id)?;
            let values: Vec<Value> = instance
                .attributes()
                .iter()
                .enumerate()
                .map(|(at, value)| {
                    let mapped = value.map_refs(&mut |id| Ok::<_, ()>(Id(map(id.0)))).unwrap();
                    let kind = instance.entity().and_then(|e| e.attributes.get(at)).map(|a| a.kind);
                    match (kind, mapped) {
                        (Some(Kind::List(list)), Value::List(mut members)) if list.set => {
                            members.sort_by_key(|member| format!("{member:?}"));
                            Value::List(members)
                        }
                        (_, other) => other,
                    }
                })
                .collect();
            Some((map(id.0), format!("#{}={}{values:?}", map(id.0), instance.class_name())))
        })
        .collect();
    lines.sort();
    lines.into_iter().map(|(_, line)| line).collect()
}

proptest! {
    #[test]
    fn taking_a_delta_back_leaves_nothing_of_it(before in steps(), steps in steps()) {
        let (base, _) = edited(&house(), &before, 'b');
        let (after, delta) = edited(&base, &steps, 'd');
        let back = delta.invert(&base).unwrap();
        let restored = after.apply(&again(&back)).unwrap();
        prop_assert_eq!(text(&restored), text(&base));
        prop_assert!(Delta::between(&base, &restored).is_empty());
        let forth = back.invert(&after).unwrap();
        prop_assert_eq!(text(&restored.apply(&again(&forth)).unwrap()), text(&after));
        // from the file alone, the very bytes come back
        let opened = house();
        let (after, delta) = edited(&opened, &steps, 'd');
        let restored = after.apply(&delta.invert(&opened).unwrap()).unwrap();
        prop_assert_eq!(text(&restored), text(&opened));
        prop_assert!(restored.overlay.slots.is_empty());
    }

    #[test]
    fn composed_deltas_do_what_they_do_in_turn_however_they_are_grouped(
        first in steps(), second in steps(), third in steps(),
    ) {
        let base = house();
        let (one, a) = edited(&base, &first, 'a');
        let (two, b) = edited(&one, &second, 'b');
        let (three, c) = edited(&two, &third, 'c');
        let ab = a.compose(&b).unwrap();
        let bc = b.compose(&c).unwrap();
        prop_assert_eq!(text(&base.apply(&again(&ab)).unwrap()), text(&two));
        prop_assert_eq!(text(&one.apply(&again(&bc)).unwrap()), text(&three));
        let (left, right) = (ab.compose(&c).unwrap(), a.compose(&bc).unwrap());
        prop_assert_eq!(left.encode(), right.encode());
        let whole = base.apply(&left).unwrap();
        prop_assert_eq!(text(&whole), text(&three));
        prop_assert_eq!(whole.next_id(), three.next_id());
        // and a delta with its inverse is nothing
        let back = a.invert(&base).unwrap();
        prop_assert_eq!(text(&base.apply(&a.compose(&back).unwrap()).unwrap()), text(&base));
    }

    #[test]
    fn deltas_that_do_not_clash_hold_in_either_order(before in steps(), ours in steps(), theirs in steps()) {
        let (base, _) = edited(&house(), &before, 'b');
        let (with_ours, a) = edited(&base, &ours, 'o');
        let (with_theirs, b) = edited(&base, &theirs, 't');
        match (b.rebase(&a), a.rebase(&b)) {
            (Ok(b_later), Ok(a_later)) => {
                let one = with_ours.apply(&again(&b_later)).unwrap();
                let other = with_theirs.apply(&again(&a_later)).unwrap();
                let (first, of_a, of_b) = (base.next_id, a.allocated, b.allocated);
                let swap = move |id: u32| match id.checked_sub(first) {
                    Some(ordinal) if ordinal < of_b => id + of_a,
                    Some(ordinal) if ordinal < of_a + of_b => id - of_b,
                    _ => id,
                };
                prop_assert_eq!(canonical(&one, |id| id), canonical(&other, swap));
                prop_assert_eq!(dangling(&one), vec![]);
            }
            (Err(one), Err(other)) => prop_assert_eq!(one.len(), other.len()),
            (one, other) => prop_assert!(false, "{one:?} but {other:?}"),
        }
    }

    #[test]
    fn a_delta_is_refused_whichever_byte_is_damaged(steps in steps(), at in any::<prop::sample::Index>(), flip in 1u8..) {
        let (_, delta) = edited(&house(), &steps, 'd');
        let mut bytes = delta.encode();
        let at = at.index(bytes.len());
        if let Some(byte) = bytes.get_mut(at) {
            *byte ^= flip;
        }
        let error = Delta::decode(&bytes).unwrap_err();
        let expect = match at {
            0 if bytes.first() != Some(&FIRST_VERSION) => DeltaError::UnknownVersion(bytes[0]),
            _ if at >= bytes.len() - 4 => DeltaError::Damaged(bytes.len() - 4),
            _ => DeltaError::Damaged(at),
        };
        if at > 0 {
            prop_assert_eq!(error, expect);
        }
        bytes.truncate(at);
        prop_assert!(Delta::decode(&bytes).is_err());
    }
}

/// The bytes that version 1 had for a delta that creates a wall, renames one and removes another.
fn of_version_1(delta: &Delta) -> Vec<u8> {
    let mut bytes = delta.encode();
    assert_eq!((bytes.first(), delta.put.len()), (Some(&VERSION), 0));
    bytes.truncate(bytes.len() - 4);
    bytes[0] = FIRST_VERSION;
    bytes
}

#[test]
fn a_delta_of_version_1_is_still_read() {
    let base = house();
    let mut edit = base.edit();
    edit.create("IfcWall", &[("GlobalId", "0New000000000000000001".into())]).unwrap();
    edit.set(Id(10), "Name", "renamed").unwrap();
    edit.remove_from(Id(17), "RelatedElements", Id(11)).unwrap();
    let (after, delta) = edit.finish();
    let old = of_version_1(&delta);
    assert_eq!(Delta::decode(&old), Ok(delta.clone()));
    assert_eq!(text(&base.apply(&Delta::decode(&old).unwrap()).unwrap()), text(&after));
    // as the first version wrote it: restores #5 as an IfcCartesianPoint with no attribute, and no more
    let restores = b"\x01\x0a\x00\x01\x11IfcCartesianPoint\x00\x01\x05\x00\x00\x00\x00";
    let delta = Delta::decode(restores).unwrap();
    assert_eq!(delta.put.iter().map(|(id, was, _)| (*id, *was)).collect::<Vec<_>>(), [(5, Was::Unknown)]);
    assert_eq!(again(&delta), delta);
    assert_eq!(Delta::decode(&[3, 0]), Err(DeltaError::UnknownVersion(3)));
    assert_eq!(Delta::decode(&[]), Err(DeltaError::Damaged(0)));
}

#[test]
fn clashes_say_what_they_are_about() {
    let base = house();
    let delta = |change: &dyn Fn(&mut Edit)| {
        let mut edit = base.edit();
        change(&mut edit);
        edit.finish().1
    };
    let kinds = |ours: &Delta, theirs: &Delta| -> Vec<(u32, ClashKind)> {
        theirs.rebase(ours).unwrap_err().into_iter().map(|clash| (clash.id.0, clash.kind)).collect()
    };
    let rename = |name: &'static str| delta(&move |edit| edit.set(Id(11), "Name", name).unwrap());
    assert_eq!(kinds(&rename("a"), &rename("b")), [(11, ClashKind::Attribute(2))]);
    assert!(rename("a").rebase(&rename("a")).unwrap().is_empty());
    let remove = delta(&|edit| edit.remove(Id(11)).unwrap());
    assert_eq!(kinds(&remove, &rename("a")), [(11, ClashKind::Removed(Side::Ours))]);
    assert_eq!(kinds(&rename("a"), &remove), [(11, ClashKind::Removed(Side::Theirs))]);
    let group = delta(&|edit| edit.add_to(Id(61), "RelatedObjects", Id(11)).unwrap());
    let by = Id(61);
    assert_eq!(kinds(&remove, &group), [(11, ClashKind::Referred { removed_by: Side::Ours, by })]);
    assert_eq!(kinds(&group, &remove), [(11, ClashKind::Referred { removed_by: Side::Theirs, by })]);
    let error = group.compose(&delta(&|edit| {
        edit.create("IfcWall", &[("GlobalId", "0New000000000000000001".into())]).unwrap();
    }));
    assert!(error.is_ok());
}

#[test]
fn deltas_that_give_out_the_same_ids_are_not_composed() {
    let base = house();
    let make = || {
        let mut edit = base.edit();
        edit.create("IfcWall", &[("GlobalId", "0x00000000000000000000".into())]).unwrap();
        edit.finish().1
    };
    let (first, end) = (base.next_id(), Id(base.next_id().0 + 1));
    assert_eq!(make().compose(&make()), Err(ComposeError::NotConsecutive { end, first }));
    assert!(make().compose(&make().rebase(&make()).unwrap()).is_ok());
}
