use super::*;
use crate::guid::GuidSource;
use crate::sample::{HOUSE, model};
use crate::{Model, SchemaVersion};

fn house() -> Model {
    model(SchemaVersion::Ifc4, HOUSE)
}

fn value(house: &Model, element: u32, set: &str, name: &str) -> Option<Value> {
    get(house, Id(element), set, name).map(|value| value.untyped().clone())
}

fn change(
    house: &Model,
    elements: &[u32],
    set: &str,
    changes: &[(&str, Option<Value>)],
) -> Result<Model, SetError> {
    let mut edit = house.edit();
    let elements: Vec<Id> = elements.iter().map(|id| Id(*id)).collect();
    let changes: Vec<Change> = changes
        .iter()
        .map(|(name, value)| Change { name: (*name).to_owned(), value: value.clone() })
        .collect();
    super::set(&mut edit, &elements, set, &changes, &mut GuidSource::new("test"))?;
    Ok(edit.finish().0)
}

#[test]
fn an_element_has_the_properties_of_its_type() {
    let house = house();
    assert_eq!(value(&house, 10, "Pset_WallCommon", "FireRating"), Some(Value::from("F90")));
    assert_eq!(value(&house, 10, "Pset_WallCommon", "IsExternal"), Some(Value::Boolean(true)));
    assert_eq!(value(&house, 11, "Pset_WallCommon", "FireRating"), None);
    let sets = of_element(&house, Id(10));
    let names: Vec<_> = sets.iter().map(|s| (s.name.as_str(), s.inherited, s.properties.len())).collect();
    assert_eq!(
        names,
        [("Pset_WallCommon", false, 3), ("Qto_WallBaseQuantities", false, 2), ("Pset_WallCommon", true, 1)]
    );
}

#[test]
fn every_kind_of_property_is_read() {
    let house = house();
    let found = |set: &str, name: &str| find(&house, Id(13), set, name).unwrap();
    assert_eq!(
        found("My set", "Load").to_json(),
        serde_json::json!({"lower": 1.0, "upper": 5.0, "set_point": 3.0})
    );
    assert_eq!(found("My set", "Steps").to_json(), serde_json::json!([1, 2]));
    assert_eq!(found("My set", "Lock").to_json(), serde_json::json!({"Cylinder": "C1"}));
    assert_eq!(found("My set", "Curve").to_json(), serde_json::json!([[0.0, 10.0], [1.0, 20.0]]));
}

#[test]
fn predefined_sets_have_their_attributes_as_properties() {
    let doors = model(
        SchemaVersion::Ifc4,
        "#1=IFCDOORTYPE('000000000000000000000A',$,'D',$,$,(#2),$,$,$,.DOOR.,.SINGLE_SWING_LEFT.,$,$);
        #2=IFCDOORLININGPROPERTIES('000000000000000000000B',$,'Lining',$,0.1,0.05,$,$,$,$,$,$,$,$,$,$,$);
        #3=IFCDOOR('000000000000000000000C',$,'D1',$,$,$,$,$,$,$,$,$,$);
        #4=IFCRELDEFINESBYTYPE('000000000000000000000D',$,$,$,(#3),#1);",
    );
    assert_eq!(get(&doors, Id(3), "Lining", "LiningDepth"), Some(Value::Real(0.1)));
    assert_eq!(of_element(&doors, Id(3))[0].properties.len(), 2);
}

#[test]
fn units_come_from_the_property_or_the_file() {
    let house = house();
    let units = Units::from_model(&house);
    let label = |element, set: &str, name: &str| {
        find(&house, Id(element), set, name).unwrap().unit_label(&house, &units)
    };
    assert_eq!(label(10, "Qto_WallBaseQuantities", "Length").as_deref(), Some("m"));
    assert_eq!(label(10, "Qto_WallBaseQuantities", "NetSideArea").as_deref(), Some("m²"));
    assert_eq!(label(10, "Pset_WallCommon", "ThermalTransmittance").as_deref(), Some("W/(m²·K)"));
    assert_eq!(label(10, "Pset_WallCommon", "FireRating"), None);
}

