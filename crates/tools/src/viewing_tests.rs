//! Pictures, drawings and clashes as agents ask for them: on a small house made here, and on real files where there are any.

use crate::opened::Unkept;
use crate::{Body, IfcCall, catalogue};
use contract::{Actor, Fault, FaultCode, FileOut, Source};
use ifc::{Header, Limits, Model, SchemaVersion};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

/// A file that a tool made: role, name, bytes.
type Made = (String, String, Vec<u8>);

/// A model, and how often it was called.
struct Desk {
    model: Model,
    calls: u32,
    /// The file that the last call made.
    files: Vec<Made>,
}

impl Desk {
    /// Four walls of 6 by 4 m with a door in the south, on one storey at 1 m.
    fn house() -> Self {
        let model = Model::blank(SchemaVersion::Ifc4, Header::new("new.ifc", "2026-11-21T22:00:00"));
        let mut desk = Self { model, calls: 0, files: Vec::new() };
        desk.call(
            "create_project",
            json!({"name": "Test", "storeys": [{ "name": "Ground Floor", "elevation": 1000 }]}),
        );
        for (start, end) in
            [([0, 0], [6000, 0]), ([6000, 0], [6000, 4000]), ([6000, 4000], [0, 4000]), ([0, 4000], [0, 0])]
        {
            desk.wall(start, end);
        }
        let south = desk.id("IfcWall", 0);
        desk.call(
            "create_opening",
            json!({"host_id": south, "location": {"along": 3000}, "width": 900, "height": 2100, "opening_type": "door"}),
        );
        desk.call(
            "create_space",
            json!({
                "boundary_points": [[100, 100], [5900, 100], [5900, 3900], [100, 3900]], "level_id": "Ground Floor",
                "long_name": "Kitchen"
            }),
        );
        desk
    }

    fn wall(&mut self, start: [i32; 2], end: [i32; 2]) -> String {
        let wall = json!({"start": start, "end": end, "height": 3000, "level_id": "Ground Floor"});
        self.call("create_wall", wall)["wall_id"].as_str().unwrap().to_owned()
    }

    /// Calls a tool; it is given `other` under a role.
    fn ask(&mut self, tool: &str, other: Option<(&str, &Model)>, arguments: Value) -> Result<Value, Fault> {
        let tool = catalogue().into_iter().find(|t| t.spec.name == tool).unwrap();
        let Body::Ifc(body) = tool.body else { panic!("{} is no tool on a model", tool.spec.name) };
        self.calls += 1;
        let mut call =
            IfcCall::new(&self.model, &format!("{}", self.calls), 1_795_305_600_000, Actor::default());
        let made: Arc<Mutex<Vec<Made>>> = Arc::default();
        let into = Arc::clone(&made);
        call = call.making(Arc::new(move |role, name, media_type, write| {
            let mut bytes = Vec::new();
            write(&mut bytes).unwrap();
            let size = bytes.len() as u64;
            into.lock().unwrap().push((role.to_owned(), name.to_owned(), bytes));
            let (role, name, media_type) = (role.to_owned(), name.to_owned(), media_type.to_owned());
            Ok(FileOut { role, name, source: Source::inline(&[]), sha256: String::new(), size, media_type })
        }));
        if let Some((role, model)) = other {
            call.versions.insert(role.to_owned(), Arc::new(Unkept(model.clone())));
        }
        let answer = body(&mut call, arguments)?;
        self.files = std::mem::take(&mut made.lock().unwrap());
        self.model = call.edit.finish().0;
        Ok(answer)
    }

    fn call(&mut self, tool: &str, arguments: Value) -> Value {
        self.ask(tool, None, arguments.clone()).unwrap_or_else(|fault| panic!("{tool} {arguments}: {fault}"))
    }

    fn refused(&mut self, tool: &str, arguments: Value) -> Fault {
        self.ask(tool, None, arguments.clone())
            .map_or_else(|fault| fault, |answer| panic!("{tool} {arguments}: {answer}"))
    }

