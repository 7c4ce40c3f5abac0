//! Two versions in one drawing: what is told is what was changed, each once, and clouds lie around it.

use crate::common;
use crate::common::versions::Later;
use crate::common::{BEAM, DOOR, EAST, House, ROOM, SOUTH, WINDOW, groups_of, paths, real, style, texts};
use documentation::difference::{ChangeKind, Difference, What, changes, draw};
use documentation::drawing::words::Box2;
use documentation::drawing::{BadDrawing, Kind, Wanted};
use documentation::style::Style;
use geometry::Scene;
use glam::{DVec2, DVec3};
use ifc::Id;
use std::collections::HashMap;

fn difference(before: &Scene, after: &Scene, wanted: &Wanted) -> Difference {
    draw(before, after, wanted, &style(), &|_, _| true).unwrap().unwrap()
}

fn plan(scene: &Scene, storey: &str, scale: f64) -> Wanted {
    let storey = building::lookup::storey(scene.model(), "storey", storey).unwrap();
    Wanted::new(Kind::Plan { storey, height: 1.2 }, scale)
}

fn id(scene: &Scene, guid: &str) -> Id {
    scene.model().by_guid(guid).unwrap()
}

fn whats<'d>(found: &'d Difference, guid: &str) -> &'d [What] {
    let own: Vec<_> = found.changes.iter().filter(|c| c.global_id == guid).collect();
    assert_eq!(own.len(), 1, "{guid}");
    &own[0].whats
}

/// Every change on the drawing is in one cloud, which is around it, and in the list once; texts are on the page.
fn assert_sound(found: &Difference, what: &str) {
    let mut of_cloud: HashMap<usize, usize> = HashMap::new();
    for cloud in &found.clouds {
        for number in &cloud.changes {
            assert!(of_cloud.insert(*number, cloud.number).is_none(), "{what}: {number} is in two clouds");
        }
    }
    for change in &found.changes {
        assert_eq!(change.cloud, of_cloud.get(&change.number).copied(), "{what}: {change:?}");
    }
    assert_eq!(found.boxes.len(), of_cloud.len(), "{what}");
    for (number, [low, high]) in &found.boxes {
        let cloud = &found.clouds[of_cloud[number] - 1];
        assert_eq!(cloud.number, of_cloud[number]);
        for corner in [*low, *high, DVec2::new(low.x, high.y), DVec2::new(high.x, low.y)] {
            assert!(holds(&cloud.outline, corner), "{what}: cloud {} leaves out {corner}", cloud.number);
        }
    }
    for text in texts(&found.page) {
        for corner in Box2::around(text).corners() {
            let inside = corner.cmpge(DVec2::ZERO).all() && corner.cmple(found.page.size).all();
            assert!(inside, "{what}: `{}` leaves the page", text.words);
        }
    }
}

fn holds(outline: &[DVec2], p: DVec2) -> bool {
    let sides = outline.iter().zip(outline.iter().cycle().skip(1));
    let crossed = sides
        .filter(|(a, b)| (a.y <= p.y) != (b.y <= p.y) && p.x < a.x + (p.y - a.y) * (b.x - a.x) / (b.y - a.y));
    crossed.count() % 2 == 1
}

fn edited_house(before: &Scene) -> Scene {
    let mut later = Later::new(before);
    later.exchange(id(before, BEAM), "3000000000000000000777");
    later.rename(id(before, DOOR), "Tür <b>\"مطبخ\" & Co");
    later.shift(id(before, EAST), DVec3::X * 0.2);
    let model = before.model();
    let opening = ifc::relations::opening_of_filling(model, id(before, WINDOW)).unwrap();
    later.shift(opening, DVec3::X * 0.4);
    later.shift(id(before, WINDOW), DVec3::X * 0.4);
    later.edit.set(id(before, ROOM), "LongName", "Kitchen").unwrap();
    later.scene()
}

