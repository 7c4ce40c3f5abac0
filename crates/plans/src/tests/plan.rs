//! What is recognised, and what is said of it.

use super::{drawing, line, plan, read, recognised, room};
use crate::Options;
use crate::plan::{DoorKind, Question, ScaleSource, Side};

const SWING: &str =
    "0 ARC|8 DOORS|10 1000|20 0|40 900|50 0|51 90|0 LINE|8 DOORS|10 1000|20 0|11 1000|21 900|";

#[test]
fn a_room_has_four_walls_a_door_and_a_name() {
    let words = "0 TEXT|8 T|10 2000|20 1500|40 200|1 Kitchen|0 TEXT|8 T|10 2000|20 1200|40 120|1 12.00 m²|0 TEXT|8 T|10 2000|20 900|40 120|1 0.04|";
    let own = plan(&drawing(4, "", &(room("WÄNDE", SWING) + words)));
    assert_eq!(own.scale.source, ScaleSource::Units);
    let mut axes: Vec<[f64; 4]> =
        own.walls.iter().map(|wall| [wall.start[0], wall.start[1], wall.end[0], wall.end[1]]).collect();
    axes.sort_by(|a, b| a.partial_cmp(b).unwrap());
    assert_eq!(
        axes,
        [
            [-100.0, -100.0, -100.0, 3100.0],
            [-100.0, -100.0, 4100.0, -100.0],
            [-100.0, 3100.0, 4100.0, 3100.0],
            [4100.0, -100.0, 4100.0, 3100.0]
        ]
    );
    assert!(own.walls.iter().all(|wall| wall.thickness == 200.0 && wall.confidence > 0.9));
    let [door] = own.doors.as_slice() else { panic!("{:?}", own.doors) };
    assert_eq!(
        (door.place.width, door.place.centre, door.kind),
        (900.0, [1450.0, -100.0], DoorKind::SingleSwing)
    );
    assert_eq!(
        (door.hinge, door.hinge_end, door.swing),
        (Some([1000.0, 0.0]), Some("start"), Some(Side::Left))
    );
    let [room] = own.rooms.as_slice() else { panic!("{:?}", own.rooms) };
    assert_eq!((room.name.as_deref(), room.area, room.stated_area), (Some("Kitchen"), 12.0, Some(12.0)));
    assert!(own.not_understood.is_empty() && own.questions.is_empty(), "{own:?}");
}

#[test]
fn without_units_and_dimensions_the_scale_is_asked_for() {
    let own = plan(&drawing(0, "", &room("WALLS", SWING)));
    assert_eq!((own.scale.source, own.scale.mm_per_unit), (ScaleSource::Guess, 1.0));
    let [Question::NeedsScale { candidates, .. }] = own.questions.as_slice() else {
        panic!("{:?}", own.questions)
    };
    assert_eq!(candidates[0].mm_per_unit, 1.0);
    assert!(candidates[0].reasons[0].contains("doors 900 mm wide"), "{candidates:?}");
    let given = recognised(
        &read(&drawing(0, "", &room("WALLS", SWING))),
        &Options { scale: Some(1.0), ..Options::default() },
    );
    assert!(given.questions.is_empty() && given.scale.source == ScaleSource::Given);
}

#[test]
fn dimensions_say_the_scale_where_the_units_cannot_be() {
    let dimension = "0 DIMENSION|8 D|70 0|10 0|20 -900|13 -200|23 -200|14 4200|24 -200|50 0|1 14'-5 1/4\"|";
    let own = plan(&drawing(6, "", &(room("WALLS", SWING) + dimension)));
    assert_eq!(own.scale.source, ScaleSource::Dimensions);
    assert!((own.scale.mm_per_unit - 1.0).abs() < 0.01, "{:?}", own.scale);
    assert!(own.assumptions.iter().any(|own| own.contains("1000 mm")), "{:?}", own.assumptions);
}

#[test]
fn bare_gaps_are_doors_that_are_less_sure() {
    let own = plan(&drawing(4, "", &room("WALLS", "")));
    let [door] = own.doors.as_slice() else { panic!("{own:?}") };
    assert_eq!((door.kind, door.place.width), (DoorKind::Unknown, 900.0));
    assert!(door.place.confidence <= 0.5 && door.place.evidence.contains("bare gap"));
}

