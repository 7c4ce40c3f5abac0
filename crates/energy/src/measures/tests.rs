//! Measures on a model of two rooms, of which one has a window.

use super::*;
use crate::constructions::{self, Films, HeatFlow};
use crate::idf::Object;
use crate::integrity;
use serde_json::{Value, json};

const ROOMS: &str = include_str!("rooms.idf");

fn rooms() -> Document {
    Document::open(ROOMS.as_bytes()).unwrap().0
}

fn measures(given: Value) -> Vec<Measure> {
    let list = if given.is_array() { given } else { json!([given]) };
    serde_json::from_value(list).unwrap()
}

/// The outcome of measures, none of which leave an error that was not there.
fn applied(given: Value) -> Applied {
    applied_to(&rooms(), given)
}

fn applied_to(document: &Document, given: Value) -> Applied {
    let applied = apply(document, &measures(given)).unwrap();
    assert_eq!(errors(&applied.document), errors(document));
    applied
}

fn errors(document: &Document) -> Vec<String> {
    let own = check::check(document, check::Options::default()).into_iter();
    let own = own.filter(|own| own.severity == Severity::Error).map(|own| own.message);
    let whole = integrity::check(document, integrity::Surroundings::default()).into_iter();
    own.chain(whole.filter(|own| own.severity == integrity::Severity::Error).map(|own| own.message)).collect()
}

fn refused(given: Value) -> Fault {
    apply(&rooms(), &measures(given)).unwrap_err()
}

fn get<'a>(applied: &'a Applied, kind: &str, name: &str, field: &str) -> &'a str {
    applied.document.get(kind, name).unwrap().get(field).unwrap()
}

fn number(applied: &Applied, kind: &str, name: &str, field: &str) -> f64 {
    get(applied, kind, name, field).parse().unwrap()
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-6 * b.abs().max(1.0)
}

fn u_value(document: &Document, construction: &str, films: Films) -> f64 {
    constructions::u_value(document, constructions::find(document, construction).unwrap(), films).unwrap()
}

#[test]
fn the_model_itself_has_no_errors() {
    assert_eq!(errors(&rooms()), [] as [String; 0]);
}

#[test]
fn insulation_reaches_the_u_value_and_leaves_others_their_construction() {
    let one = applied(
        json!({"measure": "insulate", "surface_type": "wall", "u_value": 0.2, "by": {"zones": ["North*"]}}),
    );
    let films = Films::iso_6946(HeatFlow::Horizontal);
    let own = get(&one, "BuildingSurface:Detailed", "North wall", "construction_name").to_owned();
    assert_ne!(own, "Outer wall");
    assert!(close(u_value(&one.document, &own, films), 0.2));
    // the other room's wall is as it was
    assert_eq!(get(&one, "BuildingSurface:Detailed", "South wall", "construction_name"), "Outer wall");
    assert!(close(u_value(&one.document, "Outer wall", films), 1.0 / (0.2 / 0.8 + 0.17)));
    let change = &one.measures[0].change;
    assert_eq!((change.count, change.after), (3, Some(0.2)));
    assert!(close(change.before.unwrap(), 2.381), "{change:?}");
    // one layer of brick has all of the resistance and is no insulation: a layer is added
    assert!(one.measures[0].assumptions.iter().any(|own| own.value == "outside"));
    let all =
        applied(json!({"measure": "insulate", "surface_type": "wall", "u_value": 0.2, "where": "outside"}));
    // nobody else uses it, so it is changed itself
    assert_eq!(get(&all, "BuildingSurface:Detailed", "North wall", "construction_name"), "Outer wall");
    let layers: Vec<&str> =
        constructions::layer_names(constructions::find(&all.document, "Outer wall").unwrap()).collect();
    assert_eq!((layers.len(), layers[1]), (2, "Brick"));
    // the face that looks outwards stays as it was
    assert_eq!(get(&all, "Material", layers[0], "solar_absorptance"), "0.63");
    let again = apply(
        &all.document,
        &measures(json!({"measure": "insulate", "surface_type": "wall", "u_value": 0.5, "where": "outside"})),
    );
    assert!(again.unwrap_err().message.contains("already"));
}

