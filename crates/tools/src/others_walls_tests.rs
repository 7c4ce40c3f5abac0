//! Walls of other programs without layers of material, by the kind of their body: another thickness, or why not and what instead;
//! and openings in them that are drawn with arcs.

use crate::desk::{Desk, SCHEMAS, text};
use building::Author;
use building::author::word;
use building::frame::Frame;
use contract::Fault;
use geometry::region::rectangle;
use glam::{DVec2, DVec3};
use ifc::{Id, Value, relations};
use serde_json::{Value as Json, json};

/// The kinds of body that other programs give their walls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Body {
    WithAxis,
    WithoutAxis,
    Sloped,
    Brep,
    Tessellated,
    Mapped,
}

const LENGTH: f64 = 4000.0;
const THICK: f64 = 300.0;
const HIGH: f64 = 2500.0;

/// Writes a wall as another program does: contained in the storey, without type, layers or quantities.
fn wall(desk: &mut Desk, body: Body) -> Id {
    let storey = desk.model.of_class("IfcBuildingStorey")[0];
    desk.by_hand(|author| {
        let within = author.placement_of(storey);
        let placement = author.placement(within, &Frame::at([1000.0, 2000.0, 0.0]))?;
        let mut shown = Vec::new();
        if body != Body::WithoutAxis {
            shown.push(author.axis(DVec2::ZERO, DVec2::X * LENGTH)?);
        }
        shown.push(drawn(author, body)?);
        let shape = author.shape(&shown)?;
        let made = author.root(
            "IfcWall",
            Some("Theirs"),
            &[("ObjectPlacement", placement.into()), ("Representation", shape.into())],
        )?;
        author.contain(storey, made)
    });
    desk.model.of_class("IfcWall")[0]
}

fn drawn(author: &mut Author, body: Body) -> Result<Id, Fault> {
    let outline = rectangle(DVec2::new(0.0, -THICK / 2.0), DVec2::new(LENGTH, THICK / 2.0));
    match body {
        Body::WithAxis | Body::WithoutAxis => {
            let solid = author.upright(&outline, &[], 0.0, HIGH)?;
            author.body(&[solid])
        }
        Body::Sloped => {
            let solid = author.upright(&outline, &[], 0.0, HIGH)?;
            let lean = Frame::at([0.0, 0.0, HIGH - 1000.0]);
            let (x, z) = (DVec3::new(4.0, 0.0, 1.0).normalize(), DVec3::new(-1.0, 0.0, 4.0).normalize());
            let lean = Frame(glam::DAffine3::from_cols(x, z.cross(x), z, lean.translation));
            let axes = author.axes(&lean)?;
            let plane = author.create("IfcPlane", &[("Position", axes.into())])?;
            let above = author.create(
                "IfcHalfSpaceSolid",
                &[("BaseSurface", plane.into()), ("AgreementFlag", Value::Boolean(false))],
            )?;
            let cut = author.create(
                "IfcBooleanClippingResult",
                &[
                    ("Operator", word("DIFFERENCE")),
                    ("FirstOperand", solid.into()),
                    ("SecondOperand", above.into()),
                ],
            )?;
            author.representation("Body", "Clipping", &[cut])
        }
        Body::Brep => {
            let mut faces = Vec::new();
            for corners in sides(&outline) {
                let points = corners.iter().map(|p| author.point3(*p)).collect::<Result<Vec<_>, _>>()?;
                let line = Value::list(points.into_iter().map(Value::Ref));
                let edge = author.create("IfcPolyLoop", &[("Polygon", line)])?;
                let bound = [("Bound", edge.into()), ("Orientation", Value::Boolean(true))];
                let bound = author.create("IfcFaceOuterBound", &bound)?;
                faces.push(author.create("IfcFace", &[("Bounds", Value::list([Value::Ref(bound)]))])?);
            }
            let faces = Value::list(faces.into_iter().map(Value::Ref));
            let shell = author.create("IfcClosedShell", &[("CfsFaces", faces)])?;
            let brep = author.create("IfcFacetedBrep", &[("Outer", shell.into())])?;
            author.representation("Body", "Brep", &[brep])
        }
        Body::Tessellated => {
            let (mut points, mut faces) = (Vec::new(), Vec::new());
            for corners in sides(&outline) {
                let first = points.len() as i64 + 1;
                points.extend(corners.iter().map(|p| Value::list(p.to_array().map(|c| author.real(c)))));
                let of = |corners: [i64; 3]| Value::list(corners.map(|at| Value::Integer(first + at)));
                faces.extend([of([0, 1, 2]), of([0, 2, 3])]);
            }
            let list = author.create("IfcCartesianPointList3D", &[("CoordList", Value::List(points))])?;
            let faces = [
                ("Coordinates", list.into()),
                ("CoordIndex", Value::List(faces)),
                ("Closed", Value::Boolean(true)),
            ];
            let set = author.create("IfcTriangulatedFaceSet", &faces)?;
            author.representation("Body", "Tessellation", &[set])
        }
        Body::Mapped => {
            let solid = author.upright(&outline, &[], 0.0, HIGH)?;
            let shown = author.body(&[solid])?;
            let origin = author.axes(&Frame::WORLD)?;
            let map = [("MappingOrigin", origin.into()), ("MappedRepresentation", shown.into())];
            let map = author.create("IfcRepresentationMap", &map)?;
            let zero = author.point3(DVec3::ZERO)?;
            let target =
                author.create("IfcCartesianTransformationOperator3D", &[("LocalOrigin", zero.into())])?;
            let item = [("MappingSource", map.into()), ("MappingTarget", target.into())];
            let item = author.create("IfcMappedItem", &item)?;
            author.representation("Body", "MappedRepresentation", &[item])
        }
    }
}

