//! What stands in a room goes where the room is put, once, and is told.

use crate::desk::{Desk, SCHEMAS, text};
use building::frame::Frame;
use glam::DVec3;
use ifc::{Id, relations};
use serde_json::{Value, json};

const FURNITURE: &str = "IfcFurnishingElement";

/// A room of 5 by 4 m with a bed, a floor covering and a fan of no kind of furniture, each told within the storey or within the room.
fn furnished(schema: &str, within_room: bool) -> Desk {
    let mut desk = Desk::new(schema);
    for (name, x) in [("Room", 0), ("Beside", 20_000)] {
        desk.call(
            "create_space",
            json!({ "boundary_points": [[x, 0], [x + 5000, 0], [x + 5000, 4000], [x, 4000]],
                    "level_id": "Ground Floor", "height": 2500, "name": name }),
        );
    }
    desk.call("create_furniture", json!({ "kind": "bed", "room": "Room", "wall": "north" }));
    desk.call("create_covering", json!({ "rooms": ["Room"], "surface": "floor" }));
    let room = by_name(&desk, "Room");
    let bed = desk.model.of_class(FURNITURE)[0];
    desk.by_hand(|author| {
        let within = if within_room { author.placement_of(room) } else { None };
        let solid = author.upright(
            &geometry::region::rectangle(glam::DVec2::ZERO, glam::DVec2::splat(300.0)),
            &[],
            0.0,
            300.0,
        )?;
        let body = author.body(&[solid])?;
        let shape = author.shape(&[body])?;
        let placement = author.placement(within, &Frame::at([4000.0, 500.0, 2000.0]))?;
        let fan = author.root(
            "IfcBuildingElementProxy",
            Some("Fan"),
            &[("ObjectPlacement", placement.into()), ("Representation", shape.into())],
        )?;
        author.contain(room, fan)?;
        if within_room {
            let old = author.placement_of(bed);
            let own = author.frame(bed)?;
            let placement = author.placement(within, &own)?;
            author.set(bed, "ObjectPlacement", placement)?;
            author.sweep(&old.into_iter().collect::<Vec<_>>())?;
        }
        Ok(())
    });
    desk.clean();
    desk
}

fn by_name(desk: &Desk, name: &str) -> Id {
    let mut all = desk.model.of_class("IfcProduct").into_iter();
    let is_named = |id: &Id| desk.model.get(*id).and_then(|it| it.name()).as_deref() == Some(name);
    all.find(is_named).unwrap_or_else(|| panic!("no {name}"))
}

/// The bed and the fan.
fn contents(desk: &Desk) -> [Id; 2] {
    [desk.model.of_class(FURNITURE)[0], by_name(desk, "Fan")]
}

/// The middle of each of some elements, in mm.
fn middles(desk: &Desk, ids: &[Id]) -> Vec<DVec3> {
    ids.iter().map(|id| geometry::bounds(&desk.model, *id).unwrap().centre()).collect()
}

fn assert_went(desk: &Desk, was: &[DVec3], map: impl Fn(DVec3) -> DVec3, answer: &Value) {
    let ids = contents(desk);
    for ((id, was), is) in ids.iter().zip(was).zip(middles(desk, &ids)) {
        assert!(is.abs_diff_eq(map(*was), 0.1), "{is} from {was}: {answer}");
        let guid = desk.model.get(*id).unwrap().guid();
        assert!(answer["regenerated"].as_array().unwrap().contains(&json!(guid)), "{answer}");
        assert_eq!(relations::container(&desk.model, *id), Some(by_name(desk, "Room")), "{answer}");
    }
}

#[test]
fn what_stands_in_a_room_that_is_moved_goes_along_and_is_told() {
    for schema in SCHEMAS {
        for within_room in [false, true] {
            let mut desk = furnished(schema, within_room);
            let was = middles(&desk, &contents(&desk));
            let covering = desk.model.of_class("IfcCovering")[0];
            let [covered] = middles(&desk, &[covering])[..] else { panic!("one") };
            // onto the other room: what stands in this one stays its own
            let by = DVec3::new(19_000.0, 1000.0, 0.0);
            let answer = desk.call("move_elements", json!({ "element_ids": ["Room"], "by": by.to_array() }));
            assert_went(&desk, &was, |p| p + by, &answer);
            let [now] = middles(&desk, &[covering])[..] else { panic!("one") };
            assert!(now.abs_diff_eq(covered + by, 0.1), "{now} from {covered}");
            let told = desk.model.get(covering).unwrap().guid();
            assert!(answer["regenerated"].as_array().unwrap().contains(&json!(told)), "{answer}");
            desk.clean();
        }
    }
}

