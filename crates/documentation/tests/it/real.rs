//! Drawings of real buildings: nothing is missing or twice, words lie apart, and figures are those of the model.

use crate::common;
use crate::common::{assert_words_are_apart, groups, made, paths, points, real};
use documentation::drawing::dimension::Of;
use documentation::drawing::{BadDrawing, Drawing, Kind, Wanted, draw};
use documentation::style::Style;
use geometry::Scene;
use geometry::region::Area;
use geometry::section::{self, Plane};
use glam::{DVec2, DVec3};
use ifc::Id;
use paper::{Fill, Part};
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;

/// The models and the storeys of them that have walls.
const STOREYS: [(&str, &[&str]); 4] = [
    ("Duplex_A_20110907.ifc", &["Level 1", "Level 2"]),
    ("AC20-FZK-Haus.ifc", &["Erdgeschoss", "Dachgeschoss"]),
    ("LargeBuilding.ifc", &["Level 1"]),
    ("Niedri.ifc", &["Keller", "Erdgeschoss", "Obergeschoss"]),
];
const CUT: f64 = 1.2;

fn storey(scene: &Scene, name: &str) -> Id {
    building::lookup::storey(scene.model(), "storey", name).unwrap()
}

fn plan(scene: &Scene, name: &str, scale: f64) -> Drawing {
    let kind = Kind::Plan { storey: storey(scene, name), height: CUT };
    made(scene, &Wanted::new(kind, scale)).unwrap()
}

#[test]
fn no_words_lie_on_others() {
    for (name, storeys) in STOREYS {
        let Some(scene) = real(name) else { return };
        for storey in storeys {
            for scale in [50.0, 100.0, 200.0] {
                let drawing = plan(&scene, storey, scale);
                assert_words_are_apart(&drawing.page, &format!("{name} {storey} 1:{scale}"));
            }
        }
        for direction in [DVec2::X, DVec2::Y, DVec2::NEG_X, DVec2::NEG_Y] {
            let drawing = made(&scene, &Wanted::new(Kind::Elevation { direction }, 100.0)).unwrap();
            assert_words_are_apart(&drawing.page, &format!("{name} {direction}"));
        }
        let drawn = scene.entries().iter().filter(|e| e.is_drawn() && !e.is_space);
        let origin = drawn.fold(geometry::Bounds::EMPTY, |all, e| all.join(&e.bounds)).centre();
        for normal in [DVec3::X, DVec3::Y] {
            let drawing = made(&scene, &Wanted::new(Kind::Section { origin, normal }, 50.0)).unwrap();
            assert_words_are_apart(&drawing.page, &format!("{name} section {normal}"));
        }
    }
}

#[test]
fn each_wall_door_window_and_room_is_on_its_plan_once() {
    for (name, storeys) in STOREYS {
        let Some(scene) = real(name) else { return };
        for level in storeys {
            let floor = building::storey::floor_height(scene.model(), storey(&scene, level));
            let of = storey(&scene, level);
            let drawing = plan(&scene, level, 50.0);
            let mut times: HashMap<&str, usize> = HashMap::new();
            for about in groups(&drawing.page).iter().filter_map(|g| g.about.as_ref()) {
                *times.entry(about.global_id.as_str()).or_default() += 1;
            }
            let mut wanted = 0;
            for entry in scene.entries().iter().filter(|e| e.is_drawn() && e.storey == Some(of)) {
                let is_kind = |kinds: &[&str]| kinds.iter().any(|k| entry.class.starts_with(k));
                let is_met = entry.bounds.min.z < floor + CUT && entry.bounds.max.z > floor + CUT;
                let is_wanted = (is_kind(&["IfcWall"]) && is_met)
                    || is_kind(&["IfcDoor", "IfcWindow"])
                    || entry.class == "IfcSpace";
                if is_wanted {
                    wanted += 1;
                    let found = times.get(entry.global_id.as_str()).copied().unwrap_or(0);
                    assert_eq!(found, 1, "{name} {level}: {} {}", entry.class, entry.global_id);
                }
            }
            assert!(wanted > 4, "{name} {level}: {wanted}");
        }
    }
}

