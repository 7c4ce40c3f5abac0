//! From shapes to triangles on the picture: placed, cut, seen from the camera and in pixels of samples.

use super::{
    Setting,
    camera::Camera,
    stage::{HalfSpace, Item, Look},
};
use crate::{
    element::Part,
    mesh::Mesh,
    region,
    section::{self, Plane},
    style::Colour,
};
use glam::{DVec2, DVec3, Vec3};
use ifc::placement::unit;

/// A triangle on the picture.
#[derive(Debug, Clone)]
pub(super) struct Facet {
    /// Samples from the left and from the top.
    pub at: [DVec2; 3],
    /// At the first corner, and its change to the right and downwards: of the distance from the eye in parallel, of one over
    /// it in perspective.
    pub depth: [f64; 3],
    /// The least and the greatest of the above.
    pub range: [f64; 2],
    /// Unit normals at the corners, towards the viewer.
    pub normals: [Vec3; 3],
    /// The item's place in the list.
    pub item: u32,
    pub colour: Colour,
    pub kind: Kind,
}

/// The role of a facet in the picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Solid,
    /// Opaque, in the plane of a cut.
    Cut,
    Clear,
    Ghost,
}

impl Kind {
    pub(super) fn is_opaque(self) -> bool {
        matches!(self, Kind::Solid | Kind::Cut)
    }
}

impl Facet {
    /// Returns true if the normal is the same all over.
    pub(super) fn is_flat(&self) -> bool {
        self.normals[0] == self.normals[1] && self.normals[1] == self.normals[2]
    }

    /// The normal at a sample.
    pub(super) fn normal(&self, x: f64, y: f64) -> Vec3 {
        let [a, b, c] = self.at;
        let (b, c, p) = (b - a, c - a, DVec2::new(x, y) - a);
        let whole = b.perp_dot(c);
        let (v, w) = (p.perp_dot(c) / whole, b.perp_dot(p) / whole);
        if !(v.is_finite() && w.is_finite()) {
            return self.normals[0];
        }
        let (v, w) = (v.clamp(0.0, 1.0) as f32, w.clamp(0.0, 1.0) as f32);
        let u = (1.0 - v - w).max(0.0);
        let n = u * self.normals[0] + v * self.normals[1] + w * self.normals[2];
        let l = n.length();
        if l > 1e-6 { n / l } else { self.normals[0] }
    }
}

/// A corner of a triangle in space.
#[derive(Debug, Clone, Copy)]
struct Corner {
    /// In metres of the world.
    world: DVec3,
    /// To the right, up and away.
    local: DVec3,
    normal: DVec3,
}

impl Corner {
    fn between(&self, other: &Corner, t: f64) -> Corner {
        let mix = |a: DVec3, b: DVec3| a + (b - a) * t;
        Corner {
            world: mix(self.world, other.world),
            local: mix(self.local, other.local),
            normal: mix(self.normal, other.normal),
        }
    }
}

/// Clips a convex polygon to where `depth` is not below nought.
fn kept(polygon: &mut Vec<Corner>, depth: impl Fn(&Corner) -> f64) {
    let depths: Vec<f64> = polygon.iter().map(&depth).collect();
    if depths.iter().all(|d| *d >= 0.0) {
        return;
    }
    let count = polygon.len();
    let mut out = Vec::with_capacity(count + 1);
    for (i, (corner, d)) in polygon.iter().zip(&depths).enumerate() {
        let next = (i + 1) % count;
        let e = depths[next];
        if *d >= 0.0 {
            out.push(*corner);
        }
        if (*d >= 0.0) != (e >= 0.0) {
            out.push(corner.between(&polygon[next], d / (d - e)));
        }
    }
    *polygon = out;
}

/// The picture that triangles are put on.
pub(super) struct Sight<'s> {
    camera: &'s Camera,
    clip: &'s [HalfSpace],
    cut: Option<Colour>,
    ghost: Colour,
    /// Its size in samples.
    width: f64,
    height: f64,
}

