//! Binary glTF 2.0, written by hand: small, and readable by any program that knows its extensions.
//!
//! Corners are of 12 or 16 bytes, their coordinates 16-bit steps of a box (`KHR_mesh_quantization`); where a step would be wider
//! than a millimetre, coordinates are `f32` and corners of 4 bytes more. Meshes that stand at several places are written once with their
//! places (`EXT_mesh_gpu_instancing`). Every corner and every place carries the number of its element (`EXT_mesh_features`,
//! `EXT_instance_features`), and a table tells the element's GlobalId and class (`EXT_structural_metadata`).
//!
//! glTF is y-up; whoever calls has turned the coordinates. Positions are relative to an origin that the caller keeps.

mod place;
mod steps;

pub use place::Place;

use crate::math::Bounds;
use foldhash::{HashMap, HashMapExt};
use glam::DVec3;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use steps::Steps;

/// The kind of a primitive: faces one can or cannot see through, or lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Faces that one cannot see through.
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

/// Kind and colour (sRGB with opacity): what makes a material.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Look {
    /// The kind; the material's name.
    pub kind: Kind,
    /// The colour.
    pub colour: [u8; 4],
}

/// Triangles with shared corners.
#[derive(Debug, Clone, Default)]
pub struct Points {
    /// Metres.
    pub positions: Vec<DVec3>,
    /// Unit normals.
    pub normals: Vec<DVec3>,
    /// Number of the element of each corner.
    pub features: Vec<u16>,
    /// Corner indices, three to a triangle.
    pub indices: Vec<u32>,
}

const ARRAY: u32 = 34962;
const ELEMENT: u32 = 34963;
const I8: u32 = 5120;
const U16: u32 = 5123;
const U32: u32 = 5125;
const F32: u32 = 5126;

/// A GLB under construction.
#[derive(Default)]
pub struct Writer {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
    materials: Vec<Value>,
    looks: BTreeMap<Look, usize>,
    meshes: Vec<Value>,
    nodes: Vec<Value>,
    has_instances: bool,
}

/// sRGB to linear light, as glTF wants colours.
fn linear(v: u8) -> f64 {
    let v = f64::from(v) / 255.0;
    let l = if v <= 0.04045 { v / 12.92 } else { ((v + 0.055) / 1.055).powf(2.4) };
    (l * 1e4).round() / 1e4
}

