//! The content of a tile's GLB: triangles used once in batches by colour, triangles used at several places once with their places.
//! Meshes are the same when their content is, whatever they were made of.

use super::TILER;
use crate::{
    drawn::Digest,
    element::{Part, Shape},
    glb::{Kind, Look, Place, Points, Writer},
    math::Bounds,
    mesh::Mesh,
    scene::Entry,
};
use glam::{DAffine3, DVec3};
use serde_json::json;
use std::collections::{BTreeMap, HashMap};

/// The bytes that one more instanced mesh adds to the document, about: where repeating it is less, it is repeated.
const OVERHEAD: usize = 1_300;
/// About what a corner and a place of a mesh take in the buffer, in bytes.
const CORNER: usize = 24;
const PLACE: usize = 44;

/// One part of an element of a tile.
struct Member<'s> {
    feature: u16,
    kind: Kind,
    part: &'s Part,
}

impl Member<'_> {
    fn look(&self) -> Look {
        Look { kind: self.kind, colour: self.part.colour }
    }
}

/// A tile as GLB: elements with their shapes, relative to an origin in world coordinates.
pub(crate) fn glb(origin: DVec3, elements: &[(&Entry, &Shape)]) -> Vec<u8> {
    let mut by_mesh: Vec<Vec<Member<'_>>> = Vec::new();
    let mut numbers: HashMap<(Digest, Look), usize> = HashMap::new();
    for (feature, (entry, shape)) in elements.iter().enumerate() {
        for part in &shape.parts {
            let kind = match part.colour[3] {
                _ if entry.is_space => Kind::Space,
                255 => Kind::Opaque,
                _ => Kind::Clear,
            };
            let member = Member { feature: feature as u16, kind, part };
            let number = *numbers.entry((part.mesh.digest(), member.look())).or_insert(by_mesh.len());
            match by_mesh.get_mut(number) {
                Some(places) => places.push(member),
                None => by_mesh.push(vec![member]),
            }
        }
    }
    let mut writer = Writer::default();
    let mut batches: BTreeMap<Look, Vec<Member<'_>>> = BTreeMap::new();
    for places in by_mesh {
        let Some(first) = places.first() else { continue };
        let size = first.part.mesh.positions.len() * CORNER;
        let saved = size * (places.len() - 1);
        let found: Option<Vec<Place>> = (saved > OVERHEAD + places.len() * PLACE)
            .then(|| places.iter().map(|m| place(m, origin)).collect())
            .flatten();
        match found {
            Some(found) => writer.instances(first.look(), &points(&first.part.mesh), &found),
            None => {
                for member in places {
                    batches.entry(member.look()).or_default().push(member);
                }
            }
        }
    }
    let batches: Vec<(Look, Points)> =
        batches.iter().map(|(look, members)| (*look, batch(members, origin))).collect();
    writer.batches(&batches);
    let boxes: Vec<usize> = (0..).zip(elements).filter(|(_, (e, _))| e.is_box).map(|(at, _)| at).collect();
    let named: Vec<[&str; 2]> =
        elements.iter().map(|(e, _)| [e.global_id.as_str(), e.class.as_str()]).collect();
    writer.finish(&named, &json!({"tiler": TILER, "boxes": boxes}))
}

/// glTF is y-up: IFC's (x, y, z) is its (x, z, -y).
fn up(v: DVec3) -> DVec3 {
    DVec3::new(v.x, v.z, -v.y)
}

/// Returns the place of a shared mesh, if turning, scaling along its own axes and moving bring it there.
fn place(member: &Member<'_>, origin: DVec3) -> Option<Place> {
    let at = &member.part.at;
    // the same map between y-up coordinates on both sides
    let local =
        DAffine3::from_cols(up(at.x_axis), up(at.z_axis), -up(at.y_axis), up(at.translation - origin));
    Place::from_map(&local, member.feature)
}

/// A mesh in its own coordinates, y up, with soft shading.
fn points(mesh: &Mesh) -> Points {
    let mut soft = mesh.clone();
    soft.soften();
    let mut points = Points::default();
    add(&mut points, &soft, 0);
    points
}

fn batch(members: &[Member<'_>], origin: DVec3) -> Points {
    let mut points = Points::default();
    for member in members {
        let mut mesh = Mesh::default();
        let at = &member.part.at;
        mesh.append_at(&member.part.mesh, &DAffine3 { translation: at.translation - origin, ..*at });
        mesh.soften();
        add(&mut points, &mesh, member.feature);
    }
    points
}

fn add(points: &mut Points, mesh: &Mesh, feature: u16) {
    let start = points.positions.len() as u32;
    points.positions.extend(mesh.positions.iter().map(|p| up(*p)));
    points.normals.extend(mesh.normals.iter().map(|n| up(*n)));
    points.features.extend(std::iter::repeat_n(feature, mesh.positions.len()));
    points.indices.extend(mesh.triangles.iter().flatten().map(|i| i + start));
}

impl Points {
    /// The box around them.
    pub(crate) fn bounds(&self) -> Bounds {
        Bounds::from_points(self.positions.iter().copied())
    }
}