    fn id(&self, class: &str, at: usize) -> String {
        self.model.get(self.model.of_class(class)[at]).unwrap().guid().unwrap()
    }
}

fn open(name: &str) -> Option<Desk> {
    let model = Model::open(&testing::model(name)?, &Limits::default()).unwrap().0;
    Some(Desk { model, calls: 0, files: Vec::new() })
}

#[test]
fn a_picture_is_a_png_of_the_size_asked_for_and_says_what_is_seen() {
    let mut desk = Desk::house();
    let seen = desk.call("render_view", json!({"view": "south", "width": 300}));
    // the wall and its door; the walls at the sides end in mitres behind it
    assert_eq!((&seen["view"], &seen["width"], &seen["visible"]), (&json!("south"), &json!(300), &json!(2)));
    // 6.2 m between margins of 4 %
    let scale = seen["mm_per_pixel"].as_f64().unwrap();
    assert!((scale - 6200.0 / (300.0 * 0.92)).abs() < 0.1, "{scale}");
    let [(role, name, bytes)] = desk.files.as_slice() else { panic!("one file") };
    assert_eq!((role.as_str(), name.as_str()), ("picture", "view-south.png"));
    assert!(bytes.starts_with(b"\x89PNG\r\n\x1a\n"));

    let plan = desk.call("render_view", json!({"view": "plan", "level_id": "Ground Floor", "labels": true}));
    assert_eq!(desk.files[0].1, "view-plan-Ground-Floor.png");
    assert!(plan.get("notes").is_none(), "the room has a name: {plan}");
    let door = desk.id("IfcDoor", 0);
    let chosen = desk.call("render_view", json!({"elements": door, "width": 400}));
    assert_eq!(chosen["visible"], 1);
    let room = desk.call("render_view", json!({"elements": ["rooms"], "view": "plan"}));
    assert_eq!(room["visible"], 1);
}

/// The number of pixels of the last picture that a colour is accepted of.
fn pixels(desk: &Desk, accepts: impl Fn(u8, u8, u8) -> bool) -> usize {
    let [(_, _, bytes)] = desk.files.as_slice() else { panic!("one file") };
    let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
    let mut raw = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut raw).unwrap();
    let samples = info.color_type.samples();
    raw[..info.buffer_size()].chunks(samples).filter(|p| accepts(p[0], p[1], p[2])).count()
}

#[test]
fn a_link_lays_over_a_version_what_a_picture_would_show() {
    let desk = Desk::house();
    let version = Unkept(desk.model.clone());
    let lay = |asked: Value| {
        let asked: contract::ops::Overlay = serde_json::from_value(asked).unwrap();
        crate::overlay(&version, &contract::Unwatched, &asked)
    };
    let path = json!([[1000, 1000, 1000], [5000, 1000, 1000], [5000, 3000, 1000]]);
    let (file, answer) = lay(json!({"rooms": "area", "path": path})).unwrap();
    // all of it lies on the one storey, at 1 m, which is cut 1.2 m higher
    assert_eq!((answer.storey.as_deref(), file.cut), (Some("Ground Floor"), Some(2.2)));
    assert_eq!(file.path, [[1.0, 1.0, 1.0], [5.0, 1.0, 1.0], [5.0, 3.0, 1.0]]);
    assert_eq!((answer.legend.len(), answer.legend[0].colour.as_str()), (1, "#41b6c4"));
    assert_eq!((file.legend.clone(), file.rooms[0].colour.as_str()), (answer.legend, "#41b6c4"));
    let room = &file.rooms[0];
    assert_eq!((room.height, room.name.contains("Kitchen")), (1.0, true), "{}", room.name);
    let corner = |i: u32| glam::DVec2::from(room.points[i as usize]);
    let size: f64 = room
        .triangles
        .chunks(3)
        .map(|t| (corner(t[1]) - corner(t[0])).perp_dot(corner(t[2]) - corner(t[0])).abs() / 2.0)
        .sum();
    assert!((size - 5.8 * 3.8).abs() < 1e-9, "{size}");
    assert!(file.min[0] <= 0.1 + 1e-9 && file.max[0] >= 5.9 - 1e-9, "{:?} {:?}", file.min, file.max);
    // elements by id or selector, and nothing but a storey
    let (file, answer) = lay(json!({"elements": ["IfcDoor"]})).unwrap();
    assert_eq!((file.elements, answer.elements), (vec![desk.id("IfcDoor", 0)], 1));
    let (file, answer) = lay(json!({"level_id": "Ground Floor"})).unwrap();
    assert!(file.cut.is_some() && file.max[2] > 3.9 && answer.legend.is_empty());
    // a way that leaves its storey is shown over the whole building
    let (file, _) = lay(json!({"path": [[1000, 1000, 1000], [1000, 1000, -2000]]})).unwrap();
    assert_eq!(file.cut, None);
    for (asked, field) in [
        (json!({"path": [[1000, 1000, 1000]]}), "path"),
        (json!({"path": [[1e300, 0, 0], [0, 0, 0]]}), "path"),
        (json!({"elements": ["Nothing"]}), "elements"),
        (json!({"elements": ["IfcProject"], "rooms": "depth", "level_id": "Attic"}), "level_id"),
    ] {
        assert_eq!(lay(asked.clone()).unwrap_err().data["field"], field, "{asked}");
    }
}

