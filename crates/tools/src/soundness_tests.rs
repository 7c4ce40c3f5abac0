//! What is said of a change beside its own answer: whether what it touched overlaps, floats, or lies outside its host.

use crate::{Body, IfcCall, catalogue};
use building::soundness::{self, Kind, Sound, Surroundings};
use contract::Actor;
use geometry::Scene;
use ifc::{Header, Limits, Model, SchemaVersion};
use serde_json::{Value, json};

/// A model worked on by tool calls, and what is known of its surroundings.
struct Site {
    model: Model,
    known: Surroundings,
    calls: u32,
}

impl Site {
    fn new(schema: &str) -> Self {
        let model = Model::blank(SchemaVersion::Ifc4, Header::new("new.ifc", "2026-11-21T22:00:00"));
        let mut site = Self { model, known: Surroundings::default(), calls: 0 };
        let storeys = json!([
            { "name": "Ground", "elevation": 0 }, { "name": "First", "elevation": 3000 },
            { "name": "Roof", "elevation": 6000 }
        ]);
        site.call("create_project", json!({ "name": "Test", "schema": schema, "storeys": storeys }));
        site
    }

    fn open(file: &str) -> Option<Self> {
        let (model, _) = Model::open(&testing::model(file)?, &Limits::default()).unwrap();
        Some(Self { model, known: Surroundings::default(), calls: 0 })
    }

    /// Runs a tool; its answer, and what is said of the change.
    fn call(&mut self, tool: &str, arguments: Value) -> (Value, Sound) {
        let tool = catalogue().into_iter().find(|t| t.spec.name == tool).unwrap();
        let Body::Ifc(body) = tool.body else { panic!("{} is no tool on a model", tool.spec.name) };
        self.calls += 1;
        let actor = Actor { principal: "modeller".into(), client: None };
        let operation = format!("operation {}", self.calls);
        let mut call = IfcCall::new(&self.model, &operation, 1_795_305_600_000, actor);
        let answer = body(&mut call, arguments.clone())
            .unwrap_or_else(|fault| panic!("{} {arguments}: {fault}", tool.spec.name));
        let touched: Vec<_> = call.edit.touched().collect();
        let (after, _) = call.edit.finish();
        if tool.spec.name == "create_project" {
            self.model = after;
            return (answer, Sound::default());
        }
        let mut known = self.known.clone();
        let (sound, now) =
            soundness::look(&self.model, &after, &touched, &mut known, validation::constraints::of_change)
                .unwrap();
        // whoever knows the surroundings from before says the same as who looks at them for the first time
        let (fresh, _) = soundness::look(
            &self.model,
            &after,
            &touched,
            &mut Surroundings::default(),
            validation::constraints::of_change,
        )
        .unwrap();
        assert_eq!(sound, fresh, "{} {arguments}", tool.spec.name);
        // as does who has the state drawn already
        let scene = Scene::from_model(&self.model).follow(&after);
        let (drawn, _) = soundness::look_at_drawn(
            &self.model,
            &after,
            &touched,
            &mut Surroundings::default(),
            (Some(&scene), validation::constraints::of_change),
        )
        .unwrap();
        assert_eq!(sound, drawn, "{} {arguments}", tool.spec.name);
        (self.model, self.known) = (after, now);
        (answer, sound)
    }

    fn sound(&mut self, tool: &str, arguments: Value) -> Value {
        let (answer, sound) = self.call(tool, arguments.clone());
        assert_eq!(sound.to_json(), json!(true), "{tool} {arguments}");
        answer
    }

    fn wall(&mut self, start: [f64; 2], end: [f64; 2], level: &str) -> (String, Sound) {
        let wall = json!({ "start": start, "end": end, "height": 3000, "level_id": level });
        let (answer, sound) = self.call("create_wall", wall);
        (answer["wall_id"].as_str().unwrap().to_owned(), sound)
    }
}

fn kinds(sound: &Sound) -> Vec<Kind> {
    sound.findings.iter().map(|finding| finding.kind).collect()
}

const SCHEMAS: [&str; 3] = ["IFC2X3", "IFC4", "IFC4X3"];

