//! Drawings of a small house of which everything is known.

use crate::common;
use crate::common::{BEAM, DOOR, EAST, GRID, House, NORTH, ROOM, SOUTH, WEST, WINDOW};
use crate::common::{assert_words_are_apart, groups_of, made, paths, points, texts};
use documentation::drawing::dimension::{End, Of};
use documentation::drawing::{Asked, BadDrawing, Kind, Wanted, draw};
use documentation::style::Style;
use geometry::Scene;
use glam::{DVec2, DVec3};
use ifc::Id;
use paper::{Fill, Part, Segment};

fn plan(scene: &Scene, storey: &str, scale: f64) -> Wanted {
    Wanted::new(Kind::Plan { storey: storey_of(scene, storey), height: 1.2 }, scale)
}

fn storey_of(scene: &Scene, name: &str) -> Id {
    building::lookup::storey(scene.model(), "storey", name).unwrap()
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-6
}

#[test]
fn every_element_of_the_storey_is_on_its_plan_once() {
    let scene = House { grid: true, ..House::default() }.scene();
    for scale in [50.0, 100.0, 200.0] {
        let drawing = made(&scene, &plan(&scene, "Ground", scale)).unwrap();
        for id in [SOUTH, NORTH, WEST, EAST, DOOR, WINDOW, BEAM, ROOM, GRID] {
            assert_eq!(groups_of(&drawing.page, id).len(), 1, "{id} at 1:{scale}");
        }
        assert_eq!((drawing.cut.len(), drawing.rooms.len()), (6, 1));
        assert_words_are_apart(&drawing.page, "house");
    }
}

#[test]
fn cut_faces_have_the_size_of_the_walls() {
    let scene = House::default().scene();
    let drawing = made(&scene, &plan(&scene, "Ground", 50.0)).unwrap();
    // walls of 300 mm around, less door and window
    let walls = 6.0 * 4.0 - 5.4 * 3.4 - 0.9 * 0.3 - 2.0 * 0.3;
    let frames = 0.9 * 0.1 + 2.0 * 0.1;
    assert!(near(drawing.cut_area, walls + frames), "{}", drawing.cut_area);
    let mut hatched = 0.0;
    for id in [SOUTH, NORTH, WEST, EAST] {
        for path in paths(&groups_of(&drawing.page, id)[0].nodes) {
            if let Some(Fill::Hatch(hatch)) = &path.fill {
                assert_eq!(hatch.name, "REINFORCED_CONCRETE");
                // a millimetre of paper is 50 in the world
                hatched += path.subpaths.iter().map(|s| size(&points(s))).sum::<f64>() * 0.0025;
            }
        }
    }
    assert!((hatched - walls).abs() < 1e-6, "{hatched} {walls}");
}

fn size(points: &[DVec2]) -> f64 {
    geometry::math::signed_area(points).abs()
}

#[test]
fn walls_of_one_material_have_one_outline() {
    let scene = House::default().scene();
    let drawing = made(&scene, &plan(&scene, "Ground", 50.0)).unwrap();
    let heavy = common::style().weights.cut_heavy.0;
    let mut length = 0.0;
    for id in [SOUTH, NORTH, WEST, EAST] {
        for path in paths(&groups_of(&drawing.page, id)[0].nodes) {
            if path.fill.is_none() && path.stroke.as_ref().is_some_and(|s| near(s.width, heavy)) {
                let of = |s: &paper::Subpath| {
                    let mut all = points(s);
                    if s.is_closed {
                        all.push(s.start);
                    }
                    all.windows(2).map(|w| w[0].distance(w[1])).sum::<f64>()
                };
                length += path.subpaths.iter().map(of).sum::<f64>() * 0.05;
            }
        }
    }
    // outside and inside less the two holes, and their four jambs
    let outline = 2.0 * (6.0 + 4.0) + 2.0 * (5.4 + 3.4) - 2.0 * (0.9 + 2.0) + 4.0 * 0.3;
    assert!((length - outline).abs() < 0.02, "{length} {outline}");
}