#[test]
fn a_way_and_the_floors_of_rooms_are_drawn_in_colours_that_the_legend_names() {
    let mut desk = Desk::house();
    let (is_way, is_floor) = (
        |r: u8, g: u8, b: u8| r > 150 && g < 110 && b < 90,
        |r: u8, g: u8, b: u8| g.saturating_sub(r) > 60 && b.saturating_sub(r) > 60,
    );
    let view = json!({"view": "plan", "level_id": "Ground Floor", "width": 600});
    let plain = desk.call("render_view", view.clone());
    assert_eq!((pixels(&desk, is_way), pixels(&desk, is_floor)), (0, 0));
    assert!(plain.get("legend").is_none(), "{plain}");

    let with = |more: Value| {
        let mut arguments = view.clone();
        arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        arguments
    };
    let by_area = desk.call("render_view", with(json!({"rooms": "area"})));
    assert_eq!(by_area["legend"], json!([{"colour": "#41b6c4", "says": "20 to 40 m²", "rooms": 1}]));
    assert_eq!(by_area["visible"], plain["visible"], "floors in colour are no elements");
    // 5.8 by 3.8 m, but for lines and the leaf of the door
    let pixel = by_area["mm_per_pixel"].as_f64().unwrap() / 1000.0;
    let area = pixels(&desk, is_floor) as f64 * pixel * pixel;
    assert!((area - 5.8 * 3.8).abs() < 1.2, "{area}");

    let by_depth = desk.call("render_view", with(json!({"rooms": "depth"})));
    assert_eq!(by_depth["legend"][0]["says"], "1 door from outside", "{by_depth}");

    let path = json!([[1000, 1000, 1000], [5000, 1000, 1000], [5000, 3000, 1000]]);
    let way = desk.call("render_view", with(json!({"path": path})));
    assert_eq!(way["visible"], plain["visible"]);
    // a ribbon of 120 mm, 6 m long
    let area = pixels(&desk, is_way) as f64 * pixel * pixel;
    assert!((area - 6.0 * 0.12).abs() < 0.25, "{area}");
    // one that leads out of the house is in the picture, too
    let far = desk.call("render_view", with(json!({"path": [[1000, 1000, 1000], [1000, -9000, 1000]]})));
    assert!(far["mm_per_pixel"].as_f64() > way["mm_per_pixel"].as_f64(), "{far}");
}