#[test]
fn a_shell_with_rooms_windows_and_doors_is_sound_in_every_schema() {
    for schema in SCHEMAS {
        let mut site = Site::new(schema);
        let shell = json!({
            "footprint": [[0, 0], [12000, 0], [12000, 9000], [0, 9000]], "overhang": 300, "storeys": [{ "name": "Ground" }, { "name": "First" }],
            "storey_height": 3000, "spaces": false
        });
        let made = site.sound("create_building_shell", shell);
        let wall = made["storeys"][0]["walls"][0]["wall_id"].clone();
        assert!(wall.is_string(), "{made}");
        for (along, kind) in [(3000, "window"), (6000, "door"), (9000, "window")] {
            let opening = json!({
                "host_id": wall, "location": { "along": along }, "width": 1000, "height": 1500, "opening_type": kind
            });
            site.sound("create_opening", opening);
        }
        let rooms: Vec<Value> = [20, 18, 25, 15]
            .iter()
            .enumerate()
            .map(|(i, a)| json!({ "name": format!("R{i}"), "area": a }))
            .collect();
        site.sound("create_rooms", json!({ "level_id": "Ground", "rooms": rooms, "doors": true }));
    }
}

#[test]
fn two_walls_through_each_other_overlap_and_say_by_how_much() {
    for schema in SCHEMAS {
        let mut site = Site::new(schema);
        let (first, sound) = site.wall([0.0, 0.0], [6000.0, 0.0], "Ground");
        assert_eq!(sound.to_json(), json!(true), "{schema}: a wall alone on the ground");
        let (second, sound) = site.wall([3000.0, -2000.0], [3000.0, 2000.0], "Ground");
        assert_eq!(kinds(&sound), [Kind::Overlap], "{schema}: {sound:?}");
        let finding = &sound.findings[0];
        assert_eq!(finding.elements.len(), 2);
        assert!(finding.elements.contains(&first) && finding.elements.contains(&second));
        assert!(finding.say.contains("litres"), "{}", finding.say);
        let (_, sound) = site.wall([3000.0, -2000.0], [3000.0, 2000.0], "Ground");
        assert_eq!(kinds(&sound), [Kind::Overlap, Kind::Overlap], "the same wall again: {sound:?}");
        assert!(sound.findings.iter().any(|f| f.say.contains("same body")), "{sound:?}");
        let (_, sound) = site.wall([20_000.0, 0.0], [26_000.0, 0.0], "Ground");
        assert_eq!(sound.to_json(), json!(true), "one that is far away is not blamed for others");
        let (_, sound) = site.call("delete_elements", json!({ "element_ids": [second] }));
        assert_eq!(sound.to_json(), json!(true), "what remains near by was not touched");
    }
}

#[test]
fn an_overlap_is_told_of_the_change_that_made_it_and_of_none_that_left_it_as_it_was() {
    let mut site = Site::new("IFC4");
    let (wall, _) = site.wall([0.0, 0.0], [6000.0, 0.0], "Ground");
    let (_, sound) = site.wall([3000.0, -2000.0], [3000.0, 2000.0], "Ground");
    assert_eq!(kinds(&sound), [Kind::Overlap], "{sound:?}");
    let window = json!({ "host_id": wall, "location": { "fraction": 0.2 }, "width": 900, "height": 1000, "opening_type": "window" });
    let (_, sound) = site.call("create_opening", window);
    assert_eq!(sound.to_json(), json!(true), "the wall stood there all along");
    let (_, sound) = site.call("move_elements", json!({ "element_ids": [wall], "by": [0, 500] }));
    assert_eq!(kinds(&sound), [Kind::Overlap], "at another place: {sound:?}");
    let thicker = json!({ "element_id": wall, "parameter_name": "thickness", "value": 400 });
    let (_, sound) = site.call("modify_parameter", thicker);
    assert_eq!(kinds(&sound), [Kind::Overlap], "more than before: {sound:?}");
}

