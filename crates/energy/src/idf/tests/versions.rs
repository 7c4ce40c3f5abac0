//! Models of other versions than that of new models: each is read, checked, shown, changed and written by its own schema.

use super::*;
use crate::check::{Code, Options, check};
use crate::edit::Fields;
use crate::geometry::Scene;
use crate::schedules::{self, Calendar};
use serde_json::{Value, json};

/// A house as a model of this version says it.
fn house(version: &str) -> String {
    let period = match version {
        "8.9" => "1,1,12,31,Tuesday,Yes,Yes,No,Yes,Yes,1",
        _ => "1,1,2017,12,31,2017,Sunday,Yes,Yes,No,Yes,Yes,No",
    };
    let shading = if version == "8.9" { "," } else { "" };
    let space = if ["8.9", "9.2"].contains(&version) { "" } else { "," };
    format!(
        "! Version,7.0; is not meant\nVersion,{version};\nBuilding,House,30,Suburbs;\n\
         GlobalGeometryRules,UpperLeftCorner,Counterclockwise,World;\nTimestep,4;\nRunPeriod,Year,{period};\n\
         ScheduleTypeLimits,Any;\nSchedule:Day:Interval,Day,Any,No,08:00,0,18:00,1,24:00,0;\n\
         Schedule:Week:Daily,Week,Day,Day,Day,Day,Day,Day,Day,Day,Day,Day,Day,Day;\nSchedule:Year,Use,Any,Week,1,1,12,31;\n\
         Material:NoMass,Panel,Rough,2.5;\nWindowMaterial:SimpleGlazingSystem,Glass,1.8,0.4;\nConstruction,Wall,Panel;\n\
         Construction,Window,Glass;\nZone,Core;\n\
         BuildingSurface:Detailed,South,Wall,Wall,Core,{space}Outdoors,,SunExposed,WindExposed,0.5,4,0,0,3,0,0,0,4,0,0,4,0,3;\n\
         FenestrationSurface:Detailed,Win,Window,Window,South,,0.5,{shading},1,4,1,0,2,1,0,1,3,0,1,3,0,2;\n\
         ZoneInfiltration:DesignFlowRate,Leaks,Core,Use,AirChanges/Hour,,,,0.3;\n\
         ElectricEquipment,Plugs,Core,Use,Watts/Area,,8,,0.1,0.2,0,General;\n"
    )
}

const VERSIONS: [&str; 5] = ["8.9", "9.2", "9.6", "24.1", "26.2"];