#[test]
fn both_sides_of_an_inner_wall_get_the_same_layers_in_opposite_order() {
    let one = applied(json!({
        "measure": "insulate", "surface_type": "wall", "u_value": 0.5, "where": "inside", "by": {"surfaces": ["Between north"]}
    }));
    let layers = |surface: &str| -> Vec<String> {
        let name = get(&one, "BuildingSurface:Detailed", surface, "construction_name");
        constructions::layer_names(constructions::find(&one.document, name).unwrap())
            .map(str::to_owned)
            .collect()
    };
    let (mine, other) = (layers("Between north"), layers("Between south"));
    assert_eq!(mine.len(), 2);
    assert_eq!(mine.iter().rev().cloned().collect::<Vec<_>>(), other);
    let films = Films::iso_6946(HeatFlow::Horizontal).between_rooms();
    let name = get(&one, "BuildingSurface:Detailed", "Between north", "construction_name");
    assert!(close(u_value(&one.document, name, films), 0.5));
}

#[test]
fn glazing_has_the_values_given() {
    let one = applied(
        json!({"measure": "replace_glazing", "u_value": 1.1, "shgc": 0.4, "visible_transmittance": 0.6}),
    );
    let name = get(&one, "FenestrationSurface:Detailed", "Window", "construction_name").to_owned();
    assert!(close(u_value(&one.document, &name, Films::NONE), 1.1));
    assert_eq!((one.measures[0].change.before, one.measures[0].change.after), (Some(3.0), Some(1.1)));
    assert!(
        refused(json!({"measure": "replace_glazing", "u_value": 1.1, "shgc": 1.4})).message.contains("shgc")
    );
}

#[test]
fn loads_are_set_by_area_or_scaled() {
    let one =
        applied(json!([{"measure": "lighting", "w_per_m2": 5}, {"measure": "equipment", "factor": 0.5}]));
    assert_eq!(get(&one, "Lights", "Lights", "design_level_calculation_method"), "Watts/Area");
    assert!(close(number(&one, "Lights", "Lights", "watts_per_floor_area"), 5.0));
    assert_eq!((one.measures[0].change.before, one.measures[0].change.after), (Some(10.0), Some(5.0)));
    assert!(close(number(&one, "ElectricEquipment", "Devices", "design_level"), 50.0));
    // one of two zones of a list: an object for each
    let part = applied(json!({"measure": "lighting", "factor": 3, "by": {"zones": ["South room"]}}));
    assert!(part.document.get("Lights", "Lights").is_none());
    assert!(close(number(&part, "Lights", "South room Lights", "watts_per_floor_area"), 30.0));
    assert!(close(number(&part, "Lights", "North room Lights", "watts_per_floor_area"), 10.0));
    let people = applied(json!({"measure": "occupancy", "m2_per_person": 5}));
    assert!(close(number(&people, "People", "People", "floor_area_per_person"), 5.0));
    let nobody = applied(json!({"measure": "occupancy", "factor": 0}));
    assert!(close(number(&nobody, "People", "People", "number_of_people"), 0.0));
    for (given, said) in [
        (json!({"measure": "lighting"}), "Give one of"),
        (json!({"measure": "lighting", "w_per_m2": 5, "factor": 2}), "Give one of"),
        (json!({"measure": "lighting", "factor": -1}), "not below zero"),
        (json!({"measure": "equipment", "fuel": "gas", "factor": 2}), "no GasEquipment"),
        (json!({"measure": "lighting", "factor": 2, "by": {"zones": ["Cellar"]}}), "North room"),
    ] {
        assert!(refused(given).message.contains(said), "{said}");
    }
}