#[test]
fn only_the_elements_named_change_when_a_set_is_shared() {
    let house =
        change(&house(), &[11], "Pset_WallCommon", &[("IsExternal", Some(Value::Boolean(false)))]).unwrap();
    assert_eq!(value(&house, 10, "Pset_WallCommon", "IsExternal"), Some(Value::Boolean(true)));
    assert_eq!(value(&house, 11, "Pset_WallCommon", "IsExternal"), Some(Value::Boolean(false)));
    // the other properties are still there, and shared
    assert_eq!(value(&house, 11, "Pset_WallCommon", "ThermalTransmittance"), Some(Value::Real(0.24)));
    assert_eq!(house.get(Id(37)).unwrap().references("RelatedObjects"), [Id(10)]);
}

#[test]
fn a_set_that_nobody_else_uses_is_changed_in_place() {
    let before = house();
    let after = change(&before, &[10, 11], "Pset_WallCommon", &[("IsExternal", Some(Value::Boolean(false)))])
        .unwrap();
    assert_eq!(after.len(), before.len());
    assert_eq!(after.get(Id(34)).unwrap().attr("NominalValue"), Value::typed("IfcBoolean", false));
}

#[test]
fn a_new_property_has_the_type_of_its_template() {
    let house = change(
        &house(),
        &[10, 12],
        "Pset_WallCommon",
        &[("FireRating", Some("REI60".into())), ("LoadBearing", Some(true.into())), ("Mine", Some(3.into()))],
    )
    .unwrap();
    assert_eq!(get(&house, Id(10), "Pset_WallCommon", "FireRating"), Some(Value::typed("IfcLabel", "REI60")));
    assert_eq!(get(&house, Id(12), "Pset_WallCommon", "LoadBearing"), Some(Value::typed("IfcBoolean", true)));
    assert_eq!(get(&house, Id(12), "Pset_WallCommon", "Mine"), Some(Value::typed("IfcInteger", 3)));
    // the type keeps its own
    assert_eq!(get(&house, Id(22), "Pset_WallCommon", "FireRating"), Some(Value::typed("IfcLabel", "F90")));
    let house =
        change(&house, &[12], "Pset_WallCommon", &[("ThermalTransmittance", Some(1.into()))]).unwrap();
    let typed = Value::typed("IfcThermalTransmittanceMeasure", 1.0);
    assert_eq!(get(&house, Id(12), "Pset_WallCommon", "ThermalTransmittance"), Some(typed));
}

#[test]
fn quantities_are_quantities() {
    let house = change(
        &house(),
        &[12],
        "Qto_SlabBaseQuantities",
        &[("GrossArea", Some(20.5.into())), ("GrossPerimeter", Some(18.into()))],
    )
    .unwrap();
    let set = of_element(&house, Id(12)).remove(0);
    assert!(set.is_quantity);
    let classes: Vec<_> = set.properties.iter().map(|p| house.get(p.id).unwrap().class_name()).collect();
    assert_eq!(classes, ["IfcQuantityArea", "IfcQuantityLength"]);
    let house = change(&house, &[10], "Qto_WallBaseQuantities", &[("Length", Some(8.into()))]).unwrap();
    assert_eq!(value(&house, 10, "Qto_WallBaseQuantities", "Length"), Some(Value::Real(8.0)));
}

#[test]
fn a_property_is_removed_and_with_the_last_one_its_set() {
    let house = change(&house(), &[10], "Qto_WallBaseQuantities", &[("Length", None)]).unwrap();
    assert_eq!(value(&house, 10, "Qto_WallBaseQuantities", "Length"), None);
    assert!(house.get(Id(39)).is_none());
    let house = change(&house, &[10], "Qto_WallBaseQuantities", &[("NetSideArea", None)]).unwrap();
    assert!(house.get(Id(38)).is_none() && house.get(Id(41)).is_none());
}

#[test]
fn an_inherited_property_cannot_be_removed_from_the_element() {
    let error = change(&house(), &[10], "Pset_WallCommon", &[("FireRating", None)]).unwrap_err();
    assert!(matches!(error, SetError::Inherited { ref type_name, .. } if type_name == "WT01"), "{error}");
}

