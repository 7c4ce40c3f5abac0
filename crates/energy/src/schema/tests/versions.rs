//! The schemas of all versions: which is chosen, and whether what is packed is what their makers wrote.

use super::super::pool;
use super::*;
use std::collections::HashMap;
use std::io::Read;

/// Version, types, those with names, those with groups that repeat, fields: counted in the published schemas.
const FACTS: [(&str, usize, usize, usize, usize); 18] = [
    ("8.9.0", 799, 644, 100, 12881),
    ("9.0.1", 799, 643, 102, 12749),
    ("9.1.0", 801, 644, 104, 12757),
    ("9.2.0", 806, 648, 107, 12749),
    ("9.3.0", 814, 656, 107, 12852),
    ("9.4.0", 815, 656, 110, 12889),
    ("9.5.0", 821, 662, 110, 12900),
    ("9.6.0", 826, 667, 113, 13106),
    ("22.1.0", 830, 671, 113, 13141),
    ("22.2.0", 835, 674, 114, 13222),
    ("23.1.0", 840, 678, 114, 13306),
    ("23.2.0", 846, 682, 116, 13454),
    ("24.1.0", 847, 683, 116, 13469),
    ("24.2.0", 848, 684, 119, 13469),
    ("25.1.0", 849, 684, 119, 13472),
    ("25.2.0", 858, 694, 120, 13507),
    ("26.1.0", 858, 694, 120, 13507),
    ("26.2.0", 880, 715, 122, 13727),
];

#[test]
fn every_version_holds_as_many_types_and_fields_as_its_makers_wrote() {
    let named: Vec<String> = Schema::versions().collect();
    assert_eq!(named.len(), FACTS.len());
    for (version, types, with_names, with_groups, fields) in FACTS {
        let schema = Schema::exactly(version).unwrap();
        assert_eq!(schema.version(), version);
        assert!(named.contains(&schema.short_version().to_owned()), "{version}");
        let all = schema.types();
        assert_eq!(all.len(), types, "{version}");
        assert_eq!(all.iter().filter(|object| object.named).count(), with_names, "{version}");
        assert_eq!(all.iter().filter(|object| object.extensible.is_some()).count(), with_groups, "{version}");
        assert_eq!(all.iter().map(|object| object.all_fields().count()).sum::<usize>(), fields, "{version}");
        assert!(all.iter().all(|object| !object.group.is_empty()), "{version}");
        assert_eq!(&*all[0].name, "Version", "{version}");
        let required: Vec<&str> = all.iter().filter(|o| o.required).map(|o| &*o.name).collect();
        assert_eq!(required, ["Building", "GlobalGeometryRules"], "{version}");
    }
}