#[test]
fn a_picture_that_cannot_be_is_refused_with_its_field() {
    let mut desk = Desk::house();
    for (arguments, field) in [
        (json!({"path": [[0, 0, 0]]}), "path"),
        (json!({"path": []}), "path"),
        (json!({"path": [[0, 0, 0], [1e300, 0, 0]]}), "path"),
        (json!({"rooms": "volume"}), "rooms"),
        (json!({"width": 20}), "width"),
        (json!({"view": "below"}), "view"),
        (json!({"level_id": "Attic"}), "level_id"),
        (json!({"elements": "IfcBeam"}), "elements"),
        (json!({"elements": "IfcWal"}), "elements"),
        (json!({"elements": "0YvctVUKr0kugbFTf53O9L"}), "elements"),
    ] {
        let fault = desk.refused("render_view", arguments.clone());
        assert_eq!(fault.data["field"], field, "{arguments}: {fault}");
    }
    let before = Model::blank(SchemaVersion::Ifc4, Header::new("", ""));
    let mut nothing = Desk { model: before, calls: 0, files: Vec::new() };
    assert_eq!(nothing.refused("render_view", json!({})).code, FaultCode::ConstraintViolation);
    assert_eq!(nothing.refused("render_view", json!({"rooms": "area"})).data["field"], "rooms");
}

#[test]
fn a_plan_says_what_it_cuts_and_is_the_same_again() {
    let mut desk = Desk::house();
    let plan = desk.call("create_section", json!({"cut_plane": {"level_id": "Ground Floor"}, "scale": 50}));
    assert_eq!((&plan["kind"], &plan["scale"]), (&json!("plan"), &json!("1:50")));
    assert_eq!(plan["cut"], json!({"IfcDoor": 1, "IfcWall": 4}));
    let first = std::mem::take(&mut desk.files);
    let text = String::from_utf8(first[0].2.clone()).unwrap();
    assert!(text.contains("Kitchen</text>") && text.contains("Ground Floor</text>"), "{text}");
    assert_eq!(first[0].1, "plan-Ground-Floor.svg");
    let again = desk.call("create_section", json!({"cut_plane": {"level_id": "Ground Floor"}, "scale": 50}));
    assert_eq!((&again, &desk.files), (&plan, &first));
    let higher = desk.call(
        "create_section",
        json!({"cut_plane": {"level_id": "Ground Floor", "height": 2500}, "scale": 50}),
    );
    assert_ne!(higher["view_id"], plan["view_id"]);
    assert_eq!(higher["cut"], json!({"IfcWall": 4}), "the door is lower than that");
}

#[test]
fn a_section_shows_what_lies_beyond_and_the_storeys_heights() {
    let mut desk = Desk::house();
    let plane = json!({"origin": [0, 2000, 0], "normal": [0, -1, 0]});
    let section = desk.call("create_section", json!({"cut_plane": plane}));
    assert_eq!(section["cut"], json!({"IfcWall": 2}));
    assert_eq!(section["seen"], 1, "the wall in the north");
    // two walls of 200 by 3000
    assert_eq!(section["cut_area"], 1.2);
    let text = String::from_utf8(desk.files[0].2.clone()).unwrap();
    assert!(text.contains("Section") && text.contains("Ground Floor") && text.contains("+1.00"), "{text}");
    let near = desk.call("create_section", json!({"cut_plane": plane, "depth": 500}));
    assert_eq!(near["seen"], 0);
}

