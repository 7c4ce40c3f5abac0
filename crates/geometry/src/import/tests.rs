//! Small files of both formats, and files that are not what they say.

use super::{Format, ImportError, read};
use crate::Mesh;
use glam::DVec3;
use serde_json::{Value, json};

/// A cube of an edge of one, its back lower left corner at nought.
const CUBE: &str = "# a cube\no cube\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n\
    usemtl any\nf 4 3 2 1\nf 5 6 7 8\nf 1/1 2/1 6/1 5/1\nf 2//1 3//1 7//1 6//1\nf -6 -5 -1 -2\nf 4 1 5 8\n";

/// A tetrahedron with edges of one along the axes, as GLB; `change` edits its description.
pub(crate) fn glb(change: impl FnOnce(&mut Value)) -> Vec<u8> {
    let mut binary: Vec<u8> = Vec::new();
    for p in [[0.0_f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]] {
        binary.extend(p.iter().flat_map(|c| c.to_le_bytes()));
    }
    for i in [0_u16, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2] {
        binary.extend(i.to_le_bytes());
    }
    let mut root = json!({
        "asset": { "version": "2.0" }, "scene": 0, "scenes": [{ "nodes": [0] }],
        "nodes": [{ "mesh": 0, "translation": [2.0, 3.0, 4.0] }],
        "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0 }, "indices": 1, "material": 0 }] }],
        "materials": [{ "pbrMetallicRoughness": { "baseColorFactor": [1.0, 0.0, 0.0, 0.5] } }],
        "accessors": [
            { "bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3" },
            { "bufferView": 1, "componentType": 5123, "count": 12, "type": "SCALAR" }
        ],
        "bufferViews": [
            { "buffer": 0, "byteLength": 48 }, { "buffer": 0, "byteOffset": 48, "byteLength": 24 }
        ],
        "buffers": [{ "byteLength": 72 }]
    });
    change(&mut root);
    packed(root.to_string().as_bytes(), &binary)
}

fn packed(json: &[u8], binary: &[u8]) -> Vec<u8> {
    let mut bytes = b"glTF".to_vec();
    let total = 12 + 8 + json.len() + 8 + binary.len();
    for word in [2, total as u32, json.len() as u32] {
        bytes.extend(word.to_le_bytes());
    }
    bytes.extend(b"JSON");
    bytes.extend(json);
    bytes.extend((binary.len() as u32).to_le_bytes());
    bytes.extend(b"BIN\0");
    bytes.extend(binary);
    bytes
}

fn volume(bytes: &[u8]) -> f64 {
    let found = read(bytes).unwrap();
    let mut mesh = Mesh::default();
    for piece in &found.pieces {
        let normals = vec![DVec3::Z; piece.positions.len()];
        mesh.append(&Mesh {
            positions: piece.positions.clone(),
            normals,
            triangles: piece.triangles.clone(),
        });
    }
    mesh.measures().volume
}

#[test]
fn a_cube_as_obj_has_twelve_triangles_that_look_outward() {
    let found = read(CUBE.as_bytes()).unwrap();
    assert_eq!((found.format, found.triangles()), (Format::Obj, 12));
    assert!((volume(CUBE.as_bytes()) - 1.0).abs() < 1e-12);
}

#[test]
fn a_face_with_a_notch_keeps_its_outline() {
    let l = "v 0 0 0\nv 2 0 0\nv 2 1 0\nv 1 1 0\nv 1 2 0\nv 0 2 0\nf 3 4 5 6 1 2\n";
    let found = read(l.as_bytes()).unwrap();
    let piece = &found.pieces[0];
    let mesh = Mesh {
        positions: piece.positions.clone(),
        normals: vec![DVec3::Z; 6],
        triangles: piece.triangles.clone(),
    };
    assert!((mesh.measures().area - 3.0).abs() < 1e-12);
}

#[test]
fn a_glb_stands_upright_where_its_node_does_and_has_its_colour() {
    let found = read(&glb(|_| {})).unwrap();
    assert_eq!((found.format, found.triangles()), (Format::Glb, 4));
    let piece = &found.pieces[0];
    assert_eq!(piece.colour, Some([255, 0, 0, 128]));
    // y of glTF is up, its z looks to the south
    assert_eq!(piece.positions[0], DVec3::new(2.0, -4.0, 3.0));
    assert_eq!(piece.positions[2], DVec3::new(2.0, -4.0, 4.0));
    assert!((volume(&glb(|_| {})) - 1.0 / 6.0).abs() < 1e-7);
}

#[test]
fn a_node_that_mirrors_keeps_its_faces_outward() {
    let mirrored = glb(|root| root["nodes"][0]["scale"] = json!([-2.0, 1.0, 1.0]));
    assert!((volume(&mirrored) - 2.0 / 6.0).abs() < 1e-7);
}

#[test]
fn what_is_not_read_is_refused_by_its_name() {
    let draco = glb(|root| root["extensionsRequired"] = json!(["KHR_draco_mesh_compression"]));
    assert!(read(&draco).unwrap_err().to_string().contains("KHR_draco_mesh_compression"));
    assert_eq!(read(b"{\"asset\": {}}"), Err(ImportError::Text));
    assert_eq!(read(b"ISO-10303-21;"), Err(ImportError::Unknown));
    assert_eq!(read(b"v 0 0 0\n"), Err(ImportError::Empty));
    assert_eq!(read(b""), Err(ImportError::Unknown));
    let elsewhere = glb(|root| root["buffers"][0]["uri"] = json!("other.bin"));
    assert!(matches!(read(&elsewhere), Err(ImportError::Unsupported(_))));
}

#[test]
fn a_file_that_contradicts_itself_ends_as_a_reason() {
    let circle = glb(|root| root["nodes"][0]["children"] = json!([0]));
    let corner = glb(|root| root["accessors"][0]["count"] = json!(2));
    let many = glb(|root| root["accessors"][0]["count"] = json!(u64::MAX));
    let beyond = glb(|root| root["bufferViews"][1]["byteOffset"] = json!(u64::MAX));
    let stride = glb(|root| root["bufferViews"][0]["byteStride"] = json!(u64::MAX));
    let nan = glb(|root| root["nodes"][0]["scale"] = json!([1e300, 1e300, 1e300]));
    for bytes in [circle, corner, many, beyond, stride, nan] {
        assert!(read(&bytes).is_err());
    }
    for text in ["v 0 0\n", "v 0 0 0\nf 1 2 3\n", "v 0 0 0\nf 1 1\n", "v nan 0 0\n", "v 1e999 0 0\n"] {
        assert!(matches!(read(text.as_bytes()), Err(ImportError::Broken(_))), "{text}");
    }
}
