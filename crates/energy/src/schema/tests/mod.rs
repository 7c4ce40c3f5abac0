mod versions;

use super::*;

#[test]
fn the_built_in_tables_hold_every_type_of_the_version() {
    let schema = Schema::built_in();
    assert_eq!((schema.version(), schema.short_version()), ("25.2.0", "25.2"));
    assert_eq!(schema.types().len(), 858);
    assert_eq!(schema.types().iter().filter(|object| object.named).count(), 694);
    assert_eq!(schema.types().iter().filter(|object| object.extensible.is_some()).count(), 120);
    let required: Vec<&str> = schema.types().iter().filter(|o| o.required).map(|o| &*o.name).collect();
    assert_eq!(required, ["Building", "GlobalGeometryRules"]);
}

#[test]
fn what_is_packed_is_what_the_installation_says() {
    let Some(folder) = testing::energyplus() else { return };
    let read = Schema::load(&folder).unwrap();
    assert_eq!(read.types(), Schema::built_in().types());
    assert_eq!(codec::unpack(&read.pack()).unwrap().types(), read.types());
}

#[test]
fn a_field_knows_its_range_units_choices_and_what_it_may_name() {
    let schema = Schema::built_in();
    let zone = schema.get("ZONE").unwrap();
    assert!(zone.named && !zone.unique);
    let volume = &zone.fields[zone.position("Volume").unwrap()];
    assert_eq!((volume.units.as_deref(), volume.automatic), (Some("m3"), Some(Automatic::Autocalculate)));
    assert!(zone.fields[0].references.iter().any(|list| &**list == "ZoneNames"));
    let period = schema.get("RunPeriod").unwrap();
    let month = &period.fields[period.position("begin_month").unwrap()];
    assert!(month.required && month.kind == FieldKind::Integer);
    assert_eq!(month.maximum, Some(Bound { value: 12.0, exclusive: false }));
    let surface = schema.get("BuildingSurface:Detailed").unwrap();
    let construction = &surface.fields[surface.position("Construction Name").unwrap()];
    assert_eq!((construction.kind, &*construction.lists[0]), (FieldKind::Reference, "ConstructionNames"));
    assert!(schema.members("ConstructionNames").unwrap().fields.len() > 2);
    let pipe = schema.get("Pipe:Adiabatic").unwrap();
    assert_eq!(
        pipe.fields.iter().map(|field| field.kind).collect::<Vec<_>>(),
        [FieldKind::Text, FieldKind::Node, FieldKind::Node]
    );
    let branch = schema.get("Branch").unwrap();
    let node = branch.field_at(branch.position("Component 2 Inlet Node Name").unwrap()).unwrap();
    assert_eq!((node.0.kind, node.1), (FieldKind::Node, Some(1)));
}

#[test]
fn fields_of_groups_are_found_and_named_by_their_number() {
    let schema = Schema::built_in();
    let surface = schema.get("buildingsurface:detailed").unwrap();
    let at = surface.position("Vertex 2 Y-coordinate").unwrap();
    assert_eq!(at, surface.position("vertex_2_y_coordinate").unwrap());
    let (field, group) = surface.field_at(at).unwrap();
    assert_eq!(
        (&*field.key, field.name_in(group).as_str()),
        ("vertex_y_coordinate", "Vertex 2 Y-coordinate")
    );
    assert_eq!(surface.position("no_such_field"), None);
}

#[test]
fn a_search_finds_types_by_name_memo_field_and_unit() {
    let schema = Schema::built_in();
    let first = |query: &str| {
        schema.search(query, 5).into_iter().map(|hit| hit.object.name.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(first("zone")[0], "Zone");
    assert_eq!(first("SizingPeriod:DesignDay")[0], "SizingPeriod:DesignDay");
    assert!(first("daylighting controls").contains(&"Daylighting:Controls".to_owned()));
    assert!(
        first("infiltration air changes per hour")
            .iter()
            .any(|name| name == "ZoneInfiltration:DesignFlowRate")
    );
    assert!(
        first("thermostat heating setpoint schedule")
            .iter()
            .any(|name| name.starts_with("ThermostatSetpoint"))
    );
    assert!(schema.search("qqqzzzxxx", 5).is_empty());
    let hits = schema.search("vertex x-coordinate", 20);
    assert!(hits.iter().any(|hit| hit.fields.iter().any(|field| &*field.key == "vertex_x_coordinate")));
}

#[test]
fn near_names_are_suggested() {
    let schema = Schema::built_in();
    assert_eq!(schema.near("BuildingSurface:Detaild", 1), ["BuildingSurface:Detailed"]);
    assert!(schema.near("qqqqqqqqqqqqqq", 3).is_empty());
}

#[test]
fn damaged_tables_are_refused() {
    let packed = Schema::built_in().pack();
    for cut in [0, 1, 10, packed.len() / 2, packed.len() - 5] {
        assert!(codec::unpack(&packed[..cut]).is_err());
    }
    assert!(Schema::from_parts(b"{}", b"").is_err());
    assert!(Schema::from_parts(b"[1", b"").is_err());
}