#[test]
fn a_drawing_is_written_in_every_format_from_every_side_with_dimensions_that_are_asked_for() {
    let mut desk = Desk::house();
    let plan = json!({"level_id": "Ground Floor"});
    for (format, beginning) in
        [("svg", "<svg"), ("pdf", "%PDF"), ("dxf", "  0\nSECTION"), ("png", "\u{89}PNG")]
    {
        let told = desk.call("create_section", json!({"cut_plane": plan, "format": format}));
        let bytes = std::mem::take(&mut desk.files).pop().unwrap();
        assert!(bytes.1.ends_with(&format!(".{format}")), "{}", bytes.1);
        let begins: String = bytes.2.iter().take(12).map(|b| char::from(*b)).collect();
        assert!(begins.replace('\r', "").starts_with(beginning), "{format}: {begins:?}");
        assert!(told["dimensions"].as_u64() > Some(4) && told["rooms"] == 1, "{told}");
    }
    for (plane, kind) in [
        (json!({"level_id": "Ground Floor", "ceiling": true}), "ceiling plan"),
        (json!({"side": "south"}), "elevation"),
        (json!({"side": "north_west"}), "axonometry"),
    ] {
        let told = desk.call("create_section", json!({"cut_plane": plane}));
        assert_eq!(told["kind"], kind);
        let name = told["view_id"].as_str().unwrap();
        assert!(name.ends_with(":100") && name.starts_with(kind.split(' ').next().unwrap()), "{name}");
    }
    let walls = desk.call("query_elements", json!({"selector": "IfcWall"}));
    let wall = walls["rows"][0]["id"].clone();
    let measure = json!([{"from": [0, 0, 1000], "to": [3000, 0, 1000], "aside": 500}, {"from": wall, "to": [2000, 2000, 1000]}]);
    let told =
        desk.call("create_section", json!({"cut_plane": plan, "dimensions": false, "measure": measure}));
    assert_eq!((&told["dimensions"], &told["measured"][0]), (&json!(2), &json!(3000.0)), "{told}");
    // where the paper lies: at 1:100 a millimetre of it is 100 of the world, and what is drawn along moves it
    let plain = &desk.call("create_section", json!({"cut_plane": plan, "scale": 100}))["placement"];
    assert_eq!((&plain["right"], &plain["down"]), (&json!([100.0, 0.0, 0.0]), &json!([0.0, -100.0, 0.0])));
    let [x, y] = [0, 1].map(|axis| plain["corner"][axis].as_f64().unwrap());
    assert!(x < 0.0 && y > 0.0, "the house begins at the origin, right of and below the corner: {plain}");
    let south =
        &desk.call("create_section", json!({"cut_plane": {"side": "south"}, "scale": 50}))["placement"];
    assert_eq!((&south["right"], &south["down"]), (&json!([50.0, 0.0, 0.0]), &json!([0.0, 0.0, -50.0])));
    let german = json!({"cut_plane": {"side": "south"}, "language": "de", "title": "Ansicht <Hof> & Garten"});
    desk.call("create_section", german);
    let text = String::from_utf8(desk.files.pop().unwrap().2).unwrap();
    assert!(text.contains("Ansicht &lt;Hof&gt; &amp; Garten"), "{text}");
}

#[test]
fn findings_ways_and_colours_of_rooms_lie_over_a_drawing_and_say_what_lies_off_it() {
    let mut desk = Desk::house();
    let plan = json!({"level_id": "Ground Floor"});
    let marked = json!({
        "cut_plane": plan, "rooms": "area", "path": [[500, 500, 1000], [3000, 2000, 1000]],
        "findings": [
            {"at": [1000, 1000, 1000], "title": "Too <narrow>", "note": "780 mm", "severity": "error"},
            {"at": [1000, 1000, 90000], "title": "Far off"}
        ]
    });
    let told = desk.call("create_section", marked);
    let text = String::from_utf8(desk.files.pop().unwrap().2).unwrap();
    assert!(text.contains("Too &lt;narrow&gt;") && text.contains("780 mm"), "{text}");
    let notes = told["notes"].to_string();
    assert!(notes.contains("findings[1] is not drawn") && !notes.contains("findings[0]"), "{told}");
    let plain = desk.call("create_section", json!({"cut_plane": plan}));
    assert_eq!((&plain["cut"], &plain["view_id"]), (&told["cut"], &told["view_id"]));
    for (arguments, field) in [
        (json!({"cut_plane": {"side": "south"}, "rooms": "name"}), "rooms"),
        (json!({"cut_plane": plan, "path": [[0, 0, 0]]}), "path"),
        (json!({"cut_plane": plan, "findings": [{"at": "nothing", "title": "x"}]}), "findings[0].at"),
    ] {
        assert_eq!(desk.refused("create_section", arguments.clone()).data["field"], field, "{arguments}");
    }
}

