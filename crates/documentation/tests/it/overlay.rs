//! Marks over a drawing: flags cover no words, ways are as long as they are, colours are those of the legend, and what is off the view is told.

use crate::common;
use crate::common::{House, assert_words_are_apart, groups_of, made, paths, real, style, texts};
use documentation::drawing::words::Box2;
use documentation::drawing::{Drawing, Kind, Wanted};
use documentation::overlay::{
    Colouring, Finding, LeftOut, Mark, Marks, Overlaid, Reason, Severity, Spot, Target, Values, Way, lay,
};
use geometry::Scene;
use glam::{DVec2, DVec3};
use paper::Fill;

fn plan(scene: &Scene, storey: &str, scale: f64) -> Drawing {
    let storey = building::lookup::storey(scene.model(), "storey", storey).unwrap();
    made(scene, &Wanted::new(Kind::Plan { storey, height: 1.2 }, scale)).unwrap()
}

fn finding(spot: Spot, severity: Severity) -> Finding {
    Finding { spot, severity, title: "A <b>title</b> عنوان".into(), note: "note".into() }
}

/// No disc and no leader line lies on words of the drawing, and no disc on another.
fn assert_clear(drawing: &Drawing, laid: &Overlaid, what: &str) {
    let shift = laid.place.origin - drawing.place.origin;
    let words: Vec<Box2> = texts(&drawing.page).into_iter().map(|t| Box2::around(t).moved(shift)).collect();
    for flag in &laid.flags {
        let disc = Box2 { middle: flag.disc, half: DVec2::splat(flag.radius * 0.7), along: DVec2::X };
        for word in &words {
            assert!(!word.meets(&disc), "{what}: flag {} lies on words", flag.number);
        }
        for other in laid.flags.iter().filter(|o| o.number != flag.number) {
            let apart = flag.disc.distance(other.disc) > flag.radius + other.radius;
            assert!(apart, "{what}: {} lies on {}", flag.number, other.number);
        }
    }
    let is_leader =
        |p: &&paper::Path| p.fill.is_none() && p.layer.is_some_and(|l| l.subject == paper::Subject::Finding);
    let leaders = paths(&laid.page.nodes).into_iter().filter(is_leader).flat_map(|p| &p.subpaths);
    for line in leaders.map(common::points) {
        assert!(!words.iter().any(|word| word.is_crossed(line[0], line[1])), "{what}: a line lies on words");
    }
    for text in texts(&laid.page) {
        for corner in Box2::around(text).corners() {
            let inside = corner.cmpge(DVec2::ZERO).all() && corner.cmple(laid.page.size).all();
            assert!(inside, "{what}: `{}` leaves the page", text.words);
        }
    }
}

#[test]
fn flags_cover_no_words_however_many_there_are() {
    for (name, storey) in [("Duplex_A_20110907.ifc", "Level 1"), ("AC20-FZK-Haus.ifc", "Erdgeschoss")] {
        let Some(scene) = real(name) else { return };
        for scale in [50.0, 100.0, 200.0] {
            let drawing = plan(&scene, storey, scale);
            let kinds = [Severity::Error, Severity::Warning, Severity::Note];
            let rooms = drawing.rooms.iter().filter_map(|room| room.id);
            let all = drawing.cut.iter().copied().chain(rooms).enumerate();
            let findings: Vec<Finding> =
                all.map(|(n, id)| finding(Spot::Element(id), kinds[n % 3])).collect();
            assert!(findings.len() > 20, "{name}");
            let laid = lay(&drawing, &Marks { findings: findings.clone(), ..Marks::default() }, &style());
            assert_eq!((laid.flags.len(), laid.left_out.len()), (findings.len(), 0), "{:?}", laid.left_out);
            assert_clear(&drawing, &laid, &format!("{name} 1:{scale}"));
        }
    }
}

#[test]
fn places_lie_where_the_plane_has_them_and_what_is_off_the_view_is_told() {
    let scene = House::default().scene();
    let drawing = plan(&scene, "Ground", 50.0);
    let points = [
        DVec3::new(3.0, 2.0, 0.0),
        // above the cut, on the same storey
        DVec3::new(3.0, 2.0, 2.5),
        DVec3::new(3.0, 2.0, 40.0),
        DVec3::new(900.0, 2.0, 0.0),
        DVec3::new(f64::NAN, 2.0, 0.0),
    ];
    let findings = points.map(|p| finding(Spot::Point(p), Severity::Error)).to_vec();
    let other = Finding { spot: Spot::Element(ifc::Id(999_999)), ..findings[0].clone() };
    let findings = findings.into_iter().chain([other]).collect();
    let laid = lay(&drawing, &Marks { findings, ..Marks::default() }, &style());
    let out = |n: usize, reason: Reason| LeftOut { mark: Mark::Finding(n), reason };
    let off = [
        out(2, Reason::OffView),
        out(3, Reason::OffView),
        out(4, Reason::BadNumbers),
        out(5, Reason::OffView),
    ];
    assert_eq!(laid.left_out, off);
    assert_eq!(laid.flags.iter().map(|f| f.number).collect::<Vec<_>>(), [1, 2]);
    // 3 m by 2 m from the corner of the house, 20 mm to a metre
    let at = laid.place.origin + DVec2::new(60.0, -40.0);
    assert!(laid.flags.iter().all(|f| f.spot.distance(at) < 1e-9), "{:?}", laid.flags);
    assert_clear(&drawing, &laid, "house");
    assert_eq!(texts(&laid.page).iter().filter(|t| t.words == "not on this view").count(), 4);
    assert_words_are_apart(&laid.page, "house");
}