#[test]
fn hatched_faces_are_what_the_plane_cuts_of_the_meshes() {
    for (name, storeys) in STOREYS {
        let Some(scene) = real(name) else { return };
        for level in storeys {
            let drawing = plan(&scene, level, 50.0);
            let floor = building::storey::floor_height(scene.model(), storey(&scene, level));
            let plane = Plane::level(floor + CUT).unwrap();
            let mut sizes: HashMap<&str, f64> = HashMap::new();
            for group in groups(&drawing.page) {
                let about = group.about.as_ref().unwrap();
                for path in paths(&group.nodes) {
                    let is_face = path.layer.is_some_and(|l| l.part == Part::Pattern);
                    if is_face && matches!(path.fill, Some(Fill::Hatch(_) | Fill::Solid(_))) {
                        // the loops of an area run one way, its holes the other
                        let size: f64 =
                            path.subpaths.iter().map(|s| geometry::math::signed_area(&points(s))).sum();
                        *sizes.entry(about.global_id.as_str()).or_default() += size.abs() * 0.0025;
                    }
                }
            }
            let mut compared = 0;
            for (id, size) in sizes {
                let element = scene.model().by_guid(id).unwrap();
                let cut = section::of_mesh(&scene.shape(element).unwrap().mesh(), &plane);
                let near = (cut.size() - size).abs() < 1e-3 * cut.size() + 1e-4;
                assert!(near, "{name} {level} {id}: {size} on paper, {} of the mesh", cut.size());
                compared += 1;
            }
            assert!(compared > 5, "{name} {level}: {compared}");
        }
    }
}

#[test]
fn dimensions_end_at_what_they_measure() {
    for (name, storeys) in STOREYS {
        let Some(scene) = real(name) else { return };
        for level in storeys {
            let drawing = plan(&scene, level, 100.0);
            let floor = building::storey::floor_height(scene.model(), storey(&scene, level));
            let plane = Plane::level(floor + CUT).unwrap();
            // the outlines of walls, columns and what fills them
            let mut lines: Vec<[DVec2; 2]> = Vec::new();
            for entry in scene.entries().iter().filter(|e| e.is_drawn() && !e.is_space) {
                let cut = section::of_mesh(&scene.shape(entry.id).unwrap().mesh(), &plane);
                for l in cut.areas.iter().flat_map(Area::loops) {
                    lines.extend(l.iter().zip(l.iter().cycle().skip(1)).map(|(a, b)| [*a, *b]));
                }
            }
            let distance = |p: DVec2| {
                let to = |[a, b]: &[DVec2; 2]| {
                    let way = *b - *a;
                    let t = ((p - *a).dot(way) / way.length_squared().max(1e-12)).clamp(0.0, 1.0);
                    p.distance(*a + way * t)
                };
                lines.iter().map(to).fold(f64::INFINITY, f64::min)
            };
            let outer =
                drawing.dimensions.iter().filter(|d| matches!(d.of, Of::Walls | Of::Openings | Of::Overall));
            let mut measured = 0;
            for dimension in outer {
                for end in dimension.ends {
                    let off = distance(end.truncate());
                    // an end lies on the face of the wall, or where the hole begins in it
                    assert!(off < 0.13, "{name} {level}: {dimension:?} ends {off} from anything cut");
                }
                measured += 1;
            }
            assert!(measured > 3, "{name} {level}: {measured}");
        }
    }
}

#[test]
fn the_house_of_the_institute_measures_what_its_file_says() {
    let Some(scene) = real("AC20-FZK-Haus.ifc") else { return };
    let drawing = plan(&scene, "Erdgeschoss", 50.0);
    let mut told: BTreeMap<String, usize> = BTreeMap::new();
    for dimension in drawing.dimensions.iter().filter(|d| matches!(d.of, Of::Openings | Of::Overall)) {
        *told.entry(format!("{:.3}", dimension.metres)).or_default() += 1;
    }
    // 12 m by 10 m; windows of 2 m in every facade, two doors of 1.01 and 2.01 m
    assert_eq!((told.get("12.000"), told.get("10.000")), (Some(&2), Some(&2)), "{told:?}");
    let model = scene.model();
    let of = storey(&scene, "Erdgeschoss");
    let metre = ifc::Units::from_model(model).length_mm / 1000.0;
    let links = ifc::relations::Links::of_one(model);
    let windows: Vec<Id> = model.of_class("IfcWindow");
    let windows: Vec<Id> = windows.into_iter().filter(|w| links.storey_of(*w) == Some(of)).collect();
    assert!(!windows.is_empty());
    let mut widths: BTreeMap<String, usize> = BTreeMap::new();
    for width in windows.iter().filter_map(|w| model.get(*w)?.number("OverallWidth")) {
        *widths.entry(format!("{:.3}", width * metre)).or_default() += 1;
    }
    for (width, count) in widths {
        assert!(told.get(&width).is_some_and(|n| *n >= count), "{width}: {told:?}");
    }
    // rows along one side add up to the whole
    let openings: f64 = drawing.dimensions.iter().filter(|d| d.of == Of::Openings).map(|d| d.metres).sum();
    assert!((openings - 2.0 * (12.0 + 10.0)).abs() < 1e-6, "{openings}");
    // rooms that are closed all around are as wide as they are measured
    let widths: Vec<String> =
        drawing.dimensions.iter().filter(|d| d.of == Of::Room).map(|d| format!("{:.2}", d.metres)).collect();
    for width in ["3.50", "3.71", "3.37", "4.05", "5.45"] {
        assert!(widths.iter().any(|w| w == width), "{width}: {widths:?}");
    }
}

