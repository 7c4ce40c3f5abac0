//! Places of surfaces against what is known of them.

use super::zones::ZoneSurfaces;
use super::{Kind, Scene};
use crate::idf::Document;
use crate::integrity::{IssueKind, Surroundings, check};
use std::process::Command;

fn open(text: &str) -> Document {
    Document::open(text.as_bytes()).unwrap().0
}

/// A zone at [10, 20, 0], turned by 90° clockwise, in a building turned by 90° more: what looked south looks north.
const TURNED: &str = "Version,25.2;\nBuilding,B,90;\nGlobalGeometryRules,UpperLeftCorner,Counterclockwise,Relative;\n\
    Zone,Z,90,10,20,0;\n\
    BuildingSurface:Detailed,South,Wall,C,Z,,Outdoors,,SunExposed,WindExposed,,4,0,0,3,0,0,0,4,0,0,4,0,3;\n\
    Wall:Exterior,Measured,C,Z,,180,90,0,0,0,4,3;\n\
    Floor:GroundContact,Ground,C,Z,,,,0,0,0,4,5;\n\
    Roof,Top,C,Z,,,,0,0,3,4,5;\n\
    Window,Win,C,Measured,,,1,1,2,1.5;\n\
    Window,Lost,C,Nowhere,,,1,1,2,1.5;\n\
    Shading:Site:Detailed,Tree,,4,0,0,3,0,0,0,4,0,0,4,0,3;\n\
    Shading:Overhang,Over,Win,0.1,90,0.1,0.1,0.5;\n";

#[test]
fn a_zone_and_its_building_turn_what_is_given_in_their_frames() {
    let scene = Scene::from_document(&open(TURNED));
    let named = |name: &str| scene.surfaces.iter().find(|surface| surface.name == name).unwrap();
    for name in ["South", "Measured", "Win"] {
        let azimuth = named(name).azimuth();
        assert!(azimuth.min(360.0 - azimuth).abs() < 1e-9, "{name} looks to {azimuth}");
        assert!((named(name).tilt() - 90.0).abs() < 1e-9, "{name}");
    }
    assert!((named("Tree").azimuth() - 180.0).abs() < 1e-9);
    // zone's origin [10, 20] turned with the building
    let corner = named("South").corners[1];
    assert!((corner[0] - 20.0).abs() < 1e-9 && (corner[1] + 10.0).abs() < 1e-9, "{corner:?}");
    assert!((named("Win").area() - 3.0).abs() < 1e-9);
    assert_eq!((named("Win").kind, named("Win").zone.as_str()), (Kind::Window, "Z"));
    assert!((named("Ground").tilt() - 180.0).abs() < 1e-9 && named("Top").tilt().abs() < 1e-9);
    let inside = |name: &str, host: &str| {
        let wall = &named(host).corners;
        let within = |axis: usize| {
            let of = |corners: &[glam::DVec3]| {
                let values = corners.iter().map(|corner| corner[axis]);
                (values.clone().fold(f64::MAX, f64::min), values.fold(f64::MIN, f64::max))
            };
            let (inner, outer) = (of(&named(name).corners), of(wall));
            inner.0 >= outer.0 - 1e-9 && inner.1 <= outer.1 + 1e-9
        };
        (0..3).all(within)
    };
    assert!(inside("Win", "Measured"));
    let lost: Vec<&str> = scene.unplaced.iter().map(|lost| lost.name.as_str()).collect();
    assert_eq!(lost, ["Lost", "Over"]);
}

#[test]
fn the_worlds_frame_ignores_origins_and_turns() {
    let scene = Scene::from_document(&open(&TURNED.replace("Relative", "World")));
    let south = scene.surfaces.iter().find(|surface| surface.name == "South").unwrap();
    assert!((south.azimuth() - 180.0).abs() < 1e-9 && south.corners[1] == glam::DVec3::ZERO);
}

#[test]
fn areas_azimuths_and_tilts_are_those_of_the_programs_own_table() {
    let (Some(program), Some(models)) = (testing::energyplus(), testing::prototypes()) else { return };
    let model = models.join("ASHRAE901_OfficeSmall_STD2019_Denver.idf");
    let mut text = String::from_utf8_lossy(&std::fs::read(model).unwrap()).into_owned();
    // turned, so that signs show
    let before = "0.0000,                  !- North Axis";
    let found = text.lines().find(|line| line.contains("!- North Axis")).unwrap().to_owned();
    text = text.replacen(&found, "    33.0, !- North Axis {deg}", 1);
    assert!(!text.contains(before));
    text.push_str("\nOutput:SQLite,Simple;\n");
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("in.idf"), &text).unwrap();
    let output = Command::new(program.join("energyplus"))
        .args(["-D", "in.idf"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    let database = rusqlite::Connection::open(folder.path().join("eplusout.sql")).unwrap();
    let mut rows = database.prepare("SELECT SurfaceName, GrossArea, Azimuth, Tilt FROM Surfaces").unwrap();
    let rows: Vec<(String, f64, f64, f64)> = rows
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))
        .unwrap()
        .map(Result::unwrap)
        .collect();
    let scene = Scene::from_document(&open(&text));
    let mut compared = 0;
    for surface in scene.surfaces.iter().filter(|surface| surface.kind != Kind::Shading) {
        let (_, area, azimuth, tilt) = rows
            .iter()
            .find(|row| row.0.eq_ignore_ascii_case(&surface.name))
            .unwrap_or_else(|| panic!("{}", surface.name));
        assert!(
            (surface.area() - area).abs() < 1e-4 * area,
            "{}: {} and {area}",
            surface.name,
            surface.area()
        );
        assert!((surface.tilt() - tilt).abs() < 0.01, "{}: {} and {tilt}", surface.name, surface.tilt());
        if (1.0..179.0).contains(tilt) {
            let apart = (surface.azimuth() - azimuth).rem_euclid(360.0);
            assert!(apart.min(360.0 - apart) < 0.01, "{}: {} and {azimuth}", surface.name, surface.azimuth());
        }
        compared += 1;
    }
    assert!(compared > 50, "{compared}");
    assert!(scene.unplaced.is_empty(), "{:?}", scene.unplaced);
}

