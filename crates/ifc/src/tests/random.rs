//! Properties on random input: values, edits, deltas and damage.

use super::{HOUSE, house, text};
use crate::columns::{ClassCodes, Columns};
use crate::sample::dangling;
use crate::step::blocks::Plain;
use crate::step::{Cursor, encode, scan, thorough};
use crate::*;
use proptest::prelude::*;

fn values() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        Just(Value::Derived),
        any::<i64>().prop_map(Value::Integer),
        any::<f64>().prop_filter("finite", |v| v.is_finite()).prop_map(Value::Real),
        (-1000i32..1000).prop_map(|v| Value::Real(f64::from(v) / 8.0)),
        any::<bool>().prop_map(Value::Boolean),
        Just(Value::Unknown),
        any::<String>().prop_map(Value::Text),
        "[A-EG-SV-Z][A-Z0-9_]{0,8}".prop_map(Value::Enum),
        "[0-9A-F]{0,9}".prop_map(Value::Binary),
        any::<u32>().prop_map(|id| Value::Ref(Id(id))),
    ];
    leaf.prop_recursive(3, 24, 6, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..6).prop_map(Value::List),
            ("[A-Z][A-Z0-9]{0,8}", inner).prop_map(|(name, value)| Value::Typed(name, Box::new(value))),
        ]
    })
}

