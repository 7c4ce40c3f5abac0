//! The elements that rooms are bounded by, with their openings left in, and what a line through them meets.
//!
//! Walls, slabs, roofs, coverings, curtain walls and their panels count as building; columns, beams and the like stand in the way of
//! a line but enclose nothing. Windows and doors are not here: a wall is asked for as if it had none.

use geometry::{
    Bounds, Mesh, Scene, Shaper,
    query::{Index, Ray},
};
use glam::DVec3;
use ifc::{Id, Model, relations::Links};
use rayon::prelude::*;
use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

/// The classes of elements that bound rooms.
const ENCLOSING: [&str; 10] = [
    "IfcWall",
    "IfcSlab",
    "IfcRoof",
    "IfcCovering",
    "IfcCurtainWall",
    "IfcPlate",
    "IfcFooting",
    "IfcBuildingElementPart",
    "IfcBuildingElementProxy",
    "IfcRamp",
];
/// Of these and those below, the classes of elements that stand on the floor of a room.
const UPRIGHT: [&str; 7] = [
    "IfcWall",
    "IfcCurtainWall",
    "IfcPlate",
    "IfcBuildingElementPart",
    "IfcColumn",
    "IfcMember",
    "IfcFooting",
];
/// The classes of elements that only stand in between.
const STANDING: [&str; 3] = ["IfcColumn", "IfcBeam", "IfcMember"];

/// The elements of a building by place.
pub struct Elements {
    index: Index,
    encloses: HashMap<Id, bool>,
    upright: HashSet<Id>,
}

/// A stretch of a line within one element.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Crossed {
    /// The element.
    pub element: Id,
    /// Where it begins along the line, in metres.
    pub from: f64,
    /// Where it ends along the line, in metres.
    pub to: f64,
}

impl Crossed {
    /// Its length along the line, in metres.
    pub fn thickness(&self) -> f64 {
        self.to - self.from
    }
}

impl Elements {
    /// The elements of a model. One without a shape is left out: nothing can be behind anything by it.
    pub fn from_model(shaper: &Shaper<'_>) -> Elements {
        Elements::made(&Links::of_one(shaper.reader.model), shaper, None)
    }

    /// The same of the version that a scene shows: what has no openings is as the scene has it.
    pub fn from_scene(scene: &Scene, shaper: &Shaper<'_>, links: &Links<'_>) -> Elements {
        Elements::made(links, shaper, Some(scene))
    }

    fn made(links: &Links<'_>, shaper: &Shaper<'_>, scene: Option<&Scene>) -> Elements {
        let model = links.model();
        let mut encloses = HashMap::new();
        let mut wanted = Vec::new();
        for (classes, closes) in [(ENCLOSING.as_slice(), true), (STANDING.as_slice(), false)] {
            for id in classes.iter().flat_map(|class| model.of_class(class)) {
                if !encloses.contains_key(&id) && !is_mere_proxy(links, id) {
                    encloses.insert(id, closes);
                    wanted.push((id, scene.filter(|_| links.openings_of(id).is_empty())));
                }
            }
        }
        let shape = |(id, scene): &(Id, Option<&Scene>)| -> Option<(Id, Arc<Mesh>)> {
            let shape = match scene {
                Some(scene) => scene.shape(*id)?,
                None => Arc::new(shaper.uncut_element(*id).ok()?),
            };
            (!shape.is_box).then(|| (*id, Arc::new(shape.mesh())))
        };
        let index: Index = wanted.par_iter().filter_map(shape).collect::<Vec<_>>().into_iter().collect();
        encloses.retain(|id, _| index.get(*id).is_some());
        index.prepare();
        let is_upright = |id: &Id| model.get(*id).is_some_and(|i| UPRIGHT.iter().any(|class| i.is_a(class)));
        let upright = encloses.keys().copied().filter(is_upright).collect();
        Elements { index, encloses, upright }
    }