#[test]
fn infiltration_is_set_for_one_zone_or_scaled() {
    let one = applied(json!({"measure": "infiltration", "air_changes": 0.3}));
    assert_eq!(
        get(&one, "ZoneInfiltration:DesignFlowRate", "Leaks", "design_flow_rate_calculation_method"),
        "AirChanges/Hour"
    );
    assert!(close(number(&one, "ZoneInfiltration:DesignFlowRate", "Leaks", "air_changes_per_hour"), 0.3));
    // 0.02 m³/s in 60 m³
    assert!(close(one.measures[0].change.before.unwrap(), 1.2), "{:?}", one.measures[0]);
    let half = applied(json!({"measure": "infiltration", "factor": 0.5}));
    assert!(close(number(&half, "ZoneInfiltration:DesignFlowRate", "Leaks", "design_flow_rate"), 0.01));
    // a model that has none gets some
    let mut none = rooms();
    none.remove_all("ZoneInfiltration:DesignFlowRate", true).unwrap();
    let new = applied_to(&none, json!({"measure": "infiltration", "air_changes": 0.3}));
    assert_eq!(new.document.of_type("ZoneInfiltration:DesignFlowRate").count(), 2);
}

#[test]
fn set_points_change_in_use_and_the_setback_stays() {
    let one =
        applied(json!({"measure": "setpoints", "heating": 19, "cooling": 26, "by": {"zones": ["South*"]}}));
    let own = |zone: &str| {
        let control = one
            .document
            .of_type("ZoneControl:Thermostat")
            .find(|own| own.get("zone_or_zonelist_name") == Some(zone))
            .unwrap();
        let points = one
            .document
            .get("ThermostatSetpoint:DualSetpoint", control.get("control_1_name").unwrap())
            .unwrap();
        let name = points.get("heating_setpoint_temperature_schedule_name").unwrap();
        schedule_values::values(&one.document, schedule_values::find(&one.document, name).unwrap()).unwrap()
    };
    assert_eq!(own("South room"), [15.0, 19.0, 15.0, 15.0]);
    assert_eq!(own("North room"), [15.0, 21.0, 15.0, 15.0]);
    let hours = applied(json!({
        "measure": "setpoints", "heating": 20, "heating_setback": 16, "hours": {"from": 7, "until": 18, "days": "workdays"}
    }));
    let name = get(
        &hours,
        "ThermostatSetpoint:DualSetpoint",
        "Points",
        "heating_setpoint_temperature_schedule_name",
    );
    let schedule = schedule_values::find(&hours.document, name).unwrap();
    let calendar = crate::schedules::Calendar::from_document(&hours.document, 2023);
    let year = crate::schedules::resolve(schedule, &calendar, &|_| None).unwrap();
    let first: Vec<f64> = year.profiles.iter().map(|own| own[12]).collect();
    assert!(first.contains(&20.0) && first.contains(&16.0), "{first:?}");
    assert_eq!(year.design_days[1].unwrap()[3], 20.0);
    assert!(refused(json!({"measure": "setpoints", "heating": 27})).message.contains("would meet cooling"));
    assert!(refused(json!({"measure": "setpoints", "heating": 27, "cooling": 20})).message.contains("below"));
    assert!(refused(json!({"measure": "setpoints", "heating": null})).message.contains("at least one"));
}

#[test]
fn a_schedule_is_scaled_replaced_or_copied_for_a_zone() {
    let one = applied(json!({"measure": "schedule", "schedule": "on", "factor": 0.5}));
    assert!(close(number(&one, "Schedule:Constant", "On", "hourly_value"), 0.5));
    // a fraction stays one
    let limited = applied(json!({"measure": "schedule", "schedule": "on", "factor": 4}));
    assert!(close(number(&limited, "Schedule:Constant", "On", "hourly_value"), 1.0));
    let week = applied(
        json!({"measure": "schedule", "schedule": "On", "replace": {"weekdays": 0.8, "saturday": 0.1}}),
    );
    let values =
        schedule_values::values(&week.document, schedule_values::find(&week.document, "On").unwrap());
    assert_eq!(values.unwrap(), [0.1, 0.8]);
    let own = applied(
        json!({"measure": "schedule", "schedule": "On", "factor": 0.5, "by": {"zones": ["North room"]}}),
    );
    assert!(close(number(&own, "Schedule:Constant", "On", "hourly_value"), 1.0));
    assert_eq!(get(&own, "ElectricEquipment", "Devices", "schedule_name"), "On changed");
    assert!(refused(json!({"measure": "schedule", "schedule": "Onn", "factor": 2})).message.contains("On"));
    assert!(
        refused(json!({"measure": "schedule", "schedule": "On", "replace": {"weekdays": [1, 2]}}))
            .message
            .contains("24")
    );
}

