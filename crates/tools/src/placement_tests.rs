//! What is placed relative to other things keeps its place when these are deleted: elements on a grid, along a curve, within others.

use crate::desk::{Desk, SCHEMAS};
use building::frame::Frame;
use glam::{DAffine3, DVec3};
use ifc::{Id, Model, Value};
use serde_json::json;

fn named(model: &Model, class: &str, name: &str) -> Id {
    let is_it = |id: &Id| model.get(*id).and_then(|it| it.name()).as_deref() == Some(name);
    model.of_class(class).into_iter().find(is_it).unwrap()
}

/// A box of half a metre.
fn thing(desk: &mut Desk, name: &str, at: [i32; 2]) {
    desk.call(
        "create_element",
        json!({ "ifc_class": "IfcBuildingElementProxy", "level_id": "Ground Floor", "name": name,
                "shape": { "box": { "x": 500, "y": 500, "z": 500 } }, "placement": { "point": at } }),
    );
}

fn place_of(desk: &Desk, name: &str) -> DAffine3 {
    ifc::placement::of_product(&desk.model, named(&desk.model, "IfcBuildingElementProxy", name))
}

/// Gives a thing another placement, and places a second one within that.
fn put(desk: &mut Desk, make: impl FnOnce(&mut building::Author<'_>) -> Result<Id, contract::Fault>) {
    desk.by_hand(|author| {
        let placement = make(author)?;
        for (name, placement) in [
            ("On it", placement),
            ("Within", author.placement(Some(placement), &Frame::at([1000.0, 0.0, 200.0]))?),
        ] {
            let thing = named(author.edit, "IfcBuildingElementProxy", name);
            let old = author.placement_of(thing);
            author.set(thing, "ObjectPlacement", placement)?;
            author.sweep(&old.into_iter().collect::<Vec<_>>())?;
        }
        Ok(())
    });
}

/// Things on the crossing B/2 of a grid that stands aside from the origin, as other programs place them.
fn on_grid(schema: &str) -> Desk {
    let mut desk = Desk::new(schema);
    desk.call(
        "create_grid",
        json!({ "x": { "positions": [0, 4000, 9000] }, "y": { "positions": [0, 5000] } }),
    );
    desk.call("move_elements", json!({ "element_ids": ["Grid 1"], "by": [500, 700] }));
    thing(&mut desk, "On it", [0, 0]);
    thing(&mut desk, "Within", [2000, 0]);
    let grid = desk.model.of_class("IfcGrid")[0];
    put(&mut desk, |author| {
        let stored = author.edit.get(grid).unwrap();
        let axes = [stored.references("UAxes")[1], stored.references("VAxes")[1]];
        let offsets = [author.real(100.0), author.real(200.0)];
        let said = [
            ("IntersectingAxes", Value::list(axes.map(Value::Ref))),
            ("OffsetDistances", Value::list(offsets)),
        ];
        let crossing = author.create("IfcVirtualGridIntersection", &said)?;
        author.create("IfcGridPlacement", &[("PlacementLocation", crossing.into())])
    });
    desk
}

#[test]
fn what_another_program_placed_on_a_grid_stays_where_it_is_when_the_grid_is_deleted() {
    for schema in SCHEMAS {
        let mut desk = on_grid(schema);
        let before = ["On it", "Within"].map(|name| place_of(&desk, name));
        let off = before[0].translation - DVec3::new(4.5, 5.7, 0.0);
        assert!(off.truncate().length() < 0.3 && off.length() > 0.1, "{schema}: {off}");
        desk.call("delete_elements", json!({ "element_ids": ["Grid 1"] }));
        let after = ["On it", "Within"].map(|name| place_of(&desk, name));
        assert!(
            before.iter().zip(after).all(|(a, b)| a.abs_diff_eq(b, 1e-9)),
            "{schema}: {before:?} {after:?}"
        );
        for class in ["IfcGrid", "IfcGridAxis", "IfcGridPlacement", "IfcVirtualGridIntersection"] {
            assert_eq!(desk.count(class), 0, "{schema}: {class}");
        }
        desk.clean();
        desk.keep(&format!("grid-placement-{schema}"));
    }
}

#[test]
fn what_stands_on_a_grid_is_moved_off_it_with_what_is_placed_within_it() {
    for schema in SCHEMAS {
        let mut desk = on_grid(schema);
        let before = ["On it", "Within"].map(|name| place_of(&desk, name).translation);
        desk.call("move_elements", json!({ "element_ids": ["On it"], "by": [300, -200, 50] }));
        let after = ["On it", "Within"].map(|name| place_of(&desk, name).translation);
        let by = DVec3::new(0.3, -0.2, 0.05);
        assert!(
            before.iter().zip(after).all(|(a, b)| (*a + by).abs_diff_eq(b, 1e-9)),
            "{schema}: {before:?} {after:?}"
        );
        assert_eq!(desk.count("IfcGridPlacement"), 0, "{schema}");
        desk.clean();
    }
}

/// Things along a curve that is the axis of an alignment; with the alignment.
fn along_curve() -> Desk {
    let mut desk = Desk::new("IFC4X3");
    thing(&mut desk, "On it", [0, 0]);
    thing(&mut desk, "Within", [2000, 0]);
    put(&mut desk, |author| {
        let site = author.edit.of_class("IfcSite")[0];
        let points = [[0.0, 0.0, 0.0], [8000.0, 0.0, 0.0], [8000.0, 9000.0, 0.0]];
        let points = points.map(|p| author.point3(p.into()));
        let [first, second, third] = points;
        let points = [first?, second?, third?].map(Value::Ref);
        let curve = author.create("IfcPolyline", &[("Points", Value::list(points))])?;
        let shown = author.representation("Axis", "Curve3D", &[curve])?;
        let shape = author.shape(&[shown])?;
        let own = author.placement(author.placement_of(site), &Frame::at([300.0, 400.0, 0.0]))?;
        let said = [("ObjectPlacement", own.into()), ("Representation", shape.into())];
        let alignment = author.root("IfcAlignment", Some("Road"), &said)?;
        author.contain(site, alignment)?;
        let distance = Value::typed("IfcLengthMeasure", author.real(11_000.0));
        let at = [("DistanceAlong", distance), ("BasisCurve", curve.into())];
        let at = author.create("IfcPointByDistanceExpression", &at)?;
        let axes = author.create("IfcAxis2PlacementLinear", &[("Location", at.into())])?;
        author.create(
            "IfcLinearPlacement",
            &[("PlacementRelTo", own.into()), ("RelativePlacement", axes.into())],
        )
    });
    desk
}

#[test]
fn what_stands_along_a_curve_stays_when_its_alignment_is_deleted_and_can_be_moved() {
    let mut desk = along_curve();
    let before = ["On it", "Within"].map(|name| place_of(&desk, name));
    assert!(before[0].translation.abs_diff_eq(DVec3::new(8.3, 3.4, 0.0), 1e-9), "{}", before[0]);
    desk.call("delete_elements", json!({ "element_ids": ["Road"] }));
    let after = ["On it", "Within"].map(|name| place_of(&desk, name));
    assert!(before.iter().zip(after).all(|(a, b)| a.abs_diff_eq(b, 1e-9)), "{before:?} {after:?}");
    let mut desk = along_curve();
    desk.call("move_elements", json!({ "element_ids": ["On it"], "by": [0, 1000] }));
    let after = ["On it", "Within"].map(|name| place_of(&desk, name).translation);
    let moved = before.map(|was| was.translation + DVec3::Y);
    assert!(moved.iter().zip(after).all(|(a, b)| a.abs_diff_eq(b, 1e-9)), "{moved:?} {after:?}");
    assert_eq!((desk.count("IfcLinearPlacement"), desk.count("IfcAlignment")), (0, 1));
}

#[test]
fn at_the_end_of_a_chain_a_thing_stays_when_all_before_it_are_deleted() {
    for schema in SCHEMAS {
        for gone in [&["One", "Two"][..], &["Two", "One"], &["One"], &["Two"]] {
            let mut desk = Desk::new(schema);
            for (i, name) in ["One", "Two", "Three"].into_iter().enumerate() {
                thing(&mut desk, name, [3000 * i32::try_from(i).unwrap(), 0]);
            }
            desk.by_hand(|author| {
                let mut within = None;
                for (name, turn) in [("One", 0.4), ("Two", -0.9), ("Three", 0.2)] {
                    let thing = named(author.edit, "IfcBuildingElementProxy", name);
                    let frame = Frame::in_plan(DVec3::new(2000.0, 500.0, 0.0), glam::DVec2::from_angle(turn));
                    if within.is_some() {
                        let own = author.placement(within, &frame)?;
                        let old = author.placement_of(thing);
                        author.set(thing, "ObjectPlacement", own)?;
                        author.sweep(&old.into_iter().collect::<Vec<_>>())?;
                    }
                    within = author.placement_of(thing);
                }
                Ok(())
            });
            let stay: Vec<&str> =
                ["One", "Two", "Three"].into_iter().filter(|name| !gone.contains(name)).collect();
            let before: Vec<DAffine3> = stay.iter().map(|name| place_of(&desk, name)).collect();
            desk.call("delete_elements", json!({ "element_ids": gone }));
            let after: Vec<DAffine3> = stay.iter().map(|name| place_of(&desk, name)).collect();
            assert!(before.iter().zip(&after).all(|(a, b)| a.abs_diff_eq(*b, 1e-9)), "{schema} {gone:?}");
            desk.clean();
        }
    }
}