/// The sides of an upright box over a rectangle, seen from outside.
fn sides(outline: &[DVec2]) -> Vec<Vec<DVec3>> {
    let low: Vec<DVec3> = outline.iter().map(|p| p.extend(0.0)).collect();
    let high: Vec<DVec3> = outline.iter().map(|p| p.extend(HIGH)).collect();
    let mut all = vec![low.iter().rev().copied().collect(), high.clone()];
    for i in 0..4 {
        let next = (i + 1) % 4;
        all.push(vec![low[i], low[next], high[next], high[i]]);
    }
    all
}

fn thickness(desk: &Desk, wall: Id, to: f64) -> Json {
    let guid = desk.model.get(wall).unwrap().guid();
    json!({ "element_id": guid, "parameter_name": "thickness", "value": to })
}

#[test]
fn a_wall_of_another_program_without_layers_takes_another_thickness_where_its_body_is_one_extrusion() {
    for schema in SCHEMAS {
        for body in [Body::WithAxis, Body::WithoutAxis] {
            let mut desk = Desk::new(schema);
            let wall = wall(&mut desk, body);
            let guid = desk.model.get(wall).unwrap().guid();
            desk.call(
                "create_opening",
                json!({ "host_id": guid, "location": { "at": "center" }, "width": 1000, "height": 1200,
                        "opening_type": "window" }),
            );
            let answer = desk.call("modify_parameter", thickness(&desk, wall, 200.0));
            assert_eq!((&answer["before"], &answer["after"]), (&json!(300.0), &json!(200.0)), "{body:?}");
            let bounds = geometry::bounds(&desk.model, wall).unwrap();
            assert!((bounds.min.y - 1900.0).abs() < 0.1 && (bounds.max.y - 2100.0).abs() < 0.1, "{bounds:?}");
            let volume = geometry::measure(&desk.model, wall).unwrap().volume;
            assert!((volume - (4.0 * 2.5 - 1.0 * 1.2) * 0.2).abs() < 1e-6, "{schema} {body:?}: {volume}");
            assert_eq!(relations::Links::of_one(&desk.model).material_of(wall), None, "{schema} {body:?}");
            desk.clean();
        }
    }
}

#[test]
fn a_wall_of_another_program_that_is_no_extrusion_says_why_it_keeps_its_thickness_and_what_can_be_done() {
    for body in [Body::Sloped, Body::Brep, Body::Tessellated, Body::Mapped] {
        let mut desk = Desk::new("IFC4");
        let wall = wall(&mut desk, body);
        desk.clean();
        let fault = desk.refuse("modify_parameter", thickness(&desk, wall, 200.0));
        assert!(
            fault.message.contains("create_wall") && fault.message.contains("rehost"),
            "{body:?}: {fault}"
        );
        assert_eq!(fault.data["field"], "parameter_name", "{body:?}: {fault}");
        // what it says is so
        let guid = desk.model.get(wall).unwrap().guid();
        let hole = json!({ "host_id": guid, "location": { "fraction": 0.5, "sill": 100 }, "width": 600, "height": 700 });
        desk.call("create_opening", hole);
        let made = desk.call(
            "create_wall",
            json!({ "start": [1000, 2000], "end": [5000, 2000], "thickness": 200, "height": 2500,
                    "level_id": "Ground Floor", "name": "Ours" }),
        );
        let handed = json!({ "element_ids": [guid], "rehost": made["wall_id"] });
        desk.call("delete_elements", handed);
        let ours = desk.model.by_guid(&text(&made["wall_id"])).unwrap();
        assert_eq!(relations::openings_of(&desk.model, ours).len(), 1, "{body:?}");
        let volume = geometry::measure(&desk.model, ours).unwrap().volume;
        assert!((volume - (4.0 * 2.5 - 0.6 * 0.7) * 0.2).abs() < 1e-6, "{body:?}: {volume}");
    }
}

