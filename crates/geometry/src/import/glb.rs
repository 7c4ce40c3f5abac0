//! Binary glTF 2.0: the triangles of the scene's nodes, each where it stands, in metres with z up.
//!
//! Files whose geometry is compressed or lies elsewhere are refused by the name of what they need.

use super::{Budget, ImportError, Piece, sound};
use glam::{DAffine3, DMat3, DMat4, DQuat, DVec3};
use serde::Deserialize;
use std::collections::BTreeMap;

/// The most nodes that are visited; a node may stand in several places.
const MAX_NODES: usize = 20_000;
/// The most steps from the scene to a node.
const MAX_DEPTH: usize = 64;
/// Extensions that a file may require and that change no corner.
const HARMLESS: [&str; 4] = ["KHR_mesh_quantization", "KHR_texture_", "KHR_materials_", "KHR_lights_"];

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct Root {
    scene: Option<usize>,
    scenes: Vec<Scene>,
    nodes: Vec<Node>,
    meshes: Vec<Mesh>,
    accessors: Vec<Accessor>,
    buffer_views: Vec<View>,
    buffers: Vec<Buffer>,
    materials: Vec<Material>,
    extensions_required: Vec<String>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Scene {
    nodes: Vec<usize>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Node {
    children: Vec<usize>,
    mesh: Option<usize>,
    matrix: Option<[f64; 16]>,
    translation: Option<[f64; 3]>,
    rotation: Option<[f64; 4]>,
    scale: Option<[f64; 3]>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Mesh {
    primitives: Vec<Primitive>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Primitive {
    attributes: BTreeMap<String, usize>,
    indices: Option<usize>,
    mode: Option<u32>,
    material: Option<usize>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct Accessor {
    buffer_view: Option<usize>,
    byte_offset: usize,
    component_type: u32,
    normalized: bool,
    count: usize,
    #[serde(rename = "type")]
    kind: String,
    sparse: Option<serde::de::IgnoredAny>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct View {
    buffer: usize,
    byte_offset: usize,
    byte_length: usize,
    byte_stride: Option<usize>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Buffer {
    uri: Option<serde::de::IgnoredAny>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct Material {
    pbr_metallic_roughness: Option<Base>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct Base {
    base_color_factor: Option<[f64; 4]>,
}

pub(super) fn read(bytes: &[u8]) -> Result<Vec<Piece>, ImportError> {
    let (json, binary) = chunks(bytes)?;
    let root: Root = serde_json::from_slice(json)
        .map_err(|error| broken(&format!("its description is no glTF: {error}")))?;
    let strange = |name: &&String| !HARMLESS.iter().any(|known| name.starts_with(known));
    if let Some(needed) = root.extensions_required.iter().find(strange) {
        return Err(ImportError::Unsupported(format!("the glTF extension {}", shortened(needed))));
    }
    let mut reader = Reader { root: &root, binary, budget: Budget::default(), pieces: BTreeMap::new() };
    reader.scene()?;
    Ok(reader.pieces.into_values().collect())
}

fn broken(what: &str) -> ImportError {
    ImportError::Broken(what.to_owned())
}

fn shortened(text: &str) -> String {
    text.chars().take(60).collect()
}

/// The description and the binary chunk.
fn chunks(bytes: &[u8]) -> Result<(&[u8], &[u8]), ImportError> {
    let word = |at: usize| -> Option<u32> {
        Some(u32::from_le_bytes(bytes.get(at..at.checked_add(4)?)?.try_into().ok()?))
    };
    match word(4) {
        Some(2) => {}
        Some(other) => return Err(ImportError::Unsupported(format!("glTF {other}"))),
        None => return Err(broken("it ends within its header")),
    }
    let (mut json, mut binary) = (None, None);
    let mut at = 12;
    while let (Some(length), Some(kind)) = (word(at), word(at + 4)) {
        let end = (at + 8).checked_add(length as usize).filter(|end| *end <= bytes.len());
        let Some(end) = end else { return Err(broken("it ends within a chunk")) };
        let content = bytes.get(at + 8..end).unwrap_or_default();
        match &kind.to_le_bytes() {
            b"JSON" if json.is_none() => json = Some(content),
            b"BIN\0" if binary.is_none() => binary = Some(content),
            _ => {}
        }
        at = end;
    }
    let json = json.ok_or_else(|| broken("it has no description"))?;
    Ok((json, binary.unwrap_or_default()))
}

struct Reader<'b> {
    root: &'b Root,
    binary: &'b [u8],
    budget: Budget,
    pieces: BTreeMap<Option<[u8; 4]>, Piece>,
}

impl Reader<'_> {
    fn scene(&mut self) -> Result<(), ImportError> {
        let root = self.root;
        // y up becomes z up
        let turn = DAffine3::from_mat3(DMat3::from_cols(DVec3::X, DVec3::Z, DVec3::NEG_Y));
        let tops: Vec<usize> = match root.scenes.get(root.scene.unwrap_or(0)) {
            Some(scene) => scene.nodes.clone(),
            None if root.scenes.is_empty() => self.nodes_without_parent(),
            None => return Err(broken("it names a scene that is not there")),
        };
        let mut work: Vec<(usize, DAffine3, usize)> = tops.iter().rev().map(|n| (*n, turn, 0)).collect();
        let mut visited = 0;
        while let Some((index, within, depth)) = work.pop() {
            visited += 1;
            if visited > MAX_NODES {
                return Err(ImportError::TooLarge { what: "nodes", most: MAX_NODES });
            }
            if depth > MAX_DEPTH {
                return Err(broken("its nodes run in a circle or lie too deep in each other"));
            }
            let node = root.nodes.get(index).ok_or_else(|| broken("it names a node that is not there"))?;
            let at = within * placed(node);
            if let Some(mesh) = node.mesh {
                let mesh =
                    root.meshes.get(mesh).ok_or_else(|| broken("it names a mesh that is not there"))?;
                for primitive in &mesh.primitives {
                    self.primitive(primitive, &at)?;
                }
            }
            if work.len().saturating_add(node.children.len()) > MAX_NODES {
                return Err(ImportError::TooLarge { what: "nodes", most: MAX_NODES });
            }
            work.extend(node.children.iter().rev().map(|child| (*child, at, depth + 1)));
        }
        Ok(())
    }

    fn nodes_without_parent(&self) -> Vec<usize> {
        let children: std::collections::BTreeSet<usize> =
            self.root.nodes.iter().flat_map(|node| node.children.iter().copied()).collect();
        (0..self.root.nodes.len()).filter(|node| !children.contains(node)).collect()
    }

    fn primitive(&mut self, primitive: &Primitive, at: &DAffine3) -> Result<(), ImportError> {
        let mode = primitive.mode.unwrap_or(4);
        if !(4..=6).contains(&mode) {
            return Ok(());
        }
        let Some(positions) = primitive.attributes.get("POSITION") else { return Ok(()) };
        let positions = self.points(*positions)?;
        let indices: Vec<u32> = match primitive.indices {
            Some(accessor) => self.indices(accessor)?,
            None => (0..positions.len() as u32).collect(),
        };
        let corners: Vec<[u32; 3]> = match mode {
            4 => indices.as_chunks::<3>().0.to_vec(),
            5 => {
                let strip = indices.array_windows::<3>().enumerate();
                strip.map(|(i, [a, b, c])| if i % 2 == 0 { [*a, *b, *c] } else { [*b, *a, *c] }).collect()
            }
            _ => {
                let first = indices.first().copied().unwrap_or_default();
                indices
                    .get(1..)
                    .unwrap_or_default()
                    .array_windows::<2>()
                    .map(|[b, c]| [first, *b, *c])
                    .collect()
            }
        };
        self.budget.triangles(corners.len())?;
        let count = positions.len();
        if corners.iter().flatten().any(|i| *i as usize >= count) {
            return Err(broken("a triangle names a corner that is not there"));
        }
        let colour = primitive
            .material
            .and_then(|material| self.root.materials.get(material)?.pbr_metallic_roughness.as_ref())
            .and_then(|base| base.base_color_factor)
            .map(on_screen);
        let piece = self.pieces.entry(colour).or_insert_with(|| Piece { colour, ..Piece::default() });
        let start = u32::try_from(piece.positions.len()).map_err(|_| broken("it has too many corners"))?;
        for p in positions {
            piece.positions.push(sound(at.transform_point3(p))?);
        }
        let mirrored = at.matrix3.determinant() < 0.0;
        piece.triangles.extend(corners.into_iter().map(|[a, b, c]| {
            let turned = if mirrored { [a, c, b] } else { [a, b, c] };
            turned.map(|i| i + start)
        }));
        Ok(())
    }

    fn points(&mut self, accessor: usize) -> Result<Vec<DVec3>, ImportError> {
        let (accessor, rows, size) = rows(self.root, self.binary, accessor, "VEC3", 3)?;
        self.budget.points(accessor.count)?;
        let kind = accessor.component_type;
        let scale = match (accessor.normalized, kind) {
            (true, 5120) => 1.0 / 127.0,
            (true, 5121) => 1.0 / 255.0,
            (true, 5122) => 1.0 / 32767.0,
            (true, 5123) => 1.0 / 65535.0,
            _ => 1.0,
        };
        rows.map(|row| {
            let at = |i: usize| number(row?, i * size, kind);
            Some(DVec3::new(at(0)?, at(1)?, at(2)?) * scale)
        })
        .collect::<Option<Vec<_>>>()
        .ok_or_else(|| broken("it ends before its corner points do"))
    }

    fn indices(&self, accessor: usize) -> Result<Vec<u32>, ImportError> {
        let (accessor, rows, _) = rows(self.root, self.binary, accessor, "SCALAR", 1)?;
        // three to a triangle, or about one in a strip
        if accessor.count > 3 * super::MAX_TRIANGLES {
            return Err(ImportError::TooLarge { what: "triangles", most: super::MAX_TRIANGLES });
        }
        let kind = accessor.component_type;
        if kind == 5126 {
            return Err(broken("its corner numbers are no whole numbers"));
        }
        rows.map(|row| number(row?, 0, kind).filter(|n| *n >= 0.0).map(|n| n as u32))
            .collect::<Option<Vec<_>>>()
            .ok_or_else(|| broken("it ends before its triangles do"))
    }
}

/// An accessor, its rows, and the bytes of one number.
type Rows<'b, I> = (&'b Accessor, I, usize);

/// An accessor with its rows of bytes, `None` for those that are not there, and the bytes of one number.
fn rows<'b>(
    root: &'b Root,
    binary: &'b [u8],
    accessor: usize,
    kind: &str,
    numbers: usize,
) -> Result<Rows<'b, impl Iterator<Item = Option<&'b [u8]>> + use<'b>>, ImportError> {
    let found = root.accessors.get(accessor);
    let accessor = found.ok_or_else(|| broken("it names numbers that are not there"))?;
    if accessor.kind != kind {
        return Err(broken(&format!(
            "it has numbers of the kind {} in place of {kind}",
            shortened(&accessor.kind)
        )));
    }
    if accessor.sparse.is_some() {
        return Err(ImportError::Unsupported("sparse accessors".to_owned()));
    }
    let size = match accessor.component_type {
        5120 | 5121 => 1,
        5122 | 5123 => 2,
        5125 | 5126 => 4,
        _ => return Err(broken("it has numbers of an unknown size")),
    };
    if accessor.count > super::MAX_POINTS {
        return Err(ImportError::TooLarge { what: "corner points", most: super::MAX_POINTS });
    }
    let view = accessor.buffer_view.and_then(|view| root.buffer_views.get(view));
    let view = view.ok_or_else(|| broken("it has numbers without bytes"))?;
    let buffer = root.buffers.get(view.buffer);
    if view.buffer != 0 || buffer.is_some_and(|buffer| buffer.uri.is_some()) {
        return Err(ImportError::Unsupported("geometry in another file".to_owned()));
    }
    let bytes = view
        .byte_offset
        .checked_add(view.byte_length)
        .and_then(|end| binary.get(view.byte_offset..end))
        .ok_or_else(|| broken("it names bytes that are not there"))?;
    let row = size * numbers;
    let stride = view.byte_stride.unwrap_or(row).max(row);
    let offset = accessor.byte_offset;
    let rows = (0..accessor.count).map(move |i| {
        let from = i.checked_mul(stride)?.checked_add(offset)?;
        bytes.get(from..from.checked_add(row)?)
    });
    Ok((accessor, rows, size))
}

/// A number of a component type at a place in bytes.
fn number(bytes: &[u8], at: usize, kind: u32) -> Option<f64> {
    let two = || -> Option<[u8; 2]> { bytes.get(at..at + 2)?.try_into().ok() };
    let four = || -> Option<[u8; 4]> { bytes.get(at..at + 4)?.try_into().ok() };
    let one = bytes.get(at).copied()?;
    Some(match kind {
        5120 => f64::from(i8::from_le_bytes([one])),
        5121 => f64::from(one),
        5122 => f64::from(i16::from_le_bytes(two()?)),
        5123 => f64::from(u16::from_le_bytes(two()?)),
        5125 => f64::from(u32::from_le_bytes(four()?)),
        _ => f64::from(f32::from_le_bytes(four()?)),
    })
}

/// The place of a node within its parent.
fn placed(node: &Node) -> DAffine3 {
    if let Some(matrix) = node.matrix {
        return DAffine3::from_mat4(DMat4::from_cols_array(&matrix));
    }
    let scale = node.scale.map_or(DVec3::ONE, DVec3::from);
    let [x, y, z, w] = node.rotation.unwrap_or([0.0, 0.0, 0.0, 1.0]);
    let turn = DQuat::from_xyzw(x, y, z, w);
    let turn =
        if turn.is_finite() && turn.length_squared() > 1e-12 { turn.normalize() } else { DQuat::IDENTITY };
    let origin = node.translation.map_or(DVec3::ZERO, DVec3::from);
    DAffine3::from_scale_rotation_translation(scale, turn, origin)
}

/// A linear colour as a screen shows it.
fn on_screen(factor: [f64; 4]) -> [u8; 4] {
    let [r, g, b, a] = factor.map(|c| if c.is_finite() { c.clamp(0.0, 1.0) } else { 1.0 });
    let curve = |c: f64| if c <= 0.003_130_8 { 12.92 * c } else { 1.055 * c.powf(1.0 / 2.4) - 0.055 };
    let byte = |c: f64| (c * 255.0).round() as u8;
    [byte(curve(r)), byte(curve(g)), byte(curve(b)), byte(a)]
}