/// The reading of these very texts by another program (idfkit 1.1.1), blank fields left out.
fn known(version: &str) -> Value {
    let old = ["8.9", "9.2"].contains(&version);
    let zone = if old { "zone_or_zonelist_name" } else { "zone_or_zonelist_or_space_or_spacelist_name" };
    let leaks = if ["8.9", "9.2", "9.6"].contains(&version) { "zone_or_zonelist_name" } else { zone };
    let watts = if ["24.1", "26.2"].contains(&version) {
        "watts_per_floor_area"
    } else {
        "watts_per_zone_floor_area"
    };
    let mut period = json!({
        "begin_month": 1, "begin_day_of_month": 1, "end_month": 12, "end_day_of_month": 31, "apply_weekend_holiday_rule": "No",
        "use_weather_file_holidays_and_special_days": "Yes", "use_weather_file_daylight_saving_period": "Yes",
        "use_weather_file_rain_indicators": "Yes", "use_weather_file_snow_indicators": "Yes",
    });
    let rest = if version == "8.9" {
        json!({"day_of_week_for_start_day": "Tuesday", "number_of_times_runperiod_to_be_repeated": 1})
    } else {
        json!({"begin_year": 2017, "end_year": 2017, "day_of_week_for_start_day": "Sunday", "treat_weather_as_actual": "No"})
    };
    period.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
    let year = if version == "8.9" {
        json!({"schedule_type_limits_name": "Any", "schedule_week_name_1": "Week", "start_month_1": 1, "start_day_1": 1,
            "end_month_1": 12, "end_day_1": 31})
    } else {
        json!({"schedule_type_limits_name": "Any", "schedule_weeks": [{"schedule_week_name": "Week", "start_month": 1,
            "start_day": 1, "end_month": 12, "end_day": 31}]})
    };
    let corner = |x: i32, z: i32| json!({"vertex_x_coordinate": x, "vertex_y_coordinate": 0, "vertex_z_coordinate": z});
    json!({
        "Version": {"Version 1": {"version_identifier": version}},
        "RunPeriod": {"Year": period},
        "Schedule:Year": {"Use": year},
        "BuildingSurface:Detailed": {"South": {"surface_type": "Wall", "construction_name": "Wall", "zone_name": "Core",
            "outside_boundary_condition": "Outdoors", "sun_exposure": "SunExposed", "wind_exposure": "WindExposed",
            "view_factor_to_ground": 0.5, "number_of_vertices": 4,
            "vertices": [corner(0, 3), corner(0, 0), corner(4, 0), corner(4, 3)]}},
        "FenestrationSurface:Detailed": {"Win": {"surface_type": "Window", "construction_name": "Window",
            "building_surface_name": "South", "view_factor_to_ground": 0.5, "multiplier": 1, "number_of_vertices": 4,
            "vertex_1_x_coordinate": 1, "vertex_1_y_coordinate": 0, "vertex_1_z_coordinate": 2,
            "vertex_2_x_coordinate": 1, "vertex_2_y_coordinate": 0, "vertex_2_z_coordinate": 1,
            "vertex_3_x_coordinate": 3, "vertex_3_y_coordinate": 0, "vertex_3_z_coordinate": 1,
            "vertex_4_x_coordinate": 3, "vertex_4_y_coordinate": 0, "vertex_4_z_coordinate": 2}},
        "ZoneInfiltration:DesignFlowRate": {"Leaks": {leaks: "Core", "schedule_name": "Use",
            "design_flow_rate_calculation_method": "AirChanges/Hour", "air_changes_per_hour": 0.3}},
        "ElectricEquipment": {"Plugs": {zone: "Core", "schedule_name": "Use", "design_level_calculation_method": "Watts/Area",
            watts: 8, "fraction_latent": 0.1, "fraction_radiant": 0.2, "fraction_lost": 0, "end_use_subcategory": "General"}},
    })
}

fn open(text: &str) -> Document {
    let (document, problems) = Document::open(text.as_bytes()).unwrap();
    assert!(problems.is_empty(), "{problems:?}");
    document
}

fn written(document: &Document, format: Format) -> String {
    String::from_utf8(document.to_bytes(format).unwrap()).unwrap()
}

fn update(document: &mut Document, object: &str, fields: Value) -> Result<(), contract::Fault> {
    let (type_name, name) = object.split_once('/').unwrap();
    let handle = document.get(type_name, name).unwrap().handle();
    let fields: Fields = fields.as_object().unwrap().clone();
    document.update(handle, &fields).map(|_| ())
}

#[test]
fn models_are_read_by_the_schema_of_their_own_version() {
    for version in VERSIONS {
        let document = open(&house(version));
        assert_eq!((document.version(), document.schema().short_version()), (Some(version), version));
        for (type_name, objects) in known(version).as_object().unwrap() {
            for (name, fields) in objects.as_object().unwrap() {
                let object = document.get(type_name, if type_name == "Version" { "" } else { name }).unwrap();
                assert_eq!(&body(object), fields, "{version} {type_name}");
                for (key, value) in fields.as_object().unwrap().iter().filter(|(_, value)| !value.is_array())
                {
                    assert_eq!(
                        object.get(key),
                        crate::idf::plain(value).as_deref(),
                        "{version} {type_name} {key}"
                    );
                }
            }
        }
        // nothing is wrong with them, and nothing is said to be
        assert_eq!(check(&document, Options::default()), [], "{version}");
        let scene = Scene::from_document(&document);
        let seen: Vec<(&str, &str)> =
            scene.surfaces.iter().map(|surface| (surface.name.as_str(), surface.boundary.as_str())).collect();
        assert_eq!(seen, [("South", "Outdoors"), ("Win", "")], "{version}");
        let year = schedules::all(&document).find(|schedule| schedule.name() == "Use").unwrap();
        let year = schedules::resolve(year, &Calendar::from_document(&document, 2017), &|_| None).unwrap();
        assert_eq!(year.hours().sum::<f64>(), 3650.0, "{version}");
    }
}