#[test]
fn a_value_of_the_wrong_kind_is_refused() {
    let error =
        change(&house(), &[10], "Pset_WallCommon", &[("IsExternal", Some("yes".into()))]).unwrap_err();
    assert_eq!(error.to_string(), "IsExternal takes true or false (IfcBoolean), not \"yes\"");
    let error = change(&house(), &[13], "My set", &[("Lock", Some(3.into()))]).unwrap_err();
    assert!(matches!(error, SetError::Kind { .. }), "{error}");
}

#[test]
fn a_set_of_sets_is_split_without_losing_the_others() {
    let walls = model(
        SchemaVersion::Ifc4,
        "#1=IFCWALL('000000000000000000000A',$,'A',$,$,$,$,$,$);
        #2=IFCWALL('000000000000000000000B',$,'B',$,$,$,$,$,$);
        #3=IFCPROPERTYSET('000000000000000000000C',$,'One',$,(#5));
        #4=IFCPROPERTYSET('000000000000000000000D',$,'Two',$,(#6));
        #5=IFCPROPERTYSINGLEVALUE('X',$,IFCREAL(1.),$);
        #6=IFCPROPERTYSINGLEVALUE('Y',$,IFCREAL(2.),$);
        #7=IFCRELDEFINESBYPROPERTIES('000000000000000000000E',$,$,$,(#1,#2),IFCPROPERTYSETDEFINITIONSET((#3,#4)));",
    );
    assert_eq!(value(&walls, 2, "Two", "Y"), Some(Value::Real(2.0)));
    let after = change(&walls, &[2], "One", &[("X", Some(9.into()))]).unwrap();
    assert_eq!(
        (value(&after, 1, "One", "X"), value(&after, 2, "One", "X")),
        (Some(Value::Real(1.0)), Some(Value::Real(9.0)))
    );
    assert_eq!(
        (value(&after, 1, "Two", "Y"), value(&after, 2, "Two", "Y")),
        (Some(Value::Real(2.0)), Some(Value::Real(2.0)))
    );
}

#[test]
fn a_value_is_told_in_si_by_its_own_unit_or_the_files() {
    let quantities = model(
        SchemaVersion::Ifc4,
        "#1=IFCUNITASSIGNMENT((#2));
        #2=IFCSIUNIT(*,.LENGTHUNIT.,.MILLI.,.METRE.);
        #3=IFCSIUNIT(*,.LENGTHUNIT.,.CENTI.,.METRE.);
        #4=IFCQUANTITYLENGTH('Length',$,$,2500.,$);
        #5=IFCQUANTITYLENGTH('Width',$,#3,25.,$);
        #6=IFCPROPERTYSINGLEVALUE('Depth',$,IFCPOSITIVELENGTHMEASURE(100.),$);
        #7=IFCPROPERTYSINGLEVALUE('Name',$,IFCLABEL('x'),$);",
    );
    let units = Units::from_model(&quantities);
    let si = |id| property(&quantities, Id(id)).unwrap().in_si(&quantities, &units);
    assert_eq!((si(4), si(5), si(6), si(7)), (Some(2.5), Some(0.25), Some(0.1), None));
}

#[test]
fn ranges_and_tables_are_written_as_they_are_read() {
    let real = |value: f64| Value::from(value);
    let range = |parts: &[Value]| Value::List(parts.to_vec());
    let house = house();
    let after = change(
        &house,
        &[13],
        "My set",
        &[
            ("Load", Some(range(&[real(2.0), Value::Null, real(4.0)]))),
            ("Curve", Some(range(&[range(&[real(0.0), real(1.0)]), range(&[real(2.0), real(3.0)])]))),
        ],
    )
    .unwrap();
    let json = |model: &Model, name: &str| find(model, Id(13), "My set", name).unwrap().to_json();
    assert_eq!(json(&after, "Load"), serde_json::json!({"lower": 2.0, "set_point": 4.0}));
    assert_eq!(json(&after, "Curve"), serde_json::json!([[0.0, 1.0], [2.0, 3.0]]));
    // a set point alone leaves the bounds
    let after = change(&house, &[13], "My set", &[("Load", Some(real(2.5)))]).unwrap();
    assert_eq!(json(&after, "Load"), serde_json::json!({"lower": 1.0, "upper": 5.0, "set_point": 2.5}));
    for wrong in [range(&[real(5.0), real(1.0)]), range(&[real(1.0)]), real(9.0), "x".into()] {
        let refused = change(&house, &[13], "My set", &[("Load", Some(wrong.clone()))]);
        assert!(matches!(refused, Err(SetError::Value { .. })), "{wrong:?}");
    }
    let refused = change(&house, &[13], "My set", &[("Curve", Some(range(&[real(1.0)])))]);
    assert!(matches!(refused, Err(SetError::Value { .. })));
}