#[test]
fn dimensions_are_those_of_the_model() {
    let scene = House { grid: true, ..House::default() }.scene();
    let drawing = made(&scene, &plan(&scene, "Ground", 50.0)).unwrap();
    let of = |kind: Of| -> Vec<f64> {
        let mut all: Vec<f64> =
            drawing.dimensions.iter().filter(|d| d.of == kind).map(|d| d.metres).collect();
        all.sort_by(f64::total_cmp);
        all
    };
    let expect = |kind: Of, values: &[f64]| {
        let found = of(kind);
        let is_same = found.len() == values.len() && found.iter().zip(values).all(|(a, b)| near(*a, *b));
        assert!(is_same, "{kind:?}: {found:?}");
    };
    // the south facade from left to right: 1.00, door 0.90, 1.10, window 2.00, 1.00
    expect(Of::Openings, &[0.9, 1.0, 1.0, 1.1, 2.0]);
    expect(Of::Overall, &[4.0, 4.0, 6.0, 6.0]);
    expect(Of::Room, &[3.4, 5.4]);
    assert!(drawing.dimensions.iter().all(|d| !d.words.is_empty()));
    for dimension in &drawing.dimensions {
        let [a, b] = dimension.ends;
        let along = (b - a).truncate();
        let longest = along.abs().max_element();
        assert!(near(longest, dimension.metres), "{dimension:?}");
        assert_eq!(dimension.words, common::style().measure(dimension.metres).words());
    }
    let room = &drawing.rooms[0];
    assert!(near(room.area, 5.4 * 3.4) && near(room.height, 2.7), "{room:?}");
}

#[test]
fn a_turned_house_is_measured_along_its_walls() {
    let measures = |turn: f64, shift: DVec2| {
        let scene = House { turn, shift, grid: true, ..House::default() }.scene();
        let drawing = made(&scene, &plan(&scene, "Ground", 100.0)).unwrap();
        assert_words_are_apart(&drawing.page, "turned");
        assert!((drawing.rooms[0].area - 5.4 * 3.4).abs() < 1e-2);
        let mut all: Vec<i64> = drawing.dimensions.iter().map(|d| (d.metres * 1e4).round() as i64).collect();
        all.sort_unstable();
        all
    };
    let straight = measures(0.0, DVec2::ZERO);
    assert_eq!(straight.len(), 5 + 4 + 2, "{straight:?}");
    for turn in [17.0, 90.0, 213.0] {
        assert_eq!(measures(turn, DVec2::ZERO), straight, "{turn}");
        // as far as coordinates of a country go
        let far = measures(turn, DVec2::new(3.6e6, 5.4e6));
        let near = |(a, b): (&i64, &i64)| (a - b).abs() <= 10;
        assert!(far.len() == straight.len() && far.iter().zip(&straight).all(near), "{turn}: {far:?}");
    }
}

#[test]
fn a_door_swings_about_its_hinges() {
    // the door stands at x 1.0 to 1.9, y 0.1 to 0.2; it opens to +y
    for (operation, hinge) in [(".SINGLE_SWING_LEFT.", 1.05), (".SINGLE_SWING_RIGHT.", 1.85)] {
        let scene = House { operation, ..House::default() }.scene();
        let drawing = made(&scene, &plan(&scene, "Ground", 50.0)).unwrap();
        let origin = drawing.page.model.unwrap().origin;
        let world = |p: DVec2| (p - origin) * DVec2::new(0.05, -0.05);
        let group = groups_of(&drawing.page, DOOR)[0];
        let mut arcs = Vec::new();
        for subpath in paths(&group.nodes).iter().flat_map(|p| &p.subpaths).filter(|s| !s.is_closed) {
            for segment in &subpath.segments {
                if let Segment::Arc { to, centre, is_clockwise } = segment {
                    arcs.push((world(subpath.start), world(*to), world(*centre), *is_clockwise));
                }
            }
        }
        let [(start, end, centre, is_clockwise)] = arcs.as_slice() else { panic!("{arcs:?}") };
        assert!(centre.distance(DVec2::new(hinge, 0.2)) < 1e-6, "{operation}: {centre}");
        assert!(start.distance(DVec2::new(hinge, 1.0)) < 1e-6, "{operation}: {start}");
        assert!(near(end.y, 0.2) && near(end.distance(*centre), 0.8), "{operation}: {end}");
        // from the open leaf back to the other jamb
        assert_eq!(*is_clockwise, operation.contains("LEFT"), "{operation}");
    }
}