#[test]
fn models_become_epjson_with_the_keys_of_their_version_and_come_back() {
    for version in VERSIONS {
        let document = open(&house(version));
        let json = written(&document, Format::EpJson);
        let said: Value = serde_json::from_str(&json).unwrap();
        for (type_name, objects) in known(version).as_object().unwrap() {
            assert_eq!(&said[type_name], objects, "{version} {type_name}");
        }
        let from_json = open(&json);
        assert_eq!((from_json.format(), from_json.schema().short_version()), (Format::EpJson, version));
        assert_eq!(check(&from_json, Options::default()), [], "{version}");
        let again = open(&written(&from_json, Format::Idf));
        assert_eq!(again.schema().short_version(), version);
        let sorted = |document: &Document| {
            let text = listed(document);
            let mut lines: Vec<String> =
                text.lines().map(|line| line.trim_end_matches('|').to_owned()).collect();
            lines.sort_unstable();
            lines
        };
        assert_eq!(sorted(&again), sorted(&document), "{version}");
    }
}

#[test]
fn an_edit_reaches_the_field_of_the_models_version() {
    for (version, place) in [("8.9", 4), ("9.2", 4), ("9.6", 5), ("26.2", 5)] {
        let mut document = open(&house(version));
        update(
            &mut document,
            "BuildingSurface:Detailed/South",
            json!({"outside_boundary_condition": "adiabatic", "Sun Exposure": "NoSun"}),
        )
        .unwrap();
        let wall = document.get("BuildingSurface:Detailed", "South").unwrap();
        assert_eq!((wall.value(place), wall.value(place + 2)), ("Adiabatic", "NoSun"), "{version}");
        let text = written(&document, Format::Idf);
        assert!(text.contains("Adiabatic,               !- Outside Boundary Condition\n"), "{text}");
        assert!(text.contains("! Version,7.0; is not meant\n") && text.contains("\nZone,Core;\n"), "{text}");
        assert_eq!(text.contains("!- Space Name"), place == 5, "{text}");
        let again = open(&text);
        assert_eq!(
            again.get("BuildingSurface:Detailed", "South").unwrap().get("sun_exposure"),
            Some("NoSun")
        );
        // a field of other versions is none of this one
        let refused = update(&mut document, "ElectricEquipment/Plugs", json!({"watts_per_floor_area": 9}));
        assert_eq!(refused.is_err(), version != "26.2", "{version}");
        let added = json!({"zone_name": "Core", "space_name": ""}).as_object().unwrap().clone();
        assert_eq!(document.add("Wall:Exterior", "North", &added).is_err(), place == 4, "{version}");
    }
}

#[test]
fn the_version_is_found_wherever_it_stands() {
    for (text, read_by) in [
        ("Zone,a;\nVERSION ,\n ! the old one\n 9.6 ! here\n;", "9.6"),
        ("! Version,9.6;\nZone,a; Version,9.2; Version,9.2;", "9.2"),
        ("\u{feff}version,8.9;Zone,a;", "8.9"),
        // the object before lacks its end, and hides it
        ("Building,House\nVersion,9.6;\nZone,a;", "9.6"),
        ("Zone,a, !- Version,9.6;\n0;", "25.2"),
        ("Zone,Version,9;", "25.2"),
        ("Version", "25.2"),
        ("Version;Zone,a;", "25.2"),
        ("Version,;Zone,a;", "25.2"),
        ("Version,9.6", "9.6"),
        ("{\"Zone\": {}, \"version\": {\"x\": {\"version_identifier\": 9.6}}}", "9.6"),
        ("{\"Version\": {\"Version 2\": {}, \"Version 1\": {\"version_identifier\": \"22.1\"}}}", "22.1"),
        ("{\"Version\": {\"v\": {\"version_identifier\": [9.6]}}, \"Zone\": {\"a\": {}}}", "25.2"),
        ("{\"Version\": {}, \"Zone\": {\"a\": {}}}", "25.2"),
    ] {
        let document = Document::open(text.as_bytes()).unwrap().0;
        assert_eq!(document.schema().short_version(), read_by, "{text}");
    }
    let latin = Document::open(b"Zone,K\xfcche;\nVersion,9.6;").unwrap().0;
    assert_eq!(latin.schema().short_version(), "9.6");
}

