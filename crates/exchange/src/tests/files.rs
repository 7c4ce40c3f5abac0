//! Files in other formats: glTF, OBJ, gbXML, tables.

use super::{BASIN, HOUSE, open};
use crate::cells::harmless;
use crate::*;
use geometry::Scene;
use serde_json::Value;

fn json_of(glb: &[u8]) -> Value {
    assert_eq!(glb.get(..4), Some(&b"glTF"[..]));
    let number = |at: usize| u32::from_le_bytes(glb[at..at + 4].try_into().unwrap()) as usize;
    assert_eq!(number(8), glb.len());
    serde_json::from_slice(&glb[20..20 + number(12)]).unwrap()
}

#[test]
fn an_element_is_a_node_in_the_spatial_tree_with_its_properties() {
    let made = gltf(&Scene::from_model(&open(HOUSE)), GltfForm::Binary).unwrap();
    let json = json_of(&made.bytes);
    let nodes = json["nodes"].as_array().unwrap();
    let at = |guid: &str| nodes.iter().position(|n| n["extras"]["GlobalId"] == guid).unwrap();
    let (wall, storey) = (at("0000000000000000000020"), at("0000000000000000000014"));
    assert!(nodes[storey]["children"].as_array().unwrap().contains(&Value::from(wall)));
    let extras = &nodes[wall]["extras"];
    assert_eq!(extras["class"], "IfcWallStandardCase");
    assert_eq!(extras["materials"], serde_json::json!(["Brick", "Plaster"]));
    assert_eq!(extras["properties"]["Pset_WallCommon"]["ThermalTransmittance"], 0.25);
    // the colour of the style, as linear light, and how much one sees through it
    let primitive = &json["meshes"][nodes[wall]["mesh"].as_u64().unwrap() as usize]["primitives"][0];
    let material = &json["materials"][primitive["material"].as_u64().unwrap() as usize];
    assert!((material["pbrMetallicRoughness"]["baseColorFactor"][0].as_f64().unwrap() - 0.6).abs() < 0.02);
    assert_eq!(json.get("extensionsRequired"), None);
    assert_eq!(json["asset"]["version"], "2.0");
}

#[test]
fn an_embedded_file_holds_the_same_as_a_binary_one() {
    use base64::Engine as _;
    let scene = Scene::from_model(&open(HOUSE));
    let text: Value = serde_json::from_slice(&gltf(&scene, GltfForm::Embedded).unwrap().bytes).unwrap();
    let glb = gltf(&scene, GltfForm::Binary).unwrap().bytes;
    let json = json_of(&glb);
    assert_eq!(text["nodes"], json["nodes"]);
    let uri = text["buffers"][0]["uri"].as_str().unwrap();
    let data = base64::engine::general_purpose::STANDARD.decode(uri.split_once(',').unwrap().1).unwrap();
    assert_eq!(data.len() as u64, text["buffers"][0]["byteLength"].as_u64().unwrap());
    assert!(glb.windows(64.min(data.len())).any(|window| data.starts_with(window)));
}

#[test]
fn obj_has_a_group_for_each_element_and_a_material_for_each_colour() {
    let made = obj(&Scene::from_model(&open(HOUSE)), "../my house").unwrap();
    let [obj, mtl] = &made.files;
    assert_eq!((obj.name.as_str(), mtl.name.as_str()), ("_my_house.obj", "_my_house.mtl"));
    let text = String::from_utf8(obj.bytes.clone()).unwrap();
    assert!(text.contains("mtllib _my_house.mtl\n"));
    assert_eq!(text.lines().filter(|line| line.starts_with("o ")).count(), made.elements);
    let library = String::from_utf8(mtl.bytes.clone()).unwrap();
    for used in text.lines().filter_map(|line| line.strip_prefix("usemtl ")) {
        assert!(library.contains(&format!("newmtl {used}\n")));
    }
    // every index is that of a point
    let count = text.lines().filter(|line| line.starts_with("v ")).count();
    let corners =
        text.lines().filter_map(|line| line.strip_prefix("f ")).flat_map(|line| line.split([' ', '/']));
    assert!(corners.filter(|c| !c.is_empty()).all(|c| (1..=count).contains(&c.parse().unwrap())));
}