#[test]
fn every_way_to_open_has_a_symbol_and_none_is_told() {
    let lines = |operation: &'static str| {
        let scene = House { operation, ..House::default() }.scene();
        let drawing = made(&scene, &plan(&scene, "Ground", 50.0)).unwrap();
        let group = groups_of(&drawing.page, DOOR)[0];
        let symbols =
            paths(&group.nodes).into_iter().filter(|p| p.layer.is_some_and(|l| l.part == Part::Symbol));
        let arcs = symbols.flat_map(|p| &p.subpaths).flat_map(|s| &s.segments);
        let arcs = arcs.filter(|s| matches!(s, Segment::Arc { .. })).count();
        // the mark's rim has two where it is a circle and two where it is not
        (arcs - 2, drawing.notes.len())
    };
    assert_eq!(lines(".SINGLE_SWING_LEFT."), (1, 0));
    assert_eq!(lines(".DOUBLE_DOOR_SINGLE_SWING."), (2, 0));
    assert_eq!(lines(".DOUBLE_SWING_LEFT."), (2, 0));
    assert_eq!(lines(".DOUBLE_DOOR_DOUBLE_SWING."), (4, 0));
    assert_eq!(lines(".SLIDING_TO_LEFT."), (0, 0));
    assert_eq!(lines(".DOUBLE_DOOR_FOLDING."), (0, 0));
    assert_eq!(lines(".REVOLVING."), (2, 0));
    assert_eq!(lines(".ROLLINGUP."), (0, 0));
    assert_eq!(lines("$"), (0, 1));
}

#[test]
fn words_of_strangers_are_words() {
    let room = "<b>&amp; \\X2\\05D405D905D9\\X0\\ \"x\"".to_owned();
    let scene = House { room, ..House::default() }.scene();
    let drawing = made(&scene, &plan(&scene, "Ground", 50.0)).unwrap();
    assert!(texts(&drawing.page).iter().any(|t| t.words == "<b>&amp; הייי \"x\"".replace("הייי", "היי")));
    assert_words_are_apart(&drawing.page, "strange");
    let svg = paper::svg::write(&drawing.page);
    assert!(svg.contains("&lt;b&gt;&amp;amp;") && !svg.contains("<b>"), "markup is words in the file, too");
    // a name of any length goes somewhere or is told of
    let scene = House { room: "very long ".repeat(40), ..House::default() }.scene();
    let drawing = made(&scene, &plan(&scene, "Ground", 100.0)).unwrap();
    assert_words_are_apart(&drawing.page, "long");
    assert!(texts(&drawing.page).iter().any(|t| t.words == "01"));
}

#[test]
fn grids_have_their_names_at_both_ends() {
    let scene = House { grid: true, ..House::default() }.scene();
    let drawing = made(&scene, &plan(&scene, "Ground", 100.0)).unwrap();
    let group = groups_of(&drawing.page, GRID)[0];
    let names: Vec<&str> = {
        let mut found = Vec::new();
        for node in &group.nodes {
            if let paper::Node::Text(text) = node {
                found.push(text.words.as_str());
            }
        }
        found
    };
    for tag in ["A", "B", "1", "2"] {
        assert_eq!(names.iter().filter(|n| **n == tag).count(), 2, "{names:?}");
    }
    let grid: Vec<f64> = drawing.dimensions.iter().filter(|d| d.of == Of::Grid).map(|d| d.metres).collect();
    assert!(grid.is_empty(), "two lines are told by no row of their own: {grid:?}");
}

