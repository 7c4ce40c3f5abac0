//! Several rooms as one zone: nothing is lost, nothing counts twice, and results find every room.

use super::{converted, model, near, run, surface_area};
use crate::{Converted, Options, Zoning, convert, rows};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

const HOUSES: [&str; 3] = ["AC20-FZK-Haus.ifc", "Duplex_A_20110907.ifc", "SampleHouse4.ifc"];
const JOINED: [Zoning; 3] = [Zoning::Storey, Zoning::Usage, Zoning::Orientation];

fn zoned(model: &ifc::Model, zoning: Zoning) -> Converted {
    let options = Options { zoning, ..Options::default() };
    convert(model, &options).unwrap_or_else(|e| panic!("{zoning:?}: {e:?}"))
}

fn objects<'a>(converted: &'a Converted, class: &str) -> Vec<&'a Value> {
    converted.epjson[class].as_object().map(|own| own.values().collect()).unwrap_or_default()
}

/// The sum of a load over all zones, whether it is by area or as a whole; in watts, or in persons.
fn sum_of(converted: &Converted, class: &str, by_area: &str, whole: &str) -> f64 {
    let areas: BTreeMap<&str, f64> =
        converted.zones.iter().map(|zone| (zone.zone.as_str(), zone.floor_area)).collect();
    let of = |object: &&Value| {
        let zone = object["zone_or_zonelist_or_space_or_spacelist_name"].as_str().unwrap();
        let rate = object[by_area].as_f64();
        let rate = if class == "People" { rate.map(|each| 1.0 / each) } else { rate };
        rate.map_or_else(|| object[whole].as_f64().unwrap(), |rate| rate * areas[zone])
    };
    objects(converted, class).iter().map(of).sum()
}

#[test]
fn rooms_that_are_joined_keep_their_volumes_floors_loads_and_outer_walls() {
    for name in HOUSES {
        let Some(model) = model(name) else { return };
        let single = converted(&model);
        let all: BTreeSet<String> = single.spaces().into_values().collect();
        for zoning in JOINED {
            let joined = zoned(&model, zoning);
            assert!(joined.zones.len() <= single.zones.len(), "{name} {zoning:?}");
            assert!(zoning != Zoning::Storey || joined.zones.len() < single.zones.len(), "{name}");
            let sum = |of: &Converted, value: fn(&crate::ZoneReport) -> f64| {
                of.zones.iter().map(value).sum::<f64>()
            };
            for value in [
                |z: &crate::ZoneReport| z.volume,
                |z: &crate::ZoneReport| z.floor_area,
                |z: &crate::ZoneReport| z.body_volume,
            ] {
                assert!(near(sum(&joined, value), sum(&single, value), 1e-6), "{name} {zoning:?}");
            }
            for (class, by_area, whole) in [
                ("Lights", "watts_per_floor_area", "lighting_level"),
                ("ElectricEquipment", "watts_per_floor_area", "design_level"),
                ("People", "floor_area_per_person", "number_of_people"),
            ] {
                let [a, b] = [&joined, &single].map(|of| sum_of(of, class, by_area, whole));
                assert!(near(a, b, 2e-3), "{name} {zoning:?} {class}: {a} {b}");
            }
            for boundary in ["Outdoors", "Ground", "Adiabatic"] {
                let [a, b] = [&joined, &single].map(|of| surface_area(of, false, |s| s.boundary == boundary));
                assert!(near(a, b, 1e-6), "{name} {zoning:?} {boundary}: {a} {b}");
            }
            let spaces: Vec<String> = joined
                .spaces()
                .values()
                .flat_map(|ids| ids.split(' ').map(str::to_owned).collect::<Vec<_>>())
                .collect();
            assert_eq!(spaces.len(), all.len(), "{name} {zoning:?}");
            assert_eq!(spaces.into_iter().collect::<BTreeSet<_>>(), all, "{name} {zoning:?}");
            let text = joined.epjson.to_string();
            let document = energy::idf::Document::open(text.as_bytes()).unwrap().0;
            let findings = energy::check::check(&document, energy::check::Options::default());
            assert!(
                findings.is_empty(),
                "{name}: {:?}",
                findings.iter().map(|f| &f.message).collect::<Vec<_>>()
            );
        }
    }
}