#[test]
fn a_style_of_ones_own_changes_the_drawing_and_its_mistakes_have_lines() {
    let mut desk = crate::desk::Desk::new("IFC4");
    let wall = json!({"start": [0, 0], "end": [4000, 0], "level_id": "Ground Floor"});
    desk.call("create_wall", wall);
    let plan = json!({"cut_plane": {"level_id": "Ground Floor"}, "style": "ours.style"});
    let drawn = [&b""[..], b"[weights]\ncut_heavy = 0.77\n"].map(|style| {
        desk.given("create_section", &[("style", style)], plan.clone());
        String::from_utf8(desk.files.pop().unwrap().1).unwrap()
    });
    // at 1:100 all widths are 0.7 times as large
    assert!(
        drawn[0].contains("stroke-width=\".35\"") && drawn[1].contains("stroke-width=\".54\""),
        "{}",
        drawn[1]
    );
    let slip = b"[weights]\ncut_havy = 0.7\n";
    let fault = desk.try_given("create_section", &[("style", slip)], plan).unwrap_err();
    assert_eq!(fault.data["field"], "style");
    assert!(fault.message.contains("line 2") && fault.message.contains("cut_heavy"), "{fault}");
}

#[test]
fn a_style_names_the_fonts_that_words_are_drawn_in() {
    const FONT: &[u8] = include_bytes!("../../paper/fonts/NotoSans-Bold.ttf");
    const STYLE: &[u8] = b"[fonts]\nregular = \"ours.ttf\"\n";
    let mut desk = crate::desk::Desk::new("IFC4");
    let wall = json!({"start": [0, 0], "end": [4000, 0], "level_id": "Ground Floor"});
    desk.call("create_wall", wall);
    let plan = json!({"cut_plane": {"level_id": "Ground Floor"}, "style": "ours.style", "format": "pdf"});
    let mut fonts = |files: &[(&str, &[u8])]| {
        desk.given("create_section", files, plan.clone());
        let bytes = desk.files.pop().unwrap().1;
        let text = String::from_utf8_lossy(&bytes);
        ["NotoSans-Regular", "NotoSans-Bold"].map(|name| text.contains(name))
    };
    assert_eq!(fonts(&[("style", b"")]), [true, true]);
    assert_eq!(fonts(&[("style", STYLE), ("font_regular", FONT)]), [false, true]);
    for (style, font, part) in [
        (STYLE, &FONT[..900], "no whole TrueType or OpenType font"),
        (b"[fonts]\nbold = \"ours.ttf\"\n", FONT, "line 2"),
    ] {
        let files = [("style", style), ("font_regular", font)];
        let fault = desk.try_given("create_section", &files, plan.clone()).unwrap_err();
        assert!(fault.data["field"] == "style" && fault.message.contains(part), "{fault}");
    }
    let fault = desk.try_given("create_section", &[("style", STYLE)], plan).unwrap_err();
    assert!(fault.message.contains("did not come with the call"), "{fault}");
}

#[test]
fn a_cut_that_cannot_be_is_refused_with_what_would_do() {
    let mut desk = Desk::house();
    let level = json!({"level_id": "Ground Floor"});
    for (arguments, field) in [
        (json!({"cut_plane": {}}), "cut_plane"),
        (json!({"cut_plane": {"level_id": "Ground Floor", "normal": [0, 0, 1]}}), "cut_plane"),
        (json!({"cut_plane": {"origin": [0, 0, 0], "normal": [0, 0, 0]}}), "cut_plane.normal"),
        (json!({"cut_plane": {"origin": [0, 0, 0], "normal": [1, 0, 0], "height": 3}}), "cut_plane.height"),
        (json!({"cut_plane": {"level_id": "Attic"}}), "cut_plane.level_id"),
        (json!({"cut_plane": level, "depth": 0}), "depth"),
        (json!({"cut_plane": level, "scale": 0}), "scale"),
        (json!({"cut_plane": level, "format": "dwg"}), "format"),
        (json!({"cut_plane": level, "layers": "aia"}), "layers"),
        (json!({"cut_plane": level, "format": "pdf", "dpi": 100}), "dpi"),
        (json!({"cut_plane": level, "language": "tlh"}), "language"),
        (json!({"cut_plane": {"side": "south", "height": 1000}}), "cut_plane.height"),
        (json!({"cut_plane": {"side": "south_west"}, "depth": 1000}), "depth"),
        (json!({"cut_plane": level, "measure": [{"from": [0, 0, 0], "to": "nothing"}]}), "measure[0].to"),
    ] {
        let fault = desk.refused("create_section", arguments.clone());
        assert_eq!(fault.data["field"], field, "{arguments}: {fault}");
    }
    let missed = json!({"cut_plane": {"origin": [0, -9000, 0], "normal": [0, 1, 0]}});
    assert_eq!(desk.refused("create_section", missed).data["bbox"]["min"], json!([-100, -100, 1000]));
}