#[test]
fn new_ranges_and_tables_have_the_types_of_the_template() {
    let house = house();
    let pair = |a: f64, b: f64| Value::list([a, b]);
    let after = change(
        &house,
        &[13],
        "Pset_AirTerminalTypeCommon",
        &[("TemperatureRange", Some(pair(280.0, 300.0)))],
    )
    .unwrap();
    let found = find(&after, Id(13), "Pset_AirTerminalTypeCommon", "TemperatureRange").unwrap();
    assert_eq!(after.get(found.id).unwrap().class_name(), "IfcPropertyBoundedValue");
    assert_eq!(
        after.get(found.id).unwrap().attr("LowerBoundValue"),
        Value::typed("IfcThermodynamicTemperatureMeasure", 280.0)
    );
    let table = Value::List(vec![pair(63.0, 40.0), pair(125.0, 45.0)]);
    let after = change(&house, &[13], "Pset_SoundGeneration", &[("SoundCurve", Some(table))]).unwrap();
    let found = find(&after, Id(13), "Pset_SoundGeneration", "SoundCurve").unwrap();
    let Detail::Table { defining, defined } = &found.detail else { panic!("{found:?}") };
    assert_eq!(defining[0], Value::typed("IfcFrequencyMeasure", 63.0));
    assert_eq!(defined[1], Value::typed("IfcSoundPowerMeasure", 45.0));
}

#[test]
fn sets_are_joined_with_those_of_the_type() {
    let house = house();
    let sets = merged(&crate::relations::Links::of_one(&house), Id(10));
    let names: Vec<_> = sets.iter().map(|set| (set.name.as_str(), set.id, set.inherited)).collect();
    assert_eq!(names, [("Pset_WallCommon", Id(33), false), ("Qto_WallBaseQuantities", Id(38), false)]);
    let properties: Vec<_> = sets[0].properties.iter().map(|property| property.name.as_str()).collect();
    assert_eq!(properties, ["FireRating", "IsExternal", "Status", "ThermalTransmittance"]);
    assert_eq!(sets[0].properties[1].value.as_bool(), Some(true));
}

#[test]
fn templates_say_which_classes_their_sets_are_for() {
    use templates::applicable;
    let has = |version, class: &str, predefined: Option<&str>, set: &str| {
        applicable(version, class, predefined).iter().any(|found| found.name == set)
    };
    assert!(has(SchemaVersion::Ifc4, "IfcWall", None, "Pset_WallCommon"));
    assert!(has(SchemaVersion::Ifc4, "IfcWallStandardCase", None, "Qto_WallBaseQuantities"));
    assert!(has(SchemaVersion::Ifc4, "IfcWallType", None, "Pset_WallCommon"));
    assert!(has(SchemaVersion::Ifc4x3, "IfcWallType", None, "Pset_WallCommon"));
    assert!(!has(SchemaVersion::Ifc4x3, "IfcDoor", None, "Pset_WallCommon"));
    // an actuator of one kind only
    assert!(!has(SchemaVersion::Ifc4, "IfcActuator", None, "Pset_ActuatorTypeElectricActuator"));
    assert!(has(
        SchemaVersion::Ifc4,
        "IfcActuator",
        Some("ELECTRICACTUATOR"),
        "Pset_ActuatorTypeElectricActuator"
    ));
    assert!(!has(SchemaVersion::Ifc4, "IfcNothing", None, "Pset_WallCommon"));
}