#[test]
fn shades_hang_on_windows_that_face_a_way_and_are_replaced() {
    let one = applied(json!([
        {"measure": "overhang", "depth": 0.6, "by": {"orientation": ["S"]}},
        {"measure": "overhang", "depth_share": 0.5},
        {"measure": "fins", "depth": 0.3},
    ]));
    assert_eq!(one.document.of_type("Shading:Overhang").count(), 0);
    assert_eq!(one.document.of_type("Shading:Overhang:Projection").count(), 1);
    assert!(close(number(&one, "Shading:Fin", "Window Fin", "left_depth"), 0.3));
    assert!(
        refused(json!({"measure": "overhang", "depth": 0.6, "by": {"orientation": ["N"]}}))
            .message
            .contains("no window")
    );
}

#[test]
fn windows_become_a_share_of_their_wall() {
    for (ratio, is_scaled) in [(0.1, true), (0.4, true), (0.85, false)] {
        let one = applied(json!({"measure": "window_to_wall_ratio", "ratio": ratio}));
        let window = one.document.get("FenestrationSurface:Detailed", "Window").unwrap();
        let area = crate::geometry::polygon::area(window).unwrap();
        assert!((area - ratio * 15.0).abs() < 1e-3, "{area}");
        let band = one.measures[0].assumptions.iter().any(|own| own.value == "a band");
        assert_eq!(band, !is_scaled, "{ratio}");
        assert!(close(one.measures[0].change.before.unwrap(), 0.2));
    }
    let more = applied(json!({"measure": "window_to_wall_ratio", "ratio": 0.3, "add": true}));
    assert_eq!(more.document.of_type("FenestrationSurface:Detailed").count(), 6);
    assert!(
        refused(json!({"measure": "window_to_wall_ratio", "ratio": 0.3, "by": {"zones": ["North*"]}}))
            .message
            .contains("no window")
    );
}

#[test]
fn photovoltaics_cover_a_share_of_the_roof() {
    let one = applied(json!({"measure": "photovoltaics", "area_share": 0.5, "efficiency": 0.2}));
    // 2 roofs of 20 m², half of it at a fifth of 1000 W/m²
    assert!(close(one.measures[0].change.after.unwrap(), 4.0));
    assert_eq!(one.document.of_type("Generator:Photovoltaic").count(), 2);
    // EnergyPlus counts generators by their fields: five for each
    assert_eq!(one.document.of_type("ElectricLoadCenter:Generators").next().unwrap().len(), 1 + 2 * 5);
    let again = apply(&one.document, &measures(json!({"measure": "photovoltaics"})));
    assert!(again.unwrap_err().message.contains("already"));
}

#[test]
fn ideal_loads_and_templates_take_each_others_place() {
    let ideal = applied(json!([{"measure": "ideal_loads"}, {"measure": "heat_recovery", "sensible": 0.7}]));
    assert_eq!(ideal.document.of_type("ZoneHVAC:IdealLoadsAirSystem").count(), 2);
    let unit = ideal.document.of_type("ZoneHVAC:IdealLoadsAirSystem").next().unwrap();
    assert_eq!(unit.get("heat_recovery_type"), Some("Sensible"));
    for kind in ["fan_coil", "vav", "packaged_vav", "unitary", "pthp", "ptac", "baseboard", "vrf"] {
        let back = applied_to(&ideal.document, json!({"measure": "template_system", "kind": kind}));
        let zones =
            back.document.objects().filter(|own| own.type_name().starts_with("HVACTemplate:Zone:")).count();
        assert_eq!(zones, 2, "{kind}");
        assert_eq!(back.document.of_type("ZoneHVAC:IdealLoadsAirSystem").count(), 0);
        assert_eq!(back.document.of_type("Sizing:Zone").count(), 0);
        let again = applied_to(&back.document, json!({"measure": "ideal_loads"}));
        assert_eq!(again.document.of_type("ZoneHVAC:IdealLoadsAirSystem").count(), 2);
        assert_eq!(again.document.of_type("ZoneControl:Thermostat").count(), 1);
    }
}

