//! Models of different origin, compared: a model against itself written otherwise, and against itself edited.

use super::*;
use crate::CompareOptions;
use crate::sample::edits::{edited, house, steps};
use crate::sample::{HOUSE, WALLS, model};
use ifc::{Edit, Limits, SchemaVersion};
use proptest::prelude::*;
use std::collections::HashMap;
use std::fmt::Write as _;

/// A model as another program would have written it: numbered anew from `first` on and `stride` apart, lines
/// turned round, sets turned round, reals written long.
pub(super) fn rewritten(model: &Model, first: u32, stride: u32) -> Model {
    let mut ids: Vec<Id> = model.ids().collect();
    ids.reverse();
    let new: HashMap<Id, Id> =
        ids.iter().zip(0u32..).map(|(id, place)| (*id, Id(first + place * stride))).collect();
    let mut lines = String::new();
    for id in ids {
        let instance = model.get(id).unwrap();
        let values = instance.attributes();
        let values: Vec<String> = values
            .iter()
            .enumerate()
            .map(|(at, value)| {
                let mut value =
                    value.map_refs(&mut |id| Ok::<_, ()>(new.get(&id).copied().unwrap_or(Id(9_999_999))));
                let kind = instance.entity().and_then(|e| e.attributes.get(at)).map(|a| a.kind);
                if let (Ok(Value::List(members)), Some(ifc::Kind::List(list))) = (&mut value, kind)
                    && list.set
                {
                    members.reverse();
                }
                written(&value.unwrap())
            })
            .collect();
        let class = instance.class_name().to_ascii_uppercase();
        writeln!(lines, "{}\t= {class} (\n{} );\r", new[&id], values.join(" , ")).unwrap();
    }
    let version = model.schema().version();
    let text = format!(
        "ISO-10303-21;HEADER;FILE_DESCRIPTION((''),'2;1');FILE_NAME('other','',(''),(''),'','','');FILE_SCHEMA(('{}'));ENDSEC;DATA;\n{lines}ENDSEC;END-ISO-10303-21;",
        version.file_schema()
    );
    Model::from_bytes(text.into_bytes(), &Limits { lenient: true, ..Limits::default() }).unwrap().0
}

fn written(value: &Value) -> String {
    match value {
        Value::Real(number) => format!("{number:.17E}").replace('+', ""),
        Value::List(members) => format!("( {})", members.iter().map(written).collect::<Vec<_>>().join(", ")),
        Value::Typed(name, inner) => format!("{} ({})", name.to_ascii_uppercase(), written(inner)),
        other => {
            let mut out = String::new();
            ifc::step::encode::value(other, &mut out);
            out
        }
    }
}

pub(super) fn compared(before: &Model, after: &Model) -> Comparison {
    compare(before, after, &CompareOptions::default())
}

/// Instances and attributes that an edit changes, by class: as the comparison with the edited model in another
/// numbering has them.
fn check(change: impl FnOnce(&mut Edit), expect: &[&str]) -> Comparison {
    let before = house();
    let mut edit = before.edit();
    change(&mut edit);
    let (after, _) = edit.finish();
    let comparison = compared(&before, &rewritten(&after, 1000, 3));
    let mut shown: Vec<String> = comparison
        .entries
        .iter()
        .map(|entry| match &entry.change {
            Change::Added => format!("+{}", entry.class),
            Change::Removed => format!("-{}", entry.class),
            Change::Modified(changes) => {
                let names: Vec<&str> = changes.iter().map(|change| change.attribute.as_str()).collect();
                format!("{}.{}", entry.class, names.join(","))
            }
        })
        .collect();
    shown.sort_unstable();
    assert_eq!(shown, expect);
    comparison
}

#[test]
fn a_file_written_otherwise_says_the_same() {
    let one = house();
    assert!(compared(&one, &one).is_empty());
    let other = rewritten(&one, 500, 7);
    let comparison = compared(&one, &other);
    assert_eq!(comparison.entries, []);
    assert_eq!(comparison.after_of(Id(10)), other.by_guid("000000000000000000000A"));
    assert_eq!(comparison.before_of(comparison.after_of(Id(61)).unwrap()), Some(Id(61)));
}