#[test]
fn ways_tell_their_length_in_space() {
    let scene = House::default().scene();
    let drawing = plan(&scene, "Ground", 50.0);
    let way = |points: &[[f64; 3]]| Way {
        points: points.iter().map(|p| DVec3::from_array(*p)).collect(),
        name: "out".into(),
    };
    let ways = vec![
        way(&[[1.0, 1.0, 0.0], [4.0, 1.0, 0.0], [4.0, 3.0, 0.0]]),
        // up to a storey above: the rest is on that one's plan
        way(&[[1.0, 3.0, 0.0], [4.0, 3.0, 0.0], [4.0, 3.0, 40.0]]),
        way(&[[1.0, 3.0, 50.0], [4.0, 3.0, 50.0]]),
        way(&[[1.0, 3.0, 0.0]]),
        way(&[[1.0, 3.0, 0.0], [f64::INFINITY, 0.0, 0.0]]),
    ];
    let laid = lay(&drawing, &Marks { ways, ..Marks::default() }, &style());
    let out = |n: usize, reason: Reason| LeftOut { mark: Mark::Way(n), reason };
    let told = [
        out(1, Reason::PartlyOffView),
        out(2, Reason::OffView),
        out(3, Reason::BadNumbers),
        out(4, Reason::BadNumbers),
    ];
    assert_eq!(laid.left_out, told);
    let words: Vec<&str> = texts(&laid.page).into_iter().map(|t| t.words.as_str()).collect();
    for expected in ["5.00 m", "43.00 m", "way out: 5.00 m", "way out: 43.00 m"] {
        assert!(words.contains(&expected), "{expected}: {words:?}");
    }
    assert_words_are_apart(&laid.page, "ways");
}

#[test]
fn rooms_have_the_colours_of_their_classes_and_elements_those_of_their_words() {
    let Some(scene) = real("Duplex_A_20110907.ifc") else { return };
    let drawing = plan(&scene, "Level 1", 100.0);
    let of = drawing.rooms.iter().enumerate().map(|(n, room)| (Target::Room(n), room.area)).collect();
    let limits = vec![20.0, f64::NAN, 5.0, 20.0];
    let rooms =
        Colouring { title: "Area".into(), values: Values::Numbers { unit: "m²".into(), limits, of } };
    let wall = drawing
        .cut
        .iter()
        .copied()
        .find(|id| scene.entry(*id).unwrap().class.starts_with("IfcWall"))
        .unwrap();
    let of =
        vec![(Target::Element(wall), "bearing".to_owned()), (Target::Element(ifc::Id(1)), "x".to_owned())];
    let elements = Colouring { title: "Walls".into(), values: Values::Keys { of } };
    let marks = Marks { rooms: Some(rooms), elements: Some(elements), ..Marks::default() };
    let laid = lay(&drawing, &marks, &style());
    assert_eq!(laid.left_out, [LeftOut { mark: Mark::Element(1), reason: Reason::OffView }]);
    let small = drawing.rooms.iter().filter(|r| r.area < 5.0).count();
    let large = drawing.rooms.iter().filter(|r| r.area >= 20.0).count();
    let middle = drawing.rooms.len() - small - large;
    let words: Vec<&str> = texts(&laid.page).into_iter().map(|t| t.words.as_str()).collect();
    for row in [
        format!("below 5 m² ({small})"),
        format!("5 m² – 20 m² ({middle})"),
        format!("20 m² and more ({large})"),
        "bearing (1)".to_owned(),
    ] {
        assert!(words.contains(&row.as_str()), "{row}: {words:?}");
    }
    // fills lie under all lines
    let paper::Node::Group(under) = &laid.page.nodes[0] else { panic!() };
    assert_eq!(paths(&under.nodes).len(), drawing.rooms.len());
    let guid = scene.model().get(wall).unwrap().guid().unwrap();
    let solid = |page: &paper::Page| -> Vec<[u8; 4]> {
        let nodes = &groups_of(page, &guid)[0].nodes;
        let of = |fill: Fill| match fill {
            Fill::Solid(colour) => colour,
            Fill::Hatch(hatch) => hatch.ground.unwrap(),
        };
        paths(nodes).into_iter().filter_map(|p| p.fill.clone()).map(of).collect()
    };
    assert_ne!(solid(&laid.page), solid(&drawing.page));
    assert_clear(&drawing, &laid, "colours");
}