#[test]
fn zones_that_are_never_cooled_get_baseboards() {
    let control = "ZoneControl:Thermostat,Control,Both,Types,ThermostatSetpoint:DualSetpoint,Points;";
    let own = "ZoneControl:Thermostat,Control,South room,Types,ThermostatSetpoint:DualSetpoint,Points;";
    let heated = "ZoneControl:Thermostat,Unit heater,North room,Types,ThermostatSetpoint:DualSetpoint,Heat alone;\
        ThermostatSetpoint:DualSetpoint,Heat alone,Warm,Never;Schedule:Constant,Never,,40;";
    assert!(ROOMS.contains(control));
    let (document, _) = Document::open(ROOMS.replace(control, &format!("{own}{heated}")).as_bytes()).unwrap();
    let baseboards = |now: &Applied| -> Vec<(String, String)> {
        let all = now.document.of_type("HVACTemplate:Zone:BaseboardHeat");
        let field = |own: Object<'_>, name| own.get(name).unwrap_or_default().to_owned();
        all.map(|own| (field(own, "zone_name"), field(own, "baseboard_heating_type"))).collect()
    };
    for (kind, zone, heat) in [
        ("pthp", "HVACTemplate:Zone:PTHP", "Electric"),
        ("unitary", "HVACTemplate:Zone:Unitary", "Electric"),
        ("vav", "HVACTemplate:Zone:VAV", "HotWater"),
    ] {
        let now = applied_to(&document, json!({"measure": "template_system", "kind": kind}));
        assert_eq!(baseboards(&now), [("North room".to_owned(), heat.to_owned())], "{kind}");
        assert_eq!(now.document.of_type(zone).count(), 1, "{kind}");
        let told = now.measures[0].assumptions.iter().find(|own| own.what.contains("baseboards")).unwrap();
        assert_eq!(told.value, "North room");
    }
    // where no zone is cooled there is no system and no chiller, and one that is heated alone by its kind of set point is none either
    let single = ROOMS.replace(
        "ThermostatSetpoint:DualSetpoint,Points,Warm,Cool",
        "ThermostatSetpoint:SingleHeating,Points,Warm",
    );
    let single =
        single.replace("Types,ThermostatSetpoint:DualSetpoint", "Types,ThermostatSetpoint:SingleHeating");
    let (document, _) =
        Document::open(single.replace("Schedule:Constant,Types,,4", "Schedule:Constant,Types,,1").as_bytes())
            .unwrap();
    let now = applied_to(&document, json!({"measure": "template_system", "kind": "vav"}));
    assert_eq!(baseboards(&now).len(), 2);
    for kind in ["HVACTemplate:System:VAV", "HVACTemplate:Plant:Chiller"] {
        assert_eq!(now.document.of_type(kind).count(), 0, "{kind}");
    }
    assert_eq!(now.document.of_type("HVACTemplate:Plant:Boiler").count(), 1);
}