    /// Their shapes by place.
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// Returns true if an element bounds rooms, and does not merely stand in them.
    pub fn is_enclosing(&self, id: Id) -> bool {
        self.encloses.get(&id).copied().unwrap_or(false)
    }

    /// Returns true if an element is of a class that stands on floors: a wall, a column, a panel, and no slab or roof.
    pub fn is_upright(&self, id: Id) -> bool {
        self.upright.contains(&id)
    }

    /// Bytes that their shapes take, about.
    pub fn weight(&self) -> u64 {
        self.index.weight()
    }

    /// The box around all.
    pub fn bounds(&self) -> Bounds {
        self.index.bounds()
    }

    /// Returns true if the line from a point along a direction meets something that bounds rooms, within `reach`
    /// metres.
    pub fn meets(&self, from: DVec3, direction: DVec3, reach: f64) -> bool {
        let Some(ray) = Ray::new(from, direction) else { return false };
        let wanted = |id: Id| self.is_enclosing(id);
        self.index.first_hit(&ray.up_to(reach), wanted).is_some()
    }

    /// The elements that bound rooms along a line, by where it goes in.
    pub fn crossed(&self, from: DVec3, direction: DVec3, reach: f64) -> Vec<Crossed> {
        let Some(ray) = Ray::new(from, direction) else { return Vec::new() };
        let mut by_element: Vec<(Id, Vec<(f64, bool)>)> = Vec::new();
        for hit in self.index.hits(&ray.up_to(reach)) {
            if !self.is_enclosing(hit.element) {
                continue;
            }
            let entry = (hit.distance, hit.is_from_inside(ray.direction()));
            match by_element.iter_mut().find(|(id, _)| *id == hit.element) {
                Some((_, hits)) => hits.push(entry),
                None => by_element.push((hit.element, vec![entry])),
            }
        }
        let mut found = Vec::new();
        for (element, hits) in by_element {
            // bodies of one element may overlap: depth tells when the last is left
            let starts_inside = hits.first().is_some_and(|(_, out)| *out);
            let (mut depth, mut since) = (i32::from(starts_inside), 0.0);
            for (at, out) in hits {
                if out {
                    depth -= 1;
                    if depth <= 0 {
                        found.push(Crossed { element, from: since, to: at });
                        depth = 0;
                    }
                } else {
                    if depth == 0 {
                        since = at;
                    }
                    depth += 1;
                }
            }
        }
        found.retain(|c| c.thickness() > 5e-4);
        found.sort_by(|a, b| a.from.total_cmp(&b.from).then(a.to.total_cmp(&b.to)));
        found
    }

    /// Returns true if a point lies within the building though in no space: nearly wherever one looks, level or up,
    /// something stands.
    pub fn encloses(&self, p: DVec3) -> bool {
        const WAYS: usize = 8;
        let reach = {
            let s = self.bounds().size();
            s.element_sum().clamp(1.0, 1e5)
        };
        let around = |tilt: f64| {
            (0..WAYS).map(move |i| {
                let (sin, cos) = (std::f64::consts::TAU * (i as f64 + 0.37) / WAYS as f64).sin_cos();
                DVec3::new(cos * tilt.cos(), sin * tilt.cos(), tilt.sin())
            })
        };
        let ways = around(0.06).chain(around(0.8)).chain([DVec3::new(0.01, 0.013, 1.0)]);
        ways.filter(|way| !self.meets(p, *way, reach)).count() <= 1
    }
}

/// Returns true if an element is a proxy without layers: a tree, a machine, but no wall.
fn is_mere_proxy(links: &Links<'_>, id: Id) -> bool {
    let is_proxy = links.model().get(id).is_some_and(|e| e.is_a("IfcBuildingElementProxy"));
    let has_layers =
        || links.composition_of(id).is_some_and(|c| c.parts.iter().any(|p| p.thickness.is_some()));
    is_proxy && !has_layers()
}

/// The GlobalId of an instance, or its number where it has none.
pub fn guid(model: &Model, id: Id) -> String {
    model.get(id).and_then(|i| i.guid()).unwrap_or_else(|| id.to_string())
}