#[test]
fn walls_that_cross_clash_and_a_door_in_its_wall_does_not() {
    let mut desk = Desk::house();
    let crossing = desk.wall([3000, 1000], [3000, 5000]);
    let walls = json!({"source_category": "walls", "target_category": "IfcWall, IfcDoor"});
    let found = desk.call("clash_detection", walls);
    // corners that were not joined lie in each other, too
    let hit: Vec<&Value> = found["clashes"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|c| c["a"]["id"] == crossing.as_str() || c["b"]["id"] == crossing.as_str())
        .collect();
    assert_eq!(hit.len(), 1, "{found}");
    assert_eq!((&hit[0]["kind"], &hit[0]["volume"]), (&json!("hard"), &json!(0.12)));
    assert_eq!(hit[0]["point"], json!([3000, 4000, 2500]));
    assert_eq!(hit[0]["depth"], 200);
    let doors = desk.call("clash_detection", json!({"source_category": "doors", "target_category": "walls"}));
    assert_eq!(doors["total"], 0);
}

#[test]
fn what_comes_too_near_is_told_with_its_distance_and_pages_go_on() {
    let mut desk = Desk::house();
    desk.wall([2000, 1500], [4000, 1500]);
    desk.wall([2000, 1740], [4000, 1740]);
    let near = |clearance: u32, more: Value| {
        let mut arguments = json!({
            "source_category": "IfcWall", "target_category": "IfcWall", "mode": "clearance", "clearance": clearance
        });
        arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        arguments
    };
    let kinds = |found: &Value| -> Vec<(Value, Value)> {
        let clashes = found["clashes"].as_array().unwrap().iter();
        clashes
            .filter(|c| c["kind"] == "clearance")
            .map(|c| (c["kind"].clone(), c["distance"].clone()))
            .collect()
    };
    let found = desk.call("clash_detection", near(50, json!({})));
    assert_eq!(kinds(&found), [(json!("clearance"), json!(40))]);
    assert!(kinds(&desk.call("clash_detection", near(30, json!({})))).is_empty());
    let total = found["total"].as_u64().unwrap();
    let (mut seen, mut cursor) = (Vec::new(), Value::Null);
    loop {
        let page = desk.call("clash_detection", near(50, json!({"limit": 2, "cursor": cursor})));
        seen.extend(page["clashes"].as_array().unwrap().clone());
        cursor = page["next_cursor"].clone();
        if cursor.is_null() {
            break;
        }
    }
    assert_eq!((&json!(seen), seen.len() as u64), (&found["clashes"], total));
}