#[test]
fn dimensions_asked_for_are_drawn_or_told() {
    let scene = House::default().scene();
    let id = |guid: &str| scene.model().by_guid(guid).unwrap();
    let point = |x: f64, y: f64| End::Point(DVec3::new(x, y, 1.0));
    let asked = |a: End, b: End| Asked { ends: [a, b], aside: 0.3 };
    let wanted = Wanted {
        asked: vec![
            asked(point(1.0, 1.0), point(4.0, 1.0)),
            asked(End::Element(id(WEST)), End::Element(id(EAST))),
            asked(point(f64::NAN, 0.0), point(1.0, 1.0)),
            asked(point(1.0, 1.0), point(1.0, 1.0)),
        ],
        dimensions: false,
        ..plan(&scene, "Ground", 50.0)
    };
    let drawing = made(&scene, &wanted).unwrap();
    let metres: Vec<f64> = drawing.dimensions.iter().map(|d| d.metres).collect();
    // 3 m between the points, 5.4 m between the walls; a point nowhere and one point twice are told of
    assert!(metres.len() == 2 && near(metres[0], 3.0) && near(metres[1], 5.4), "{metres:?}");
    assert_eq!(drawing.notes.len(), 2, "{:?}", drawing.notes);
}

#[test]
fn heights_and_levels_stand_beside_sections() {
    let scene = House::default().scene();
    let kind = Kind::Section { origin: DVec3::new(4.0, 2.0, 0.0), normal: DVec3::X };
    let drawing = made(&scene, &Wanted::new(kind, 50.0)).unwrap();
    let heights: Vec<f64> =
        drawing.dimensions.iter().filter(|d| d.of == Of::Heights).map(|d| d.metres).collect();
    // below the window, the window, above it
    assert!(
        heights.len() == 3 && near(heights[0], 0.9) && near(heights[1], 1.2) && near(heights[2], 0.9),
        "{heights:?}"
    );
    let widths: Vec<f64> =
        drawing.dimensions.iter().filter(|d| d.of == Of::Walls).map(|d| d.metres).collect();
    assert!(widths.len() == 3 && near(widths[0], 0.3) && near(widths[1], 3.4), "{widths:?}");
    let words: Vec<&str> = texts(&drawing.page).iter().map(|t| t.words.as_str()).collect();
    assert!(words.contains(&"±0.00 Ground") && words.contains(&"Section looking west"), "{words:?}");
    // wall, window, north wall, beam, less the hole of the window
    assert!(
        near(drawing.cut_area, 2.0 * 0.3 * 3.0 - 0.3 * 1.2 + 0.1 * 1.2 + 0.2 * 0.3),
        "{}",
        drawing.cut_area
    );
    assert_words_are_apart(&drawing.page, "section");
    let south = Wanted::new(Kind::Elevation { direction: DVec2::NEG_Y }, 50.0);
    let drawing = made(&scene, &south).unwrap();
    assert_eq!(drawing.cut_area, 0.0);
    // the window is a plain box, whose edges lie behind those of its hole
    for id in [SOUTH, DOOR] {
        assert_eq!(groups_of(&drawing.page, id).len(), 1, "{id}");
    }
    assert!(groups_of(&drawing.page, NORTH).is_empty());
}

#[test]
fn a_ceiling_plan_lies_as_the_plan_does() {
    let scene = House::default().scene();
    let storey = storey_of(&scene, "Ground");
    let drawing = made(&scene, &Wanted::new(Kind::CeilingPlan { storey, height: 1.2 }, 50.0)).unwrap();
    let middle = |id: &str| {
        let all: Vec<DVec2> = paths(&groups_of(&drawing.page, id)[0].nodes)
            .iter()
            .flat_map(|p| &p.subpaths)
            .flat_map(points)
            .collect();
        all.iter().sum::<DVec2>() / all.len() as f64
    };
    // south below north on the page, west left of east
    assert!(middle(SOUTH).y > middle(NORTH).y + 60.0 && middle(WEST).x < middle(EAST).x - 100.0);
    assert_eq!(groups_of(&drawing.page, BEAM).len(), 1);
    assert!(texts(&drawing.page).iter().any(|t| t.words == "CH 2.70"));
}

