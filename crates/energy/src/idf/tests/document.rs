use super::*;

fn zone(name: &str) -> Record {
    let number = schema().number("Zone");
    Record { type_name: "Zone".into(), number, values: vec![name.into()], ..Record::default() }
}

#[test]
fn objects_are_found_by_type_and_name_whatever_the_case() {
    let (document, _) =
        read("Version,25.2;Zone,A b;Zone,c;Output:Variable,*,Foo,Hourly;Output:Variable,*,Bar,Hourly;");
    assert_eq!(document.get("ZONE", "a B").unwrap().handle(), Handle(1));
    assert!(document.get("Zone", "x").is_none());
    assert_eq!(document.get("version", "").unwrap().value(0), "25.2");
    assert!(document.get("Output:Variable", "").is_none());
    assert_eq!(document.get("Output:Variable", "#4").unwrap().get("variable name"), Some("Bar"));
    assert!(document.get("Zone", "#4").is_none());
    assert_eq!(document.of_type("zone").count(), 2);
    assert_eq!(document.types(), [("Output:Variable", 2), ("Version", 1), ("Zone", 2)]);
}

#[test]
fn a_copy_is_not_touched_by_an_edit_and_names_follow() {
    let (before, _) = read("Zone,a;Zone,b;");
    let mut after = before.clone();
    after.put(Handle(0), Some(zone("renamed")));
    after.put(Handle(1), None);
    let added = after.push(zone("new"));
    assert_eq!(listed(&before), "Zone|a\nZone|b");
    assert_eq!(listed(&after), "Zone|renamed\nZone|new");
    assert!(after.get("Zone", "a").is_none() && after.get("Zone", "b").is_none());
    assert_eq!(after.get("Zone", "RENAMED").unwrap().handle(), Handle(0));
    assert_eq!(after.get("Zone", "new").unwrap().handle(), added);
    after.put(added, Some(zone("newer")));
    assert!(after.get("Zone", "new").is_none() && after.get("Zone", "newer").is_some());
}

#[test]
fn a_delta_leads_there_and_back_through_bytes() {
    let (before, _) = read("Zone,a,1,2;Zone,b;Zone,c;");
    let mut after = before.clone();
    let mut changed = before.object(Handle(0)).unwrap().to_record();
    changed.values[2] = "7".into();
    after.put(Handle(0), Some(changed));
    after.put(Handle(1), None);
    after.push(zone("new"));
    let there = Delta::decode(&after.delta_from(&before).unwrap().encode()).unwrap();
    assert_eq!(there.changed[0].1.values, [(2, "7".into())]);
    let reached = before.apply(&there).unwrap();
    assert_eq!(listed(&reached), listed(&after));
    assert_eq!(reached.to_bytes(Format::Idf).unwrap(), after.to_bytes(Format::Idf).unwrap());
    let back = before.delta_from(&after).unwrap();
    assert_eq!(listed(&after.apply(&back).unwrap()), listed(&before));
    assert!(after.delta_from(&after).unwrap().is_empty());
    // what the document does not have cannot be changed
    assert_eq!(after.apply(&there).err(), Some(DeltaError::Missing(Handle(1))));
}

#[test]
fn a_delta_applied_to_a_moved_document_keeps_both_changes() {
    let (before, _) = read("Zone,a,1,2;");
    let (mut one, mut other) = (before.clone(), before.clone());
    one.push(zone("one"));
    other.push(zone("other"));
    let mut changed = before.object(Handle(0)).unwrap().to_record();
    changed.values[1] = "9".into();
    other.put(Handle(0), Some(changed));
    let joined = one.apply(&other.delta_from(&before).unwrap()).unwrap();
    assert_eq!(listed(&joined), "Zone|a|9|2\nZone|one\nZone|other");
}

#[test]
fn another_file_is_a_whole_delta() {
    let (before, _) = read("Zone,a;");
    let (after, _) = read("Zone,b;\n");
    let delta = Delta::decode(&after.delta_from(&before).unwrap().encode()).unwrap();
    assert_eq!(before.apply(&delta).unwrap().to_bytes(Format::Idf).unwrap(), b"Zone,b;\n");
}

#[test]
fn handles_cannot_be_used_up_from_elsewhere_and_no_object_is_written_over() {
    let (document, _) = read("Zone,a;Zone,b;");
    let far = Delta { added: vec![(Handle(4_000_000_000), zone("far"))], ..Delta::default() };
    assert_eq!(document.apply(&far).err(), Some(DeltaError::Damaged));
    let over = Delta { base_next: 2, next: 2, added: vec![(Handle(1), zone("c"))], ..Delta::default() };
    assert_eq!(listed(&document.apply(&over).unwrap()), "Zone|a\nZone|b\nZone|c");
}

#[test]
fn damaged_deltas_are_refused() {
    let (before, _) = read("Zone,a;");
    let mut after = before.clone();
    after.push(zone("new"));
    let bytes = after.delta_from(&before).unwrap().encode();
    for cut in 0..bytes.len() {
        assert_eq!(Delta::decode(&bytes[..cut]), Err(DeltaError::Damaged), "{cut}");
    }
    for at in 0..bytes.len() {
        for bit in 0..8 {
            let mut bad = bytes.clone();
            bad[at] ^= 1 << bit;
            if let Ok(delta) = Delta::decode(&bad) {
                let _ = before.apply(&delta);
            }
        }
    }
}

#[test]
fn a_difference_names_objects_and_fields() {
    let (before, _) = read("Zone,a,1;Timestep,4;");
    let mut after = before.clone();
    let mut changed = before.object(Handle(1)).unwrap().to_record();
    changed.values[0] = "6".into();
    after.put(Handle(1), Some(changed));
    after.push(zone("new"));
    let raw = diff(&before, &after);
    assert_eq!((raw.added.len(), raw.removed.len()), (1, 0));
    assert_eq!(raw.modified[0].changes[0].attribute, "Number of Timesteps per Hour");
    assert_eq!(raw.modified[0].changes[0].after, 6);
    let said = summary(&raw, None);
    assert_eq!((said.instances, said.properties[0].id.as_str()), (2, "#1"));
    // the same through files of their own
    let written = after.to_bytes(Format::Idf).unwrap();
    let (apart, _) = Document::open(&written).unwrap();
    let raw = diff(&before, &apart);
    assert_eq!((raw.added.len(), raw.removed.len(), raw.modified.len()), (2, 1, 0));
}