#[test]
fn what_rests_on_nothing_floats_and_stands_once_there_is_something_below() {
    let mut site = Site::new("IFC4");
    let (high, sound) = site.wall([0.0, 0.0], [6000.0, 0.0], "First");
    assert_eq!(kinds(&sound), [Kind::Floating]);
    assert_eq!(sound.findings[0].elements, [high.as_str()]);
    // the wall below reaches up to it: nothing that was touched floats any more
    let (low, sound) = site.wall([0.0, 0.0], [6000.0, 0.0], "Ground");
    assert_eq!(sound.to_json(), json!(true));
    // taking it away leaves the upper one behind
    let (_, sound) = site.call("delete_elements", json!({ "element_ids": [low] }));
    assert_eq!(kinds(&sound), [Kind::Floating], "{sound:?}");
    assert_eq!(sound.findings[0].elements, [high]);
}

#[test]
fn walls_that_only_touch_each_other_float_together() {
    let mut site = Site::new("IFC4");
    site.wall([0.0, 0.0], [6000.0, 0.0], "First");
    let slab = json!({
        "boundary_points": [[20000, 0], [26000, 0], [26000, 5000], [20000, 5000]], "level_id": "First"
    });
    let (_, sound) = site.call("create_floor", slab);
    assert_eq!(kinds(&sound), [Kind::Floating], "{sound:?}");
    let low = json!({
        "boundary_points": [[20000, 0], [26000, 0], [26000, 5000], [20000, 5000]], "level_id": "Ground"
    });
    site.sound("create_floor", low);
}

#[test]
fn a_host_that_becomes_shorter_than_its_openings_says_so() {
    let mut site = Site::new("IFC4");
    let (wall, _) = site.wall([0.0, 0.0], [6000.0, 0.0], "Ground");
    let window = json!({
        "host_id": wall, "location": { "along": 5000 }, "width": 1000, "height": 1200, "opening_type": "window"
    });
    let made = site.sound("create_opening", window);
    // by hand, past the tools that would refuse it
    let opening = site.model.by_guid(made["opening_id"].as_str().unwrap()).unwrap();
    let filling = site.model.by_guid(made["filling_id"].as_str().unwrap()).unwrap();
    let mut edit = site.model.edit();
    let moved = |edit: &mut ifc::Edit, id, x: f64| {
        let placement = edit.get(id).unwrap().reference("ObjectPlacement").unwrap();
        let axes = edit.get(placement).unwrap().reference("RelativePlacement").unwrap();
        let point = edit.get(axes).unwrap().reference("Location").unwrap();
        let at = ifc::Value::list([x, 0.0, 0.9].map(ifc::Value::Real));
        edit.set(point, "Coordinates", at).unwrap();
    };
    moved(&mut edit, opening, 5.8);
    let touched: Vec<_> = edit.touched().collect();
    let (after, _) = edit.finish();
    let look = |before: &Model, after: &Model, touched: &[ifc::Id]| {
        soundness::look(
            before,
            after,
            touched,
            &mut Surroundings::default(),
            validation::constraints::of_change,
        )
        .unwrap()
        .0
    };
    let sound = look(&site.model, &after, &touched);
    assert_eq!(kinds(&sound), [Kind::OutsideHost, Kind::Quantity], "the hole is smaller: {sound:?}");
    let mut edit = site.model.edit();
    moved(&mut edit, filling, 2.0);
    let touched: Vec<_> = edit.touched().collect();
    let (after, _) = edit.finish();
    let sound = look(&site.model, &after, &touched);
    assert!(kinds(&sound).contains(&Kind::OutsideHost), "{sound:?}");
    assert!(sound.findings.iter().any(|f| f.say.contains("out of")), "{sound:?}");
}

#[test]
fn a_name_a_property_or_a_level_says_nothing_of_shapes() {
    let mut site = Site::new("IFC4");
    let (wall, _) = site.wall([0.0, 0.0], [6000.0, 0.0], "First");
    site.sound("create_level", json!({ "name": "Attic", "elevation": 9000 }));
    site.sound(
        "modify_parameter",
        json!({ "element_id": wall, "parameter_name": "Name", "value": "The floating one" }),
    );
    let set =
        json!({ "element_ids": [wall], "pset": "Pset_WallCommon", "properties": { "FireRating": "F30" } });
    site.sound("set_properties", set);
}