#[test]
fn gbxml_has_the_room_with_its_area_volume_and_shell() {
    let made = gbxml(&Scene::from_model(&open(HOUSE))).unwrap();
    let text = String::from_utf8(made.bytes).unwrap();
    assert_eq!(made.spaces, 1);
    for part in [
        "version=\"7.03\"",
        "<Area>12</Area>",
        "<Volume>30</Volume>",
        "<ClosedShell>",
        "surfaceType=\"",
        "<Level>0</Level>",
        "ifcGUID=\"0000000000000000000090\"",
        "date=\"2026-05-04T12:30:00\"",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
}

#[test]
fn gbxml_says_when_the_file_was_made_on_every_day_of_a_month() {
    for (stamp, is_said) in
        [("2026-05-29T12:30:00", true), ("2026-05-31T12:30:00", true), ("2026-02-31T12:30:00", false)]
    {
        let made = gbxml(&Scene::from_model(&open(&HOUSE.replace("2026-05-04T12:30:00", stamp)))).unwrap();
        let text = String::from_utf8(made.bytes).unwrap();
        assert_eq!(text.contains(&format!("date=\"{stamp}\"")), is_said, "{stamp}");
    }
}

#[test]
fn what_has_nothing_to_write_is_refused_with_why() {
    let bare = open(
        &HOUSE
            .lines()
            .filter(|line| !line.contains("IFCPRODUCTDEFINITIONSHAPE"))
            .fold(String::new(), |text, line| text + line + "\n"),
    );
    let scene = Scene::from_model(&bare);
    assert!(gltf(&scene, GltfForm::Binary).unwrap_err().to_string().contains("no elements with a shape"));
    assert!(obj(&scene, "a").unwrap_err().to_string().contains("no elements with a shape"));
    assert!(gbxml(&scene).unwrap_err().to_string().contains("no rooms"));
}

#[test]
fn no_cell_begins_a_formula() {
    for (text, cell) in [
        ("=1+1", "'=1+1"),
        ("+SUM(A1)", "'+SUM(A1)"),
        ("-tag", "'-tag"),
        ("@x", "'@x"),
        ("\t=1", "'\t=1"),
        (" =1", "' =1"),
        ("＝1", "'＝1"),
        ("-12.5", "-12.5"),
        ("1e-3", "1e-3"),
        ("-1+2", "'-1+2"),
        ("Wall", "Wall"),
        ("", ""),
    ] {
        assert_eq!(harmless(text), cell, "{text:?}");
    }
    let made = tables(&open(HOUSE), false).unwrap();
    for file in &made.files {
        let mut reader = csv::Reader::from_reader(file.bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap());
        for record in reader.records() {
            for cell in &record.unwrap() {
                let is_formula = cell.starts_with(['=', '+', '@', '-']) && cell.parse::<f64>().is_err();
                assert!(!is_formula, "{}: {cell}", file.name);
            }
        }
    }
}

#[test]
fn tables_say_everything_once() {
    let made = tables(&open(HOUSE), false).unwrap();
    let rows = |name: &str| {
        let file = made.files.iter().find(|file| file.name == format!("{name}.csv")).unwrap();
        let bytes = file.bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap();
        let mut reader = csv::Reader::from_reader(bytes);
        reader.records().map(|r| r.unwrap().iter().map(str::to_owned).collect::<Vec<_>>()).collect::<Vec<_>>()
    };
    let elements = rows("elements");
    let wall = elements.iter().find(|row| row[0] == "0000000000000000000020").unwrap();
    assert_eq!(wall[1], "IfcWallStandardCase");
    assert_eq!(wall[2], "'+SUM(A1:A9)");
    assert_eq!(wall[11], "../Level 1");
    let property = rows("properties").into_iter().find(|row| row[3] == "ThermalTransmittance").unwrap();
    assert_eq!(property[4..7], ["IfcThermalTransmittanceMeasure", "0.25", "0.25"].map(str::to_owned));
    let layers: Vec<String> =
        rows("materials").into_iter().map(|row| format!("{} {}", row[5], row[7])).collect();
    assert_eq!(layers, ["Brick 150", "Plaster 50"]);
    assert!(
        rows("relations")
            .iter()
            .any(|row| row[0] == "IfcRelVoidsElement" && row[5] == "0000000000000000000072")
    );
    let packed = made.zip().unwrap();
    assert_eq!(packed, made.zip().unwrap());
    assert!(packed.starts_with(b"PK"));
}

#[test]
fn parquet_begins_and_ends_as_such_files_do() {
    for text in [HOUSE, BASIN] {
        for file in tables(&open(text), true).unwrap().files {
            assert!(file.bytes.starts_with(b"PAR1") && file.bytes.ends_with(b"PAR1"), "{}", file.name);
        }
    }
}