#[test]
fn what_was_changed_is_what_is_told() {
    let before = House::default().scene();
    let after = edited_house(&before);
    let found = difference(&before, &after, &plan(&after, "Ground", 50.0));
    assert_eq!(found.changes.len(), 7, "{:#?}", found.changes);
    assert_eq!(whats(&found, BEAM), [What::Removed]);
    assert_eq!(whats(&found, "3000000000000000000777"), [What::New]);
    for (guid, metres) in [(EAST, 0.2), (WINDOW, 0.4)] {
        let [What::Moved { by, turned }] = whats(&found, guid) else { panic!("{:?}", whats(&found, guid)) };
        assert!((*by - DVec3::X * metres).length() < 1e-9 && *turned < 1e-6, "{by}");
    }
    let opening = What::Openings { new: 0, removed: 0, changed: 1 };
    assert_eq!(whats(&found, SOUTH), [opening]);
    let [What::Values(values)] = whats(&found, DOOR) else { panic!() };
    assert_eq!((values.len(), values[0].name.as_str(), values[0].from.as_deref()), (1, "Name", Some("Door")));
    let [What::Values(values)] = whats(&found, ROOM) else { panic!() };
    assert_eq!(values[0].to.as_deref(), Some("Kitchen"));
    assert!(found.changes.iter().all(|c| c.cloud.is_some()));
    assert_sound(&found, "house");
    let moved = found.changes.iter().find(|c| c.global_id == EAST).unwrap();
    assert_eq!(moved.sentences(&style()), ["moved by 200 mm to the east"]);
    let german = Style::from_toml("language = \"de\"").unwrap();
    assert_eq!(moved.sentences(&german), ["verschoben um 200 mm nach Osten"]);
    assert_eq!(moved.kind(), ChangeKind::Changed);
}

#[test]
fn each_kind_has_its_colour() {
    let before = House::default().scene();
    let after = edited_house(&before);
    let found = difference(&before, &after, &plan(&after, "Ground", 50.0));
    let lines = |guid: &str| {
        let groups = groups_of(&found.page, guid);
        assert_eq!(groups.len(), 1, "{guid}");
        let strokes = paths(&groups[0].nodes).into_iter().filter_map(|p| p.stroke.clone());
        let mut colours: Vec<[u8; 4]> = strokes.map(|s| s.colour).collect();
        colours.dedup();
        colours
    };
    // green has most green, red most red, amber is between, grey has no colour
    let (new, gone, changed) = (lines("3000000000000000000777"), lines(BEAM), lines(EAST));
    assert!(new.iter().all(|c| c[1] > c[0] && c[1] > c[2]), "{new:?}");
    assert!(gone.iter().all(|c| c[0] > 2 * c[1] && c[0] > 2 * c[2]), "{gone:?}");
    assert!(changed.iter().all(|c| c[0] > c[1] && c[1] > c[2]), "{changed:?}");
    let same = lines(common::WEST);
    assert!(same.iter().all(|c| c[0].abs_diff(c[1]) < 8 && c[1].abs_diff(c[2]) < 8), "{same:?}");
}

#[test]
fn the_same_version_has_no_changes_and_the_same_page_twice() {
    let scene = House { grid: true, ..House::default() }.scene();
    let wanted = plan(&scene, "Ground", 50.0);
    let found = difference(&scene, &scene, &wanted);
    assert!(found.changes.is_empty() && found.clouds.is_empty());
    assert!(texts(&found.page).iter().any(|t| t.words == "Nothing on this drawing changed."));
    let after = edited_house(&House::default().scene());
    let (one, two) = (difference(&scene, &after, &wanted), difference(&scene, &after, &wanted));
    assert_eq!(paper::svg::write(&one.page), paper::svg::write(&two.page));
}

#[test]
fn a_storey_that_one_version_lacks_is_all_new_or_all_gone() {
    let house = House::default().scene();
    let empty = {
        let text = House::default().text();
        let model = ifc::Model::from_bytes(text.into_bytes(), &ifc::Limits::default()).unwrap().0;
        let mut edit = model.edit();
        // relations first: they need what they relate
        let all = ["IfcRelationship", "IfcElement", "IfcSpace"]
            .into_iter()
            .flat_map(|class| model.of_class(class))
            .collect::<Vec<_>>();
        edit.remove_all(&all, ifc::edit::Referrers::Unset).unwrap();
        Scene::from_model(&edit.finish().0)
    };
    let wanted = plan(&house, "Ground", 50.0);
    for (before, after, kind) in [(&empty, &house, ChangeKind::New), (&house, &empty, ChangeKind::Removed)] {
        let found = difference(before, after, &wanted);
        assert_eq!(found.changes.len(), 8, "{:?}", found.changes);
        assert!(found.changes.iter().all(|c| c.kind() == kind && c.cloud.is_some()), "{:#?}", found.changes);
        assert_sound(&found, "empty");
    }
    let none = draw(&empty, &empty, &wanted, &style(), &|_, _| true);
    assert_eq!(none, Err(BadDrawing::NothingMet));
    assert_eq!(draw(&house, &empty, &wanted, &style(), &|_, _| false), Ok(None));
    assert!(changes(&house, &empty, &|_, _| false).is_none());
}

