//! Real buildings, converted and run by EnergyPlus.

mod corrected;
mod neighbours;
mod quantities;
mod zones;

use crate::{Converted, Options, RESULTS_SET, SurfaceReport, convert, rows};
use glam::DVec3;
use ifc::placement::unit;
use ifc::relations::BoundaryLevel;
use std::{
    collections::{BTreeMap, HashMap},
    path::Path,
    process::Command,
};

/// A model of the test data; `None`, and a word about it, where there is none.
fn model(name: &str) -> Option<ifc::Model> {
    Some(ifc::Model::open(&testing::model(name)?, &ifc::Limits::default()).unwrap().0)
}

fn converted(model: &ifc::Model) -> Converted {
    convert(model, &Options::default()).unwrap_or_else(|e| panic!("{e:?}"))
}

/// Runs the summer design day of a model and answers the .err file and the tables.
fn run(program: &Path, name: &str, converted: &Converted) -> (String, String) {
    let folder = std::env::temp_dir().join(format!("thermal-{name}-{}", std::process::id()));
    let made = std::fs::create_dir_all(&folder);
    assert!(made.is_ok(), "{made:?}");
    let mut model = converted.epjson.clone();
    if let Some(control) = model.pointer_mut("/SimulationControl/SimulationControl 1") {
        control["run_simulation_for_weather_file_run_periods"] = "No".into();
        // one day with sun is enough for all that is checked
        control["do_zone_sizing_calculation"] = "No".into();
    }
    if let Some(days) = model["SizingPeriod:DesignDay"].as_object_mut() {
        days.remove("Winter design day");
    }
    // EnergyPlus is to find the volumes itself
    for zone in model["Zone"].as_object_mut().into_iter().flat_map(|z| z.values_mut()) {
        if let Some(fields) = zone.as_object_mut() {
            fields.remove("volume");
        }
    }
    let diagnostics =
        serde_json::json!({ "Output:Diagnostics 1": { "diagnostics": [{ "key": "DisplayExtraWarnings" }] } });
    model["Output:Diagnostics"] = diagnostics;
    let written = std::fs::write(folder.join("in.epJSON"), model.to_string());
    assert!(written.is_ok(), "{written:?}");
    let ran = Command::new(program.join("energyplus"))
        .arg("-D")
        .arg("-d")
        .arg(&folder)
        .arg(folder.join("in.epJSON"))
        .output();
    assert!(ran.is_ok(), "{ran:?}");
    let read = |file: &str| {
        std::fs::read(folder.join(file)).map(|b| String::from_utf8_lossy(&b).into_owned()).unwrap_or_default()
    };
    let answer = (read("eplusout.err"), read("eplustbl.csv"));
    let _ = std::fs::remove_dir_all(&folder);
    answer
}

fn near(a: f64, b: f64, share: f64) -> bool {
    (a - b).abs() <= share * b.abs().max(1e-9)
}

/// The area of the windows by the file: its quantity, else overall width by height.
fn stated_window_area(model: &ifc::Model) -> f64 {
    let units = ifc::Units::from_model(model);
    let metre = units.length_mm / 1000.0;
    model
        .of_class("IfcWindow")
        .into_iter()
        .map(|id| {
            let sets = ifc::psets::of_element(model, id);
            let mut quantities = sets.iter().filter(|s| s.is_quantity).flat_map(|s| &s.properties);
            let area = quantities.find(|p| p.name == "Area").and_then(|p| p.in_si(model, &units));
            let overall = || {
                let window = model.get(id)?;
                Some(window.number("OverallWidth")? * window.number("OverallHeight")? * metre * metre)
            };
            area.or_else(overall).unwrap_or(0.0)
        })
        .sum()
}

/// Asserts what holds of every building.
fn sound(model: &ifc::Model, converted: &Converted) {
    for zone in &converted.zones {
        assert!(zone.closed, "{zone:?}");
        assert!(near(zone.volume, zone.body_volume, 0.01), "{zone:?}");
        if let Some(stated) = zone.stated_volume {
            assert!(near(zone.volume, stated, 0.01), "{zone:?}");
        }
    }
    let zones: BTreeMap<String, String> = converted.spaces();
    assert_eq!(zones.len(), converted.zones.len());
    assert!(zones.values().all(|guid| model.by_guid(guid).is_some()));
    walls_are_as_large_as_those_of_the_spaces(model, converted);
    pairs_are_the_same_polygon_from_both_sides(converted);
}