#[test]
fn an_exchanger_lies_between_the_outdoor_air_and_the_mixer() {
    let more = "OutdoorAir:Mixer,Mix,mixed,outer,relief,return;OutdoorAir:Node,outer;\
        AirLoopHVAC:OutdoorAirSystem,Air system,Controls,Parts;AirLoopHVAC:OutdoorAirSystem:EquipmentList,Parts,OutdoorAir:Mixer,Mix;\
        AirLoopHVAC:ControllerList,Controls,Controller:OutdoorAir,Control;\
        Controller:OutdoorAir,Control,relief,return,mixed,outer,autosize,autosize;";
    let (document, _) = Document::open(format!("{ROOMS}{more}").as_bytes()).unwrap();
    let given = json!([{"measure": "heat_recovery", "sensible": 0.7}, {"measure": "heat_recovery", "sensible": 0.8, "latent": 0.5}]);
    let now = apply(&document, &measures(given)).unwrap();
    let units: Vec<_> = now.document.of_type("HeatExchanger:AirToAir:SensibleAndLatent").collect();
    let [unit] = units.as_slice() else { panic!("the second measure changes the unit of the first") };
    assert_eq!(unit.number("sensible_effectiveness_at_100_heating_air_flow"), Some(0.8));
    let mixer = |field: &str| get(&now, "OutdoorAir:Mixer", "Mix", field);
    assert_eq!(unit.get("supply_air_inlet_node_name"), Some("outer"));
    assert_eq!(unit.get("supply_air_outlet_node_name"), Some(mixer("outdoor_air_stream_node_name")));
    assert_eq!(unit.get("exhaust_air_inlet_node_name"), Some(mixer("relief_air_stream_node_name")));
    assert_eq!(unit.get("exhaust_air_outlet_node_name"), Some("relief"));
    let told = get(&now, "Controller:OutdoorAir", "Control", "relief_air_outlet_node_name");
    assert_eq!(told, mixer("relief_air_stream_node_name"));
    let parts = now.document.get("AirLoopHVAC:OutdoorAirSystem:EquipmentList", "Parts").unwrap();
    assert_eq!(parts.get("component_2_name"), Some("Mix"));
}

#[test]
fn what_a_program_of_the_model_drives_is_told() {
    let more = "EnergyManagementSystem:Actuator,A,Devices,ElectricEquipment,Electricity Rate;";
    let (document, _) = Document::open(format!("{ROOMS}{more}").as_bytes()).unwrap();
    let now = apply(&document, &measures(json!({"measure": "equipment", "factor": 0.5}))).unwrap();
    assert!(now.measures[0].skipped.iter().any(|own| own.why.contains("energy management")));
}

#[test]
fn the_schedule_of_outdoor_air_outlives_the_system() {
    let more = "Controller:OutdoorAir,Control,relief,return,mixed,outer,autosize,autosize,,,,,,,,,,On;";
    let (document, _) = Document::open(format!("{ROOMS}{more}").as_bytes()).unwrap();
    let now = apply(&document, &measures(json!({"measure": "ideal_loads"}))).unwrap();
    assert_eq!(get(&now, "DesignSpecification:OutdoorAir", "Air", "outdoor_air_schedule_name"), "On");
    assert!(now.document.of_type("Controller:OutdoorAir").next().is_none());
}

#[test]
fn daylight_and_air_come_through_windows() {
    let one =
        applied(json!([{"measure": "daylighting"}, {"measure": "natural_ventilation", "air_changes": 4}]));
    assert_eq!(one.document.of_type("Daylighting:Controls").count(), 1);
    assert!(close(
        number(
            &one,
            "Daylighting:ReferencePoint",
            "South room daylight point",
            "z_coordinate_of_reference_point"
        ),
        0.8
    ));
    assert_eq!(one.document.of_type("ZoneVentilation:DesignFlowRate").count(), 1);
    assert!(one.measures[1].skipped.iter().any(|own| own.what == "North room"));
}

#[test]
fn the_building_turns_on_top_of_how_it_stands() {
    let one = applied(
        json!([{"measure": "orientation", "degrees": 90}, {"measure": "orientation", "degrees": 300}]),
    );
    assert!(close(number(&one, "Building", "House", "north_axis"), 30.0));
    assert!(refused(json!({"measure": "orientation", "degrees": 1e9})).message.contains("360"));
}

#[test]
fn nothing_is_changed_where_one_measure_fails() {
    let fault = refused(json!([{"measure": "lighting", "factor": 2}, {"measure": "lighting"}]));
    assert_eq!(fault.data.get("index"), Some(&json!(1)));
    assert!(apply(&rooms(), &[]).is_err());
    assert!(serde_json::from_value::<Measure>(json!({"measure": "lighting", "watts": 3})).is_err());
    assert!(serde_json::from_value::<Measure>(json!({"measure": "magic"})).is_err());
}
