//! The real files and the STEP cases that nobody here wrote.

use crate::*;
use std::path::PathBuf;

fn ifc_files(folder: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open: Vec<PathBuf> = testing::data(folder).into_iter().collect();
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|e| e == "ifc") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

#[test]
fn every_real_file_opens_whole_and_is_written_byte_for_byte() {
    let files: Vec<PathBuf> =
        ["models", "ifc43_samples"].iter().flat_map(|folder| ifc_files(folder)).collect();
    let mut unexpected = Vec::new();
    for path in files {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let (model, problems) = Model::open(&path, &Limits::default()).unwrap();
        unexpected.extend(problems.iter().take(3).map(|p| format!("{name}: {:?} {p}", p.code)));
        let bytes = std::fs::read(&path).unwrap();
        assert!(model.to_bytes() == bytes, "{name} is not written as it was read");
        let instances = bytes.split(|b| *b == b'\n').filter(|line| line.trim_ascii_start().starts_with(b"#"));
        assert!(model.len() <= instances.clone().count() || !bytes.contains(&b'\n'), "{name}");
        assert_eq!(model.class_counts().values().sum::<usize>(), model.len(), "{name}");
    }
    assert!(unexpected.is_empty(), "{unexpected:#?}");
}

#[test]
fn referrers_of_a_class_are_the_same_whether_all_references_are_known_or_not() {
    for path in ifc_files("models").iter().filter(|path| path.metadata().is_ok_and(|m| m.len() < 5_000_000)) {
        let known = Model::open(path, &Limits::default()).unwrap().0;
        // asking for any referrer finds them all
        let first = known.ids().next().unwrap();
        known.referrers(first);
        // one class, some that are rare, and all relations there are
        for classes in [&["IfcRelVoidsElement"][..], &["IfcSIUnit", "IfcStyledItem"], &["IfcRelationship"]] {
            let fresh = Model::open(path, &Limits::default()).unwrap().0;
            for (id, class) in known.ids().step_by(7).flat_map(|id| classes.iter().map(move |c| (id, c))) {
                assert_eq!(fresh.referrers_of(id, class), known.referrers_of(id, class), "{id} {class}");
            }
        }
    }
}

#[test]
fn an_instance_read_and_written_anew_reads_the_same() {
    for path in ifc_files("models") {
        let (model, _) = Model::open(&path, &Limits::default()).unwrap();
        for id in model.ids() {
            let instance = model.get(id).unwrap();
            let values = instance.attributes();
            let mut text = String::new();
            step::encode::list(&values, &mut text);
            let spelling = |name: &str| model.schema().type_declaration(name).map(|t| t.name);
            let again = step::Cursor::new(text.as_bytes(), 0).value(&spelling).unwrap();
            assert!(Value::List(values).is_identical(&again), "{} {id}", path.display());
        }
    }
}

#[test]
fn one_edit_of_a_real_file_changes_its_lines_and_no_others() {
    for path in ifc_files("models") {
        let (model, _) = Model::open(&path, &Limits::default()).unwrap();
        let before = std::fs::read(&path).unwrap();
        let Some(storey) = model.of_class("IfcBuildingStorey").first().copied() else { continue };
        let mut edit = model.edit();
        edit.set(storey, "Name", "Ground floor \u{2713}").unwrap();
        let point = edit.create("IfcCartesianPoint", &[("Coordinates", Value::list([0.5, 1e-7]))]).unwrap();
        let (after, delta) = edit.finish();
        let bytes = after.to_bytes();
        let lines =
            |bytes: &[u8]| -> Vec<Vec<u8>> { bytes.split(|b| *b == b'\n').map(<[u8]>::to_vec).collect() };
        let (old, new) = (lines(&before), lines(&bytes));
        let changed = new.iter().filter(|line| !old.contains(line)).count();
        assert!(changed <= 3, "{}: {changed} lines changed", path.display());
        let (again, problems) = Model::from_bytes(bytes, &Limits::default()).unwrap();
        assert_eq!(problems, []);
        assert_eq!(again.get(storey).unwrap().name().as_deref(), Some("Ground floor \u{2713}"));
        assert_eq!(again.get(point).unwrap().attr("Coordinates"), Value::list([0.5, 1e-7]));
        let applied = model.apply(&Delta::decode(&delta.encode()).unwrap()).unwrap();
        assert!(applied.to_bytes() == after.to_bytes());
        assert!(after.apply(&Delta::between(&after, &model)).unwrap().to_bytes() == before);
    }
}

#[test]
fn referrers_are_exactly_those_that_refer() {
    for path in ifc_files("models").into_iter().take(6) {
        let (model, _) = Model::open(&path, &Limits::default()).unwrap();
        let mut expect: std::collections::HashMap<Id, Vec<Id>> = std::collections::HashMap::new();
        for id in model.ids() {
            for value in model.get(id).unwrap().attributes() {
                value.for_each_ref(&mut |target| expect.entry(target).or_default().push(id));
            }
        }
        for id in model.ids() {
            let mut wanted = expect.remove(&id).unwrap_or_default();
            wanted.sort_unstable();
            wanted.dedup();
            assert_eq!(model.referrers(id), wanted, "{} {id}", path.display());
        }
    }
}

#[test]
fn the_syntax_cases_are_judged_as_their_names_say() {
    for path in ifc_files("spf") {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let outcome = Model::open(&path, &Limits::default());
        let clean = matches!(&outcome, Ok((_, problems)) if problems.is_empty());
        assert_eq!(clean, name.starts_with("pass"), "{name}: {outcome:?}");
        for problem in outcome.map(|(_, problems)| problems).unwrap_or_default() {
            assert!(problem.line > 0 && problem.column > 0, "{name}: {problem}");
        }
    }
}