#[test]
fn walls_within_a_zone_become_masses_of_both_their_sides() {
    let Some(model) = model("AC20-FZK-Haus.ifc") else { return };
    let (single, joined) = (converted(&model), zoned(&model, Zoning::Storey));
    // what is open is no wall
    let is_wall =
        |s: &crate::SurfaceReport| s.boundary == "Surface" && s.construction != "Open between zones";
    let paired = |of: &Converted| surface_area(of, false, is_wall);
    let doors: f64 = [&single, &joined]
        .map(|of| {
            let inner = of.surfaces.iter().filter(|s| s.boundary == "Surface");
            inner
                .filter(|s| matches!(s.kind.as_str(), "Door" | "Window" | "GlassDoor"))
                .map(|s| s.area)
                .sum::<f64>()
        })
        .into_iter()
        .reduce(|all, left| all - left)
        .unwrap();
    let masses: f64 =
        objects(&joined, "InternalMass").iter().map(|mass| mass["surface_area"].as_f64().unwrap()).sum();
    assert!(masses > 20.0, "{masses}");
    let wanted = paired(&single) - paired(&joined) - doors;
    assert!(near(masses, wanted, 1e-3), "{masses} m² of {wanted} m²");
    assert_eq!(joined.counts.internal_masses, objects(&joined, "InternalMass").len());
}

#[test]
fn zones_are_named_after_what_they_are_of() {
    let Some(model) = model("AC20-FZK-Haus.ifc") else { return };
    let names =
        |zoning| -> BTreeSet<String> { zoned(&model, zoning).zones.into_iter().map(|z| z.zone).collect() };
    assert_eq!(names(Zoning::Storey), BTreeSet::from(["Dachgeschoss".to_owned(), "Erdgeschoss".to_owned()]));
    // what has one room is that room
    assert!(names(Zoning::Usage).contains("7 Galerie"), "{:?}", names(Zoning::Usage));
    let Some(duplex) = super::model("Duplex_A_20110907.ifc") else { return };
    let sides = zoned(&duplex, Zoning::Orientation);
    let joined: Vec<&str> =
        sides.zones.iter().filter(|z| !z.spaces.is_empty()).map(|z| z.zone.as_str()).collect();
    assert!(!joined.is_empty());
    let ends = [" N", " E", " S", " W", " core"];
    assert!(joined.iter().all(|name| ends.iter().any(|end| name.ends_with(end))), "{joined:?}");
}

#[test]
fn storeys_and_façades_as_zones_run_in_energyplus() {
    let Some(program) = testing::energyplus() else { return };
    for (name, zoning) in
        [(HOUSES[0], Zoning::Storey), (HOUSES[1], Zoning::Orientation), (HOUSES[2], Zoning::Usage)]
    {
        let Some(model) = model(name) else { return };
        let joined = zoned(&model, zoning);
        let (errors, tables) = run(&program, &format!("zones-{zoning:?}"), &joined);
        assert!(errors.contains("EnergyPlus Completed Successfully"), "{name}: {errors}");
        assert!(errors.contains("; 0 Severe Errors"), "{name}: {errors}");
        for zone in &joined.zones {
            assert!(tables.contains(&zone.zone.to_uppercase()), "{name}: {}", zone.zone);
        }
    }
}

#[test]
fn results_of_a_zone_go_to_all_its_rooms_and_say_how_many_share_them() {
    let spaces = BTreeMap::from([("EG".to_owned(), "a b".to_owned()), ("Bad".to_owned(), "c".to_owned())]);
    let values = BTreeMap::from([("HeatingEnergy_kWh".to_owned(), 12.5)]);
    let results = BTreeMap::from([("EG".to_owned(), values.clone()), ("BAD".to_owned(), values)]);
    let (rows, unknown) = rows(&spaces, &results);
    assert!(unknown.is_empty());
    let told: Vec<(&str, &str, f64)> =
        rows.iter().map(|row| (row.space.as_str(), row.property.as_str(), row.value)).collect();
    for wanted in [
        ("a", "HeatingEnergy_kWh", 12.5),
        ("b", "HeatingEnergy_kWh", 12.5),
        ("b", "SpacesInZone", 2.0),
        ("c", "HeatingEnergy_kWh", 12.5),
    ] {
        assert!(told.contains(&wanted), "{wanted:?} {told:?}");
    }
    assert_eq!(told.len(), 5);
}