impl<'s> Sight<'s> {
    pub(super) fn new(setting: &'s Setting, camera: &'s Camera) -> Sight<'s> {
        let size = |v: u32| f64::from(v * setting.samples);
        Sight {
            camera,
            clip: &setting.clip,
            cut: setting.cut_colour,
            ghost: setting.ghost,
            width: size(setting.width),
            height: size(setting.height),
        }
    }

    /// The facets of one item.
    pub(super) fn item(&self, number: u32, item: &Item, into: &mut Vec<Facet>) {
        if item.look != Look::Hidden {
            item.shape.parts.iter().for_each(|part| self.part(number, item.look, part, into));
        }
    }

    fn part(&self, item: u32, look: Look, part: &Part, into: &mut Vec<Facet>) {
        let colour = match look {
            Look::Colour(colour) => colour,
            Look::Ghost => self.ghost,
            Look::Styled | Look::Hidden => part.colour,
        };
        let kind = match (look, colour[3]) {
            (Look::Ghost, _) => Kind::Ghost,
            (_, 255) => Kind::Solid,
            _ => Kind::Clear,
        };
        let mut mesh = Mesh::default();
        mesh.append_at(&part.mesh, &part.at);
        let corners: Vec<Corner> = mesh
            .positions
            .iter()
            .zip(&mesh.normals)
            .map(|(p, n)| Corner { world: *p, local: self.camera.local(*p), normal: *n })
            .collect();
        let depth_in = |c: &Corner| self.clip.iter().map(|h| h.depth(c.world)).fold(f64::INFINITY, f64::min);
        let inside = corners.iter().all(|c| depth_in(c) >= 0.0);
        let closed = mesh.measures().is_closed();
        // the far sides of a closed body are never seen unless it is cut open
        let one_sided = closed && inside;
        for t in &mesh.triangles {
            let at = |i: u32| corners.get(i as usize).copied();
            let (Some(a), Some(b), Some(c)) = (at(t[0]), at(t[1]), at(t[2])) else { continue };
            self.triangle([a, b, c], one_sided, &Paint { item, colour, kind }, inside, into);
        }
        if closed && !inside {
            self.cuts(item, colour, kind, &mesh, into);
        }
    }

    /// The faces that the cutting planes leave of a closed body.
    fn cuts(&self, item: u32, colour: Colour, kind: Kind, mesh: &Mesh, into: &mut Vec<Facet>) {
        let shade = |c: Colour| [c[0] / 2 + 20, c[1] / 2 + 20, c[2] / 2 + 22, c[3]];
        let colour = if kind == Kind::Ghost { colour } else { self.cut.unwrap_or_else(|| shade(colour)) };
        let kind = if kind == Kind::Solid { Kind::Cut } else { kind };
        for (number, half) in self.clip.iter().enumerate() {
            let normal = -half.inward();
            let Some(plane) = Plane::new(half.point(), normal, crate::math::perpendicular(normal)) else {
                continue;
            };
            for area in section::of_mesh(mesh, &plane).areas {
                let loops: Vec<_> = area.loops().cloned().collect();
                let points: Vec<_> = loops.iter().flatten().collect();
                for t in region::triangles(&loops).chunks_exact(3) {
                    let corner = |i: &u32| {
                        let world = plane.lift(**points.get(*i as usize)?);
                        Some(Corner { world, local: self.camera.local(world), normal })
                    };
                    let (Some(a), Some(b), Some(c)) = (corner(&t[0]), corner(&t[1]), corner(&t[2])) else {
                        continue;
                    };
                    let mut polygon = vec![a, b, c];
                    for (other, half) in self.clip.iter().enumerate() {
                        if other != number {
                            kept(&mut polygon, |c| half.depth(c.world));
                        }
                    }
                    self.polygon(polygon, false, &Paint { item, colour, kind }, into);
                }
            }
        }
    }

    fn triangle(
        &self,
        corners: [Corner; 3],
        one_sided: bool,
        paint: &Paint,
        inside: bool,
        into: &mut Vec<Facet>,
    ) {
        if !corners.iter().all(|c| c.local.is_finite()) {
            return;
        }
        let mut polygon = corners.to_vec();
        if !inside {
            for half in self.clip {
                kept(&mut polygon, |c| half.depth(c.world));
            }
        }
        self.polygon(polygon, one_sided, paint, into);
    }

    fn polygon(&self, mut polygon: Vec<Corner>, one_sided: bool, paint: &Paint, into: &mut Vec<Facet>) {
        kept(&mut polygon, |c| c.local.z - self.camera.near());
        let Some((first, rest)) = polygon.split_first() else { return };
        for pair in rest.windows(2) {
            into.extend(self.facet([first, &pair[0], &pair[1]], one_sided, paint));
        }
    }

    fn facet(&self, corners: [&Corner; 3], one_sided: bool, paint: &Paint) -> Option<Facet> {
        let flat = |c: &Corner| {
            let s = self.camera.heights_per_metre(c.local.z) * self.height;
            DVec2::new(self.width / 2.0 + c.local.x * s, self.height / 2.0 - c.local.y * s)
        };
        let at = corners.map(flat);
        let [a, b, c] = at;
        if !at.iter().all(|p| p.is_finite()) || misses(&at, self.width, self.height) {
            return None;
        }
        // rows go downwards, so what is counter-clockwise in space has a negative area here
        let area = (b - a).perp_dot(c - a);
        if area == 0.0 || (one_sided && area > 0.0) {
            return None;
        }
        let value = |c: &Corner| if self.camera.is_perspective() { 1.0 / c.local.z } else { c.local.z };
        let [da, db, dc] = corners.map(value);
        let right = ((db - da) * (c.y - a.y) - (dc - da) * (b.y - a.y)) / area;
        let down = ((dc - da) * (b.x - a.x) - (db - da) * (c.x - a.x)) / area;
        if !(right.is_finite() && down.is_finite()) {
            return None;
        }
        let own = (corners[1].world - corners[0].world).cross(corners[2].world - corners[0].world);
        let own = unit(own).or_else(|| unit(corners[0].normal))?;
        let own = if area > 0.0 { -own } else { own };
        let normals = corners.map(|c| {
            let n = unit(c.normal).unwrap_or(own);
            let n = if n.dot(own) < 0.0 { -n } else { n };
            // a normal that has little to do with its face is a mistake of the source
            (if n.dot(own) < 0.3 { own } else { n }).as_vec3()
        });
        Some(Facet {
            at,
            depth: [da, right, down],
            range: [da.min(db).min(dc), da.max(db).max(dc)],
            normals,
            item: paint.item,
            colour: paint.colour,
            kind: paint.kind,
        })
    }
}

/// The properties that all facets of a part have in common.
struct Paint {
    item: u32,
    colour: Colour,
    kind: Kind,
}

/// Returns true if a triangle holds no sample: it lies beside the picture or between the samples' rows or columns.
fn misses(at: &[DVec2; 3], width: f64, height: f64) -> bool {
    let range = |i: usize| (at[0][i].min(at[1][i]).min(at[2][i]), at[0][i].max(at[1][i]).max(at[2][i]));
    let between = |(low, high): (f64, f64), size: f64| {
        high <= 0.5 || low > size - 0.5 || (low - 0.5).ceil() >= (high - 0.5).ceil()
    };
    between(range(0), width) || between(range(1), height)
}
