//! Walls of layers that meet: which layers run through, what the others leave to them, and that both follow when walls change.

use crate::desk::{Desk, SCHEMAS};
use crate::walls_tests::{plan, sound, wall};
use serde_json::{Value, json};

/// Plaster, a core and plaster: 15, 200 and 15 mm.
fn plastered(core: u32) -> Value {
    json!([
        { "material": "Plaster", "thickness": 15, "function": "finish" },
        { "material": "Concrete", "thickness": core, "function": "core" },
        { "material": "Plaster", "thickness": 15, "function": "finish" },
    ])
}

/// From outside to inside, of a wall that runs counter-clockwise: brick, insulation, concrete, plaster; 435 mm.
fn insulated() -> Value {
    json!([
        { "material": "Brick", "thickness": 100, "function": "finish" },
        { "material": "Wool", "thickness": 140, "function": "insulation" },
        { "material": "Concrete", "thickness": 180, "function": "core" },
        { "material": "Plaster", "thickness": 15, "function": "finish" },
    ])
}

/// The net volume that is stored for a wall of this name, in m³.
fn volume(desk: &Desk, name: &str) -> f64 {
    let found = desk.model.of_class("IfcWall");
    let id =
        found.into_iter().find(|id| desk.model.get(*id).unwrap().name().as_deref() == Some(name)).unwrap();
    building::quantities::read(&desk.model, id, "Qto_WallBaseQuantities")["NetVolume"].value
}

fn near(a: f64, b: f64) {
    assert!((a - b).abs() < 1e-6, "{a} is not {b}");
}

/// The priorities that connections hold for their walls, by the names of these.
fn priorities(desk: &Desk) -> Vec<(String, Vec<i64>)> {
    let mut found = Vec::new();
    for id in desk.model.of_class("IfcRelConnectsPathElements") {
        let relation = desk.model.get(id).unwrap();
        for (end, list) in
            [("RelatingElement", "RelatingPriorities"), ("RelatedElement", "RelatedPriorities")]
        {
            let name = desk.model.get(relation.reference(end).unwrap()).unwrap().name().unwrap();
            let all = relation.attr(list).as_list().unwrap().iter().map(|v| v.as_i64().unwrap()).collect();
            found.push((name, all));
        }
    }
    found.sort();
    found
}

#[test]
fn of_walls_of_one_layer_the_one_that_bears_runs_through_the_corner_of_a_light_one() {
    for schema in SCHEMAS {
        for light_first in [false, true] {
            let mut desk = Desk::new(schema);
            let heavy =
                |desk: &mut Desk| wall(desk, [0, 0], [6000, 0], json!({ "name": "Heavy", "thickness": 300 }));
            let light = |desk: &mut Desk| {
                wall(
                    desk,
                    [6000, 0],
                    [6000, 3000],
                    json!({ "name": "Light", "thickness": 100, "wall_type": "partition" }),
                )
            };
            let first = if light_first { light(&mut desk) } else { heavy(&mut desk) };
            let answer = if light_first { heavy(&mut desk) } else { light(&mut desk) };
            let strong = if light_first { &answer } else { &first };
            assert_eq!(answer["joins"][0]["join_type"], "butt", "{answer}");
            assert_eq!(answer["joins"][0]["element_ids"][0], strong["wall_id"], "{answer}");
            assert_eq!(answer["sound"], true, "{answer}");
            near(volume(&desk, "Heavy"), 6.05 * 0.3 * 3.0);
            near(volume(&desk, "Light"), 2.85 * 0.1 * 3.0);
            assert_eq!(priorities(&desk), [("Heavy".to_owned(), vec![80]), ("Light".to_owned(), vec![60])]);
            sound(&mut desk, 6.05 * 0.3 + 2.85 * 0.1, 1);
            // asked for, the corner is mitred as a whole
            let mitred = desk
                .call("join_elements", json!({ "element_ids": ["Heavy", "Light"], "join_type": "mitre" }));
            assert_eq!(mitred["joins"][0]["join_type"], "mitre", "{mitred}");
            sound(&mut desk, 6.05 * 0.3 + 2.85 * 0.1, 1);
        }
    }
}

