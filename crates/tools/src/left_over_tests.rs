//! What is left when an element is deleted: nothing that hung on it alone, and all that others are told by.

use crate::desk::{Desk, SCHEMAS};
use building::Author;
use building::author::word;
use building::frame::Frame;
use building::placing::place;
use contract::Fault;
use glam::{DVec2, DVec3};
use ifc::{Id, Model, Value};
use serde_json::json;

/// A bed in a room, told within the room's placement, as other programs tell what stands in rooms; with the room and the bed.
fn bed_within_room(schema: &str, in_world: bool) -> (Desk, Id, Id) {
    let mut desk = Desk::new(schema);
    desk.call(
        "create_space",
        json!({ "boundary_points": [[0, 0], [5000, 0], [5000, 4000], [0, 4000]], "level_id": "Ground Floor",
                "height": 2500, "name": "Room" }),
    );
    desk.call("create_furniture", json!({ "kind": "bed", "room": "Room", "wall": "north" }));
    let room = desk.model.of_class("IfcSpace")[0];
    let bed = desk.model.of_class("IfcFurnishingElement")[0];
    desk.by_hand(|author| {
        let turned = Frame::in_plan(DVec3::new(1000.0, 2000.0, 0.0), DVec2::from_angle(0.3));
        place(author, room, &turned)?;
        let within = author.placement_of(room);
        let old = author.placement_of(bed);
        let own = author.frame(bed)?.seen_from(&turned);
        let placement = author.placement(within, &own)?;
        author.set(bed, "ObjectPlacement", placement)?;
        author.sweep(&old.into_iter().collect::<Vec<_>>())?;
        if let (true, Some(within)) = (in_world, within) {
            author.set(within, "PlacementRelTo", Value::Null)?;
        }
        Ok(())
    });
    (desk, room, bed)
}

/// The local placements that place no product.
fn idle_placements(model: &Model) -> Vec<Id> {
    let is_product = |id: &Id| model.get(*id).is_some_and(|it| it.is_a("IfcProduct"));
    let mut all = model.of_class("IfcLocalPlacement");
    all.retain(|id| !model.referrers(*id).iter().any(is_product));
    all
}

#[test]
fn what_was_placed_within_a_room_that_is_deleted_stays_where_it_is_and_the_rooms_placement_goes() {
    for schema in SCHEMAS {
        for in_world in [false, true] {
            let (mut desk, room, bed) = bed_within_room(schema, in_world);
            let before = ifc::placement::of_product(&desk.model, bed);
            let outer = |model: &Model, id: Id| {
                model.get(model.get(id)?.reference("ObjectPlacement")?)?.reference("PlacementRelTo")
            };
            let wanted = outer(&desk.model, room);
            assert_eq!(wanted.is_none(), in_world, "{schema}");
            desk.call("delete_elements", json!({ "element_ids": ["Room"] }));
            let after = ifc::placement::of_product(&desk.model, bed);
            assert!(before.abs_diff_eq(after, 1e-9), "{schema}: {before} {after}");
            assert_eq!(outer(&desk.model, bed), wanted, "{schema}");
            assert_eq!(idle_placements(&desk.model), [], "{schema}");
            desk.clean();
        }
    }
}

#[test]
fn codes_and_documents_of_a_deleted_element_alone_go_with_it_and_those_of_others_stay() {
    for schema in SCHEMAS {
        let mut desk = Desk::new(schema);
        for (name, y) in [("One", 0), ("Other", 5000)] {
            desk.call(
                "create_wall",
                json!({ "start": [0, y], "end": [4000, y], "level_id": "Ground Floor", "name": name }),
            );
        }
        let code = |of: &[&str], code: &str| json!({ "element_ids": of, "system": "Uniclass", "code": code });
        desk.call("classify_elements", code(&["One"], "EF_25_10"));
        let paper = |of: &[&str], name: &str| json!({ "element_ids": of, "name": name, "location": format!("https://example.org/{name}") });
        desk.call("attach_document", paper(&["One"], "alone"));
        desk.call("attach_document", paper(&["One", "Other"], "both"));
        // a code that another program gave, of a system that no project knows
        desk.by_hand(|author| {
            let wall = author.edit.by_guid(&guid_of(author.edit, "One")).unwrap();
            let mut said = vec![("Name", Value::from("NL/SfB"))];
            if author.legacy() {
                said.extend([("Source", Value::from("NL/SfB")), ("Edition", Value::from("1"))]);
            }
            let system = author.create("IfcClassification", &said)?;
            let named = [("Name", Value::from("Beams")), ("ReferencedSource", system.into())];
            let code = author.create("IfcClassificationReference", &named)?;
            let ends = [
                ("RelatedObjects", Value::list([Value::Ref(wall)])),
                ("RelatingClassification", code.into()),
            ];
            author.root("IfcRelAssociatesClassification", None, &ends).map(|_| ())
        });
        let counts = |desk: &Desk| {
            let of = |class: &str| desk.count(class);
            [of("IfcClassificationReference"), of("IfcDocumentInformation") + of("IfcDocumentReference")]
        };
        let [codes, papers] = counts(&desk);
        assert_eq!(codes, 2, "{schema}");
        desk.call("delete_elements", json!({ "element_ids": ["One"] }));
        let left = counts(&desk);
        assert!(left[0] == 0 && left[1] > 0 && left[1] < papers, "{schema}: {papers} papers, left {left:?}");
        assert!(
            desk.model
                .of_class("IfcClassification")
                .into_iter()
                .all(|id| !desk.model.referrers(id).is_empty())
        );
        desk.clean();
    }
}