/// An opening of a profile through a wall of ours 300 mm thick, as another program writes it, its middle 2 m along and 1.5 m up.
fn opened(desk: &mut Desk, profile: &str, sizes: &[(&str, f64)]) -> (Id, Id) {
    let made = desk.call(
        "create_wall",
        json!({ "start": [0, 0], "end": [4000, 0], "thickness": 300, "height": 2500, "level_id": "Ground Floor" }),
    );
    let wall = desk.model.by_guid(&text(&made["wall_id"])).unwrap();
    desk.by_hand(|author| {
        let at = author.point2(DVec2::ZERO)?;
        let position = author.create("IfcAxis2Placement2D", &[("Location", at.into())])?;
        let mut said = vec![("ProfileType", word("AREA")), ("Position", position.into())];
        said.extend(sizes.iter().map(|(name, size)| (*name, author.real(*size))));
        let area = author.create(profile, &said)?;
        let through = glam::DAffine3::from_cols(DVec3::X, DVec3::Z, DVec3::NEG_Y, DVec3::Y * 150.0);
        let solid = author.extruded(&Frame(through), area, 300.0)?;
        let body = author.body(&[solid])?;
        let shape = author.shape(&[body])?;
        let within = author.placement_of(wall);
        let placement = author.placement(within, &Frame::at([2000.0, 0.0, 1500.0]))?;
        let opening = author.root(
            "IfcOpeningElement",
            Some("Round"),
            &[("ObjectPlacement", placement.into()), ("Representation", shape.into())],
        )?;
        author.void(wall, opening)
    });
    (wall, desk.model.of_class("IfcOpeningElement")[0])
}

#[test]
fn an_opening_that_another_program_drew_with_arcs_is_read_moved_and_drawn_in_another_size() {
    let round: &[(&str, f64)] = &[("Radius", 500.0)];
    let oval: &[(&str, f64)] = &[("SemiAxis1", 500.0), ("SemiAxis2", 300.0)];
    for (profile, sizes, high) in
        [("IfcCircleProfileDef", round, 1000.0), ("IfcEllipseProfileDef", oval, 600.0)]
    {
        let mut desk = Desk::new("IFC4");
        let (wall, opening) = opened(&mut desk, profile, sizes);
        let guid = desk.model.get(opening).unwrap().guid();
        let set =
            |name: &str, value: f64| json!({ "element_id": guid, "parameter_name": name, "value": value });
        let answer = desk.call("modify_parameter", set("along", 1500.0));
        assert_eq!((&answer["before"], &answer["after"]), (&json!(2000.0), &json!(1500.0)), "{answer}");
        let answer = desk.call("modify_parameter", set("sill", 900.0));
        assert_eq!(answer["before"], json!(1500.0 - high / 2.0), "{answer}");
        let answer = desk.call("modify_parameter", set("width", 800.0));
        assert_eq!((&answer["before"], &answer["after"]), (&json!(1000.0), &json!(800.0)), "{answer}");
        let bounds = geometry::bounds(&desk.model, opening).unwrap();
        assert!((bounds.min.x - 1100.0).abs() < 0.1 && (bounds.max.x - 1900.0).abs() < 0.1, "{bounds:?}");
        assert!(
            (bounds.min.z - 900.0).abs() < 0.1 && (bounds.max.z - 900.0 - high).abs() < 0.1,
            "{bounds:?}"
        );
        // round still
        let cut = std::f64::consts::PI * 0.4 * high / 2000.0 * 0.3;
        let volume = geometry::measure(&desk.model, wall).unwrap().volume;
        assert!((volume - (4.0 * 2.5 * 0.3 - cut)).abs() < 0.005 * cut, "{profile}: {volume}");
        // another in its place is refused
        let over = json!({ "host_id": desk.model.get(wall).unwrap().guid(), "location": { "along": 1500, "sill": 1000 },
                           "width": 300, "height": 300 });
        let fault = desk.refuse("create_opening", over);
        assert_eq!(fault.data["overlaps"], json!(guid), "{fault}");
    }
}

#[test]
fn a_round_window_of_another_program_is_moved_in_its_wall_and_says_why_it_keeps_its_size() {
    let Some(mut desk) = Desk::open("AC11-FZK-Haus.ifc") else { return };
    let window = desk.model.by_guid("2ACmFFQhT1Ouf0x4YRUh9m").unwrap();
    let guid = desk.model.get(window).unwrap().guid();
    let before = geometry::bounds(&desk.model, window).unwrap();
    let set = |name: &str, value: f64| json!({ "element_id": guid, "parameter_name": name, "value": value });
    let answer = desk.call("modify_parameter", set("sill", 900.0));
    let by = 900.0 - answer["before"].as_f64().unwrap();
    let now = geometry::bounds(&desk.model, window).unwrap();
    assert!(now.min.abs_diff_eq(before.min + DVec3::Z * by, 0.1), "{now:?} {answer}");
    let fault = desk.refuse("modify_parameter", set("width", 800.0));
    assert!(fault.message.contains("face by face") && fault.message.contains("create_opening"), "{fault}");
}