#[test]
fn what_cannot_be_drawn_is_one_clear_error() {
    let scene = House::default().scene();
    let told = |wanted: Wanted| made(&scene, &wanted).unwrap_err();
    let section = |origin: DVec3, normal: DVec3| Wanted::new(Kind::Section { origin, normal }, 50.0);
    // the empty storey is 27 m over the roof
    assert_eq!(told(plan(&scene, "Attic", 50.0)), BadDrawing::NothingMet);
    assert_eq!(told(section(DVec3::new(0.0, -50.0, 0.0), DVec3::Y)), BadDrawing::NothingMet);
    assert_eq!(told(section(DVec3::ZERO, DVec3::ZERO)), BadDrawing::NoDirection);
    assert_eq!(told(section(DVec3::NAN, DVec3::X)), BadDrawing::NoDirection);
    assert_eq!(told(section(DVec3::ZERO, DVec3::new(f64::INFINITY, 0.0, 0.0))), BadDrawing::NoDirection);
    let flat = Wanted::new(Kind::Elevation { direction: DVec2::ZERO }, 50.0);
    assert_eq!(told(flat), BadDrawing::NoDirection);
    for scale in [0.0, -50.0, f64::NAN, f64::INFINITY, 1e9] {
        assert_eq!(told(plan(&scene, "Ground", scale)), BadDrawing::Scale);
    }
    for depth in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert_eq!(told(Wanted { depth: Some(depth), ..plan(&scene, "Ground", 50.0) }), BadDrawing::Depth);
    }
    let height = Kind::Plan { storey: storey_of(&scene, "Ground"), height: f64::NAN };
    assert_eq!(told(Wanted::new(height, 50.0)), BadDrawing::NoDirection);
    let ended = draw(&scene, &plan(&scene, "Ground", 50.0), &Style::standard().unwrap(), &|_, _| false);
    assert_eq!(ended.unwrap(), None);
}

#[test]
fn what_lies_farther_has_lighter_lines() {
    let scene = House::default().scene();
    let kind = Kind::Section { origin: DVec3::new(4.0, 2.0, 0.0), normal: DVec3::X };
    let drawing = made(&scene, &Wanted::new(kind, 50.0)).unwrap();
    let width = |id: &str| {
        let all = groups_of(&drawing.page, id).into_iter().flat_map(|g| paths(&g.nodes));
        let seen = all.filter(|p| p.layer.is_some_and(|l| l.part == Part::Seen));
        seen.filter_map(|p| p.stroke.as_ref()).map(|s| s.width).reduce(f64::min).unwrap()
    };
    let weights = common::style().weights;
    // the south wall goes through the plane, the west wall is the farthest thing seen
    assert!(near(width(SOUTH), weights.seen.0) && near(width(WEST), weights.seen_far.0));
}

#[test]
fn a_depth_ends_what_is_seen() {
    let scene = House::default().scene();
    let kind = Kind::Section { origin: DVec3::new(4.0, 2.0, 0.0), normal: DVec3::X };
    let seen = |depth: Option<f64>| {
        let drawing = made(&scene, &Wanted { depth, ..Wanted::new(kind, 50.0) }).unwrap();
        groups_of(&drawing.page, WEST).len()
    };
    assert_eq!((seen(None), seen(Some(2.0))), (1, 0));
}

#[test]
fn a_door_that_says_nothing_is_drawn_as_its_body_stands() {
    let note = |door: f64| {
        let scene = House { operation: "$", door, ..House::default() }.scene();
        let drawing = made(&scene, &plan(&scene, "Ground", 50.0)).unwrap();
        let group = groups_of(&drawing.page, DOOR)[0];
        let origin = drawing.page.model.unwrap().origin;
        let symbols =
            paths(&group.nodes).into_iter().filter(|p| p.layer.is_some_and(|l| l.part == Part::Symbol));
        let lines = symbols.flat_map(|p| &p.subpaths).flat_map(points);
        let high = lines.map(|p| (origin.y - p.y) * 0.05).fold(0.0, f64::max);
        (drawing.notes[0].words.contains("as its body stands"), (high * 100.0).round() as i64)
    };
    assert!(!note(0.1).0);
    // the body goes from 100 to 1000 mm
    assert_eq!(note(0.9), (true, 100));
}