#[test]
fn stairs_have_their_risers_and_arrows() {
    let Some(scene) = real("Duplex_A_20110907.ifc") else { return };
    let told = |level: &str, word: &str| {
        let drawing = plan(&scene, level, 50.0);
        common::texts(&drawing.page).iter().filter(|t| t.words.starts_with(word)).count()
    };
    assert_eq!((told("Level 1", "up 16 R"), told("Level 1", "down")), (2, 0));
    assert_eq!((told("Level 2", "down 16 R"), told("Level 2", "up ")), (2, 0));
}

#[test]
fn elevations_show_what_lies_behind_glass_where_the_style_wants_it() {
    let Some(scene) = real("Duplex_A_20110907.ifc") else { return };
    let wanted = Wanted::new(Kind::Elevation { direction: DVec2::NEG_Y }, 100.0);
    let rows = "[[scales]]\nup_to = 150.0\ncut = \"bearing\"\nweight = 0.7\nframes = true\n";
    let clear = Style::from_toml(&format!("{rows}see_through_glass = true\n")).unwrap();
    let seen = |style: &Style| -> Vec<Id> {
        let drawing = draw(&scene, &wanted, style, &|_, _| true).unwrap().unwrap();
        let shown = drawing.shown.iter().filter(|s| !s.visible.is_empty());
        let classes =
            shown.map(|s| s.element).filter(|id| scene.entry(*id).unwrap().class.contains("Furnish"));
        classes.collect()
    };
    assert!(seen(&common::style()).is_empty());
    assert!(!seen(&clear).is_empty());
}

#[test]
fn a_slope_before_a_wall_hides_nothing_of_it() {
    let Some(scene) = real("Niedri.ifc") else { return };
    // the ground rises by 1.5 m towards the north, beyond the house
    let drawing = made(&scene, &Wanted::new(Kind::Elevation { direction: DVec2::Y }, 100.0)).unwrap();
    let terrain: Vec<Id> = scene.model().of_class("IfcSite");
    let heights = |part: Part| {
        let all = groups(&drawing.page);
        let of_house =
            all.iter().filter(|g| g.about.as_ref().is_some_and(|a| a.class.starts_with("IfcWall")));
        let points: Vec<f64> = of_house
            .flat_map(|g| paths(&g.nodes))
            .filter(|p| p.layer.is_some_and(|l| l.part == part))
            .flat_map(|p| p.subpaths.iter().flat_map(points))
            .map(|p| {
                (drawing.place.origin.y - p.y) / drawing.place.factor
                    + drawing.place.plane.frame().translation.z
            })
            .collect();
        let ends = [f64::INFINITY, f64::NEG_INFINITY];
        points.into_iter().fold(ends, |[low, high], z| [low.min(z), high.max(z)])
    };
    assert_eq!(terrain.len(), 1);
    let ([low, _], [_, high]) = (heights(Part::Seen), heights(Part::Hidden));
    assert!((low + 0.15).abs() < 0.01 && (high + 0.15).abs() < 0.01, "{low} {high}");
}

#[test]
fn what_is_drawn_stays_what_it_was() {
    let mut told = String::new();
    for (name, storeys) in STOREYS {
        let Some(scene) = real(name) else { return };
        for level in storeys {
            let drawing = plan(&scene, level, 50.0);
            let count = |of: Of| drawing.dimensions.iter().filter(|d| d.of == of).count();
            writeln!(
                told,
                "{name} {level}: cut {} ({:.2} m²), seen {}, rooms {} ({:.2} m²), dimensions {} of openings, {} of walls, {} of rooms, {} in all",
                drawing.cut.len(),
                drawing.cut_area,
                drawing.seen.len(),
                drawing.rooms.len(),
                drawing.rooms.iter().map(|r| r.area).sum::<f64>(),
                count(Of::Openings),
                count(Of::Walls),
                count(Of::Room),
                drawing.dimensions.len(),
            )
            .unwrap();
        }
    }
    insta::assert_snapshot!(told);
}