#[test]
fn a_change_shows_where_it_is_and_nowhere_above() {
    let comparison = check(|edit| edit.set(Id(10), "Name", "Nord").unwrap(), &["IfcWall.Name"]);
    assert_eq!(comparison.entries[0].was, Some(Id(10)));
    check(
        |edit| edit.set(Id(96), "Coordinates", vec![11.0, 0.0, 0.0]).unwrap(),
        &["IfcCartesianPoint.Coordinates"],
    );
    check(
        |edit| edit.set(Id(34), "NominalValue", Value::typed("IfcBoolean", false)).unwrap(),
        &["IfcPropertySingleValue.NominalValue"],
    );
    check(|edit| edit.set(Id(63), "Name", "Wände").unwrap(), &["IfcClassificationReference.Name"]);
    check(
        |edit| edit.remove_from(Id(17), "RelatedElements", Id(11)).unwrap(),
        &["IfcRelContainedInSpatialStructure.RelatedElements"],
    );
    check(
        |edit| {
            edit.remove_from(Id(33), "HasProperties", Id(35)).unwrap();
            edit.remove(Id(35)).unwrap();
        },
        &["-IfcPropertyEnumeratedValue", "IfcPropertySet.HasProperties"],
    );
    // one of two points at the same place becomes another; it is not known which, nor does it matter
    check(
        |edit| {
            let point = [("Coordinates", Value::list([0.0, 0.0, 9.0]))];
            let point = edit.create("IfcCartesianPoint", &point).unwrap();
            edit.set(Id(93), "Location", point).unwrap();
        },
        &["+IfcCartesianPoint", "IfcAxis2Placement3D.Location"],
    );
}

#[test]
fn new_global_ids_of_relationships_and_sets_do_not_hide_what_they_are() {
    let mut lines = HOUSE.to_owned();
    for (old, new) in [("00000000000H'", "00000001111H'"), ("00000000000P'", "00000001111P'")] {
        assert_eq!(lines.matches(old).count(), 1);
        lines = lines.replace(old, new);
    }
    let after = rewritten(&model(SchemaVersion::Ifc4, &lines), 1, 1);
    let comparison = compared(&house(), &after);
    let shown: Vec<_> =
        comparison.entries.iter().map(|entry| (entry.class.as_str(), &entry.change)).collect();
    assert_eq!(shown.len(), 2, "{shown:?}");
    assert!(shown.iter().all(|(_, change)| {
        matches!(change, Change::Modified(changes) if changes.iter().all(|c| c.attribute == "GlobalId"))
    }));
}

#[test]
fn a_global_id_that_comes_twice_is_matched_by_what_else_there_is() {
    let double = HOUSE.replace("000000000000000000000B", "000000000000000000000A");
    let before = model(SchemaVersion::Ifc4, &double);
    let after = model(SchemaVersion::Ifc4, &double.replace("'South wall'", "'Southern wall'"));
    let comparison = compared(&before, &rewritten(&after, 100, 1));
    assert_eq!((comparison.modified, comparison.added, comparison.removed), (1, 0, 0));
    assert_eq!(comparison.entries[0].name.as_deref(), Some("Southern wall"));
    // and without any, by content
    let none = HOUSE.replace("'000000000000000000000B'", "$");
    let none = model(SchemaVersion::Ifc4, &none);
    assert!(compared(&none, &rewritten(&none, 100, 1)).is_empty());
}

#[test]
fn reals_are_the_same_within_a_tolerance_if_one_is_given() {
    let before = house();
    let after = model(SchemaVersion::Ifc4, &HOUSE.replace("(10.,0.,0.)", "(10.0004,0.,0.)"));
    assert_eq!(compared(&before, &after).modified, 1);
    let tolerant = |step| compare(&before, &after, &CompareOptions { tolerance: Some(step), limit: 10 });
    assert!(tolerant(0.001).is_empty());
    assert_eq!(tolerant(0.0001).modified, 1);
    // on the two sides of a step of the grid
    let near = model(SchemaVersion::Ifc4, &HOUSE.replace("(10.,0.,0.)", "(10.00049,0.,0.)"));
    let over = model(SchemaVersion::Ifc4, &HOUSE.replace("(10.,0.,0.)", "(10.00051,0.,0.)"));
    assert!(compare(&near, &over, &CompareOptions { tolerance: Some(0.001), limit: 10 }).is_empty());
}

#[test]
fn entries_are_described_up_to_the_limit_and_counted_beyond() {
    let empty = model(SchemaVersion::Ifc4, "");
    let comparison = compare(&empty, &house(), &CompareOptions { limit: 5, ..CompareOptions::default() });
    assert_eq!((comparison.added as usize, comparison.entries.len()), (house().len(), 5));
}