#[test]
fn a_version_that_is_not_here_is_told_of_and_never_fatal() {
    for (version, read_by, told) in [
        ("7.2", "8.9", "older than every schema"),
        ("27.1", "26.2", "newer than every schema"),
        ("24.3", "24.2", "the version before, 24.2"),
        ("9.6.0.0.0", "9.6", "not how a version is written"),
        ("99999999999.1", "25.2", "no version of EnergyPlus"),
        ("the newest", "25.2", "no version of EnergyPlus"),
    ] {
        let json =
            json!({"Version": {"Version 1": {"version_identifier": version}}, "Zone": {"a": {}}}).to_string();
        for text in [format!("Zone,a;\nVersion,{version};\n"), json] {
            let (document, problems) = Document::open(text.as_bytes()).unwrap();
            assert_eq!(document.schema().short_version(), read_by, "{text}");
            let [problem] = problems.as_slice() else { panic!("{problems:?}") };
            assert_eq!(problem.code, ProblemCode::OtherVersion);
            assert!(problem.message.contains(told), "{problem:?}");
            let found = check(&document, Options::default());
            let found = found.iter().find(|finding| finding.code == Code::OtherVersion);
            assert_eq!(found.map(|found| found.message.contains(told)), Some(true), "{version}: {found:?}");
        }
    }
    let (document, problems) = Document::open(b"Version,9.2;\nVersion,9.6;\nVersion,9.2;").unwrap();
    assert_eq!(document.schema().short_version(), "9.2");
    assert!(problems.len() == 1 && problems[0].line == 2, "{problems:?}");
    assert!(problems[0].message.contains("several Version objects"), "{problems:?}");
    let codes: Vec<Code> = check(&document, Options::default()).iter().map(|finding| finding.code).collect();
    assert!(codes.contains(&Code::NotUnique), "{codes:?}");
    // the object was changed after the file was read
    let mut document = open("Version,9.2;\nZone,a;");
    update(&mut document, "Version/", json!({"version_identifier": "25.2"})).unwrap();
    let findings = check(&document, Options::default());
    let found = findings.iter().find(|finding| finding.code == Code::OtherVersion).unwrap();
    assert!(found.message.contains("25.2") && found.message.contains("its file was of that"), "{found:?}");
}

#[test]
fn the_same_model_in_two_versions_differs_in_what_differs() {
    let (old, new) = (open(&house("9.2")), open(&house("9.6")));
    let raw = diff(&old, &new);
    // what has no name is known by what it says
    let names =
        |entities: &[contract::EntityRef]| entities.iter().map(|it| it.class.clone()).collect::<Vec<_>>();
    assert_eq!(
        (names(&raw.added), names(&raw.removed)),
        (vec!["Version".to_owned()], vec!["Version".to_owned()])
    );
    let mut rows: Vec<String> = Vec::new();
    for change in &raw.modified {
        for row in &change.changes {
            rows.push(format!("{} {}: {} > {}", change.entity.class, row.attribute, row.before, row.after));
        }
    }
    rows.sort_unstable();
    assert_eq!(
        rows,
        [
            "ElectricEquipment Zone or ZoneList Name: \"Core\" > null",
            "ElectricEquipment Zone or ZoneList or Space or SpaceList Name: null > \"Core\"",
        ]
    );
}