/// Gross areas of wall-like faces of the spaces' bodies and of the surfaces, by orientation in steps of 45°.
fn walls_are_as_large_as_those_of_the_spaces(model: &ifc::Model, converted: &Converted) {
    let sector = |n: DVec3| ((n.y.atan2(n.x).to_degrees() + 382.5) / 45.0) as usize % 8;
    let (mut wanted, mut got) = ([0.0; 8], [0.0; 8]);
    let shaper = geometry::Shaper::plain(model);
    for zone in &converted.zones {
        let Some(id) = model.by_guid(&zone.space) else { continue };
        let Ok(bodies) = shaper.gross_bodies(id) else { continue };
        assert_eq!(bodies.all.len(), 1, "{}", zone.zone);
        for face in bodies.iter().flat_map(|s| &s.faces) {
            let Some(n) = face.normal().filter(|n| n.z.abs() <= 0.5) else { continue };
            let size: f64 = face.loops.iter().map(|l| geometry::math::vector_area(l).dot(n)).sum();
            wanted[sector(n)] += size;
        }
    }
    for wall in converted.surfaces.iter().filter(|s| s.kind == "Wall") {
        got[sector(wall.normal.into())] += wall.area;
    }
    for (sector, (wanted, got)) in wanted.iter().zip(got).enumerate() {
        assert!(near(got, *wanted, 0.02) || (got - wanted).abs() < 0.05, "{sector}: {got} m² of {wanted} m²");
    }
}

fn pairs_are_the_same_polygon_from_both_sides(converted: &Converted) {
    let corners = |s: &serde_json::Value| -> Vec<DVec3> {
        let of = |v: &serde_json::Value| {
            DVec3::from(
                ["x", "y", "z"].map(|a| v[format!("vertex_{a}_coordinate")].as_f64().unwrap_or(f64::NAN)),
            )
        };
        s["vertices"].as_array().map(|v| v.iter().map(of).collect()).unwrap_or_default()
    };
    let surfaces = converted.epjson["BuildingSurface:Detailed"].as_object().cloned().unwrap_or_default();
    let layers = |name: &str| -> Vec<String> {
        let construction = &converted.epjson["Construction"][name];
        let names = std::iter::once("outside_layer".to_owned()).chain((2..11).map(|n| format!("layer_{n}")));
        names.filter_map(|n| construction[n].as_str().map(str::to_owned)).collect()
    };
    let mut pairs = 0;
    for (name, surface) in &surfaces {
        let Some(other) = surface["outside_boundary_condition_object"].as_str() else { continue };
        let back = &surfaces[other];
        assert_eq!(back["outside_boundary_condition_object"], name.as_str());
        assert_ne!(back["zone_name"], surface["zone_name"], "{name}");
        let (mine, theirs) = (corners(surface), corners(back));
        assert_eq!(mine.len(), theirs.len(), "{name} and {other}");
        // moved straight across, and the other way round; outlines a finish apart are each side's own
        let normal = unit(geometry::math::vector_area(&mine)).unwrap_or_default();
        let turned = |shift: usize| {
            mine.iter().enumerate().all(|(i, p)| {
                let q = theirs[(theirs.len() * 2 - 1 - i + shift) % theirs.len()];
                let d = q - *p;
                let across = d.dot(normal);
                (d - normal * across).length() < 0.013
            })
        };
        assert!((0..theirs.len()).any(turned), "{name} and {other}: {mine:?} {theirs:?}");
        let (mine, mut theirs) = (
            layers(surface["construction_name"].as_str().unwrap_or("")),
            layers(back["construction_name"].as_str().unwrap_or("")),
        );
        theirs.reverse();
        assert_eq!(mine, theirs, "{name} and {other}");
        pairs += 1;
    }
    assert_eq!(pairs, converted.counts.paired);
    assert!(pairs > 0);
}

/// EnergyPlus' own word on a model.
fn runs_without_severe_errors(name: &str, converted: &Converted) {
    let Some(program) = testing::energyplus() else { return };
    let (errors, tables) = run(&program, name, converted);
    assert!(
        errors.contains("EnergyPlus Completed Successfully") && errors.contains("; 0 Severe Errors"),
        "{errors}"
    );
    assert!(!errors.contains("** Severe"), "{errors}");
    assert!(!errors.contains("fully enclosed"), "{errors}");
    assert!(!errors.to_lowercase().contains("upside down"), "{errors}");
    assert!(!errors.contains("InterZone Surface"), "{errors}");
    // the table "Zone Summary" has area, conditioned, total, multiplier, volume, …
    let volumes: HashMap<&str, f64> = tables
        .lines()
        .skip_while(|l| !l.starts_with("Zone Summary"))
        .take(converted.zones.len() + 12)
        .filter_map(|l| {
            let cells: Vec<&str> = l.split(',').collect();
            Some((*cells.get(1)?, cells.get(5)?.trim().parse().ok()?))
        })
        .collect();
    for zone in &converted.zones {
        let told = volumes.get(zone.zone.to_uppercase().as_str()).copied();
        assert!(
            told.is_some_and(|v| near(v, zone.body_volume, 0.01)),
            "{}: {told:?} {}",
            zone.zone,
            zone.body_volume
        );
    }
}

