//! The elements that rooms are bounded by, with their openings left in, and what a line through them meets.
//!
//! Walls, slabs, roofs, coverings, curtain walls and their panels count as building; columns, beams and the like stand in the way of
//! a line but enclose nothing. Windows and doors are not here: a wall is asked for as if it had none.

use crate::{
    asked::{Asked, Change},
    touched::Touched,
};
use geometry::{
    Bounds, Mesh, Scene, Shaper,
    query::{Index, Ray},
};
use glam::DVec3;
use ifc::{Id, Model, relations::Links};
use rayon::prelude::*;
use std::{
    collections::{BTreeSet, HashMap, HashSet},
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

/// So few things are made faster one by one than shared out to threads.
pub(crate) const FEW: usize = 8;

/// The elements of a building by place.
pub struct Elements {
    index: Index,
    classes: Arc<Classes>,
}

/// The elements of a model by class, also those that have no shape.
#[derive(Default, Clone)]
struct Classes {
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
        let links = Links::of_one(shaper.reader.model);
        let mut elements = Elements::named(&links);
        let ids: Vec<Id> = elements.classes.encloses.keys().copied().collect();
        let meshes: Vec<(Id, Arc<Mesh>)> =
            ids.par_iter().filter_map(|id| Some((*id, uncut(shaper, None, *id)?))).collect();
        elements.index = meshes.into_iter().collect();
        elements.index.prepare();
        elements
    }

    /// The same of the version that a scene shows: what has no openings is as the scene has it.
    pub fn from_scene(scene: &Scene, shaper: &Shaper<'_>, links: &Links<'_>) -> Elements {
        let mut elements = Elements::named(links);
        let all: Vec<Id> = elements.classes.encloses.keys().copied().collect();
        elements.index = meshes(scene, shaper, links, &all).into_iter().collect();
        elements.index.prepare();
        elements
    }

    /// The same made of those of a version before, with what differs; `reshaped` are the products whose bodies or places may differ.
    pub(crate) fn following(
        before: &Elements,
        reshaped: &BTreeSet<Id>,
        touched: &Touched,
        scene: &Scene,
        shaper: &Shaper<'_>,
        links: &Links<'_>,
    ) -> (Elements, Change) {
        let (classes, asked) = before.classes_after(touched, links);
        let mut elements = Elements { index: Index::default(), classes };
        let is_same = Arc::ptr_eq(&elements.classes, &before.classes);
        let differs = |id: &Id| reshaped.contains(id) || before.asked_of(*id) != elements.asked_of(*id);
        let differing = |own: &Elements| -> Vec<Id> {
            let own = |id: &Id| own.classes.encloses.contains_key(id);
            let others = asked.iter().filter(|id| !reshaped.contains(id));
            reshaped.iter().chain(others).copied().filter(|id| own(id) && differs(id)).collect()
        };
        let fresh = meshes(scene, shaper, links, &differing(&elements));
        let mut index = before.index.clone();
        let mut change = Change::default();
        let mut gone: HashSet<Id> = differing(before).into_iter().collect();
        for (id, mesh) in fresh {
            gone.remove(&id);
            let old = index.get(id).map(|e| (e.bounds(), e.mesh().as_ref() == mesh.as_ref()));
            if let Some((bounds, is_same)) = old {
                if is_same && before.is_enclosing(id) == elements.is_enclosing(id) {
                    continue;
                }
                change.add_former(id, bounds);
            }
            index.insert(id, mesh);
            change.add(id, index.get(id).map_or(Bounds::EMPTY, |e| e.bounds()));
        }
        for id in gone {
            if let Some(element) = index.get(id) {
                change.add_former(id, element.bounds());
                index.remove(id);
            }
        }
        elements.index = index;
        let differs = |id: Id| !is_same && before.is_upright(id) != elements.is_upright(id);
        let upright = asked.iter().filter(|id| differs(**id)).filter_map(|id| elements.index.get(*id));
        for element in upright {
            let id = element.id();
            if before.index.get(id).is_some() {
                change.add_former(id, element.bounds());
            } else {
                change.add(id, element.bounds());
            }
        }
        (elements, change)
    }

    /// The classes of elements after a change, and the elements that were asked for theirs.
    fn classes_after(&self, touched: &Touched, links: &Links<'_>) -> (Arc<Classes>, Vec<Id>) {
        let mut asked: Vec<Id> = touched.products().iter().copied().collect();
        if !touched.are_materials_same() {
            // of proxies those with layers are built
            asked.extend(links.model().of_class("IfcBuildingElementProxy"));
        }
        let mut classes = Arc::clone(&self.classes);
        for id in &asked {
            let (encloses, is_upright) = class_of(links, *id);
            if classes.encloses.get(id) == encloses.as_ref() && classes.upright.contains(id) == is_upright {
                continue;
            }
            let classes = Arc::make_mut(&mut classes);
            match encloses {
                Some(encloses) => classes.encloses.insert(*id, encloses),
                None => classes.encloses.remove(id),
            };
            if is_upright {
                classes.upright.insert(*id);
            } else {
                classes.upright.remove(id);
            }
        }
        (classes, asked)
    }

    /// The elements by class, without their shapes.
    fn named(links: &Links<'_>) -> Elements {
        let model = links.model();
        let mut classes = Classes::default();
        for id in ENCLOSING.iter().chain(&STANDING).flat_map(|class| model.of_class(class)) {
            if classes.encloses.contains_key(&id) {
                continue;
            }
            let (encloses, is_upright) = class_of(links, id);
            if let Some(encloses) = encloses {
                classes.encloses.insert(id, encloses);
            }
            if is_upright {
                classes.upright.insert(id);
            }
        }
        Elements { index: Index::default(), classes: classes.into() }
    }

    /// Returns whether an element encloses or only stands in between; `None` for one that does neither.
    fn asked_of(&self, id: Id) -> Option<bool> {
        self.classes.encloses.get(&id).copied()
    }

    /// Their shapes by place.
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// Returns true if an element bounds rooms, and does not merely stand in them.
    pub fn is_enclosing(&self, id: Id) -> bool {
        self.classes.encloses.get(&id).copied().unwrap_or(false)
    }

    /// Returns true if an element is of a class that stands on floors: a wall, a column, a panel, and no slab or roof.
    pub fn is_upright(&self, id: Id) -> bool {
        self.classes.upright.contains(&id)
    }

    /// Bytes that their shapes take, about.
    pub fn weight(&self) -> u64 {
        self.index.weight()
    }

    /// Returns true if the line from a point along a direction meets something that bounds rooms, within `reach`
    /// metres.
    pub fn meets(&self, from: DVec3, direction: DVec3, reach: f64, asked: &mut Asked) -> bool {
        let Some(ray) = Ray::new(from, direction).map(|ray| ray.up_to(reach)) else { return false };
        let met = self.index.any_hit(&ray, |id| self.is_enclosing(id));
        match met {
            Some(element) => asked.met(element),
            None => asked.line(ray),
        }
        met.is_some()
    }

    /// The elements that bound rooms along a line, by where it goes in.
    pub fn crossed(&self, from: DVec3, direction: DVec3, reach: f64, asked: &mut Asked) -> Vec<Crossed> {
        let Some(ray) = Ray::new(from, direction).map(|ray| ray.up_to(reach)) else { return Vec::new() };
        asked.line(ray);
        let mut by_element: Vec<(Id, Vec<(f64, bool)>)> = Vec::new();
        for hit in self.index.hits(&ray) {
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
    pub fn encloses(&self, p: DVec3, asked: &mut Asked) -> bool {
        const WAYS: usize = 8;
        let around = |tilt: f64| {
            (0..WAYS).map(move |i| {
                let (sin, cos) = (std::f64::consts::TAU * (i as f64 + 0.37) / WAYS as f64).sin_cos();
                DVec3::new(cos * tilt.cos(), sin * tilt.cos(), tilt.sin())
            })
        };
        // the sky first, since outdoors it is seen most often
        let ways = [DVec3::new(0.01, 0.013, 1.0)].into_iter().chain(around(0.8)).chain(around(0.06));
        let mut free = ways.filter(|way| !self.meets(p, *way, f64::INFINITY, asked));
        free.nth(1).is_none()
    }
}

/// The shapes of elements with their openings left in; those without a shape are left out.
fn meshes(scene: &Scene, shaper: &Shaper<'_>, links: &Links<'_>, ids: &[Id]) -> Vec<(Id, Arc<Mesh>)> {
    let of = |id: &Id| (*id, Some(scene).filter(|_| links.openings_of(*id).is_empty()));
    let asked: Vec<(Id, Option<&Scene>)> = ids.iter().map(of).collect();
    let made = |(id, scene): &(Id, Option<&Scene>)| Some((*id, uncut(shaper, *scene, *id)?));
    if ids.len() < FEW {
        asked.iter().filter_map(made).collect()
    } else {
        asked.par_iter().filter_map(made).collect()
    }
}

/// The shape of an element with its openings left in; none of one that only its box is known of.
fn uncut(shaper: &Shaper<'_>, scene: Option<&Scene>, id: Id) -> Option<Arc<Mesh>> {
    let shape = match scene {
        Some(scene) => scene.shape(id)?,
        None => Arc::new(shaper.uncut_element(id).ok()?),
    };
    (!shape.is_box).then(|| Arc::new(shape.mesh()))
}

/// Returns whether an element encloses or only stands in between, `None` for one that does neither, and whether it stands on floors.
fn class_of(links: &Links<'_>, id: Id) -> (Option<bool>, bool) {
    let Some(instance) = links.model().get(id) else { return (None, false) };
    let is_one = |classes: &[&str]| classes.iter().any(|class| instance.is_a(class));
    let encloses = if is_one(&ENCLOSING) { Some(true) } else { is_one(&STANDING).then_some(false) };
    let encloses = encloses.filter(|_| !is_mere_proxy(links, id));
    (encloses, encloses.is_some() && is_one(&UPRIGHT))
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
