//! Binary glTF 2.0, written by hand: one mesh whose primitives are triangles of one kind of material, with colours by vertex
//! and the number of the element by vertex (`_FEATURE_ID_0`, as `EXT_mesh_features` reads it).
//!
//! glTF is y-up: IFC's (x, y, z) is written as (x, z, -y). Positions are `f32` relative to an origin that the caller keeps.

use serde_json::{Value, json};

/// What a primitive is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// What one cannot see through.
    Opaque,
    /// Glass and other things one sees through.
    Clear,
    /// Rooms: shown faintly or not at all.
    Space,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Opaque => "opaque",
            Kind::Clear => "clear",
            Kind::Space => "space",
        }
    }
}

/// Triangles of one kind.
#[derive(Debug, Clone, Default)]
pub struct Batch {
    /// Points relative to the tile's origin, y up, metres.
    pub positions: Vec<[f32; 3]>,
    /// Unit normals.
    pub normals: Vec<[f32; 3]>,
    /// Red, green, blue (linear) and opacity.
    pub colours: Vec<[u8; 4]>,
    /// Number of the element in the tile's list.
    pub features: Vec<u16>,
    /// Corner indices, three to a triangle.
    pub indices: Vec<u32>,
}

/// Buffer under construction: views and accessors as they are added.
#[derive(Default)]
struct Buffer {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

impl Buffer {
    fn view(&mut self, bytes: &[u8], stride: Option<usize>, target: u32) -> usize {
        let mut view =
            json!({"buffer": 0, "byteOffset": self.bytes.len(), "byteLength": bytes.len(), "target": target});
        if let (Some(stride), Some(map)) = (stride, view.as_object_mut()) {
            map.insert("byteStride".into(), json!(stride));
        }
        self.views.push(view);
        self.bytes.extend_from_slice(bytes);
        while !self.bytes.len().is_multiple_of(4) {
            self.bytes.push(0);
        }
        self.views.len() - 1
    }

    fn accessor(&mut self, accessor: Value) -> usize {
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }
}

/// A GLB of batches, with `extras` on its scene. Empty batches are left out; a GLB without any holds an empty scene.
pub fn write(batches: &[(Kind, Batch)], extras: &Value) -> Vec<u8> {
    const ARRAY: u32 = 34962;
    const ELEMENT: u32 = 34963;
    let mut buffer = Buffer::default();
    let mut primitives = Vec::new();
    let mut materials = Vec::new();
    for (kind, batch) in batches.iter().filter(|(_, b)| !b.indices.is_empty()) {
        let count = batch.positions.len();
        let mut bytes = Vec::with_capacity(count * 12);
        for v in batch.positions.iter().flatten() {
            bytes.extend_from_slice(&v.to_le_bytes());
        }
        let view = buffer.view(&bytes, None, ARRAY);
        let fold = |start: f32, f: fn(f32, f32) -> f32| {
            batch.positions.iter().fold([start; 3], |a, p| [f(a[0], p[0]), f(a[1], p[1]), f(a[2], p[2])])
        };
        let position = buffer.accessor(json!({
            "bufferView": view, "componentType": 5126, "count": count, "type": "VEC3",
            "min": fold(f32::INFINITY, f32::min), "max": fold(f32::NEG_INFINITY, f32::max),
        }));
        bytes.clear();
        for n in &batch.normals {
            bytes.extend(n.map(|v| (v * 127.0).round().clamp(-127.0, 127.0) as i8 as u8));
            bytes.push(0);
        }
        let view = buffer.view(&bytes, Some(4), ARRAY);
        let normal = buffer.accessor(
            json!({"bufferView": view, "componentType": 5120, "normalized": true, "count": count, "type": "VEC3"}),
        );
        bytes.clear();
        bytes.extend(batch.colours.iter().flatten());
        let view = buffer.view(&bytes, Some(4), ARRAY);
        let colour = buffer.accessor(
            json!({"bufferView": view, "componentType": 5121, "normalized": true, "count": count, "type": "VEC4"}),
        );
        bytes.clear();
        for f in &batch.features {
            bytes.extend_from_slice(&f.to_le_bytes());
            bytes.extend_from_slice(&[0, 0]);
        }
        let view = buffer.view(&bytes, Some(4), ARRAY);
        let feature = buffer
            .accessor(json!({"bufferView": view, "componentType": 5123, "count": count, "type": "SCALAR"}));
        bytes.clear();
        let short = u16::try_from(count).is_ok();
        for &i in &batch.indices {
            if short {
                bytes.extend_from_slice(&(i as u16).to_le_bytes());
            } else {
                bytes.extend_from_slice(&i.to_le_bytes());
            }
        }
        let view = buffer.view(&bytes, None, ELEMENT);
        let indices = buffer.accessor(json!({
            "bufferView": view, "componentType": if short { 5123 } else { 5125 },
            "count": batch.indices.len(), "type": "SCALAR",
        }));
        primitives.push(json!({
            "attributes": {"POSITION": position, "NORMAL": normal, "COLOR_0": colour, "_FEATURE_ID_0": feature},
            "indices": indices, "material": materials.len(), "mode": 4,
        }));
        let mut material = json!({
            "name": kind.name(), "doubleSided": true,
            "pbrMetallicRoughness": {"metallicFactor": 0.0, "roughnessFactor": 0.9},
        });
        if let (false, Some(map)) = (*kind == Kind::Opaque, material.as_object_mut()) {
            map.insert("alphaMode".into(), json!("BLEND"));
        }
        materials.push(material);
    }
    let mut scene = json!({"extras": extras});
    let mut gltf = json!({
        "asset": {"version": "2.0", "generator": concat!("pensaer ", env!("CARGO_PKG_VERSION"))},
        "extensionsUsed": ["KHR_mesh_quantization"], "extensionsRequired": ["KHR_mesh_quantization"],
        "scene": 0,
    });
    if let (Some(gltf), Some(scene_map)) = (gltf.as_object_mut(), scene.as_object_mut())
        && !primitives.is_empty()
    {
        scene_map.insert("nodes".into(), json!([0]));
        gltf.insert("nodes".into(), json!([{"mesh": 0}]));
        gltf.insert("meshes".into(), json!([{"primitives": primitives}]));
        gltf.insert("materials".into(), json!(materials));
        gltf.insert("accessors".into(), json!(buffer.accessors));
        gltf.insert("bufferViews".into(), json!(buffer.views));
        gltf.insert("buffers".into(), json!([{"byteLength": buffer.bytes.len()}]));
    }
    if let Some(map) = gltf.as_object_mut() {
        map.insert("scenes".into(), json!([scene]));
    }
    let mut text = gltf.to_string().into_bytes();
    while !text.len().is_multiple_of(4) {
        text.push(b' ');
    }
    let mut out = Vec::with_capacity(28 + text.len() + buffer.bytes.len());
    let chunks = if buffer.bytes.is_empty() { 0 } else { 8 + buffer.bytes.len() };
    out.extend_from_slice(b"glTF");
    out.extend_from_slice(&2u32.to_le_bytes());
    out.extend_from_slice(&((20 + text.len() + chunks) as u32).to_le_bytes());
    out.extend_from_slice(&(text.len() as u32).to_le_bytes());
    out.extend_from_slice(b"JSON");
    out.extend_from_slice(&text);
    if !buffer.bytes.is_empty() {
        out.extend_from_slice(&(buffer.bytes.len() as u32).to_le_bytes());
        out.extend_from_slice(b"BIN\0");
        out.extend_from_slice(&buffer.bytes);
    }
    out
}