#[test]
fn what_is_packed_of_every_version_is_what_was_published() {
    let Some(folder) = testing::energyplus_schemas() else { return };
    let mut seen = 0;
    for (version, ..) in FACTS {
        let schema = Schema::exactly(version).unwrap();
        let file = folder.join(format!("V{}", version.replace('.', "-"))).join("Energy+.schema.epJSON.gz");
        let mut json = Vec::new();
        let gzipped =
            std::fs::File::open(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        flate2::read::GzDecoder::new(gzipped).read_to_end(&mut json).unwrap();
        let read = Schema::from_parts(&json, b"").unwrap();
        assert_eq!(read.version(), version);
        let mut by_name: HashMap<&str, &ObjectType> =
            schema.types().iter().map(|it| (&*it.name, it)).collect();
        for wanted in read.types() {
            let packed = by_name.remove(&*wanted.name).unwrap();
            // what only an IDD says is not in it
            let mut plain = packed.clone();
            if wanted.group.is_empty() {
                plain.group = "".into();
            }
            let groups = plain.extensible.iter_mut().flat_map(|group| &mut group.fields);
            let others = wanted.all_fields().map(|field| field.kind);
            for (field, kind) in plain.fields.iter_mut().chain(groups).zip(others) {
                field.numbered = None;
                if field.kind == FieldKind::Node {
                    field.kind = kind;
                }
            }
            assert_eq!(&plain, wanted, "{version}");
            seen += 1;
        }
        assert!(by_name.is_empty(), "{version}");
    }
    assert_eq!(seen, FACTS.iter().map(|facts| facts.1).sum::<usize>());
}

#[test]
fn a_pack_of_several_schemas_gives_each_back() {
    let schemas = ["9.0", "25.2", "26.2"].map(|version| Schema::exactly(version).unwrap());
    let again = schemas.each_ref().map(|schema| codec::unpack(&schema.pack()).unwrap());
    let packed = pool::pack(&again);
    for schema in &schemas {
        let read = pool::unpack(&packed, schema.short_version()).unwrap();
        assert_eq!((read.version(), read.types()), (schema.version(), schema.types()));
    }
    assert!(pool::unpack(&packed, "9.1").is_err());
    for cut in [0, 1, 10, packed.len() / 2, packed.len() - 5] {
        assert!(pool::unpack(&packed[..cut], "9.0").is_err());
    }
    for at in (0..packed.len()).step_by(packed.len() / 40) {
        let mut damaged = packed.clone();
        damaged[at] ^= 0x55;
        // whatever comes of it, it comes to an end
        drop(pool::unpack(&damaged, "26.2"));
    }
}

#[test]
fn fields_move_appear_and_are_renamed_between_versions() {
    let keys = |version: &str, type_name: &str| -> Vec<String> {
        let schema = Schema::exactly(version).unwrap();
        schema.get(type_name).unwrap().fields.iter().map(|field| field.key.to_string()).collect()
    };
    let at = |version: &str, type_name: &str, key: &str| {
        keys(version, type_name).iter().position(|known| known == key)
    };
    for (version, boundary, space) in [("9.5", 4, None), ("9.6", 5, Some(4)), ("26.2", 5, Some(4))] {
        let wall = "BuildingSurface:Detailed";
        assert_eq!(at(version, wall, "outside_boundary_condition"), Some(boundary));
        assert_eq!(at(version, wall, "space_name"), space);
    }
    assert_eq!(at("8.9", "FenestrationSurface:Detailed", "shading_control_name"), Some(6));
    assert_eq!(at("9.0", "FenestrationSurface:Detailed", "shading_control_name"), None);
    assert_eq!(at("8.9", "RunPeriod", "end_month"), Some(3));
    assert_eq!(at("9.0", "RunPeriod", "end_month"), Some(4));
    assert_eq!(at("26.1", "Building", "construction_assignment_set_name"), None);
    assert_eq!(at("26.2", "Building", "construction_assignment_set_name"), Some(8));
    // a list of groups was a row of fields
    assert_eq!(at("8.9", "Schedule:Year", "schedule_week_name_2"), Some(7));
    assert!(Schema::exactly("9.0").unwrap().get("Schedule:Year").unwrap().extensible.is_some());
}

#[test]
fn what_only_an_idd_says_is_known_of_every_version() {
    for (version, ..) in FACTS {
        let schema = Schema::exactly(version).unwrap();
        let pipe = schema.get("Pipe:Adiabatic").unwrap();
        let kinds: Vec<FieldKind> = pipe.fields.iter().map(|field| field.kind).collect();
        assert_eq!(kinds, [FieldKind::Text, FieldKind::Node, FieldKind::Node], "{version}");
        let wall = schema.get("BuildingSurface:Detailed").unwrap();
        let (field, group) = wall.field_at(wall.position("vertex_2_y_coordinate").unwrap()).unwrap();
        assert_eq!(field.name_in(group), "Vertex 2 Y-coordinate", "{version}");
        let nodes = schema.types().iter().flat_map(ObjectType::all_fields);
        let nodes = nodes.filter(|field| field.kind == FieldKind::Node).count();
        assert!((700..900).contains(&nodes), "{version}: {nodes} fields name nodes");
        // until 9.5 the schemas say in another way whether the least number is itself too small
        let thickness = schema.get("Material").unwrap().fields.iter().find(|it| &*it.key == "thickness");
        assert_eq!(thickness.unwrap().minimum, Some(Bound { value: 0.0, exclusive: true }), "{version}");
    }
}

#[test]
fn a_model_is_read_by_the_schema_of_its_version_or_the_nearest() {
    for (said, read_by, told) in [
        ("25.2", "25.2", ""),
        (" 9.6 ", "9.6", ""),
        ("9.6.0", "9.6", ""),
        ("9.0", "9.0", ""),
        ("9.0.1", "9.0", ""),
        ("24.2.0a", "24.2", ""),
        ("25.1.0-68a4a7c774", "25.1", ""),
        ("", "25.2", ""),
        ("7.0", "8.9", "older than every schema here"),
        ("8.8.0", "8.9", "older than every schema here"),
        ("26.3", "26.2", "newer than every schema here"),
        ("4294967295.9", "26.2", "newer than every schema here"),
        ("9.7", "9.6", "that of the version before, 9.6"),
        ("10.0", "9.6", "that of the version before, 9.6"),
        ("24.3.1", "24.2", "that of the version before, 24.2"),
        ("9.6.0.0.0", "9.6", "not how a version is written"),
        ("9.6.x", "9.6", "not how a version is written"),
        ("9", "9.6", "not how a version is written"),
        ("99999999999.1", "25.2", "no version of EnergyPlus"),
        ("25,2", "25.2", "no version of EnergyPlus"),
        ("-9.6", "25.2", "no version of EnergyPlus"),
        ("9.", "25.2", "no version of EnergyPlus"),
        (".", "25.2", "no version of EnergyPlus"),
        ("zwölf\u{0}", "25.2", "no version of EnergyPlus"),
    ] {
        let found = Schema::for_version(said);
        assert_eq!(found.schema.short_version(), read_by, "{said:?}");
        let remark = found.remark.unwrap_or_default();
        assert!(remark.contains(told) && remark.is_empty() == told.is_empty(), "{said:?}: {remark}");
        assert!(remark.is_empty() || remark.contains(read_by), "{said:?}: {remark}");
    }
    let long = Schema::for_version(&"9".repeat(100_000)).remark.unwrap();
    assert!(long.len() < 300, "{long}");
    assert!(
        Schema::exactly("9.7").is_none() && Schema::exactly("").is_none() && Schema::exactly("9").is_none()
    );
    // one schema of each, whoever asks
    assert!(Arc::ptr_eq(&Schema::for_version("9.6").schema, &Schema::exactly("9.6.0").unwrap()));
    assert!(Arc::ptr_eq(&Schema::for_version("25.2").schema, &Schema::built_in()));
}