impl Writer {
    /// A view of bytes, which start at a multiple of four.
    fn view(&mut self, bytes: &[u8], stride: Option<usize>, target: Option<u32>) -> usize {
        let mut view = json!({"buffer": 0, "byteOffset": self.bytes.len(), "byteLength": bytes.len()});
        if let Some(map) = view.as_object_mut() {
            stride.map(|stride| map.insert("byteStride".into(), json!(stride)));
            target.map(|target| map.insert("target".into(), json!(target)));
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

    fn material(&mut self, look: Look) -> usize {
        if let Some(known) = self.looks.get(&look) {
            return *known;
        }
        let [r, g, b, a] = look.colour;
        let opacity = (f64::from(a) / 255.0 * 1e4).round() / 1e4;
        let mut material = json!({
            "name": look.kind.name(), "doubleSided": true,
            "pbrMetallicRoughness": {
                "baseColorFactor": [linear(r), linear(g), linear(b), opacity],
                "metallicFactor": 0, "roughnessFactor": 0.9,
            },
        });
        if let (false, Some(map)) = (look.kind == Kind::Opaque, material.as_object_mut()) {
            map.insert("alphaMode".into(), json!("BLEND"));
        }
        self.materials.push(material);
        self.looks.insert(look, self.materials.len() - 1);
        self.materials.len() - 1
    }

    /// A primitive; corners that are written alike are one.
    fn primitive(&mut self, look: Look, points: &Points, steps: &Steps, features: bool) -> Value {
        // every attribute begins at a multiple of four bytes (glTF 2.0, 3.6.2.4)
        let normal_at = if steps.step.is_some() { 8 } else { 12 };
        let feature_at = normal_at + 4;
        let size = if features { feature_at + 4 } else { feature_at };
        let mut bytes: Vec<u8> = Vec::with_capacity(points.positions.len() * size);
        let mut bounds = Bounds::EMPTY;
        let mut known: HashMap<[u8; 20], u32> = HashMap::with_capacity(points.positions.len());
        let mut numbers = Vec::with_capacity(points.positions.len());
        let mut corner = Vec::with_capacity(20);
        for ((p, n), f) in points.positions.iter().zip(&points.normals).zip(&points.features) {
            corner.clear();
            steps.write(*p, &mut corner);
            corner.resize(normal_at, 0);
            corner.extend(n.to_array().map(|v| (v * 127.0).round().clamp(-127.0, 127.0) as i8 as u8));
            corner.push(0);
            if features {
                corner.extend(f.to_le_bytes());
                corner.extend([0, 0]);
            }
            let mut key = [0; 20];
            key.iter_mut().zip(&corner).for_each(|(to, from)| *to = *from);
            let next = known.len() as u32;
            numbers.push(*known.entry(key).or_insert_with(|| {
                bounds.add(steps.written(*p));
                bytes.extend(&corner);
                next
            }));
        }
        let count = known.len();
        let view = self.view(&bytes, Some(size), Some(ARRAY));
        let kind = if steps.step.is_some() { U16 } else { F32 };
        let position = self.accessor(json!({
            "bufferView": view, "componentType": kind, "count": count, "type": "VEC3",
            "min": bounds.min, "max": bounds.max,
        }));
        let normal = self.accessor(json!({
            "bufferView": view, "byteOffset": normal_at, "componentType": I8, "normalized": true, "count": count,
            "type": "VEC3",
        }));
        bytes.clear();
        let short = u16::try_from(count).is_ok();
        for number in points.indices.iter().filter_map(|i| numbers.get(*i as usize)) {
            if short {
                bytes.extend((*number as u16).to_le_bytes());
            } else {
                bytes.extend(number.to_le_bytes());
            }
        }
        let indices = bytes.len() / if short { 2 } else { 4 };
        let of = self.view(&bytes, None, Some(ELEMENT));
        let index = self.accessor(json!({
            "bufferView": of, "componentType": if short { U16 } else { U32 }, "count": indices, "type": "SCALAR",
        }));
        let mut primitive = json!({
            "attributes": {"POSITION": position, "NORMAL": normal}, "indices": index, "material": self.material(look),
        });
        if features {
            let feature = self.accessor(json!({
                "bufferView": view, "byteOffset": feature_at, "componentType": U16, "count": count, "type": "SCALAR",
            }));
            if let Some(map) = primitive.as_object_mut() {
                if let Some(attributes) = map.get_mut("attributes").and_then(Value::as_object_mut) {
                    attributes.insert("_FEATURE_ID_0".into(), json!(feature));
                }
                map.insert(
                    "extensions".into(),
                    json!({"EXT_mesh_features": {"featureIds": [
                        {"featureCount": 0, "attribute": 0, "propertyTable": 0},
                    ]}}),
                );
            }
        }
        primitive
    }

    /// Triangles that stand where they are, by look; all in one mesh.
    pub fn batches(&mut self, batches: &[(Look, Points)]) {
        let bounds = batches.iter().fold(Bounds::EMPTY, |all, (_, p)| all.join(&p.bounds()));
        if bounds.is_empty() {
            return;
        }
        let steps = Steps::for_bounds(&bounds);
        let primitives: Vec<Value> = batches
            .iter()
            .filter(|(_, points)| !points.indices.is_empty())
            .map(|(look, points)| self.primitive(*look, points, &steps, true))
            .collect();
        let mut node = steps.node();
        node.insert("mesh".into(), json!(self.meshes.len()));
        self.meshes.push(json!({"primitives": primitives}));
        self.nodes.push(Value::Object(node));
    }

    /// A mesh at several places. Its points' features do not count, the places' do.
    pub fn instances(&mut self, look: Look, points: &Points, places: &[Place]) {
        let bounds = points.bounds();
        if bounds.is_empty() || places.is_empty() {
            return;
        }
        let steps = Steps::for_bounds(&bounds);
        let primitive = self.primitive(look, points, &steps, false);
        let (mut translations, mut rotations, mut scales, mut features) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for place in places {
            // the steps are undone first: scaled and moved within the mesh's own coordinates
            let corner = steps.step.map_or(DVec3::ZERO, |_| steps.corner);
            let moved = place.translation + place.rotation * (corner * place.scale);
            let scale = place.scale * steps.step.unwrap_or(1.0);
            translations.extend(moved.as_vec3().to_array().iter().flat_map(|v| v.to_le_bytes()));
            rotations.extend(place.rotation.as_quat().to_array().iter().flat_map(|v| v.to_le_bytes()));
            scales.extend(scale.as_vec3().to_array().iter().flat_map(|v| v.to_le_bytes()));
            features.extend(place.feature.to_le_bytes());
            features.extend([0, 0]);
        }
        let count = places.len();
        let mut attribute = |bytes: &[u8], stride: Option<usize>, kind: u32, of: &str| {
            let view = self.view(bytes, stride, None);
            self.accessor(json!({"bufferView": view, "componentType": kind, "count": count, "type": of}))
        };
        let attributes = json!({
            "TRANSLATION": attribute(&translations, None, F32, "VEC3"),
            "ROTATION": attribute(&rotations, None, F32, "VEC4"),
            "SCALE": attribute(&scales, None, F32, "VEC3"),
            "_FEATURE_ID_0": attribute(&features, Some(4), U16, "SCALAR"),
        });
        self.nodes.push(json!({"mesh": self.meshes.len(), "extensions": {
            "EXT_mesh_gpu_instancing": {"attributes": attributes},
            "EXT_instance_features": {"featureIds": [{"featureCount": 0, "attribute": 0, "propertyTable": 0}]},
        }}));
        self.meshes.push(json!({"primitives": [primitive]}));
        self.has_instances = true;
    }

    /// A column of texts for the table of elements: their bytes and where each begins.
    fn texts<'a>(&mut self, texts: impl Iterator<Item = &'a str>) -> Value {
        let (mut values, mut offsets) = (Vec::new(), 0u32.to_le_bytes().to_vec());
        for text in texts {
            values.extend(text.as_bytes());
            offsets.extend((values.len() as u32).to_le_bytes());
        }
        let values = self.view(&values, None, None);
        json!({"values": values, "stringOffsets": self.view(&offsets, None, None), "stringOffsetType": "UINT32"})
    }

    /// The GLB, with the GlobalId and class of each element and `extras` on its scene.
    pub fn finish(mut self, elements: &[[&str; 2]], extras: &Value) -> Vec<u8> {
        let mut gltf = json!({
            "asset": {"version": "2.0", "generator": concat!("pensaer ", env!("CARGO_PKG_VERSION"))},
            "scene": 0, "scenes": [{"extras": extras}],
        });
        let is_empty = self.nodes.is_empty() || elements.is_empty();
        if let (false, Some(map)) = (is_empty, gltf.as_object_mut()) {
            let global_ids = self.texts(elements.iter().map(|e| e[0]));
            let classes = self.texts(elements.iter().map(|e| e[1]));
            for ids in
                self.nodes.iter_mut().chain(self.meshes.iter_mut().flat_map(|m| {
                    m.get_mut("primitives").and_then(Value::as_array_mut).into_iter().flatten()
                }))
            {
                let extensions = ids.get_mut("extensions").and_then(Value::as_object_mut);
                for list in
                    extensions.into_iter().flatten().filter_map(|(_, e)| e.pointer_mut("/featureIds/0"))
                {
                    if let Some(list) = list.as_object_mut() {
                        list.insert("featureCount".into(), json!(elements.len()));
                    }
                }
            }
            let text = json!({"type": "STRING", "required": true});
            map.insert("extensions".into(), json!({"EXT_structural_metadata": {
                "schema": {"id": "pensaer", "classes": {"element": {"properties": {"GlobalId": text, "class": text}}}},
                "propertyTables": [{
                    "class": "element", "count": elements.len(),
                    "properties": {"GlobalId": global_ids, "class": classes},
                }],
            }}));
            let mut used = vec!["KHR_mesh_quantization", "EXT_mesh_features", "EXT_structural_metadata"];
            let mut required = vec!["KHR_mesh_quantization"];
            if self.has_instances {
                used.extend(["EXT_mesh_gpu_instancing", "EXT_instance_features"]);
                required.push("EXT_mesh_gpu_instancing");
            }
            map.insert("extensionsUsed".into(), json!(used));
            map.insert("extensionsRequired".into(), json!(required));
            let nodes: Vec<usize> = (0..self.nodes.len()).collect();
            let parts = [
                ("nodes", &mut self.nodes),
                ("meshes", &mut self.meshes),
                ("materials", &mut self.materials),
                ("accessors", &mut self.accessors),
                ("bufferViews", &mut self.views),
            ];
            for (name, values) in parts {
                map.insert(name.into(), Value::Array(std::mem::take(values)));
            }
            map.insert("scenes".into(), json!([{"nodes": nodes, "extras": extras}]));
            map.insert("buffers".into(), json!([{"byteLength": self.bytes.len()}]));
        } else {
            self.bytes.clear();
        }
        container(&gltf, &self.bytes)
    }
}

/// The two chunks of a GLB.
fn container(gltf: &Value, bytes: &[u8]) -> Vec<u8> {
    let mut text = gltf.to_string().into_bytes();
    while !text.len().is_multiple_of(4) {
        text.push(b' ');
    }
    let mut out = Vec::with_capacity(28 + text.len() + bytes.len());
    let chunks = if bytes.is_empty() { 0 } else { 8 + bytes.len() };
    out.extend_from_slice(b"glTF");
    out.extend_from_slice(&2u32.to_le_bytes());
    out.extend_from_slice(&((20 + text.len() + chunks) as u32).to_le_bytes());
    out.extend_from_slice(&(text.len() as u32).to_le_bytes());
    out.extend_from_slice(b"JSON");
    out.extend_from_slice(&text);
    if !bytes.is_empty() {
        out.extend_from_slice(&(bytes.len() as u32).to_le_bytes());
        out.extend_from_slice(b"BIN\0");
        out.extend_from_slice(bytes);
    }
    out
}