#[test]
fn schemas_are_compared_by_the_names_of_classes_and_attributes() {
    let lines = "#1=IFCWALL('000000000000000000000A',$,'W',$,$,$,$,'tag'PREDEFINED);";
    let old = model(SchemaVersion::Ifc2x3, &lines.replace("PREDEFINED", ""));
    let new = model(SchemaVersion::Ifc4, &lines.replace("PREDEFINED", ",$"));
    assert_eq!(compared(&old, &new).entries, []);
    let typed = model(SchemaVersion::Ifc4, &lines.replace("PREDEFINED", ",.SOLIDWALL."));
    let comparison = compared(&old, &typed);
    let expect = AttributeDiff {
        attribute: "PredefinedType".to_owned(),
        before: Value::Null,
        after: Value::enumeration("SOLIDWALL"),
    };
    assert_eq!(comparison.entries[0].change, Change::Modified(vec![expect]));
}

#[test]
fn circles_end() {
    let circle = "#1=IFCLOCALPLACEMENT(#2,#3);\n#2=IFCLOCALPLACEMENT(#1,#3);\n#3=IFCAXIS2PLACEMENT3D(#4,$,$);\n#4=IFCCARTESIANPOINT((1.,0.,0.));\n#5=IFCLOCALPLACEMENT(#5,#3);";
    let circle = model(SchemaVersion::Ifc4, circle);
    assert!(compared(&circle, &circle).is_empty());
    assert_eq!(compared(&circle, &rewritten(&circle, 10, 1)).entries, []);
}

#[test]
fn a_difference_names_instance_attribute_and_values() {
    let (before, _) = Model::from_bytes(WALLS.into(), &Limits::default()).unwrap();
    let mut edit = before.edit();
    edit.set(Id(4), "Name", "new").unwrap();
    edit.remove(Id(5)).unwrap();
    let (after, _) = edit.finish();
    let entries = diff(&before, &after);
    let change = |attribute: &str, before: Value, after: Value| {
        Change::Modified(vec![AttributeDiff { attribute: attribute.to_owned(), before, after }])
    };
    let shown: Vec<_> = entries.iter().map(|e| (e.id.0, e.class.as_str(), e.change.clone())).collect();
    let expect = [
        (4, "IfcWall", change("Name", "W1".into(), "new".into())),
        (5, "IfcWall", Change::Removed),
        (
            7,
            "IfcRelContainedInSpatialStructure",
            change("RelatedElements", Value::list([Id(4), Id(5)]), Value::list([Id(4)])),
        ),
    ];
    assert_eq!(shown, expect);
    let (other, _) = Model::from_bytes(after.to_bytes(), &Limits::default()).unwrap();
    assert_eq!(diff(&before, &other), entries);
    assert_eq!(diff(&other, &after), []);
}

proptest! {
    #[test]
    fn a_model_in_other_numbers_differs_in_nothing(steps in steps()) {
        let (after, _) = edited(&house(), &steps, 'n');
        // of the overlay and of the file alike
        prop_assert_eq!(compared(&after, &rewritten(&after, 300, 2)).entries, vec![]);
        prop_assert_eq!(compared(&rewritten(&after, 300, 2), &after).entries, vec![]);
        prop_assert!(diff(&after, &after).is_empty());
    }

    #[test]
    fn what_is_said_of_things_with_a_global_id_is_the_same_in_a_history_and_a_comparison(steps in steps()) {
        let before = house();
        let (after, _) = edited(&before, &steps, 'n');
        // attributes that refer to nothing: what has no GlobalId may be taken for another of the same content
        let plain = |entries: &[DiffEntry]| -> Vec<String> {
            let mut found = Vec::new();
            for entry in entries {
                let (Some(guid), Change::Modified(changes)) = (&entry.global_id, &entry.change) else { continue };
                for change in changes.iter().filter(|change| change.attribute != "GlobalId") {
                    let mut refers = false;
                    change.before.for_each_ref(&mut |_| refers = true);
                    change.after.for_each_ref(&mut |_| refers = true);
                    if !refers {
                        found.push(format!("{guid} {} {:?} {:?}", change.attribute, change.before, change.after));
                    }
                }
            }
            found.sort();
            found
        };
        let comparison = compared(&before, &rewritten(&after, 300, 2));
        prop_assert_eq!(plain(&diff(&before, &after)), plain(&comparison.entries));
        prop_assert_eq!(comparison.added as i64 - comparison.removed as i64, after.len() as i64 - before.len() as i64);
    }
}

#[test]
fn real_files_written_otherwise_say_the_same() {
    let Some(models) = testing::data("models") else { return };
    for name in ["AC20-FZK-Haus.ifc", "Duplex_A_20110907.ifc", "wall_door_column_4x3.ifc", "Vebo.ifc"] {
        let (one, _) = Model::open(&models.join(name), &Limits::default()).unwrap();
        let comparison = compared(&one, &rewritten(&one, 77, 3));
        assert!(comparison.is_empty(), "{name}: {:?}", comparison.entries.iter().take(5).collect::<Vec<_>>());
    }
}
