//! glTF 2.0 without extensions: one node for each element in the spatial tree, with its properties as extras. Metres; the root turns IFC's
//! z-up into glTF's y-up. Elements of the same shape and colour share a mesh.
//!
//! Coordinates of meshes are relative to their element and single; the places of elements are in the nodes, double. What has no shape that
//! can be drawn is a node without a mesh, and is told.

use crate::ExchangeError;
use crate::report::{Action, Log, Report};
use crate::shown::Shown;
use crate::tables::{in_spatial_order, properties_json};
use base64::Engine as _;
use foldhash::{HashMap, HashMapExt};
use geometry::element::Shape;
use geometry::{Bounds, Mesh, Scene};
use glam::{DAffine3, DVec3};
use ifc::relations::Links;
use ifc::{Id, Model};
use serde_json::{Map, Value, json};

/// The form of a glTF file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum GltfForm {
    /// One binary file (.glb).
    #[default]
    Binary,
    /// One text file with the numbers embedded (.gltf).
    Embedded,
}

/// A glTF file.
#[derive(Debug, Clone)]
pub struct Gltf {
    /// The file.
    pub bytes: Vec<u8>,
    /// The number of nodes of elements.
    pub nodes: usize,
    /// The number of meshes.
    pub meshes: usize,
    /// The number of triangles, those of shared meshes as often as they are shown.
    pub triangles: usize,
    /// The elements without a shape, by reason.
    pub report: Report,
}

/// The most bytes of numbers that a file can hold.
const MOST: usize = u32::MAX as usize - (1 << 20);

/// The elements of a scene as glTF. A model without anything that can be drawn is an error.
pub fn gltf(scene: &Scene, form: GltfForm) -> Result<Gltf, ExchangeError> {
    gltf_of(scene, form, Shown::All)
}

/// Those elements of a scene that are shown, below what they are in.
pub(crate) fn gltf_of(scene: &Scene, form: GltfForm, shown: Shown<'_>) -> Result<Gltf, ExchangeError> {
    let model = scene.model();
    let links = Links::of_many(model);
    let mut writer = Writer::default();
    let mut log = Log::default();
    let (order, parents) = in_spatial_order(&links, scene);
    let mut origin = Bounds::EMPTY;
    scene
        .entries()
        .iter()
        .filter(|entry| entry.is_drawn() && shown.has(entry.id))
        .for_each(|entry| origin = origin.join(&entry.bounds));
    if origin.is_empty() {
        return Err(ExchangeError::Nothing("elements with a shape"));
    }
    // near the middle single numbers are as good as they get
    let origin = if origin.centre().length() > 1e4 { origin.centre().round() } else { DVec3::ZERO };
    let mut nodes: Vec<Map<String, Value>> = vec![root(origin)];
    let mut places: HashMap<Id, usize> = HashMap::new();
    let mut children: Vec<Vec<usize>> = vec![Vec::new()];
    let mut triangles = 0;
    let named = shown.with_containers(&order, &parents);
    for id in order.iter().filter(|id| named.as_ref().is_none_or(|named| named.contains(id))) {
        let mut node = Map::new();
        let instance = model.get(*id);
        let class = instance.map(|i| i.class_name()).unwrap_or_default();
        let name = instance.and_then(|i| i.name()).filter(|name| !name.is_empty());
        node.insert("name".into(), json!(name.unwrap_or_else(|| class.to_owned())));
        if let Some(entry) = scene.entry(*id).filter(|_| shown.has(*id)) {
            if let Some(shape) = scene.shape(*id) {
                triangles += shape.triangles();
                writer.element(&shape, origin, &mut node)?;
            } else {
                let reason =
                    entry.notes.first().map_or_else(|| "has no body".to_owned(), |n| n.reason.clone());
                log.note(Action::Dropped, class, &format!("has no mesh: {reason}"), || {
                    Some(entry.global_id.clone())
                });
            }
        }
        node.insert("extras".into(), extras(&links, *id));
        let at = nodes.len();
        nodes.push(node);
        children.push(Vec::new());
        places.insert(*id, at);
        let parent = parents.get(id).and_then(|parent| places.get(parent)).copied().unwrap_or(0);
        if let Some(list) = children.get_mut(parent) {
            list.push(at);
        }
    }
    for (node, children) in nodes.iter_mut().zip(&children) {
        if !children.is_empty() {
            node.insert("children".into(), json!(children));
        }
    }
    let (count, meshes) = (nodes.len() - 1, writer.meshes.len());
    let nodes = nodes.into_iter().map(Value::Object).collect();
    Ok(Gltf { bytes: writer.finish(nodes, form), nodes: count, meshes, triangles, report: log.finish() })
}

