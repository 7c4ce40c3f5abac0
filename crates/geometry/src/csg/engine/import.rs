//! Bodies into the engine without moving a face.
//!
//! The engine's own import lays the normal of a large triangle on all that lie in its plane and hang together with it, whichever way they
//! look. What booleans leave behind often touches itself along an edge, with material below a plane on one side and above it on the other:
//! the triangles there get the wrong normal, count as degenerate, and are swapped with their neighbours, which takes a hundredth of the
//! volume or more without a word. Here triangles that look the other way are a face of their own, and nothing is swapped.

use super::super::closed::Closed;
use manifold_rust::impl_mesh::{ManifoldImpl, reserve_ids};
use manifold_rust::linalg::{IVec3, Vec3, cross, dot, length2};
use manifold_rust::manifold::Manifold;
use manifold_rust::types::{MeshGLP, Relation, TriRef};
use manifold_rust::{edge_op, face_op};
use std::collections::HashMap;

/// The body as the engine's; triangles whose edges have more than two of them in a way that cannot be parted come as a mere set, which
/// only its robust side takes.
pub(super) fn manifold(body: &Closed) -> Manifold {
    two_manifold(body).map_or_else(|| soup(body), Manifold::from_impl)
}

fn soup(body: &Closed) -> Manifold {
    Manifold::from_mesh_glp_robust(&MeshGLP::<f64, u32> {
        num_prop: 3,
        vert_properties: body.points.iter().flat_map(glam::DVec3::to_array).collect(),
        tri_verts: body.triangles.iter().flatten().copied().collect(),
        face_id: body.planes.clone(),
        ..MeshGLP::default()
    })
}

/// The steps of the engine's own import, but for the face normals and the swap.
fn two_manifold(body: &Closed) -> Option<ManifoldImpl> {
    let count = body.points.len() as u32;
    let inside = body.triangles.iter().flatten().all(|i| *i < count);
    if !inside || body.triangles.len() < 4 || !body.points.iter().all(|p| p.is_finite()) {
        return None;
    }
    let mut mesh = ManifoldImpl::new();
    mesh.vert_pos = body.points.iter().map(|p| Vec3::new(p.x, p.y, p.z)).collect();
    let id = reserve_ids(1) as i32;
    mesh.mesh_relation.mesh_id_transform.insert(id, Relation { original_id: id, ..Relation::default() });
    mesh.mesh_relation.original_id = -1;
    let planes = body.planes.iter().copied().chain(std::iter::repeat(0));
    let reference =
        |plane: u32| TriRef { mesh_id: id, original_id: id, face_id: plane as i32, coplanar_id: -1 };
    mesh.mesh_relation.tri_ref = planes.take(body.triangles.len()).map(reference).collect();
    let triangles: Vec<IVec3> =
        body.triangles.iter().map(|t| IVec3::new(t[0] as i32, t[1] as i32, t[2] as i32)).collect();
    mesh.create_halfedges(&triangles, &[]);
    if !mesh.is_manifold() {
        return None;
    }
    mesh.calculate_bbox();
    mesh.set_epsilon(0.0, false);
    mesh.set_normals_and_coplanar();
    part_sides(&mut mesh);
    edge_op::cleanup_topology(&mut mesh);
    edge_op::collapse_short_edges(&mut mesh, 0);
    face_op::calculate_vert_normals(&mut mesh);
    mesh.remove_unreferenced_verts();
    mesh.sort_geometry();
    Some(mesh)
}

/// Triangles that look against the normal of their coplanar group become a group of their own, with their own normal.
fn part_sides(mesh: &mut ManifoldImpl) {
    let mut against: HashMap<i32, i32> = HashMap::new();
    for (i, edges) in mesh.halfedge.chunks_exact(3).enumerate() {
        let at = |k: usize| {
            let v = edges.get(k).and_then(|h| usize::try_from(h.start_vert).ok());
            v.and_then(|v| mesh.vert_pos.get(v)).copied()
        };
        let (Some(a), Some(b), Some(c)) = (at(0), at(1), at(2)) else { continue };
        let (Some(normal), Some(reference)) =
            (mesh.face_normal.get_mut(i), mesh.mesh_relation.tri_ref.get_mut(i))
        else {
            continue;
        };
        let (u, v) = (b - a, c - a);
        // a needle within rounding of a line has no side of its own and keeps the group's
        let longest = length2(u).max(length2(v)).max(length2(c - b)).sqrt();
        if dot(cross(u, v), *normal) < -mesh.tolerance * longest {
            *normal = -*normal;
            reference.coplanar_id = *against.entry(reference.coplanar_id).or_insert(i as i32);
        }
    }
}