#[test]
fn views_from_the_side_and_from_below_show_changes_too() {
    let before = House::default().scene();
    let after = edited_house(&before);
    let storey = building::lookup::storey(after.model(), "storey", "Ground").unwrap();
    for (kind, least) in [
        (Kind::Elevation { direction: DVec2::NEG_Y }, 2),
        (Kind::Section { origin: DVec3::new(3.0, 2.0, 1.0), normal: DVec3::NEG_Y }, 2),
        (Kind::Axonometry { direction: DVec3::new(-1.0, -1.3, 1.0) }, 4),
        (Kind::CeilingPlan { storey, height: 1.2 }, 4),
    ] {
        let found = difference(&before, &after, &Wanted::new(kind, 50.0));
        let on = found.changes.iter().filter(|c| c.cloud.is_some()).count();
        assert!(on >= least, "{kind:?}: {on}");
        assert_sound(&found, &format!("{kind:?}"));
    }
}

/// The elements of a storey that a plan of it shows, by class.
fn of_storey(scene: &Scene, storey: &str, class: &str) -> Vec<Id> {
    let storey = building::lookup::storey(scene.model(), "storey", storey).unwrap();
    let own = scene.entries().iter().filter(|e| e.storey == Some(storey) && e.is_drawn());
    own.filter(|e| e.class.starts_with(class)).map(|e| e.id).collect()
}

#[test]
fn every_change_of_a_real_building_is_on_its_drawing_and_in_its_list_once() {
    for (name, storey) in [("Duplex_A_20110907.ifc", "Level 1"), ("AC20-FZK-Haus.ifc", "Erdgeschoss")] {
        let Some(before) = real(name) else { return };
        let of = |class: &str| of_storey(&before, storey, class);
        let (walls, doors, windows, spaces) = (of("IfcWall"), of("IfcDoor"), of("IfcWindow"), of("IfcSpace"));
        let guid = |id: Id| before.model().get(id).unwrap().guid().unwrap();
        let mut later = Later::new(&before);
        // the longest wall without openings, a door, a window, a room
        let bare = *walls
            .iter()
            .filter(|w| ifc::relations::openings_of(before.model(), **w).is_empty())
            .max_by(|a, b| {
                let size = |id: Id| before.entry(id).unwrap().bounds.size().truncate().max_element();
                size(**a).total_cmp(&size(**b))
            })
            .unwrap();
        later.shift(bare, DVec3::new(0.12, 0.0, 0.0));
        later.exchange(doors[0], "3000000000000000000001");
        later.rename(windows[0], "F <1>");
        later.edit.set(spaces[0], "LongName", "غرفة").unwrap();
        let after = later.scene();
        let found = difference(&before, &after, &plan(&after, storey, 50.0));
        assert_sound(&found, name);
        let mut wanted = vec![
            (guid(bare), ChangeKind::Changed),
            (guid(doors[0]), ChangeKind::Removed),
            ("3000000000000000000001".to_owned(), ChangeKind::New),
            (guid(windows[0]), ChangeKind::Changed),
            (guid(spaces[0]), ChangeKind::Changed),
        ];
        for (guid, kind) in &wanted {
            let own: Vec<_> = found.changes.iter().filter(|c| &c.global_id == guid).collect();
            assert!(
                own.len() == 1 && own[0].kind() == *kind && own[0].cloud.is_some(),
                "{name} {guid}: {own:?}"
            );
            assert_eq!(groups_of(&found.page, guid).len(), 1, "{name} {guid}");
        }
        // nothing else is told but what hangs on these
        wanted.sort();
        let others = found.changes.iter().filter(|c| !wanted.iter().any(|(guid, _)| *guid == c.global_id));
        assert_eq!(others.count(), 0, "{name}: {:#?}", found.changes);
        // the list names each in bold once
        let heads: Vec<&str> = texts(&found.page)
            .into_iter()
            .filter(|t| t.layer.is_some_and(|l| l.subject == paper::Subject::Revision))
            .filter(|t| t.weight == paper::Weight::Bold && t.height > 1.8)
            .map(|t| t.words.as_str())
            .collect();
        assert_eq!(heads.iter().filter(|w| w.contains("F <1>")).count(), 1, "{heads:?}");
        let pdf = paper::pdf::write(std::slice::from_ref(&found.page), &[], &paper::pdf::Metadata::default());
        let Some(text) = common::pdf_text(&pdf.unwrap(), &format!("difference-{name}")) else { return };
        assert!(text.contains("F <1>") && text.contains("moved by 120 mm to the east"), "{text}");
    }
}