#[test]
fn openings_in_the_walls_of_other_programs_are_within_their_hosts() {
    for file in ["AC20-FZK-Haus.ifc", "Duplex_A_20110907.ifc", "House.ifc", "SampleHouse4.ifc"] {
        let Some(site) = Site::open(file) else { return };
        // every opening counts as touched
        let mut touched = Vec::new();
        let mut edit = site.model.edit();
        for opening in site.model.of_class("IfcOpeningElement") {
            let Some(placement) = site.model.get(opening).unwrap().reference("ObjectPlacement") else {
                continue;
            };
            let axes = site.model.get(placement).unwrap().reference("RelativePlacement").unwrap();
            edit.set(placement, "RelativePlacement", axes).unwrap();
            touched.push(placement);
        }
        let (after, _) = edit.finish();
        let looked = soundness::look(
            &site.model,
            &after,
            &touched,
            &mut Surroundings::default(),
            validation::constraints::of_change,
        );
        let (sound, _) = looked.unwrap();
        let outside: Vec<_> = sound.findings.iter().filter(|f| f.kind == Kind::OutsideHost).collect();
        assert!(outside.len() * 20 <= touched.len(), "{file}: {outside:#?}");
    }
}

#[test]
fn members_that_run_or_stand_in_each_other_overlap_and_those_that_meet_in_a_node_do_not() {
    for schema in SCHEMAS {
        let mut site = Site::new(schema);
        let column = |at: [i32; 2]| json!({ "level_id": "Ground", "at": at, "width": 300, "height": 3000 });
        site.sound("create_column", column([0, 0]));
        site.sound("create_column", column([6000, 0]));
        let (_, sound) = site.call("create_column", column([6200, 100]));
        assert_eq!(kinds(&sound), [Kind::Overlap], "{schema}: a column in a column: {sound:?}");
        assert!(sound.findings[0].say.contains("litres"), "{sound:?}");
        site.sound("delete_elements", json!({ "element_ids": ["Column 3"] }));
        let beam = |start: [i32; 3], end: [i32; 3]| {
            json!({ "level_id": "Ground", "start": start, "end": end, "width": 200, "depth": 400,
                "extend": [0, 0] })
        };
        // its ends stand in the columns, and one crosses it: nodes
        site.sound("create_beam", beam([0, 0, 3000], [6000, 0, 3000]));
        site.sound(
            "create_column",
            json!({ "level_id": "Ground", "at": [3000, -3000], "width": 300, "height": 3000 }),
        );
        site.sound(
            "create_column",
            json!({ "level_id": "Ground", "at": [3000, 3000], "width": 300, "height": 3000 }),
        );
        site.sound("create_beam", beam([3000, -3000, 3000], [3000, 3000, 3000]));
        // one that runs on in the same line shares a node with it, one beside it a part of its length
        site.sound("create_column", column([12_000, 0]));
        site.sound("create_beam", beam([5900, 0, 3000], [12000, 0, 3000]));
        let (_, sound) = site.call("create_beam", beam([1000, 100, 3000], [5000, 100, 3000]));
        assert!(
            sound.findings.iter().any(|f| f.kind == Kind::Overlap && f.say.contains("Beam 4")),
            "{schema}: a beam in a beam: {sound:?}"
        );
        let mut pads = |x: i32| {
            let pad = json!({ "level_id": "Ground", "at": [x, 20_000], "width": 1500 });
            site.call("create_footing", pad)
        };
        assert_eq!(pads(0).1.to_json(), json!(true));
        assert_eq!(pads(1500).1.to_json(), json!(true), "side by side");
        let (_, sound) = pads(2500);
        assert_eq!(kinds(&sound), [Kind::Overlap], "{schema}: a pad in a pad: {sound:?}");
    }
}

/// Changes a model by hand, past the tools that would refuse it, and looks at the change.
fn by_hand(site: &mut Site, change: impl FnOnce(&mut ifc::Edit)) -> Sound {
    let mut edit = site.model.edit();
    change(&mut edit);
    let touched: Vec<_> = edit.touched().collect();
    let (after, _) = edit.finish();
    let mut known = site.known.clone();
    let (sound, now) =
        soundness::look(&site.model, &after, &touched, &mut known, validation::constraints::of_change)
            .unwrap();
    (site.model, site.known) = (after, now);
    sound
}

