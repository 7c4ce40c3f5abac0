//! Places of surfaces against what is known of them, and against EnergyPlus' own table where the program is at hand.

use super::{Kind, Scene};
use crate::idf::Document;
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
