//! Assumptions given back as corrections: as they were they change nothing, else they do what they say, and nonsense is refused.

use super::{converted, model, near, run, surface_area};
use crate::{Converted, Correction, Options, convert};
use contract::Fault;
use energy::ops::CorrectionValue;

const HOUSE: &str = "AC20-FZK-Haus.ifc";

fn number(what: &str, place: &str, value: f64) -> Correction {
    Correction { what: what.into(), places: vec![place.into()], value: CorrectionValue::Number(value) }
}

fn word(what: &str, place: &str, value: &str) -> Correction {
    Correction { what: what.into(), places: vec![place.into()], value: CorrectionValue::Text(value.into()) }
}

fn with(model: &ifc::Model, corrections: Vec<Correction>) -> Result<Converted, Fault> {
    convert(model, &Options { corrections, ..Options::default() })
}

#[test]
fn assumptions_given_back_as_they_are_change_nothing() {
    for name in [HOUSE, "SampleHouse4.ifc"] {
        let Some(model) = model(name) else { return };
        let before = converted(&model);
        let back: Vec<Correction> = before
            .assumptions
            .iter()
            .filter(|a| a.correct.is_some())
            // what a person says of a material holds against the transmittance that the element states
            .filter(|a| a.what != "conductivity")
            .map(|a| Correction {
                what: a.what.clone(),
                places: a.places.clone(),
                value: CorrectionValue::Text(a.value.clone()),
            })
            .collect();
        assert!(back.len() > 10, "{back:?}");
        let after = with(&model, back).unwrap_or_else(|fault| panic!("{name}: {}", fault.message));
        for (class, objects) in before.epjson.as_object().unwrap() {
            for (key, object) in objects.as_object().unwrap() {
                assert_eq!(object, &after.epjson[class][key], "{name} {class} {key}");
            }
        }
    }
}

#[test]
fn a_thermal_transmittance_is_what_the_layers_have_together() {
    let Some(model) = model(HOUSE) else { return };
    let after = with(&model, vec![number("thermal transmittance", "Wand-Ext-ERDG-1", 0.2)]).unwrap();
    let walls: Vec<_> = after.constructions.iter().filter(|c| c.is_corrected).collect();
    assert!(!walls.is_empty());
    assert!(walls.iter().all(|wall| near(wall.transmittance, 0.2, 1e-3)), "{walls:?}");
    // the other walls keep what the file states of them
    assert!(after.constructions.iter().any(|c| !c.is_corrected && c.stated_transmittance == Some(0.4)));
}

#[test]
fn use_heat_loads_and_set_points_are_those_of_the_corrections() {
    let Some(model) = model(HOUSE) else { return };
    let corrections = vec![
        word("use of the room", "Bad", "storage"),
        word("heated", "Galerie", "no"),
        number("infiltration", "IfcSpace", 0.6),
        number("lights", "living room", 9.0),
        number("heating setpoint", "Schlafzimmer", 17.0),
        number("true north", "project", 0.0),
        number("thermal transmittance of glazing", "IfcWindow", 0.9),
        number("solar heat gain coefficient", "IfcWindow", 0.5),
        number("conductivity", "Leichtbeton 102890359", 0.3),
    ];
    let after = with(&model, corrections).unwrap();
    let of = |end: &str| after.zones.iter().find(|zone| zone.zone.ends_with(end)).unwrap();
    assert_eq!(of("Bad").usage, "storage");
    assert!(!of("Galerie").conditioned && of("Wohnen").conditioned);
    let thermostats = after.epjson["ZoneControl:Thermostat"].as_object().unwrap();
    assert_eq!(thermostats.len(), 6);
    let leaks = after.epjson["ZoneInfiltration:DesignFlowRate"].as_object().unwrap();
    assert!(leaks.values().all(|leak| leak["air_changes_per_hour"] == 0.6));
    assert_eq!(after.epjson["Lights"][format!("{} lights", of("Wohnen").zone)]["watts_per_floor_area"], 9.0);
    let points =
        &after.epjson["ThermostatSetpoint:DualSetpoint"][format!("{} setpoints", of("Schlafzimmer").zone)];
    assert_eq!(points["heating_setpoint_temperature_schedule_name"], "Heating 17.0 C");
    let panes = after.epjson["WindowMaterial:SimpleGlazingSystem"].as_object().unwrap();
    let window =
        |pane: &serde_json::Value| pane["u_factor"] == 0.9 && pane["solar_heat_gain_coefficient"] == 0.5;
    assert!(panes.values().any(window), "{panes:?}");
    assert_eq!(after.epjson["Building"].as_object().unwrap().values().next().unwrap()["north_axis"], 0.0);
    let corrected = after.assumptions.iter().filter(|a| a.source == "a correction").count();
    assert!(corrected >= 9, "{corrected}");
    let Some(program) = testing::energyplus() else { return };
    let (errors, _) = run(&program, "corrected", &after);
    assert!(
        errors.contains("EnergyPlus Completed Successfully") && errors.contains("; 0 Severe"),
        "{errors}"
    );
}