fn rules(sound: &Sound) -> Vec<&'static str> {
    sound.findings.iter().map(|finding| finding.rule).collect()
}

#[test]
fn a_finding_names_the_constraint_that_the_whole_model_breaks_then() {
    let mut site = Site::new("IFC4");
    let (wall, sound) = site.wall([0.0, 0.0], [6000.0, 0.0], "First");
    assert_eq!(rules(&sound), ["constraints.floating"]);
    assert_eq!(sound.to_json()[0]["rule"], "constraints.floating");
    let (_, sound) = site.wall([0.0, 0.0], [6000.0, 0.0], "First");
    assert!(rules(&sound).contains(&"constraints.duplicate"), "{sound:?}");
    let known: Vec<&str> = validation::constraints::constraints().map(|own| own.id).collect();
    assert!(rules(&sound).iter().all(|rule| known.contains(rule)));
    let copy = site.model.of_class("IfcWall")[1];
    let text = ifc::Value::Text(wall.clone());
    let sound = by_hand(&mut site, |edit| edit.set(copy, "GlobalId", text).unwrap());
    assert_eq!(
        (rules(&sound), &sound.findings[0].elements),
        (vec!["constraints.duplicate_guid"], &vec![wall])
    );
}

#[test]
fn a_wall_that_is_made_as_thin_as_paper_has_no_size() {
    let mut site = Site::new("IFC4");
    site.wall([0.0, 0.0], [6000.0, 0.0], "Ground");
    let solid = site.model.of_class("IfcExtrudedAreaSolid")[0];
    let sound = by_hand(&mut site, |edit| edit.set(solid, "Depth", ifc::Value::Real(1e-5)).unwrap());
    assert_eq!(kinds(&sound), [Kind::ZeroSize, Kind::Quantity], "{sound:?}");
}

#[test]
fn rooms_in_each_other_are_told_of_the_change_that_makes_them_so() {
    for schema in SCHEMAS {
        let mut site = Site::new(schema);
        let room = |x: i32| {
            json!({
                "boundary_points": [[x, 0], [x + 4000, 0], [x + 4000, 3000], [x, 3000]], "level_id": "Ground", "height": 2500
            })
        };
        site.sound("create_space", room(0));
        site.sound("create_space", room(4000));
        let (_, sound) = site.call("create_space", room(7000));
        assert_eq!(rules(&sound), ["constraints.space_overlap"], "{schema}: {sound:?}");
        assert!(sound.findings[0].say.contains("7.5"), "{sound:?}");
    }
}

#[test]
fn an_element_that_goes_far_off_is_told_once() {
    let mut site = Site::new("IFC4");
    let column = |x: i32| json!({ "level_id": "Ground", "at": [x, 0], "width": 300, "height": 3000 });
    for number in 0..12 {
        site.sound("create_column", column(number * 5000));
    }
    let (_, sound) = site.call("create_column", column(9_000_000));
    assert_eq!(rules(&sound), ["constraints.outlier"], "{sound:?}");
    let last = site.model.of_class("IfcColumn").last().copied().unwrap();
    let farther = json!({ "element_ids": [crate::id_of(&site.model, last)], "by": [5000, 0] });
    site.sound("move_elements", farther);
}

#[test]
fn ground_far_out_is_no_outlier_and_what_stands_there_is_one() {
    let mut site = Site::new("IFC4");
    let column = |x: i32| json!({ "level_id": "Ground", "at": [x, 0], "width": 300, "height": 3000 });
    for number in 0..12 {
        site.sound("create_column", column(number * 5000));
    }
    let at = |class: &str, x: i32| {
        let profile = json!([[0, 0], [100, 0], [100, 800], [0, 900]]);
        json!({
            "ifc_class": class, "level_id": "Ground", "shape": { "revolve": { "profile": profile } },
            "placement": { "point": [x, 40000] }
        })
    };
    site.sound("create_element", at("IfcGeographicElement", 9_000_000));
    let (_, sound) = site.call("create_element", at("IfcBuildingElementProxy", 9_100_000));
    assert_eq!(rules(&sound), ["constraints.outlier"], "{sound:?}");
}