/// Two rooms of 4 m, one above the other; the upper one has its floor as its own, and no ceiling of the lower one is given.
fn stacked(boundary: &str, beyond: &str) -> String {
    let walls = |zone: &str, low: i32, high: i32| {
        let mut text = String::new();
        for (at, [ax, ay, bx, by]) in
            [[0, 0, 4, 0], [4, 0, 4, 4], [4, 4, 0, 4], [0, 4, 0, 0]].iter().enumerate()
        {
            let corners = format!("{ax},{ay},{high},{ax},{ay},{low},{bx},{by},{low},{bx},{by},{high}");
            let surface =
                format!("BuildingSurface:Detailed,{zone}{at},Wall,C,{zone},,Outdoors,,,,,4,{corners};");
            text.push_str(&(surface + "\n"));
        }
        text
    };
    format!(
        "Version,25.2;GlobalGeometryRules,UpperLeftCorner,Counterclockwise,World;Zone,Low;Zone,High;Space,Hall,Low;\
         BuildingSurface:Detailed,Ground,Floor,C,Low,,Ground,,,,,4,0,0,0,0,4,0,4,4,0,4,0,0;\
         BuildingSurface:Detailed,Between,Floor,C,High,,{boundary},{beyond},,,,4,0,0,3,0,4,3,4,4,3,4,0,3;\
         BuildingSurface:Detailed,Top,Roof,C,High,,Outdoors,,,,,4,0,0,6,4,0,6,4,4,6,0,4,6;\
         FenestrationSurface:Detailed,Hatch,Door,C,Between,,,,,4,1,1,3,1,2,3,2,2,3,2,1,3;\n{}{}",
        walls("Low", 0, 3),
        walls("High", 3, 6)
    )
}

#[test]
fn a_surface_that_borders_on_a_zone_or_space_has_its_other_side_there() {
    for (boundary, beyond) in [("Zone", "low"), ("zone", "Low"), ("Space", "Hall")] {
        let document = open(&stacked(boundary, beyond));
        let scene = Scene::from_document(&document);
        let other = scene.surfaces.iter().find(|surface| surface.name == "iz-Between").unwrap();
        assert_eq!((other.zone.as_str(), other.kind), ("Low", Kind::Ceiling), "{boundary}");
        assert_eq!(other.mirror_of.as_deref(), Some("Between"));
        assert!(other.tilt() < 1e-9, "{}", other.tilt());
        let hatch = scene.surfaces.iter().find(|surface| surface.name == "iz-Hatch").unwrap();
        assert_eq!((hatch.zone.as_str(), hatch.within.as_deref()), ("Low", Some("iz-Between")));
        let zones = ZoneSurfaces::from_scene(&scene);
        let low = zones.measures(document.get("Zone", "Low").unwrap());
        assert_eq!((low.floor_area, low.height, low.closed), (16.0, 3.0, Some(true)), "{boundary}");
        assert!((low.volume - 48.0).abs() < 1e-9);
        // the hatch is no floor
        let high = zones.measures(document.get("Zone", "High").unwrap());
        assert_eq!(high.floor_area, 15.0);
        let gaps = check(&document, Surroundings::default());
        assert!(!gaps.iter().any(|issue| issue.kind == IssueKind::ZoneNotClosed), "{gaps:?}");
    }
    let lost = open(&stacked("Zone", "Nowhere"));
    let issues = check(&lost, Surroundings::default());
    let said: Vec<&str> = issues.iter().map(|issue| issue.message.as_str()).collect();
    assert!(
        said.iter().any(|text| text.contains("borders on the zone `Nowhere`, which is not there")),
        "{said:?}"
    );
    assert!(said.iter().any(|text| text.contains("Zone `Low` is not closed")), "{said:?}");
}

#[test]
fn what_a_zone_says_of_itself_holds() {
    let text = stacked("Zone", "Low").replace("Zone,High;", "Zone,High,0,0,0,0,1,1,2.5,,20;");
    let document = open(&text);
    let scene = Scene::from_document(&document);
    let high = ZoneSurfaces::from_scene(&scene).measures(document.get("Zone", "High").unwrap());
    assert_eq!((high.floor_area, high.height, high.volume), (20.0, 2.5, 50.0));
}

#[test]
fn corners_that_are_entered_clockwise_are_placed_the_other_way_round() {
    let both = ["Counterclockwise", "Clockwise"].map(|way| TURNED.replace("Counterclockwise", way));
    let [one, other] = both.map(|text| {
        let scene = Scene::from_document(&open(&text));
        scene.surfaces.iter().find(|surface| surface.name == "South").unwrap().azimuth()
    });
    assert!(((one - other).abs() - 180.0).abs() < 1e-6, "{one} and {other}");
}