#[test]
fn an_attic_is_unheated_unless_the_file_states_a_set_point_for_it() {
    let Some(row_house) = model("ExampleHOM.ifc") else { return };
    let attic = converted(&row_house);
    let unheated: Vec<&str> =
        attic.zones.iter().filter(|zone| !zone.conditioned).map(|zone| zone.usage.as_str()).collect();
    assert_eq!(unheated, ["attic"]);
    assert_eq!(attic.epjson["ZoneControl:Thermostat"].as_object().map(serde_json::Map::len), Some(10));
    let Some(house) = model(HOUSE) else { return };
    let stated = with(&house, vec![word("use of the room", "Galerie", "attic")]).unwrap();
    assert!(stated.zones.iter().all(|zone| zone.conditioned));
    let said = stated.assumptions.iter().find(|a| a.what == "heated" && a.source.contains("states 20 °C"));
    assert!(said.is_some_and(|a| a.value == "yes"), "{:?}", stated.assumptions);
}

#[test]
fn an_outer_wall_that_is_said_to_be_a_party_wall_is_adiabatic() {
    let Some(model) = model(HOUSE) else { return };
    let before = converted(&model);
    let wall = model.of_class("IfcWall").into_iter().find_map(|id| {
        let wall = model.get(id)?;
        (wall.name().as_deref() == Some("Wand-Ext-ERDG-3")).then(|| wall.guid())?
    });
    let wall = wall.unwrap();
    let area = |of: &Converted, boundary: &str| {
        surface_area(of, false, |s| {
            s.boundary == boundary && s.kind == "Wall" && s.elements.last().is_some_and(|e| *e == wall)
        })
    };
    assert!(area(&before, "Outdoors") > 10.0, "{}", area(&before, "Outdoors"));
    let after = with(&model, vec![word("boundary", &wall, "adiabatic")]).unwrap();
    assert!(area(&after, "Outdoors") == 0.0);
    assert!(near(area(&after, "Adiabatic"), area(&before, "Outdoors") + area(&before, "Adiabatic"), 1e-6));
    let below = with(&model, vec![word("boundary", &wall, "ground")]).unwrap();
    assert!(area(&below, "Ground") >= area(&before, "Outdoors") - 1e-6);
}

#[test]
fn a_correction_for_nothing_in_the_building_is_refused_with_its_places() {
    let Some(model) = model(HOUSE) else { return };
    let fault = with(&model, vec![number("lights", "Saal", 4.0)]).unwrap_err();
    assert!(fault.message.contains("Saal"), "{}", fault.message);
    assert!(
        fault.data["may_be_corrected"].as_array().is_some_and(|places| places.len() == 7),
        "{:?}",
        fault.data
    );
    let unknown = with(&model, vec![number("colour", "Bad", 4.0)]).unwrap_err();
    assert!(unknown.message.contains("infiltration"), "{}", unknown.message);
}