#[test]
fn what_is_there_twice_is_found_within_a_model_and_against_another() {
    let mut desk = Desk::house();
    let ask = json!({"source_category": "walls", "target_category": "walls", "mode": "duplicate"});
    assert_eq!(desk.call("clash_detection", ask.clone())["total"], 0);
    let other = desk.model.clone();
    let twice = desk.wall([0, 0], [6000, 0]);
    // the copy is whole, the wall of the house has its door: not the same shape
    assert_eq!(desk.call("clash_detection", ask.clone())["total"], 0);
    let again = desk.wall([0, 0], [6000, 0]);
    let found = desk.call("clash_detection", ask.clone());
    assert_eq!(found["total"], 1);
    let pair = BTreeSet::from(
        [&found["clashes"][0]["a"]["id"], &found["clashes"][0]["b"]["id"]].map(|v| v.as_str().unwrap()),
    );
    assert_eq!(pair, BTreeSet::from([twice.as_str(), again.as_str()]));
    let mut named = ask.as_object().unwrap().clone();
    named.insert("target_model_id".into(), "Other".into());
    let across = desk.ask("clash_detection", Some(("target", &other)), named.into()).unwrap();
    assert_eq!(across["total"], 4, "each wall of the house stands in the other model, too");
}

#[test]
fn clashes_that_cannot_be_looked_for_are_refused_with_their_field() {
    let mut desk = Desk::house();
    let of = |more: Value| {
        let mut arguments = json!({"source_category": "walls", "target_category": "walls"});
        arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        arguments
    };
    for (more, field) in [
        (json!({"source_category": "IfcPipeSegment"}), "source_category"),
        (json!({"target_category": "wals"}), "target_category"),
        (json!({"mode": "clearance"}), "clearance"),
        (json!({"clearance": 20}), "clearance"),
        (json!({"tolerance": -1}), "tolerance"),
        (json!({"mode": "soft"}), "mode"),
        (json!({"cursor": "next"}), "cursor"),
    ] {
        let fault = desk.refused("clash_detection", of(more.clone()));
        assert_eq!(fault.data["field"], field, "{more}: {fault}");
    }
}

#[test]
fn the_clashes_of_two_real_models_are_those_of_their_boolean_volumes() {
    let truth = testing::data("truth/clash_truth_sch_kalkzandsteen_x_staal.json");
    let (Some(mut desk), Some(steel), Some(truth)) = (open("kalkzandsteen.ifc"), open("staal.ifc"), truth)
    else {
        return;
    };
    let arguments = json!({
        "source_category": "all", "target_category": "all", "target_model_id": "staal", "limit": 500
    });
    let found = desk.ask("clash_detection", Some(("target", &steel.model)), arguments).unwrap();
    let ids = |a: &Value, b: &Value| (a.as_str().unwrap().to_owned(), b.as_str().unwrap().to_owned());
    let clashes = found["clashes"].as_array().unwrap().iter();
    let ours: BTreeSet<_> = clashes.map(|c| ids(&c["a"]["id"], &c["b"]["id"])).collect();
    let truth: Value = serde_json::from_slice(&std::fs::read(truth).unwrap()).unwrap();
    let theirs: BTreeSet<_> = truth.as_array().unwrap().iter().map(|t| ids(&t[0], &t[1])).collect();
    assert_eq!(ours, theirs, "{found}");
}

#[test]
fn walls_and_floors_of_a_real_model_of_which_no_volumes_overlap_do_not_clash() {
    let truth = testing::data("truth/clash_truth_vebo_self.json");
    let (Some(mut desk), Some(truth)) = (open("Vebo.ifc"), truth) else { return };
    assert_eq!(std::fs::read_to_string(truth).unwrap().trim(), "[]");
    let found = desk.call("clash_detection", json!({"source_category": "all", "target_category": "all"}));
    assert_eq!((&found["total"], found.get("bound")), (&json!(0), None), "{found}");
}

#[test]
fn what_the_file_binds_is_counted_and_not_listed() {
    let Some(mut duplex) = open("Duplex_A_20110907.ifc") else { return };
    let found = duplex.call("clash_detection", json!({"source_category": "all", "target_category": "all"}));
    assert_eq!(found["bound"], json!({"connected": 2, "same_part_of": 2}));
    let groups: u64 = found["groups"].as_array().unwrap().iter().map(|g| g["count"].as_u64().unwrap()).sum();
    assert_eq!(found["total"], groups);
    let listed = found["clashes"].as_array().unwrap().len();
    assert!((15..=25).contains(&listed), "{listed}");
    assert_eq!(found["next_cursor"], listed.to_string());
}