fn window_area(converted: &Converted, boundary: &str) -> f64 {
    converted.surfaces.iter().filter(|s| s.kind == "Window" && s.boundary == boundary).map(|s| s.area).sum()
}

#[test]
fn the_house_with_an_attic_becomes_seven_zones_that_energyplus_runs() {
    let Some(model) = model("AC20-FZK-Haus.ifc") else { return };
    let converted = converted(&model);
    assert_eq!(converted.counts.zones, 7);
    sound(&model, &converted);
    let (got, wanted) = (window_area(&converted, "Outdoors"), stated_window_area(&model));
    assert!(near(got, wanted, 0.01), "{got} m² of {wanted} m²");
    // the true north of the file is 50° to the right of its y axis
    let north =
        converted.epjson["Building"].as_object().and_then(|b| b.values().next()?["north_axis"].as_f64());
    assert!(north.is_some_and(|n| (n - 310.0).abs() < 0.01), "{north:?}");
    let site = &converted.epjson["Site:Location"]["Site"];
    assert!(site["latitude"].as_f64().is_some_and(|v| (v - 49.1004).abs() < 1e-3), "{site}");
    runs_without_severe_errors("fzk", &converted);
}

#[test]
fn the_row_house_becomes_eleven_zones_that_energyplus_runs() {
    let Some(model) = model("ExampleHOM.ifc") else { return };
    let converted = converted(&model);
    assert_eq!(converted.counts.zones, 11);
    sound(&model, &converted);
    let (got, wanted) = (window_area(&converted, "Outdoors"), stated_window_area(&model));
    assert!(near(got, wanted, 0.01), "{got} m² of {wanted} m²");
    runs_without_severe_errors("hom", &converted);
}

#[test]
fn the_duplex_becomes_twenty_zones_and_its_roof_none() {
    let Some(model) = model("Duplex_A_20110907.ifc") else { return };
    let converted = converted(&model);
    assert_eq!(converted.counts.zones, 20);
    sound(&model, &converted);
    let (got, wanted) = (window_area(&converted, "Outdoors"), stated_window_area(&model));
    assert!(near(got, wanted, 0.01), "{got} m² of {wanted} m²");
    runs_without_severe_errors("duplex", &converted);
}

/// Zone, side, normal, area and level.
type Stated = (String, String, DVec3, f64, BoundaryLevel);

/// The areas of a file's second-level boundaries of walls, slabs and roofs.
fn stated_boundaries(model: &ifc::Model, converted: &Converted) -> Vec<Stated> {
    let shaper = geometry::Shaper::plain(model);
    let links = ifc::relations::Links::of_many(model);
    let names: HashMap<String, String> =
        converted.zones.iter().map(|z| (z.space.clone(), z.zone.clone())).collect();
    let zone_of = |id: ifc::Id| names.get(&model.get(id)?.guid()?).cloned();
    let mut found = Vec::new();
    for space in model.of_class("IfcSpace") {
        let Some(zone) = zone_of(space) else { continue };
        let placed = model.get(space).and_then(|s| shaper.reader.world(s.reference("ObjectPlacement")?));
        let Some(frame) = placed else { continue };
        for boundary in links.boundaries_of_space(space).into_iter().filter(|b| b.parent.is_none()) {
            let is_door =
                |id: ifc::Id| model.get(id).is_some_and(|e| e.is_a("IfcDoor") || e.is_a("IfcWindow"));
            if boundary.element.is_none_or(is_door) {
                continue;
            }
            let relation = model.get(boundary.relation);
            let geometry = relation.and_then(|r| model.get(r.reference("ConnectionGeometry")?));
            let Some(surface) = geometry.and_then(|g| g.reference("SurfaceOnRelatingElement")) else {
                continue;
            };
            let mut pieces = geometry::item::Pieces::default();
            shaper.item(surface, &frame, None, 0, &mut pieces);
            for face in pieces.pieces.iter().flat_map(|p| p.solid.solid().moved(&p.at).faces) {
                let Some(n) = face.normal() else { continue };
                let size: f64 = face.loops.iter().map(|l| geometry::math::vector_area(l).dot(n)).sum();
                let side = boundary.internal.clone().unwrap_or_default();
                found.push((zone.clone(), side, n, size, boundary.level));
            }
        }
    }
    found
}