/// The node above all: it turns z up into y up, and takes away what was taken off all coordinates.
fn root(origin: DVec3) -> Map<String, Value> {
    let mut node = Map::new();
    node.insert("name".into(), json!("IFC"));
    let [x, y, z] = [origin.x, origin.z, -origin.y];
    let matrix = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, -1.0, 0.0, 0.0, 1.0, 0.0, 0.0, x, y, z + 0.0, 1.0];
    node.insert("matrix".into(), json!(matrix));
    node
}

/// Everything that is said of an element: what it is, where, and its properties.
fn extras(links: &Links<'_>, id: Id) -> Value {
    let model: &Model = links.model();
    let mut out = Map::new();
    let Some(instance) = model.get(id) else { return Value::Object(out) };
    let mut put = |name: &str, text: Option<String>| {
        if let Some(text) = text.filter(|text| !text.is_empty()) {
            out.insert(name.into(), json!(text));
        }
    };
    put("GlobalId", instance.guid());
    put("class", Some(instance.class_name().to_owned()));
    for name in ["Name", "LongName", "Description", "ObjectType", "Tag"] {
        put(name, instance.text(name));
    }
    put("PredefinedType", links.predefined_type(id));
    put("type", links.type_of(id).and_then(|id| model.get(id)?.name()));
    let materials: Vec<String> =
        links.materials_of(id).into_iter().filter_map(|id| model.get(id)?.name()).collect();
    if !materials.is_empty() {
        out.insert("materials".into(), json!(materials));
    }
    let properties = properties_json(links, id);
    if !properties.is_empty() {
        out.insert("properties".into(), Value::Object(properties));
    }
    Value::Object(out)
}

const ARRAY: u32 = 34962;
const ELEMENT: u32 = 34963;
const U32: u32 = 5125;
const F32: u32 = 5126;

/// The file under construction.
#[derive(Default)]
struct Writer {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
    materials: Vec<Value>,
    colours: HashMap<[u8; 4], usize>,
    meshes: Vec<Value>,
    /// Meshes by what is in them.
    known: HashMap<Vec<u8>, usize>,
    /// Attributes of a body's triangles by its content, its place within the mesh and the like.
    primitives: HashMap<Vec<u8>, Value>,
}

impl Writer {
    /// Gives a node the mesh of an element, and its place.
    fn element(
        &mut self,
        shape: &Shape,
        origin: DVec3,
        node: &mut Map<String, Value>,
    ) -> Result<(), ExchangeError> {
        let Some(first) = shape.parts.first() else { return Ok(()) };
        let frame = first.at;
        let back = geometry::math::inverse(&frame);
        let (frame, back) = back.map_or((DAffine3::IDENTITY, DAffine3::IDENTITY), |back| (frame, back));
        let mut key = Vec::new();
        let mut parts = Vec::new();
        for part in &shape.parts {
            // the same body in the same frame is at the same place to the last digit
            let at = if part.at == frame { DAffine3::IDENTITY } else { back * part.at };
            let mut own = part.mesh.digest().to_vec();
            at.to_cols_array().iter().for_each(|v| own.extend((*v as f32).to_le_bytes()));
            key.extend_from_slice(&own);
            key.extend(part.colour);
            parts.push((part, at, own));
        }
        let mesh = if let Some(known) = self.known.get(&key) {
            *known
        } else {
            let mut primitives = Vec::with_capacity(parts.len());
            for (part, at, own) in parts {
                let mut primitive = if let Some(known) = self.primitives.get(&own) {
                    known.clone()
                } else {
                    let made = self.primitive(&part.mesh, &at)?;
                    self.primitives.insert(own, made.clone());
                    made
                };
                let material = self.material(part.colour);
                if let Some(map) = primitive.as_object_mut() {
                    map.insert("material".into(), json!(material));
                }
                primitives.push(primitive);
            }
            self.meshes.push(json!({ "primitives": primitives }));
            self.known.insert(key, self.meshes.len() - 1);
            self.meshes.len() - 1
        };
        node.insert("mesh".into(), json!(mesh));
        let moved = DAffine3 { translation: frame.translation - origin, ..frame };
        if moved != DAffine3::IDENTITY {
            let m = moved.matrix3;
            let (x, y, z, t) = (m.x_axis, m.y_axis, m.z_axis, moved.translation);
            let matrix = [x.x, x.y, x.z, 0.0, y.x, y.y, y.z, 0.0, z.x, z.y, z.z, 0.0, t.x, t.y, t.z, 1.0]
                .map(|v: f64| v + 0.0);
            node.insert("matrix".into(), json!(matrix));
        }
        Ok(())
    }

    fn view(&mut self, bytes: &[u8], target: u32) -> Result<usize, ExchangeError> {
        if self.bytes.len() + bytes.len() > MOST {
            return Err(ExchangeError::TooLarge(
                "the shapes take more than 4 GB; export a part of the model".to_owned(),
            ));
        }
        let offset = self.bytes.len();
        self.views
            .push(json!({"buffer": 0, "byteOffset": offset, "byteLength": bytes.len(), "target": target}));
        self.bytes.extend_from_slice(bytes);
        Ok(self.views.len() - 1)
    }