#[test]
fn what_is_moved_with_its_room_goes_once() {
    for order in [["Fan", "Room"], ["Room", "Fan"]] {
        for within_room in [false, true] {
            let mut desk = furnished("IFC4", within_room);
            let fan = by_name(&desk, "Fan");
            let [was] = middles(&desk, &[fan])[..] else { panic!("one") };
            let by = DVec3::new(700.0, 0.0, 0.0);
            let answer = desk.call("move_elements", json!({ "element_ids": order, "by": by.to_array() }));
            let [is] = middles(&desk, &[fan])[..] else { panic!("one") };
            assert!(is.abs_diff_eq(was + by, 0.1), "{order:?}: {is} from {was}");
            let guid = desk.model.get(fan).unwrap().guid();
            assert!(!answer["regenerated"].as_array().unwrap().contains(&json!(guid)), "{answer}");
        }
    }
}

#[test]
fn what_stands_in_a_room_that_is_turned_turns_with_it() {
    for within_room in [false, true] {
        let mut desk = furnished("IFC4", within_room);
        let was = middles(&desk, &contents(&desk));
        let turn = json!({ "element_ids": ["Room"], "angle": 90, "origin": [0, 0] });
        let answer = desk.call("rotate_elements", turn);
        assert_went(&desk, &was, |p| DVec3::new(-p.y, p.x, p.z), &answer);
        desk.clean();
    }
}

#[test]
fn what_stands_in_a_room_that_is_mirrored_is_mirrored_with_it() {
    for within_room in [false, true] {
        let mut desk = furnished("IFC4", within_room);
        let was = middles(&desk, &contents(&desk));
        let answer = desk
            .call("mirror_elements", json!({ "element_ids": ["Room"], "line": [[-1000, 0], [-1000, 1]] }));
        assert_went(&desk, &was, |p| DVec3::new(-2000.0 - p.x, p.y, p.z), &answer);
        desk.clean();
        // its image beside has nothing in it, and what stands in the original stays there
        let was = middles(&desk, &contents(&desk));
        let copy = json!({ "element_ids": ["Room"], "line": [[-30_000, 0], [-30_000, 1]], "copy": true });
        let answer = desk.call("mirror_elements", copy);
        assert_eq!(middles(&desk, &contents(&desk)), was, "{answer}");
        assert!(answer.get("regenerated").is_none(), "{answer}");
        desk.clean();
    }
}

#[test]
fn an_element_whose_placement_runs_in_a_circle_is_refused_by_every_tool_that_would_put_it_elsewhere() {
    let mut desk = furnished("IFC4", false);
    let fan = by_name(&desk, "Fan");
    let was = desk.model.to_bytes();
    desk.by_hand(|author| {
        let placement = author.placement_of(fan).unwrap();
        author.set(placement, "PlacementRelTo", placement)
    });
    let broken = desk.model.to_bytes();
    assert_ne!(broken, was);
    for (tool, how) in [
        ("move_elements", json!({ "by": [1000, 0] })),
        ("rotate_elements", json!({ "angle": 90, "origin": [0, 0] })),
        ("mirror_elements", json!({ "line": [[0, 0], [0, 1000]] })),
    ] {
        let mut arguments = how;
        arguments["element_ids"] = json!(["Fan"]);
        let fault = desk.refuse(tool, arguments).to_string();
        assert!(fault.contains("runs in a circle"), "{tool}: {fault}");
        assert_eq!(desk.model.to_bytes(), broken, "{tool}");
    }
}

#[test]
fn a_room_in_line_takes_its_furniture_along_and_what_is_aligned_itself_stands_in_line() {
    for within_room in [false, true] {
        let mut desk = furnished("IFC4", within_room);
        let was = middles(&desk, &contents(&desk));
        let answer =
            desk.call("align_elements", json!({ "element_ids": ["Room"], "align": "left", "to": 1500 }));
        assert_went(&desk, &was, |p| p + DVec3::X * 1500.0, &answer);
        let both = json!({ "element_ids": ["Fan", "Room"], "align": "left", "to": 2500 });
        let answer = desk.call("align_elements", both);
        for name in ["Fan", "Room"] {
            let bounds = geometry::bounds(&desk.model, by_name(&desk, name)).unwrap();
            assert!((bounds.min.x - 2500.0).abs() < 0.1, "{name}: {bounds:?} {answer}");
        }
        assert_eq!(answer["moved"].as_array().map(Vec::len), Some(2), "{answer}");
        assert_eq!(text(&answer["moved"][0]["class"]), "IfcSpace", "{answer}");
    }
}

#[test]
fn a_move_of_less_than_what_is_rounded_is_made() {
    let mut desk = furnished("IFC4", true);
    let fan = by_name(&desk, "Fan");
    let place = |desk: &Desk| ifc::placement::of_product(&desk.model, fan).translation * 1000.0;
    let was = place(&desk);
    desk.call("move_elements", json!({ "element_ids": ["Fan"], "by": [0.0008, 0] }));
    let by = place(&desk) - was;
    assert!((by.x - 0.0008).abs() < 1e-5, "{by}");
}