#[test]
fn a_material_that_only_a_deleted_element_has_goes_with_its_look_and_that_of_others_stays() {
    for schema in SCHEMAS {
        for layered in [false, true] {
            let mut desk = Desk::new(schema);
            for (name, y) in [("One", 0), ("Other", 5000)] {
                let element = json!({ "ifc_class": "IfcBuildingElementProxy", "level_id": "Ground Floor", "name": name,
                                      "shape": { "box": { "x": 500, "y": 500, "z": 500 } },
                                      "placement": { "point": [0, y] } });
                desk.call("create_element", element);
            }
            desk.by_hand(|author| {
                let both = author.material("Shared")?;
                let alone = author.material("Alone")?;
                let context = author.context("Body")?;
                let shading = look(author)?;
                let look =
                    author.create("IfcSurfaceStyle", &[("Side", word("BOTH")), ("Styles", shading)])?;
                let look = if author.legacy() {
                    author.create(
                        "IfcPresentationStyleAssignment",
                        &[("Styles", Value::list([Value::Ref(look)]))],
                    )?
                } else {
                    look
                };
                let styled =
                    author.create("IfcStyledItem", &[("Styles", Value::list([Value::Ref(look)]))])?;
                let shown =
                    [("ContextOfItems", context.into()), ("Items", Value::list([Value::Ref(styled)]))];
                let shown = author.create("IfcStyledRepresentation", &shown)?;
                let of = [
                    ("Representations", Value::list([Value::Ref(shown)])),
                    ("RepresentedMaterial", alone.into()),
                ];
                author.create("IfcMaterialDefinitionRepresentation", &of)?;
                let all = author.edit.of_class("IfcBuildingElementProxy");
                let one = all
                    .iter()
                    .copied()
                    .find(|id| author.edit.get(*id).and_then(|it| it.name()).as_deref() == Some("One"));
                for id in all {
                    let made_of = if layered && Some(id) == one {
                        let thick = author.real(50.0);
                        let layers = [both, alone].map(|material| {
                            let said = [("Material", material.into()), ("LayerThickness", thick.clone())];
                            author.create("IfcMaterialLayer", &said)
                        });
                        let [first, second] = layers;
                        let layers = Value::list([Value::Ref(first?), Value::Ref(second?)]);
                        let set = author.create("IfcMaterialLayerSet", &[("MaterialLayers", layers)])?;
                        author.layer_set_usage(set, "AXIS2", true, 0.0)?
                    } else if Some(id) == one {
                        let list = Value::list([Value::Ref(both), Value::Ref(alone)]);
                        author.create("IfcMaterialList", &[("Materials", list)])?
                    } else {
                        both
                    };
                    author.make_of(made_of, id)?;
                }
                Ok(())
            });
            desk.call("delete_elements", json!({ "element_ids": ["One"] }));
            let left: Vec<String> = desk
                .model
                .of_class("IfcMaterial")
                .into_iter()
                .filter_map(|id| desk.model.get(id)?.name())
                .collect();
            assert_eq!(left, ["Shared"], "{schema} {layered}");
            for class in
                ["IfcSurfaceStyle", "IfcStyledRepresentation", "IfcMaterialLayerSet", "IfcMaterialList"]
            {
                assert_eq!(desk.count(class), 0, "{schema} {layered}: {class}");
            }
            desk.clean();
        }
    }
}

/// The way that a surface looks: grey.
fn look(author: &mut Author) -> Result<Value, Fault> {
    let grey = ["Red", "Green", "Blue"].map(|name| (name, Value::Real(0.5)));
    let colour = author.create("IfcColourRgb", &grey)?;
    let mut said = vec![("SurfaceColour", Value::Ref(colour))];
    if author.legacy() {
        said.push(("ReflectanceMethod", word("NOTDEFINED")));
    }
    let shading = if author.legacy() { "IfcSurfaceStyleRendering" } else { "IfcSurfaceStyleShading" };
    Ok(Value::list([Value::Ref(author.create(shading, &said)?)]))
}

fn guid_of(model: &Model, name: &str) -> String {
    let walls = model.of_class("IfcWall").into_iter().filter_map(|id| model.get(id));
    walls.filter(|it| it.name().as_deref() == Some(name)).find_map(|it| it.guid()).unwrap()
}