    fn accessor(&mut self, accessor: Value) -> usize {
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }

    /// Triangles at a place within the element's frame, without a material.
    fn primitive(&mut self, mesh: &Mesh, at: &DAffine3) -> Result<Value, ExchangeError> {
        let mut placed = Mesh::default();
        placed.append_at(mesh, at);
        let (mut positions, mut normals, mut indices) = (Vec::new(), Vec::new(), Vec::new());
        let (mut low, mut high) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
        for p in &placed.positions {
            for ((v, low), high) in p.as_vec3().to_array().into_iter().zip(&mut low).zip(&mut high) {
                *low = low.min(v);
                *high = high.max(v);
                positions.extend(v.to_le_bytes());
            }
        }
        for n in &placed.normals {
            let n = n.try_normalize().unwrap_or(DVec3::Z).as_vec3();
            n.to_array().iter().for_each(|v| normals.extend(v.to_le_bytes()));
        }
        placed.triangles.iter().flatten().for_each(|i| indices.extend(i.to_le_bytes()));
        let (positions, normals) = (self.view(&positions, ARRAY)?, self.view(&normals, ARRAY)?);
        let indices = self.view(&indices, ELEMENT)?;
        let count = placed.positions.len();
        let position = self.accessor(json!({
            "bufferView": positions, "componentType": F32, "count": count, "type": "VEC3", "min": low, "max": high,
        }));
        let normal = self
            .accessor(json!({"bufferView": normals, "componentType": F32, "count": count, "type": "VEC3"}));
        let index = self.accessor(json!({
            "bufferView": indices, "componentType": U32, "count": placed.triangles.len() * 3, "type": "SCALAR",
        }));
        Ok(json!({"attributes": {"POSITION": position, "NORMAL": normal}, "indices": index}))
    }

    fn material(&mut self, colour: [u8; 4]) -> usize {
        if let Some(known) = self.colours.get(&colour) {
            return *known;
        }
        let [r, g, b, a] = colour;
        let mut material = json!({
            "name": format!("#{r:02x}{g:02x}{b:02x}{a:02x}"), "doubleSided": true,
            "pbrMetallicRoughness": {
                "baseColorFactor": [linear(r), linear(g), linear(b), f64::from(a) / 255.0],
                "metallicFactor": 0.0, "roughnessFactor": 0.9,
            },
        });
        if let (true, Some(map)) = (a < 255, material.as_object_mut()) {
            map.insert("alphaMode".into(), json!("BLEND"));
        }
        self.materials.push(material);
        self.colours.insert(colour, self.materials.len() - 1);
        self.materials.len() - 1
    }

    fn finish(self, nodes: Vec<Value>, form: GltfForm) -> Vec<u8> {
        let mut buffer = json!({ "byteLength": self.bytes.len() });
        if let (GltfForm::Embedded, Some(map)) = (form, buffer.as_object_mut()) {
            let text = base64::engine::general_purpose::STANDARD.encode(&self.bytes);
            map.insert("uri".into(), json!(format!("data:application/octet-stream;base64,{text}")));
        }
        let gltf = json!({
            "asset": {"version": "2.0", "generator": concat!("Pensaer ", env!("CARGO_PKG_VERSION"))},
            "scene": 0, "scenes": [{"nodes": [0]}], "nodes": nodes, "meshes": self.meshes,
            "materials": self.materials, "accessors": self.accessors, "bufferViews": self.views, "buffers": [buffer],
        });
        let text = gltf.to_string().into_bytes();
        if form == GltfForm::Embedded { text } else { container(text, &self.bytes) }
    }
}

/// sRGB to linear light, as glTF wants colours.
fn linear(v: u8) -> f64 {
    let v = f64::from(v) / 255.0;
    let l = if v <= 0.04045 { v / 12.92 } else { ((v + 0.055) / 1.055).powf(2.4) };
    (l * 1e5).round() / 1e5
}

/// The two chunks of a GLB (glTF 2.0, 4.4).
fn container(mut text: Vec<u8>, bytes: &[u8]) -> Vec<u8> {
    while !text.len().is_multiple_of(4) {
        text.push(b' ');
    }
    let padding = bytes.len().next_multiple_of(4) - bytes.len();
    let length = 28 + text.len() + bytes.len() + padding;
    let mut out = Vec::with_capacity(length);
    out.extend_from_slice(b"glTF");
    for number in [2, length as u32, text.len() as u32] {
        out.extend_from_slice(&number.to_le_bytes());
    }
    out.extend_from_slice(b"JSON");
    out.extend_from_slice(&text);
    out.extend_from_slice(&((bytes.len() + padding) as u32).to_le_bytes());
    out.extend_from_slice(b"BIN\0");
    out.extend_from_slice(bytes);
    out.extend(std::iter::repeat_n(0, padding));
    out
}