/// One step of a random edit; what the schema refuses changes nothing.
#[derive(Debug, Clone)]
enum Step {
    Name(u32, String),
    Point(Vec<f64>),
    Wall(String),
    Contain(u32),
    Release(u32),
    Remove(u32),
    Null(u32, &'static str),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let id = 1u32..14;
    let step = prop_oneof![
        (id.clone(), ".{0,6}").prop_map(|(id, name)| Step::Name(id, name)),
        proptest::collection::vec(-1e9..1e9f64, 1..4).prop_map(Step::Point),
        ".{0,6}".prop_map(Step::Wall),
        id.clone().prop_map(Step::Contain),
        id.clone().prop_map(Step::Release),
        id.clone().prop_map(Step::Remove),
        (id, prop_oneof![Just("Name"), Just("ObjectPlacement"), Just("Axis")])
            .prop_map(|(id, name)| Step::Null(id, name)),
    ];
    proptest::collection::vec(step, 0..24)
}

fn run(model: &Model, steps: &[Step]) -> (Model, Delta) {
    let mut edit = model.edit();
    for (at, step) in steps.iter().enumerate() {
        let _ = match step {
            Step::Name(id, name) => edit.set(Id(*id), "Name", name.as_str()),
            Step::Point(coordinates) => edit
                .create("IfcCartesianPoint", &[("Coordinates", Value::list(coordinates.clone()))])
                .map(|_| ()),
            Step::Wall(name) => {
                let guid = format!("1Wall{at:017}");
                edit.create("IfcWall", &[("GlobalId", guid.into()), ("Name", name.into())]).map(|_| ())
            }
            Step::Contain(id) => edit.add_to(Id(7), "RelatedElements", Id(*id)),
            Step::Release(id) => edit.remove_from(Id(7), "RelatedElements", Id(*id)),
            Step::Remove(id) => edit.remove(Id(*id)),
            Step::Null(id, name) => edit.set(Id(*id), name, Value::Null),
        };
    }
    edit.finish()
}

/// Everything that can be asked of a model, to compare two.
fn answers(model: &Model) -> Vec<String> {
    let mut ids: Vec<Id> = model.ids().collect();
    ids.sort_unstable();
    let mut out = vec![format!("{} {:?}", model.len(), model.class_counts())];
    for id in ids {
        let instance = model.get(id).unwrap();
        out.push(format!(
            "{instance:?} {:?} {:?}",
            model.referrers(id),
            instance.guid().and_then(|g| model.by_guid(&g))
        ));
    }
    for class in ["IfcRoot", "IfcWall", "IfcCartesianPoint"] {
        let mut ids = model.of_class(class);
        ids.sort_unstable();
        out.push(format!("{class} {ids:?}"));
    }
    out
}

proptest! {
    #[test]
    fn a_value_written_reads_back_the_same(value in values()) {
        let mut out = String::new();
        encode::value(&value, &mut out);
        let again = Cursor::new(out.as_bytes(), 0).value(&|_| None);
        prop_assert!(again.as_ref().is_ok_and(|again| again.is_identical(&value)), "{out} {again:?}");
        let mut skipped = Cursor::new(out.as_bytes(), 0);
        // a value alone ends with the text, which skipping reports only after having passed it all
        let _ = skipped.skip_value();
        prop_assert_eq!(skipped.at(), out.len());
    }

    #[test]
    fn an_edit_a_delta_and_the_written_file_agree(first in steps(), second in steps()) {
        let base = house();
        let (one, delta_one) = run(&base, &first);
        let (two, delta_two) = run(&one, &second);
        for model in [&one, &two] {
            let (written, problems) = Model::from_bytes(model.to_bytes(), &Limits::default()).unwrap();
            prop_assert_eq!(problems, vec![]);
            prop_assert_eq!(answers(model), answers(&written));
            prop_assert_eq!(dangling(model), vec![]);
        }
        let decode = |delta: &Delta| Delta::decode(&delta.encode()).unwrap();
        prop_assert_eq!(&decode(&delta_two), &delta_two);
        let again = base.apply(&decode(&delta_one)).unwrap().apply(&decode(&delta_two)).unwrap();
        prop_assert_eq!(text(&again), text(&two));
        prop_assert_eq!(answers(&again), answers(&two));
        let whole = Delta::between(&base, &two);
        prop_assert_eq!(text(&base.apply(&decode(&whole)).unwrap()), text(&two));
        let back = Delta::between(&two, &base);
        prop_assert_eq!(text(&two.apply(&decode(&back)).unwrap()), HOUSE);
        prop_assert!(Delta::between(&two, &two.clone()).is_empty());
        prop_assert_eq!(whole.is_empty(), text(&two) == HOUSE);
    }

    #[test]
    fn a_damaged_delta_is_refused_or_applied_but_never_worse(
        steps in steps(), at in any::<prop::sample::Index>(), byte in any::<u8>(), cut in any::<bool>(),
    ) {
        let base = house();
        let mut bytes = run(&base, &steps).1.encode();
        let at = at.index(bytes.len());
        if cut { bytes.truncate(at) } else if let Some(slot) = bytes.get_mut(at) { *slot = byte }
        if let Ok(delta) = Delta::decode(&bytes)
            && let Ok(model) = base.apply(&delta)
        {
            let _ = answers(&model);
            let _ = Model::from_bytes(model.to_bytes(), &Limits::default());
        }
    }

    #[test]
    fn any_bytes_are_no_delta_or_one(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let mut bytes = bytes;
        if let Some(first) = bytes.first_mut() { *first = 1 }
        if let Ok(delta) = Delta::decode(&bytes) {
            let _ = house().apply(&delta);
        }
    }

    #[test]
    fn a_damaged_file_is_read_or_refused_and_written_as_it_was(
        changes in proptest::collection::vec(
            (any::<prop::sample::Index>(), 0usize..6, prop_oneof![
                Just("'".to_owned()), Just(";".to_owned()), Just("(".to_owned()), Just(")".to_owned()),
                Just("/*".to_owned()), Just("\n#3=".to_owned()), Just("#4294967295".to_owned()), "\\PC{1,3}", ".{1,2}",
            ]), 1..6),
    ) {
        let mut bytes = HOUSE.as_bytes().to_vec();
        for (at, remove, insert) in changes {
            let at = at.index(bytes.len());
            let end = (at + remove).min(bytes.len());
            bytes.splice(at..end, insert.bytes());
        }
        let lenient = Limits { lenient: true, ..Limits::default() };
        if let Ok((model, _)) = Model::from_bytes(bytes.clone(), &lenient) {
            prop_assert_eq!(model.to_bytes(), bytes);
            let _ = answers(&model);
            let mut edit = model.edit();
            for id in model.ids().collect::<Vec<_>>() {
                let _ = edit.set(id, "Name", "x");
                let _ = edit.remove(id);
            }
            let (after, delta) = edit.finish();
            prop_assert_eq!(model.apply(&delta).unwrap().to_bytes(), after.to_bytes());
        }
    }

    #[test]
    fn the_quick_scan_and_the_thorough_one_find_the_same(
        parts in proptest::collection::vec(prop_oneof![
            Just("#1=IFCWALL($);\n".to_owned()), Just("#2= IFCDOOR('a;b''c',(#1));".to_owned()),
            Just("/* it's; #9=X( */".to_owned()), Just("\r\n".to_owned()), Just("#3=ifcwall\n(\n'x\ny');".to_owned()),
            Just("'".to_owned()), Just(";".to_owned()), Just("#4=IFCX(1.E-3".to_owned()), Just("=".to_owned()),
            Just("#5=IFCX('a\\S\\');".to_owned()), Just("\\S\\'".to_owned()), Just("#6=IFCX($)/* ' */ ;".to_owned()),
            Just("#7=IFCX('; #8=IFCX(');".to_owned()), "[ #0-9=();'A-Z\n/*\\\\]{0,9}",
        ], 0..20),
    ) {
        let schema = SchemaVersion::Ifc4.schema();
        let body: String = parts.concat() + "\nENDSEC;\nEND-ISO-10303-21;\n";
        let bytes = body.as_bytes();
        let quick = scan::scan(bytes, 0, bytes.len(), Columns::with_capacity(0), &mut ClassCodes::new(schema));
        let plain = scan::scan_with::<Plain>(bytes, 0, bytes.len(), Columns::with_capacity(0), &mut ClassCodes::new(schema));
        prop_assert_eq!(&quick.end, &plain.end);
        prop_assert_eq!(quick.high, plain.high);
        prop_assert_eq!(&quick.rows.id, &plain.rows.id);
        for cut in 0..=bytes.len() {
            // wherever a file is cut: two parts that join are the whole
            let first = scan::scan(bytes, 0, cut, Columns::with_capacity(0), &mut ClassCodes::new(schema));
            if first.end != scan::Scanned::Stop {
                continue;
            }
            let second = scan::scan(bytes, cut, bytes.len(), Columns::with_capacity(0), &mut ClassCodes::new(schema));
            if let scan::Scanned::Keyword(_) = second.end {
                prop_assert_eq!(&second.end, &quick.end);
                prop_assert_eq!(first.rows.len() + second.rows.len(), quick.rows.len());
                for row in 0..quick.rows.len() {
                    let joined = match row.checked_sub(first.rows.len()) {
                        None => first.rows.span(row),
                        Some(row) => second.rows.span(row),
                    };
                    prop_assert_eq!(joined, quick.rows.span(row));
                }
            }
        }
        if let scan::Scanned::Keyword(endsec) = quick.end {
            let slow = thorough::scan(bytes, 0, u64::MAX, 100, &mut ClassCodes::new(schema));
            prop_assert_eq!(slow.endsec, Some(endsec));
            prop_assert_eq!(&quick.rows.id, &slow.rows.id);
            prop_assert_eq!(&quick.rows.class, &slow.rows.class);
            for row in 0..quick.rows.len() {
                prop_assert_eq!(quick.rows.span(row), slow.rows.span(row));
            }
            prop_assert!(slow.findings.is_empty());
        }
    }
}

#[test]
fn places_beyond_four_gigabytes_are_kept() {
    let mut columns = crate::columns::Columns::with_capacity(4);
    let places = [7, (1usize << 32) - 1, 1 << 32, (1 << 32) + 5, (3 << 32) + 9];
    for (place, id) in places.iter().zip(1..) {
        assert!(columns.push(id, *place, 10, 0));
    }
    let mut later = crate::columns::Columns::with_capacity(1);
    assert!(later.push(9, (3 << 32) + 20, 10, 0) && later.push(10, (4 << 32) + 1, 10, 0));
    columns.append(later);
    let found: Vec<usize> = (0..columns.len()).map(|row| columns.span(row).unwrap().0).collect();
    assert_eq!(found[..5], places);
    assert_eq!(found[5..], [(3 << 32) + 20, (4 << 32) + 1]);
    assert!(columns.ascending);
}
