//! The height up to which members reach where none is said: the underside of the slab or roof above them, else the next storey.

use super::ends::Plane;
use super::profile::CrossSection;
use crate::author::Author;
use crate::host::Slab;
use crate::lookup::label;
use crate::measures::mm;
use crate::polygon::bounds;
use crate::regions;
use crate::storey::storeys_by_height;
use contract::Fault;
use glam::{DVec2, DVec3};
use ifc::{Id, relations};

/// The height of a storey where no other is above it, in mm.
const PLAIN: f64 = 3000.0;

/// The slabs above a storey's floor, and the next storey; heights are mm above it.
pub struct Headroom {
    decks: Vec<Deck>,
    next: Option<(f64, String)>,
}

/// A slab seen from below.
struct Deck {
    name: String,
    outline: Vec<DVec2>,
    underside: Plane,
    origin: DVec2,
}

impl Deck {
    /// The height of its underside at a point in plan.
    fn height(&self, p: DVec2) -> f64 {
        self.underside.height(p - self.origin)
    }
}

impl Headroom {
    /// Reads the slabs of a storey and of the one above it.
    pub fn above(author: &Author, storey: Id) -> Result<Self, Fault> {
        let all = storeys_by_height(author.edit);
        let floor = author.frame(storey)?.translation.z;
        let own = all.iter().find(|(id, _)| *id == storey).map_or(0.0, |(_, z)| *z);
        let next = all.iter().find(|(_, z)| *z > own + 0.1);
        let mut decks = Vec::new();
        for id in [Some(storey), next.map(|(id, _)| *id)].into_iter().flatten() {
            for slab in relations::decomposition(author.edit, id) {
                if !author.edit.get(slab).is_some_and(|s| s.is_a("IfcSlab")) {
                    continue;
                }
                let Ok(slab) = Slab::read(author, slab) else { continue };
                let normal = slab.frame.z_axis;
                if normal.z.abs() < 0.1 {
                    continue;
                }
                let at = slab.frame.transform_point3(DVec3::Z * slab.base);
                decks.push(Deck {
                    name: label(author.edit, slab.id),
                    outline: slab.outline_in_world(),
                    underside: Plane { at: at.z - floor, normal },
                    origin: at.truncate(),
                });
            }
        }
        let next = next.map(|(id, z)| (mm((z - own) * 1000.0), label(author.edit, *id)));
        Ok(Self { decks, next })
    }

    /// The height up to which a footprint in plan is free above `base`; told to the caller as what the parameter was taken to be.
    pub fn over(&self, author: &mut Author, parameter: &str, footprint: &[DVec2], base: f64) -> f64 {
        let (height, why) = self.free(footprint, base);
        author.assume(format!("{parameter} {height} mm ({why})"));
        height
    }

    /// The height up to which a footprint in plan is free above `base`, and by what it ends there.
    pub fn free(&self, footprint: &[DVec2], base: f64) -> (f64, String) {
        let top = self.next.as_ref().map(|(z, _)| *z);
        let (low, high) = bounds(footprint);
        let mut lowest: Option<(f64, &str)> = None;
        for deck in &self.decks {
            let (a, b) = bounds(&deck.outline);
            if low.cmpgt(b).any() || high.cmplt(a).any() {
                continue;
            }
            let shared = regions::intersection(&[footprint.to_vec()], std::slice::from_ref(&deck.outline));
            let heights = shared.iter().flat_map(|region| &region.outer).map(|p| deck.height(*p));
            let height = heights.fold(f64::INFINITY, f64::min);
            let is_above =
                height.is_finite() && height > base + 1.0 && top.is_none_or(|top| height < top + 1.0);
            if is_above && lowest.is_none_or(|(z, _)| height < z) {
                lowest = Some((height, &deck.name));
            }
        }
        match (lowest, &self.next) {
            (Some((z, name)), _) => (mm(z), format!("up to the underside of {name}")),
            (None, Some((z, name))) => (*z, format!("up to {name}")),
            (None, None) => (PLAIN, "no storey above".to_owned()),
        }
    }
}

/// The footprint of an upright member, turned by degrees, about a place in plan.
pub fn footprint(section: &CrossSection, offset: DVec2, at: DVec2, rotation: f64) -> Vec<DVec2> {
    let turn = DVec2::from_angle(rotation.to_radians());
    section.outline.iter().map(|p| at + turn.rotate(*p - offset)).collect()
}

/// The strip in plan that a level member takes up, turned by degrees about its axis, and how far it rises above that.
pub fn strip(section: &CrossSection, offset: DVec2, ends: [DVec2; 2], rotation: f64) -> (Vec<DVec2>, f64) {
    let [from, to] = ends;
    let along = crate::polygon::direction(from, to).unwrap_or(DVec2::X);
    let turn = DVec2::from_angle(rotation.to_radians());
    let points: Vec<DVec2> = section.outline.iter().map(|p| turn.rotate(*p - offset)).collect();
    let (low, high) = bounds(&points);
    // left, where x grows
    let (right, left) = (along.perp() * low.x, along.perp() * high.x);
    (vec![from + right, to + right, to + left, from + left], high.y)
}