#[test]
fn layers_of_walls_alike_turn_the_corner_and_of_other_walls_the_stronger_runs_through() {
    for schema in SCHEMAS {
        let mut desk = Desk::new(schema);
        wall(
            &mut desk,
            [0, 0],
            [6000, 0],
            json!({ "name": "A", "layers": insulated(), "location_line": "right" }),
        );
        let same = json!({ "name": "B", "layers": insulated(), "location_line": "right" });
        let answer = wall(&mut desk, [6000, 0], [6000, 4000], same);
        assert_eq!(answer["joins"][0]["join_type"], "mitre", "{answer}");
        near(volume(&desk, "A"), (6.0 * 0.435 - 0.435 * 0.435 / 2.0) * 3.0);
        // a wall of concrete alone: its core meets the other's core halfway, its insulation goes around it
        let plain =
            json!({ "name": "C", "material": "Concrete", "thickness": 200, "location_line": "right" });
        let answer = wall(&mut desk, [6000, 4000], [0, 4000], plain);
        assert_eq!(answer["joins"][0]["join_type"], "mitre", "{answer}");
        let corner = 0.435 * 0.2;
        let of_c = 0.015 * 0.2 + 0.18 * 0.2 / 2.0;
        near(volume(&desk, "C"), ((6.0 - 0.435) * 0.2 + of_c) * 3.0);
        near(volume(&desk, "B"), (4.0 * 0.435 - 0.435 * 0.435 / 2.0 - corner + (corner - of_c)) * 3.0);
        let whole = 6.0 * 0.435 + (4.0 - 0.435) * 0.435 + (6.0 - 0.435) * 0.2;
        sound(&mut desk, whole, 1);
        let strong = vec![20, 40, 80, 20];
        assert_eq!(priorities(&desk).len(), 4);
        assert!(
            priorities(&desk)
                .iter()
                .all(|(name, all)| *all == if name == "C" { vec![80] } else { strong.clone() })
        );
        desk.keep(&format!("walls-layers-corner-{schema}"));
    }
}

#[test]
fn the_core_of_a_stem_goes_on_to_the_core_and_follows_what_changes() {
    for schema in SCHEMAS {
        for stem_first in [false, true] {
            let mut desk = Desk::new(schema);
            let outer = |desk: &mut Desk| {
                wall(desk, [0, 0], [6000, 0], json!({ "name": "Outer", "layers": insulated() }))
            };
            let stem = |desk: &mut Desk| {
                wall(desk, [2000, 0], [2000, 3000], json!({ "name": "Stem", "layers": plastered(200) }))
            };
            let answer = if stem_first {
                stem(&mut desk);
                outer(&mut desk)
            } else {
                outer(&mut desk);
                stem(&mut desk)
            };
            assert_eq!(answer["joins"][0]["join_type"], "tee", "{answer}");
            assert_eq!(answer["sound"], true, "{answer}");
            let (bare, long) = (6.0 * 0.435 * 3.0, (3.0 - 0.2175) * 0.23 * 3.0);
            let tongue = 0.015 * 0.2 * 3.0;
            near(volume(&desk, "Outer"), bare - tongue);
            near(volume(&desk, "Stem"), long + tongue);
            let whole = 6.0 * 0.435 + (3.0 - 0.2175) * 0.23;
            sound(&mut desk, whole, 1);
            let told = [("Outer".to_owned(), vec![20, 40, 80, 20]), ("Stem".to_owned(), vec![20, 80, 20])];
            assert_eq!(priorities(&desk), told);
            if !stem_first {
                desk.keep(&format!("walls-layers-tee-{schema}"));
            }
            // moved along, what was left to it is closed and left elsewhere
            desk.call("move_elements", json!({ "element_ids": ["Stem"], "by": [1500, 0] }));
            near(volume(&desk, "Outer"), bare - tongue);
            sound(&mut desk, whole, 1);
            // a core that becomes thicker takes more
            desk.call(
                "modify_parameter",
                json!({ "element_id": "Stem", "parameter_name": "thickness", "value": 330 }),
            );
            near(volume(&desk, "Outer"), bare - 0.015 * 0.3 * 3.0);
            assert_eq!(priorities(&desk), told);
            // a lower wall stops at the face, so that no hole is left above it
            desk.call(
                "modify_parameter",
                json!({ "element_id": "Stem", "parameter_name": "height", "value": 2500 }),
            );
            near(volume(&desk, "Outer"), bare);
            desk.call(
                "modify_parameter",
                json!({ "element_id": "Stem", "parameter_name": "height", "value": 3000 }),
            );
            near(volume(&desk, "Outer"), bare - 0.015 * 0.3 * 3.0);
            // a higher one stands beside all of the wall, and goes on into it as before
            desk.call(
                "modify_parameter",
                json!({ "element_id": "Stem", "parameter_name": "height", "value": 3500 }),
            );
            near(volume(&desk, "Outer"), bare - 0.015 * 0.3 * 3.0);
            near(volume(&desk, "Stem"), ((3.0 - 0.2175) * 0.33 + 0.015 * 0.3) * 3.5);
            desk.call(
                "modify_parameter",
                json!({ "element_id": "Stem", "parameter_name": "height", "value": 3000 }),
            );
            near(volume(&desk, "Outer"), bare - 0.015 * 0.3 * 3.0);
            // plaster as strong as the core lets nothing through
            let mut hard = insulated();
            hard[3]["priority"] = json!(90);
            desk.call("assign_material", json!({ "element_ids": ["Outer"], "layers": hard }));
            near(volume(&desk, "Outer"), bare);
            assert_eq!(priorities(&desk)[0].1, [20, 40, 80, 90]);
            let whole = 6.0 * 0.435 + (3.0 - 0.2175) * 0.33;
            sound(&mut desk, whole, 1);
            desk.call("assign_material", json!({ "element_ids": ["Outer"], "layers": insulated() }));
            near(volume(&desk, "Outer"), bare - 0.015 * 0.3 * 3.0);
            desk.call("delete_elements", json!({ "element_ids": ["Stem"] }));
            near(volume(&desk, "Outer"), bare);
            sound(&mut desk, 6.0 * 0.435, 1);
        }
    }
}