#[test]
fn what_is_not_understood_is_listed_with_its_places() {
    let strange =
        line("XYZ", [7000.0, 7000.0, 7500.0, 7300.0]) + &line("FURNITURE", [500.0, 500.0, 900.0, 500.0]);
    let own = plan(&drawing(4, "", &(room("WALLS", SWING) + &strange)));
    let [group] = own.not_understood.as_slice() else { panic!("{:?}", own.not_understood) };
    assert_eq!((group.layer.as_str(), group.count, group.places[0].mm), ("XYZ", 1, [7250.0, 7150.0]));
    assert!(own.passed_over.iter().any(|own| own.layer == "FURNITURE" && own.reason == "furniture"));
}

#[test]
fn layers_can_be_named() {
    let mut options = Options::default();
    options.layers.insert("wall".to_owned(), vec!["foo".to_owned()]);
    options.layers.insert("ignore".to_owned(), vec!["bar".to_owned()]);
    let bytes = drawing(4, "", &(room("FOO", SWING) + &line("BAR", [1000.0, 700.0, 3000.0, 700.0])));
    let own = recognised(&read(&bytes), &options);
    assert_eq!((own.walls.len(), own.doors.len()), (4, 1));
    assert!(own.not_understood.is_empty() && own.passed_over.iter().any(|own| own.layer == "BAR"));
}

#[test]
fn curved_walls_have_an_arc() {
    let arc = |radius: f64| format!("0 ARC|8 WALLS|10 0|20 0|40 {radius}|50 0|51 180|");
    let straight =
        line("WALLS", [-3100.0, 0.0, 3100.0, 0.0]) + &line("WALLS", [-3100.0, -200.0, 3100.0, -200.0]);
    let own = plan(&drawing(4, "", &(arc(3000.0) + &arc(3200.0) + &straight)));
    let curved: Vec<_> = own.walls.iter().filter_map(|wall| wall.arc).collect();
    let [axis] = curved.as_slice() else { panic!("{own:?}") };
    assert_eq!((axis.centre, axis.radius), ([0.0, 0.0], 3100.0));
    assert_eq!(own.rooms.len(), 1, "{own:?}");
    assert!((own.rooms[0].area - std::f64::consts::PI * 4.5).abs() < 0.1, "{}", own.rooms[0].area);
}

#[test]
fn the_overlay_shows_the_plan_and_what_is_left_over() {
    let bytes = drawing(4, "", &(room("WALLS", SWING) + &line("XYZ", [700.0, 700.0, 900.0, 900.0])));
    let own = read(&bytes);
    let page = crate::overlay::page(&own, &recognised(&own, &Options::default()));
    let drawn = paper::svg::write(&page);
    for said in ["4 walls", "1 doors", "D 900", "1 groups not understood", "#dc0000"] {
        assert!(drawn.contains(said), "{said}");
    }
    assert!(paper::png::write(&page, paper::png::Resolution::Width(300)).is_ok());
}

#[test]
fn the_same_drawing_gives_the_same_plan() {
    let bytes = drawing(4, "", &room("0", SWING));
    let once = serde_json::to_string(&plan(&bytes)).unwrap();
    assert_eq!(once, serde_json::to_string(&plan(&bytes)).unwrap());
}

#[test]
fn a_small_ring_of_thin_walls_is_furniture_and_told() {
    let ring = |[x1, y1, x2, y2]: [f64; 4]| {
        let sides = [[x1, y1, x2, y1], [x2, y1, x2, y2], [x2, y2, x1, y2], [x1, y2, x1, y1]];
        sides.into_iter().map(|side| line("WALLS", side)).collect::<String>()
    };
    let rug = ring([1000.0, 1400.0, 2200.0, 2200.0]) + &ring([1060.0, 1460.0, 2140.0, 2140.0]);
    let own = plan(&drawing(4, "", &(room("WALLS", SWING) + &rug)));
    assert_eq!(own.walls.len(), 4, "{:?}", own.walls);
    assert!(own.assumptions.iter().any(|said| said.contains("4 thin walls")), "{:?}", own.assumptions);
    assert!(own.not_understood.iter().any(|group| group.layer == "WALLS" && group.count == 8), "{own:?}");
    // as thick as walls it may be a shaft
    let shaft = ring([1000.0, 1400.0, 2200.0, 2200.0]) + &ring([1120.0, 1520.0, 2080.0, 2080.0]);
    assert_eq!(plan(&drawing(4, "", &(room("WALLS", SWING) + &shaft))).walls.len(), 8);
}