/// Gross area of what a filter keeps of the surfaces, less the windows in them where `net`.
fn surface_area(converted: &Converted, net: bool, wanted: impl Fn(&SurfaceReport) -> bool) -> f64 {
    let size = |s: &SurfaceReport| match s.kind.as_str() {
        "Window" if net => -s.area,
        "Window" | "GlassDoor" | "Door" => 0.0,
        _ => s.area,
    };
    converted.surfaces.iter().filter(|s| wanted(s)).map(size).sum()
}

#[test]
fn every_room_shares_as_much_with_others_as_its_boundaries_say() {
    let Some(model) = model("ExampleHOM.ifc") else { return };
    let converted = converted(&model);
    let stated = stated_boundaries(&model, &converted);
    for zone in &converted.zones {
        let own =
            stated.iter().filter(|s| s.0 == zone.zone && s.1 == "INTERNAL" && s.4 == BoundaryLevel::SecondA);
        let wanted: f64 = own.map(|s| s.3).sum();
        let got = surface_area(&converted, true, |s| s.zone == zone.zone && s.boundary == "Surface");
        assert!(near(got, wanted, 0.02), "{}: {got} m² of {wanted} m²", zone.zone);
    }
}

#[test]
fn outer_walls_are_those_of_the_external_boundaries_by_orientation() {
    // the boundaries of the second file leave out windows
    for (name, net) in [("AC20-FZK-Haus.ifc", false), ("ExampleHOM.ifc", true)] {
        let Some(model) = model(name) else { return };
        let converted = converted(&model);
        let sector = |n: DVec3| ((n.y.atan2(n.x).to_degrees() + 382.5) / 45.0) as usize % 4;
        let stated = stated_boundaries(&model, &converted);
        for direction in 0..4 {
            let own = |s: &&Stated| s.1 == "EXTERNAL" && s.2.z.abs() <= 0.5 && sector(s.2) == direction;
            let wanted: f64 = stated.iter().filter(own).map(|s| s.3).sum();
            let got = surface_area(&converted, net, |s| {
                s.boundary == "Outdoors" && s.normal[2].abs() <= 0.5 && sector(s.normal.into()) == direction
            });
            assert!(near(got, wanted, 0.02), "{name}: {got} m² of {wanted} m²");
        }
    }
}

#[test]
fn the_model_keeps_to_the_schema_and_holds_together() {
    for name in ["AC20-FZK-Haus.ifc", "ExampleHOM.ifc", "House.ifc", "basic_demo.ifc"] {
        let Some(model) = model(name) else { return };
        let text = converted(&model).epjson.to_string();
        let opened = energy::idf::Document::open(text.as_bytes());
        let (document, problems) = opened.unwrap_or_else(|e| panic!("{name}: {e:?}"));
        assert!(problems.is_empty(), "{name}: {problems:?}");
        let findings = energy::check::check(&document, energy::check::Options::default());
        assert!(findings.is_empty(), "{name}: {:?}", findings.iter().map(|f| &f.message).collect::<Vec<_>>());
        let issues = energy::integrity::check(
            &document,
            energy::integrity::Surroundings { weather: Some(true), heading: None },
        );
        let told: Vec<&String> = issues.iter().map(|i| &i.message).collect();
        assert!(issues.is_empty(), "{name}: {told:?}");
    }
}

#[test]
fn results_by_zone_find_their_spaces_whatever_the_case() {
    let Some(model) = model("ExampleHOM.ifc") else { return };
    let converted = converted(&model);
    let values = BTreeMap::from([("HeatingEnergy".to_owned(), 12.5), ("Broken".to_owned(), f64::NAN)]);
    let results = BTreeMap::from([("KITCHEN5".to_owned(), values.clone()), ("NOWHERE".to_owned(), values)]);
    let (rows, unknown) = rows(&converted.spaces(), &results);
    assert_eq!(unknown, ["NOWHERE"]);
    let [row] = rows.as_slice() else { panic!("{rows:?}") };
    assert_eq!((row.set.as_str(), row.property.as_str(), row.value), (RESULTS_SET, "HeatingEnergy", 12.5));
    assert_eq!(model.by_guid(&row.space).and_then(|id| model.get(id)?.name()).as_deref(), Some("Kitchen5"));
}

#[test]
fn a_model_without_spaces_is_refused_with_what_to_do() {
    let blank = ifc::Model::blank(ifc::SchemaVersion::Ifc4, ifc::Header::default());
    let refused = convert(&blank, &Options::default());
    assert!(refused.is_err_and(|f| f.message.contains("IfcSpace")));
}