#[test]
fn the_core_of_a_straight_stem_goes_on_into_a_wall_along_an_arc_from_either_side() {
    for (end, far) in [([4000, 3000], [4000, -1000]), ([4000, 3000], [4000, 7000])] {
        let mut desk = Desk::new("IFC4");
        let outer = wall(
            &mut desk,
            [0, 0],
            [8000, 0],
            json!({ "name": "Outer", "arc_through": [4000, 3000], "layers": plastered(100) }),
        );
        let bare = volume(&desk, "Outer");
        let light = json!([
            { "material": "Plaster", "thickness": 60, "function": "finish" },
            { "material": "Concrete", "thickness": 200, "function": "core" },
            { "material": "Plaster", "thickness": 60, "function": "finish" },
        ]);
        let stem = wall(&mut desk, end, far, json!({ "name": "Stem", "layers": light }));
        assert_eq!(stem["joins"][0]["join_type"], "tee", "{outer} {stem}");
        assert_eq!(stem["sound"], true, "{stem}");
        // the plaster of the one, 15 mm, is left to the core of the other, 200 mm
        let left = bare - volume(&desk, "Outer");
        assert!((left - 0.015 * 0.2 * 3.0).abs() < 5e-4, "{left}");
        let all = desk.model.of_class("IfcWall");
        let meshes: Vec<geometry::Mesh> =
            all.iter().map(|id| geometry::Shaper::plain(&desk.model).element(*id).unwrap().mesh()).collect();
        let shared = geometry::csg::shared_volume(&meshes[0], &meshes[1]).unwrap_or(0.0);
        assert!(shared < 2e-4, "{shared}");
        let around = geometry::bounds(&desk.model, all[1]).unwrap();
        assert!((around.size().y - (4000.0 - 50.0)).abs() < 2.0, "{around:?}");
        desk.clean();
    }
}

#[test]
fn stems_from_both_sides_and_walls_that_go_on_in_the_next_leave_what_is_weaker() {
    for schema in SCHEMAS {
        let mut desk = Desk::new(schema);
        // one wall in two parts, its outside below; stems end where the parts meet
        wall(&mut desk, [0, 0], [3000, 0], json!({ "name": "A", "layers": insulated() }));
        wall(&mut desk, [3000, 0], [6000, 0], json!({ "name": "B", "layers": insulated() }));
        wall(&mut desk, [3000, 0], [3000, 3000], json!({ "name": "Inside", "layers": plastered(200) }));
        let tongue = 0.015 * 0.2;
        for part in ["A", "B"] {
            near(volume(&desk, part), (3.0 * 0.435 - tongue / 2.0) * 3.0);
        }
        near(volume(&desk, "Inside"), ((3.0 - 0.2175) * 0.23 + tongue) * 3.0);
        let whole = 6.0 * 0.435 + (3.0 - 0.2175) * 0.23;
        sound(&mut desk, whole, 1);
        // outside it goes on through brick and insulation
        wall(&mut desk, [3000, -3000], [3000, 0], json!({ "name": "Outside", "layers": plastered(200) }));
        near(volume(&desk, "Outside"), ((3.0 - 0.2175) * 0.23 + 0.24 * 0.2) * 3.0);
        for part in ["A", "B"] {
            near(volume(&desk, part), (3.0 * 0.435 - tongue / 2.0 - 0.24 * 0.1) * 3.0);
        }
        let whole = whole + (3.0 - 0.2175) * 0.23;
        sound(&mut desk, whole, 1);
        desk.call("delete_elements", json!({ "element_ids": ["Outside"] }));
        near(volume(&desk, "A"), (3.0 * 0.435 - tongue / 2.0) * 3.0);
        desk.keep(&format!("walls-layers-cross-{schema}"));
    }
}