#[test]
fn rooms_are_as_large_as_their_files_say() {
    let mut compared = 0;
    for (name, storeys) in STOREYS {
        let Some(scene) = real(name) else { return };
        for level in storeys {
            for room in plan(&scene, level, 100.0).rooms {
                let id = room.id.unwrap();
                let sets = ifc::psets::of_element(scene.model(), id);
                let mut stored =
                    sets.iter().flat_map(|s| &s.properties).filter(|p| p.name == "GrossFloorArea");
                if let Some(area) = stored.next().and_then(|p| p.value.as_f64()) {
                    assert!(
                        (area - room.area).abs() < 1e-3 * area,
                        "{name} {}: {area} {}",
                        room.name,
                        room.area
                    );
                    compared += 1;
                }
            }
        }
    }
    assert_eq!(compared, 7 + 8);
}

#[test]
fn every_storey_of_every_model_is_drawn_or_says_why_not() {
    let Some(folder) = testing::data("models") else { return };
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .flatten()
        .filter(|entry| entry.path().extension().is_some_and(|end| end == "ifc"))
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    let mut drawn = 0;
    for name in names {
        let Some(scene) = real(&name) else { return };
        for (storey, _) in building::storey::storeys_by_height(scene.model()) {
            for kind in [Kind::Plan { storey, height: CUT }, Kind::CeilingPlan { storey, height: CUT }] {
                match made(&scene, &Wanted::new(kind, 100.0)) {
                    Ok(drawing) => {
                        assert_words_are_apart(&drawing.page, &format!("{name} {kind:?}"));
                        assert!(drawing.page.size.is_finite() && drawing.page.size.min_element() > 0.0);
                        drawn += 1;
                    }
                    Err(why) => assert_eq!(why, BadDrawing::NothingMet, "{name} {kind:?}"),
                }
            }
        }
        let corner = Wanted::new(Kind::Axonometry { direction: DVec3::new(1.0, -1.0, 1.0) }, 200.0);
        drawn += usize::from(made(&scene, &corner).is_ok());
    }
    assert!(drawn > 80, "{drawn}");
}

#[test]
fn layers_are_drawn_up_to_their_scale() {
    let Some(scene) = real("Duplex_A_20110907.ifc") else { return };
    let faces = |scale: f64| {
        let drawing = plan(&scene, "Level 1", scale);
        let is_wall = |g: &&paper::Group| g.about.as_ref().is_some_and(|a| a.class.starts_with("IfcWall"));
        let walls: Vec<&paper::Group> = groups(&drawing.page).into_iter().filter(is_wall).collect();
        let fills = walls.iter().flat_map(|g| paths(&g.nodes)).filter_map(|p| p.fill.clone());
        let fills: Vec<Fill> = fills.collect();
        let black = fills.iter().filter(|f| **f == Fill::Solid([0, 0, 0, 255])).count();
        (walls.len(), fills.len(), black)
    };
    let (walls, layers, black) = faces(50.0);
    assert!(layers > 3 * walls / 2 && black == 0, "{walls} {layers} {black}");
    let (walls, bearing, black) = faces(100.0);
    assert!(bearing <= walls && black == 0, "{walls} {bearing} {black}");
    let (_, solid, black) = faces(200.0);
    assert!(solid == black && black > 5, "{solid} {black}");
}

#[test]
fn names_of_rooms_stand_in_their_rooms() {
    for (name, storeys) in STOREYS {
        let Some(scene) = real(name) else { return };
        for level in storeys {
            let drawing = plan(&scene, level, 50.0);
            let origin = drawing.page.model.unwrap().origin;
            let mut inside = 0;
            for room in &drawing.rooms {
                let guid = scene.model().get(room.id.unwrap()).unwrap().guid().unwrap();
                let group = common::groups_of(&drawing.page, &guid)[0];
                for node in &group.nodes {
                    let paper::Node::Text(text) = node else { continue };
                    let corners = documentation::drawing::words::Box2::around(text).corners();
                    let world = corners.map(|p| (p - origin) * DVec2::new(0.05, -0.05));
                    let holds = |p: &DVec2| {
                        let loops = room.cut.iter().flat_map(Area::loops);
                        let crossed =
                            loops.flat_map(|l| l.iter().zip(l.iter().cycle().skip(1))).filter(|(a, b)| {
                                (a.y <= p.y) != (b.y <= p.y)
                                    && p.x < a.x + (p.y - a.y) * (b.x - a.x) / (b.y - a.y)
                            });
                        crossed.count() % 2 == 1
                    };
                    assert!(world.iter().all(holds), "{name} {level}: `{}` is not in its room", text.words);
                    inside += 1;
                }
            }
            assert!(inside >= 2 * drawing.rooms.len(), "{name} {level}: {inside} lines");
        }
    }
}