#[test]
fn a_door_that_loses_what_it_stands_in_has_no_host() {
    let mut site = Site::new("IFC4");
    let (wall, _) = site.wall([0.0, 0.0], [6000.0, 0.0], "Ground");
    let door = json!({
        "host_id": wall, "location": { "along": 3000 }, "width": 1000, "height": 2100, "opening_type": "door"
    });
    site.sound("create_opening", door);
    let bond = |model: &Model, class: &str| model.of_class(class)[0];
    // it stands in its wall, whatever the file says
    let fills = bond(&site.model, "IfcRelFillsElement");
    let sound = by_hand(&mut site, |edit| edit.remove(fills).unwrap());
    assert!(!kinds(&sound).contains(&Kind::UnhostedFilling), "{sound:?}");
    let voids = bond(&site.model, "IfcRelVoidsElement");
    let sound = by_hand(&mut site, |edit| edit.remove(voids).unwrap());
    assert!(!kinds(&sound).contains(&Kind::UnhostedFilling), "{sound:?}");
    let (_, sound) = site.call("delete_elements", json!({ "element_ids": [wall] }));
    assert!(rules(&sound).contains(&"constraints.unhosted_filling"), "{sound:?}");
}

#[test]
fn every_kind_of_finding_on_a_change_is_explained() {
    let name = |kind: Kind| json!(kind).as_str().unwrap_or_default().to_owned();
    let mut kinds: Vec<String> = Kind::ALL.into_iter().map(name).collect();
    kinds.sort_unstable();
    assert_eq!(ifc_check::explained_changes().collect::<Vec<_>>(), kinds);
}

/// Sets where an element stands in what it is placed in.
fn moved_to(edit: &mut ifc::Edit, id: ifc::Id, to: [f64; 3]) {
    let placement = edit.get(id).unwrap().reference("ObjectPlacement").unwrap();
    let axes = edit.get(placement).unwrap().reference("RelativePlacement").unwrap();
    let point = edit.get(axes).unwrap().reference("Location").unwrap();
    edit.set(point, "Coordinates", ifc::Value::list(to.map(ifc::Value::Real))).unwrap();
}

#[test]
fn a_wall_that_a_script_moves_to_another_one_leaves_a_gap_or_an_open_joint() {
    for schema in SCHEMAS {
        let mut site = Site::new(schema);
        site.wall([0.0, 0.0], [6000.0, 0.0], "Ground");
        // a corner, so that the file connects walls
        site.wall([6000.0, 0.0], [6000.0, 5000.0], "Ground");
        let (id, sound) = site.wall([3000.0, 1000.0], [3000.0, 4000.0], "Ground");
        assert_eq!(sound.to_json(), json!(true), "{schema}: far from each other");
        let stem = site.model.by_guid(&id).unwrap();
        // the first wall is 200 mm thick
        let near = by_hand(&mut site, |edit| moved_to(edit, stem, [3.0, 0.13, 0.0]));
        assert_eq!(rules(&near), ["constraints.wall_gap"], "{schema}: 30 mm: {near:?}");
        let far = by_hand(&mut site, |edit| moved_to(edit, stem, [3.0, 0.3, 0.0]));
        assert_eq!(far.to_json(), json!(true), "{schema}: 200 mm are no gap");
        let met = by_hand(&mut site, |edit| moved_to(edit, stem, [3.0, 0.1, 0.0]));
        assert_eq!(rules(&met), ["constraints.unjoined"], "{schema}: {met:?}");
        // it is told once: a window in it changes nothing of that
        let window = json!({ "host_id": id, "location": { "along": 2000 }, "width": 800, "height": 1000, "opening_type": "window" });
        site.sound("create_opening", window);
    }
}