#[test]
fn a_stem_on_a_slant_and_one_before_an_opening() {
    for schema in SCHEMAS {
        let mut desk = Desk::new(schema);
        wall(&mut desk, [0, 0], [6000, 0], json!({ "name": "Outer", "layers": insulated() }));
        wall(&mut desk, [2000, 0], [4000, 3000], json!({ "name": "Slant", "layers": plastered(200) }));
        let slant = (13.0_f64).sqrt() / 3.0;
        near(volume(&desk, "Outer"), (6.0 * 0.435 - 0.015 * 0.2 * slant) * 3.0);
        let (apart, together, pieces) = plan(&desk);
        assert!((apart - together).abs() < 1e-4 && pieces == 1, "{apart} {together} {pieces}");
        // behind a window there is nothing to run into
        let mut desk = Desk::new(schema);
        let window = json!([{ "location": { "along": 2000 }, "width": 1200, "height": 1200, "opening_type": "window" }]);
        wall(
            &mut desk,
            [0, 0],
            [6000, 0],
            json!({ "name": "Outer", "layers": insulated(), "openings": window }),
        );
        let before = volume(&desk, "Outer");
        wall(&mut desk, [2000, 0], [2000, 3000], json!({ "name": "Stem", "layers": plastered(200) }));
        near(volume(&desk, "Outer"), before);
        near(volume(&desk, "Stem"), (3.0 - 0.2175) * 0.23 * 3.0);
        desk.clean();
    }
}

#[test]
fn priorities_are_given_by_layer_told_where_they_are_chosen_and_kept() {
    for schema in SCHEMAS {
        let mut desk = Desk::new(schema);
        let mut layers = plastered(200);
        layers[0]["priority"] = json!(101);
        let asked =
            json!({ "start": [0, 0], "end": [4000, 0], "level_id": "Ground Floor", "layers": layers });
        let fault = desk.refuse("create_wall", asked);
        assert_eq!(fault.data["field"], "layers[0].priority", "{fault}");
        layers[0]["priority"] = json!(70);
        wall(&mut desk, [0, 0], [4000, 0], json!({ "name": "A", "layers": layers }));
        wall(&mut desk, [4000, 0], [4000, 4000], json!({ "name": "B", "layers": plastered(200) }));
        assert_eq!(
            priorities(&desk),
            [("A".to_owned(), vec![70, 80, 20]), ("B".to_owned(), vec![20, 80, 20])]
        );
        // walls of the same materials and other priorities are of other types
        assert_eq!(desk.count("IfcWallType"), 2);
        if schema != "IFC2X3" {
            assert_eq!(desk.found("IfcWall"), 2);
            let of_layers: Vec<_> = desk
                .model
                .of_class("IfcMaterialLayer")
                .iter()
                .map(|id| desk.model.get(*id).unwrap().attr("Priority").as_i64())
                .collect();
            assert_eq!(of_layers, [Some(70), Some(80), Some(20), Some(20), Some(80), Some(20)]);
        }
        // a copy beside the first keeps them, and so does a wall that becomes thicker
        desk.call(
            "modify_parameter",
            json!({ "element_id": "A", "parameter_name": "thickness", "value": 250 }),
        );
        assert_eq!(priorities(&desk)[0].1, [70, 80, 20]);
        desk.call("copy_elements", json!({ "element_ids": ["A", "B"], "by": [0, 10000] }));
        let all = priorities(&desk);
        assert_eq!(all.iter().filter(|(_, list)| *list == [70, 80, 20]).count(), 2, "{all:?}");
        // where nothing is said, what was chosen is
        let bare = json!([{ "material": "Render", "thickness": 20 }, { "material": "EPS", "thickness": 160 },
                          { "material": "Brick", "thickness": 175 }]);
        let answer = wall(&mut desk, [0, 30000], [4000, 30000], json!({ "layers": bare }));
        assert!(answer["assumed"].to_string().contains("Render 20, EPS 40, Brick 80"), "{answer}");
        desk.clean();
    }
}