#[test]
fn a_floor_that_ends_short_of_a_wall_leaves_a_slit() {
    for schema in SCHEMAS {
        let mut site = Site::new(schema);
        site.wall([4100.0, 0.0], [4100.0, 4000.0], "Ground");
        let floor = |to: f64| json!({ "level_id": "First", "boundary_points": [[0.0, 0.0], [to, 0.0], [to, 4000.0], [0.0, 4000.0]], "thickness": 200 });
        let (made, sound) = site.call("create_floor", floor(3970.0));
        assert!(rules(&sound).contains(&"constraints.slab_gap"), "{schema}: 30 mm: {sound:?}");
        site.call("delete_elements", json!({ "element_ids": [made["floor_id"]] }));
        let (_, sound) = site.call("create_floor", floor(4000.0));
        assert!(!rules(&sound).contains(&"constraints.slab_gap"), "{schema}: up to its face: {sound:?}");
    }
}

#[test]
fn what_is_put_into_the_swing_of_a_door_is_told() {
    for schema in SCHEMAS {
        let mut site = Site::new(schema);
        let (wall, _) = site.wall([0.0, 0.0], [6000.0, 0.0], "Ground");
        let door = json!({ "host_id": wall, "location": { "along": 3000 }, "width": 1000, "height": 2100, "opening_type": "door",
            "operation_type": "SINGLE_SWING_LEFT" });
        site.sound("create_opening", door);
        let thing = |name: &str, x: f64, y: f64| {
            let profile = [[0, 0], [500, 0], [500, 500], [0, 500]];
            json!({ "ifc_class": if schema == "IFC2X3" { "IfcFurnishingElement" } else { "IfcFurniture" }, "name": name, "level_id": "Ground",
                "shape": { "extrusion": { "profile": profile, "height": 900 } }, "placement": { "point": [x, y] } })
        };
        site.sound("create_element", thing("Aside", 5000.0, 600.0));
        let (_, before) = site.call("create_element", thing("Before", 3000.0, 700.0));
        let (_, behind) = site.call("create_element", thing("Behind", 3000.0, -1100.0));
        let both = [rules(&before), rules(&behind)].concat();
        assert_eq!(
            both,
            ["constraints.door_swing"],
            "{schema}: a door opens to one side: {before:?} {behind:?}"
        );
    }
}

#[test]
fn a_door_within_a_railing_that_runs_round_it_hits_nothing() {
    let mut site = Site::new("IFC4");
    let (wall, _) = site.wall([0.0, 0.0], [6000.0, 0.0], "Ground");
    let path = json!([[-20000, -20000], [26000, -20000], [26000, 20000], [-20000, 20000]]);
    site.call("create_railing", json!({ "path": path, "closed": true, "level_id": "Ground" }));
    let door = json!({ "host_id": wall, "location": { "along": 3000 }, "width": 1000, "height": 2100, "opening_type": "door" });
    site.sound("create_opening", door);
}

#[test]
fn a_storey_whose_elevation_a_script_sets_and_a_wall_whose_height_it_sets_contradict_themselves() {
    for schema in SCHEMAS {
        let mut site = Site::new(schema);
        let (wall, _) = site.wall([0.0, 0.0], [6000.0, 0.0], "First");
        let is_first = |id: &ifc::Id| site.model.get(*id).unwrap().name().unwrap() == "First";
        let first = site.model.of_class("IfcBuildingStorey").into_iter().find(is_first).unwrap();
        let sound = by_hand(&mut site, |edit| edit.set(first, "Elevation", ifc::Value::Real(3.5)).unwrap());
        assert_eq!(rules(&sound), ["constraints.storey_levels"], "{schema}: {sound:?}");
        let id = site.model.by_guid(&wall).unwrap();
        let body = site.model.of_class("IfcExtrudedAreaSolid")[0];
        let sound = by_hand(&mut site, |edit| edit.set(body, "Depth", ifc::Value::Real(2.0)).unwrap());
        assert!(rules(&sound).contains(&"constraints.quantity"), "{schema}: {sound:?}");
        let told = sound.findings.iter().find(|f| f.rule == "constraints.quantity").unwrap();
        assert_eq!(told.elements, [site.model.get(id).unwrap().guid().unwrap()]);
        assert!(told.say.contains("NetVolume") && told.say.contains("Height"), "{}", told.say);
    }
}
